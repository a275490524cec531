/* test_model_time.c - the time model: by hand on tiny, against kernels measured on an H200, and
 * never faster for more work. */
#include "base/base.h"
#include "model/model.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct model_profile *profile(const char *name)
{
    const struct model_profile *p = model_profile_find(name);
    ck_assert_msg(p != NULL, "no profile %s", name);
    return p;
}

static int part(const char *name)
{
    for (int i = PART_NONE + 1; i < MODEL_PARTS; i++)
        if (strcmp(model_part_names[i], name) == 0) return i;
    ck_abort_msg("no part %s", name);
    return -1;
}

/* ---- by hand, on tiny: 2 multiprocessors at 1 GHz, so that a clock is a nanosecond ---- */

/* Two blocks of a warp: one on each multiprocessor. */
static struct model_work two_blocks(void)
{
    return (struct model_work){.blocks = 2, .block_threads = 32, .registers = 16};
}

static void expect_part(struct model_work w, const char *name, double clocks)
{
    struct model_time t = model_time(profile("tiny"), &w);
    int i = part(name);
    ck_assert_msg(t.part_ms[i] > 0.999e-6 * clocks && t.part_ms[i] < 1.001e-6 * clocks,
        "%s takes %g clocks, not %g", name, t.part_ms[i] * 1e6, clocks);
    ck_assert_msg(t.ms >= t.part_ms[i], "the whole is shorter than %s", name);
    if (clocks > 2000) /* longer than the start, about 1000 clocks: no other part is busy */
        ck_assert_str_eq(model_part_names[t.bottleneck], name);
}

static double clocks_of(const struct model_profile *p, const struct model_work *w, const char *name)
{
    return model_time(p, w).part_ms[part(name)] * p->clock_ghz * 1e6;
}

START_TEST(parts_by_hand)
{
    struct model_work w;
    w = two_blocks(), w.inst = 10000;
    expect_part(w, "issue", 5000); /* 1 instruction per clock on each of 2 multiprocessors */
    /* a multiprocessor has 32 lanes for floats */
    w = two_blocks(), w.fp32 = 10000;
    expect_part(w, "float pipe", 5000);
    /* 32 lanes for integers */
    w = two_blocks(), w.integer = 10000;
    expect_part(w, "integer pipe", 5000);
    /* 16 lanes for doubles */
    w = two_blocks(), w.fp64 = 10000;
    expect_part(w, "double pipe", 10000);
    /* 8 lanes for special functions */
    w = two_blocks(), w.sfu = 10000;
    expect_part(w, "special functions", 20000);
    /* conversions run on the same 8 lanes */
    w = two_blocks(), w.convert = 10000;
    expect_part(w, "special functions", 20000);
    w = two_blocks(), w.to_float = 10000;
    expect_part(w, "integer pipe", 5000);
    w = two_blocks(), w.lsu = 10000;
    expect_part(w, "L1 and shared memory", 5000);
    w = two_blocks(), w.tags = 40000;
    expect_part(w, "L1 and shared memory", 5000); /* 4 look-ups of lines per clock */
    w = two_blocks(), w.global_wavefronts = 7000, w.shared_wavefronts = 3000;
    expect_part(w, "L1 and shared memory", 5000); /* one pipe for both kinds of wavefronts */
    w = two_blocks(), w.l2_sectors = 20000;
    expect_part(w, "L2", 5000); /* 128 bytes per clock */
    /* 8 atomic operations per clock */
    w = two_blocks(), w.atomics = 40000;
    expect_part(w, "atomics", 5000);
    w.atomic_clocks = 10000;
    expect_part(w, "atomics", 10000); /* busy clocks of the busiest L2 slice */
    w = two_blocks(), w.dram_bytes = 320000;
    expect_part(w, "DRAM", 5000); /* 64 bytes per clock */
    w.dram_busiest = 640000;
    expect_part(w, "DRAM", 10000); /* half of the partitions are idle */
    w = two_blocks(), w.block_threads = 1024, w.dram_bytes = 640000, w.l2_sectors = 32000;
    expect_part(w, "DRAM", 10000);
    w = two_blocks(), w.critical_path = 5000;
    expect_part(w, "latency", 5000);
    w = two_blocks(), w.blocks = 5000;
    expect_part(w, "dispatch", 5000);
}
END_TEST

/* As on 6.1: shared memory and two L1s beside it are three units. */
START_TEST(l1s_apart_from_shared_memory)
{
    struct model_profile p = *profile("tiny");
    struct model_work w = two_blocks();
    p.l1_units = 2;
    w.global_wavefronts = 14000, w.shared_wavefronts = 6000, w.tags = 80000;
    ck_assert_double_eq_tol(
        clocks_of(&p, &w, "L1 and shared memory"), 3500, 1e-6); /* 2 x 2 L1 units */
    w.shared_wavefronts = 10000;
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L1 and shared memory"), 5000, 1e-6);
}
END_TEST

/* tiny's L2 gives 4 sectors a clock. If a multiprocessor takes only one a clock, two take 2 and a
 * single one 1. */
START_TEST(few_multiprocessors_cannot_keep_l2_busy)
{
    struct model_profile p = *profile("tiny");
    struct model_work w = two_blocks();
    w.l2_sectors = 20000;
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 5000, 1e-6);
    p.l2_sm_bytes = 32;
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 10000, 1e-6);
    w.blocks = 1;
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 20000, 1e-6);
    w.l2_writes = w.l2_partial = 5000; /* partial writes cost no more here */
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 20000, 1e-6);
}
END_TEST

/* The L2 serves 4 sectors a clock. 1000 sectors are written in part: each costs as much as 3 that
 * are read, or each of their lines as much as 8; the larger counts. */
START_TEST(sectors_written_in_part_cost_by_the_sector_or_the_line)
{
    struct model_profile p = *profile("tiny");
    struct model_work w = two_blocks();
    p.l2_partial_cost = 3;
    p.l2_line_cost = 8;
    w.l2_sectors = w.l2_writes = w.l2_partial = 1000;
    w.l2_partial_lines = 250;
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 1000 * 3 / 4.0, 1e-6);
    w.l2_partial_lines = 500;
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 500 * 8 / 4.0, 1e-6);
    w.l2_partial = w.l2_partial_lines = 0;
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 1000 / 4.0, 1e-6);
}
END_TEST

/* Half of the stored sectors go through the link between the two halves of the L2; a sector that is
 * read through it costs as much. A line with atomics is looked up one and a half times. */
START_TEST(the_link_and_atomics_in_the_l2_by_hand)
{
    struct model_profile p = *profile("tiny");
    struct model_work w = two_blocks();
    p.l2_write_cost = 1.8, p.l2_partial_cost = 2, p.l2_request_cost = 2;
    w.l2_sectors = w.l2_writes = 1000;
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 1800 / 4.0, 1e-6);
    w.l2_writes = 0, w.l2_far = 500;
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 1800 / 4.0, 1e-6);
    w.l2_sectors = w.l2_far = 0;
    w.atomic_lines = 1000, w.atomic_sectors = 1000;
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 3000 / 4.0, 1e-6);
    w.atomic_sectors = 4000;
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 8000 / 4.0, 1e-6);
}
END_TEST

/* A block of 32 warps on each of 2 multiprocessors. Each warp has 2 parameters, 10 barriers and 2
 * more instructions, of 2 clocks each, for the divergence unit. */
START_TEST(barriers_by_hand)
{
    struct model_work w = two_blocks();
    w.block_threads = 1024;
    w.constants = 2 * 32 * 2, w.barriers = 2 * 32 * 10;
    ck_assert_double_eq_tol(
        model_time(profile("tiny"), &w).ms, (1000 + 2 + 32 * 14 * 2) * 1e-6, 1e-9);
}
END_TEST

/* DRAM is the limit if it moves 60% of the datasheet's bytes. */
START_TEST(dram_is_named_by_its_peak)
{
    struct model_profile p = *profile("tiny");
    struct model_work w = two_blocks();
    w.block_threads = 1024, w.dram_bytes = 640000, w.l2_sectors = 34000;
    ck_assert_int_eq(model_time(&p, &w).bottleneck, PART_DRAM);
    p.dram_peak_gbps = 80;
    ck_assert_int_eq(model_time(&p, &w).bottleneck, PART_L2);
}
END_TEST

/* 1 us to launch, 2 blocks handed out in 2 clocks, 400 clocks until the first data, 5000 clocks of
 * DRAM. */
START_TEST(start_by_hand)
{
    struct model_work w = two_blocks();
    w.dram_bytes = 320000;
    ck_assert_double_eq_tol(
        model_time(profile("tiny"), &w).ms, (1000 + 2 + 400 + 5000) * 1e-6, 1e-12);
    w = two_blocks();
    w.inst = 2;
    struct model_time t = model_time(profile("tiny"), &w);
    ck_assert_double_eq_tol(
        t.ms, (1000 + 2 + 2) * 1e-6, 1e-12); /* the 2 blocks take longer than the instruction */
    ck_assert_int_eq(t.bottleneck, PART_LAUNCH);
}
END_TEST

/* 3 blocks on 2 multiprocessors: the busier one has two thirds of the work, not half. */
START_TEST(small_grids_are_uneven)
{
    struct model_work w = two_blocks();
    w.blocks = 3;
    w.inst = 30000;
    expect_part(w, "issue", 20000);
    w.blocks = 4;
    w.inst = 40000;
    expect_part(w, "issue", 20000);
    w.blocks = 1;
    w.inst = 10000;
    ck_assert_double_eq_tol(clocks_of(profile("tiny"), &w, "issue"), 10000, 1e-6);
    /* half of the GPU is idle */
    ck_assert_int_eq(model_time(profile("tiny"), &w).bottleneck, PART_LATENCY);
    w.blocks = 4;
    w.busiest = 0.75; /* blocks of unequal work */
    ck_assert_double_eq_tol(clocks_of(profile("tiny"), &w, "issue"), 7500, 1e-6);
}
END_TEST

/* The L2 serves 4 sectors a clock. A request takes at least as long as 2 sectors. */
START_TEST(requests_to_the_l2_take_a_lookup)
{
    struct model_profile p = *profile("tiny");
    struct model_work w = two_blocks();
    p.l2_request_cost = 2;
    w.l2_sectors = w.l2_requests = 1000;
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 500, 1e-6);
    w.l2_sectors = 4000; /* requests for whole lines */
    ck_assert_double_eq_tol(clocks_of(&p, &w, "L2"), 1000, 1e-6);
}
END_TEST

/* Integer products and half of the integer additions go to the float pipe, bit counts to the
 * special functions. */
START_TEST(integers_have_three_pipes)
{
    struct model_work w = two_blocks();
    w.integer = 10000, w.multiply = 4000, w.add = 2000, w.bits = 1000;
    ck_assert_double_eq_tol(clocks_of(profile("tiny"), &w, "integer pipe"), 2500, 1e-6);
    ck_assert_double_eq_tol(clocks_of(profile("tiny"), &w, "float pipe"), 2500, 1e-6);
    ck_assert_double_eq_tol(clocks_of(profile("tiny"), &w, "special functions"), 2000, 1e-6);
}
END_TEST

/* Two parts that are equally busy take (W + 1) / W of the time of one, with W warps on a
 * multiprocessor: warps queue now at one, now at the other. tiny holds 4 blocks of 8 warps; blocks
 * that would fit but were not launched do not queue. */
START_TEST(equal_parts_queue)
{
    for (int blocks = 1; blocks <= 8; blocks *= 2) { /* blocks: on each of 2 multiprocessors */
        struct model_work w = {.blocks = 2 * (uint64_t)blocks,
            .block_threads = 256,
            .registers = 16,
            .inst = 2e6,
            .fp32 = 2e6};
        double one = model_time(profile("tiny"), &w).ms;
        w.fp32 = 0;
        double alone = model_time(profile("tiny"), &w).ms;
        int warps = 8 * (blocks < 4 ? blocks : 4);
        ck_assert_double_eq_tol(
            (one - alone) / model_time(profile("tiny"), &w).part_ms[part("issue")], 1.0 / warps,
            1e-3);
    }
}
END_TEST

/* An access to 32 lines is issued 32 times on 2.x and 3.x. */
START_TEST(lines_are_replayed_before_5x)
{
    static const struct {
        const char *name;
        int replayed;
    } gpus[] = {{"gtx280", 0}, {"m2090", 1}, {"k40", 1}, {"p100", 0}};
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++) {
        struct model_work w = {.blocks = 60, .block_threads = 256, .registers = 10, .inst = 1e6};
        double before = model_time(profile(gpus[i].name), &w).part_ms[part("issue")];
        w.replays = 31e6;
        double after = model_time(profile(gpus[i].name), &w).part_ms[part("issue")];
        ck_assert_double_eq_tol(after, gpus[i].replayed ? 32 * before : before, 1e-6 * after);
    }
}
END_TEST

START_TEST(more_work_is_never_faster)
{
    struct rng r;
    rng_seed(&r, 3);
    for (int n = 0; n < 5000; n++) {
        struct model_work w = {.blocks = 1 + rng_below(&r, 5000),
            .block_threads = 32 << rng_below(&r, 6),
            .registers = 16 + rng_below(&r, 100),
            .shared_bytes = rng_below(&r, 60000)};
        double *amount[] = {&w.inst, &w.fp32, &w.integer, &w.fp64, &w.sfu, &w.lsu, &w.tags,
            &w.global_wavefronts, &w.shared_wavefronts, &w.atomics, &w.l2_sectors, &w.l2_writes,
            &w.l2_partial, &w.dram_bytes, &w.critical_path};
        int amounts = sizeof amount / sizeof *amount;
        for (int i = 0; i < amounts; i++)
            *amount[i] = rng_below(&r, 2) ? rng_below(&r, 1000000) : 0;
        w.l2_writes = w.l2_sectors * rng_unit(&r);
        w.l2_partial = w.l2_writes * rng_unit(&r);
        double lines = rng_unit(&r);
        w.l2_partial_lines = w.l2_partial * lines;
        const struct model_profile *p = profile(n % 2 ? "h200" : "tiny");
        double before = model_time(p, &w).ms;
        int which = rng_below(&r, amounts + 2);
        if (which < amounts)
            *amount[which] *= 1 + rng_unit(&r);
        else if (which == amounts)
            w.registers += rng_below(&r, 100);
        else
            w.shared_bytes += rng_below(&r, 10000);
        w.l2_partial_lines = w.l2_partial * lines;
        if (w.l2_writes > w.l2_sectors || w.l2_partial > w.l2_writes)
            continue; /* not something that a launch can do */
        ck_assert_msg(model_time(p, &w).ms >= before * (1 - 1e-12),
            "try %d: more of amount %d is faster", n, which);
    }
}
END_TEST

/* ---- kernels measured on an H200 ----
 *
 * Counters: inst, shared wavefronts and L2 sectors as ncu read them at N = 1024; global wavefronts
 * as the data banks take them (a column of 16 or 32 rows: one a row). Caches were cold: inputs come
 * from DRAM once; outputs of 4 MiB stay in the L2. critical_path: see each row. us:
 * gpu__time_duration.
 */
#define K 1024.0
#define MI (1024.0 * 1024.0)

static void expect_us(const char *what, struct model_work w, double us, const char *bottleneck)
{
    struct model_time t = model_time(profile("h200"), &w);
    ck_assert_msg(t.ms * 1000 > us * 0.75 && t.ms * 1000 < us * 1.25,
        "%s: %.2f us modelled, %.2f measured (%s)", what, t.ms * 1000, us,
        model_part_names[t.bottleneck]);
    if (bottleneck)
        ck_assert_msg(strcmp(model_part_names[t.bottleneck], bottleneck) == 0, "%s is bound by %s",
            what, model_part_names[t.bottleneck]);
    if (getenv("VERBOSE"))
        printf("%-45s %9.2f us modelled %9.2f measured %+4.0f%%  %s\n", what, t.ms * 1000, us,
            100 * (t.ms * 1000 / us - 1), model_part_names[t.bottleneck]);
}

/* 1024 steps, each a load of A, one of B and a multiply-add; the compiler unrolls by 4, and the
 * loads of 4 steps overlap. */
#define PRODUCT_CHAIN (1024 / 4 * (33 + 4 * 4))

START_TEST(truth_products)
{
    /* In each step a warp makes a request for A (16 rows: 16 wavefronts) and one for B (2 columns:
     * 1): 2^25 of each. */
    struct model_work row = {.blocks = 4096,
        .block_threads = 256,
        .registers = 32,
        .inst = 154533888,
        .fp32 = 32 * MI,
        .lsu = 64 * MI + 32 * K,
        .tags = 17 * 32 * MI,
        .global_wavefronts = 17 * 32 * MI + 16 * 32 * K,
        .l2_sectors = 16563859 + 524288,
        .l2_writes = 524288,
        .l2_partial = 524288,
        .l2_partial_lines = 524288,
        .dram_bytes = 8 * MI,
        .critical_path = PRODUCT_CHAIN};
    expect_us("product, thread x owns row x, N = 1024", row, 2298, "L1 and shared memory");

    /* A request for B reads one row, one for A one address: a wavefront each. */
    struct model_work column = {.blocks = 4096,
        .block_threads = 256,
        .registers = 32,
        .inst = 154533888,
        .fp32 = 32 * MI,
        .lsu = 64 * MI + 32 * K,
        .tags = 64 * MI,
        .global_wavefronts = 64 * MI + 32 * K,
        .l2_sectors = 18991204 + 131072,
        .l2_writes = 131072,
        .dram_bytes = 8 * MI,
        .critical_path = PRODUCT_CHAIN};
    expect_us("product, thread x owns column x, N = 1024", column, 333, "L1 and shared memory");

    /* Loads from shared memory: 16 bytes of A's tile for all lanes (2 wavefronts) every 4 steps, a
     * row of B's tile every step. */
    struct model_work shared = {.blocks = 1024,
        .block_threads = 1024,
        .registers = 32,
        .shared_bytes = 8192,
        .inst = 89292800,
        .fp32 = 32 * MI,
        .lsu = 41943040 + 2097152 + 2097152 + 32768,
        .tags = 2097152 + 32768,
        .global_wavefronts = 2097152 + 32768,
        .shared_wavefronts = 50331648 + 2097152,
        .l2_sectors = 5971457 + 131072,
        .l2_writes = 131072,
        .dram_bytes = 8 * MI,
        .critical_path = 32 * (680 + 2 * 30 + 32 * 4 + 23)};
    expect_us("product, shared 32x32 tiles, N = 1024", shared, 245, "L1 and shared memory");
}
END_TEST

/* C = A At, A of 1024 x 32, blocks of 32x32: 1024 blocks, 32768 warps, one output per thread. */
START_TEST(truth_a_at)
{
    /* 32 steps: the row of A is one address, the other factor a column of 32 rows, 128 bytes apart:
     * 32 passes. */
    struct model_work naive = {.blocks = 1024,
        .block_threads = 1024,
        .registers = 32,
        .inst = 3833856,
        .fp32 = MI,
        .lsu = 2097152 + 32768,
        .tags = 33 * MI,
        .global_wavefronts = 33 * MI + 32768,
        .l2_sectors = 200345 + 131072,
        .l2_writes = 131072,
        .dram_bytes = MI / 8,
        .critical_path = 680 + 32 / 4 * (33 + 16)};
    expect_us("A At naive", naive, 141, "L1 and shared memory");

    struct model_work shared = {.blocks = 1024,
        .block_threads = 1024,
        .registers = 32,
        .shared_bytes = 8192,
        .inst = 3571712,
        .fp32 = MI,
        .lsu = 65536 + 32768 + 1310720 + 65536,
        .tags = 65536 + 32768,
        .global_wavefronts = 65536 + 32768,
        /* half of the stores to shared memory have 32-way bank conflicts */
        .shared_wavefronts = 1572864 + 1081344,
        .l2_sectors = 168127 + 131072,
        .l2_writes = 131072,
        .dram_bytes = MI / 8,
        .critical_path = 680 + 60 + 32 * 4 + 23};
    expect_us("A At through shared", shared, 14.5, "L1 and shared memory");
    shared.shared_wavefronts = 1572864 + 65536;
    expect_us("A At padded", shared, 11.2, "L1 and shared memory");
}
END_TEST

/* n x n floats. A warp loads, stores to a tile, waits at a barrier, loads from the tile and stores.
 * tile_load: wavefronts of a load from the tile; 0: there is no tile. */
static struct model_work transpose(
    double n, int block_threads, double blocks, double inst_a_warp, double tile_load)
{
    double warps = n * n / 32, sectors = n * n / 8;
    struct model_work w = {.blocks = blocks,
        .block_threads = block_threads,
        .registers = 32,
        .inst = warps * inst_a_warp,
        .lsu = 2 * warps,
        .tags = 2 * warps,
        .global_wavefronts = 2 * warps,
        .l2_sectors = 2 * sectors,
        .l2_writes = sectors,
        .critical_path = 680 + 60};
    if (tile_load > 0) {
        w.lsu += 2 * warps;
        w.shared_wavefronts = warps * (1 + tile_load);
        w.shared_bytes = 32 * 33 * 4;
        w.critical_path += 60 + 23;
    }
    /* bytes read, and bytes written if the output does not stay in the L2 */
    w.dram_bytes = n * n * 4 * (n * n * 4 > 60 * MI ? 2 : 1);
    return w;
}

/* The naive transpose stores a float to each of 32 sectors: 32 wavefronts per request, and 32
 * sectors written in part. */
static struct model_work transpose_naive(double n)
{
    struct model_work w = transpose(n, 512, n * n / 512, 23, 0);
    w.global_wavefronts = w.tags = n * n / 32 * 33;
    w.l2_sectors = n * n / 8 + n * n;
    w.l2_writes = w.l2_partial = w.l2_partial_lines = n * n;
    return w;
}

START_TEST(truth_transposes)
{
    expect_us("transpose naive, N = 1024", transpose_naive(1024), 18.1, "L2");
    expect_us("transpose shared, N = 1024", transpose(1024, 256, 1024, 13.25, 32), 7.7,
        "L1 and shared memory");
    expect_us("transpose padded by 1, N = 1024", transpose(1024, 256, 1024, 13.25, 1), 4.1, NULL);
    expect_us("transpose padded by 2, N = 1024", transpose(1024, 256, 1024, 13.25, 2), 4.1, NULL);
    /* the time of 2 x 64 MiB at 536, 1506 and 3323 GB/s */
    expect_us("transpose naive, N = 4096", transpose_naive(4096), 250.4, "L2");
    expect_us("transpose shared, N = 4096", transpose(4096, 256, 16384, 13.25, 32), 89.1,
        "L1 and shared memory");
    expect_us(
        "transpose padded by 1, N = 4096", transpose(4096, 256, 16384, 13.25, 1), 40.4, "DRAM");
}
END_TEST

/* Copies of 64 MiB, of one float per thread, and of 4 floats per thread, which are all loaded
 * before the first store. Measured by events, minus the 1.1 us that these add to an empty
 * kernel. */
static struct model_work copy(int block_threads, int floats)
{
    double mi = 1024.0 * 1024, warps = 16 * mi / 32 / floats;
    return (struct model_work){.blocks = (uint64_t)(16 * mi / block_threads / floats),
        .block_threads = block_threads,
        .registers = 16,
        .inst = warps * (12 + 4 * floats),
        .integer = warps * 12,
        .lsu = 2 * warps * floats,
        .tags = 2 * warps * floats,
        .global_wavefronts = 2 * warps * floats,
        .l2_sectors = 4 * mi,
        .l2_writes = 2 * mi,
        .dram_bytes = 128 * mi,
        .rounds = 1,
        .critical_path = 680 + 40};
}

START_TEST(truth_copies)
{
    expect_us("copy of 64 MiB, a float a thread, blocks of 256", copy(256, 1), 54.1, NULL);
    expect_us("copy of 64 MiB, a float a thread, blocks of 512", copy(512, 1), 59.3, NULL);
    expect_us("copy of 64 MiB, a float a thread, blocks of 1024", copy(1024, 1), 66.1, NULL);
    expect_us("copy of 64 MiB, 4 floats a thread, blocks of 256", copy(256, 4), 31.5, "DRAM");
    expect_us("copy of 64 MiB, 4 floats a thread, blocks of 1024", copy(1024, 4), 34.2, "DRAM");
}
END_TEST

/* Empty kernels: measured by ncu (one block), by events over 20 launches (132000 blocks of 256). */
START_TEST(truth_empty_kernels)
{
    struct model_work w = {.blocks = 1, .block_threads = 32, .registers = 16, .inst = 2};
    expect_us("empty, 1 block", w, 1.66, "launch");
    w = (struct model_work){.blocks = 1024, .block_threads = 1024, .registers = 16, .inst = 65536};
    expect_us("empty, 1024 blocks of 1024", w, 2.30, "launch");
    w = (struct model_work){
        .blocks = 132000, .block_threads = 256, .registers = 16, .inst = 2112000};
    expect_us("empty, 132000 blocks of 256", w, 80.8, "dispatch");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("model time");
    TCase *hand = tcase_create("by hand"), *truth = tcase_create("measured");
    tcase_add_test(hand, parts_by_hand);
    tcase_add_test(hand, l1s_apart_from_shared_memory);
    tcase_add_test(hand, few_multiprocessors_cannot_keep_l2_busy);
    tcase_add_test(hand, sectors_written_in_part_cost_by_the_sector_or_the_line);
    tcase_add_test(hand, start_by_hand);
    tcase_add_test(hand, the_link_and_atomics_in_the_l2_by_hand);
    tcase_add_test(hand, barriers_by_hand);
    tcase_add_test(hand, dram_is_named_by_its_peak);
    tcase_add_test(hand, small_grids_are_uneven);
    tcase_add_test(hand, requests_to_the_l2_take_a_lookup);
    tcase_add_test(hand, integers_have_three_pipes);
    tcase_add_test(hand, equal_parts_queue);
    tcase_add_test(hand, lines_are_replayed_before_5x);
    tcase_add_test(hand, more_work_is_never_faster);
    tcase_add_test(truth, truth_products);
    tcase_add_test(truth, truth_a_at);
    tcase_add_test(truth, truth_transposes);
    tcase_add_test(truth, truth_copies);
    tcase_add_test(truth, truth_empty_kernels);
    suite_add_tcase(s, hand);
    suite_add_tcase(s, truth);
    return suite_run(s);
}
