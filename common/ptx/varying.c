/* varying.c - which branches ptxas takes to part the lanes of a warp.
 *
 * What ptxas 13.0 -O0 for sm_90 takes to be one value a warp, tried one by one: what comes from parameters, block numbers and sizes,
 * constants, %clock; a load in any space from an address that is one value, but of local memory once something else was stored there;
 * votes, %activemask, and shfl.idx from a lane that is one number. What differs: %tid, %laneid and its masks, what atomics give, what
 * comes from such values, under a guard that is one, or from several places of which a branch that parts lanes chooses. */
#include "ptx/cfg.h"

#include <stdlib.h>
#include <string.h>

struct varying {
    const struct ptx_program *p;
    char *slot;     /* differs by lane */
    char *block;    /* its branch parts lanes */
    int *writers;
    int local;      /* so does what a store to local memory has left there */
};

static int is_sreg_of_lane(int sreg)
{
    return sreg <= SREG_TID_Z || sreg == SREG_LANEID || (sreg >= SREG_LANEMASK_EQ && sreg <= SREG_LANEMASK_GT);
}

static int any_source(const struct varying *v, const struct ptx_step *s)
{
    for (int i = 0; i < s->src_count; i++)
        if (s->src[i].kind == SRC_REG && v->slot[s->src[i].reg])
            return 1;
    return s->guard >= 0 && v->slot[s->guard];
}

static int differs(const struct varying *v, const struct ptx_step *s)
{
    const char *t = s->text ? s->text : "";
    if (s->op == OP_SREG)
        return is_sreg_of_lane(s->detail) || (s->guard >= 0 && v->slot[s->guard]);
    if (s->op == OP_ATOM || !strncmp(t, "match", 5))
        return 1;
    if (!strncmp(t, "vote", 4) || !strncmp(t, "activemask", 10))
        return s->guard >= 0 && v->slot[s->guard];
    if (!strncmp(t, "shfl", 4) && strstr(t, ".idx"))
        return s->src[1].kind == SRC_REG && v->slot[s->src[1].reg];
    if (!strncmp(t, "shfl", 4))
        return 1;
    return any_source(v, s) || (s->op == OP_LD && v->local && (s->space == SPACE_LOCAL || s->space == SPACE_GENERIC));
}

/* Lanes have a local memory each: what they load from one address differs once something that does was stored. */
static int stores_to_local(const struct varying *v, const struct ptx_step *s)
{
    int any = any_source(v, s);
    for (int k = 0; k < s->dst_count; k++)
        any |= s->dst[k] >= 0 && v->slot[s->dst[k]];
    return any && (s->space == SPACE_LOCAL || s->space == SPACE_GENERIC);
}

static int mark(struct varying *v, int slot)
{
    int is_new = slot >= 0 && !v->slot[slot];
    if (slot >= 0)
        v->slot[slot] = 1;
    return is_new;
}

static int writes(const struct ptx_step *s, int k)
{
    return s->op == OP_ST ? -1 : s->dst[k];
}

/* Is block b in the loop that a branch is the end of? */
static int turned(const struct varying *v, int branch, int b)
{
    int to[2], is = 0;
    for (int k = cfg_successors(v->p, branch, to); k-- > 0;) {
        int first = cfg_past_latch(v->p, to[k]);
        is |= first < (int)v->p->block_count && v->p->blocks[first].order <= v->p->blocks[branch].order &&
              (b == branch || ptx_leads(v->p, b, branch)) && (b == first || ptx_leads(v->p, first, b));
    }
    return is;
}

/* Is block b between a branch and where all its lanes meet, or do they come there before they meet in different turns? */
static int between(const struct varying *v, int branch, int b)
{
    int join = v->p->blocks[branch].ipdom;
    if (turned(v, branch, b))
        return 1;
    return b != join && ptx_leads(v->p, branch, b) && (join < 0 || ptx_leads(v->p, b, join));
}

/* Do lanes that parted at a branch come together by block b, or before it? */
static int is_behind(const struct varying *v, int branch, int b)
{
    int to[2], join = v->p->blocks[branch].ipdom, ways = 0;
    if (turned(v, branch, b))
        return 0;
    if (b == join || (join >= 0 && ptx_leads(v->p, join, b)) || v->p->blocks[b].order <= v->p->blocks[branch].order)
        return 1;
    for (int k = cfg_successors(v->p, branch, to); k-- > 0;)
        ways += to[k] == b || (to[k] < (int)v->p->block_count && ptx_leads(v->p, to[k], b));
    return ways > 1;
}

/* What is written between a branch that parts lanes and their join, by more than one step, differs where they are together again. */
static int by_control(struct varying *v, int branch)
{
    const struct ptx_program *p = v->p;
    char *written = xcalloc(p->slot_count + 1, 1);
    int changed = 0, any = 0;
    for (size_t b = 0; b < p->block_count; b++)
        for (int i = 0; i < p->blocks[b].count && between(v, branch, (int)b); i++) {
            const struct ptx_step *s = &p->steps[p->blocks[b].first + i];
            for (int k = 0; k < s->dst_count; k++)
                if (writes(s, k) >= 0 && v->writers[writes(s, k)] > 1)
                    any = written[writes(s, k)] = 1;
        }
    for (size_t b = 0; b < p->block_count && any; b++)
        for (int i = 0; i < p->blocks[b].count && is_behind(v, branch, (int)b); i++) {
            const struct ptx_step *s = &p->steps[p->blocks[b].first + i];
            for (int k = 0; k < s->src_count; k++)
                if (s->src[k].kind == SRC_REG && written[s->src[k].reg])
                    changed |= mark(v, s->src[k].reg);
            for (int k = 0; k < (s->op == OP_ST ? s->dst_count : 0); k++)
                if (s->dst[k] >= 0 && written[s->dst[k]])
                    changed |= mark(v, s->dst[k]);
            if (s->guard >= 0 && written[s->guard])
                changed |= mark(v, s->guard);
        }
    free(written);
    return changed;
}

static int follow_steps(struct varying *v)
{
    int changed = 0;
    for (size_t i = 0; i < v->p->step_count; i++) {
        const struct ptx_step *s = &v->p->steps[i];
        if (s->op == OP_ST && !v->local)
            changed |= v->local = stores_to_local(v, s);
        if (s->op == OP_ST || !differs(v, s))
            continue;
        for (int k = 0; k < s->dst_count; k++)
            changed |= mark(v, s->dst[k]);
        changed |= mark(v, s->dst_pair);
    }
    return changed;
}

char *cfg_parting(const struct ptx_program *p, char **differs)
{
    int to[2];
    struct varying v = {p, xcalloc(p->slot_count + 1, 1), xcalloc(p->block_count + 1, 1), xcalloc(p->slot_count + 1, sizeof(int)), 0};
    for (size_t i = 0; i < p->step_count; i++)
        for (int k = 0; k < p->steps[i].dst_count; k++)
            if (writes(&p->steps[i], k) >= 0)
                v.writers[writes(&p->steps[i], k)]++;
    for (int changed = 1; changed;) {
        changed = follow_steps(&v);
        for (size_t b = 0; b < p->block_count; b++) {
            const struct ptx_block *x = &p->blocks[b];
            const struct ptx_step *last = &p->steps[x->first + x->count - 1];
            if (v.block[b] || x->order < 0 || cfg_successors(p, (int)b, to) < 2 || last->guard < 0 || !v.slot[last->guard])
                continue;
            v.block[b] = 1;
            changed |= 1 | by_control(&v, (int)b);
        }
    }
    free(v.writers);
    *differs = v.slot;
    return v.block;
}
