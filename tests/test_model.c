/* test_model.c - the machine: tables, coalescing, caches, occupancy; each expectation counted by
 * hand or measured. */
#include "base/base.h"
#include "model/model.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALL 0xffffffffu

static const struct model_profile *profile(const char *name)
{
    const struct model_profile *p = model_profile_find(name);
    ck_assert_msg(p != NULL, "no profile %s", name);
    return p;
}

/* ---- tables ---- */

START_TEST(metrics_have_unique_names)
{
    for (int i = 0; i < METRIC_COUNT; i++) {
        const struct metric_info *m = &model_metrics[i];
        ck_assert_msg(*m->id && *m->ncu && *m->nvprof && *m->unit && *m->meaning,
            "row %d has an empty cell", i);
        ck_assert_int_eq(model_metric_find(m->id), i);
        ck_assert_int_eq(model_metric_find(m->ncu), i);
        if (strcmp(m->nvprof, "-")) ck_assert_int_eq(model_metric_find(m->nvprof), i);
    }
    ck_assert_int_eq(model_metric_find("-"), -1);
    ck_assert_int_eq(model_metric_find("no such metric"), -1);
    ck_assert_int_eq(model_metric_find("gld_efficiency"), METRIC_GLD_EFFICIENCY);
}
END_TEST

START_TEST(metrics_derive_ratios)
{
    struct metrics m;
    model_metrics_clear(&m);
    model_metrics_derive(&m);
    for (int i = 0; i < METRIC_COUNT; i++)
        ck_assert_msg(isnan(m.v[i]), "%s was never counted", model_metrics[i].id);
    m.v[METRIC_INST] = 10;
    m.v[METRIC_THREAD_INST] = 200;
    m.v[METRIC_FFMA] = 50;
    m.v[METRIC_BRANCH] = 4;
    m.v[METRIC_BRANCH_DIVERGENT] = 1;
    m.v[METRIC_GLD_REQUESTS] = 2;
    m.v[METRIC_GLD_SECTORS] = 16;
    m.v[METRIC_GLD_BYTES] = 256;
    m.v[METRIC_GLD_MOVED] = 512;
    m.v[METRIC_GST_REQUESTS] = 0;
    m.v[METRIC_GST_SECTORS] = 0;
    m.v[METRIC_GST_BYTES] = 0;
    m.v[METRIC_GST_MOVED] = 0;
    m.v[METRIC_SLD_INST] = 4;
    m.v[METRIC_SLD_WAVEFRONTS] = 128;
    model_metrics_derive(&m);
    ck_assert_double_eq(m.v[METRIC_WARP_EFFICIENCY], 20);
    ck_assert_double_eq(m.v[METRIC_FFMA_SHARE], 25);
    ck_assert_double_eq(m.v[METRIC_BRANCH_EFFICIENCY], 75);
    ck_assert_double_eq(m.v[METRIC_GLD_SECTORS_PER_REQUEST], 8);
    ck_assert_double_eq(m.v[METRIC_GLD_EFFICIENCY], 50);
    ck_assert_double_eq(m.v[METRIC_SLD_PER_REQUEST], 32);
    ck_assert_msg(isnan(m.v[METRIC_GST_EFFICIENCY]), "nothing stored: no efficiency");
    ck_assert_msg(
        isnan(m.v[METRIC_SST_PER_REQUEST]) && isnan(m.v[METRIC_OCCUPANCY]), "not counted");
}
END_TEST

START_TEST(profiles_are_sane)
{
    int n = 0;
    for (const struct model_profile *p; (p = model_profile_at(n)); n++) {
        ck_assert_ptr_eq(profile(p->name), p); /* so no two share a name */
        ck_assert_msg(*p->title != 0, "%s has no title", p->name);
        ck_assert(p->cc_major >= 1 && p->sms >= 1 && p->sms <= 1024 && p->schedulers >= 1 &&
                  p->schedulers <= 4);
        ck_assert(p->clock_ghz >= 0.3 && p->clock_ghz <= 4);
        ck_assert(
            p->max_threads == p->max_warps * WARP_SIZE && p->max_block_threads <= p->max_threads);
        ck_assert(p->fp32_lanes > 0 && p->int_lanes > 0 && p->sfu_lanes > 0 && p->lsu_lanes > 0);
        ck_assert((p->fp64_lanes > 0) == (p->cc_major > 1 || p->cc_minor >= 3));
        ck_assert(p->issue_clocks >= 1 && p->pass_clocks >= 1 && p->tags_per_clock >= 1 &&
                  p->thread_registers > 0);
        ck_assert(model_has(p, FEATURE_SHARED_48K) == (p->shared_block_bytes >= 48 << 10));
        ck_assert(p->shared_block_bytes + p->shared_reserved <= p->shared_bytes);
        ck_assert(!p->l1_shared_together || p->l1_bytes >= p->shared_bytes);
        ck_assert(
            p->registers >= p->max_block_threads * 8 && p->register_unit > 0 && p->shared_unit > 0);
        ck_assert((p->dram_partitions > 0) == (p->cc_major == 1) &&
                  (p->partition_bytes > 0) == (p->cc_major == 1));
        ck_assert(p->dram_gbps > 0 && p->launch_us > 0 && p->launch_us < 50);
        if (p->cc_major == 1) { /* no caches */
            ck_assert(p->l1_bytes == 0 && p->l1_fetch == 0 && p->l2_bytes == 0);
        } else {
            ck_assert(p->l1_bytes >= 4096 && p->l2_bytes >= 256 << 10);
            ck_assert(p->l1_fetch == 0 || p->l1_fetch == 32 || p->l1_fetch == 128);
            ck_assert(p->latency_alu < p->latency_l1 && p->latency_l1 < p->latency_l2 &&
                      p->latency_l2 < p->latency_dram);
            /* the L2 is faster than DRAM */
            ck_assert(p->l2_bytes_per_clock * p->clock_ghz > p->dram_gbps);
        }
        ck_assert(p->l2_write_cost >= 1 && p->l2_partial_cost >= p->l2_write_cost &&
                  p->atomics_per_clock > 0);
        for (int d = 0; d < 3; d++)
            ck_assert(p->max_block_dim[d] >= 64 &&
                      p->max_grid_dim[d] >= (p->cc_major == 1 && d == 2 ? 1 : 65535));
    }
    ck_assert_int_ge(n, 2);
    ck_assert_ptr_null(model_profile_at(-1));
    ck_assert_ptr_null(model_profile_find("h2000"));
    ck_assert_int_eq(profile("h200")->sms, 132);
    ck_assert_int_eq(profile("tiny")->sms, 2);
}
END_TEST

/* Each word of .assumed is the name of a figure, and none comes twice. */
START_TEST(assumed_figures_exist)
{
    const struct model_profile *p;
    for (int n = 0; (p = model_profile_at(n)); n++) {
        size_t words = 0, found = 0;
        for (const char *at = p->assumed ? p->assumed : ""; *at; words++) {
            at += strcspn(at, " ");
            at += strspn(at, " ");
        }
        for (int f = 0; f < FIGURE_COUNT; f++) found += model_figure_assumed(p, f);
        ck_assert_msg(
            words == found, "%s: %zu assumed, %zu of them figures", p->name, words, found);
    }
    ck_assert_int_eq((int)model_figure(profile("h200"), FIGURE_sms), 132);
    ck_assert(model_figure_assumed(profile("rtx5090"), FIGURE_dram_gbps));
    ck_assert(!model_figure_assumed(profile("rtx3060"), FIGURE_dram_gbps));
}
END_TEST

/* A GPU's features are a set, not all those up to a version. Source: CUDA Programming Guide 13,
 * tables 29 and 33; PTX ISA, target notes. */
START_TEST(features_are_sets)
{
    static const struct {
        const char *name;
        int wgmma, setmaxnreg, clusters, large, engine, doubles, products, halves;
    } rows[] = {
        {"v100", 0, 0, 0, 0, 0, 0, 0, 0},
        {"t4", 0, 0, 0, 0, 0, 0, 0, 1},
        {"rtx2080", 0, 0, 0, 0, 0, 0, 0, 1},
        {"a100", 0, 0, 0, 0, 0, 1, 1, 1},
        {"rtx3060", 0, 0, 0, 0, 0, 0, 1, 1},
        {"orin", 0, 0, 0, 0, 0, 0, 1, 1},
        {"l4", 0, 0, 0, 0, 0, 0, 1, 1},
        {"rtx4090", 0, 0, 0, 0, 0, 0, 1, 1},
        {"h100", 1, 1, 1, 1, 1, 1, 1, 1},
        {"h200", 1, 1, 1, 1, 1, 1, 1, 1},
        {"b200", 0, 1, 1, 1, 1, 1, 1, 1},
        {"rtx5070", 0, 1, 1, 0, 1, 0, 1, 1},
        {"rtx5090", 0, 1, 1, 0, 1, 0, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct model_profile *p = profile(rows[i].name);
        ck_assert_msg(model_has(p, FEATURE_WARPGROUPS) == rows[i].wgmma &&
                          model_has(p, FEATURE_REGISTER_SHARES) == rows[i].setmaxnreg &&
                          model_has(p, FEATURE_CLUSTERS) == rows[i].clusters &&
                          model_has(p, FEATURE_LARGE_CLUSTERS) == rows[i].large &&
                          model_has(p, FEATURE_BULK_COPIES) == rows[i].engine &&
                          model_has(p, FEATURE_DOUBLE_TENSORS) == rows[i].doubles &&
                          model_has(p, FEATURE_TENSORS) == rows[i].products &&
                          model_has(p, FEATURE_HALF_TENSORS) == rows[i].halves,
            "%s: %llx", rows[i].name, (unsigned long long)p->features);
    }
}
END_TEST

/* Names as drivers report them, and as people type them. */
START_TEST(names_mean_profiles)
{
    static const struct {
        const char *text, *driver, *person, *nearest; /* names of profiles; NULL: none */
    } rows[] = {
        {"Tesla P100-PCIE-16GB", "p100", "p100", NULL},
        {"Tesla V100-SXM2-16GB", "v100", "v100", NULL},
        {"NVIDIA A100-SXM4-40GB", "a100", "a100", NULL},
        {"NVIDIA A100 80GB PCIe", "a100", "a100", NULL},
        {"NVIDIA H100 80GB HBM3", "h100", "h100", NULL},
        {"NVIDIA H100 PCIe", NULL, NULL, "h100"},
        {"NVIDIA A10", "a10", "a10", NULL},
        {"NVIDIA A10G", NULL, NULL, "a10"},
        {"NVIDIA L40S", NULL, NULL, "l4"},
        {"NVIDIA GeForce GTX 1080", "gtx1080", "gtx1080", NULL},
        {"NVIDIA GeForce GTX 1080 Ti", NULL, NULL, "gtx1080"},
        {"NVIDIA GeForce GTX 1050 Ti", "gtx1050ti", "gtx1050ti", NULL},
        {"NVIDIA GeForce GTX 1050", NULL, NULL, "gtx1050ti"},
        {"NVIDIA GeForce RTX 3060", "rtx3060", "rtx3060", NULL},
        {"NVIDIA GeForce RTX 3060 Ti", NULL, NULL, "rtx3060"},
        {"NVIDIA GeForce RTX 3060 Laptop GPU", NULL, NULL, "rtx3060"},
        {"NVIDIA GeForce RTX 2080 SUPER", NULL, NULL, "rtx2080"},
        {"Orin", "orin", "orin", NULL},
        {"RTX 4060", NULL, "rtx4060", NULL},
        {"rtx4060", NULL, "rtx4060", NULL},
        {"RTX4060", NULL, "rtx4060", NULL},
        {"4090", NULL, "rtx4090", NULL},
        {"A6000", NULL, "a6000", NULL},
        {"GeForce RTX", NULL, NULL, "rtx2080"},
        {"", NULL, NULL, NULL},
        {"none", NULL, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct model_profile *nearest, *titled = model_profile_titled(rows[i].text),
                                             *meant = model_profile_meant(rows[i].text, &nearest);
        const char *is[] = {titled ? titled->name : NULL, meant ? meant->name : NULL,
            meant || !nearest ? NULL : nearest->name},
                   *expected[] = {rows[i].driver, rows[i].person, rows[i].nearest};
        for (int k = 0; k < 3; k++)
            ck_assert_msg(!is[k] == !expected[k] && (!is[k] || !strcmp(is[k], expected[k])),
                "%s: %d is %s, not %s", rows[i].text, k, is[k] ? is[k] : "none",
                expected[k] ? expected[k] : "none");
    }
    const struct model_profile *p;
    for (int i = 0; (p = model_profile_at(i)); i++) { /* no title is a part of another one */
        ck_assert_msg(model_profile_titled(p->title) == p, "%s", p->title);
        const struct model_profile *nearest;
        ck_assert_ptr_eq(model_profile_meant(p->name, &nearest), p);
    }
    ck_assert_str_eq(model_profile_capable(8, 6)->name, "rtx3060");
    ck_assert_ptr_null(model_profile_capable(8, 5));
    ck_assert_str_eq(model_generation(profile("orin")), "Ampere");
    ck_assert_str_eq(model_generation(profile("l4")), "Ada");
    ck_assert_str_eq(model_generation(profile("gtx280")), "Tesla");
}
END_TEST

/* ---- coalescing ---- */

/* The rule by brute force: the sector and line of every byte are compared with all before. */
static struct model_global coalesce_slowly(const uint64_t addr[32], uint32_t mask, unsigned bytes)
{
    uint64_t sectors[1024], lines[1024];
    struct model_global g = {0};
    for (int i = 0; i < 32; i++)
        for (unsigned b = 0; b < bytes && mask >> i & 1; b++) {
            uint64_t s = (addr[i] + b) / 32, l = (addr[i] + b) / 128;
            unsigned k = 0;
            while (k < g.sectors && sectors[k] != s) k++;
            if (k == g.sectors) sectors[g.sectors++] = s;
            for (k = 0; k < g.tags && lines[k] != l;) k++;
            if (k == g.tags) lines[g.tags++] = l;
        }
    return g;
}

#define GLOBAL(expr, mask, width, want_sectors, want_tags) \
    do { \
        uint64_t addr_[32]; \
        for (int i = 0; i < 32; i++) addr_[i] = 0x10000 + (uint64_t)(expr); \
        struct model_global g_ = model_coalesce(profile("h200"), addr_, mask, width); \
        ck_assert_msg( \
            g_.sectors == want_sectors && g_.tags == want_tags && g_.bytes == 32 * want_sectors, \
            "%s, mask %x, %d bytes: %u sectors, %u tags", #expr, mask, width, g_.sectors, \
            g_.tags); \
    } while (0)

/* The Best Practices Guide's figures, "Coalesced Access to Global Memory", for 6.0 and later:
 * aligned 4 sectors, misaligned 5, with a stride of 2 words 8; then other widths and orders, and
 * the rows of the kit's kernels. */
START_TEST(coalesce_by_hand)
{
    GLOBAL(4 * i, ALL, 4, 4, 1);            /* 128 contiguous bytes */
    GLOBAL(4 * (i + 1), ALL, 4, 5, 2);      /* bytes 4 .. 131 */
    GLOBAL(4 * (i + 8), ALL, 4, 4, 2);      /* shifted by a sector: 4 sectors in 2 lines */
    GLOBAL(8 * i, ALL, 4, 8, 2);            /* stride 2 */
    GLOBAL(4 * 32 * i, ALL, 4, 32, 32);     /* stride 32: a line for each lane */
    GLOBAL(4 * (31 - i), ALL, 4, 4, 1);     /* backwards is as good */
    GLOBAL(4 * (i * 5 % 32), ALL, 4, 4, 1); /* and so is any order */
    GLOBAL(64, ALL, 4, 1, 1);               /* one address for all */
    GLOBAL(i, ALL, 1, 1, 1);                /* 32 bytes */
    GLOBAL(2 * i, ALL, 2, 2, 1);
    GLOBAL(8 * i, ALL, 8, 8, 2);
    GLOBAL(16 * i, ALL, 16, 16, 4);
    /* one member of a structure of three doubles: 768 bytes, all touched */
    GLOBAL(24 * i, ALL, 8, 24, 6);
    /* a 16 x 16 block in which threadIdx.x selects the row: 16 rows, each read by two lanes */
    GLOBAL(4096 * (i % 16), ALL, 4, 16, 16);
    GLOBAL(4 * (i / 16), ALL, 4, 1, 1); /* the block's load of the other factor: 2 words */
    /* both halves of the warp read the same lines, but other sectors */
    GLOBAL(4096 * (i % 16) + 64 * (i / 16), ALL, 4, 32, 16);
    GLOBAL(4 * (i % 16) + (i < 16 ? 4096 : 0), ALL, 4, 4, 2); /* lanes 16 to 31: the row before */
    /* 16 rows, each read by two lanes, in another order */
    GLOBAL(4096 * ((i % 16) ^ 5), ALL, 4, 16, 16);
}
END_TEST

START_TEST(coalesce_partial_masks)
{
    GLOBAL(4 * i, 0, 4, 0, 0);
    GLOBAL(4 * i, 1, 4, 1, 1);
    GLOBAL(4 * i, 0x80000000u, 4, 1, 1);
    GLOBAL(4 * i, 0x000000ffu, 4, 1, 1); /* eight floats: one sector */
    GLOBAL(4 * i, 0x000001ffu, 4, 2, 1);
    GLOBAL(4 * i, 0x01010101u, 4, 4, 1); /* each active lane in its own sector */
    /* the inactive lane 7 has an address far away */
    GLOBAL(4 * i + (i == 7 ? 1 << 20 : 0), ~0x80u, 4, 4, 1);
}
END_TEST

/* Local memory is interleaved: the words of 8 neighbouring lanes are a sector. */
START_TEST(local_words_stand_side_by_side)
{
    static const struct {
        uint32_t mask;
        int step, sectors;
    } rows[] = {{~0u, 0, 4}, {1, 0, 1}, {0x01010101, 0, 4}, {0xff, 0, 1}, {0xff, 1, 2},
        {0xff, 4, 8}, {0x1ff, 0, 2}, {0x180, 0, 2}, {0, 0, 0}, {~0u, 4, 32}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint64_t addr[32];
        for (int i = 0; i < 32; i++) addr[i] = 64 + (uint64_t)(i * rows[k].step);
        ck_assert_uint_eq(model_local_sectors(addr, rows[k].mask), rows[k].sectors);
    }
}
END_TEST

START_TEST(coalesce_misaligned_spans)
{
    GLOBAL(4 * i + 2, ALL, 4, 5, 2);       /* bytes 2 .. 129 */
    GLOBAL(128 * i + 30, ALL, 4, 64, 32);  /* each word in two sectors */
    GLOBAL(256 * i + 126, ALL, 4, 64, 64); /* each word in two sectors of two lines */
}
END_TEST

START_TEST(coalesce_agrees_with_the_long_way_round)
{
    struct rng r;
    rng_seed(&r, 1);
    for (int n = 0; n < 20000; n++) {
        uint64_t addr[32], range = 1 + rng_below(&r, n % 3 ? 64 : 4096), stride = rng_below(&r, 40);
        unsigned bytes = 1u << rng_below(&r, 5);
        uint32_t mask = n % 2 ? ALL : rng_u64(&r);
        for (int i = 0; i < 32; i++)
            addr[i] = bytes * (n % 5 ? rng_below(&r, range)
                                     : stride * (i % (1 << n % 6)) + i / 16 * (n % 7 ? range : 0));
        struct model_global want = coalesce_slowly(addr, mask, bytes);
        struct model_global got = model_coalesce(profile("tiny"), addr, mask, bytes);
        ck_assert_msg(got.sectors == want.sectors && got.tags == want.tags,
            "try %d: %u sectors, not %u; %u tags, not %u", n, got.sectors, want.sectors, got.tags,
            want.tags);
    }
}
END_TEST

/* Measured: clocks for each load that hits the L1 of an H200, repeated by 16 warps, rounded. */
START_TEST(coalesce_data_passes)
{
    const struct {
        unsigned bytes, a, mod, want; /* lane i addresses i % mod * a */
    } rows[] = {
        {4, 4, 32, 1},
        {4, 0, 32, 1},
        {4, 8, 32, 2},
        {4, 128, 32, 32},
        {4, 4096, 32, 32},
        {4, 4096, 16, 16},
        {4, 128, 4, 4},
        {4, 132, 32, 8},
        {4, 132, 16, 4},
        {4, 132, 8, 2},
        {4, 132, 4, 1},
        {4, 132, 2, 1},
        {8, 8, 32, 2},
        {8, 0, 32, 2},
        {16, 16, 32, 4},
        {16, 0, 32, 4},
        {16, 128, 32, 32},
    };
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint64_t addr[32];
        for (unsigned i = 0; i < 32; i++) addr[i] = 1 << 20 | i % rows[k].mod * rows[k].a;
        ck_assert_msg(
            model_coalesce(profile("h200"), addr, ALL, rows[k].bytes).wavefronts == rows[k].want,
            "row %u", k);
    }
}
END_TEST

/* 6.1, by hand: a request is 8 words, 4 of 8 bytes or 2 of 16. Of the lines of one request, those
 * in the same one of four sets take a clock each. */
START_TEST(coalesce_requests)
{
    const struct {
        unsigned bytes, a, mod, lanes, want; /* lane i addresses i % mod * a */
    } rows[] = {
        {4, 4, 32, 32, 4}, /* a line: 4 requests */
        {4, 0, 32, 32, 4},
        {4, 64, 32, 32, 4},  /* a request's 8 words lie in 4 lines, a set each */
        {4, 128, 32, 32, 8}, /* a request's 8 words lie in 8 lines, 2 in each set */
        /* 8 lines in 2 sets; 8 lines in one set, here and in the next row */
        {4, 256, 32, 32, 16},
        {4, 512, 32, 32, 32},
        {4, 2048, 32, 32, 32},
        {4, 512, 2, 32, 8}, /* each of 4 requests reads two lines of one set */
        {4, 512, 32, 9, 9},
        {1, 1, 32, 32, 4},
        {8, 8, 32, 32, 8},
        {8, 512, 32, 32, 32},
        {16, 16, 32, 32, 16},
        {16, 128, 32, 32, 16},
        {16, 512, 32, 32, 32},
    };
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        uint64_t addr[32];
        uint32_t mask = rows[k].lanes == 32 ? ALL : (1u << rows[k].lanes) - 1;
        for (unsigned i = 0; i < 32; i++) addr[i] = 1 << 20 | i % rows[k].mod * rows[k].a;
        unsigned got = model_coalesce(profile("gtx1080"), addr, mask, rows[k].bytes).wavefronts;
        ck_assert_msg(got == rows[k].want, "row %u: %u, not %u", k, got, rows[k].want);
    }
}
END_TEST

/* ---- cache ---- */

START_TEST(cache_drops_the_line_used_longest_ago)
{
    struct model_cache *c = model_cache_new(3 * 128, 3, 128, 32); /* one set of three lines */
    ck_assert_int_eq(model_cache_access(c, 0 * 128, 0, 1), 0);
    ck_assert_int_eq(model_cache_access(c, 1 * 128, 0, 1), 0);
    ck_assert_int_eq(model_cache_access(c, 2 * 128, 0, 1), 0);
    ck_assert_int_eq(model_cache_access(c, 0 * 128 + 31, 0, 1), CACHE_HIT);
    ck_assert_int_eq(
        /* the line is there, this sector is not */
        model_cache_access(c, 0 * 128 + 32, 0, 1), 0);
    ck_assert_int_eq(model_cache_access(c, 0 * 128 + 32, 0, 1), CACHE_HIT);
    ck_assert_int_eq(model_cache_access(c, 3 * 128, 0, 1), 0); /* evicts line 1 */
    ck_assert_int_eq(model_cache_access(c, 2 * 128, 0, 1), CACHE_HIT);
    ck_assert_int_eq(model_cache_access(c, 1 * 128, 0, 1), 0); /* evicts line 0 */
    /* line 0's second sector was evicted, too */
    ck_assert_int_eq(model_cache_access(c, 1 * 128 + 32, 0, 1), 0);
    ck_assert_int_eq(model_cache_access(c, 3 * 128, 0, 1), CACHE_HIT);
    ck_assert_int_eq(
        /* a look-up that does not fill: nothing is evicted */
        model_cache_access(c, 0 * 128, 0, 0), 0);
    ck_assert_int_eq(model_cache_access(c, 2 * 128, 0, 1), CACHE_HIT);
    ck_assert_int_eq(model_cache_access(c, 0 * 128, 0, 1), 0);
    model_cache_clear(c);
    ck_assert_int_eq(model_cache_access(c, 3 * 128, 0, 1), 0);
    model_cache_free(c);
}
END_TEST

START_TEST(cache_writes_back_what_is_dirty)
{
    struct model_cache *c = model_cache_new(2 * 128, 2, 128, 32);
    ck_assert_int_eq(model_cache_access(c, 0, 1, 1), 0);
    ck_assert_int_eq(model_cache_access(c, 64, 1, 1), 0);
    ck_assert_int_eq(model_cache_access(c, 96, 0, 1), 0);
    ck_assert_int_eq(model_cache_access(c, 128, 0, 1), 0);
    ck_assert_uint_eq(model_cache_dirty(c), 2);
    /* line 0 is evicted, with sectors 0 and 2 dirty */
    ck_assert_int_eq(model_cache_access(c, 256, 0, 1), CACHE_WROTE_BACK);
    ck_assert_uint_eq(model_cache_evicted_dirty(c), 2);
    ck_assert_uint_eq(model_cache_dirty(c), 0);
    ck_assert_int_eq(model_cache_access(c, 384, 1, 1), 0); /* evicts line 1, which is clean */
    ck_assert_uint_eq(model_cache_evicted_dirty(c), 0);
    /* a write that misses and is not to be kept */
    ck_assert_int_eq(model_cache_access(c, 512, 1, 0), 0);
    ck_assert_uint_eq(model_cache_dirty(c), 1);
    ck_assert_uint_eq(model_cache_line(c, 384, 0xf, 0, 1), 1);
    ck_assert_uint_eq(model_cache_line(c, 384, 0xf, 0, 1), 0xf);
    model_cache_free(c);
}
END_TEST

/* All lines that the cache has room for stay, whichever power of two lies between them; in a cache
 * of 480 lines, 512 read in order do not. */
START_TEST(cache_spreads_powers_of_two)
{
    for (int shift = 7; shift < 16; shift++) {
        struct model_cache *c = model_cache_new(64 << 10, 4, 128, 32); /* 128 sets of 4 lines */
        int hits[2] = {0};
        for (int round = 0; round < 2; round++)
            for (int i = 0; i < 512; i++)
                hits[round] += model_cache_access(c, (uint64_t)i << shift, 0, 1) & CACHE_HIT;
        ck_assert_int_eq(hits[0], 0);
        ck_assert_msg(hits[1] == 512, "lines 2^%d bytes apart: %d of 512 stayed", shift, hits[1]);
        model_cache_free(c);
    }
    /* 480 lines: 16 sets of 30 lines */
    struct model_cache *c = model_cache_new(60 << 10, 16, 128, 32);
    int hits = 0;
    for (int i = 0; i < 960; i++)
        hits += model_cache_access(c, (uint64_t)(i % 480) << 7, 0, 1) & CACHE_HIT;
    ck_assert_int_eq(hits, 480);
    for (int i = 0; i < 1024;
         i++) /* more than fits, again and again in order: the worst case for LRU */
        hits += model_cache_access(c, (uint64_t)(i % 512 + 4096) << 7, 0, 1) & CACHE_HIT;
    ck_assert_int_eq(hits, 480);
    model_cache_free(c);
}
END_TEST

/* Looking up several lines at once leaves a cache as looking them up one by one; if one of them
 * would miss, nothing changes. */
START_TEST(reads_that_all_hit_count_as_one_by_one)
{
    struct model_cache *one = model_cache_new(8 * 128, 4, 128, 32);
    struct model_cache *all = model_cache_new(8 * 128, 4, 128, 32);
    struct rng rng;
    int together = 0;
    rng_seed(&rng, 16);
    for (int i = 0; i < 4000; i++) {
        uint64_t addr[4];
        uint8_t sectors[4], hits[4];
        int n = 1 + (int)rng_below(&rng, 4), hit = 1;
        for (int k = 0; k < n; k++) {
            addr[k] = (uint64_t)rng_below(&rng, 10) << 7;
            sectors[k] = (uint8_t)(1 + rng_below(&rng, 3));
        }
        int told = model_cache_all_hit(all, addr, sectors, n);
        for (int k = 0; k < n; k++) {
            hits[k] = (uint8_t)model_cache_line(one, addr[k], sectors[k], 0, 1);
            hit &= hits[k] == sectors[k];
        }
        ck_assert_int_eq(told, hit);
        for (int k = 0; k < n && !told; k++)
            ck_assert_uint_eq(model_cache_line(all, addr[k], sectors[k], 0, 1), hits[k]);
        together += told;
    }
    ck_assert_int_gt(together, 200);
    model_cache_free(one);
    model_cache_free(all);
}
END_TEST

/* ---- occupancy ---- */

static void expect_occupancy(
    const char *device, int threads, int registers, size_t shared, int blocks, const char *limiter)
{
    const struct model_profile *p = profile(device);
    struct model_occupancy o = model_occupancy(p, threads, registers, shared);
    ck_assert_msg(o.blocks == blocks && strcmp(model_limiter_names[o.limiter], limiter) == 0,
        "%s, %d threads, %d registers, %zu bytes: %d by %s", device, threads, registers, shared,
        o.blocks, model_limiter_names[o.limiter]);
    ck_assert_int_eq(o.warps, blocks * ((threads + 31) / 32));
    ck_assert_double_eq(o.share, (double)o.warps / p->max_warps);
}

START_TEST(occupancy_limits_one_by_one)
{
    expect_occupancy("h200", 256, 32, 0, 8, "warps");
    expect_occupancy("h200", 33, 16, 0, 32, "warps");  /* a block has two warps */
    expect_occupancy("h200", 32, 16, 0, 32, "blocks"); /* 32 of 64 warps */
    expect_occupancy("h200", 1024, 33, 0, 1,
        "registers"); /* 1056 registers a warp, rounded up to 1280: 48 warps, one block */
    /* 8192 registers a warp: two warps on each scheduler */
    expect_occupancy("h200", 256, 255, 0, 1, "registers");
    /* 1280 registers a warp: 12 warps on each scheduler, 48 in all */
    expect_occupancy("h200", 256, 33, 0, 6, "registers");
    expect_occupancy("h200", 96, 40, 0, 16,
        "registers"); /* 48 warps, though 51 would fit into all registers at once */
    expect_occupancy(
        "h200", 256, 32, 48 << 10, 4, "shared memory"); /* 49 KB a block, 1 KB for the system */
    /* 39 KB a block: 6 blocks would need 234 KB */
    expect_occupancy("h200", 256, 32, 38 << 10, 5, "shared memory");
    expect_occupancy("h200", 256, 32, 227 << 10, 1, "shared memory");
    expect_occupancy("h200", 256, 32, (227 << 10) + 1, 0, "shared memory");
    expect_occupancy("h200", 1025, 32, 0, 0, "threads a block");
    expect_occupancy("h200", 0, 32, 0, 0, "threads a block");
    /* 8 blocks of 8 warps fill a multiprocessor's 64. A grid of 16 blocks gives 16 of 132
     * multiprocessors one each, one of 264 gives each two. */
    const struct model_profile *p = model_profile_find("h200");
    struct model_occupancy o = model_occupancy(p, 256, 32, 0);
    ck_assert_double_eq(model_occupancy_reached(p, &o, 16), 1 / 8.0);
    ck_assert_double_eq(model_occupancy_reached(p, &o, 264), 2 / 8.0);
    ck_assert_double_eq(model_occupancy_reached(p, &o, 8 * 132), 1);
    ck_assert_double_eq(model_occupancy_reached(p, &o, 1000000), 1);
    static const struct {
        uint64_t blocks;
        double warps;
        int fills, idle;
    } grids[] = {
        {1, 8, 0, 131}, {4, 8, 0, 128}, {132, 8, 0, 0}, {198, 12, 0, 0}, {8 * 132, 64, 1, 0}};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        struct model_resident r = model_resident(p, &o, grids[i].blocks);
        ck_assert_double_eq(r.warps, grids[i].warps);
        ck_assert_int_eq(r.fills, grids[i].fills);
        ck_assert_int_eq(r.idle, grids[i].idle);
    }
    expect_occupancy("tiny", 1024, 32, 0, 1, "warps");
    expect_occupancy("tiny", 1024, 33, 0, 0, "registers"); /* not even one block fits */
    expect_occupancy("tiny", 64, 32, 0, 8, "blocks");
    /* more shared memory than a block may have */
    expect_occupancy("tiny", 128, 0, (48 << 10) + 1, 0, "shared memory");
    expect_occupancy("tiny", 128, 0, 16 << 10, 4, "shared memory");
}
END_TEST

/* Requests and sectors of a warp's texture fetch of elements of 4, 8, 16 and 1 bytes, as an H200
 * counts them (ncu, a block of 256 threads). */
static unsigned in_order(unsigned l) { return l; }
static unsigned every_second(unsigned l) { return 2 * l; }
static unsigned every_eighth(unsigned l) { return 8 * l; }
static unsigned every_32nd(unsigned l) { return 32 * l; }
static unsigned one_place(unsigned l) { return 5 + 0 * l; }
static unsigned from_1(unsigned l) { return l + 1; }
static unsigned in_fours(unsigned l) { return l / 4 * 8 + l % 4; }
static unsigned backwards(unsigned l) { return 31 - l; }
static unsigned columns(unsigned l) { return l % 8 * 32 + l / 8; }
static unsigned two_runs(unsigned l) { return l / 16 * 100 + l % 16 * 2; }
START_TEST(texels_as_the_hardware_counts_them)
{
    static const unsigned bytes[4] = {4, 8, 16, 1}, requests[4] = {4, 4, 8, 4};
    static const struct {
        unsigned (*element)(unsigned lane), sectors[4], of_5_lanes;
    } rows[] = {
        {in_order, {4, 8, 16, 4}, 1},
        {every_second, {8, 16, 32, 4}, 2},
        {every_eighth, {32, 32, 32, 8}, 5},
        {every_32nd, {32, 32, 32, 32}, 5},
        {one_place, {4, 4, 8, 4}, 1},
        {from_1, {8, 12, 24, 5}, 1},
        {in_fours, {8, 8, 16, 4}, 2},
        {backwards, {4, 8, 16, 4}, 1},
        {columns, {32, 32, 32, 32}, 5},
        {two_runs, {10, 16, 32, 5}, 2},
    };
    const struct model_profile *p = profile("h200");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 5; k++) {
            uint64_t addr[32];
            unsigned n = bytes[k % 4], asked = 0, sectors = 0, lanes = k < 4 ? 32 : 5;
            for (unsigned l = 0; l < 32; l++) addr[l] = 1 << 20 | rows[i].element(l) * n;
            for (uint32_t rest = ALL >> (32 - lanes), now; rest; rest &= ~now) {
                now = model_texel_lanes(rest, n);
                sectors += model_texels(p, addr, now, n).sectors;
                asked++;
            }
            ck_assert_msg(asked == (k < 4 ? requests[k] : 1) &&
                              sectors == (k < 4 ? rows[i].sectors[k] : rows[i].of_5_lanes),
                "row %zu, %u bytes, %u lanes: %u requests, %u sectors", i, n, lanes, asked,
                sectors);
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("model");
    const struct {
        const char *name;
        const TTest *test;
    } tests[] = {
        {"metrics", metrics_have_unique_names},
        {"metrics", metrics_derive_ratios},
        {"profiles", profiles_are_sane},
        {"assumed", assumed_figures_exist},
        {"features", features_are_sets},
        {"names", names_mean_profiles},
        {"coalesce", coalesce_by_hand},
        {"coalesce", coalesce_partial_masks},
        {"coalesce", coalesce_misaligned_spans},
        {"coalesce", local_words_stand_side_by_side},
        {"coalesce", coalesce_agrees_with_the_long_way_round},
        {"coalesce", coalesce_data_passes},
        {"coalesce", coalesce_requests},
        {"coalesce", texels_as_the_hardware_counts_them},
        {"cache", cache_drops_the_line_used_longest_ago},
        {"cache", cache_writes_back_what_is_dirty},
        {"cache", cache_spreads_powers_of_two},
        {"cache", reads_that_all_hit_count_as_one_by_one},
        {"occupancy", occupancy_limits_one_by_one},
    };
    for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) {
        TCase *c = tcase_create(tests[i].name);
        tcase_add_test(c, tests[i].test);
        suite_add_tcase(s, c);
    }
    return suite_run(s);
}
