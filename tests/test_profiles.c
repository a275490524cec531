/* test_profiles.c - the simulated GPUs: what one kernel costs on each generation, counted by hand,
 * and what each refuses. */
#include "profiling.h"

#include <math.h>

static double metric(const struct launched *r, enum metric m) { return r->p.m.metrics.v[m]; }

/* ---- what NVIDIA publishes of each GPU, and others have measured ---- */

/* Compute capability, resident warps and blocks, lanes, bytes of shared memory: CUDA Programming
 * Guide, Compute Capabilities. The rest: the GPU's whitepaper or datasheet. 0: not stated. */
static const struct {
    const char *device, *title, *capability;
    int sms, mhz, gbps;                        /* boost clock, peak of the memory */
    int l2, l1, shared;                        /* KB; l1 with shared memory where the two are one */
    int warps, blocks, floats, doubles, bytes; /* bytes of shared memory a clock */
} published[] = {
    {"gtx8800", "GeForce 8800 GTX", "1.0", 16, 1350, 0, 0, 0, 16, 24, 8, 8, 0, 32},
    {"gtx280", "GeForce GTX 280", "1.3", 30, 1296, 0, 0, 0, 16, 32, 8, 8, 1, 32},
    {"m2090", "Tesla M2090", "2.0", 16, 1301, 0, 768, 16, 48, 48, 8, 32, 16, 64},
    {"k40", "Tesla K40", "3.5", 15, 745, 0, 1536, 16, 48, 64, 16, 192, 64, 256},
    {"gtx1050ti", "GeForce GTX 1050 Ti", "6.1", 6, 1392, 0, 1024, 48, 96, 64, 32, 128, 4, 128},
    {"gtx1080", "GeForce GTX 1080", "6.1", 20, 1733, 0, 2048, 48, 96, 64, 32, 128, 4, 128},
    {"p100", "Tesla P100", "6.0", 56, 1480, 0, 4096, 24, 64, 64, 32, 64, 32, 128},
    {"v100", "Tesla V100", "7.0", 80, 1530, 900, 6144, 128, 96, 64, 32, 64, 32, 128},
    {"t4", "Tesla T4", "7.5", 40, 1590, 320, 4096, 96, 64, 32, 16, 64, 2, 0},
    {"a100", "NVIDIA A100", "8.0", 108, 1410, 1555, 40 << 10, 192, 164, 64, 32, 64, 32, 128},
    {"rtx2080", "NVIDIA GeForce RTX 2080", "7.5", 46, 1710, 448, 4096, 96, 64, 32, 16, 64, 2, 64},
    {"rtx3060", "NVIDIA GeForce RTX 3060", "8.6", 28, 1777, 360, 3072, 128, 100, 48, 16, 128, 2,
        128},
    {"rtx3080", "NVIDIA GeForce RTX 3080", "8.6", 68, 1710, 760, 5120, 128, 100, 48, 16, 128, 2,
        128},
    {"a10", "NVIDIA A10", "8.6", 72, 1695, 600, 6144, 128, 100, 48, 16, 128, 2, 128},
    {"a6000", "NVIDIA RTX A6000", "8.6", 84, 1800, 768, 6144, 128, 100, 48, 16, 128, 2, 128},
    {"orin", "Orin", "8.7", 8, 918, 102, 2048, 192, 164, 48, 16, 128, 2, 128},
    {"l4", "NVIDIA L4", "8.9", 58, 2040, 300, 48 << 10, 128, 100, 48, 24, 128, 2, 128},
    {"rtx4060", "NVIDIA GeForce RTX 4060", "8.9", 24, 2460, 272, 24 << 10, 128, 100, 48, 24, 128, 2,
        128},
    {"rtx4090", "NVIDIA GeForce RTX 4090", "8.9", 128, 2520, 1008, 72 << 10, 128, 100, 48, 24, 128,
        2, 128},
    {"h100", "NVIDIA H100 80GB HBM3", "9.0", 132, 1980, 3352, 50 << 10, 256, 228, 64, 32, 128, 64,
        128},
    {"h200", "NVIDIA H200", "9.0", 132, 1980, 4800, 60 << 10, 256, 228, 64, 32, 128, 64, 128},
    {"b200", "NVIDIA B200", "10.0", 148, 1965, 7672, 129536, 256, 228, 64, 32, 128, 64, 128},
    {"rtx5070", "NVIDIA GeForce RTX 5070", "12.0", 48, 2512, 672, 48 << 10, 128, 100, 48, 24, 128,
        2, 128},
    {"rtx5090", "NVIDIA GeForce RTX 5090", "12.0", 170, 2407, 1792, 96 << 10, 128, 100, 48, 24, 128,
        2, 128},
};

#define SAME(published, own) \
    ck_assert_msg((published) == (own), "%s: " #own " is %g, published %g", p->name, \
        (double)(own), (double)(published))

START_TEST(figures_as_published)
{
    const struct model_profile *p = model_profile_find(published[_i].device);
    ck_assert_str_eq(p->title, published[_i].title);
    char *capability = xasprintf("%d.%d", p->cc_major, p->cc_minor);
    ck_assert_str_eq(capability, published[_i].capability);
    free(capability);
    SAME(published[_i].sms, p->sms);
    SAME(published[_i].mhz, round(p->clock_ghz * 1000));
    SAME(published[_i].gbps, p->dram_peak_gbps);
    ck_assert(!p->dram_peak_gbps || p->dram_gbps < p->dram_peak_gbps);
    SAME(published[_i].l2, p->l2_bytes / 1024.0);
    SAME(published[_i].l1, p->l1_bytes / 1024.0);
    SAME(published[_i].shared, p->shared_bytes / 1024.0);
    SAME(published[_i].warps, p->max_warps);
    SAME(published[_i].warps * 32, p->max_threads);
    SAME(published[_i].blocks, p->max_blocks);
    SAME(published[_i].floats, p->fp32_lanes);
    SAME(published[_i].doubles, p->fp64_lanes);
    if (published[_i].bytes) SAME(published[_i].bytes, p->banks * p->bank_bytes / p->pass_clocks);
}
END_TEST

/* Clocks of a pointer chase. Jia and others (2018, 2019): up to the T4; Feng: 7.5; Accel-Sim and
 * gpu-micro-bench, 131 and 269 ns: 8.6; Ernst, Luo: 8.9, DRAM 254 ns; Dewing: 10.0, 12.0. */
START_TEST(latencies_as_measured)
{
    static const struct {
        const char *device;
        int shared, l1, l2, dram; /* 0: not measured */
    } rows[] = {
        {"gtx1080", 23, 82, 216, 0},
        {"p100", 24, 82, 234, 0},
        {"v100", 19, 28, 193, 375},
        {"t4", 19, 32, 188, 0},
        {"rtx2080", 23, 32, 236, 0},
        {"rtx3060", 29, 39, 233, 478},
        {"rtx3080", 29, 39, 224, 460},
        {"a10", 29, 39, 222, 456},
        {"a6000", 29, 39, 236, 484},
        {"l4", 0, 36, 277, 518},
        {"rtx4060", 0, 36, 277, 625},
        {"rtx4090", 0, 36, 285, 640},
        {"b200", 0, 40, 295, 860},
        {"rtx5090", 0, 44, 360, 936},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct model_profile *p = model_profile_find(rows[i].device);
        if (rows[i].shared) SAME(rows[i].shared, p->latency_shared);
        SAME(rows[i].l1, p->latency_l1);
        SAME(rows[i].l2, p->latency_l2);
        if (rows[i].dram) SAME(rows[i].dram, p->latency_dram);
    }
}
END_TEST

/* ---- 32 warps load 1024 floats, each s floats from the next ---- */

static const struct {
    const char *device;
    int stride;
    double transactions, moved, dram_read; /* sums over the 32 warps */
} strides[] = {
    /* next to each other: two aligned half-warps of 64 bytes; a line of 128; four sectors */
    {"sim:gtx8800", 1, 64, 4096, 4096},
    {"sim:gtx280", 1, 64, 4096, 4096},
    {"sim:m2090", 1, 32, 4096, 4096},
    {"sim:k40", 1, 128, 4096, 4096},
    {"sim:gtx1050ti", 1, 128, 4096, 4096},
    {"sim:gtx1080", 1, 128, 4096, 4096},
    {"sim:p100", 1, 128, 4096, 4096},
    {"sim:v100", 1, 128, 4096, 4096},
    {"sim:t4", 1, 128, 4096, 4096},
    {"sim:a100", 1, 128, 4096, 4096},
    {"sim:h200", 1, 128, 4096, 4096},
    {"sim:rtx2080", 1, 128, 4096, 4096},
    {"sim:rtx3060", 1, 128, 4096, 4096},
    {"sim:rtx3080", 1, 128, 4096, 4096},
    {"sim:a10", 1, 128, 4096, 4096},
    {"sim:a6000", 1, 128, 4096, 4096},
    {"sim:orin", 1, 128, 4096, 4096},
    {"sim:l4", 1, 128, 4096, 4096},
    {"sim:rtx4060", 1, 128, 4096, 4096},
    {"sim:rtx4090", 1, 128, 4096, 4096},
    {"sim:h100", 1, 128, 4096, 4096},
    {"sim:b200", 1, 128, 4096, 4096},
    {"sim:rtx5070", 1, 128, 4096, 4096},
    {"sim:rtx5090", 1, 128, 4096, 4096},
    /* every second float: 1.0 takes 32 bytes per thread, uncoalesced; 1.3 takes 128 bytes per
     * half-warp */
    {"sim:gtx8800", 2, 1024, 32768, 32768},
    {"sim:gtx280", 2, 64, 8192, 8192},
    {"sim:m2090", 2, 64, 8192, 8192},
    {"sim:k40", 2, 256, 8192, 8192},
    {"sim:h200", 2, 256, 8192, 8192},
    /* 32 floats apart: a line for each lane. 2.x moves whole lines, the others 32 bytes of each;
     * from DRAM, 9.0 and 10.0 read 64 bytes of each */
    {"sim:gtx8800", 32, 1024, 32768, 32768},
    {"sim:gtx280", 32, 1024, 32768, 32768},
    {"sim:m2090", 32, 1024, 131072, 131072},
    {"sim:k40", 32, 1024, 32768, 32768},
    {"sim:h200", 32, 1024, 32768, 65536},
    {"sim:rtx3060", 32, 1024, 32768, 32768},
    {"sim:b200", 32, 1024, 32768, 65536},
};

START_TEST(strides_by_generation)
{
    char s[16], in[32];
    snprintf(s, sizeof s, "i32:%d", strides[_i].stride);
    snprintf(in, sizeof in, "buf:f32:%d", 1024 * strides[_i].stride);
    struct launched r = launch_on(strides[_i].device, "patterns.cu", "stride", 4, 256,
        WITH(in, "buf:f32:1024", "i32:1024", s));
    ck_assert_msg(!r.bad, "%s", r.e.text);
    ck_assert_double_eq(metric(&r, METRIC_GLD_REQUESTS), 32);
    ck_assert_double_eq(metric(&r, METRIC_GLD_SECTORS), strides[_i].transactions);
    ck_assert_double_eq(metric(&r, METRIC_GLD_MOVED), strides[_i].moved);
    ck_assert_double_eq(metric(&r, METRIC_GLD_BYTES), 4096);
    ck_assert_double_eq_tol(
        metric(&r, METRIC_GLD_EFFICIENCY), 100 * 4096 / strides[_i].moved, 1e-9);
    ck_assert_double_eq(metric(&r, METRIC_DRAM_READ_BYTES), strides[_i].dram_read);
    /* 1.x has no cache that the output could stay in. */
    ck_assert_double_eq(metric(&r, METRIC_DRAM_WRITE_BYTES),
        strstr("sim:gtx8800 sim:gtx280", strides[_i].device) ? 4096 : 0);
    launched_free(&r);
}
END_TEST

/* ---- 1024 floats, loaded four times by the same threads ---- */

static const struct {
    const char *device;
    double l2_sectors, dram_read;
} repeats[] = {
    {"sim:gtx8800", NAN, 16384}, /* no cache: each load reads DRAM */
    {"sim:gtx280", NAN, 16384},
    {"sim:m2090", 128, 4096}, /* L1 has the line */
    {"sim:k40", 512, 4096},   /* loads bypass the L1, L2 has it */
    {"sim:gtx1050ti", 512, 4096},
    {"sim:gtx1080", 512, 4096},
    {"sim:p100", 128, 4096},
    {"sim:v100", 128, 4096},
    /* for half of the lines, chosen by a hash, the far side of the L2 is the home: both sides count
     * their sectors */
    {"sim:h200", 192, 4096},
};

START_TEST(caches_by_generation)
{
    struct launched r = launch_on(
        repeats[_i].device, "patterns.cu", "again", 4, 256, WITH("buf:f32:1024", "buf:f32:1024"));
    ck_assert_msg(!r.bad, "%s", r.e.text);
    ck_assert_double_eq(metric(&r, METRIC_GLD_REQUESTS), 128);
    if (isnan(repeats[_i].l2_sectors))
        ck_assert_double_nan(metric(&r, METRIC_L2_READ_SECTORS));
    else
        ck_assert_double_eq_tol(metric(&r, METRIC_L2_READ_SECTORS), repeats[_i].l2_sectors,
            strcmp(repeats[_i].device, "sim:h200") ? 1e-9 : 32);
    ck_assert_double_eq(metric(&r, METRIC_DRAM_READ_BYTES), repeats[_i].dram_read);
    launched_free(&r);
}
END_TEST

/* A warp requests a sector once, with an L1 and without. */
START_TEST(a_warp_asks_once)
{
    static const char *const devices[] = {"sim:k40", "sim:gtx1050ti", "sim:p100"};
    struct launched r =
        launch_on(devices[_i], "patterns.cu", "halves", 1, 32, WITH("buf:f32:128", "buf:f32:32"));
    ck_assert_msg(!r.bad, "%s", r.e.text);
    ck_assert_double_eq(metric(&r, METRIC_GLD_SECTORS), 16);
    ck_assert_double_eq(metric(&r, METRIC_L2_READ_SECTORS), 16);
    launched_free(&r);
}
END_TEST

/* ---- one warp walks down a column of rows of s words ---- */

static const struct {
    const char *device, *stride;
    double passes; /* wavefronts of the load */
} columns[] = {
    {"sim:gtx280", "i32:1", 2},
    {"sim:gtx280", "i32:16", 32},
    {"sim:gtx280", "i32:17", 2},
    {"sim:gtx280", "i32:2", 4},
    {"sim:m2090", "i32:1", 1},
    {"sim:m2090", "i32:16", 16},
    {"sim:m2090", "i32:33", 1},
    {"sim:m2090", "i32:2", 2},
    /* words i and i + 32 of an aligned piece of 64 share a wavefront */
    {"sim:k40", "i32:2", 1},
    {"sim:k40", "i32:32", 16},
    {"sim:h200", "i32:2", 2},
    {"sim:h200", "i32:32", 32},
    {"sim:h200", "i32:33", 1},
};

START_TEST(banks_by_generation)
{
    struct launched r = launch_on(
        columns[_i].device, "patterns.cu", "column", 1, 32, WITH("buf:f32:32", columns[_i].stride));
    ck_assert_msg(!r.bad, "%s", r.e.text);
    ck_assert_msg(metric(&r, METRIC_SLD_WAVEFRONTS) == columns[_i].passes, "%s %s: %g passes",
        columns[_i].device, columns[_i].stride, metric(&r, METRIC_SLD_WAVEFRONTS));
    launched_free(&r);
}
END_TEST

/* ---- partitions of DRAM: 1024 floats loaded, s apart, and stored next to each other ---- */

static const struct {
    const char *device;
    int stride;
    double ratio; /* the busiest partition's bytes over an even share; NAN: hashed */
} camps[] = {
    {"sim:gtx280", 1, 1},
    /* 256 bytes apart: spread evenly over the 8 partitions */
    {"sim:gtx280", 64, 1},
    /* 512 bytes apart: only every second of the 8 partitions is read, 32 bytes at a time */
    {"sim:gtx280", 128, (32768 * 2 + 4096) / 36864.0},
    {"sim:gtx280", 512, (32768 * 8 + 4096) / 36864.0}, /* 2048 bytes apart: one partition */
    /* 1536 bytes apart: all loads in one of 6 partitions; of the 16 pieces of 256 bytes that are
     * stored, it gets 3 at most */
    {"sim:gtx8800", 384, (32768 * 6 + 4608) / 36864.0},
    {"sim:m2090", 512, NAN},
};

START_TEST(partitions_by_hand)
{
    char s[16], in[32];
    snprintf(s, sizeof s, "i32:%d", camps[_i].stride);
    snprintf(in, sizeof in, "buf:f32:%d", 1024 * camps[_i].stride);
    struct launched r = launch_on(
        camps[_i].device, "patterns.cu", "stride", 4, 256, WITH(in, "buf:f32:1024", "i32:1024", s));
    ck_assert_msg(!r.bad, "%s", r.e.text);
    if (isnan(camps[_i].ratio))
        ck_assert_double_nan(metric(&r, METRIC_DRAM_PARTITION_RATIO));
    else
        ck_assert_double_eq_tol(metric(&r, METRIC_DRAM_PARTITION_RATIO), camps[_i].ratio, 1e-9);
    launched_free(&r);
}
END_TEST

/* One warp loads 32 floats in the order of falling addresses, and stores 32: each access lies in
 * one piece of 256 bytes, which belongs to one of 8 partitions. */
START_TEST(a_falling_access_stays_in_its_partition)
{
    struct launched r =
        launch_on("sim:gtx280", "patterns.cu", "reversed", 1, 32, WITH("buf:f32:64", "buf:f32:32"));
    ck_assert_msg(!r.bad, "%s", r.e.text);
    ck_assert_double_eq(metric(&r, METRIC_DRAM_PARTITION_RATIO), 8);
    launched_free(&r);
}
END_TEST

/* Published in GB/s for a GTX 280, the kernels launched in a loop. Its DRAM's rows are not
 * modelled: transposes come out up to 2.1 times too fast; without the partitions it would be 12
 * times. */
START_TEST(partition_camping_as_published)
{
    static const struct {
        const char *kernel;
        double published;
    } rows[] = {
        {"naive", 2.2}, {"coalesced", 16.5}, {"padded", 16.6}, {"diagonal", 69.5}, {"copy", 96.9}};
    double slower = 0, gbps[5];
    for (int i = 0; i < 5; i++) {
        struct launched r = launch_on("sim:gtx280", "transposes.cu", rows[i].kernel, 64 * 64, 256,
            WITH("buf:f32:4194304", "buf:f32:4194304:zero"));
        ck_assert_msg(!r.bad, "%s", r.e.text);
        gbps[i] = 2 * 4 * 4194304 / (r.p.m.ms * 1e6);
        ck_assert_msg(gbps[i] > slower * 0.99, "%s: %.1f GB/s, not above the row before",
            rows[i].kernel, gbps[i]);
        ck_assert_msg(gbps[i] > rows[i].published * 0.7 && gbps[i] < rows[i].published * 2.2,
            "%s: %.1f GB/s, published %.1f", rows[i].kernel, gbps[i], rows[i].published);
        struct advice a[ADVICES];
        int told = 0;
        for (int k = profile_advise(&r.p, a); k-- > 0;)
            told |= strstr(a[k].text, "DRAM's 8 partitions") != NULL;
        ck_assert_msg(told == (i == 1 || i == 2), "%s: camping is %stold", rows[i].kernel,
            told ? "" : "not ");
        slower = gbps[i];
        launched_free(&r);
    }
    ck_assert_msg(gbps[3] > 2.5 * gbps[2],
        "the diagonal's %.1f GB/s against %.1f: published 4.2 times", gbps[3], gbps[2]);
}
END_TEST

/* ---- rows of DRAM: 1024 floats loaded, s apart, and stored next to each other ---- */

static const struct {
    const char *device;
    int stride;
    double ratio; /* DRAM's time relative to that of its bytes alone */
} openings[] = {
    {"sim:m2090", 1, 1},
    /* 8 KB apart: each line alone in its row, in 3 of 6 channels */
    {"sim:m2090", 2048, (1024 * 192 + 4096) / (1024 * 128 + 4096.0)},
    {"sim:m2090", 64, 1}, /* 256 bytes apart: a row of DRAM holds several */
    {"sim:k40", 2048, 1}, /* its rows are not modelled */
};

START_TEST(rows_by_hand)
{
    char s[16], in[32];
    snprintf(s, sizeof s, "i32:%d", openings[_i].stride);
    snprintf(in, sizeof in, "buf:f32:%d", 1024 * openings[_i].stride);
    struct launched r = launch_on(openings[_i].device, "patterns.cu", "stride", 4, 256,
        WITH(in, "buf:f32:1024", "i32:1024", s));
    ck_assert_msg(!r.bad, "%s", r.e.text);
    /* the output fits the L2, and stays there */
    double bytes = metric(&r, METRIC_DRAM_READ_BYTES);
    ck_assert_double_eq_tol(
        r.p.m.part_ms[PART_DRAM] * 1e6 * r.p.gpu->dram_gbps / bytes, openings[_i].ratio, 1e-3);
    launched_free(&r);
}
END_TEST

/* A division of integers counts as the one instruction of the PTX, and takes the time of 17. */
START_TEST(division_takes_its_instructions)
{
    double ms[2], inst[2];
    for (int i = 0; i < 2; i++) {
        struct launched r = launch_on("sim:tiny", "patterns.cu", i ? "remainders" : "sums_of_two",
            64, 256, WITH("buf:u32:16384:fill=7", "u32:3"));
        ck_assert_msg(!r.bad, "%s", r.e.text);
        ms[i] = r.p.m.part_ms[PART_ISSUE];
        inst[i] = metric(&r, METRIC_INST);
        launched_free(&r);
    }
    ck_assert_double_eq(inst[1], inst[0]);
    ck_assert_double_eq_tol((ms[1] - ms[0]) * 1e6, 64 * 8 * 16 / 2.0,
        1e-6); /* 16 more instructions for each of 64 x 8 warps, 2 per clock */
}
END_TEST

/* A warp's matrix product of doubles is 256 multiply-adds. An A100's tensor cores do them at 1/16 of
 * their rate for halves; an RTX 3060, whose tensor cores have no doubles, does them on the 2 FP64
 * lanes of a multiprocessor. A GeForce takes twice as long for a product with sums in float as for
 * one with sums in half. */
START_TEST(tensor_cores_by_generation)
{
    static const struct {
        const char *device, *kernel, *argument;
        double clocks; /* for one product by a warp */
    } rows[] = {
        {"sim:a100", "product_of_doubles", "buf:f64:32", 256 / 64.0},
        {"sim:rtx3060", "product_of_doubles", "buf:f64:32", 256 / 2.0},
        {"sim:rtx3060", "product_of_16", "buf:f32:32", 2048 / 256.0},
        {"sim:rtx3060", "product_in_halves", "buf:u32:32", 2048 / 512.0},
        {"sim:a10", "product_of_16", "buf:f32:32", 2048 / 512.0},
        {"sim:a10", "product_in_halves", "buf:u32:32", 2048 / 512.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct launched r =
            launch_on(rows[i].device, "patterns.cu", rows[i].kernel, 1, 32, WITH(rows[i].argument));
        ck_assert_msg(!r.bad, "%s", r.e.text);
        ck_assert_double_eq_tol(
            r.p.m.part_ms[PART_TENSOR] * 1e6 * r.p.gpu->clock_ghz, rows[i].clocks, 1e-6);
        launched_free(&r);
    }
}
END_TEST

/* ---- what a GPU does not have ---- */

static const struct {
    const char *device, *kernel, *argument, *says; /* says: NULL: the kernel runs */
} refusals[] = {
    {"sim:gtx8800", "doubles", "buf:f64:64", "line 35 needs double precision"},
    {"sim:gtx280", "doubles", "buf:f64:64", NULL},
    {"sim:gtx8800", "sums", "buf:i32:1", "atomics on global memory"},
    {"sim:gtx280", "sums", "buf:i32:1", NULL},
    {"sim:m2090", "shuffled", "buf:i32:64", "GPUs have it from 3.0 on"},
    {"sim:k40", "shuffled", "buf:i32:64", NULL},
    {"sim:gtx280", "counted", "buf:i32:64", "needs barriers that count or vote"},
    {"sim:m2090", "counted", "buf:i32:64", NULL},
    {"sim:a100", "mapped", "buf:u32:64", "line 57 needs clusters of blocks"},
    {"sim:h200", "mapped", "buf:u32:64", NULL},
    {"sim:rtx5090", "mapped", "buf:u32:64", NULL},
    {"sim:v100", "product_of_8", "buf:f32:64", "products of halves by tensor cores"},
    {"sim:rtx2080", "product_of_8", "buf:f32:64", NULL},
    {"sim:rtx2080", "product_of_16", "buf:f32:64", "GPUs have it from 8.0 on"},
    {"sim:orin", "product_of_16", "buf:f32:64", NULL},
    {"sim:rtx4090", "fewer_registers", "buf:i32:64", "needs registers that warps give to others"},
    {"sim:b200", "fewer_registers", "buf:i32:64", NULL},
    {"sim:rtx5070", "fewer_registers", "buf:i32:64", NULL},
};

START_TEST(features_by_generation)
{
    struct launched r = launch_on(refusals[_i].device, "patterns.cu", refusals[_i].kernel, 1, 64,
        WITH(refusals[_i].argument));
    if (refusals[_i].says) {
        ck_assert_int_eq(r.bad, -1);
        ck_assert_msg(strstr(r.e.text, refusals[_i].says) != NULL, "%s", r.e.text);
        ck_assert_ptr_null(strchr(r.e.text, '\n'));
    } else {
        ck_assert_msg(!r.bad, "%s", r.e.text);
    }
    launched_free(&r);
}
END_TEST

START_TEST(limits_by_generation)
{
    static const struct {
        const char *device;
        unsigned grid, block;
        const char *says;
    } rows[] = {
        {"sim:gtx280", 1, 1024, "1 to 512"},
        {"sim:gtx8800", 65536, 32, "1 to 65535"},
        {"sim:k40", 65536, 32, NULL},
        {"sim:m2090", 1, 1024, NULL},
        {"sim:m2090", 65536, 32, "1 to 65535"},
        {"sim:h200", 1, 2000, "1 to 1024"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct launched r = launch_on(
            rows[i].device, "patterns.cu", "nothing", rows[i].grid, rows[i].block, WITH());
        ck_assert_msg(!r.bad == !rows[i].says && (!rows[i].says || strstr(r.e.text, rows[i].says)),
            "%s: %s", rows[i].device, r.e.text);
        launched_free(&r);
    }
}
END_TEST

/* By the rules of the CUDA Occupancy Calculator for 1.x: registers go to a block, its warps counted
 * in pairs. */
START_TEST(occupancy_of_old_gpus)
{
    static const struct {
        const char *device;
        int threads, registers, shared, blocks;
        const char *limiter;
    } rows[] = {
        {"gtx8800", 256, 10, 0, 3, "warps"},     /* at most 768 threads */
        {"gtx8800", 256, 16, 0, 2, "registers"}, /* a block has 4096 of 8192 registers */
        {"gtx8800", 96, 10, 0, 6, "registers"},  /* 3 warps count as 4: 1280 registers a block */
        {"gtx8800", 64, 8, 0, 8, "blocks"},
        /* 4608 bytes a block, with what the system keeps */
        {"gtx8800", 64, 8, 4096, 3, "shared memory"},
        {"gtx280", 256, 17, 0, 3, "registers"}, /* 4352 a block, rounded up to 4608, of 16384 */
        {"gtx280", 512, 16, 0, 2, "warps"},
        {"m2090", 1024, 20, 0, 1, "warps"}, /* at most 1536 threads */
        {"m2090", 192, 63, 0, 2, "registers"},
        {"m2090", 192, 200, 0, 2, "registers"}, /* registers beyond 63 are spilled */
        {"k40", 128, 32, 0, 16, "warps"},
        {"t4", 1024, 32, 0, 1, "warps"},
        {"rtx2080", 512, 32, 0, 2, "warps"},
        /* a block of 1024 takes two thirds of the 1536 threads: a second one does not fit */
        {"rtx3060", 1024, 32, 0, 1, "warps"},
        {"rtx3060", 64, 32, 0, 16, "blocks"},
        {"orin", 64, 32, 0, 16, "blocks"},
        {"rtx4060", 32, 32, 0, 24, "blocks"},
        {"rtx5070", 64, 16, 0, 24, "warps"},
        {"rtx3060", 256, 32, 33 << 10, 2, "shared memory"}, /* 34 KB a block, of 100 KB */
        {"orin", 256, 32, 33 << 10, 4, "shared memory"},    /* 34 KB a block, of 164 KB */
        {"b200", 1024, 32, 0, 2, "warps"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct model_profile *p = model_profile_find(rows[i].device);
        struct model_occupancy o =
            model_occupancy(p, rows[i].threads, rows[i].registers, (size_t)rows[i].shared);
        ck_assert_msg(
            o.blocks == rows[i].blocks && !strcmp(model_limiter_names[o.limiter], rows[i].limiter),
            "%s, %d threads, %d registers: %d by %s", rows[i].device, rows[i].threads,
            rows[i].registers, o.blocks, model_limiter_names[o.limiter]);
    }
}
END_TEST

/* Resident blocks as cuda_occupancy.h of CUDA 13.0 has them, shared memory preferred to L1. The
 * second row's block fits on 6.0, but runs there only if it fits on 6.1 as well. */
START_TEST(occupancy_as_cuda_occupancy_h)
{
    static const char *const devices[] = {
        "k40", "gtx1050ti", "gtx1080", "p100", "v100", "t4", "a100", "h200"};
    static const struct {
        int threads, registers, shared, blocks[8];
    } rows[] = {
        {96, 100, 0, {5, 5, 5, 6, 5, 5, 5, 5}},
        {320, 169, 0, {0, 0, 0, 0, 0, 0, 0, 0}},
        {64, 20, 5000, {9, 19, 19, 12, 19, 12, 27, 32}},
        {1000, 40, 20000, {1, 1, 1, 1, 1, 1, 1, 1}},
        {200, 63, 30001, {1, 3, 3, 2, 3, 2, 4, 4}},
        {33, 255, 0, {4, 4, 4, 4, 4, 4, 4, 4}},
        {1024, 64, 16384, {1, 1, 1, 1, 1, 1, 1, 1}},
        {736, 71, 100, {1, 1, 1, 1, 1, 1, 1, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
            const struct model_profile *p = model_profile_find(devices[d]);
            int blocks =
                model_occupancy(p, rows[i].threads, rows[i].registers, (size_t)rows[i].shared)
                    .blocks;
            ck_assert_msg(blocks == rows[i].blocks[d],
                "%s, %d threads, %d registers, %d bytes: %d blocks, not %d", devices[d],
                rows[i].threads, rows[i].registers, rows[i].shared, blocks, rows[i].blocks[d]);
        }
}
END_TEST

#define COUNT(table) (int)(sizeof table / sizeof *table)

int main(void)
{
    Suite *s = suite_create("profiles");
    TCase *t = tcase_create("generations");
    fronts_open();
    tcase_set_timeout(t, 0);
    tcase_add_loop_test(t, figures_as_published, 0, COUNT(published));
    tcase_add_test(t, latencies_as_measured);
    tcase_add_loop_test(t, strides_by_generation, 0, COUNT(strides));
    tcase_add_loop_test(t, caches_by_generation, 0, COUNT(repeats));
    tcase_add_loop_test(t, a_warp_asks_once, 0, 3);
    tcase_add_loop_test(t, banks_by_generation, 0, COUNT(columns));
    tcase_add_loop_test(t, partitions_by_hand, 0, COUNT(camps));
    tcase_add_test(t, a_falling_access_stays_in_its_partition);
    if (!getenv("LOCKSTEP_SANITIZED")) /* 4 million threads */
        tcase_add_test(t, partition_camping_as_published);
    tcase_add_test(t, division_takes_its_instructions);
    tcase_add_loop_test(t, rows_by_hand, 0, COUNT(openings));
    tcase_add_test(t, tensor_cores_by_generation);
    tcase_add_loop_test(t, features_by_generation, 0, COUNT(refusals));
    tcase_add_test(t, limits_by_generation);
    tcase_add_test(t, occupancy_of_old_gpus);
    tcase_add_test(t, occupancy_as_cuda_occupancy_h);
    suite_add_tcase(s, t);
    int failed = suite_run(s);
    fronts_close();
    return failed;
}
