/* test_model_latency.c - the time model: which waits of warps the work of others hides, by hand. */
#include "base/base.h"
#include "model/model.h"
#include "suite.h"

static const struct model_profile *profile(const char *name)
{
    const struct model_profile *p = model_profile_find(name);
    ck_assert_msg(p != NULL, "no profile %s", name);
    return p;
}

/* Checks the clocks of the latency part on tiny, whose 2 multiprocessors run at 1 GHz, so that a
 * clock is a nanosecond. */
static void expect_latency(struct model_work w, double clocks)
{
    struct model_time t = model_time(profile("tiny"), &w);
    ck_assert_double_eq_tol(t.part_ms[PART_LATENCY] * 1e6, clocks, 0.001 * clocks);
    ck_assert_msg(t.ms >= t.part_ms[PART_LATENCY], "the whole is shorter than latency");
    ck_assert_int_eq(t.bottleneck, PART_LATENCY);
}

/* 16 blocks on each multiprocessor, which holds 8. The second 8 start together, and go on in two
 * groups. Each group waits 1000 clocks, then works for 1000. A group alone would be at work half
 * the time, so each finds the other there for 500 clocks: 2500 clocks for both, of which they work
 * 2000. The wait of the first 8 is in the start. Four blocks are two groups, too; three or two are
 * one: nothing of the wait is hidden. */
START_TEST(blocks_that_start_together_wait_together)
{
    struct model_work w = {
        .blocks = 32, .block_threads = 32, .registers = 16, .inst = 8000, .rounds = 1};
    double worked = model_time(profile("tiny"), &w).ms;
    w.critical_path = w.waiting = 1000;
    ck_assert_double_eq_tol(model_time(profile("tiny"), &w).ms - worked, 500e-6, 1e-9);
    static const struct {
        int resident, threads;
        double hidden;
    } rows[] = {{4, 256, 500}, {3, 320, 0}, {2, 512, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        w = (struct model_work){.blocks = 4 * (uint64_t)rows[i].resident,
            .block_threads = rows[i].threads,
            .registers = 16,
            .inst = 8000,
            .rounds = 1};
        worked = model_time(profile("tiny"), &w).ms;
        w.critical_path = w.waiting = 1000;
        ck_assert_double_eq_tol(
            model_time(profile("tiny"), &w).ms - worked, (1000 - rows[i].hidden) * 1e-6, 1e-9);
    }
}
END_TEST

/* tiny holds 8 blocks of 64 threads, 4 if each takes 16 KB: 64 blocks are 4 or 8 fillings of both
 * multiprocessors. */
START_TEST(latency_needs_occupancy)
{
    struct model_work w = {
        .blocks = 64, .block_threads = 64, .registers = 16, .critical_path = 1000};
    expect_latency(w, 4000);
    w.shared_bytes = 16 << 10;
    expect_latency(w, 8000);
    w.blocks = 65; /* one block more makes one filling more */
    expect_latency(w, 9000);
}
END_TEST

/* 8 blocks of a warp, 4 on each multiprocessor, all at once; each waits 1000 clocks, then works for
 * 500. One alone takes 1500 clocks. With two, a block finds the other at work a third of the time:
 * one ends every (1000 + 500 (4/3)) / 2 = 833 clocks. With three, 0.8 others are at work: 633
 * clocks; with four, 1.421: 552.6 clocks. Four blocks take four times that. */
START_TEST(latency_and_work_overlap)
{
    struct model_work w = {
        .blocks = 8, .block_threads = 32, .registers = 16, .critical_path = 1000, .inst = 8 * 500};
    double start = 1000 + 8;
    ck_assert_double_eq_tol(model_time(profile("tiny"), &w).ms, (start + 4 * 552.63) * 1e-6, 1e-8);
    w.critical_path = 0;
    ck_assert_double_eq_tol(model_time(profile("tiny"), &w).ms, (start + 4 * 500) * 1e-6, 1e-12);
    w.critical_path = 1000;
    w.inst = 0;
    ck_assert_double_eq_tol(model_time(profile("tiny"), &w).ms, (start + 1000) * 1e-6, 1e-12);
}
END_TEST

/* A block whose 4 warps wait often: from the second wait on the warps drift apart, and waits and
 * work overlap better. */
START_TEST(rounds_let_warps_come_apart)
{
    struct model_work w = {.blocks = 2,
        .block_threads = 128,
        .registers = 16,
        .critical_path = 8000,
        .inst = 2 * 8000};
    double together = model_time(profile("tiny"), &w).ms;
    w.rounds = 80;
    double apart = model_time(profile("tiny"), &w).ms;
    /* all warps wait together: nothing overlaps */
    ck_assert_double_eq_tol(together, (1000 + 2 + 16000) * 1e-6, 1e-9);
    ck_assert(apart < together * 0.75);
    ck_assert(apart > (1000 + 2 + 8000) * 1e-6);
    w.rounds_together = 80; /* if they wait for the same data, nothing overlaps */
    ck_assert_double_eq_tol(model_time(profile("tiny"), &w).ms, together, 1e-9);
    w.rounds_together = 40;
    ck_assert_double_eq_tol(
        model_time(profile("tiny"), &w).ms, (together + apart) / 2, 0.01 * together);
}
END_TEST

/* Warps that go on together behind a barrier hide the latency between each other's instructions,
 * but no wait for memory; one warp hides nothing. */
START_TEST(ready_warps_hide_latency_between_instructions)
{
    struct model_work w = {.blocks = 2,
        .block_threads = 128,
        .registers = 16,
        .critical_path = 8000,
        .inst = 2 * 8000,
        .rounds = 80,
        .rounds_together = 80};
    double as_one = model_time(profile("tiny"), &w).ms;
    w.rounds_ready = 80;
    double ready = model_time(profile("tiny"), &w).ms;
    ck_assert(ready < as_one * 0.8);
    w.waiting = 8000;
    ck_assert_double_eq_tol(model_time(profile("tiny"), &w).ms, as_one, 1e-9);
    w.waiting = 0, w.block_threads = 32;
    ck_assert_double_eq_tol(model_time(profile("tiny"), &w).ms, as_one, 1e-9);
}
END_TEST

/* A warp's 22 clocks from one instruction to the next are filled by the others of its block on a
 * Tesla M2090, a wait for memory is not. */
START_TEST(blocks_fill_their_own_latency)
{
    struct model_work w = {.blocks = 16 * 100,
        .block_threads = 1024,
        .registers = 20,
        .inst = 16e6 * 4,
        .critical_path = 2000,
        .rounds = 1};
    double filled = model_time(profile("m2090"), &w).ms;
    w.waiting = 2000;
    double waited = model_time(profile("m2090"), &w).ms;
    ck_assert_double_eq_tol(waited - filled, 100 * 2000 / 1.301e6, 0.01 * waited);
}
END_TEST

/* One block of 32 warps that wait for the same data 1000 times: up to 8.x the first requests the
 * next data before the others work, from 9.0 on all work first. */
START_TEST(the_first_warp_waits_while_the_others_work)
{
    static const struct {
        const char *gpu;
        double share; /* part of the work that does not overlap the wait */
    } of[] = {{"l4", 1.0 / 32}, {"h200", 1}};
    for (int i = 0; i < 2; i++) {
        const struct model_profile *p = profile(of[i].gpu);
        struct model_work w = {.blocks = p->sms, .block_threads = 1024, .registers = 32};
        double start = model_time(p, &w).ms, clocks_a_ms = p->clock_ghz * 1e6;
        w.inst = (double)p->sms * p->schedulers * 400e3 / p->issue_clocks;
        w.critical_path = 500e3, w.rounds = w.rounds_together = 1000;
        double clocks = (model_time(p, &w).ms - start) * clocks_a_ms;
        ck_assert_double_eq_tol(clocks, 500e3 + 400e3 * of[i].share, 0.01 * clocks);
        w.inst *= 3; /* more work than wait: on the L4 it hides the whole wait */
        clocks = (model_time(p, &w).ms - start) * clocks_a_ms;
        ck_assert_double_eq_tol(clocks, 1200e3 + (i ? 500e3 : 0), 0.01 * clocks);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("model latency");
    TCase *hand = tcase_create("by hand");
    tcase_add_test(hand, blocks_that_start_together_wait_together);
    tcase_add_test(hand, latency_needs_occupancy);
    tcase_add_test(hand, latency_and_work_overlap);
    tcase_add_test(hand, rounds_let_warps_come_apart);
    tcase_add_test(hand, ready_warps_hide_latency_between_instructions);
    tcase_add_test(hand, blocks_fill_their_own_latency);
    tcase_add_test(hand, the_first_warp_waits_while_the_others_work);
    suite_add_tcase(s, hand);
    return suite_run(s);
}
