/* chain.c - how long one warp alone would take through a block of code: its critical path.
 *
 *     ld a ──┐
 *     ld b ──┴─ fma ── fma ...       both loads are under way together: the path holds one of them
 *
 * ptxas moves independent loads ahead of the first use of any, so what counts is what depends on what, not the order in
 * the PTX. A block of code cannot take fewer clocks than it has instructions. */
#include "sim/machine.h"

#include <stdlib.h>

enum { SFU_EXTRA = 14 }; /* an SFU result comes about 18 clocks after issue, an ALU one about 4 */

static int latency_of(const struct ptx_step *s, const struct model_profile *p)
{
    switch (ptx_ops[s->op].class) {
    case CLASS_SFU: return p->latency_alu + SFU_EXTRA;
    case CLASS_FP64: return p->latency_alu * (p->fp64_lanes * 2 < p->fp32_lanes ? 8 : 2);
    case CLASS_MEM:
        return s->space == SPACE_SHARED ? p->latency_shared : s->space == SPACE_PARAM ? p->latency_alu : p->latency_l1;
    default: return p->latency_alu;
    }
}

/* How a value came to be: clocks since the block of code began, and global loads one after another among them. */
struct path {
    double clocks, loads;
};

static void follow(struct path *at, const struct path *source)
{
    if (source->clocks > at->clocks)
        *at = *source;
}

static struct path inputs(const struct ptx_step *s, const struct path *value)
{
    struct path at = {0};
    for (int k = 0; k < s->src_count; k++)
        if (s->src[k].kind == SRC_REG)
            follow(&at, &value[s->src[k].reg]);
    if (s->guard >= 0)
        follow(&at, &value[s->guard]);
    for (int k = 0; s->op == OP_ST && k < s->dst_count; k++)
        follow(&at, &value[s->dst[k]]);
    return at;
}

static struct chain one_block(const struct ptx_program *p, const struct ptx_block *b, const struct model_profile *profile,
                              struct path *value)
{
    struct path longest = {0};
    int issued = 0, loads = 0;
    for (size_t i = 0; i < p->slot_count; i++)
        value[i] = (struct path){0};
    for (int i = b->first; i < b->first + b->count; i++) {
        const struct ptx_step *s = &p->steps[i];
        struct path at = inputs(s, value);
        if (s->op == OP_LD && (s->space == SPACE_GLOBAL || s->space == SPACE_GENERIC || s->space == SPACE_LOCAL))
            at.loads++, loads++;
        if (!(s->flags & FLAG_QUIET)) {
            at.clocks += s->op == OP_ST ? 0 : latency_of(s, profile);
            issued++;
        }
        follow(&longest, &at);
        for (int k = 0; s->op != OP_ST && k < s->dst_count; k++)
            if (s->dst[k] >= 0)
                value[s->dst[k]] = at;
        if (s->dst_pair >= 0)
            value[s->dst_pair] = at;
    }
    /* Instructions are issued in order, so the branch at the end comes after what waits for the longest path. */
    int branches = b->count > 0 && p->steps[b->first + b->count - 1].op == OP_BRA;
    return (struct chain){(longest.clocks > issued ? longest.clocks : issued) + (branches ? profile->latency_branch : 0),
                          longest.loads, loads};
}

void chain_blocks(const struct sim_kernel *k, const struct model_profile *profile, struct chain *out)
{
    const struct ptx_program *p = k->program;
    struct path *value = xcalloc(p->slot_count, sizeof *value);
    for (size_t b = 0; b < p->block_count; b++)
        out[b] = one_block(p, &p->blocks[b], profile, value);
    free(value);
}
