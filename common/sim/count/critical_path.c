/* critical_path.c - the critical path of a basic block: the clocks that one warp alone would take.
 *
 *     ld a --┐
 *     ld b --┴- fma -- fma ...       both loads are in flight together: the path holds one of them
 *
 * ptxas moves loads before the first use of any of them. So the path follows the dependences; it
 * follows the PTX's order only where registers are scarce (in_order). A block takes at least one
 * clock per instruction. */
#include "ptxas/ptxas.h"
#include "sim/count/count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Additional clocks until an SFU result is available: about 18 after issue, instead of 4 for an ALU
 * result. */
enum { SFU_EXTRA = 14 };
/* Passes through the data banks beyond the first, as a mean over all requests of the step. */
static double further_passes(const struct ptx_step *s, const struct sim_step_counts *c)
{
    double passes = (double)(s->space == SPACE_SHARED ? c->wavefronts : c->passes);
    return passes > (double)c->requests ? passes / (double)c->requests - 1 : 0;
}

/* Clocks from issue to result. A load from memory is assumed to hit the L1; wait_clocks adds the
 * misses. An atomic whose result is used is treated as a load from the L2 (on an H100, a chain of
 * dependent atomics took 387 clocks each; latency_l2, measured on an H200, is 280). FP64 is slow if
 * there are fewer than half as many FP64 lanes as FP32 lanes. */
static double latency_of(
    const struct ptx_step *s, const struct sim_step_counts *c, const struct model_profile *p)
{
    struct ptxas_instructions n = ptxas_instructions(s);
    /* the latency of a barrier is added by so_far */
    if (s->flags & FLAG_FUSED || s->op == OP_BAR) return 0;
    switch (ptx_ops[s->op].class) {
    case CLASS_SFU: /* with a branch, three of the instructions belong to it */
        return p->latency_alu * (n.all - 3 * n.branches) + SFU_EXTRA +
               n.branches * p->latency_branch;
    case CLASS_CONVERT:
        return p->latency_alu + (model_has(p, FEATURE_SPECIAL_CONVERSIONS) ? SFU_EXTRA : 0);
    case CLASS_FP64: return p->latency_alu * (p->fp64_lanes * 2 < p->fp32_lanes ? 8 : 2);
    case CLASS_TENSOR:
        if (s->op == OP_WGMMA && p->tensor_rate > 0) return counters_wgmma(s) / p->tensor_rate;
        return p->latency_alu * 8; /* about 33 clocks for m16n8k16 on 9.0 */
    case CLASS_MEM:
        if (s->space == SPACE_PARAM) return p->latency_alu;
        if (s->op == OP_ATOM && s->space == SPACE_GLOBAL) return s->dst[0] >= 0 ? p->latency_l2 : 0;
        return (s->space == SPACE_SHARED ? p->latency_shared : p->latency_l1) +
               further_passes(s, c) * p->latency_pass;
    default: return p->latency_alu * n.all;
    }
}

/* The longest chain of dependent steps up to a value: clocks since the basic block began, and the
 * number of loads in it. */
struct path {
    double clocks;
    int loads;
};

/* Keep the longer of two paths. */
static void follow(struct path *at, const struct path *source)
{
    if (source->clocks > at->clocks) *at = *source;
}

/* The longest path among the inputs of a step: its sources, its guard, and the values that a store
 * writes. */
static struct path inputs(
    const struct ptx_step *s, const struct path *value, const struct path *waited)
{
    struct path at = *waited;
    for (int k = 0; k < s->src_count; k++)
        if (s->src[k].kind == SRC_REG) follow(&at, &value[s->src[k].reg]);
    for (int k = 0; k < s->more_count; k++) follow(&at, &value[s->more[k]]);
    if (s->guard >= 0) follow(&at, &value[s->guard]);
    for (int k = 0; s->op == OP_ST && k < s->dst_count; k++) follow(&at, &value[s->dst[k]]);
    return at;
}

/* The waits of a basic block. Loads at the same depth of the dependence chain are in flight
 * together, and the warp waits for the last of them, so one miss is enough. at[i] describes the
 * loads at depth i + 1. in_l1, in_l2: the probability that all of these hit the L1, the L2. apart:
 * the probability that no other warp of the block waits for the same sectors. */
struct waits {
    struct wait {
        double in_l1, in_l2, apart;
    } * at;
    int count;
};

/* Add a load at depth "at" (from 1) of the dependence chain. Hits of different loads are assumed
 * independent, so their probabilities multiply. */
static void add_load(struct waits *w, int at, const struct sim_step_counts *c, double l2_miss)
{
    double late = c->followed ? (double)c->late / (double)c->followed : 0;
    double together = c->followed ? (double)c->together / (double)c->followed : 0;
    while (w->count < at) w->at[w->count++] = (struct wait){1, 1, 1};
    w->at[at - 1].apart *= together < 1 ? 1 - together : 0;
    w->at[at - 1].in_l1 *= 1 - late;
    w->at[at - 1].in_l2 *= 1 - late * l2_miss;
}

/* The expected clocks, in addition to L1 hits, along a chain of this many dependent loads. */
static double wait_clocks(const struct waits *w, int loads, const struct model_profile *p)
{
    double clocks = 0;
    for (int i = 0; i < loads; i++)
        clocks += (1 - w->at[i].in_l1) * (p->latency_l2 - p->latency_l1) +
                  (1 - w->at[i].in_l2) * (p->latency_dram - p->latency_l2);
    return clocks;
}

/* Is the step a load that goes through the L1 and can miss? */
static int is_load(const struct ptx_step *s)
{
    return s->op == OP_CPASYNC ||
           (s->op == OP_LD &&
               (s->space == SPACE_GLOBAL || s->space == SPACE_GENERIC || s->space == SPACE_LOCAL));
}

/* The number of groups of asynchronous copies that a wait leaves in flight; -1: the step is no such
 * wait, or the number is not known. */
static int wait_leaves(const struct ptx_step *s)
{
    if (s->op != OP_CPGROUP) return -1;
    if (s->detail == CPGROUP_WAIT_ALL) return 0;
    return s->detail == CPGROUP_WAIT && s->src[0].kind == SRC_IMM ? (int)s->src[0].imm : -1;
}

/* The analysis of one basic block (or of several joined ones). The inputs come first, then working
 * state. */
struct code {
    const struct ptx_program *program;
    const struct model_profile *profile;
    const struct sim_step_counts *steps;
    double l2_miss;
    struct path copied; /* path until the last asynchronous copy has arrived */
    double engine; /* waits for the copy engine. engine: their clocks; engine_waits: their number */
    double engine_waits;
    int asks; /* how many of the code blocks that form this path have loads */
    int met;  /* number of waits for other warps at an mbarrier */
    /* Later steps cannot start before this: set by a wait for all copies, or by a step that
     * contains a branch. */
    struct path waited;
    /* for each memory space: the path until the last store to it */
    struct path stored[SPACE_PARAM + 1];
    /* groups of asynchronous copies. groups: how many were committed in this block; leaves: how
     * many of them the block's wait leaves in flight, -1: there is no wait */
    int groups, leaves;
    struct path *value; /* path until each virtual register is available */
    struct waits waits;
    struct path longest, issue;
    int issued; /* number of instructions issued */
    double end; /* latency of the branch or barrier at the end */
    /* 1: steps that depend on no load are issued in PTX order */
    int in_order;
};

/* A wait at an mbarrier. All warps that wait there continue together. If the wait is for the copy
 * engine while several copies are in flight, the wait takes only part of the latency. */
static void add_engine(struct code *c, const struct ptx_step *s, const struct sim_step_counts *n)
{
    const struct model_profile *p = c->profile;
    if (s->detail != MBARRIER_WAIT && s->detail != MBARRIER_PARITY) return;
    if (!n->waits) c->met++;
    if (!n->waits || !n->requests) return;
    double often = (double)n->waits / (double)n->requests,
           ahead = (double)n->ahead / (double)n->waits;
    c->engine += often / ahead * (p->latency_l2 + c->l2_miss * (p->latency_dram - p->latency_l2));
    c->engine_waits += often;
}

/* The clocks that a loop with this block as its body spends waiting for copies in flight. A wait
 * that leaves n groups in flight gives each copy the time of n + 1 groups:
 *
 *      copy 1 |=============|          n = 2: three copies in the time of one
 *      copy 2     |=============|
 *      copy 3         |=============| */
static double ring_clocks(const struct code *c)
{
    double whole = c->copied.clocks + wait_clocks(&c->waits, c->copied.loads, c->profile);
    return c->leaves >= 0 ? c->groups * whole / (c->leaves + 1) : 0;
}

/* Follow the groups of asynchronous copies. at: the path to this step, which is extended if the
 * step waits for copies. */
static void follow_groups(struct code *c, const struct ptx_step *s, struct path *at)
{
    int leaves = wait_leaves(s);
    c->groups += s->op == OP_CPGROUP && s->detail == CPGROUP_COMMIT;
    c->leaves = leaves > c->leaves ? leaves : c->leaves;
    if (leaves) return;
    follow(&c->waited, &c->copied);
    follow(at, &c->copied);
}

/* Reset the state at the start of a code block. The warp, which issues in order, is assumed to have
 * waited there for all earlier results. */
static void begin(struct code *c)
{
    memset(c->value, 0, c->program->vreg_count * sizeof *c->value);
    c->waits.count = 0;
    memset(c->stored, 0, sizeof c->stored);
    c->copied = c->waited = c->longest = c->issue = (struct path){0};
    c->engine = c->engine_waits = 0;
    c->groups = c->issued = c->met = c->asks = 0;
    c->leaves = -1;
}

/* 1. For each step, take the longest path of its inputs and add its latency. Stores and steps that
 * the simulator added take no time.
 * 2. The longest path of all steps is the critical path; it takes at least the clocks to issue all
 *    of them. */
static void follow_block(struct code *c, const struct ptx_block *b)
{
    const struct ptx_program *p = c->program;
    int loads = 0;
    for (int i = b->first; i < b->first + b->count; i++) {
        const struct ptx_step *s = &p->steps[i];
        loads |= is_load(s);
        struct path at = inputs(s, c->value, &c->waited);
        if (s->flags & FLAG_UNUSED) continue;
        /* A load is not moved before an earlier store that may have written the same bytes, so the
         * load also depends on what that store depends on. */
        struct path *stored = &c->stored[s->space];
        if (s->op == OP_ST) follow(stored, &at);
        if (s->op == OP_LD && !(s->flags & FLAG_READONLY)) follow(&at, stored);
        if (c->in_order && !at.loads && !is_load(s) &&
            !(s->flags & (FLAGS_UNCOUNTED | FLAG_FUSED))) {
            follow(&c->issue, &at), at = c->issue;
            c->issue.clocks += ptxas_instructions(s).all;
        }
        if (s->op == OP_MBARRIER) add_engine(c, s, &c->steps[i]);
        if (is_load(s)) add_load(&c->waits, ++at.loads, &c->steps[i], c->l2_miss);
        if (!(s->flags & FLAG_QUIET)) {
            at.clocks += s->op == OP_ST ? 0 : latency_of(s, &c->steps[i], c->profile);
            c->issued += ptxas_instructions(s).all;
        }
        if (s->op == OP_CPASYNC) {
            follow(&c->copied, &at);
            continue;
        }
        follow_groups(c, s, &at);
        if (ptxas_instructions(s).branches) follow(&c->waited, &at);
        follow(&c->longest, &at);
        for (int k = 0; s->op != OP_ST && k < s->dst_count; k++)
            if (s->dst[k] >= 0) c->value[s->dst[k]] = at;
        for (int k = 0; k < ptx_updates(s); k++) c->value[s->more[k]] = at;
        if (s->dst_pair >= 0) c->value[s->dst_pair] = at;
    }
    c->asks += loads;
    const struct ptx_step *last = b->count > 0 ? &p->steps[b->first + b->count - 1] : NULL;
    c->end = b->end == END_BARRIER ? c->profile->latency_barrier : 0;
    if (last && last->op == OP_BRA && !(last->flags & FLAG_QUIET))
        c->end = c->profile->latency_branch;
}

/* The critical path of the code followed so far. Instructions issue in order, so the branch or
 * barrier at the end comes after the longest path. The latency of that branch or barrier is added,
 * and the expected clocks of misses along the path. */
static struct critical_path so_far(const struct code *c)
{
    double clocks = (c->longest.clocks > c->issued ? c->longest.clocks : c->issued) + c->end;
    double late = wait_clocks(&c->waits, c->longest.loads, c->profile);
    double whole = fmax(clocks + late + c->engine, ring_clocks(c));
    double waits = c->longest.loads + c->engine_waits + c->met, together = c->met;
    /* adds the probability that another warp shares the wait */
    for (int i = 0; i < c->longest.loads; i++) together += 1 - c->waits.at[i].apart;
    return (struct critical_path){whole, waits, fmax(waits, c->asks), together,
        late + c->engine + (double)c->longest.loads * c->profile->latency_l1, 0};
}

/* Does block b wait for asynchronous copies, and then branch over block `over`, which starts others?
 * A loop with these blocks is a ring whose copies are in flight from one run to a later one. */
static int is_ring(const struct ptx_program *p, int b, int over)
{
    const struct ptx_block *from = &p->blocks[b], *to = over < 0 ? NULL : &p->blocks[over];
    int after[2], waits = 0, copies = 0;
    if (!to || from->end != END_BRANCH || over == from->target ||
        ptx_successors(p, over, after) != 1 || after[0] != from->target)
        return 0;
    for (int i = from->first; i < from->first + from->count; i++)
        waits |= wait_leaves(&p->steps[i]) >= 0;
    for (int i = to->first; i < to->first + to->count; i++) copies |= p->steps[i].op == OP_CPASYNC;
    return waits && copies;
}

/* Computes the path of every basic block. The loads of a block that became predicated instructions
 * are in flight together with those before and after it, so the three blocks form one path; so do
 * those of a ring. If most warps jump over the block, it delays none of them. */
static void path_of_blocks(const struct sim_kernel *k, const struct model_profile *profile,
    const struct sim_step_counts *steps, const uint64_t *block_warps, double l2_miss,
    struct critical_path *out)
{
    const struct ptx_program *p = k->program;
    struct code c = {.program = p, .profile = profile, .steps = steps, .l2_miss = l2_miss};
    c.value = xcalloc(p->vreg_count, sizeof *c.value);
    c.waits.at = xcalloc(p->step_count + 1, sizeof *c.waits.at);
    char *done = xcalloc(p->block_count, 1);
    /* If the kernel has more registers than would let all warps be resident, ptxas saves registers
     * and moves less code; but it does not do so around mma. */
    c.in_order = model_has(profile, FEATURE_SAVED_REGISTERS) &&
                 p->registers * profile->max_threads > profile->registers;
    for (size_t i = 0; i < p->step_count; i++)
        c.in_order &= ptx_ops[p->steps[i].op].class != CLASS_TENSOR;
    for (int b = 0; b < (int)p->block_count; b++) {
        struct critical_path before = {0};
        if (done[b]) continue;
        begin(&c);
        for (int at = b;; at = p->blocks[at].target) {
            int over = p->blocks[at].next, guarded = over >= 0 && p->blocks[over].guarded_by == at;
            int more = guarded || is_ring(p, at, over);
            follow_block(&c, &p->blocks[at]);
            if (more && block_warps[over] * 2 >= block_warps[at])
                follow_block(&c, &p->blocks[over]);
            if (guarded) c.end = 0;
            struct critical_path now = so_far(&c);
            out[at] = (struct critical_path){now.clocks - before.clocks, now.waits - before.waits,
                now.asks - before.asks, now.together - before.together,
                now.waiting - before.waiting, 0};
            if (!more) break;
            done[over] = done[p->blocks[at].target] = 1;
            before = now;
        }
    }
    free(done);
    free(c.value);
    free(c.waits.at);
}

/* Can a warp reach a load from the end of a basic block before the next barrier? seen: visited
 * blocks, one byte each, initially all 0. */
static int leads_to_load(const struct ptx_program *p, int block, char *seen)
{
    int to[2], found = 0;
    for (int k = ptx_successors(p, block, to); k-- > 0 && !found;) {
        if (to[k] >= (int)p->block_count || seen[to[k]]++) continue;
        const struct ptx_block *b = &p->blocks[to[k]];
        for (int i = b->first; i < b->first + b->count && !found; i++)
            found = is_load(&p->steps[i]);
        if (!found && b->end != END_BARRIER) found = leads_to_load(p, to[k], seen);
    }
    return found;
}

struct critical_path critical_path_launch(const struct launch *l,
    const struct sim_step_counts *steps, const uint64_t *block_warps, double l2_miss)
{
    const struct ptx_program *p = l->kernel->program;
    struct critical_path *path = xcalloc(p->block_count, sizeof *path), sum = {0};
    double each = l->longest / ((double)l->blocks * l->block_warps);
    char *seen = xcalloc(p->block_count, 1);
    path_of_blocks(l->kernel, l->profile, steps, block_warps, l2_miss, path);
    for (size_t b = 0; b < p->block_count; b++) {
        double often = (double)block_warps[b] * each;
        sum.clocks += often * path[b].clocks;
        sum.waits += often * path[b].waits;
        sum.asks += often * path[b].asks;
        sum.together += often * path[b].together;
        sum.waiting += often * path[b].waiting;
        if (p->blocks[b].end != END_BARRIER) continue;
        memset(seen, 0, p->block_count);
        if (leads_to_load(p, (int)b, seen)) sum.ready += often;
    }
    sum.ready = fmin(sum.ready, sum.waits);
    sum.together = fmax(sum.together, sum.ready);
    free(seen);
    free(path);
    return sum;
}
