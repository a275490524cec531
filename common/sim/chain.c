/* chain.c - how long one warp alone would take through a block of code.
 *
 * A warp issues its instructions in order, one a clock, and waits where an operand is not there yet. Independent loads
 * overlap: their results are waited for once, at the first use. */
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

struct clock {
    double now;
    double *ready;        /* by slot */
    char *from_memory;    /* by slot: a global load's result that nothing has waited for yet */
    int slots;
};

/* Wait for a slot; tells whether that meant waiting for global memory. */
static int wait_for(struct clock *c, int slot)
{
    int global = c->from_memory[slot] && c->ready[slot] > c->now;
    if (c->ready[slot] > c->now)
        c->now = c->ready[slot];
    if (!global)
        return 0;
    for (int i = 0; i < c->slots; i++) /* loads that came before have arrived as well */
        if (c->ready[i] <= c->now)
            c->from_memory[i] = 0;
    return 1;
}

static void one_block(const struct ptx_program *p, const struct ptx_block *b, const struct model_profile *profile,
                      struct clock *c, struct chain *out)
{
    c->now = 0;
    for (int i = 0; i < c->slots; i++) {
        c->ready[i] = 0;
        c->from_memory[i] = 0;
    }
    for (int i = b->first; i < b->first + b->count; i++) {
        const struct ptx_step *s = &p->steps[i];
        for (int k = 0; k < s->src_count; k++)
            if (s->src[k].kind == SRC_REG)
                out->waits += wait_for(c, s->src[k].reg);
        if (s->guard >= 0)
            out->waits += wait_for(c, s->guard);
        if (s->op == OP_ST) {
            for (int k = 0; k < s->dst_count; k++)
                out->waits += wait_for(c, s->dst[k]);
        } else {
            int global = s->op == OP_LD && (s->space == SPACE_GLOBAL || s->space == SPACE_GENERIC || s->space == SPACE_LOCAL);
            for (int k = 0; k < s->dst_count; k++)
                if (s->dst[k] >= 0) {
                    c->ready[s->dst[k]] = c->now + latency_of(s, profile);
                    c->from_memory[s->dst[k]] = (char)global;
                }
        }
        c->now += !(s->flags & FLAG_QUIET);
    }
    /* what is still under way is waited for in the block that follows */
    for (int i = 0; i < c->slots; i++)
        if (c->from_memory[i])
            out->waits += wait_for(c, i);
    out->clocks = c->now;
}

void chain_blocks(const struct sim_kernel *k, const struct model_profile *profile, struct chain *out)
{
    const struct ptx_program *p = k->program;
    struct clock c = {.slots = (int)p->slot_count};
    c.ready = xcalloc(p->slot_count, sizeof *c.ready);
    c.from_memory = xcalloc(p->slot_count, 1);
    for (size_t b = 0; b < p->block_count; b++) {
        out[b] = (struct chain){0};
        one_block(p, &p->blocks[b], profile, &c, &out[b]);
    }
    free(c.ready);
    free(c.from_memory);
}
