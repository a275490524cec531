/* test_drift.c - warps that drift apart: what is left in caches, counted by hand, and who does. */
#include "ptx/flatten.h"
#include "sim/trace.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

/* ---- the caches (apart.c) ---- */

enum { L1_LINES = 16, WAY = 64 };

/* Two warps read the lines 0, 1, 2, ..., one an instant, through an L1 of one set; the first comes lead of its way later. */
static const struct pair {
    const char *what;
    double lead;
    int schedulers;
    uint64_t second; /* the second warp's stream: 0, the same block's, or 1, another block's */
    double missed;   /* lines */
} pairs[] = {
    {"in step one of them fetches", 0, 1, 0, WAY},
    {"8 lines behind at the end, of which the L1 holds 16", 0.125, 1, 0, WAY},
    {"half of the way behind: line n is read again after n - 1 others, and (n - 1) / 2 read again, 15 with n = 11", 1, 1, 0, 2 * WAY - 11},
    {"warps of different schedulers go side by side", 1, 2, 0, WAY},
    {"blocks have nothing in common", 0, 1, 1, 2 * WAY},
};

START_TEST(who_comes_later_finds_what_is_still_there)
{
    const struct pair *t = &pairs[_i];
    struct model_profile p = *model_profile_find("tiny");
    double missed = 0, bytes = 0;
    p.lead = t->lead;
    p.drift = 0;
    p.schedulers = t->schedulers;
    struct apart *a = apart_new(&p, t->second ? 1 : 2, 2, L1_LINES << LINE_SHIFT, 0, SECTOR_SHIFT);
    apart_start_sm(a);
    for (uint64_t i = 1; i <= WAY; i++) {
        apart_read(a, 0, 0, i, i << LINE_SHIFT);
        apart_read(a, t->second, t->second ? 0 : 1, i, i << LINE_SHIFT);
    }
    apart_totals(a, &missed, &bytes);
    ck_assert_msg(missed == t->missed, "%s: %g lines were fetched, not %g", t->what, missed, t->missed);
    ck_assert_double_ge(bytes, 32.0 * WAY);
    ck_assert_double_le(bytes, 32 * missed);
    apart_free(a);
}
END_TEST

/* Each instant two warps read a line that both want, and own lines that nobody else does; a miss takes as long as far hits more. They are
 * half of the way on which they waited apart, a standard deviation, so that the first is late by all of it. */
static const struct waiter {
    const char *what;
    double drift;
    int own, far;
    double least, most; /* lines fetched */
} waiters[] = {
    {"in step one of them fetches what both want", 0, 1, 1, 3 * WAY, 3 * WAY},
    {"who finds what the other fetched does not drift away", 0.5, 0, 1, WAY, WAY},
    {"who waits for its own lines loses the other", 0.5, 1, 1, 4 * WAY - 20, 4 * WAY - 1},
    {"and does not where nothing has to be waited for", 0.5, 1, 0, 3 * WAY, 3 * WAY},
};

START_TEST(who_waits_drifts_apart)
{
    const struct waiter *t = &waiters[_i];
    struct model_profile p = *model_profile_find("tiny");
    double missed = 0, bytes = 0;
    p.lead = 0;
    p.drift = t->drift;
    p.latency_l2 = p.latency_l1 * (1 + t->far);
    struct apart *a = apart_new(&p, 2, 1, L1_LINES << LINE_SHIFT, 0, SECTOR_SHIFT);
    apart_start_sm(a);
    for (uint64_t i = 1; i <= WAY; i++)
        for (int w = 0; w < 2; w++) {
            if (t->own)
                apart_read(a, 0, w, i, (1 + (uint64_t)w) << 20 | i << LINE_SHIFT);
            apart_read(a, 0, w, i, i << LINE_SHIFT);
        }
    apart_totals(a, &missed, &bytes);
    ck_assert_msg(missed >= t->least && missed <= t->most, "%s: %g lines were fetched", t->what, missed);
    apart_free(a);
}
END_TEST

/* Of blocks of 8 warps, 4 at a time, 20 warps are 3; of blocks of 32, one; and there are no more than are held. */
START_TEST(the_oldest_blocks_run)
{
    struct model_profile p = *model_profile_find("tiny");
    double missed = 0, bytes = 0;
    p.at_once = 20;
    ck_assert_int_eq(apart_few(&p, 8, 4), 3);
    ck_assert_int_eq(apart_few(&p, 32, 2), 1);
    ck_assert_int_eq(apart_few(&p, 1, 16), 16);
    struct apart *a = apart_new(&p, 8, 3, L1_LINES << LINE_SHIFT, 0, SECTOR_SHIFT);
    apart_start_sm(a);
    for (uint64_t block = 0; block < 4; block++)
        apart_read(a, block, 0, 1, 1 << LINE_SHIFT);
    apart_totals(a, &missed, &bytes);
    ck_assert_double_eq(missed, 3);
    apart_free(a);
}
END_TEST

/* ---- who does ---- */

/* All warps read 4 KiB, a lane a sector, so many times over, then the next 4 KiB, 64 of them; the i-th warp's at i * own. */
#define TILES(own, times, meet) \
    ".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"t.cu\"\n.entry k(.param .u64 a) {\n" \
    ".reg .b32 %r<12>; .reg .b64 %d<8>; .reg .f32 %f<5>; .reg .pred %p;\n.loc 1 1 1\n" \
    "ld.param.u64 %d1, [a]; mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 31; mul.wide.u32 %d2, %r1, 32; add.s64 %d1, %d1, %d2;\n" \
    "mov.u32 %r2, %tid.x; mov.u32 %r5, %ctaid.x; shr.u32 %r2, %r2, 5; mad.lo.u32 %r2, %r5, 8, %r2; mul.wide.u32 %d2, %r2, " #own "; add.s64 %d1, %d1, %d2; mov.u32 %r3, 0;\n" \
    "T: mov.u32 %r4, 0; " meet "\n" \
    "L: ld.volatile.global.f32 %f1, [%d1]; ld.volatile.global.f32 %f2, [%d1+1024];\n" \
    "ld.volatile.global.f32 %f3, [%d1+2048]; ld.volatile.global.f32 %f4, [%d1+3072];\n" \
    "add.u32 %r4, %r4, 1; setp.lt.u32 %p, %r4, " #times "; @%p bra L;\n" \
    "add.s64 %d1, %d1, 4096; add.u32 %r3, %r3, 1; setp.lt.u32 %p, %r3, 64; @%p bra T; ret; }\n"

/* On tiny: an L1 of 256 lines, four blocks of 8 warps side by side, a tile 32 lines. */
static const struct tiles {
    const char *what, *ptx;
    double lead;
    int apart, slower; /* do they drift apart? is it felt? */
    double gbps;       /* of DRAM; 0: as it is */
} tiles[] = {
    {"3 tiles a block at once, then 4 and more, are too much for the L1", TILES(0, 32, ""), 0.2 / 7, 1, 1},
    {"a 50th of 64 tiles is hardly more than one", TILES(0, 32, ""), 0.02 / 7, 1, 0},
    {"with a thousandth of its speed it is memory that they wait for", TILES(0, 32, ""), 0.2 / 7, 0, 0, 0.064},
    {"a barrier holds them together", TILES(0, 32, "bar.sync 0;"), 0.2 / 7, 0, 0},
    {"warps with tiles of their own lose nothing", TILES(262144, 32, ""), 0.2 / 7, 1, 0},
};

static void run(const struct tiles *t, const struct sim_options *options, struct sim_result *r)
{
    struct err e = {0};
    struct ptx_module *m = NULL;
    struct ptx_program *p = NULL;
    struct model_profile tiny = *model_profile_find("tiny");
    struct sim_shape shape = {{8, 1, 1}, {256, 1, 1}, 0};
    uint64_t variables[1] = {0};
    tiny.lead = t->lead;
    tiny.drift = 0;
    tiny.dram_gbps = t->gbps > 0 ? t->gbps : tiny.dram_gbps;
    ck_assert_msg(!ptx_parse(t->ptx, "t.ptx", &m, &e) && !ptx_flatten(m, &m->funcs[0], "t.cu", &p, &e), "%s", e.text);
    struct sim_kernel *k = sim_kernel_new(p, variables, "t.cu");
    struct sim_memory *memory = sim_memory_new();
    uint64_t a = sim_alloc(memory, 64 << 18, "a", 4, 0);
    ck_assert_msg(!sim_launch(k, memory, &tiny, &shape, &a, options, r, &e), "%s", e.text);
    sim_kernel_free(k);
    sim_memory_free(memory);
    ptx_module_free(m);
}

START_TEST(who_waits_for_the_multiprocessor_drifts_apart)
{
    const struct tiles *t = &tiles[_i];
    struct sim_options one_sm = {.sample_sms = 1};
    struct sim_result some = {0}, all = {0};
    run(t, &one_sm, &some);
    run(t, NULL, &all);
    ck_assert_msg(all.together_ms == 0, "looked for although all multiprocessors ran");
    if (!t->apart)
        ck_assert_msg(some.together_ms == 0, "%s: and yet they drift apart", t->what);
    else if (t->slower)
        ck_assert_msg(some.time.ms > 1.2 * some.together_ms && some.together_ms > 0, "%s: %g ms, in step %g", t->what, some.time.ms,
                      some.together_ms);
    else
        ck_assert_msg(some.together_ms == 0 || some.time.ms < 1.02 * some.together_ms, "%s: %g ms, in step %g", t->what, some.time.ms,
                      some.together_ms);
    sim_result_free(&some);
    sim_result_free(&all);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("drift");
    TCase *c = tcase_create("all");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, who_comes_later_finds_what_is_still_there, 0, sizeof pairs / sizeof *pairs);
    tcase_add_test(c, the_oldest_blocks_run);
    tcase_add_loop_test(c, who_waits_drifts_apart, 0, sizeof waiters / sizeof *waiters);
    tcase_add_loop_test(c, who_waits_for_the_multiprocessor_drifts_apart, 0, sizeof tiles / sizeof *tiles);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
