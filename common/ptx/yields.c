/* yields.c - where machine code lets other lanes of a warp have a turn: YIELD.
 *
 * With its optimiser off ptxas 13.0 for sm_90 puts a YIELD at a loop's first block if
 *
 * - the loop itself, not only one within it, has an access that others' stores can change: a volatile, relaxed or acquire load, an atomic
 *   operation, or a red that does not name global memory, and
 * - its end hangs on what such a load or atomic operation brings, wherever that is, through memory's addresses and branches, too; or from
 *   the loop a call can be reached: a division's subroutine is enough.
 *
 * Read from the machine code of 670 random kernels, 898 YIELDs in 2313 loops, and of loops drawn up with each kind of access and way to
 * hang on it. Of 170 random kernels by clang 168 have one where this says and nowhere else; of 270 others, some of which may be
 * among those 670, 262. */
#include "ptx/cfg.h"

#include <stdlib.h>
#include <string.h>

int cfg_in_loop(const struct ptx_program *p, int b, int first)
{
    int l = p->blocks[b].loop;
    while (l >= 0 && l != first)
        l = p->blocks[l].around;
    return l == first;
}

/* ---- what a value comes from ---- */

static int reads_any(const struct ptx_step *s, const char *marked)
{
    for (int i = 0; i < s->src_count; i++)
        if (s->src[i].kind == SRC_REG && s->src[i].reg >= 0 && marked[s->src[i].reg])
            return 1;
    return s->guard >= 0 && marked[s->guard];
}

/* Mark what a step writes; is any of that new? */
static int mark(const struct ptx_step *s, char *marked)
{
    int any = 0;
    for (int i = 0; i < s->dst_count; i++)
        if (s->dst[i] >= 0 && !marked[s->dst[i]])
            any = marked[s->dst[i]] = 1;
    if (s->dst_pair >= 0 && !marked[s->dst_pair])
        any = marked[s->dst_pair] = 1;
    return any;
}

static int tells_lanes_apart(const struct ptx_step *s)
{
    switch (s->op) {
    case OP_SHFL: case OP_VOTE: case OP_MATCH: case OP_ACTIVEMASK: return 1;
    case OP_SREG: return s->detail <= SREG_TID_Z || s->detail == SREG_LANEID || (s->detail >= SREG_CLOCK && s->detail <= SREG_LANEMASK_GT);
    default: return ptx_ops[s->op].class == CLASS_MEM && s->space != SPACE_PARAM && s->space != SPACE_CONST;
    }
}

char *cfg_varying(const struct ptx_program *p)
{
    char *varying = xcalloc(p->slot_count + 1, 1);
    for (int any = 1; any;) {
        any = 0;
        for (size_t i = 0; i < p->step_count; i++)
            if (tells_lanes_apart(&p->steps[i]) || reads_any(&p->steps[i], varying))
                any |= mark(&p->steps[i], varying);
    }
    return varying;
}

/* ---- loops ---- */

static int begins(const struct ptx_step *s, const char *with)
{
    return s->text && !strncmp(s->text, with, strlen(with));
}

static int brings(const struct ptx_step *s)
{
    return begins(s, "ld.volatile") || begins(s, "ld.relaxed") || begins(s, "ld.acquire") || begins(s, "atom.");
}

static int is_access(const struct ptx_step *s)
{
    return brings(s) || (begins(s, "red.") && s->space != SPACE_GLOBAL);
}

static int is_call(const struct ptx_step *s)
{
    static const char *const ops[] = {"div.rn.f", "rcp.rn", "sqrt.rn", "div.s64", "div.u64", "rem.s64", "rem.u64", "div.s16", "div.u16",
                                      "rem.s16", "rem.u16"};
    if (s->flags & (FLAG_QUIET | FLAG_UNUSED))
        return 0;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (begins(s, ops[i]))
            return 1;
    return 0;
}

static int reaches_call(const struct ptx_program *p, int b)
{
    int n = (int)p->block_count, to[2], *stack = xcalloc((size_t)n + 1, sizeof *stack), depth = 1, found = 0;
    char *seen = xcalloc((size_t)n + 1, 1);
    stack[0] = b;
    seen[b] = 1;
    while (depth && !found) {
        int x = stack[--depth];
        for (int i = 0; i < p->blocks[x].count; i++)
            found |= is_call(&p->steps[p->blocks[x].first + i]);
        for (int k = cfg_successors(p, x, to); k-- > 0;)
            if (to[k] < n && !seen[to[k]]) {
                seen[to[k]] = 1;
                stack[depth++] = to[k];
            }
    }
    free(stack);
    free(seen);
    return found;
}

/* Which registers hold what comes from what such an access brings, behind a step. */
static void step_over(const struct ptx_step *s, char *brought)
{
    if (brings(s) || reads_any(s, brought)) {
        mark(s, brought);
        return;
    }
    if (s->guard >= 0)
        return;
    for (int i = 0; i < s->dst_count; i++)
        if (s->dst[i] >= 0)
            brought[s->dst[i]] = 0;
    if (s->dst_pair >= 0)
        brought[s->dst_pair] = 0;
}

/* Where lanes that a branch parted meet, what has been written on one of their ways hangs on it, too. */
static int parted_at(const struct ptx_program *p, int branch, char *brought)
{
    int n = (int)p->block_count, end = p->blocks[branch].ipdom, to[2], depth = 0, any = 0;
    int *stack = xcalloc((size_t)n + 1, sizeof *stack);
    char *seen = xcalloc((size_t)n + 1, 1);
    for (int k = cfg_successors(p, branch, to); k-- > 0;)
        if (to[k] < n && to[k] != end && !seen[to[k]])
            seen[stack[depth++] = to[k]] = 1;
    while (depth) {
        const struct ptx_block *x = &p->blocks[stack[--depth]];
        for (int i = 0; i < x->count; i++)
            any |= mark(&p->steps[x->first + i], brought);
        for (int k = cfg_successors(p, (int)(x - p->blocks), to); k-- > 0;)
            if (to[k] < n && to[k] != end && !seen[to[k]])
                seen[stack[depth++] = to[k]] = 1;
    }
    free(stack);
    free(seen);
    return any;
}

/* Which registers do where each block's last step is: a row for each block. */
static char *brought_by_accesses(const struct ptx_program *p)
{
    int n = (int)p->block_count, to[2];
    size_t slots = p->slot_count + 1;
    char *in = xcalloc(2 * (size_t)n + 1, slots), *last = in + (size_t)n * slots, *now = last + (size_t)n * slots;
    for (int any = 1; any;) {
        any = 0;
        for (int b = 0; b < n; b++) {
            const struct ptx_block *x = &p->blocks[b];
            memcpy(now, in + (size_t)b * slots, slots);
            for (int i = 0; i < x->count; i++) {
                if (i == x->count - 1)
                    memcpy(last + (size_t)b * slots, now, slots);
                step_over(&p->steps[x->first + i], now);
            }
            if (x->count && x->end == END_BRANCH && x->ipdom >= 0 && x->ipdom < n && reads_any(&p->steps[x->first + x->count - 1], now))
                any |= parted_at(p, b, in + (size_t)x->ipdom * slots);
            for (int k = cfg_successors(p, b, to); k-- > 0;)
                for (size_t r = 0; r < slots && to[k] < n; r++)
                    if (now[r] > in[(size_t)to[k] * slots + r])
                        any = in[(size_t)to[k] * slots + r] = 1;
        }
    }
    memmove(in, last, (size_t)n * slots);
    return in;
}

/* Does the end of a loop hang on what any such access brings? */
static int hangs_on_access(const struct ptx_program *p, int first, const char *brought)
{
    int n = (int)p->block_count, to[2], found = 0;
    for (int b = 0; b < n; b++)
        for (int k = cfg_in_loop(p, b, first) ? cfg_successors(p, b, to) : 0; k-- > 0;)
            if (p->blocks[b].count && (to[k] == n || !cfg_in_loop(p, to[k], first)))
                found |= reads_any(&p->steps[p->blocks[b].first + p->blocks[b].count - 1], brought + (size_t)b * (p->slot_count + 1));
    return found;
}

void cfg_find_yields(struct ptx_program *p)
{
    char *brought = NULL;
    for (size_t b = 0; b < p->block_count; b++) {
        const struct ptx_block *x = &p->blocks[b];
        int access = 0;
        for (int i = 0; i < x->count && x->loop >= 0; i++)
            access |= is_access(&p->steps[x->first + i]);
        if (!access || p->blocks[x->loop].yields)
            continue;
        p->blocks[x->loop].yields = reaches_call(p, x->loop);
        if (!p->blocks[x->loop].yields) {
            brought = brought ? brought : brought_by_accesses(p);
            p->blocks[x->loop].yields = hangs_on_access(p, x->loop, brought);
        }
    }
    for (size_t b = 0; b < p->block_count; b++)
        p->yields |= p->blocks[b].yields;
    free(brought);
}
