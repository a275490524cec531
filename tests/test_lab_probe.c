/* test_lab_probe.c - the probes find on a simulated device what its profile says. */
#include "hardware/hardware.h"
#include "hardware/probe.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far a figure may be off. A latency includes a clock or two that a single warp takes at the
 * unit it waits for; probes that keep one part busy keep others busy as well. */
static double slack(const struct probe *q, double row)
{
    return strncmp(q->figure, "latency", 7) ? 0.12 * row : 0.05 * row + 1.5;
}

START_TEST(a_profile_is_found_again)
{
    static const char *const devices[] = {"sim:h200", "sim:a100"};
    struct workbench_options o = {.device = devices[_i]};
    struct workbench b;
    struct build x;
    struct prober p;
    struct err e = {0};
    ck_assert_msg(!workbench_open(&b, &o, &e) &&
                      !kernels_open(&x, &b, &probe_lab, probe_lab.exercises, &e) &&
                      !probe_open(&p, b.device, x.module, &e),
        "%s", e.text);
    ck_assert_int_eq(p.sms, device_profile(b.device)->sms);
    /* under the sanitizers a probe takes ten times as long: every second one, as they share code */
    int stride = getenv("LOCKSTEP_SANITIZED") ? 2 : 1;
    for (const struct probe *q = probes; q->figure; q += q[1].figure ? stride : 1) {
        double v, row = q->row(device_profile(b.device));
        ck_assert_msg(!q->run(&p, &v, &e), "%s: %s", q->figure, e.text);
        if (!strcmp(q->figure, "clock_ghz")) /* a simulated clock is given */
            ck_assert(isnan(v));
        else if (row > 0) /* 0: the profile has none */
            ck_assert_msg(fabs(v - row) <= slack(q, row), "%s: %s is %g, and %g in the profile",
                devices[_i], q->figure, v, row);
    }
    probe_close(&p);
    build_close(&x);
    workbench_close(&b);
}
END_TEST

START_TEST(a_device_whose_blocks_are_too_small_is_told_so)
{
    struct workbench_options o = {.device = "sim:gtx280"};
    struct workbench b;
    struct build x;
    struct prober p;
    struct err e = {0};
    ck_assert_msg(
        !workbench_open(&b, &o, &e) && !kernels_open(&x, &b, &probe_lab, probe_lab.exercises, &e),
        "%s", e.text);
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
    tcase_set_timeout(t, 0);
    /* under the sanitizers one device: the second runs the same code */
    tcase_add_loop_test(t, a_profile_is_found_again, 0, getenv("LOCKSTEP_SANITIZED") ? 1 : 2);
    tcase_add_test(t, a_device_whose_blocks_are_too_small_is_told_so);
    suite_add_tcase(s, t);
    return suite_run(s);
}
