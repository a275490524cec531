/* counters.c - computes metrics from the counts of every step, and the work that is the input of
 * the time model.
 *
 *     struct sim_step_counts --┬-> metrics of each source line
 *     (one for each step)      └-> metrics of the launch, struct model_work -- model_time --> time
 *
 * Metrics have the names that ncu and nvprof print (model/metrics.h). A sum that nothing
 * contributed to is 0 for the launch, because it was counted, and NAN for a line. */
#include "ptxas/ptxas.h"
#include "sim/count/count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pointer to a metric, for adding to the metric. NAN, which means that nothing was added yet, is
 * replaced by 0. */
static double *at(struct metrics *m, enum metric id)
{
    if (m->v[id] != m->v[id]) m->v[id] = 0;
    return &m->v[id];
}

/* Sums over all steps of a launch, in addition to the metrics. */
struct totals {
    struct model_work work;
    double lanes;           /* number of instructions, summed over active threads */
    double wavefront_bytes; /* bytes that the banks of shared memory deliver in one wavefront */
    double bulk_stored;     /* sectors that the copy engine stores to global memory */
    /* bytes that memory transactions read (loaded) and wrote (stored); atomics count in both */
    double loaded, stored;
};

/* Add the metrics of an access to global memory. words counts each address once per warp, so it
 * gives the bytes that the program requested; moved is the number of bytes of the transactions. For
 * a generic access, c is its global part. */
/* Does the instruction touch more than 1.5 times the bytes that its threads load? Threads that load one
 * word count each, so a broadcast is not scattered. */
static int scattered(const struct ptx_step *s, const struct sim_step_counts *c)
{
    unsigned each =
        s->merged_bytes ? s->merged_bytes : ptx_type_bytes(s->type) * (unsigned)s->vector;
    return 2 * c->moved > 3 * each * c->accesses;
}

static void add_global(struct metrics *m, const struct ptx_step *s, const struct sim_step_counts *c)
{
    double bytes = (double)c->words * ptx_type_bytes(s->type) * s->vector;
    if (s->flags & FLAG_TEXEL) {
        *at(m, METRIC_TEX_REQUESTS) += (double)c->requests;
        *at(m, METRIC_TEX_SECTORS) += (double)c->sectors;
        return;
    }
    if (s->op == OP_ATOM) {
        *at(m, METRIC_GATOM_REQUESTS) += (double)c->requests;
        *at(m, METRIC_GATOM_SECTORS) += (double)c->turns;
        return;
    }
    int st = s->op == OP_ST;
    *at(m, st ? METRIC_GST_REQUESTS : METRIC_GLD_REQUESTS) += (double)c->requests;
    *at(m, st ? METRIC_GST_SECTORS : METRIC_GLD_SECTORS) += (double)c->sectors;
    *at(m, st ? METRIC_GST_BYTES : METRIC_GLD_BYTES) += bytes;
    *at(m, st ? METRIC_GST_MOVED : METRIC_GLD_MOVED) += (double)c->moved;
    if (!st && scattered(s, c)) {
        *at(m, METRIC_GLD_SCATTERED_REQUESTS) += (double)c->requests;
        *at(m, METRIC_GLD_SCATTERED_SECTORS) += (double)c->sectors;
    }
    if (!(s->flags & FLAG_READONLY)) return;
    *at(m, METRIC_GLD_READONLY) += (double)c->requests;
    *at(m, METRIC_GLD_READONLY_SECTORS) += (double)c->sectors;
}

/* Add the metrics of an access to shared memory. A load that was merged with others counts with the
 * merged width. */
static void add_shared(struct metrics *m, const struct totals *t, const struct ptx_step *s,
    const struct sim_step_counts *c)
{
    unsigned width =
        s->merged_bytes ? s->merged_bytes : ptx_type_bytes(s->type) * (unsigned)s->vector;
    int ld = s->op == OP_LD || s->op == OP_LDMATRIX;
    if (s->op == OP_ATOM) {
        *at(m, METRIC_SATOM_INST) += (double)c->requests;
        return;
    }
    *at(m, s->op == OP_LDMATRIX ? METRIC_LDSM_INST
           : ld                 ? METRIC_SLD_INST
                                : METRIC_SST_INST) += (double)c->requests;
    *at(m, ld ? METRIC_SLD_WAVEFRONTS : METRIC_SST_WAVEFRONTS) += (double)c->wavefronts;
    *at(m, ld ? METRIC_SLD_CONFLICTS : METRIC_SST_CONFLICTS) += (double)c->conflicts;
    if (s->op == OP_LDMATRIX) return;
    *at(m, ld ? METRIC_SLD_BYTES : METRIC_SST_BYTES) += (double)c->words * width;
    *at(m, ld ? METRIC_SLD_IDLE : METRIC_SST_IDLE) +=
        32.0 * (double)c->requests - (double)c->accesses;
    *at(m, METRIC_SHARED_MOVED) += (double)c->wavefronts * t->wavefront_bytes;
}

/* An estimate of the stored sectors that were not written whole. It assumes that each sector is
 * written either whole (32 bytes) or by one lane (width bytes); the numbers of sectors and bytes
 * then give the share of each. */
static double partial_sectors(const struct ptx_step *s, const struct sim_step_counts *c)
{
    double width = ptx_type_bytes(s->type) * s->vector, bytes = (double)c->accesses * width;
    double partial = (32.0 * (double)c->sectors - bytes) / (32 - width);
    return partial < 0 ? 0 : partial < (double)c->sectors ? partial : (double)c->sectors;
}

/* Add the L1 work of an access. replays: tag look-ups beyond one per request. */
static void add_passes(struct model_work *w, const struct sim_step_counts *c)
{
    w->tags += (double)c->tags;
    w->replays += c->tags > c->requests ? (double)(c->tags - c->requests) : 0;
    w->global_wavefronts += (double)c->passes;
}

/* Add the work of global accesses: work in the L1, partial writes in the L2, and atomics. */
static void add_global_work(
    struct totals *t, const struct ptx_step *s, const struct sim_step_counts *c)
{
    add_passes(&t->work, c);
    if (s->op == OP_ST && c->sectors) {
        double partial = partial_sectors(s, c);
        t->work.l2_partial += partial;
        t->work.l2_partial_lines += partial * (double)c->tags / (double)c->sectors;
    }
    if (s->op != OP_ATOM) return;
    t->work.atomics += (double)c->accesses;
    t->work.atomic_sectors += (double)c->turns;
    t->work.atomic_lines += (double)c->tags;
}

/* An asynchronous copy is counted as a global load as well. */
static void add_copy(
    struct metrics *m, struct totals *t, const struct ptx_step *s, const struct sim_step_counts *c)
{
    add_global(m, s, c);
    *at(m, METRIC_GLD_THREADS) += (double)c->accesses;
    *at(m, METRIC_LDGSTS_INST) += (double)c->requests;
    *at(m, METRIC_LDGSTS_SECTORS) += (double)c->sectors;
    *at(m, METRIC_LDGSTS_BYTES) += (double)c->words * ptx_type_bytes(s->type) * s->vector;
    *at(m, METRIC_LDGSTS_WAVEFRONTS) += (double)c->wavefronts;
    *at(m, METRIC_LDGSTS_CONFLICTS) += (double)c->conflicts;
    t->work.lsu += (double)c->requests;
    t->work.shared_wavefronts += (double)c->wavefronts;
    t->work.shared_conflicts += (double)c->conflicts;
    t->loaded += (double)c->moved;
    add_global_work(t, s, c);
}

/* A copy by the copy engine (TMA). Such a copy takes no issue slots of the load/store units, but
 * occupies shared memory for one clock per 128 bytes. */
static void add_bulk(
    struct metrics *m, struct totals *t, const struct ptx_step *s, const struct sim_step_counts *c)
{
    int store = s->detail2 == BULK_STORE;
    *at(m, store ? METRIC_BULK_ST_INST : METRIC_BULK_LD_INST) += (double)c->requests;
    *at(m, store ? METRIC_BULK_ST_BYTES : METRIC_BULK_LD_BYTES) += (double)c->moved;
    *at(m, store ? METRIC_BULK_ST_SECTORS : METRIC_BULK_LD_SECTORS) += (double)c->sectors;
    t->work.shared_wavefronts += (double)c->moved / 128;
    if (store) t->bulk_stored += (double)c->sectors;
}

/* A matrix product (mma). Relative to half precision, TF32 takes twice as long, 8-bit integers half
 * as long; time.c has FP64. */
static void add_product(struct metrics *m, struct totals *t, const struct ptx_step *s, double warps)
{
    const struct ptx_mma *p = &ptx_mma[s->detail];
    double work = (double)p->m * p->n * p->k * warps;
    int integers = p->ab == NUMBER_INT8;
    *at(m, integers ? METRIC_IMMA : p->ab == NUMBER_F64 ? METRIC_DMMA : METRIC_HMMA) += warps;
    if (!integers) *at(m, METRIC_TENSOR_FLOP) += 2 * work;
    if (p->ab == NUMBER_F64) {
        t->work.tensor_doubles += work;
        return;
    }
    work *= integers ? 0.5 : p->ab == NUMBER_TF32 ? 2 : 1;
    t->work.tensor += work;
    if (integers || p->cd == NUMBER_F16) t->work.tensor_halves += work;
}

/* A warpgroup's product is counted by each of its warps. Its cost is scaled because wgmma takes 4
 * clocks where mma.sync takes 6 (profiles.c). */
double counters_wgmma(const struct ptx_step *s)
{
    const struct ptx_wgmma *p = &ptx_wgmma[s->detail];
    return 64.0 * (s->detail2 & WGMMA_N) * p->k * (p->ab == NUMBER_TF32 ? 2 : 1) * 4 / 6;
}

static void add_group_product(
    struct metrics *m, struct totals *t, const struct ptx_step *s, double warps)
{
    int n = s->detail2 & WGMMA_N, k = ptx_wgmma[s->detail].k;
    *at(m, METRIC_HMMA) += warps;
    *at(m, METRIC_GMMA) += warps;
    *at(m, METRIC_TENSOR_FLOP) += 2.0 * 16 * n * k * warps;
    t->work.tensor += counters_wgmma(s) / 4 * warps;
    /* matrix B, of 32 bytes per column, is read from shared memory once for all four warps */
    t->work.shared_wavefronts += n * 32.0 / 128 / 4 * warps;
}

/* A generic access is split into its shared, local and global parts, by the space that each lane
 * accessed. */
static void add_generic(
    struct metrics *m, struct totals *t, const struct ptx_step *s, const struct sim_step_counts *c)
{
    struct sim_step_counts shared = *c, global = *c;
    shared.requests = c->shared.requests;
    shared.accesses = c->shared.accesses;
    shared.words = c->shared.words;
    global.requests -= c->shared.requests + c->local.requests;
    global.accesses -= c->shared.accesses + c->local.accesses;
    global.words -= c->shared.words + c->local.words;
    if (shared.requests) add_shared(m, t, s, &shared);
    if (c->local.requests)
        *at(m, s->op == OP_LD ? METRIC_LOCAL_LD : METRIC_LOCAL_ST) += (double)c->local.requests;
    if (global.requests) add_global(m, s, &global);
    *at(m, METRIC_MIXED_REQUESTS) += (double)c->mixed;
    *at(m, METRIC_MIXED_SECTORS) += (double)c->mixed_sectors;
    t->work.shared_wavefronts += (double)c->wavefronts;
    t->work.shared_conflicts += (double)c->conflicts;
    add_global_work(t, s, &global);
}

/* Add metrics and work of one load, store or atomic, according to its space. */
static void add_memory(
    struct metrics *m, struct totals *t, const struct ptx_step *s, const struct sim_step_counts *c)
{
    int constant = s->space == SPACE_CONST || s->space == SPACE_PARAM;
    /* a warp without an active lane takes one pass per request */
    double idle = constant ? 0 : (double)c->jumped;
    *(constant ? &t->work.constants : &t->work.lsu) +=
        idle + (s->space == SPACE_PARAM    ? (double)c->warps
                   : s->flags & FLAG_FUSED ? 0
                                           : (double)c->requests);
    *(s->space == SPACE_SHARED ? &t->work.shared_wavefronts : &t->work.global_wavefronts) += idle;
    if (!c->requests) return;
    if (s->op != OP_ST) t->loaded += (double)c->moved;
    if (s->op != OP_LD) t->stored += (double)c->moved;
    if ((s->space == SPACE_GLOBAL || s->space == SPACE_GENERIC) && !(s->flags & FLAG_TEXEL))
        *at(m, s->op == OP_LD   ? METRIC_GLD_THREADS
               : s->op == OP_ST ? METRIC_GST_THREADS
                                : METRIC_GATOM_THREADS) += (double)c->accesses;
    switch (s->space) {
    case SPACE_CONST:
        *at(m, METRIC_CONST_REQUESTS) += (double)c->requests;
        *at(m, METRIC_CONST_WORDS) += (double)c->wavefronts;
        break;
    case SPACE_LOCAL:
        *at(m, s->op == OP_LD ? METRIC_LOCAL_LD : METRIC_LOCAL_ST) += (double)c->requests;
        add_passes(&t->work, c);
        break;
    case SPACE_SHARED:
        add_shared(m, t, s, c);
        t->work.shared_wavefronts += (double)c->wavefronts;
        t->work.shared_conflicts += (double)c->conflicts;
        break;
    case SPACE_GENERIC: add_generic(m, t, s, c); break;
    default:
        add_global(m, s, c);
        add_global_work(t, s, c);
        break;
    }
}

/* Maps an instruction's class to its class in nvprof's instruction mix. */
static const enum metric mix[] = {[CLASS_MOVE] = METRIC_MIX_MISC,
    [CLASS_TENSOR] = METRIC_MIX_MISC,
    [CLASS_HALF] = METRIC_MIX_FP16,
    [CLASS_FP32] = METRIC_MIX_FP32,
    [CLASS_FP64] = METRIC_MIX_FP64,
    [CLASS_INT] = METRIC_MIX_INTEGER,
    [CLASS_CONVERT] = METRIC_MIX_INTEGER,
    [CLASS_SFU] = METRIC_MIX_SPECIAL,
    [CLASS_MEM] = METRIC_MIX_MEMORY,
    [CLASS_CONTROL] = METRIC_MIX_CONTROL};

/* Count additions, multiplications and multiply-adds in 16-bit formats. A packed pair is one
 * instruction, but two operations. */
static void add_half(struct metrics *m, const struct ptx_step *s, double lanes)
{
    double numbers = ptx_ops[s->op].d == PTX_U32 ? 2 : 1, operations = 1;
    switch (s->op) {
    case OP_fma_f16:
    case OP_fma_f16x2:
    case OP_fma_bf16:
    case OP_fma_bf16x2:
        *at(m, METRIC_HFMA) += lanes;
        operations = 2;
        break;
    case OP_add_f16:
    case OP_add_f16x2:
    case OP_add_bf16:
    case OP_add_bf16x2:
    case OP_sub_f16:
    case OP_sub_f16x2:
    case OP_sub_bf16:
    case OP_sub_bf16x2: *at(m, METRIC_HADD) += lanes; break;
    case OP_mul_f16:
    case OP_mul_f16x2:
    case OP_mul_bf16:
    case OP_mul_bf16x2: *at(m, METRIC_HMUL) += lanes; break;
    default: operations = 0; break;
    }
    *at(m, METRIC_HALF_FLOP) += operations * numbers * lanes;
}

/* Add the work of the execution units, in warp instructions. n: machine instructions that a warp
 * executes for the step. */
static void add_units(
    struct model_work *w, const struct ptx_step *s, struct ptxas_instructions n, double warps)
{
    w->integer += warps * n.tests;
    w->fp32 += warps * n.floats;
    switch (ptx_ops[s->op].class) {
    case CLASS_HALF: w->fp16 += warps; break;
    case CLASS_FP32: w->fp32 += warps; break;
    case CLASS_FP64: w->fp64 += warps; break;
    case CLASS_SFU: w->sfu += warps; break;
    case CLASS_CONVERT:
        if (s->op == OP_cvt_f32_u32 || s->op == OP_cvt_f32_s32)
            w->to_float += warps;
        else
            w->convert += warps;
        break;
    case CLASS_MEM:
    case CLASS_CONTROL:
    case CLASS_TENSOR: break;
    default:
        w->integer += warps * (n.all - n.special);
        w->multiply += warps * n.products;
        w->add += warps * n.sums;
        w->bits += warps * n.special;
        break;
    }
}

static int multiplies_integers(enum ptx_op op)
{
    const char *name = ptx_ops[op].keys;
    return ptx_ops[op].class == CLASS_INT && (!strncmp(name, "mul", 3) || !strncmp(name, "mad", 3));
}

/* The operation as which a step is counted: a sum that took a product is a multiply-add. */
static enum ptx_op counted_as(const struct ptx_step *s)
{
    if (!(s->flags & FLAG_CONTRACTED)) return s->op;
    return s->type == PTX_F64 ? OP_fma_f64 : OP_fma_f32;
}

/* Add the counts of one step, unless it has no machine instruction (FLAGS_UNCOUNTED):
 *
 * 1. instructions issued and active threads,
 * 2. the metrics of its operation: flops, barriers, branches, memory,
 * 3. the instruction mix and the work of the execution units. */
static void add_step(
    struct metrics *m, struct totals *t, const struct ptx_step *s, const struct sim_step_counts *c)
{
    if (s->flags & FLAGS_UNCOUNTED) return;
    double warps = (double)c->warps, lanes = (double)c->lanes;
    struct ptxas_instructions n = ptxas_instructions(s);
    t->work.inst += (warps + (double)c->jumped) * n.all;
    t->lanes += lanes;
    *at(m, METRIC_INST) += warps;
    *at(m, METRIC_THREAD_INST) += lanes;
    switch (counted_as(s)) {
    case OP_fma_f32:
    case OP_fma_rm_f32:
    case OP_fma_rp_f32:
    case OP_fma_rz_f32: *at(m, METRIC_FFMA) += lanes; break;
    case OP_add_f32:
    case OP_add_rm_f32:
    case OP_add_rp_f32:
    case OP_add_rz_f32:
    case OP_sub_f32:
    case OP_sub_rm_f32:
    case OP_sub_rp_f32:
    case OP_sub_rz_f32: *at(m, METRIC_FADD) += lanes; break;
    case OP_mul_f32:
    case OP_mul_rm_f32:
    case OP_mul_rp_f32:
    case OP_mul_rz_f32: *at(m, METRIC_FMUL) += lanes; break;
    case OP_fma_f64: *at(m, METRIC_DFMA) += lanes; break;
    case OP_add_f64:
    case OP_sub_f64: *at(m, METRIC_DADD) += lanes; break;
    case OP_mul_f64: *at(m, METRIC_DMUL) += lanes; break;
    case OP_BAR:
    case OP_NAMED:
        *at(m, METRIC_BARRIER) += warps;
        t->work.barriers += warps;
        break;
    case OP_MBARRIER: *at(m, METRIC_MBARRIER) += warps; /* fallthrough */
    case OP_CPGROUP:
        *at(m, METRIC_LDGSTS_LED) += (double)c->led;
        *at(m, METRIC_LDGSTS_LEAD_INST) += (double)c->lead;
        *at(m, METRIC_LDGSTS_HIDDEN_INST) += (double)c->hidden;
        break;
    case OP_SHFL:
        *at(m, METRIC_SHUFFLE_THREADS) += lanes;
        *at(m, METRIC_SHUFFLE_INST) += warps;
        break;
    case OP_BRA:
        *at(m, METRIC_BRANCH) += warps;
        *at(m, METRIC_BRANCH_DIVERGENT) += (double)c->divergent;
        break;
    case OP_LD:
    case OP_ST:
    case OP_ATOM:
    case OP_LDMATRIX:
    case OP_STMATRIX: add_memory(m, t, s, c); break;
    case OP_CPASYNC: add_copy(m, t, s, c); break;
    case OP_BULK: add_bulk(m, t, s, c); break;
    case OP_MMA: add_product(m, t, s, warps); break;
    case OP_WGMMA: add_group_product(m, t, s, warps); break;
    default: break;
    }
    if (ptx_ops[s->op].traits & PTX_LSU) t->work.lsu += warps, t->work.shared_wavefronts += warps;
    if (ptx_ops[s->op].class == CLASS_HALF) add_half(m, s, lanes);
    if (multiplies_integers(s->op)) *at(m, METRIC_IMUL) += lanes;
    *at(m, mix[ptx_ops[s->op].class]) += lanes;
    add_units(&t->work, s, n, warps);
}

/* How many warps go through a basic block that became predicated instructions (ptxas/guard.c)
 * although none of their lanes executes it. */
static uint64_t jumped(const struct ptx_program *p, size_t block, const uint64_t *block_warps)
{
    int from = p->blocks[block].guarded_by;
    return from < 0 ? 0 : block_warps[from] - block_warps[block];
}

/* The entry of a source line in r->lines; the entry is added if the line has none. *cap: the
 * array's capacity. */
static struct sim_line *line_of(struct sim_result *r, size_t *cap, int line)
{
    for (size_t i = 0; i < r->line_count; i++)
        if (r->lines[i].line == line) return &r->lines[i];
    struct sim_line *l = VEC_PUSH(r->lines, r->line_count, *cap);
    l->line = line;
    model_metrics_clear(&l->metrics);
    return l;
}

static int by_line(const void *a, const void *b)
{
    return ((const struct sim_line *)a)->line - ((const struct sim_line *)b)->line;
}

/* Sets the metrics and the work of L2 and DRAM. If the GPU has no L2, every transaction goes to
 * DRAM, and the L2 metrics are not known. */
static void set_traffic(const struct model_profile *p, const struct trace_totals *caches,
    struct totals *t, struct metrics *m)
{
    double *v = m->v, stored = isnan(caches->stored) ? v[METRIC_GST_SECTORS] : caches->stored;
    if (!isnan(caches->stored)) {
        t->work.l2_partial = caches->stored_partial;
        t->work.l2_partial_lines = caches->stored_lines;
    }
    stored += t->bulk_stored;
    v[METRIC_L2_READ_SECTORS] = p->l2_bytes ? caches->l2_read_sectors : NAN;
    v[METRIC_L2_WRITE_SECTORS] = p->l2_bytes ? stored * (1 + caches->far_writes) : NAN;
    v[METRIC_DRAM_READ_BYTES] = p->l2_bytes ? caches->dram_read_bytes : t->loaded;
    v[METRIC_DRAM_WRITE_BYTES] = p->l2_bytes ? caches->dram_write_bytes : t->stored;
    t->work.dram_bytes = v[METRIC_DRAM_READ_BYTES] + v[METRIC_DRAM_WRITE_BYTES];
    if (p->l2_bytes) {
        /* atomics are not included, since their own rate covers their work in the L2 */
        t->work.l2_sectors = caches->asked_sectors + stored;
        t->work.l2_writes = stored;
        t->work.l2_requests = caches->asked_lines;
        t->work.l2_far = caches->far_reads;
        t->work.atomic_clocks = caches->atomic_clocks, t->work.atomic_waits = caches->atomic_waits;
        /* Dirty lines stay in the L2 at the end. If the L2 cannot hold all that the launch reads
         * and writes, dirty lines of an earlier launch are written back during this one instead;
         * otherwise they are overwritten in place. */
        double all = t->work.dram_bytes + caches->dirty_bytes;
        if (all > (double)p->l2_bytes) t->work.dram_bytes = all;
    } else {
        t->work.l2_partial = t->work.l2_partial_lines = 0;
    }
}

/* Sets the part of the work that follows from the launch's shape and from the mean warp's critical
 * path. */
static void set_work(const struct launch *l, const struct sim_step_counts *steps,
    const uint64_t *block_warps, const struct trace_totals *caches, struct totals *t)
{
    struct model_work *w = &t->work;
    struct critical_path path = critical_path_launch(l, steps, block_warps, caches->missed);
    double waits = 0, ahead = 0;
    for (size_t i = 0; i < l->kernel->program->step_count; i++)
        waits += (double)steps[i].waits, ahead += (double)steps[i].ahead;
    w->ahead = waits > 0 ? ahead / waits : 0;
    w->blocks = l->blocks;
    w->busiest = l->busiest;
    w->block_threads = l->block_threads;
    w->registers = l->kernel->program->registers;
    w->shared_bytes = l->shared_bytes;
    w->critical_path = path.clocks;
    /* A warp that waits for no load still has one round of latency for each of its stores and
     * atomics. */
    w->rounds = path.waits > 0 ? path.waits : w->lsu / ((double)l->blocks * l->block_warps);
    w->asks = path.waits > 0 ? path.asks : w->rounds;
    w->rounds_together = path.together;
    w->rounds_ready = path.ready;
    w->waiting = path.waiting;
}

/* Every step was executed as often as its basic block. Each step is added twice: to the launch and
 * to its source line (whose work is ignored). The caller owns r->steps and r->lines. */
void counters_sum(const struct launch *l, const struct sim_step_counts *steps,
    const uint64_t *block_warps, const uint64_t *block_lanes, const struct trace_totals *caches,
    double partition_ratio, double row_ratio, struct sim_result *r)
{
    const struct ptx_program *p = l->kernel->program;
    double wavefront_bytes = l->profile->banks * l->profile->bank_bytes;
    struct totals t = {.wavefront_bytes = wavefront_bytes},
                  ignored = {.wavefront_bytes = wavefront_bytes};
    size_t cap = 0;
    r->steps = xcalloc(p->step_count, sizeof *r->steps);
    r->step_count = p->step_count;
    memcpy(r->steps, steps, p->step_count * sizeof *steps);
    model_metrics_clear(&r->metrics);
    /* metrics that are sums become 0 instead of NAN */
    for (int i = 0; i <= METRIC_DRAM_WRITE_BYTES; i++) at(&r->metrics, (enum metric)i);
    for (size_t b = 0; b < p->block_count; b++)
        for (int i = 0; i < p->blocks[b].count; i++) {
            int s = p->blocks[b].first + i;
            r->steps[s].warps = block_warps[b];
            r->steps[s].lanes = block_lanes[b];
            r->steps[s].jumped = jumped(p, b, block_warps);
            add_step(&r->metrics, &t, &p->steps[s], &r->steps[s]);
            if (p->steps[s].loc.line > 0)
                add_step(&line_of(r, &cap, p->steps[s].loc.line)->metrics, &ignored, &p->steps[s],
                    &r->steps[s]);
        }
    for (size_t i = 0; i < r->line_count; i++) model_metrics_derive(&r->lines[i].metrics);
    if (r->line_count) qsort(r->lines, r->line_count, sizeof *r->lines, by_line);
    set_traffic(l->profile, caches, &t, &r->metrics);
    r->metrics.v[METRIC_SHARED_BLOCK] = (double)l->shared_bytes;
    r->metrics.v[METRIC_BLOCKS] = (double)l->blocks;
    r->metrics.v[METRIC_THREADS] = (double)l->blocks * l->block_threads;
    r->metrics.v[METRIC_WARP_BALANCE] = 100 / l->longest;
    t.work.dram_busiest = t.work.dram_bytes * partition_ratio * row_ratio;
    if (l->profile->dram_partitions) r->metrics.v[METRIC_DRAM_PARTITION_RATIO] = partition_ratio;
    model_metrics_derive(&r->metrics);
    r->lane_instructions = t.lanes;
    r->occupancy = model_occupancy(l->profile, l->block_threads, p->registers, l->shared_bytes);
    r->metrics.v[METRIC_OCCUPANCY] =
        100 * model_occupancy_reached(l->profile, &r->occupancy, l->blocks);
    set_work(l, steps, block_warps, caches, &t);
    if (t.work.ahead > 0) r->metrics.v[METRIC_BULK_LD_AHEAD] = t.work.ahead;
    r->work = t.work;
    r->time = model_time(l->profile, &t.work);
}

/* Predicts the time as if every read hit the L2, since L2 misses are known only after the replay of
 * the trace, which needs the pace:
 *
 * 1. sum the work of all steps, with traffic for the L2 but none for DRAM,
 * 2. divide the predicted clocks by the waves of blocks: clocks that a block takes,
 * 3. if there are no barriers, spread the starts of blocks over the time between two waits. */
struct pace counters_pace(const struct launch *l, const struct sim_step_counts *steps,
    const uint64_t *block_warps, const uint64_t *block_lanes, double asked, uint32_t last,
    double fillings)
{
    const struct model_profile *p = l->profile;
    const struct trace_totals caches = {.asked_sectors = asked, .stored = NAN};
    struct sim_result r = {0};
    counters_sum(l, steps, block_warps, block_lanes, &caches, 1, 1, &r);
    double running = (r.time.ms - p->launch_us / 1000) * p->clock_ghz * 1e6, apart = p->start_apart;
    double clocks = running / ceil((double)l->blocks / ((double)l->sms * l->resident));
    if (r.metrics.v[METRIC_BARRIER] == 0)
        apart = fmax(apart, clocks / fmax(r.work.asks, 1) * p->gpcs / p->sms);
    sim_result_free(&r);
    return (struct pace){last / fillings, clocks, apart};
}
