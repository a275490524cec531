/* test_device.c - the device layer: opening, memory, modules, kernels, refused launches. */
#include "device/device.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct device *device;
static struct err e;

static void open_device(void)
{
    e = (struct err){0};
    ck_assert_msg(!device_open("sim:h200", &device, &e), "%s", e.text);
}

static void close_device(void) { device_close(device); }

/* ---- opening ---- */

START_TEST(devices_open_by_name)
{
    struct buf names = {0};
    device_list(&names);
    ck_assert_ptr_nonnull(strstr(names.data, "sim:h200\n"));
    int opened = 0;
    for (char *name = strtok(names.data, "\n"); name; name = strtok(NULL, "\n")) {
        struct device *d;
        if (strncmp(name, "sim:", 4)) continue;
        ck_assert_msg(!device_open(name, &d, &e), "%s: %s", name, e.text);
        ck_assert_str_eq(device_name(d), name);
        ck_assert_str_eq(device_profile(d)->name, name + 4);
        device_close(d);
        opened++;
    }
    ck_assert_int_ge(opened, 2);
    buf_free(&names);
    device_close(NULL);
}
END_TEST

START_TEST(what_is_no_device_is_told_which_there_are)
{
    static const char *const specs[] = {"", ":", "sim", "sim:", "sim:h2000", "SIM:h200", "simh200",
        "gpu", "sim:h200:1", "simx:h200"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        struct device *d = NULL;
        struct err why = {0};
        ck_assert_msg(device_open(specs[i], &d, &why) == -1, "'%s' opens", specs[i]);
        ck_assert_int_eq(why.kind, ERR_USAGE);
        ck_assert_msg(strstr(why.text, "sim:h200"), "%s", why.text);
        ck_assert_ptr_null(d);
    }
    ck_assert_ptr_nonnull(device_default());
}
END_TEST

/* ---- memory ---- */

START_TEST(memory_is_bounded)
{
    dev_ptr a, b, none;
    char data[64] = "given", back[64];
    ck_assert(!device_alloc(device, 64, "a", 1, &a, &e));
    ck_assert(!device_alloc(device, 64, "b", 4, &b, &e));
    ck_assert(a && b && a != b && a % 256 == 0 && b % 256 == 0);
    memset(back, 'x', sizeof back);
    ck_assert(!device_copy_out(device, back, a, 64, &e));
    for (int i = 0; i < 64; i++) ck_assert_int_eq(back[i], 0);
    ck_assert(!device_copy_in(device, a, data, 64, &e));
    ck_assert(!device_copy_out(device, back, a + 1, 5, &e));
    ck_assert_str_eq(back, "iven");
    ck_assert(!device_copy_in(device, a + 64, data, 0, &e) || e.kind == ERR_ENV);
    ck_assert_int_eq(device_copy_in(device, a, data, 65, &e), -1);
    ck_assert_int_eq(e.kind, ERR_ENV);
    ck_assert_int_eq(device_copy_in(device, a - 1, data, 2, &e), -1);
    ck_assert_int_eq(device_copy_out(device, back, a + 63, 2, &e), -1);
    ck_assert_int_eq(device_copy_out(device, back, 0, 1, &e), -1);
    ck_assert_int_eq(device_copy_out(device, back, ~(dev_ptr)0, 2, &e), -1);
    ck_assert_int_eq(device_copy_out(device, back, a, (size_t)-1, &e), -1);
    ck_assert(!device_free(device, a, &e));
    ck_assert_int_eq(device_free(device, a, &e), -1);
    ck_assert_int_eq(device_free(device, b + 4, &e), -1);
    ck_assert_int_eq(device_copy_out(device, back, a, 1, &e), -1);
    ck_assert_int_eq(device_alloc(device, 0, "nothing", 4, &none, &e), -1);
    if (!getenv("LOCKSTEP_SANITIZED")) { /* under ASan, malloc itself would stop the program */
        ck_assert_int_eq(device_alloc(device, (size_t)1 << 62, "huge", 4, &none, &e), -1);
        ck_assert_msg(strstr(e.text, "huge"), "%s", e.text);
    }
    ck_assert(!device_free(device, b, &e));
}
END_TEST

/* ---- modules ---- */

#define HEAD ".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"t.cu\"\n"
static const char text[] = HEAD
    ".const .align 4 .b8 lockstep_launch_k[12] = {32, 0, 0, 0, 8, 0, 0, 0, 1};\n"
    ".global .align 8 .u64 table[2] = {generic(values)+4, values};\n"
    ".global .align 4 .u32 values[2] = {7, 9};\n"
    ".global .align 4 .f32 zeros[4];\n"
    ".entry k(.param .u64 out, .param .f32 x, .param .u32 n, .param .s64 w, .param .f64 d, .param .align 4 "
    ".b8 s[12]) {\n"
    ".reg .b64 %d<4>; .reg .b32 %r<9>; .reg .f32 %f<3>;\n"
    ".loc 1 12 1\n"
    "ld.param.u64 %d1, [out]; ld.param.f32 %f1, [x]; ld.param.u32 %r1, [n]; ld.param.u32 %r2, [s+8];\n"
    "ld.global.u64 %d2, [table]; ld.u32 %r3, [%d2]; ld.global.u64 %d2, [table+8]; ld.u32 %r4, [%d2];\n"
    "add.u32 %r1, %r1, %r2; mul.lo.u32 %r3, %r3, 100; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4;\n"
    "st.global.u32 [%d1], %r1; st.global.f32 [%d1+4], %f1; ret; }\n"
    ".entry _Z5otherv() { .reg .b32 %r<2>; .loc 1 30 1\n mov.u32 %r1, 1; ret; }\n";

static struct module *load(const char *ptx)
{
    struct module *m = NULL;
    ck_assert_msg(!device_load(device, ptx, "t.cu", "t.cu", &m, &e), "%s", e.text);
    return m;
}

START_TEST(modules_tell_what_they_hold)
{
    struct module *m = load(text);
    struct kernel *k = module_kernel(m, "k");
    const struct param *p;
    struct buf names = {0};
    unsigned char data[12];
    static const unsigned char launch[12] = {32, 0, 0, 0, 8, 0, 0, 0, 1};
    size_t bytes = 0;
    ck_assert_ptr_nonnull(k);
    ck_assert_ptr_eq(k, module_kernel(m, "k"));
    ck_assert_ptr_nonnull(module_kernel(m, "other"));
    ck_assert_ptr_null(module_kernel(m, "missing"));
    ck_assert_int_eq(kernel_line(k), 12);
    ck_assert_int_eq(kernel_params(k, &p), 6);
    static const struct param want[] = {{PARAM_U64, 8}, {PARAM_F32, 4}, {PARAM_U32, 4},
        {PARAM_I64, 8}, {PARAM_F64, 8}, {PARAM_BYTES, 12}};
    for (int i = 0; i < 6; i++) {
        ck_assert_int_eq(p[i].type, want[i].type);
        ck_assert_uint_eq(p[i].bytes, want[i].bytes);
    }
    module_kernels(m, &names);
    ck_assert_str_eq(names.data, "k, other");
    ck_assert_int_eq(module_initial(m, "lockstep_launch_k", data, sizeof data), 12);
    ck_assert_mem_eq(data, launch, 12);
    memset(data, 0xee, sizeof data);
    ck_assert_int_eq(module_initial(m, "lockstep_launch_k", data, 4), 12);
    ck_assert_int_eq(data[4], 0xee);
    ck_assert_int_eq(module_initial(m, "zeros", data, 4), 16);
    ck_assert_int_eq(data[0], 0);
    ck_assert_int_eq(module_initial(m, "nothing", data, 4), -1);
    ck_assert_uint_eq(module_variable(m, "nothing", &bytes), 0);
    ck_assert_uint_ne(module_variable(m, "values", &bytes), 0);
    ck_assert_uint_eq(bytes, 8);
    buf_free(&names);
    device_unload(device, m);
    device_unload(device, NULL);
}
END_TEST

START_TEST(arguments_and_variables_reach_the_kernel)
{
    struct module *m = load(text);
    dev_ptr out;
    float x = 2.5f, seen;
    uint32_t n = 3, got[2], s[3] = {0, 0, 50}, values[2] = {1, 2};
    int64_t w = 0;
    double d = 0;
    size_t bytes;
    ck_assert(!device_alloc(device, 8, "out", 4, &out, &e));
    const void *args[] = {&out, &x, &n, &w, &d, s};
    struct launch_shape shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    struct measurement r;
    ck_assert_msg(
        !device_launch(device, module_kernel(m, "k"), &shape, args, &r, &e), "%s", e.text);
    ck_assert(!device_copy_out(device, got, out, 8, &e));
    ck_assert_uint_eq(got[0], 3 + 50 + 900 + 7);
    memcpy(&seen, &got[1], 4);
    ck_assert_float_eq(seen, 2.5f);
    ck_assert_int_eq(r.time_is, TIME_MODELLED);
    ck_assert_double_gt(r.ms, 0);
    ck_assert_int_ne(r.bottleneck, PART_NONE);
    ck_assert_double_eq(r.metrics.v[METRIC_GLD_REQUESTS], 4);
    ck_assert_double_eq(r.metrics.v[METRIC_GST_REQUESTS], 2);
    ck_assert_uint_eq(r.line_count, 1);
    ck_assert_int_eq(r.lines[0].line, 12);
    measurement_free(&r);
    ck_assert(!device_copy_in(device, module_variable(m, "values", &bytes), values, 8, &e));
    ck_assert(!device_launch(device, module_kernel(m, "k"), &shape, args, NULL, &e));
    ck_assert(!device_copy_out(device, got, out, 4, &e));
    ck_assert_uint_eq(got[0], 3 + 50 + 200 + 1);
    device_unload(device, m);
}
END_TEST

START_TEST(what_cannot_be_loaded_says_why)
{
    static const struct {
        const char *ptx, *says;
    } bad[] = {
        {"", "t.cu:1: this is not PTX that can be read"},
        {HEAD ".global .align 8 .u64 p[1] = {nowhere};", "variable p holds the address of nowhere"},
        {HEAD ".entry k() { .loc 1 9 1\n frob.u32 1; ret; }", "t.cu:9: instruction frob.u32"},
        {HEAD ".entry k() { }", "the kernel is empty"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct module *m = NULL;
        ck_assert_int_eq(device_load(device, bad[i].ptx, "t.cu", "t.cu", &m, &e), -1);
        ck_assert_int_eq(e.kind, ERR_LEARNER);
        ck_assert_msg(strstr(e.text, bad[i].says), "expected \"%s\" in: %s", bad[i].says, e.text);
        ck_assert_ptr_null(m);
    }
}
END_TEST

/* ---- what has been written ---- */

enum { WORDS = 50 };
static const char copies[] = HEAD
#define THREAD "mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4;\n"
    ".entry read(.param .u64 p, .param .u64 out) { .reg .b64 %d<4>; .reg .b32 %r<3>; .loc 1 3 1\n"
    "ld.param.u64 %d1, [p]; ld.param.u64 %d2, [out];" THREAD
    "add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3; ld.global.u32 %r2, [%d1]; st.global.u32 [%d2], %r2; ret; "
    "}\n"
    ".entry write(.param .u64 p) { .reg .b64 %d<4>; .reg .b32 %r<2>; .loc 1 6 1\n"
    "ld.param.u64 %d1, [p];" THREAD "add.u64 %d1, %d1, %d3; st.global.u32 [%d1], %r1; ret; }\n";

/* Launch "read" or "write" on p, one thread for each word. unwritten: the word for which "read"
 * must fail, as nothing has written it; -1: none. */
static void launch_words(
    struct module *m, const char *kernel, dev_ptr p, unsigned threads, int unwritten)
{
    dev_ptr out;
    char says[128];
    ck_assert(!device_alloc(device, 4 * WORDS, "out", 4, &out, &e));
    const void *args[] = {&p, &out};
    struct launch_shape shape = {.grid = {1, 1, 1}, .block = {threads, 1, 1}};
    int bad = device_launch(device, module_kernel(m, kernel), &shape, args, NULL, &e);
    snprintf(says, sizeof says,
        "t.cu:3: block (0,0) thread (%d,0) reads p[%d], which nothing has written", unwritten,
        unwritten);
    ck_assert_msg(bad == (unwritten < 0 ? 0 : -1), "%s, not %d: %s", kernel, unwritten, e.text);
    ck_assert_msg(
        unwritten < 0 || !strncmp(e.text, says, strlen(says)), "expected %s in %s", says, e.text);
    ck_assert(!device_free(device, out, &e));
}

/* Copies and launches make bytes readable, device_forget takes that back, byte by byte; neither
 * affects other allocations. */
START_TEST(what_nothing_has_written_is_not_to_be_read)
{
    static const char data[4 * WORDS];
    struct module *m = load(copies);
    dev_ptr p, q;
    ck_assert(!device_alloc(device, 4 * WORDS, "p", 4, &p, &e));
    ck_assert(!device_alloc(device, 4 * WORDS, "q", 4, &q, &e));
    ck_assert(!device_copy_in(device, q, data, sizeof data, &e));
    launch_words(m, "read", p, WORDS, 0);
    ck_assert(!device_copy_in(device, p, data, 70, &e)); /* and half of word 17 */
    launch_words(m, "read", p, 17, -1);
    launch_words(m, "read", p, WORDS, 17);
    launch_words(m, "write", p, 40, -1);
    launch_words(m, "read", p, 40, -1);
    launch_words(m, "read", p, WORDS, 40);
    ck_assert(!device_copy_in(device, p + 160, data, 40, &e));
    launch_words(m, "read", p, WORDS, -1);
    device_forget(device, p + 4 * 33 + 3, 1);
    launch_words(m, "read", p, 33, -1);
    launch_words(m, "read", p, WORDS, 33);
    launch_words(m, "write", p, WORDS, -1);
    launch_words(m, "read", p, WORDS, -1);
    device_forget(device, p, sizeof data);
    launch_words(m, "read", p, WORDS, 0);
    launch_words(m, "read", q, WORDS, -1);
    device_forget(device, q, sizeof data + 1); /* more than it has: nothing is forgotten */
    launch_words(m, "read", q, WORDS, -1);
    device_unload(device, m);
}
END_TEST

/* ---- launches that change nothing ---- */

/* Launch "write" to p without counters; was it run? */
static int runs(struct module *m, dev_ptr p, unsigned threads)
{
    const void *args[] = {&p};
    struct launch_shape shape = {.grid = {1, 1, 1}, .block = {threads, 1, 1}};
    uint64_t before = device_settings(device)->executed;
    ck_assert_msg(
        !device_launch(device, module_kernel(m, "write"), &shape, args, NULL, &e), "%s", e.text);
    return device_settings(device)->executed > before;
}

/* The second launch with the same arguments finds memory as the first has left it, and leaves it so:
 * the third need not run, until memory, an argument or the shape is another. */
START_TEST(a_launch_that_changes_nothing_is_not_run_again)
{
    static const char data[4 * WORDS] = "other";
    struct module *m = load(copies);
    dev_ptr p, q;
    ck_assert(!device_alloc(device, sizeof data, "p", 4, &p, &e));
    ck_assert(!device_alloc(device, sizeof data, "q", 4, &q, &e));
    device_settings(device)->uncounted = 1;
    for (int i = 0; i < 4; i++) ck_assert(runs(m, p, WORDS)); /* `repeats` is not set */
    device_settings(device)->repeats = 1;
    ck_assert(runs(m, p, WORDS));
    ck_assert(runs(m, p, WORDS));
    for (int i = 0; i < 4; i++) ck_assert(!runs(m, p, WORDS));
    ck_assert(!device_copy_in(device, q, data, sizeof data, &e)); /* though the launch has no q */
    ck_assert(runs(m, p, WORDS));
    ck_assert(!runs(m, p, WORDS));
    ck_assert(!device_copy_in(device, p + 8, data, 4, &e));
    ck_assert(runs(m, p, WORDS)); /* this launch changes memory */
    device_settings(device)->uncounted = 0;
    ck_assert(runs(m, p, WORDS));
    device_settings(device)->uncounted = 1;
    ck_assert(runs(m, q, WORDS));
    ck_assert(runs(m, q, 32));
    ck_assert(runs(m, q, 32));
    ck_assert(!runs(m, q, 32));
    device_forget(device, q, 4);
    ck_assert(runs(m, q, 32));
    ck_assert(runs(m, q, WORDS));
    device_unload(device, m);
}
END_TEST

/* Before each launch p is set back to what it held, then to nothing that was written: of what a launch does
 * to such memory, the last that runs is the second that was hashed. */
START_TEST(a_launch_that_is_set_back_is_not_run_again)
{
    static const char data[4 * WORDS] = "other";
    char found[sizeof data];
    unsigned words[WORDS];
    struct module *m = load(copies);
    dev_ptr p;
    ck_assert(!device_alloc(device, sizeof data, "p", 4, &p, &e));
    device_settings(device)->uncounted = 1;
    device_settings(device)->repeats = 1;
    for (int i = 0; i < 6; i++) {
        ck_assert(!device_copy_in(device, p, data, sizeof data, &e));
        ck_assert_int_eq(runs(m, p, 33), i < 3);
        ck_assert(!device_copy_out(device, found, p, sizeof found, &e));
        memcpy(words, found, sizeof found);
        for (unsigned w = 0; w < 33; w++) ck_assert_uint_eq(words[w], w);
        ck_assert(!memcmp(found + 4 * 33, data + 4 * 33, sizeof data - 4 * 33));
    }
    for (int i = 0; i < 6; i++) {
        device_forget(device, p, sizeof data);
        ck_assert_int_eq(runs(m, p, 33), i < 2);
        launch_words(m, "read", p, 33, -1);
        launch_words(m, "read", p, WORDS, 33);
    }
    for (int i = 0; i < 6; i++) { /* all is written then */
        ck_assert(!device_copy_in(device, p, data, sizeof data, &e));
        device_forget(device, p, 4);
        ck_assert_int_eq(runs(m, p, WORDS), i < 3);
        launch_words(m, "read", p, WORDS, -1);
    }
    device_unload(device, m);
}
END_TEST

/* ---- launch shapes ---- */

START_TEST(shapes_that_no_gpu_takes_are_refused)
{
    static const struct {
        struct launch_shape shape;
        const char *says;
    } bad[] = {
        {{{0, 1, 1}, {1, 1, 1}}, "the grid has 0 blocks in x"},
        {{{1, 0, 1}, {1, 1, 1}}, "the grid has 0 blocks in y"},
        {{{2147483648u, 1, 1}, {1, 1, 1}}, "the grid has 2147483648 blocks in x"},
        {{{1, 65536, 1}, {1, 1, 1}}, "the grid has 65536 blocks in y"},
        {{{1, 1, 65536}, {1, 1, 1}}, "the grid has 65536 blocks in z"},
        {{{1, 1, 1}, {0, 1, 1}}, "a block has 0 threads in x"},
        {{{1, 1, 1}, {1025, 1, 1}}, "a block has 1025 threads in x"},
        {{{1, 1, 1}, {1, 1, 65}}, "a block has 65 threads in z"},
        {{{1, 1, 1}, {32, 33, 1}}, "has 1056 threads"},
        {{{1, 1, 1}, {4294967295u, 4294967295u, 4294967295u}}, "threads in x"},
        {{{1, 1, 1}, {1, 1, 1}, (size_t)1 << 40}, "bytes of shared memory"},
        {{{1, 1, 1}, {1, 1, 1}, (size_t)-1}, "bytes of shared memory"},
    };
    struct module *m = load(text);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        e = (struct err){0};
        ck_assert_msg(
            device_launch(device, module_kernel(m, "other"), &bad[i].shape, NULL, NULL, &e) == -1,
            "%s", bad[i].says);
        ck_assert_int_eq(e.kind, ERR_LEARNER);
        ck_assert_msg(strstr(e.text, bad[i].says) && !strncmp(e.text, "t.cu: kernel other", 18),
            "expected \"%s\" in: %s", bad[i].says, e.text);
    }
    struct launch_shape widest = {.grid = {3, 2, 2}, .block = {1024, 1, 1}};
    ck_assert_msg(
        !device_launch(device, module_kernel(m, "other"), &widest, NULL, NULL, &e), "%s", e.text);
    device_unload(device, m);
}
END_TEST

START_TEST(a_device_frees_what_it_gave_out)
{
    dev_ptr a;
    struct device *d;
    ck_assert(!device_open("sim:tiny", &d, &e));
    ck_assert(!device_alloc(d, 1000, "a", 4, &a, &e));
    device_close(d);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device");
    TCase *c = tcase_create("opening");
    tcase_add_test(c, devices_open_by_name);
    tcase_add_test(c, what_is_no_device_is_told_which_there_are);
    suite_add_tcase(suite, c);
    c = tcase_create("sim");
    tcase_add_checked_fixture(c, open_device, close_device);
    tcase_add_test(c, memory_is_bounded);
    tcase_add_test(c, modules_tell_what_they_hold);
    tcase_add_test(c, arguments_and_variables_reach_the_kernel);
    tcase_add_test(c, what_cannot_be_loaded_says_why);
    tcase_add_test(c, what_nothing_has_written_is_not_to_be_read);
    tcase_add_test(c, a_launch_that_changes_nothing_is_not_run_again);
    tcase_add_test(c, a_launch_that_is_set_back_is_not_run_again);
    tcase_add_test(c, shapes_that_no_gpu_takes_are_refused);
    tcase_add_test(c, a_device_frees_what_it_gave_out);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
