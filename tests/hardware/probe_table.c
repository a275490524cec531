/* probe_table.c - the table of probes, and how each figure follows from times.
 *
 *     slope(n0, n1)   (t1 - t0) x clock / (n1 - n0): the clocks of one more iteration
 *     chain           each load's address is the value loaded before it: latency
 *     many warps      all independent: throughput
 *
 * Each probe is one small function; the table at the end names it after the profile's field.
 */
#include "hardware/hardware.h"
#include "hardware/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* On a GPU: RUNS runs of each launch, and MORE times the iterations. */
enum { RUNS = 3, MORE = 16 };
/* the same as in probes.cu */
enum { WARPS = 32, CHAIN = 16, MEETINGS = 16, LOADS = 4, SLICE = 16 << 10, STREAM = 64 << 10 };
static const double SECONDS = 60;
static const uint64_t BUDGET = (uint64_t)1 << 34;

static const struct step no_steps[] = {{0}};
static const struct exercise exercises[] = {
    {.name = "probes", .kind = EXERCISE_CUDA, .steps = no_steps}, {0}};
const struct lab probe_lab = {.name = "kernels", .exercises = exercises};

/* ---- launches ---- */

/* Launch a probe's kernel with the block of its LAUNCH line and this grid. *ms is the time; on a
 * GPU the least of some runs, since disturbances only make a launch slower. */
static int launch(
    struct prober *p, const char *name, unsigned blocks, int n, int step, double *ms, struct err *e)
{
    int words[5] = {0};
    char *variable = xasprintf("lockstep_launch_%s", name);
    struct kernel *k = module_kernel(p->module, name);
    long have = module_initial(p->module, variable, words, sizeof words);
    const void *args[] = {&p->data, &n, &step};
    struct launch_shape shape = {.grid = {blocks, 1, 1},
        .block = {(unsigned)words[0], (unsigned)words[1], 1},
        .budget = BUDGET,
        .seconds = SECONDS};
    free(variable);
    if (!k || have != sizeof words)
        return err_set(e, ERR_ENV,
            "tests/hardware/kernels/probes.cu has no kernel %s with a launch shape", name);
    *ms = INFINITY;
    for (int i = 0; i < (p->simulated ? 1 : RUNS); i++) {
        struct measurement m = {0};
        if (device_flush(p->device, e) || device_launch(p->device, k, &shape, args, &m, e))
            return -1;
        *ms = m.ms < *ms ? m.ms : *ms;
        measurement_free(&m);
    }
    return 0;
}

/* Clocks that each further iteration adds. On a GPU n0 and n1 are larger, since its timer is coarse
 * and its launches vary a little. */
static int slope(struct prober *p, const char *name, unsigned blocks, int n0, int n1, int step,
    double *clocks, struct err *e)
{
    double t0, t1;
    if (!p->simulated) n0 *= MORE, n1 *= MORE;
    if (launch(p, name, blocks, n0, step, &t0, e) || launch(p, name, blocks, n1, step, &t1, e))
        return -1;
    *clocks = (t1 - t0) * 1e6 * p->ghz / (n1 - n0);
    return 0;
}

/* ---- instructions ---- */

/* The kernel reads the clock counter and the timer in nanoseconds before and after a loop. */
static int clock_ghz(struct prober *p, double *v, struct err *e)
{
    uint64_t ticks[2];
    double ms;
    *v = NAN;
    if (p->simulated) /* its time is computed from the profile's clock, so there is nothing to measure */
        return 0;
    if (launch(p, "ticks", 1, 1 << 18, 0, &ms, e) ||
        device_copy_out(p->device, ticks, p->data, sizeof ticks, e))
        return -1;
    *v = (double)ticks[0] / (double)ticks[1];
    return 0;
}

/* The clocks of one dependent multiply-add, and of a loop's end. They follow from two loops, with 8
 * and with 64 multiply-adds in an iteration. */
static int multiply_adds(struct prober *p, double *each, double *end, struct err *e)
{
    double few, many;
    if (slope(p, "multiply_add_8", 1, 1 << 12, 1 << 16, 0, &few, e) ||
        slope(p, "multiply_add_64", 1, 1 << 12, 1 << 16, 0, &many, e))
        return -1;
    *each = (many - few) / (64 - 8);
    *end = few - 8 * *each;
    return 0;
}

/* The latency of a multiply-add. Also stores the clocks of a loop's end in p->branch, which later
 * probes subtract. */
static int latency_alu(struct prober *p, double *v, struct err *e)
{
    return multiply_adds(p, v, &p->branch, e);
}

static int latency_branch(struct prober *p, double *v, struct err *e)
{
    double each;
    return multiply_adds(p, &each, v, e);
}

/* The clocks of a barrier without those that each warp of the block adds, which are subtracted. */
static int latency_barrier(struct prober *p, double *v, struct err *e)
{
    double few, many;
    if (slope(p, "meet_2", 1, 1 << 8, 1 << 12, 0, &few, e) ||
        slope(p, "meet_32", 1, 1 << 8, 1 << 12, 0, &many, e))
        return -1;
    *v = (few - p->branch) / MEETINGS - 2 * (many - few) / MEETINGS / (32 - 2);
    return 0;
}

/* ---- latency of loads ---- */

/* Clocks of a dependent shared load whose lanes are step words apart: 1 has no conflicts, 32 has
 * 32 wavefronts. */
static int shared_chain(struct prober *p, int step, double *v, struct err *e)
{
    if (slope(p, "chase_shared", 1, 1 << 10, 1 << 14, step, v, e)) return -1;
    *v = (*v - p->branch) / CHAIN;
    return 0;
}

static int latency_shared(struct prober *p, double *v, struct err *e)
{
    return shared_chain(p, 1, v, e);
}

/* Clocks of one more wavefront: the loads of the two chains take 1 and 32 wavefronts. */
static int latency_pass(struct prober *p, double *v, struct err *e)
{
    double one, all;
    if (shared_chain(p, 1, &one, e) || shared_chain(p, 32, &all, e)) return -1;
    *v = (all - one) / 31;
    return 0;
}

/* Clocks of a dependent global load along a ring of cells, step bytes apart. The first kernel
 * writes the ring. */
static int global_chain(
    struct prober *p, int cells, int step, int n0, int n1, double *v, struct err *e)
{
    double ms;
    if (launch(p, "ring", (unsigned)(cells + 255) / 256, cells, step, &ms, e) ||
        slope(p, "chase", 1, n0, n1, step, v, e))
        return -1;
    *v = (*v - p->branch) / CHAIN;
    return 0;
}

/* 16 cells fit into L1, so all rounds but the first hit there. */
static int latency_l1(struct prober *p, double *v, struct err *e)
{
    return global_chain(p, 16, 128, 1 << 10, 1 << 14, v, e);
}

/* The ring fills an eighth of L2. It is larger than L1, so each load misses L1 and hits L2. */
static int latency_l2(struct prober *p, double *v, struct err *e)
{
    int cells = (int)(p->l2_bytes / 8 / 128), round = cells / CHAIN;
    return global_chain(p, cells, 128, 2 * round, 4 * round, v, e);
}

/* No cell is visited twice, so each load misses both caches. */
static int latency_dram(struct prober *p, double *v, struct err *e)
{
    /* as many cells as the chase visits at most */
    int few = 1 << 16, cells = p->simulated ? few : few * MORE;
    return global_chain(p, cells, 1024, few / CHAIN / 4, few / CHAIN, v, e);
}

/* ---- throughput ---- */

/* Conversions run on the special function unit. */
static int sfu_lanes(struct prober *p, double *v, struct err *e)
{
    double clocks;
    if (slope(p, "convert", (unsigned)p->sms, 1 << 8, 1 << 10, 0, &clocks, e)) return -1;
    *v = 8 * WARPS * 32 / clocks;
    return 0;
}

/* Each load touches 32 lines, so the clocks of a load give lines per clock. */
static int tags_per_clock(struct prober *p, double *v, struct err *e)
{
    double clocks;
    if (slope(p, "lines", (unsigned)p->sms, 4, 16, 0, &clocks, e)) return -1;
    *v = 32 / (clocks / (WARPS * LOADS));
    return 0;
}

/* Each load has 32 wavefronts; with all warps busy, latency is hidden. */
static int pass_clocks(struct prober *p, double *v, struct err *e)
{
    double clocks;
    if (slope(p, "passes", (unsigned)p->sms, 4, 16, 32, &clocks, e)) return -1;
    *v = clocks / (WARPS * LOADS * 32);
    return 0;
}

/* Clocks per byte of a kernel that works on data that L2 holds: at most two fifths of L2, a
 * slice per multiprocessor. On a simulated device a few slices are enough. */
static int traffic(struct prober *p, const char *kernel, double *v, struct err *e)
{
    int slice = (int)(p->l2_bytes * 2 / 5 / (size_t)p->sms / SLICE * SLICE),
        most = p->simulated ? 3 * SLICE : slice;
    slice = slice < SLICE ? SLICE : slice > most ? most : slice;
    if (slope(p, kernel, (unsigned)p->sms, 4, 12, slice, v, e)) return -1;
    *v /= (double)slice * p->sms;
    return 0;
}

static int l2_bytes_per_clock(struct prober *p, double *v, struct err *e)
{
    if (traffic(p, "read_16", v, e)) return -1;
    *v = p->l2_read = 1 / *v;
    return 0;
}

/* The clocks of a byte written, divided by those of a byte read. */
static int over_reads(struct prober *p, const char *kernel, double *v, struct err *e)
{
    double written, rate;
    if ((p->l2_read == 0 && l2_bytes_per_clock(p, &rate, e)) || traffic(p, kernel, &written, e))
        return -1;
    *v = written * p->l2_read;
    return 0;
}

static int l2_write_cost(struct prober *p, double *v, struct err *e)
{
    return over_reads(p, "write_16", v, e);
}

static int l2_partial_cost(struct prober *p, double *v, struct err *e)
{
    return over_reads(p, "write_4", v, e);
}

static int l2_line_cost(struct prober *p, double *v, struct err *e)
{
    if (over_reads(p, "write_lines", v, e)) return -1;
    *v *= 4;
    return 0;
}

static int l2_request_cost(struct prober *p, double *v, struct err *e)
{
    if (over_reads(p, "read_lines", v, e)) return -1;
    *v *= 4;
    return 0;
}

static int atomics_per_clock(struct prober *p, double *v, struct err *e)
{
    if (traffic(p, "add_words", v, e)) return -1;
    *v = 1 / (4 * *v);
    return 0;
}

static int atomic_clocks(struct prober *p, double *v, struct err *e)
{
    if (slope(p, "add_word", 1, 1 << 4, 1 << 8, 0, v, e)) return -1;
    *v /= WARPS * 32;
    return 0;
}

/* The time of copying the first quarter is subtracted, and with it that of the launch. A copied
 * byte is read and written: hence the 2. */
static int dram_gbps(struct prober *p, double *v, struct err *e)
{
    int half = (int)(p->bytes / 2), few = half / 4;
    double t0, t1;
    if (launch(p, "stream", (unsigned)few / STREAM, few, half, &t0, e) ||
        launch(p, "stream", (unsigned)half / STREAM, half, half, &t1, e))
        return -1;
    *v = 2.0 * (half - few) / ((t1 - t0) * 1e6);
    return 0;
}

/* ---- blocks ---- */

/* Clocks that each further block of an empty kernel takes. */
static int blocks(struct prober *p, const char *kernel, double *v, struct err *e)
{
    unsigned few = 1024 * (unsigned)p->sms, many = 4 * few;
    double t0, t1;
    if (launch(p, kernel, few, 0, 0, &t0, e) || launch(p, kernel, many, 0, 0, &t1, e)) return -1;
    *v = (t1 - t0) * 1e6 * p->ghz / (many - few);
    return 0;
}

static int dispatch_clocks(struct prober *p, double *v, struct err *e)
{
    return blocks(p, "empty_256", v, e);
}

/* A multiprocessor holds one or two blocks of 1024 threads. Each such place starts a new block
 * after *v clocks, so the clocks per block are multiplied by the number of places. */
static int turnaround_clocks(struct prober *p, double *v, struct err *e)
{
    const struct model_profile *row = device_profile(p->device);
    int places = p->sms * (row ? row->max_threads / 1024 : 2);
    if (blocks(p, "empty_1024", v, e)) return -1;
    *v *= places;
    return 0;
}

/* ---- the table ---- */

/* For each field, a function that reads it from a profile. */
#define ROW(field) \
    static double row_##field(const struct model_profile *p) { return (double)p->field; }
/* clang-format off */
ROW(clock_ghz)
ROW(latency_alu)
ROW(latency_branch)
ROW(latency_barrier)
ROW(latency_shared)
ROW(latency_pass)
ROW(latency_l1)
ROW(latency_l2)
ROW(latency_dram)
ROW(sfu_lanes)
ROW(tags_per_clock)
ROW(pass_clocks)
ROW(l2_bytes_per_clock)
ROW(l2_write_cost)
ROW(l2_partial_cost)
ROW(l2_line_cost)
ROW(l2_request_cost)
ROW(atomics_per_clock)
ROW(atomic_clocks)
ROW(dram_gbps)
ROW(dispatch_clocks)
ROW(turnaround_clocks)
#undef ROW
#define PROBE(field, unit, how) {#field, unit, how, field, row_##field}

/* clang-format on */
const struct probe probes[] = {
    PROBE(clock_ghz, "GHz", "%clock64 beside %globaltimer"),
    PROBE(
        latency_alu, "clocks", "multiply-adds that follow each other: turns of 64 less turns of 8"),
    PROBE(latency_branch, "clocks", "what a turn of 8 takes beyond them"),
    PROBE(latency_barrier, "clocks", "barriers of 2 warps, less what each warp adds where 32 meet"),
    PROBE(
        latency_shared, "clocks", "a chain of shared loads, each address the value loaded before"),
    PROBE(latency_pass, "clocks",
        "the same with 32 words in one bank, less that without conflicts, a further pass"),
    PROBE(latency_l1, "clocks", "a chain of global loads along 16 lines, round after round"),
    PROBE(latency_l2, "clocks", "the same along lines that fill an eighth of the L2"),
    PROBE(latency_dram, "clocks", "the same along lines that nothing has read, 1 KiB apart"),
    PROBE(sfu_lanes, "lanes a clock", "32 warps, bytes to floats and back"),
    PROBE(tags_per_clock, "lines a clock", "32 warps, each load in 32 lines and 32 banks"),
    PROBE(pass_clocks, "clocks", "32 warps, shared loads of 32 words in one bank, a word"),
    PROBE(l2_bytes_per_clock, "bytes a clock",
        "16-byte loads of what the L2 holds, every multiprocessor another part each turn"),
    PROBE(l2_write_cost, "sectors read", "16-byte stores to the same, a byte, over such loads"),
    PROBE(l2_partial_cost, "sectors read", "4-byte stores to each of its sectors, over such loads"),
    PROBE(l2_line_cost, "sectors read", "the same to one sector of each line"),
    PROBE(l2_request_cost, "sectors read",
        "4-byte loads of one sector of each line, over such loads"),
    PROBE(atomics_per_clock, "lanes a clock", "additions to each of its words"),
    PROBE(atomic_clocks, "clocks", "additions of all lanes to one word, each"),
    PROBE(dram_gbps, "GB/s", "a copy, read and written, beyond its first quarter"),
    PROBE(dispatch_clocks, "clocks", "empty blocks of 256 threads, each"),
    PROBE(turnaround_clocks, "clocks", "empty blocks of 1024 threads, each of those a place"),
    {0},
};

/* ---- opening ---- */

enum { L2_UNKNOWN = 16 << 20, DATA = 1 << 30, DATA_SIMULATED = 1 << 28 };

/* The kernel "ticks" also stores the number of multiprocessors. The simulator's clock is that
 * of the profile. */
int probe_open(struct prober *p, struct device *d, struct module *module, struct err *e)
{
    const struct model_profile *row = device_profile(d);
    uint64_t ticks[3] = {0};
    double ms;
    *p = (struct prober){
        .device = d, .module = module, .simulated = device_simulated(device_name(d))};
    p->bytes = p->simulated ? DATA_SIMULATED : DATA;
    p->l2_bytes = row && row->l2_bytes ? (size_t)row->l2_bytes : L2_UNKNOWN;
    if (row && row->max_block_threads < 1024)
        return err_set(e, ERR_USAGE,
            "probe: %s has blocks of %d threads at most; the probes' have 1024", row->title,
            row->max_block_threads);
    if (device_alloc(d, p->bytes, "data", 1, &p->data, e) ||
        launch(p, "clear", (unsigned)(p->bytes / SLICE), 0, 0, &ms, e) ||
        launch(p, "ticks", 1, 1 << 18, 0, &ms, e) ||
        device_copy_out(d, ticks, p->data, sizeof ticks, e))
        return -1;
    p->sms = (int)ticks[2];
    p->ghz = p->simulated ? row->clock_ghz : (double)ticks[0] / (double)ticks[1];
    return 0;
}

void probe_close(struct prober *p)
{
    if (p->data) device_free(p->device, p->data, NULL);
    *p = (struct prober){0};
}
