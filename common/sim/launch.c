/* launch.c - a grid on all cores of the host.
 *
 * Every multiprocessor of the simulated GPU has a fixed list of blocks and is worked through by one thread, so what it
 * does to its caches, and every count, is the same however many threads there are. */
#include "sim/check.h"
#include "sim/footprint.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The most instructions of one warp: a naive product of 16384 x 16384 matrices needs 100 thousand. */
#define DEFAULT_BUDGET ((uint64_t)1 << 24)

struct sim_testing sim_testing;

struct crew { /* the workers of a launch */
    struct launch *launch;
    struct worker *workers;
    int count, sms;
    uint64_t run;          /* blocks 0 .. run - 1 run: all, or those of a sample */
    _Atomic int next_sm;
    pthread_mutex_t lock;
    struct err err;        /* of the lowest block that failed */
};

/* ---- a worker's memory ---- */

/* Storage for lanes of all registers of all convoys, and the place of lanes in a warp. */
static void set_convoy(struct worker *w, int index, int block_threads)
{
    const struct sim_kernel *k = w->kernel;
    struct convoy *v = &w->convoys[index];
    v->worker = w;
    v->index = index;
    v->dense = 1;
    int threads = block_threads - index * CONVOY_LANES;
    threads = threads > CONVOY_LANES ? CONVOY_LANES : threads;
    v->warps = (threads + 31) / 32;
    for (int i = 0; i < v->warps; i++) {
        int lanes = threads - 32 * i;
        v->exist[i] = lanes >= 32 ? ~0u : (1u << lanes) - 1;
        v->dense &= lanes >= 32;
    }
    v->regs = aligned_alloc(64, sizeof *v->regs * (size_t)(k->reg_count + 1));
    v->pred = xcalloc((size_t)k->pred_count, sizeof *v->pred);
    if (!v->regs)
        BUG("out of memory");
    memset(v->regs, 0, sizeof *v->regs * (size_t)(k->reg_count + 1));
    size_t bytes = 0;
    for (int i = 0; i < k->reg_count; i++) {
        struct reg *r = &v->regs[i];
        r->wide = i < k->slot_regs ? k->reg_wide[i] : k->constant_wide[i - k->slot_regs];
        bytes += CONVOY_LANES * (r->wide ? 8u : 4u);
    }
    v->storage = aligned_alloc(64, bytes + 64);
    if (!v->storage)
        BUG("out of memory");
    memset(v->storage, 0, bytes + 64);
    size_t at = 0;
    for (int i = 0; i < k->reg_count; i++) {
        struct reg *r = &v->regs[i];
        r->lanes = v->storage + at;
        at += CONVOY_LANES * (r->wide ? 8u : 4u);
        for (int x = 0; i >= k->slot_regs && x < CONVOY_WARPS; x++)
            r->base[x] = k->constant[i - k->slot_regs];
        reg_compact(r, 0, 0);
    }
    memset(v->pred[k->pred_count - 1], 0xff, sizeof *v->pred);
}

static void start_worker(struct worker *w, struct launch *l)
{
    const struct sim_kernel *k = l->kernel;
    unsigned x = l->shape.block[0], rows_of = x < 32 && 32 % x == 0 ? x : 32;
    w->launch = l;
    w->kernel = k;
    for (unsigned i = 0; i < 32; i++) {
        w->lane_x[i] = i % rows_of;
        w->lane_y[i] = i / rows_of;
    }
    w->shared_bytes = l->shared_bytes;
    w->shared = xcalloc(w->shared_bytes + 16, 1);
    w->local_bytes = k->program->local_bytes;
    w->local = xcalloc(w->local_bytes * (size_t)l->block_warps * 32 + 16, 1);
    w->convoy_count = (l->block_warps + CONVOY_WARPS - 1) / CONVOY_WARPS;
    w->convoys = xcalloc((size_t)w->convoy_count, sizeof *w->convoys);
    w->steps = xcalloc(k->program->step_count, sizeof *w->steps);
    if (l->record) {
        w->accesses = xcalloc(k->program->step_count, sizeof *w->accesses);
        for (size_t i = 0; i < k->program->step_count; i++)
            w->accesses[i].block = UINT64_MAX;
    }
    w->block_warps = xcalloc(k->block_count, sizeof *w->block_warps);
    w->block_lanes = xcalloc(k->block_count, sizeof *w->block_lanes);
    w->patterns = xcalloc((size_t)k->mem_count, sizeof *w->patterns);
    w->trace = trace_new(l);
    w->partitions = partitions_new(l);
    w->rows = rows_new(l);
    w->check = check_new(w->shared_bytes, w->local_bytes, l->block_warps);
    w->footprint = footprint_new(l->block_warps);
    w->check_off = sim_testing.unchecked;
    for (int i = 0; i < w->convoy_count; i++)
        set_convoy(w, i, l->block_threads);
}

static void end_worker(struct worker *w)
{
    for (int i = 0; i < w->convoy_count; i++) {
        free(w->convoys[i].regs);
        free(w->convoys[i].pred);
        free(w->convoys[i].storage);
    }
    free(w->convoys);
    free(w->shared);
    free(w->local);
    free(w->steps);
    free(w->accesses);
    free(w->block_warps);
    free(w->block_lanes);
    free(w->patterns);
    trace_free(w->trace);
    partitions_free(w->partitions);
    rows_free(w->rows);
    check_free(w->check);
    footprint_free(w->footprint);
}

/* ---- running ---- */

static void report_fault(struct crew *c, struct worker *w)
{
    pthread_mutex_lock(&c->lock);
    if (w->block < atomic_load(&c->launch->first_fault)) {
        atomic_store(&c->launch->first_fault, w->block);
        c->err = w->err;
    }
    pthread_mutex_unlock(&c->lock);
}

/* The blocks of one multiprocessor, in order; of a sampled launch the first of them. */
static void run_sm(struct crew *c, struct worker *w, int sm)
{
    w->sm = sm;
    trace_start_sm(w->trace, sm);
    for (uint64_t b = (uint64_t)sm; b < c->run; b += (uint64_t)c->sms) {
        if (b > atomic_load(&c->launch->first_fault))
            return;
        int how = setjmp(w->fault);
        if (how == 0) {
            run_block(w, b);
        } else {
            if (how == 1)
                report_fault(c, w);
            return;
        }
    }
}

struct start {
    struct crew *crew;
    struct worker *worker;
};

static void *work(void *arg)
{
    struct start *s = arg;
    for (int sm; (sm = atomic_fetch_add(&s->crew->next_sm, 1)) < s->crew->sms;)
        run_sm(s->crew, s->worker, sm);
    return NULL;
}

static void run_crew(struct crew *c)
{
    pthread_t *threads = xcalloc((size_t)c->count, sizeof *threads);
    struct start *starts = xcalloc((size_t)c->count, sizeof *starts);
    int started = 1;
    for (int i = 0; i < c->count; i++)
        starts[i] = (struct start){c, &c->workers[i]};
    while (started < c->count && !pthread_create(&threads[started], NULL, work, &starts[started]))
        started++;
    work(&starts[0]);
    for (int i = 1; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    free(starts);
}

/* To and from are arrays of uint64_t sums, or of structures of such. */
static void add_sums(void *to, const void *from, size_t bytes)
{
    for (size_t k = 0; k < bytes / sizeof(uint64_t); k++)
        ((uint64_t *)to)[k] += ((const uint64_t *)from)[k];
}

static void scale_sums(void *sums, size_t bytes, double by)
{
    for (size_t k = 0; k < bytes / sizeof(uint64_t); k++)
        ((uint64_t *)sums)[k] = (uint64_t)((double)((uint64_t *)sums)[k] * by + 0.5);
}

static void add_worker(struct worker *to, const struct worker *from)
{
    const struct ptx_program *p = to->kernel->program;
    add_sums(to->steps, from->steps, p->step_count * sizeof *to->steps);
    add_sums(to->block_warps, from->block_warps, p->block_count * sizeof *to->block_warps);
    add_sums(to->block_lanes, from->block_lanes, p->block_count * sizeof *to->block_lanes);
    for (size_t s = 0; s < p->step_count; s++)
        if (from->accesses[s].block < to->accesses[s].block)
            to->accesses[s] = from->accesses[s];
}

/* Of a sampled launch: as if the blocks that did not run had done what those did that ran. */
static void scale_up(const struct crew *c, struct worker *w, struct trace_totals *caches)
{
    const struct ptx_program *p = w->kernel->program;
    double by = (double)c->launch->blocks / (double)c->run;
    if (c->run == c->launch->blocks)
        return;
    scale_sums(w->steps, p->step_count * sizeof *w->steps, by);
    scale_sums(w->block_warps, p->block_count * sizeof *w->block_warps, by);
    scale_sums(w->block_lanes, p->block_count * sizeof *w->block_lanes, by);
    double *sums[] = {&caches->l1_hits, &caches->l1_accesses, &caches->asked_sectors, &caches->l2_read_sectors,
                      &caches->dram_read_bytes, &caches->dram_write_bytes, &caches->dirty_bytes};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        *sums[i] *= by;
}

static void sum_up(struct crew *c, struct sim_result *r)
{
    struct worker *first = &c->workers[0];
    struct trace **traces = xcalloc((size_t)c->count, sizeof *traces);
    struct partitions **partitions = xcalloc((size_t)c->count, sizeof *partitions);
    struct rows **rows = xcalloc((size_t)c->count, sizeof *rows);
    struct trace_totals caches;
    for (int i = 0; i < c->count; i++) {
        traces[i] = c->workers[i].trace;
        partitions[i] = c->workers[i].partitions;
        rows[i] = c->workers[i].rows;
        if (i)
            add_worker(first, &c->workers[i]);
    }
    trace_finish(traces, c->count, c->launch, &caches);
    scale_up(c, first, &caches);
    r->accesses = first->accesses;
    first->accesses = NULL;
    counters_sum(c->launch, first->steps, first->block_warps, first->block_lanes, &caches,
                 partitions_ratio(partitions, c->count), rows_ratio(rows, c->count), r);
    free(traces);
    free(partitions);
    free(rows);
}

/* ---- what can be launched ---- */

static int check_shape(const struct launch *l, const char *name, struct err *e)
{
    const struct model_profile *p = l->profile;
    const struct sim_shape *s = &l->shape;
    static const char axes[] = "xyz";
    for (int i = 0; i < 3; i++) {
        if (s->block[i] < 1 || s->block[i] > p->max_block_dim[i])
            return err_set(e, ERR_LEARNER, "%s: a block has %u threads in %c; %s takes 1 to %u", name, s->block[i], axes[i],
                           p->title, p->max_block_dim[i]);
        if (s->grid[i] < 1 || s->grid[i] > p->max_grid_dim[i])
            return err_set(e, ERR_LEARNER, "%s: the grid has %u blocks in %c; %s takes 1 to %u", name, s->grid[i], axes[i],
                           p->title, p->max_grid_dim[i]);
    }
    uint64_t threads = (uint64_t)s->block[0] * s->block[1] * s->block[2];
    if (threads > (uint64_t)p->max_block_threads)
        return err_set(e, ERR_LEARNER, "%s: a block of %u x %u x %u has %llu threads; %s takes up to %d", name, s->block[0],
                       s->block[1], s->block[2], (unsigned long long)threads, p->title, p->max_block_threads);
    unsigned most = l->kernel->program->kernel->max_threads;
    if (most && threads > most)
        return err_set(e, ERR_LEARNER, "%s: a block has %llu threads, but __launch_bounds__ promises at most %u", name,
                       (unsigned long long)threads, most);
    if (l->shared_bytes > (size_t)p->shared_block_bytes)
        return err_set(e, ERR_LEARNER, "%s: a block needs %zu bytes of shared memory; %s has %d a block", name, l->shared_bytes,
                       p->title, p->shared_block_bytes);
    return 0;
}

int sim_launch(struct sim_kernel *k, struct sim_memory *m, const struct model_profile *profile, const struct sim_shape *shape,
               const void *params, const struct sim_options *options, struct sim_result *r, struct err *e)
{
    struct launch l = {.kernel = k, .memory = m, .profile = profile, .shape = *shape, .params = params};
    size_t name_len;
    const char *source = ptx_source_name(k->program->kernel->name, &name_len);
    char name[256];
    snprintf(name, sizeof name, "%s: kernel %.*s", k->main_file, (int)name_len, source);
    l.shared_bytes = k->program->shared_bytes;
    if (shape->dynamic_shared)
        l.shared_bytes = k->program->shared_dynamic + shape->dynamic_shared;
    if (check_shape(&l, name, e) || capability_check(k->program, profile, name, e))
        return -1;
    l.block_threads = (int)(shape->block[0] * shape->block[1] * shape->block[2]);
    l.block_warps = (l.block_threads + 31) / 32;
    l.blocks = (uint64_t)shape->grid[0] * shape->grid[1] * shape->grid[2];
    l.record = r != NULL;
    l.budget = options && options->budget ? options->budget : DEFAULT_BUDGET;
    atomic_init(&l.first_fault, UINT64_MAX);

    struct crew c = {.launch = &l, .lock = PTHREAD_MUTEX_INITIALIZER};
    c.sms = l.blocks < (uint64_t)profile->sms ? (int)l.blocks : profile->sms;
    c.run = options ? options->sample * (uint64_t)c.sms : 0;
    if (!c.run || c.run > l.blocks)
        c.run = l.blocks;
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    c.count = options && options->threads ? options->threads : sim_testing.threads ? sim_testing.threads : cores < 1 ? 1 : cores;
    if (c.count > c.sms)
        c.count = c.sms;
    if (k->serial)
        c.count = 1;
    c.workers = xcalloc((size_t)c.count, sizeof *c.workers);
    sim_begin_writes(m, k, params, k->serial);
    for (int i = 0; i < c.count; i++)
        start_worker(&c.workers[i], &l);
    run_crew(&c);
    sim_end_writes(m);
    int failed = atomic_load(&l.first_fault) != UINT64_MAX;
    if (failed && e)
        *e = c.err;
    else if (!failed && r) {
        *r = (struct sim_result){0};
        sum_up(&c, r);
    }
    for (int i = 0; i < c.count; i++)
        end_worker(&c.workers[i]);
    free(c.workers);
    return failed ? -1 : 0;
}

void sim_result_free(struct sim_result *r)
{
    free(r->steps);
    free(r->accesses);
    free(r->lines);
    *r = (struct sim_result){0};
}
