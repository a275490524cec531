/* launch.c - runs the blocks of a launch on all cores of the host.
 *
 * Each multiprocessor of the simulated GPU has a fixed list of blocks, all run by one host thread.
 * So the caches and all counts are the same for any number of threads. A multiprocessor has one
 * slot (seat) for each block that it holds at a time:
 *
 *     seat 0    |--- block 0 ---|------------ block 264 -----     a block runs until it has made a slice of
 *     seat 1    |-------- block 132 --------|--- block 396 --     global accesses; then the next seat runs.
 *                 slice     slice     slice     slice             horizon: the end of the current slice
 *
 * If the kernel has a grid-wide barrier, each block has a slot from its start to its end. All run
 * until they wait at that barrier; then all continue (pass_grids). If a kernel's results can depend
 * on the order of blocks, they run in order, on one thread (run_apart is the exception). Clusters,
 * and blocks that poll memory written by other blocks, are run by cluster.c. */
#include "sim/check/async.h"
#include "sim/check/shadow.h"
#include "sim/exec/access.h"
#include "sim/cluster.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The default limit of instructions that one warp may execute. For comparison: a naive product of
 * 16384 x 16384 matrices needs 100,000 per warp. */
#define DEFAULT_BUDGET ((uint64_t)1 << 24)
enum { PRODUCT_COST = 4000 };

/* ---- allocating and freeing a worker ---- */

/* Set up a batch of the block: all registers 0 except constants and the predicate that is always
 * true, which are set here once. v->exist is set to the lanes that have a thread. */
static void set_batch(struct worker *w, int index, int block_threads)
{
    const struct sim_kernel *k = w->kernel;
    struct batch *v = &w->batches[index];
    v->worker = w;
    v->index = index;
    v->dense = 1;
    int threads = block_threads - index * BATCH_LANES;
    threads = threads > BATCH_LANES ? BATCH_LANES : threads;
    v->warps = (threads + 31) / 32;
    v->stream = trace_stream(w->trace);
    for (int i = 0; i < v->warps; i++) {
        int lanes = threads - 32 * i;
        v->exist[i] = lanes >= 32 ? ~0u : (1u << lanes) - 1;
        v->dense &= lanes >= 32;
    }
    v->regs = aligned_alloc(64, sizeof *v->regs * (size_t)(k->reg_count + 1));
    v->pred = xcalloc((size_t)k->pred_count, sizeof *v->pred);
    if (!v->regs) BUG("out of memory");
    memset(v->regs, 0, sizeof *v->regs * (size_t)(k->reg_count + 1));
    size_t bytes = 0;
    for (int i = 0; i < k->reg_count; i++) {
        struct reg *r = &v->regs[i];
        r->wide = i < k->vreg_regs ? k->reg_wide[i] : k->constant_wide[i - k->vreg_regs];
        bytes += BATCH_LANES * (r->wide ? 8u : 4u);
    }
    v->storage = aligned_alloc(64, bytes + 64);
    if (!v->storage) BUG("out of memory");
    memset(v->storage, 0, bytes + 64);
    size_t at = 0;
    for (int i = 0; i < k->reg_count; i++) {
        struct reg *r = &v->regs[i];
        r->lanes = v->storage + at;
        at += BATCH_LANES * (r->wide ? 8u : 4u);
        for (int x = 0; i >= k->vreg_regs && x < BATCH_WARPS; x++)
            r->base[x] = k->constant[i - k->vreg_regs];
        reg_compact(r, 0, 0);
    }
    memset(v->pred[k->pred_count - 1], 0xff, sizeof *v->pred);
}

/* Allocate the counts of a multiprocessor: each array has one half for counted blocks and, behind
 * it, one for the others, which is discarded (sample.c). The first slot of a set owns the arrays;
 * the others share them (share_sums). */
static void start_sums(struct worker *w)
{
    const struct launch *l = w->launch;
    const struct sim_kernel *k = l->kernel;
    w->steps = xcalloc(2 * k->program->step_count, sizeof *w->steps);
    if (l->record) {
        w->accesses = xcalloc(k->program->step_count, sizeof *w->accesses);
        for (size_t i = 0; i < k->program->step_count; i++) w->accesses[i].block = UINT64_MAX;
    }
    w->block_warps = xcalloc(2 * k->block_count, sizeof *w->block_warps);
    w->block_lanes = xcalloc(2 * k->block_count, sizeof *w->block_lanes);
    w->patterns = xcalloc((size_t)k->mem_count, sizeof *w->patterns);
    w->trace = trace_new(l, w->steps);
    w->partitions = partitions_new(l);
    w->rows = rows_new(l);
}

static void share_sums(struct worker *w, const struct worker *first)
{
    w->steps = first->steps;
    w->accesses = first->accesses;
    w->block_warps = first->block_warps;
    w->block_lanes = first->block_lanes;
    w->patterns = first->patterns;
    w->trace = first->trace;
    w->partitions = first->partitions;
    w->rows = first->rows;
}

/* Allocate all that the slot of a resident block (worker) owns. first: the first slot of its set,
 * perhaps w itself, whose counts it shares. */
static void start_worker(struct worker *w, struct launch *l, const struct worker *first)
{
    const struct sim_kernel *k = l->kernel;
    unsigned x = l->shape.block[0], rows_of = x < 32 && 32 % x == 0 ? x : 32;
    w->launch = l;
    w->kernel = k;
    w->counting = l->record;
    for (unsigned i = 0; i < 32; i++) {
        w->lane_x[i] = i % rows_of;
        w->lane_y[i] = i / rows_of;
    }
    w->shared_bytes = l->shared_bytes;
    w->shared = xcalloc(w->shared_bytes + 16, 1);
    w->local_bytes = k->program->local_bytes;
    w->local = xcalloc(w->local_bytes * (size_t)l->block_warps * 32 + 16, 1);
    w->batch_count = (l->block_warps + BATCH_WARPS - 1) / BATCH_WARPS;
    w->batches = xcalloc((size_t)w->batch_count, sizeof *w->batches);
    if (w == first)
        start_sums(w);
    else
        share_sums(w, first);
    w->combine = l->record ? write_combine_new(l) : NULL;
    w->check = check_new(w->shared_bytes, w->local_bytes, l->block_warps);
    if (k->async) w->check->async = async_new(w->check->words, l->block_warps * 32);
    w->shadow = shadow_new(l->block_warps, l->across);
    w->check_off = l->unchecked || l->cluster > 1 || k->program->peers;
    for (int i = 0; i < w->batch_count; i++) set_batch(w, i, l->block_threads);
}

static void end_worker(struct worker *w, const struct worker *first)
{
    for (int i = 0; i < w->batch_count; i++) {
        free(w->batches[i].regs);
        free(w->batches[i].pred);
        free(w->batches[i].storage);
    }
    free(w->batches);
    free(w->shared);
    free(w->local);
    free(w->stored_by);
    free(w->first_from);
    free(w->leads);
    write_combine_free(w->combine);
    words_end(w);
    check_free(w->check);
    shadow_free(w->shadow);
    printed_free(w->printed);
    if (w != first) return;
    free(w->steps);
    free(w->accesses);
    free(w->block_warps);
    free(w->block_lanes);
    free(w->patterns);
    trace_free(w->trace);
    partitions_free(w->partitions);
    rows_free(w->rows);
}

/* ---- running blocks, slice by slice ---- */

/* Keep the error of the block with the lowest number that failed, whichever thread reports
 * first. */
static void report_fault(struct crew *c, struct worker *w)
{
    pthread_mutex_lock(&c->lock);
    if (w->block < atomic_load(&c->launch->first_fault)) {
        atomic_store(&c->launch->first_fault, w->block);
        c->err = w->err;
    }
    pthread_mutex_unlock(&c->lock);
}

/* Run the block in this slot until it ends, reaches the horizon (the end of the time slice) or
 * fails. After a failure, setjmp returns 1: a fault is in w->err; 2: a block with a lower number
 * has failed, so this one stops; 3: an unwritten word was read, and a second run of the block must
 * find the cause. */
static void run_seat(struct crew *c, struct worker *w)
{
    int how = setjmp(w->fault);
    if (how == 0) {
        w->busy = go_on(w);
        if (shadow_meets(w->shadow)) atomic_store(&c->met, 1);
        return;
    }
    w->busy = 0;
    if (how == 3) {
        if (!setjmp(w->fault)) unwritten_again(w);
        if (!(how = setjmp(w->fault))) unwritten_report(w);
    }
    if (how == 1) report_fault(c, w);
}

/* If the launch has passed its deadline, end it with a fault. */
static void end_late(struct crew *c, struct worker *w)
{
    double deadline = c->launch->deadline;
    if (deadline <= 0 || clock_seconds() < deadline ||
        atomic_load(&c->launch->first_fault) != UINT64_MAX)
        return;
    const struct uop at = {.step = w->kernel->uops[0].step};
    if (!setjmp(w->fault))
        sim_fault(&w->batches[0], &at, 0, FAULT(.kind = FOUND_ENDLESS),
            "has not ended in the time that a launch may take");
    report_fault(c, w);
}

void crew_run_seat(struct crew *c, struct worker *w)
{
    run_seat(c, w);
    end_late(c, w);
}

/* Of the slots that hold a block or can get one, the one whose clock is furthest behind. NULL: all
 * have reached the horizon, the end of the time slice. */
static struct worker *next_seat(
    struct crew *c, struct worker *seats, int count, uint64_t horizon, uint64_t *block)
{
    struct worker *next = NULL;
    if (*block > atomic_load(&c->launch->first_fault)) *block = UINT64_MAX;
    for (int i = 0; i < count; i++)
        if ((seats[i].busy ? !seats[i].at_grid : *block < c->end) && seats[i].clock < horizon &&
            (!next || seats[i].clock < next->clock))
            next = &seats[i];
    if (next && !next->busy) {
        next->busy = 1;
        start_block(next, *block);
        *block += (uint64_t)c->launch->sms * c->launch->nth;
    }
    return next;
}

/* Report progress at most four times a second: the share of multiprocessors that are done, plus the
 * share of the current multiprocessor's blocks. */
static void tell_progress(struct crew *c, const struct worker *seats, uint64_t block)
{
    static const double OFTEN = 0.25;
    const struct sim_options *o = c->options;
    if (!o || !o->progress || seats != c->workers) return;
    double now = clock_seconds(), began = (double)block / (double)c->end;
    if (now - c->told < OFTEN) return;
    c->told = now;
    o->progress(o->context, (c->at + (began < 1 ? began : 1)) / sms_that_run(c->launch));
}

/* Run the blocks of one multiprocessor, slice by slice, until they end or all wait at a grid-wide
 * barrier. After each slice, the accesses made in it are replayed through the caches. */
static void run_sm(struct crew *c, struct worker *seats, int sm)
{
    struct trace *t = seats[0].trace;
    int count = sample_start_sm(c, seats, sm);
    const struct launch *l = c->launch;
    uint64_t first = (uint64_t)sm + l->first_nth * (uint64_t)l->sms;
    uint64_t block = c->waited ? UINT64_MAX : first, slice = trace_slice(t);
    uint64_t horizon = c->waited ? seats[0].horizon + slice : slice;
    if (!c->waited) trace_start_sm(t, sm);
    if (c->launch->watch) trace_forget(t);
    for (int i = 0; i < c->seats && !c->waited; i++) {
        seats[i].sm = sm;
        seats[i].clock = 0;
    }
    for (int busy = 1; busy && !atomic_load(&c->met);) {
        for (struct worker *w;
             !atomic_load(&c->met) && (w = next_seat(c, seats, count, horizon, &block));) {
            w->horizon = horizon;
            crew_run_seat(c, w);
            tell_progress(c, seats, block);
        }
        busy = block < c->end;
        for (int i = 0; i < c->seats; i++) busy |= seats[i].busy && !seats[i].at_grid;
        trace_follow(t, busy ? horizon : UINT64_MAX);
        horizon += slice;
    }
}

/* Called when every block waits at a grid-wide barrier or has ended. The waiting blocks continue,
 * with the clock of the latest one. Returns whether any block waited. */
static int pass_grids(struct crew *c)
{
    struct worker *waits = NULL, *end = c->workers + c->count * c->seats;
    uint64_t clock = 0, waiting = 0;
    if (atomic_load(&c->launch->first_fault) != UINT64_MAX) return 0;
    for (struct worker *w = c->workers; w < end; w++) {
        clock = w->clock > clock ? w->clock : clock;
        waiting += (uint64_t)w->at_grid;
        if (w->at_grid && (!waits || w->block < waits->block)) waits = w;
    }
    if (waits && waiting < c->counted) {
        const struct uop at = {.step = waits->batches[0].barrier_step};
        if (!setjmp(waits->fault))
            sim_fault(&waits->batches[0], &at, 0, FAULT(.kind = FOUND_BARRIER),
                "waits at a barrier of the grid that another block never reaches, since it returned before "
                "it; every thread of the grid must reach the same grid.sync()");
        report_fault(c, waits);
        return 0;
    }
    sim_share_writes(c->launch->memory);
    for (struct worker *w = c->workers; w < end; w++)
        if (w->at_grid) pass_grid(w, clock);
    return waits != NULL;
}

/* Run the block that is watched. If results depend on the order of blocks, the blocks before it run
 * first. */
static void run_watched(struct crew *c, struct worker *w)
{
    uint64_t last = c->launch->watch->block;
    trace_forget(w->trace);
    for (uint64_t b = c->launch->kernel->serial ? 0 : last; b <= last; b++) {
        if (b > atomic_load(&c->launch->first_fault)) return;
        w->sm = (int)(b % (uint64_t)c->launch->sms);
        w->clock = 0;
        w->horizon = UINT64_MAX;
        start_block(w, b);
        do run_seat(c, w);
        while (w->busy);
    }
}

struct start {
    struct crew *crew;
    struct worker *seats;
};

static void *work(void *arg)
{
    struct start *s = arg;
    if (s->crew->launch->watch && !s->crew->launch->kernel->grid_sync) {
        run_watched(s->crew, s->seats);
        return NULL;
    }
    const struct launch *l = s->crew->launch;
    for (int i; (i = atomic_fetch_add(&s->crew->next_sm, 1)) < sms_that_run(l);) {
        if (atomic_load(&s->crew->met)) break;
        if (s->seats == s->crew->workers) s->crew->at = i;
        run_sm(s->crew, l->kernel->grid_sync ? &s->crew->workers[i * s->crew->seats] : s->seats,
            l->all_run ? i : picked_sm(l, i));
    }
    return NULL;
}

static void run_crew(struct crew *c)
{
    pthread_t *threads = xcalloc((size_t)c->threads, sizeof *threads);
    struct start *starts = xcalloc((size_t)c->threads, sizeof *starts);
    int started = 1;
    atomic_store(&c->next_sm, 0);
    for (int i = 0; i < c->threads; i++) starts[i] = (struct start){c, &c->workers[i * c->seats]};
    while (started < c->threads && !pthread_create(&threads[started], NULL, work, &starts[started]))
        started++;
    work(&starts[0]);
    for (int i = 1; i < started; i++) pthread_join(threads[i], NULL);
    free(threads);
    free(starts);
}

/* ---- a whole launch ---- */

/* Run all blocks, from one grid-wide barrier to the next. The number of instructions of each block
 * is kept in l->work, unless only a sample of blocks is counted. */
static void run(struct crew *c)
{
    struct launch *l = c->launch;
    if (l->record && c->counted == l->blocks) l->work = xcalloc(l->blocks, sizeof *l->work);
    if (l->turns) {
        cluster_run(c);
        return;
    }
    do run_crew(c);
    while (l->kernel->grid_sync && (c->waited = pass_grids(c)));
}

static int host_threads(const struct launch *l, const struct sim_options *options)
{
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    int threads = options && options->threads ? options->threads : cores < 1 ? 1 : cores;
    return threads > sms_that_run(l) ? sms_that_run(l) : threads;
}

/* Run the launch from its initial state: allocate the slots of resident blocks (workers), and run
 * all blocks to their end. */
static void run_whole(struct crew *c, int threads)
{
    struct launch *l = c->launch;
    c->threads = threads;
    c->count = blocks_meet(l) ? l->sms : threads;
    l->workers = c->workers = xcalloc((size_t)(c->count * c->seats), sizeof *c->workers);
    for (int i = 0; i < c->count * c->seats; i++)
        start_worker(&c->workers[i], l, &c->workers[i - i % c->seats]);
    run(c);
    sample_end(c);
}

static void end_workers(struct crew *c)
{
    for (int i = 0; i < c->count * c->seats; i++)
        end_worker(&c->workers[i], &c->workers[i - i % c->seats]);
    free(c->workers);
    free(c->launch->work);
    c->launch->work = NULL;
}

/* The multiply-adds that a warp does in this step, if it is a matrix product; else 0. */
static double multiply_adds(const struct ptx_step *s)
{
    if (s->op == OP_WGMMA) return 16.0 * (s->detail2 & WGMMA_N) * ptx_wgmma[s->detail].k;
    if (s->op != OP_MMA) return 0;
    const struct ptx_mma *p = &ptx_mma[s->detail];
    return (double)p->m * p->n * p->k;
}

/* The cost of simulating a code block for one warp, in instructions. In a matrix product,
 * MULTIPLY_ADDS multiply-adds cost as much as one instruction. */
static uint64_t work_of(const struct sim_kernel *k, const struct code_block *b)
{
    static const double MULTIPLY_ADDS = 2;
    uint64_t work = (uint64_t)b->counted;
    for (int i = b->first; i < b->first + b->count; i++)
        work += (uint64_t)(multiply_adds(&k->program->steps[k->uops[i].step]) / MULTIPLY_ADDS);
    return work;
}

/* The work of all warps of the launch, in the unit of work_of: that of counted blocks, and that of
 * uncounted blocks, whose entries come block_count later. */
static uint64_t executed(const struct crew *c)
{
    const struct sim_kernel *k = c->launch->kernel;
    uint64_t sum = 0;
    for (size_t b = 0; b < k->block_count; b++) {
        uint64_t warps = 0;
        for (int i = 0; i < c->count; i++) {
            const uint64_t *ran = c->workers[i * c->seats].block_warps;
            warps += ran[b] + ran[b + k->block_count];
        }
        sum += warps ? warps * work_of(k, &k->blocks[b]) : 0;
    }
    return sum;
}

/* If the order of blocks can only affect sums of floats, that order does not matter as long as no
 * two multiprocessors access the same word; so the blocks are first run in parallel. If two
 * multiprocessors do access one word, or a block fails, all writes are undone. Returns whether the
 * blocks ran in parallel to their end; if not, the caller runs the blocks in order. */
static int run_apart(struct crew *c, int threads)
{
    struct launch *l = c->launch;
    if (l->kernel->serial != ORDER_SUMS || l->kernel->async || l->kernel->grid_sync || l->turns ||
        l->watch || l->unchecked || l->block_warps < 2 || threads < 2)
        return 0;
    sim_begin_writes(l->memory, l->kernel, l->params, 0, 1);
    if (sim_own_begin(l->memory, l->kernel)) return 0;
    run_whole(c, threads);
    int bad = atomic_load(&c->met) || atomic_load(&l->first_fault) != UINT64_MAX;
    sim_own_end(l->memory, bad);
    if (!bad) return 1;
    end_workers(c);
    notes_forget(l->notes);
    atomic_store(&c->met, 0);
    atomic_store(&l->first_fault, UINT64_MAX);
    return 0;
}

static void end_launch(struct launch *l)
{
    if (l->whole) without_free(l->kernel);
    notes_free(l->notes);
    free(l->used);
}

int sim_launch(struct sim_kernel *k, struct sim_memory *m, const struct model_profile *profile,
    const struct sim_shape *shape, const void *params, const struct sim_options *options,
    struct sim_result *r, struct err *e)
{
    enum without without = options ? options->without : WITHOUT_NOTHING;
    struct launch l = {
        .kernel = k, .memory = m, .profile = profile, .shape = *shape, .params = params};
    size_t name_len;
    const char *source = ptx_source_name(k->program->kernel->name, &name_len);
    char name[256];
    snprintf(name, sizeof name, "%s: kernel %.*s", k->main_file, (int)name_len, source);
    l.shared_bytes = k->program->shared_bytes;
    if (shape->dynamic_shared) l.shared_bytes = k->program->shared_dynamic + shape->dynamic_shared;
    if (shape_check(&l, name, e) || capability_check(k->program, profile, name, e)) return -1;
    l.block_threads = (int)(shape->block[0] * shape->block[1] * shape->block[2]);
    l.block_warps = (l.block_threads + 31) / 32;
    l.blocks = (uint64_t)shape->grid[0] * shape->grid[1] * shape->grid[2];
    cluster_order(&l, options ? options->order : 0);
    l.watch = options ? options->watch : NULL;
    l.turns =
        l.cluster > 1 || (k->awaits && !k->serial && !k->grid_sync && !l.watch && l.blocks > 1);
    l.record = r && !l.watch && !(options && options->uncounted);
    l.without = without;
    l.exchange = without ? options->exchange : NULL;
    l.masked = without || (options && options->masked), l.lenient = options && options->lenient;
    if (options)
        l.unchecked = without || options->unchecked, l.same_value_ok = options->same_value_ok;
    if (options && options->note && !l.unchecked && !l.watch) {
        l.notes = notes_new();
        l.used = xcalloc(k->program->step_count, sizeof *l.used);
    }
    int unflown = options && options->unflown;
    if (!l.unchecked && !unflown && flight_check(k, name, e)) return end_launch(&l), -1;
    l.print_whole = options && options->print;
    l.budget = options && options->budget ? options->budget : DEFAULT_BUDGET;
    l.product_cost = options && options->budget ? PRODUCT_COST : 0;
    l.deadline = options && options->seconds > 0 ? clock_seconds() + options->seconds : 0;
    atomic_init(&l.first_fault, UINT64_MAX);

    if (without) l.whole = k, l.kernel = k = without_new(k, without);
    struct crew c = {.launch = &l, .options = options, .lock = PTHREAD_MUTEX_INITIALIZER};
    set_sample(&c, options);
    l.across = l.notes && l.blocks > 1 && !k->fences && !k->grid_sync && !k->awaits && !l.turns;
    if (shape_check_grid(&l, name, e)) return end_launch(&l), -1;
    l.seats = c.seats = seats_of(&c);
    int threads = host_threads(&l, options);
    int in_order = k->serial || l.turns || (options && options->order);
    if (!run_apart(&c, threads)) {
        sim_begin_writes(m, k, params, in_order, !l.unchecked);
        run_whole(&c, in_order ? 1 : threads);
    }
    sim_end_writes(m);
    if (l.unchecked) sim_trust_writes(m);
    int failed = atomic_load(&l.first_fault) != UINT64_MAX;
    if (failed && e) *e = c.err;
    if (r) *r = (struct sim_result){0};
    char *printed = !l.watch ? printed_join(c.workers, c.count * c.seats, l.print_whole) : NULL;
    if (l.print_whole && printed) options->print(options->context, printed);
    if (r && !l.print_whole)
        r->printed = printed;
    else
        free(printed);
    notes_tell(l.notes, k->main_file, options);
    if (options && options->executed) *options->executed += executed(&c);
    if (l.record && !failed) crew_sum(&c, r);
    end_workers(&c);
    end_launch(&l);
    return failed ? -1 : 0;
}

void sim_result_free(struct sim_result *r)
{
    free(r->steps);
    free(r->accesses);
    free(r->lines);
    free(r->printed);
    *r = (struct sim_result){0};
}
