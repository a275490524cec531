/* test_sim_lanes.c - lanes of a warp that go their own ways: where they reconverge, locks, endless
 * loops, barriers. */
#include "fronts.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Requests of one warp by a kernel with a load behind a || b: from 7.0 on the lanes reconverge
 * before that load, which is one request; before 7.0 it is one for each condition. */
START_TEST(lanes_meet_early_from_volta_on)
{
    static const struct {
        const char *device;
        double loads;
    } rows[] = {{"sim:h200", 3}, {"sim:v100", 3}, {"sim:p100", 4}, {"sim:k40", 4}};
    struct compiled c = compile_test_kernel(0, "reconverge.cu");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct device *d;
        struct err e = {0};
        int in[96];
        dev_ptr at[2];
        const void *args[] = {&at[0], &at[1]};
        const struct launch_shape s = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
        struct measurement measured = {0};
        struct module *m = open_and_load(rows[i].device, &c, &d);
        for (int k = 0; k < 96; k++) in[k] = k < 32 ? k % 3 : k % 4;
        ck_assert(!device_alloc(d, sizeof in, "in", 4, &at[0], &e) &&
                  !device_alloc(d, 128, "out", 4, &at[1], &e));
        ck_assert(!device_copy_in(d, at[0], in, sizeof in, &e));
        ck_assert_msg(
            !device_launch(d, module_kernel(m, "either"), &s, args, &measured, &e), "%s", e.text);
        ck_assert_msg(measured.metrics.v[METRIC_GLD_REQUESTS] == rows[i].loads, "%s: %g requests",
            rows[i].device, measured.metrics.v[METRIC_GLD_REQUESTS]);
        measurement_free(&measured);
        device_unload(d, m);
        device_close(d);
    }
    compiled_free(&c);
}
END_TEST

/* Each lane takes a lock: before 7.0 the lane that has it waits for the lanes that want it. */
START_TEST(lanes_get_on_at_a_lock_from_volta_on)
{
    static const struct {
        const char *device, *fault;
    } rows[] = {
        {"sim:p100",
            "it wait for another lane of its warp? Before compute capability 7.0 that one never gets on."},
        {"sim:v100", NULL}, {"sim:a100", NULL}, {"sim:h200", NULL}};
    struct compiled c = compile_test_kernel(_i, "yields.cu");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct device *d;
        struct err e = {0};
        int32_t zero[32] = {0}, count = 0;
        dev_ptr at[3];
        struct launch_shape s = {.grid = {3, 1, 1}, .block = {32, 1, 1}, .budget = 100000};
        const void *args[] = {&at[0], &at[1], &at[2]};
        struct module *m = open_and_load(rows[i].device, &c, &d);
        for (int k = 0; k < 3; k++)
            ck_assert(!device_alloc(d, sizeof zero, "a", 4, &at[k], &e) &&
                      !device_copy_in(d, at[k], zero, sizeof zero, &e));
        int bad = device_launch(d, module_kernel(m, "spin"), &s, args, NULL, &e);
        ck_assert_msg(bad == (rows[i].fault ? -1 : 0), "%s: %s", rows[i].device, e.text);
        ck_assert_msg(!bad || strstr(e.text, rows[i].fault), "%s: %s", rows[i].device, e.text);
        ck_assert(!device_copy_out(d, &count, at[1], sizeof count, &e));
        ck_assert(bad || count == 96);
        device_unload(d, m);
        device_close(d);
    }
    compiled_free(&c);
}
END_TEST

#define ENDLESS \
    ".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"t.cu\"\n.entry k() {\n" \
    ".reg .b32 %r<3>; .reg .pred %p;\n.loc 1 5 1\nmov.u32 %r1, 0;\n" \
    "L: add.u32 %r1, %r1, 1; setp.ne.u32 %p, %r1, 0; @%p bra L; ret; }\n"

/* The launch sets no limit of instructions: the default one ends the loop. */
START_TEST(an_endless_loop_ends_soon)
{
    struct device *d;
    struct module *m;
    struct err e = {0};
    struct launch_shape s = {.grid = {100, 1, 1}, .block = {256, 1, 1}};
    ck_assert(!device_open("sim:h200", &d, &e));
    ck_assert_msg(!device_load(d, ENDLESS, "t.cu", "t.cu", &m, &e), "%s", e.text);
    clock_t start = clock(); /* processor time, of all threads */
    ck_assert_int_eq(device_launch(d, module_kernel(m, "k"), &s, NULL, NULL, &e), -1);
    ck_assert_msg(strstr(e.text, "t.cu:5: block (0,0) ") && strstr(e.text, "loop without an end"),
        "%s", e.text);
    if (!getenv("LOCKSTEP_SANITIZED"))
        ck_assert_double_lt((double)(clock() - start) / CLOCKS_PER_SEC, 60);
    device_unload(d, m);
    device_close(d);
}
END_TEST

/* PTX in which threads whose numbers have the bit execute `what` in one line, the others in another
 * line. The caller frees it. */
static char *copies(const char *what, int bit, int line, int other)
{
    return xasprintf(
        ".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"t.cu\"\n.entry k() {\n.reg "
        ".b32 %%r<3>; .reg .pred %%p;\n"
        ".loc 1 4 1\nmov.u32 %%r1, %%tid.x; and.b32 %%r1, %%r1, %d; setp.eq.u32 %%p, %%r1, 0; "
        "@%%p bra L;\n"
        ".loc 1 %d 1\n%s; bra.uni M;\n.loc 1 %d 1\nL: %s;\nM: ret; }\n",
        bit, line, what, other, what);
}

#define BAR "bar.sync 0"
#define SHFL "shfl.sync.idx.b32 %r2, %r1, 0, 31, -1"

static const struct parted {
    const char *device, *what;
    int bit, line, other;
    const char *fault; /* NULL: none */
} parted[] = {
    {"sim:v100", BAR, 1, 7, 7, NULL},
    {"sim:h200", BAR, 16, 7, 7, NULL},
    {"sim:p100", BAR, 1, 7, 7,
        "t.cu:7: block (0,0) thread (0,0) waits at one of the copies that the "
        "compiler made of a barrier, and thread (1,0), of its warp, at another"},
    {"sim:p100", BAR, 32, 7, 7, NULL}, /* warps differ, lanes of a warp do not */
    {"sim:gtx280", BAR, 32, 7, 7, NULL},
    {"sim:h200", BAR, 256, 7, 7, NULL}, /* the first 256 threads differ from the others */
    {"sim:h200", BAR, 1, 7, 9,
        "t.cu:9: block (0,0) thread (0,0) waits at a barrier while thread (1,0) waits "
        "at another one, in line 7"},
    {"sim:h200", BAR, 32, 7, 9,
        "t.cu:9: block (0,0) thread (0,0) waits at a barrier while thread (32,0) "
        "waits at another one, in line 7"},
    {"sim:h200", BAR, 256, 7, 9,
        "t.cu:9: block (0,0) thread (0,0) waits at a barrier while thread (256,0) "
        "waits at another one, in line 7"},
    {"sim:p100", BAR, 1, 7, 9,
        "t.cu:9: block (0,0) thread (0,0) waits at a barrier while thread (1,0) waits "
        "at another one, in line 7"},
    {"sim:v100", SHFL, 1, 7, 9, NULL},
    {"sim:p100", SHFL, 32, 7, 9, NULL},
    {"sim:p100", SHFL, 1, 7, 9,
        "t.cu:9: block (0,0) thread (0,0) executes shfl.sync.idx.b32 while lane 1, "
        "which its mask names, does at another place; before compute capability 7.0"},
};

START_TEST(threads_wait_at_copies)
{
    const struct parted *t = &parted[_i];
    struct device *d;
    struct module *m;
    struct err e = {0};
    struct launch_shape s = {.grid = {2, 1, 1}, .block = {512, 1, 1}};
    char *ptx = copies(t->what, t->bit, t->line, t->other);
    ck_assert(!device_open(t->device, &d, &e));
    ck_assert_msg(!device_load(d, ptx, "t.cu", "t.cu", &m, &e), "%s", e.text);
    int failed = device_launch(d, module_kernel(m, "k"), &s, NULL, NULL, &e);
    ck_assert_msg(failed == (t->fault ? -1 : 0), "%s", e.text);
    ck_assert_msg(!t->fault || strstr(e.text, t->fault), "%s", e.text);
    device_unload(d, m);
    device_close(d);
    free(ptx);
}
END_TEST

int main(void)
{
    fronts_open();
    Suite *suite = suite_create("sim_lanes");
    TCase *c = tcase_create("sim_lanes");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, an_endless_loop_ends_soon);
    tcase_add_test(c, lanes_meet_early_from_volta_on);
    tcase_add_loop_test(c, lanes_get_on_at_a_lock_from_volta_on, 0, front_count);
    tcase_add_loop_test(c, threads_wait_at_copies, 0, sizeof parted / sizeof *parted);
    suite_add_tcase(suite, c);
    int failed = suite_run(suite);
    fronts_close();
    return failed;
}
