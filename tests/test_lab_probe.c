/* test_lab_probe.c - the probes find on a simulated device what its profile says. */
#include "hardware/hardware.h"
#include "hardware/probe.h"

#include <check.h>
#include <math.h>
#include <string.h>

/* How far a figure may be off. A warp alone also takes its own turn at the unit that it waits for, a clock or two; what keeps
 * a part busy keeps others busy as well. */
static double slack(const struct probe *q, double row)
{
    return strncmp(q->figure, "latency", 7) ? 0.12 * row : 0.05 * row + 1.5;
}

/* A simulated device is given its clock, and its warps and multiprocessors have none of their own. */
static int needs_clocks(const char *figure)
{
    static const char *const all[] = {"clock_ghz", "wander", "alone_apart", "join_behind"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(figure, all[i]))
            return 1;
    return 0;
}

START_TEST(a_profile_is_found_again)
{
    static const char *const devices[] = {"sim:h200", "sim:a100"};
    struct workbench_options o = {.device = devices[_i]};
    struct workbench b;
    struct build x;
    struct prober p;
    struct err e = {0};
    ck_assert_msg(!workbench_open(&b, &o, &e) && !kernels_open(&x, &b, &probe_lab, probe_lab.exercises, &e) &&
                  !probe_open(&p, b.device, x.module, &e), "%s", e.text);
    ck_assert_int_eq(p.sms, device_profile(b.device)->sms);
    for (const struct probe *q = probes; q->figure; q++) {
        double v, row = q->row(device_profile(b.device));
        ck_assert_msg(!q->run(&p, &v, &e), "%s: %s", q->figure, e.text);
        if (needs_clocks(q->figure))
            ck_assert(isnan(v));
        else if (row > 0) /* 0: the row doesn't know */
            ck_assert_msg(fabs(v - row) <= slack(q, row), "%s: %s is %g, and %g in the profile", devices[_i], q->figure, v, row);
    }
    probe_close(&p);
    build_close(&x);
    workbench_close(&b);
}
END_TEST

/* Two groups of four, told apart by their clocks, each from together to 10 clocks around a mean; three are too few for a group. */
START_TEST(groups_come_apart)
{
    struct probe_way w[] = {{5000, 6010}, {0, 90}, {0, 100}, {5000, 5990}, {1e6, 2e6}, {0, 110}, {0, 100}, {5000, 6000}, {5000, 6000},
                            {1e6, 3e6}, {1e6, 4e6}};
    ck_assert_double_eq_tol(probe_come_apart(w, 11), 200 / 3.0, 1e-9);
    double some[] = {3, 1, 2}, even[] = {4, 1, 2, 3};
    ck_assert_double_eq(probe_median(some, 3), 2);
    ck_assert_double_eq(probe_median(even, 4), 2.5);
}
END_TEST

/* All join up to 10 clocks, half at 20, none from 40 on: 10 + 7.5 + 5. */
START_TEST(a_store_is_held_so_long)
{
    static const double between[] = {0, 10, 20, 40, 80}, joined[] = {1, 1, 0.5, 0, 0};
    ck_assert_double_eq_tol(probe_hold(between, joined, 5), 22.5, 1e-9);
}
END_TEST

START_TEST(a_device_whose_blocks_are_too_small_is_told_so)
{
    struct workbench_options o = {.device = "sim:gtx280"};
    struct workbench b;
    struct build x;
    struct prober p;
    struct err e = {0};
    ck_assert_msg(!workbench_open(&b, &o, &e) && !kernels_open(&x, &b, &probe_lab, probe_lab.exercises, &e), "%s", e.text);
    ck_assert_int_eq(probe_open(&p, b.device, x.module, &e), -1);
    ck_assert_ptr_nonnull(strstr(e.text, "512 threads"));
    probe_close(&p);
    build_close(&x);
    workbench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("probe");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 280);
    tcase_add_loop_test(t, a_profile_is_found_again, 0, 2);
    tcase_add_test(t, groups_come_apart);
    tcase_add_test(t, a_store_is_held_so_long);
    tcase_add_test(t, a_device_whose_blocks_are_too_small_is_told_so);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
