/* test_strangers.c - kernels as people write them, host and all: tests/strangers by every front end, some with outputs that are
 * compared with the CPU's; and what kernels print. */
#define _GNU_SOURCE
#include "profiling.h"

#include <math.h>
#include <stdio.h>

/* ---- what kernels print ---- */

START_TEST(printf_prints_as_c_does)
{
    char want[1024];
    const double d = 3;
    struct launched r = on_h200("prints.cu", "conversions", 2, 64, WITH("buf:i8:5:fill=33", "f64:3"));
    int n = snprintf(want, sizeof want, "%d %5d|%-5d|%05d|%+d %i\n", -1, 42, 42, 42, 42, 7);
    n += snprintf(want + n, sizeof want - (size_t)n, "%u %x %X %o %#x 44 4464\n", 4000000000u, 255, 255, 8, 255);
    n += snprintf(want + n, sizeof want - (size_t)n, "-5000000000 18000000000000000000 4 0x1234\n%f %.2f %8.3e %g %G\n", d, d, d, d, 1e-10);
    n += snprintf(want + n, sizeof want - (size_t)n, "[%s] [%8s] [%-8s] [%.2s] %c%c\n", "abc", "abc", "abc", "abc", 'x', 'y');
    n += snprintf(want + n, sizeof want - (size_t)n, "%*d|%-*d|%.*f\n100%% %%y %%\n%s\n", 6, 42, 6, 42, 3, d, "!!!!!");
    ck_assert_ptr_nonnull(r.p.m.printed);
    ck_assert_str_eq(r.p.m.printed, want);
    struct buf text = {0}, page = {0};
    profile_text(&r.p, &text);
    HAS(text.data, "printed by the kernel:\n-1    42|42   |");
    profile_page(&r.p, &page);
    HAS(page.data, "<h2>Printed by the kernel</h2>");
    json_t *o = profile_json(&r.p);
    ck_assert_str_eq(json_string_value(json_object_get(o, "printed")), want);
    json_decref(o);
    buf_free(&text);
    buf_free(&page);
    launched_free(&r);
    r = on_h200("prints.cu", "quiet", 2, 64, WITH());
    ck_assert_ptr_null(r.p.m.printed);
    launched_free(&r);
}
END_TEST

/* Blocks in order and a warp's lanes in order, on however many threads; cut after so much, and that is said. */
START_TEST(prints_have_an_order)
{
    char want[4096];
    size_t n = 0;
    for (int b = 0; b < 6; b++)
        for (int i = 0; i < 40; i++)
            n += (size_t)snprintf(want + n, sizeof want - n, "%d.%d ", b, i);
    snprintf(want + n, sizeof want - n, "\n");
    char *first = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        device_testing(threads, 0);
        struct launched r = on_h200("prints.cu", "threads", 6, 40, WITH());
        ck_assert_msg(!strcmp(r.p.m.printed, want), "%.200s", r.p.m.printed);
        launched_free(&r);
        r = on_h200("prints.cu", "flood", 400, 64, WITH());
        ck_assert_uint_lt(strlen(r.p.m.printed), 70000);
        ck_assert_msg(!strncmp(r.p.m.printed, "block 00000 thread 0000 prints", 30), "%.80s", r.p.m.printed);
        HAS(r.p.m.printed, "\nblock 00018 thread 0063 prints");
        HAS(r.p.m.printed, "\n... and so on: printf was called 25600 times\n");
        if (first)
            ck_assert_msg(!strcmp(first, r.p.m.printed), "on %d threads another text", threads);
        free(first);
        first = xstrdup(r.p.m.printed);
        launched_free(&r);
    }
    free(first);
    device_testing(0, 0);
}
END_TEST

START_TEST(assertions_fail_where_they_stand)
{
    struct launched r = on_h200("prints.cu", "asserts", 4, 64, WITH("i32:65"));
    launched_free(&r);
    r = launch_on("sim:h200", "prints.cu", "asserts", 4, 64, WITH("i32:41"));
    ck_assert(r.bad);
    HAS(r.e.text, "tests/profile/prints.cu:31: block (1,0) thread (40,0) fails the assertion threadIdx.x + 1 < n && \"too many threads\"");
    launched_free(&r);
    r = launch_on("sim:h200", "prints.cu", "lost", 1, 1, WITH());
    ck_assert(r.bad);
    HAS(r.e.text, "prints a string at address 0x8; nothing is allocated there");
    launched_free(&r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("strangers");
    TCase *t = tcase_create("strangers");
    fronts_open();
    tcase_set_timeout(t, 120);
    tcase_add_test(t, printf_prints_as_c_does);
    tcase_add_test(t, prints_have_an_order);
    tcase_add_test(t, assertions_fail_where_they_stand);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    fronts_close();
    return failed != 0;
}
