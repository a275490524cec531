/* test_sim.c - the simulator against the hardware: what one H200 counted, reproduced to the digit. */
#include "fronts.h"
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the truth ----
 * Measured on an H200 at N = 1024 (A of A A^T is 1024 x 32). Requests, sectors and instructions are exact there, too.
 * Wavefronts and conflicts carry arbitration noise on hardware; here they are what remains without it. Stores to global
 * memory grow as N^2, what reads grows as N^depth. */

struct truth {
    const char *file, *kernel;
    unsigned tile[2], block[2];
    int depth;
    int thin; /* the second dimension is 32 */
    double gld_requests, gld_sectors, gst_requests, gst_sectors;
    double sld_inst, sld_wavefronts, sld_conflicts, sst_inst, sst_wavefronts, sst_conflicts;
};

static const struct truth truths[] = {
    {"truth_product_row.cu", "matmul", {16, 16}, {16, 16}, 3, 0, 67108864, 570425344, 32768, 524288, 0, 0, 0, 0, 0, 0},
    {"truth_product_column.cu", "matmul", {32, 8}, {32, 8}, 3, 0, 67108864, 167772160, 32768, 131072, 0, 0, 0, 0, 0, 0},
    {"truth_product_shared.cu", "matmul", {32, 32}, {32, 32}, 3, 0,
     2097152, 8388608, 32768, 131072, 41943040, 50331648, 0, 2097152, 2097152, 0},
    {"truth_aat_naive.cu", "aat", {32, 32}, {32, 32}, 2, 1, 2097152, 34603008, 32768, 131072, 0, 0, 0, 0, 0, 0},
    {"truth_aat_shared.cu", "aat", {32, 32}, {32, 32}, 2, 1,
     65536, 262144, 32768, 131072, 1310720, 1572864, 0, 65536, 1081344, 1015808},
    {"truth_aat_padded.cu", "aat", {32, 32}, {32, 32}, 2, 1,
     65536, 262144, 32768, 131072, 1310720, 1572864, 0, 65536, 65536, 0},
    {"truth_transpose_naive.cu", "transpose", {32, 16}, {32, 16}, 2, 0, 32768, 131072, 32768, 1048576, 0, 0, 0, 0, 0, 0},
    {"truth_transpose_shared.cu", "transpose", {32, 32}, {32, 8}, 2, 0,
     32768, 131072, 32768, 131072, 32768, 1048576, 1015808, 32768, 32768, 0},
    {"truth_transpose_pad1.cu", "transpose", {32, 32}, {32, 8}, 2, 0,
     32768, 131072, 32768, 131072, 32768, 32768, 0, 32768, 32768, 0},
    {"truth_transpose_pad2.cu", "transpose", {32, 32}, {32, 8}, 2, 0,
     32768, 131072, 32768, 131072, 32768, 65536, 32768, 32768, 32768, 0},
};
enum { TRUTHS = sizeof truths / sizeof *truths };

/* One launch of a truth: buffers a, b, c of n * n floats, filled so that the result says something. */
struct run {
    struct device *device;
    struct module *module;
    dev_ptr in[2], out;
    int n;
    struct measurement m;
    float *result;
};

static float input(int buffer, size_t i)
{
    return (float)((i * 7 + (size_t)buffer * 3) % 16) / 8 - 1;
}

static void run_truth(struct run *r, const struct truth *t, const struct compiled *c, int n)
{
    struct err e = {0};
    size_t count = (size_t)n * (size_t)n;
    float *host = xcalloc(count, sizeof *host);
    *r = (struct run){.n = n, .result = xcalloc(count, sizeof *host)};
    r->module = open_and_load("sim:h200", c, &r->device);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < count; i++)
            host[i] = input(k, i);
        ck_assert_msg(!device_alloc(r->device, 4 * count, k ? "b" : "a", 4, &r->in[k], &e), "%s", e.text);
        ck_assert(!device_copy_in(r->device, r->in[k], host, 4 * count, &e));
    }
    ck_assert_msg(!device_alloc(r->device, 4 * count, "c", 4, &r->out, &e), "%s", e.text);
    int w = t->thin ? 32 : n;
    const void *product[] = {&r->in[0], &r->in[1], &r->out, &n, &n, &n}, *other[] = {&r->in[0], &r->out, &n, &w};
    struct launch_shape s = {.grid = {(unsigned)n / t->tile[0], (unsigned)n / t->tile[1], 1}, .block = {t->block[0], t->block[1], 1}};
    struct kernel *k = module_kernel(r->module, t->kernel);
    ck_assert_ptr_nonnull(k);
    ck_assert_msg(!device_launch(r->device, k, &s, strcmp(t->kernel, "matmul") ? other : product, &r->m, &e), "%s", e.text);
    ck_assert(!device_copy_out(r->device, r->result, r->out, 4 * count, &e));
    free(host);
}

static void end_run(struct run *r)
{
    measurement_free(&r->m);
    free(r->result);
    device_unload(r->device, r->module);
    device_close(r->device);
}

/* The result at (row, col) by the definition. Inputs are multiples of 1/8 between -1 and 1: sums are exact. */
static float expected(const struct truth *t, int n, size_t row, size_t col)
{
    double sum = 0;
    size_t N = (size_t)n;
    if (!strcmp(t->kernel, "transpose"))
        return input(0, col * N + row);
    for (size_t i = 0; i < (t->thin ? 32 : N); i++)
        sum += t->thin ? (double)input(0, row * 32 + i) * input(0, col * 32 + i) : (double)input(0, row * N + i) * input(1, i * N + col);
    return (float)sum;
}

static void check_result(const struct truth *t, const struct run *r)
{
    for (int i = 0; i < 2000; i++) {
        size_t at = (size_t)i * 7919 % ((size_t)r->n * (size_t)r->n), row = at / (size_t)r->n, col = at % (size_t)r->n;
        ck_assert_msg(r->result[at] == expected(t, r->n, row, col), "%s: c[%zu][%zu] is %g, not %g", t->file, row, col,
                      r->result[at], expected(t, r->n, row, col));
    }
}

static void check_counters(const struct truth *t, const struct run *r, const char *front)
{
    double whole = pow(r->n / 1024.0, t->depth), stored = pow(r->n / 1024.0, 2);
    const struct {
        enum metric metric;
        double want;
    } rows[] = {
        {METRIC_GLD_REQUESTS, t->gld_requests * whole}, {METRIC_GLD_SECTORS, t->gld_sectors * whole},
        {METRIC_GST_REQUESTS, t->gst_requests * stored}, {METRIC_GST_SECTORS, t->gst_sectors * stored},
        {METRIC_SLD_INST, t->sld_inst * whole}, {METRIC_SLD_WAVEFRONTS, t->sld_wavefronts * whole},
        {METRIC_SLD_CONFLICTS, t->sld_conflicts * whole}, {METRIC_SST_INST, t->sst_inst * whole},
        {METRIC_SST_WAVEFRONTS, t->sst_wavefronts * whole}, {METRIC_SST_CONFLICTS, t->sst_conflicts * whole},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(r->m.metrics.v[rows[i].metric] == rows[i].want, "%s by %s: %s is %.0f; the H200 counted %.0f", t->file, front,
                      model_metrics[rows[i].metric].ncu, r->m.metrics.v[rows[i].metric], rows[i].want);
}

/* Under the sanitizers a small size has to do. */
static int truth_size(void)
{
    return getenv("LOCKSTEP_SANITIZED") ? 64 : 1024;
}

START_TEST(counters_are_the_hardware_s)
{
    const struct truth *t = &truths[_i / FRONTS];
    if (_i % FRONTS >= front_count)
        return;
    struct compiled c = compile_test_kernel(_i % FRONTS, t->file);
    struct run r;
    run_truth(&r, t, &c, truth_size());
    check_counters(t, &r, fronts[_i % FRONTS].name);
    check_result(t, &r);
    end_run(&r);
    compiled_free(&c);
}
END_TEST

/* ---- what must not depend on how the host runs it ---- */

static void same_run(const struct run *a, const struct run *b, const char *how)
{
    ck_assert_msg(!memcmp(a->result, b->result, 4 * (size_t)a->n * (size_t)a->n), "%s: other results", how);
    for (int i = 0; i < METRIC_COUNT; i++)
        ck_assert_msg(!memcmp(&a->m.metrics.v[i], &b->m.metrics.v[i], 8), "%s: %s is %.17g, not %.17g", how, model_metrics[i].ncu,
                      b->m.metrics.v[i], a->m.metrics.v[i]);
    ck_assert_msg(a->m.ms == b->m.ms, "%s: %.9g ms, not %.9g", how, b->m.ms, a->m.ms);
    ck_assert_uint_eq(a->m.line_count, b->m.line_count);
    for (size_t l = 0; l < a->m.line_count; l++) {
        ck_assert_int_eq(a->m.lines[l].line, b->m.lines[l].line);
        ck_assert_mem_eq(&a->m.lines[l].metrics, &b->m.lines[l].metrics, sizeof a->m.lines[l].metrics);
    }
}

START_TEST(threads_and_masks_of_the_host_change_nothing)
{
    static const struct sim_testing ways[] = {{1, 0}, {2, 0}, {3, 0}, {7, 0}, {2, 1}};
    struct compiled c = compile_test_kernel(0, truths[_i].file);
    struct run first;
    for (int i = 0; i < 5; i++) {
        struct run r;
        char how[96];
        snprintf(how, sizeof how, "%s, %d threads%s", truths[_i].file, ways[i].threads, ways[i].masked ? ", masked" : "");
        sim_testing = ways[i];
        run_truth(&r, &truths[_i], &c, 128);
        if (!i) {
            first = r;
            continue;
        }
        same_run(&first, &r, how);
        end_run(&r);
    }
    end_run(&first);
    compiled_free(&c);
}
END_TEST

/* An instruction is charged to one line: the lines add up to the launch. */
START_TEST(lines_add_up)
{
    struct compiled c = compile_test_kernel(0, "truth_product_shared.cu");
    struct run r;
    run_truth(&r, &truths[2], &c, 64);
    for (int i = 0; i <= METRIC_SATOM_INST; i++) {
        double sum = 0;
        for (size_t l = 0; l < r.m.line_count; l++)
            if (!isnan(r.m.lines[l].metrics.v[i]))
                sum += r.m.lines[l].metrics.v[i];
        ck_assert_msg(sum == r.m.metrics.v[i], "%s: the lines have %g, the launch %g", model_metrics[i].ncu, sum, r.m.metrics.v[i]);
    }
    end_run(&r);
    compiled_free(&c);
}
END_TEST

#define ENDLESS ".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"t.cu\"\n.entry k() {\n.reg .b32 %r<3>; .reg .pred %p;\n" \
                ".loc 1 5 1\nmov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1; setp.ne.u32 %p, %r1, 0; @%p bra L; ret; }\n"

/* With the limit that a launch has of its own. */
START_TEST(an_endless_loop_ends_soon)
{
    struct device *d;
    struct module *m;
    struct err e = {0};
    struct launch_shape s = {.grid = {100, 1, 1}, .block = {256, 1, 1}};
    ck_assert(!device_open("sim:h200", &d, &e));
    ck_assert_msg(!device_load(d, ENDLESS, "t.cu", "t.cu", &m, &e), "%s", e.text);
    double start = clock_seconds();
    ck_assert_int_eq(device_launch(d, module_kernel(m, "k"), &s, NULL, NULL, &e), -1);
    ck_assert_msg(strstr(e.text, "t.cu:5: block (0,0) ") && strstr(e.text, "loop without an end"), "%s", e.text);
    if (!getenv("LOCKSTEP_SANITIZED"))
        ck_assert_double_lt(clock_seconds() - start, 5);
    device_unload(d, m);
    device_close(d);
}
END_TEST

int main(void)
{
    fronts_open();
    Suite *suite = suite_create("sim");
    TCase *c = tcase_create("truth");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, counters_are_the_hardware_s, 0, TRUTHS * FRONTS);
    suite_add_tcase(suite, c);
    c = tcase_create("host");
    tcase_set_timeout(c, 60);
    tcase_add_loop_test(c, threads_and_masks_of_the_host_change_nothing, 0, TRUTHS);
    tcase_add_test(c, lines_add_up);
    tcase_add_test(c, an_endless_loop_ends_soon);
    suite_add_tcase(suite, c);
    SRunner *r = srunner_create(suite);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    fronts_close();
    return failed != 0;
}
