/* test_sim.c - the simulator against the hardware: what one H200 counted, reproduced to the
 * digit. */
#include "fronts.h"
#include "model/profiles.h"
#include "ptxas/ptxas.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- the truth ----
 * Measured on an H200 at N = 1024 (A of A A^T is 1024 x 32). Requests, sectors and instructions are
 * exact there, too. Wavefronts and conflicts carry arbitration noise on hardware; here they are
 * what remains without it. Stores to global memory grow as N^2, all loads as N^depth. */

struct truth {
    const char *file, *kernel;
    unsigned tile[2], block[2];
    int depth;
    int thin; /* the second dimension is 32 */
    double gld_requests, gld_sectors, gst_requests, gst_sectors;
    double sld_inst, sld_wavefronts, sld_conflicts, sst_inst, sst_wavefronts, sst_conflicts;
};

static const struct truth truths[] = {
    {"truth_product_row.cu", "matmul", {16, 16}, {16, 16}, 3, 0, 67108864, 570425344, 32768, 524288,
        0, 0, 0, 0, 0, 0},
    {"truth_product_column.cu", "matmul", {32, 8}, {32, 8}, 3, 0, 67108864, 167772160, 32768,
        131072, 0, 0, 0, 0, 0, 0},
    {"truth_product_shared.cu", "matmul", {32, 32}, {32, 32}, 3, 0, 2097152, 8388608, 32768, 131072,
        41943040, 50331648, 0, 2097152, 2097152, 0},
    {"truth_aat_naive.cu", "aat", {32, 32}, {32, 32}, 2, 1, 2097152, 34603008, 32768, 131072, 0, 0,
        0, 0, 0, 0},
    {"truth_aat_shared.cu", "aat", {32, 32}, {32, 32}, 2, 1, 65536, 262144, 32768, 131072, 1310720,
        1572864, 0, 65536, 1081344, 1015808},
    {"truth_aat_padded.cu", "aat", {32, 32}, {32, 32}, 2, 1, 65536, 262144, 32768, 131072, 1310720,
        1572864, 0, 65536, 65536, 0},
    {"truth_transpose_naive.cu", "transpose", {32, 16}, {32, 16}, 2, 0, 32768, 131072, 32768,
        1048576, 0, 0, 0, 0, 0, 0},
    {"truth_transpose_shared.cu", "transpose", {32, 32}, {32, 8}, 2, 0, 32768, 131072, 32768,
        131072, 32768, 1048576, 1015808, 32768, 32768, 0},
    {"truth_transpose_pad1.cu", "transpose", {32, 32}, {32, 8}, 2, 0, 32768, 131072, 32768, 131072,
        32768, 32768, 0, 32768, 32768, 0},
    {"truth_transpose_pad2.cu", "transpose", {32, 32}, {32, 8}, 2, 0, 32768, 131072, 32768, 131072,
        32768, 65536, 32768, 32768, 32768, 0},
};
enum { TRUTHS = sizeof truths / sizeof *truths };

/* One launch of a truth: buffers a, b, c of n * n floats, filled so that the result says
 * something. */
struct run {
    struct device *device;
    struct module *module;
    dev_ptr in[2], out;
    int n;
    struct measurement m;
    float *result;
};

static float input(int buffer, size_t i)
{
    return (float)((i * 7 + (size_t)buffer * 3) % 16) / 8 - 1;
}

static unsigned sample, sample_sms; /* blocks per multiprocessor; multiprocessors; 0: all */

static struct device_settings settings; /* settings of the next runs */

static void run_truth(struct run *r, const struct truth *t, const struct compiled *c, int n)
{
    struct err e = {0};
    size_t count = (size_t)n * (size_t)n;
    float *host = xcalloc(count, sizeof *host);
    *r = (struct run){.n = n, .result = xcalloc(count, sizeof *host)};
    r->module = open_and_load("sim:h200", c, &r->device);
    *device_settings(r->device) = settings;
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < count; i++) host[i] = input(k, i);
        ck_assert_msg(
            !device_alloc(r->device, 4 * count, k ? "b" : "a", 4, &r->in[k], &e), "%s", e.text);
        ck_assert(!device_copy_in(r->device, r->in[k], host, 4 * count, &e));
    }
    ck_assert_msg(!device_alloc(r->device, 4 * count, "c", 4, &r->out, &e), "%s", e.text);
    int w = t->thin ? 32 : n;
    const void *product[] = {&r->in[0], &r->in[1], &r->out, &n, &n, &n},
               *other[] = {&r->in[0], &r->out, &n, &w};
    struct launch_shape s = {.grid = {(unsigned)n / t->tile[0], (unsigned)n / t->tile[1], 1},
        .block = {t->block[0], t->block[1], 1},
        .sample = sample,
        .sample_sms = sample_sms};
    struct kernel *k = module_kernel(r->module, t->kernel);
    ck_assert_ptr_nonnull(k);
    ck_assert_msg(
        !device_launch(r->device, k, &s, strcmp(t->kernel, "matmul") ? other : product, &r->m, &e),
        "%s", e.text);
    ck_assert(!device_copy_out(r->device, r->result, r->out, 4 * count, &e));
    free(host);
}

static void end_run(struct run *r)
{
    measurement_free(&r->m);
    free(r->result);
    device_unload(r->device, r->module);
    device_close(r->device);
}

/* The right result at (row, col). Inputs are multiples of 1/8 between -1 and 1: sums are exact. */
static float expected(const struct truth *t, int n, size_t row, size_t col)
{
    double sum = 0;
    size_t N = (size_t)n;
    if (!strcmp(t->kernel, "transpose")) return input(0, col * N + row);
    for (size_t i = 0; i < (t->thin ? 32 : N); i++)
        sum += t->thin ? (double)input(0, row * 32 + i) * input(0, col * 32 + i)
                       : (double)input(0, row * N + i) * input(1, i * N + col);
    return (float)sum;
}

static void check_result(const struct truth *t, const struct run *r)
{
    for (int i = 0; i < 2000; i++) {
        size_t at = (size_t)i * 7919 % ((size_t)r->n * (size_t)r->n), row = at / (size_t)r->n,
               col = at % (size_t)r->n;
        ck_assert_msg(r->result[at] == expected(t, r->n, row, col), "%s: c[%zu][%zu] is %g, not %g",
            t->file, row, col, r->result[at], expected(t, r->n, row, col));
    }
}

static void check_counters(const struct truth *t, const struct run *r, const char *front)
{
    double whole = pow(r->n / 1024.0, t->depth), stored = pow(r->n / 1024.0, 2);
    const struct {
        enum metric metric;
        double want;
    } rows[] = {
        {METRIC_GLD_REQUESTS, t->gld_requests * whole},
        {METRIC_GLD_SECTORS, t->gld_sectors * whole},
        {METRIC_GST_REQUESTS, t->gst_requests * stored},
        {METRIC_GST_SECTORS, t->gst_sectors * stored},
        {METRIC_SLD_INST, t->sld_inst * whole},
        {METRIC_SLD_WAVEFRONTS, t->sld_wavefronts * whole},
        {METRIC_SLD_CONFLICTS, t->sld_conflicts * whole},
        {METRIC_SST_INST, t->sst_inst * whole},
        {METRIC_SST_WAVEFRONTS, t->sst_wavefronts * whole},
        {METRIC_SST_CONFLICTS, t->sst_conflicts * whole},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(r->m.metrics.v[rows[i].metric] == rows[i].want,
            "%s by %s: %s is %.0f; the H200 counted %.0f", t->file, front,
            model_metrics[rows[i].metric].ncu, r->m.metrics.v[rows[i].metric], rows[i].want);
}

/* Under the sanitizers a small size has to be enough. */
static int truth_size(void) { return getenv("LOCKSTEP_SANITIZED") ? 64 : 1024; }

START_TEST(counters_are_the_hardware_s)
{
    const struct truth *t = &truths[_i / FRONTS];
    if (_i % FRONTS >= front_count) SKIP("one of clang and nvcc is not installed");
    struct compiled c = compile_test_kernel(_i % FRONTS, t->file);
    struct run r;
    run_truth(&r, t, &c, truth_size());
    check_counters(t, &r, fronts[_i % FRONTS].name);
    check_result(t, &r);
    end_run(&r);
    compiled_free(&c);
}
END_TEST

/* Every block of these kernels does the same, so two blocks for each multiprocessor are enough to
 * count them all, and so are the blocks that four multiprocessors hold at once. If all blocks run
 * and only eight multiprocessors count, the output is complete. */
START_TEST(a_sample_counts_for_the_whole)
{
    int n = getenv("LOCKSTEP_SANITIZED") ? 256 : 1024, by_sms = _i % 3 == 1, all_run = _i % 3 == 2;
    const struct truth *t = &truths[_i / 3];
    struct compiled c = compile_test_kernel(0, t->file);
    struct run whole, part;
    run_truth(&whole, t, &c, n);
    sample = by_sms || all_run ? 0 : 2;
    sample_sms = by_sms ? 4 : 0;
    settings.count_sms = all_run ? 8 : 0;
    run_truth(&part, t, &c, n);
    sample = sample_sms = 0;
    settings = (struct device_settings){0};
    check_counters(t, &part, "clang, sampled");
    if (all_run)
        check_result(t, &part);
    else if (whole.m.metrics.v[METRIC_GST_REQUESTS] > 8 * 264) /* more blocks than are run */
        ck_assert_msg(
            memcmp(whole.result, part.result, 4 * (size_t)n * (size_t)n), "every block ran");
    /* A sample's caches hold other lines: those that later blocks would find again weigh more. */
    ck_assert_msg(part.m.ms > 0.8 * whole.m.ms && part.m.ms < 1.25 * whole.m.ms,
        "%s: %g ms from a sample, %g ms from all", t->file, part.m.ms, whole.m.ms);
    end_run(&whole);
    end_run(&part);
    compiled_free(&c);
}
END_TEST

/* ---- loads that are late ---- */

/* 8 warps, 16 rounds: warp w in round i loads 128 bytes at w * OWN + i * NEXT. */
#define ROUNDS(own, next) \
    ".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"t.cu\"\n.entry k(.param .u64 a) {\n" \
    ".reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f; .reg .pred %p;\n.loc 1 1 1\n" \
    "ld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; shr.u32 %r3, %r1, 5;" \
    "mul.wide.u32 %d2, %r2, 4;\n" \
    "mul.wide.u32 %d3, %r3, " #own \
    "; add.s64 %d1, %d1, %d2; add.s64 %d1, %d1, %d3; mov.u32 %r4, 0;\n" \
    "L: ld.global.f32 %f, [%d1]; add.s64 %d1, %d1, " #next \
    "; add.u32 %r4, %r4, 1; setp.lt.u32 %p, %r4, 16;" \
    "@%p bra L; ret; }\n"

/* 256 threads access words that lie 64 bytes apart. */
#define SPREAD(access) \
    ".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"t.cu\"\n.entry k(.param .u64 a) {\n" \
    ".reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f;\n.loc 1 1 1\n" \
    "ld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 64; add.s64 %d1, %d1, %d2; " access \
    "; ret; }\n"

static const struct lateness {
    const char *ptx;
    unsigned late, together; /* sectors, of 8 warps x 16 rounds x 4 */
} lateness[] = {
    {ROUNDS(2048, 128), 512, 0}, /* each warp fetches lines of its own */
    /* all warps load the line that one of them fetches: each waits for it */
    {ROUNDS(0, 128), 512, 512},
    {ROUNDS(2048, 0), 32, 0}, /* one line per warp, fetched in the first round */
    {ROUNDS(0, 0), 32, 32},   /* one line, which all warps wait for in the first round */
    /* warp w's line is warp w - 1's next: one new line a round */
    {ROUNDS(128, 128), 8 * 4 + 15 * 4, 0},
};

static void run_once(const char *ptx, const char *gpu, struct sim_shape shape,
    const struct sim_options *options, struct sim_result *r)
{
    struct err e = {0};
    struct ptx_module *m = NULL;
    struct ptx_program *p = NULL;
    ck_assert_msg(!ptx_parse(ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &p, &e),
        "%s", e.text);
    const struct ptxas_target h200 = {FEATURES_9_0, 32, 8};
    ptxas_assemble(p, &h200);
    uint64_t variables[1] = {0};
    struct sim_kernel *k = sim_kernel_new(p, variables, "t.cu");
    struct sim_memory *memory = sim_memory_new();
    uint64_t a = sim_alloc(memory, 1 << 18, "a", 4, 0);
    ck_assert_msg(
        !sim_launch(k, memory, model_profile_find(gpu), &shape, &a, options, r, &e), "%s", e.text);
    sim_kernel_free(k);
    sim_memory_free(memory);
    ptx_module_free(m);
}

static void run_ptx(const char *ptx, const char *gpu, unsigned blocks, struct sim_result *r)
{
    run_once(ptx, gpu, (struct sim_shape){{blocks, 1, 1}, {256, 1, 1}, 0}, NULL, r);
}

START_TEST(loads_are_late_where_a_line_comes_from_afar)
{
    const struct lateness *t = &lateness[_i];
    struct sim_result r = {0};
    uint64_t followed = 0, late = 0, together = 0;
    run_ptx(t->ptx, "h200", 1, &r);
    for (size_t i = 0; i < r.step_count; i++) {
        followed += r.steps[i].followed;
        late += r.steps[i].late;
        together += r.steps[i].together;
    }
    ck_assert_uint_eq(followed, 512);
    ck_assert_uint_eq(late, t->late);
    ck_assert_uint_eq(together, t->together);
    sim_result_free(&r);
}
END_TEST

/* ---- asynchronous copies that are under way together ---- */

/* Each thread has a ring of 8 pieces of 16 bytes, and waits until only `leaves` groups of copies
 * are in flight. Returns the critical path in clocks. */
static double ring_clocks(int leaves)
{
    char *ptx = xasprintf(
        ".version 7.5\n.target sm_80\n.address_size 64\n.file 1 \"t.cu\"\n"
        ".shared .align 16 .b8 s[32768];\n.entry k(.param .u64 a) {\n"
        ".reg .b32 %%r<9>; .reg .b64 %%d<4>; .reg .f32 %%f<4>; .reg .pred %%p;\n.loc 1 1 1\n"
        "ld.param.u64 %%d1, [a]; mov.u32 %%r1, %%tid.x;"
        "mul.wide.u32 %%d2, %%r1, 16; add.s64 %%d1, %%d1, %%d2; mov.u32 %%r2, s;"
        "shl.b32 %%r3, %%r1, 4; add.u32 %%r2, %%r2, %%r3; mov.u32 %%r4, 0;\n"
        "F: shl.b32 %%r5, %%r4, 12; add.u32 %%r6, %%r2, %%r5; cp.async.cg.shared.global [%%r6], [%%d1], 16;"
        "cp.async.commit_group; add.s64 %%d1, %%d1, 4096; add.u32 %%r4, %%r4, 1;"
        "setp.lt.u32 %%p, %%r4, 8; @%%p bra F;\n"
        "L: cp.async.wait_group %d; and.b32 %%r5, %%r4, 7; shl.b32 %%r5, %%r5, 12; add.u32 %%r6, %%r2, %%r5;"
        "ld.shared.f32 %%f1, [%%r6]; st.global.f32 [%%d1+-32768], %%f1;"
        "cp.async.cg.shared.global [%%r6], [%%d1], 16; cp.async.commit_group;"
        "add.s64 %%d1, %%d1, 4096; add.u32 %%r4, %%r4, 1; setp.lt.u32 %%p, %%r4, 60; @%%p bra L; ret; }\n",
        leaves);
    struct sim_result r = {0};
    run_ptx(ptx, "h200", 1, &r);
    double clocks = r.work.critical_path;
    sim_result_free(&r);
    free(ptx);
    return clocks;
}

START_TEST(copies_under_way_share_their_latency)
{
    double one = ring_clocks(0), two = ring_clocks(1), eight = ring_clocks(7);
    ck_assert_msg(one > 1.8 * two && one < 2.1 * two, "1: %g clocks, 2: %g", one, two);
    ck_assert_msg(one > 5 * eight && one < 8.5 * eight, "1: %g clocks, 8: %g", one, eight);
}
END_TEST

/* ---- blocks that are on a multiprocessor together ---- */

/* Each 256 threads read `rows` rows, 8 times over: lanes are `lane` bytes apart, rows `row` bytes;
 * the i-th 256 threads begin at i * own. */
#define SWEEPS(own, lane, row, rows, meet) \
    ".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"t.cu\"\n.extern .shared .align 4 .b8 s[];\n" \
    ".entry k(.param .u64 a) {\n" \
    ".reg .b32 %r<12>; .reg .b64 %d<8>; .reg .f32 %f; .reg .pred %p;\n.loc 1 1 1\n" \
    "ld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;" \
    "mad.lo.u32 %r4, %r2, %r3, %r1;\n" \
    "shr.u32 %r5, %r4, 8; and.b32 %r6, %r4, 255; mul.wide.u32 %d2, %r5, " #own ";" \
    "mul.wide.u32 %d3, %r6, " #lane ";\n" \
    "add.s64 %d1, %d1, %d2; add.s64 %d1, %d1, %d3; mov.u32 %r7, 0;\n" \
    "R: mov.u64 %d4, %d1; mov.u32 %r8, 0; " meet "\n" \
    "L: ld.global.f32 %f, [%d4]; add.s64 %d4, %d4, " #row "; add.u32 %r8, %r8, 1;" \
    "setp.lt.u32 %p, %r8, " #rows "; @%p bra L;\n" \
    "add.u32 %r7, %r7, 1; setp.lt.u32 %p, %r7, 8; @%p bra R; ret; }\n"

/* On tiny: 2 multiprocessors, each with an L1 of 256 lines, room for 1024 threads and 64 KiB of
 * shared memory. */
static const struct neighbours {
    const char *what;
    unsigned blocks, threads, shared;
    double least, most; /* sectors that miss L1 */
} neighbours[] = {
    {"one block: it reads its 384 sectors once", 2, 256, 0, 2 * 384, 2 * 384},
    {"four, one after the other, since each takes 40 KiB of shared memory: each reads its own once",
        8, 256, 40 << 10, 8 * 384, 8 * 384},
    {"two side by side fit L1, but for some of its sets", 4, 256, 0, 4 * 384, 0.4 * 4 * 8 * 384},
    {"four side by side want 384 lines, in turn: hardly one is still there when its turn comes", 8,
        256, 0, 0.8 * 8 * 8 * 384, 8 * 8 * 384},
    {"and so do the 32 warps of one block", 2, 1024, 0, 0.8 * 8 * 8 * 384, 8 * 8 * 384},
};

START_TEST(resident_blocks_share_l1)
{
    const struct neighbours *t = &neighbours[_i];
    struct sim_shape shape = {{t->blocks, 1, 1}, {t->threads, 1, 1}, t->shared};
    struct sim_result first = {0};
    for (int threads = 1; threads <= 2; threads++) {
        struct sim_options options = {.threads = threads};
        struct sim_result r = {0};
        /* 12 KiB for each 256 threads: 96 lines */
        run_once(SWEEPS(12288, 4, 1024, 12, ""), "tiny", shape, &options, &r);
        double reads = r.metrics.v[METRIC_L2_READ_SECTORS];
        ck_assert_msg(reads >= t->least && reads <= t->most, "%s: %g sectors", t->what, reads);
        if (threads == 1)
            first = r;
        else
            ck_assert_msg(
                r.time.ms == first.time.ms && reads == first.metrics.v[METRIC_L2_READ_SECTORS],
                "%s: not the same twice", t->what);
        if (threads > 1) sim_result_free(&r);
    }
    sim_result_free(&first);
}
END_TEST

/* ---- the L2's two sides ---- */

static const struct sides {
    const char *what, *ptx, *gpu;
    unsigned blocks;
    double reads, writes, dram; /* sectors that the L2 counts; DRAM's bytes in sectors */
    double slack;               /* relative; a hash chooses the side of each line */
} sides[] = {
    {"one side counts what it is asked", ROUNDS(2048, 128), "tiny", 1, 512, 0, 512, 0},
    {"half of the lines come from the far side: both count", ROUNDS(2048, 128), "h200", 1, 768, 0,
        512, 0.1},
    {"a sector in each 64 bytes: the far side and DRAM deal in two",
        SPREAD("ld.global.f32 %f, [%d1]"), "h200", 1, 512, 0, 512, 0.1},
    {"and in one where they deal in sectors", SPREAD("ld.global.f32 %f, [%d1]"), "v100", 1, 256, 0,
        256, 0},
    {"blocks 0 and 1 run beside each other and read the same: once", ROUNDS(2048, 128), "h200", 2,
        768, 0, 512, 0.1},
    {"but not where nothing merges their reads", ROUNDS(2048, 128), "v100", 2, 1024, 0, 512, 0},
    {"stores go through to the far side", SPREAD("st.global.f32 [%d1], 0f00000000"), "h200", 1, 0,
        384, 0, 0.1},
};

START_TEST(both_sides_of_the_l2_count)
{
    const struct sides *t = &sides[_i];
    struct sim_result r = {0};
    run_ptx(t->ptx, t->gpu, t->blocks, &r);
    const double *v = r.metrics.v, got[] = {v[METRIC_L2_READ_SECTORS], v[METRIC_L2_WRITE_SECTORS],
                                       v[METRIC_DRAM_READ_BYTES] / 32};
    const double want[] = {t->reads, t->writes, t->dram};
    for (int i = 0; i < 3; i++)
        ck_assert_msg(fabs(got[i] - want[i]) <= t->slack * want[i], "%s: %s is %g, not %g", t->what,
            (const char *[]){"read", "written", "of DRAM"}[i], got[i], want[i]);
    ck_assert_msg(v[METRIC_DRAM_WRITE_BYTES] == 0, "%s: it fits, and yet is written back", t->what);
    sim_result_free(&r);
}
END_TEST

/* ---- what must not depend on how the host runs it ---- */

static void same_run(const struct run *a, const struct run *b, const char *how)
{
    ck_assert_msg(
        !memcmp(a->result, b->result, 4 * (size_t)a->n * (size_t)a->n), "%s: other results", how);
    for (int i = 0; i < METRIC_COUNT; i++)
        ck_assert_msg(!memcmp(&a->m.metrics.v[i], &b->m.metrics.v[i], 8),
            "%s: %s is %.17g, not %.17g", how, model_metrics[i].ncu, b->m.metrics.v[i],
            a->m.metrics.v[i]);
    ck_assert_msg(a->m.ms == b->m.ms, "%s: %.9g ms, not %.9g", how, b->m.ms, a->m.ms);
    ck_assert_uint_eq(a->m.line_count, b->m.line_count);
    for (size_t l = 0; l < a->m.line_count; l++) {
        ck_assert_int_eq(a->m.lines[l].line, b->m.lines[l].line);
        ck_assert_mem_eq(
            &a->m.lines[l].metrics, &b->m.lines[l].metrics, sizeof a->m.lines[l].metrics);
    }
}

START_TEST(threads_and_masks_of_the_host_change_nothing)
{
    static const struct device_settings ways[] = {{1, 0}, {2, 0}, {3, 0}, {7, 0}, {2, 1}};
    struct compiled c = compile_test_kernel(0, truths[_i].file);
    struct run first;
    for (int i = 0; i < 5; i++) {
        struct run r;
        char how[96];
        snprintf(how, sizeof how, "%s, %d threads%s", truths[_i].file, ways[i].threads,
            ways[i].masked ? ", masked" : "");
        settings = ways[i];
        run_truth(&r, &truths[_i], &c, 128);
        settings = (struct device_settings){0};
        if (!i) {
            first = r;
            continue;
        }
        same_run(&first, &r, how);
        end_run(&r);
    }
    end_run(&first);
    compiled_free(&c);
}
END_TEST

/* An instruction is charged to one line: the lines add up to the launch. */
START_TEST(lines_add_up)
{
    struct compiled c = compile_test_kernel(0, "truth_product_shared.cu");
    struct run r;
    run_truth(&r, &truths[2], &c, 64);
    for (int i = 0; i <= METRIC_SATOM_INST; i++) {
        double sum = 0;
        for (size_t l = 0; l < r.m.line_count; l++)
            if (!isnan(r.m.lines[l].metrics.v[i])) sum += r.m.lines[l].metrics.v[i];
        ck_assert_msg(sum == r.m.metrics.v[i], "%s: the lines have %g, the launch %g",
            model_metrics[i].ncu, sum, r.m.metrics.v[i]);
    }
    end_run(&r);
    compiled_free(&c);
}
END_TEST

int main(void)
{
    fronts_open();
    Suite *suite = suite_create("sim");
    TCase *c = tcase_create("truth");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, counters_are_the_hardware_s, 0, TRUTHS * FRONTS);
    tcase_add_loop_test(c, a_sample_counts_for_the_whole, 0, 3 * TRUTHS);
    tcase_add_loop_test(
        c, loads_are_late_where_a_line_comes_from_afar, 0, sizeof lateness / sizeof *lateness);
    tcase_add_test(c, copies_under_way_share_their_latency);
    tcase_add_loop_test(c, resident_blocks_share_l1, 0, sizeof neighbours / sizeof *neighbours);
    tcase_add_loop_test(c, both_sides_of_the_l2_count, 0, sizeof sides / sizeof *sides);
    suite_add_tcase(suite, c);
    c = tcase_create("host");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, threads_and_masks_of_the_host_change_nothing, 0, TRUTHS);
    tcase_add_test(c, lines_add_up);
    suite_add_tcase(suite, c);
    int failed = suite_run(suite);
    fronts_close();
    return failed;
}
