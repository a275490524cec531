/* targets.c - which buffers a kernel may write, found from its code alone.
 *
 *     ld.param c --> %rd1 --> add --> %rd7 --> st.global [%rd7]      the store's address comes from c
 *     ld.param a --> %rd2 --> add --> %rd8 --> ld.global [%rd8]      no store's address comes from a
 *
 * In this example, race detection can ignore reads of a. This is a forward data-flow analysis. Each
 * register has a set of origins: the parameters and variables whose value may have reached it. The
 * sets flow along the edges of the control-flow graph until nothing changes. Local memory and
 * shared memory have one set each, to which every store adds. A pointer loaded from global memory
 * may point anywhere. */
#include "sim/machine.h"

#include <stdlib.h>
#include <string.h>

/* A set of origins is 64 bits: bit i stands for flow.list[i], bit 63 for any buffer at all. */
#define ANYWHERE ((uint64_t)1 << 63)
/* The most that is analysed: registers times basic blocks. A larger kernel is assumed to write
 * anywhere. */
enum { LARGEST = 1 << 22 };

/* The state of the analysis. The sets in at, local, shared and written only grow, so the analysis
 * ends. */
struct flow {
    const struct ptx_program *p;
    const uint64_t *variables;
    struct target list[TARGETS_MAX];
    int count;
    /* for each basic block: the origins of each virtual register at the start of the block */
    uint64_t *at;
    uint64_t *now;          /* for each virtual register: its origins at the current step */
    uint64_t local, shared; /* origins of all values stored to local and to shared memory */
    uint64_t written;       /* origins of all addresses of stores and atomics to global memory */
    int changed;
};

/* The bit of an origin, which is added to the list if it is new; if the list is full, ANYWHERE. */
static uint64_t origin(struct flow *f, int is_param, uint64_t value)
{
    for (int i = 0; i < f->count; i++)
        if (f->list[i].is_param == is_param && f->list[i].value == value) return (uint64_t)1 << i;
    if (f->count == TARGETS_MAX) return ANYWHERE;
    f->list[f->count] = (struct target){is_param, value};
    return (uint64_t)1 << f->count++;
}

/* The origins of an operand. Only registers and the addresses of global variables have any. */
static uint64_t origins(struct flow *f, const struct ptx_src *s)
{
    const struct ptx_object *o;
    switch (s->kind) {
    case SRC_REG: return f->now[s->reg];
    case SRC_ADDRESS:
        o = &f->p->objects[s->reg];
        return o->space == SPACE_GLOBAL ? origin(f, 0, f->variables[o->var - f->p->module->vars])
                                        : 0;
    default: return 0;
    }
}

static void add(struct flow *f, uint64_t *set, uint64_t more)
{
    f->changed |= (more & ~*set) != 0;
    *set |= more;
}

/* The origins of the e-th element of a load. Only 8-byte elements that are not floats can hold a
 * pointer. */
static uint64_t loaded(struct flow *f, const struct ptx_step *s, int e)
{
    const struct ptx_src *a = &s->src[0];
    uint64_t at = a->imm + (uint64_t)s->offset + 8 * (uint64_t)e;
    if (ptx_type_bytes(s->type) != 8 || s->type == PTX_F64) return 0;
    switch (s->space) {
    case SPACE_PARAM:
        if (a->kind == SRC_REG) return ANYWHERE;
        return origin(f, 1, at + (a->kind == SRC_ADDRESS ? f->p->objects[a->reg].offset : 0));
    case SPACE_LOCAL: return f->local;
    case SPACE_SHARED: return f->shared;
    default: return ANYWHERE;
    }
}

/* Apply one step to the sets. A store or an atomic adds its address to written, and its values to
 * the memory that it writes. Other results take the union of their sources. A guarded step may not
 * execute, so its results keep their old origins too. */
static void follow(struct flow *f, const struct ptx_step *s)
{
    uint64_t from = 0;
    for (int i = 0; i < s->src_count; i++) from |= origins(f, &s->src[i]);
    if (s->op == OP_CPASYNC || s->op == OP_BULK) add(f, &f->shared, ANYWHERE);
    if (s->op == OP_BULK && s->detail2 == BULK_STORE)
        add(f, &f->written, s->detail ? ANYWHERE : origins(f, &s->src[1]));
    if (s->op == OP_ST || s->op == OP_ATOM) {
        int generic = s->space == SPACE_GENERIC;
        if (s->space == SPACE_GLOBAL || generic) add(f, &f->written, origins(f, &s->src[0]));
        for (int i = 0; s->op == OP_ST && i < s->dst_count; i++) from |= f->now[s->dst[i]];
        if (s->space == SPACE_LOCAL || generic) add(f, &f->local, from);
        if (s->space == SPACE_SHARED || generic) add(f, &f->shared, from);
        if (s->op == OP_ST) return;
    }
    for (int i = 0; i < s->dst_count; i++) {
        if (s->dst[i] < 0) continue;
        uint64_t set = s->op == OP_LD || s->op == OP_ATOM ? loaded(f, s, i) : from;
        if (f->p->vregs[s->dst[i]].type == PTX_PRED) set = 0;
        f->now[s->dst[i]] = s->guard >= 0 ? f->now[s->dst[i]] | set : set;
    }
}

/* Apply a basic block to the sets, then add the result to the start of its successors. */
static void follow_block(struct flow *f, size_t b)
{
    const struct ptx_program *p = f->p;
    const struct ptx_block *x = &p->blocks[b];
    memcpy(f->now, f->at + b * p->vreg_count, p->vreg_count * sizeof *f->now);
    for (int i = 0; i < x->count; i++) follow(f, &p->steps[x->first + i]);
    int to[2] = {x->next, x->target};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; to[k] >= 0 && i < p->vreg_count; i++)
            add(f, &f->at[(size_t)to[k] * p->vreg_count + i], f->now[i]);
}

void targets_find(const struct ptx_program *p, const uint64_t *variables, struct targets *out)
{
    struct flow f = {.p = p, .variables = variables, .changed = 1};
    *out = (struct targets){.any = 1};
    if (p->vreg_count * p->block_count > LARGEST) return;
    f.at = xcalloc(p->vreg_count * p->block_count + 1, sizeof *f.at);
    f.now = xcalloc(p->vreg_count + 1, sizeof *f.now);
    while (f.changed) {
        f.changed = 0;
        for (size_t b = 0; b < p->block_count; b++) follow_block(&f, b);
    }
    out->any = f.written >> 63;
    for (int i = 0; i < f.count; i++)
        if (f.written >> i & 1) out->list[out->count++] = f.list[i];
    free(f.at);
    free(f.now);
}
