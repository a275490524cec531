/* test_lab_apart.c - what measured times prove, on times made up here; work in a process of its
 * own; results as bytes; how a thread came to its index. */
#define _GNU_SOURCE
#include "cli/cli.h"
#include "os/os.h"
#include "judge/judge.h"
#include "judge/grade.h"
#include "explain/index_trace.h"
#include "suite.h"

#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- times ---- */

/* Makes pairs of times in which the student takes `ratio` times as long. shared: noise in percent
 * that both times of a pair share; own: noise of each time. */
static void pairs(double *student, double *reference, int count, double ratio, double shared,
    double own, uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < count; i++) {
        double drift = 1 + shared / 100 * (2 * rng_unit(&rng) - 1);
        reference[i] = drift * (1 + own / 100 * (2 * rng_unit(&rng) - 1));
        student[i] = ratio * drift * (1 + own / 100 * (2 * rng_unit(&rng) - 1));
    }
}

START_TEST(equal_times_prove_equality)
{
    double ones[] = {2, 2, 2, 2, 2, 2, 2, 2};
    struct timing_ratio r = timing_compare(ones, ones, 8);
    ck_assert_double_eq_tol(r.low, 1, 1e-12);
    ck_assert_double_eq_tol(r.median, 1, 1e-12);
    ck_assert_double_eq_tol(r.high, 1, 1e-12);
}
END_TEST

START_TEST(the_interval_holds_the_truth)
{
    enum { COUNT = 10, TRIALS = 400 };
    double s[COUNT], r[COUNT];
    int inside = 0, below_full = 0;
    for (uint64_t t = 0; t < TRIALS; t++) {
        pairs(s, r, COUNT, 1.15, 30, 10, t);
        struct timing_ratio x = timing_compare(s, r, COUNT);
        ck_assert(x.low <= x.median && x.median <= x.high);
        inside += x.low <= 1.15 && 1.15 <= x.high;
        below_full += x.low <= 1.2;
    }
    ck_assert_int_ge(inside, TRIALS * 90 / 100);
    /* a ratio up to 1.2 earns full marks, so 1.15 does, whatever the noise */
    ck_assert_int_eq(below_full, TRIALS);
}
END_TEST

/* Of the medians of resamples of 1, 2, ... 17, 0.8% are at most 4, 3.6% at most 5, and 10% at most
 * 6: an interval that cuts off 2.5% at each end is 5 to 13, one that cuts off 5% is 6 to 12. */
START_TEST(the_interval_cuts_off_a_fortieth)
{
    double s[17], r[17];
    for (int i = 0; i < 17; i++) s[i] = exp(i + 1), r[i] = 1;
    struct timing_ratio x = timing_compare(s, r, 17);
    ck_assert_double_eq_tol(log(x.low), 5, 1e-9);
    ck_assert_double_eq_tol(log(x.high), 13, 1e-9);
}
END_TEST

START_TEST(what_is_slow_is_found_out)
{
    double s[10], r[10];
    pairs(s, r, 10, 2, 50, 5, 3);
    struct timing_ratio x = timing_compare(s, r, 10);
    ck_assert_double_gt(x.low, 1.8);
    ck_assert_double_lt(x.high, 2.2);
    s[4] *= 50; /* one run is disturbed */
    struct timing_ratio y = timing_compare(s, r, 10);
    ck_assert_double_eq_tol(y.median, x.median, 0.1);
}
END_TEST

START_TEST(intervals_repeat_and_invert)
{
    double s[10], r[10];
    pairs(s, r, 10, 1.4, 20, 20, 9);
    struct timing_ratio x = timing_compare(s, r, 10), y = timing_compare(s, r, 10),
                        z = timing_compare(r, s, 10);
    ck_assert(!memcmp(&x, &y, sizeof x));
    ck_assert_double_eq_tol(z.median, 1 / x.median, 1e-9);
    ck_assert_double_lt(z.low, 1 / x.median);
    struct timing_ratio few = timing_compare((double[]){1, 2, 4}, (double[]){1, 1, 1}, 3);
    ck_assert_double_eq_tol(few.low, 1, 1e-12);
    ck_assert_double_eq_tol(few.median, 2, 1e-12);
    ck_assert_double_eq_tol(few.high, 4, 1e-12);
}
END_TEST

START_TEST(medians)
{
    ck_assert_double_eq(timing_median((double[]){3, 1, 2}, 3), 2);
    ck_assert_double_eq(timing_median((double[]){4, 1, 2, 3}, 4), 2.5);
}
END_TEST

START_TEST(short_launches_are_known)
{
    ck_assert(timing_too_short(0.003, 0.0025));
    ck_assert(timing_too_short(0.0019, 0));
    ck_assert(timing_too_short(0.014, 0.010));
    ck_assert(!timing_too_short(0.005, 0.0025));
    ck_assert(!timing_too_short(1, 0.0025));
}
END_TEST

START_TEST(the_floor_is_below_what_a_gpu_was_seen_to_do)
{
    static const struct {
        const char *problem;
        int dims[DIMS];
        double measured; /* ms on one H200, of the fastest known kernel */
    } rows[] = {
        {"matmul", {1024, 1024, 1024}, 0.0647},
        {"matmul", {4096, 4096, 4096}, 2.68},
        {"matmul_halves", {2048, 128, 2048}, 0.00836},
        {"matmul_tf32", {2048, 128, 2048}, 0.0102},
        {"transpose", {4096, 4096}, 0.0404},
        {"transpose", {16384, 16384}, 0.543},
        {"aat", {16384, 32}, 0.642},
    };
    const struct model_profile *p = model_profile_find("h200");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double least = timing_least_ms(p, problem_find(rows[i].problem), rows[i].dims);
        ck_assert_msg(least > 0 && least < rows[i].measured, "%s: %g", rows[i].problem, least);
    }
    /* 1 GiB read, 1 GiB written except what stays in the L2, at 1.2 times 4232 GB/s */
    double least = timing_least_ms(p, problem_find("transpose"), (const int[DIMS]){16384, 16384});
    ck_assert_double_eq_tol(
        least, (2.0 * (1 << 30) - (double)p->l2_bytes) / (4232e9 * 1.2) * 1e3, 1e-9);
    /* copy_group reads one element for every 8 indices, copy_stride one for each index; both write
     * one for each index */
    double out = 4.0 * (1 << 28) - (double)p->l2_bytes;
    least = timing_least_ms(p, problem_find("copy_group"), (const int[DIMS]){1 << 28, 8});
    ck_assert_double_eq_tol(least, (4.0 * (1 << 28) / 8 + out) / (4232e9 * 1.2) * 1e3, 1e-9);
    least = timing_least_ms(p, problem_find("copy_stride"), (const int[DIMS]){1 << 28, 8});
    ck_assert_double_eq_tol(least, (4.0 * (1 << 28) + out) / (4232e9 * 1.2) * 1e3, 1e-9);
    ck_assert_double_eq(timing_least_ms(NULL, problem_find("matmul"), rows[0].dims), 0);
    for (int i = 0; problem_at(i);
         i++) /* every problem reads something, and none of 2 KiB takes 1 us */
    {
        least = timing_least_ms(p, problem_at(i), (const int[DIMS]){64, 8, 8});
        ck_assert_msg(least > 0 && least < 1e-3, "%s: %g", problem_at(i)->name, least);
    }
}
END_TEST

/* The problem of a step that a record names. */
static const struct problem *recorded_problem(const json_t *row)
{
    const char *lab = json_string_value(json_object_get(row, "lab")),
               *name = json_string_value(json_object_get(row, "exercise"));
    long step = (long)json_integer_value(json_object_get(row, "step"));
    for (const struct lab *const *l = lab_table; *l && lab; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++)
            if (!strcmp((*l)->name, lab) && !strcmp(x->name, name))
                return problem_find(x->steps[step].problem);
    return NULL;
}

START_TEST(no_recorded_time_is_impossible)
{
    static const char *const gpus[] = {"h100", "h200"};
    const char *gpu = gpus[_i];
    char *path = xasprintf("tests/hardware/records/%s-ladder.json", gpu);
    json_t *record = json_load_file(path, 0, NULL), *row;
    size_t i, checked = 0;
    ck_assert_ptr_nonnull(record);
    json_array_foreach(json_object_get(record, "rows"), i, row)
    {
        const struct problem *p = recorded_problem(row);
        const json_t *size = json_object_get(row, "dims");
        int dims[DIMS] = {0};
        if (!p) continue;
        for (size_t k = 0; k < json_array_size(size); k++)
            dims[k] = (int)json_integer_value(json_array_get(size, k));
        double ms = json_number_value(json_object_get(row, "least")),
               least = timing_least_ms(model_profile_find(gpu), p, dims);
        ck_assert_msg(least < ms, "%s, row %zu: %g ms, not below %g", path, i, least, ms);
        checked++;
    }
    ck_assert_uint_gt(checked, 50);
    json_decref(record);
    free(path);
}
END_TEST

/* ---- processes ---- */

enum deed {
    ANSWERS,
    ANSWERS_NOTHING,
    FAILS,
    CRASHES,
    LEAVES,
    SLEEPS,
    NOTES_AND_SLEEPS,
    NOTES_AND_CRASHES,
    NOTES_LONG,
    TALKS_TOO_MUCH,
    KEEPS_TALKING,
    WAITS_AND_CRASHES,
    SPINS,
    SHARES,
    DEEDS
};

/* Seconds of silence. SHORT_SILENCE stops a child that waits forever, LONG_SILENCE no child that
 * works on a busy machine, PATIENCE none at all. */
static const double SHORT_SILENCE = 0.5, LONG_SILENCE = 6, PATIENCE = 1e6;

static double silence_of(enum deed d)
{
    if (d == KEEPS_TALKING || d == WAITS_AND_CRASHES) return LONG_SILENCE;
    return d == SLEEPS || d == NOTES_AND_SLEEPS || d == SPINS || d == SHARES ? SHORT_SILENCE
                                                                             : PATIENCE;
}

/* Works as on a busy machine: with a fifth of a processor, for three times SHORT_SILENCE. */
static void work_a_little(void)
{
    for (double start = clock_seconds(); clock_seconds() - start < 3 * SHORT_SILENCE; usleep(20000))
        for (clock_t spin = clock(); clock() - spin < CLOCKS_PER_SEC / 200;)
            ;
}

static int deed(void *context, struct buf *reply, struct err *e)
{
    enum deed d = *(enum deed *)context;
    if (d == NOTES_AND_SLEEPS || d == NOTES_AND_CRASHES || d == WAITS_AND_CRASHES)
        isolate_note("matmul, m = %d", 3);
    if (d == NOTES_LONG) isolate_note("%0600d", 1);
    for (double start = clock_seconds(); (d == KEEPS_TALKING || d == WAITS_AND_CRASHES) &&
                                         clock_seconds() - start < 1.2 * LONG_SILENCE;) {
        if (d == WAITS_AND_CRASHES)
            isolate_wait();
        else
            isolate_note("after %g s", clock_seconds() - start);
        usleep(100000);
    }
    if (d == FAILS) return err_set(e, ERR_USAGE, "its own words");
    if (d == CRASHES || d == NOTES_AND_CRASHES || d == WAITS_AND_CRASHES) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (d == LEAVES) _exit(0);
    if (d == SLEEPS || d == NOTES_AND_SLEEPS) pause();
    while (d == SPINS) __asm__ volatile("");
    if (d == SHARES) work_a_little();
    if (d == TALKS_TOO_MUCH)
        for (int i = 0; i <= ISOLATE_REPLY_MAX; i += 1 << 16) {
            static const char page[1 << 16];
            buf_add(reply, page, sizeof page);
        }
    else if (d != ANSWERS_NOTHING)
        buf_printf(reply, "an answer");
    return 0;
}

static const struct {
    int bad;
    enum err_kind kind;
    const char *says;
} outcomes[DEEDS] = {
    [ANSWERS] = {0, ERR_NONE, "an answer"},
    [ANSWERS_NOTHING] = {0, ERR_NONE, NULL},
    [FAILS] = {-1, ERR_USAGE, "its own words"},
    [CRASHES] = {-1, ERR_ENV, "crashed: Segmentation fault"},
    [LEAVES] = {-1, ERR_ENV, "ended without a result"},
    [SLEEPS] = {-1, ERR_ENV, "did not answer within 0.5 seconds"},
    [NOTES_AND_SLEEPS] = {-1, ERR_LEARNER,
        "matmul, m = 3: does not end; it was stopped after 0.5 seconds"},
    [NOTES_AND_CRASHES] = {-1, ERR_LEARNER,
        "matmul, m = 3: took its process along: Segmentation fault"},
    [NOTES_LONG] = {0, ERR_NONE, "an answer"},
    [TALKS_TOO_MUCH] = {-1, ERR_ENV, "is no result"},
    [KEEPS_TALKING] = {0, ERR_NONE, "an answer"},
    [WAITS_AND_CRASHES] = {-1, ERR_LEARNER,
        "matmul, m = 3: took its process along: Segmentation fault"},
    [SPINS] = {-1, ERR_ENV, "did not answer within 0.5 seconds"},
    [SHARES] = {0, ERR_NONE, "an answer"},
};

START_TEST(a_process_answers_or_is_told_of)
{
    enum deed d = (enum deed)_i;
    struct buf reply = {0};
    struct err e = {0};
    ck_assert_int_eq(isolate_run(deed, &d, silence_of(d), &reply, &e), outcomes[d].bad);
    ck_assert_int_eq(e.kind, outcomes[d].kind);
    if (outcomes[d].bad)
        ck_assert_msg(strstr(e.text, outcomes[d].says), "%s", e.text);
    else if (outcomes[d].says)
        ck_assert_str_eq(reply.data, outcomes[d].says);
    else
        ck_assert_uint_eq(reply.len, 0);
    isolate_note("nobody listens here"); /* a note without a reader is no error */
    buf_free(&reply);
}
END_TEST

/* ---- bytes ---- */

static struct result sample(void)
{
    struct err e;
    const struct lab *lab = options_lab("02", &e);
    struct result r = {.lab = lab,
        .exercise = options_exercise(lab, "soa", &e),
        .file = xstrdup("labs/x.cu"),
        .status = STATUS_FAILED,
        .score = 7.5,
        .max_score = 10,
        .ms = 0.25,
        .reference_ms = NAN,
        .time_is = TIME_MEASURED,
        .step_count = 2,
        .prediction_count = 2};
    for (int i = 0; i < 2; i++) {
        struct step_result *s = &r.steps[i];
        s->step = &r.exercise->steps[i];
        s->problem = problem_find(s->step->problem);
        s->m = (struct measurement){.time_is = TIME_MEASURED,
            .ms = 1.5 + i,
            .host_ms = 9,
            .bottleneck = PART_INTEGER,
            .occupancy = {.blocks = 2, .warps = 16, .share = 0.5, .limiter = LIMIT_REGISTERS}};
        model_metrics_clear(&s->m.metrics);
        s->m.metrics.v[METRIC_INST] = 1e9;
        s->ratio = (struct timing_ratio){0.9, 1, 1.1};
        s->timing = TIMING_TOO_SHORT;
        r.predictions[i] = (struct prediction_result){
            .prediction = &r.exercise->predictions[i], .said = -1 + i, .counted = NAN, .key = 8};
    }
    r.steps[1].budget_count = 1;
    r.steps[1].budgets[0] = (struct budget_result){
        .budget = r.steps[1].step->budgets, .limit = 17, .value = 12, .line = 44};
    buf_printf(&r.message, "-2.5 points: why");
    return r;
}

static struct result of_same(const struct result *r)
{
    return (struct result){.lab = r->lab, .exercise = r->exercise};
}

START_TEST(a_result_survives_the_way)
{
    struct result r = sample(), back = of_same(&r);
    struct buf bytes = {0}, again = {0};
    struct err e = {0};
    wire_put_result(&bytes, &r);
    ck_assert_msg(!wire_get_result(&bytes, &back, &e), "%s", e.text);
    wire_put_result(&again, &back);
    ck_assert_uint_eq(bytes.len, again.len);
    ck_assert(!memcmp(bytes.data, again.data, bytes.len));
    ck_assert_str_eq(back.message.data, "-2.5 points: why");
    ck_assert_ptr_null(back.source);
    ck_assert_ptr_eq(back.steps[1].budgets[0].budget, r.steps[1].budgets[0].budget);
    ck_assert_double_eq(back.steps[1].budgets[0].limit, 17);
    ck_assert_int_eq(back.predictions[1].key, 8);
    ck_assert_ptr_eq(back.steps[0].step, r.steps[0].step);
    ck_assert(isnan(back.steps[0].before.ms));
    ck_assert_int_eq(back.steps[0].m.occupancy.limiter, LIMIT_REGISTERS);
    ck_assert_int_eq(back.steps[0].m.bottleneck, PART_INTEGER);
    ck_assert_int_eq(back.predictions[0].said, -1);
    buf_free(&bytes), buf_free(&again);
    result_free(&r), result_free(&back);
}
END_TEST

START_TEST(bytes_that_are_no_result_are_refused)
{
    struct result r = sample();
    struct buf bytes = {0};
    struct rng rng;
    int refused = 0;
    wire_put_result(&bytes, &r);
    for (size_t cut = 0; cut < bytes.len; cut += 1 + cut / 50) {
        struct result back = of_same(&r);
        struct buf part = {bytes.data, cut, 0};
        struct err e = {0};
        ck_assert_int_eq(wire_get_result(&part, &back, &e), -1);
        ck_assert_int_eq(e.kind, ERR_ENV);
        result_free(&back);
    }
    rng_seed(&rng, 5);
    for (int i = 0; i < 3000; i++) {
        struct result back = of_same(&r);
        struct err e = {0};
        size_t at = rng_below(&rng, bytes.len);
        char old = bytes.data[at];
        bytes.data[at] = (char)rng_u64(&rng);
        refused += wire_get_result(&bytes, &back, &e) != 0;
        result_free(&back);
        bytes.data[at] = old;
    }
    ck_assert_int_gt(refused, 20); /* most bytes belong to numbers, where any value is valid */
    buf_add(&bytes, "x", 1);
    struct result back = of_same(&r);
    ck_assert_int_eq(wire_get_result(&bytes, &back, NULL), -1);
    result_free(&back);
    result_free(&r);
    buf_free(&bytes);
}
END_TEST

START_TEST(a_measurement_survives_the_way)
{
    struct result r = sample();
    struct measurement back;
    struct buf bytes = {0};
    struct err e;
    wire_put_measurement(&bytes, &r.steps[0].m);
    ck_assert_int_eq(wire_get_measurement(&bytes, &back, &e), 0);
    ck_assert_double_eq(back.ms, 1.5);
    ck_assert_double_eq(back.metrics.v[METRIC_INST], 1e9);
    ck_assert(isnan(back.metrics.v[METRIC_GLD_SECTORS]));
    bytes.len--;
    ck_assert_int_eq(wire_get_measurement(&bytes, &back, &e), -1);
    buf_free(&bytes);
    result_free(&r);
}
END_TEST

/* ---- how a thread came to its index ---- */

/* The explanation of in[64] of an 8 x 8 copy, read in the last line of a kernel's body. defines: the
 * lines before the kernel. The caller frees it. */
static struct buf told(const char *defines, const char *body)
{
    static const int dims[DIMS] = {8, 8};
    static const unsigned block[2] = {32, 1};
    struct buf why = {0};
    struct finding found = {.kind = FOUND_OUTSIDE,
        .thread_known = 1,
        .block = {2},
        .name = "in",
        .index = 64,
        .extent = 64};
    char *source = xasprintf(
        "%s__global__ void copy(const float *in, float *out, int rows, int cols)\n{\n%s}\n",
        defines, body);
    for (const char *at = source; *at; at++) found.line += *at == '\n';
    found.line--;
    buf_printf(&why, "in[64]");
    index_trace_tell(problem_find("copy"), dims, block, "copy", source, &found, &why);
    free(source);
    return why;
}

START_TEST(a_define_with_a_comment_is_known)
{
    static const char *const comments[] = {"", " // side", "// side", " /* side */"};
    for (int i = 0; i < 4; i++) {
        char tile[40];
        snprintf(tile, sizeof tile, "#define TILE 32%s\n", comments[i]);
        struct buf why = told(tile, "int i = blockIdx.x * TILE + threadIdx.x;\nout[i] = in[i];\n");
        ck_assert_msg(
            strstr(why.data, "there i = 2 * 32 + 0 = 64") != NULL, "%s: %s", comments[i], why.data);
        buf_free(&why);
    }
}
END_TEST

/* Numbers beyond 63 bits are not computed with: no division or subtraction overflows. */
START_TEST(numbers_beyond_63_bits_end_nothing)
{
    struct buf why = told("#define N ((0 - 1099511627776) * 8388608 / (0 - 1))\n"
                          "#define M ((0 - 1099511627776) * 8388608 % (0 - 1))\n",
        "out[N] = in[M];\n");
    ck_assert_ptr_null(strstr(why.data, "922337203685477580"));
    buf_free(&why);
    why = told("",
        "out[0] = in[(1 - i) * 4194304 * 1099511627776 - i * 4194304 * 1099511627776 - i * 2];\n");
    ck_assert_ptr_null(strstr(why.data, "there i ="));
    buf_free(&why);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("apart");
    TCase *c = tcase_create("apart");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, equal_times_prove_equality);
    tcase_add_test(c, the_interval_holds_the_truth);
    tcase_add_test(c, the_interval_cuts_off_a_fortieth);
    tcase_add_test(c, what_is_slow_is_found_out);
    tcase_add_test(c, intervals_repeat_and_invert);
    tcase_add_test(c, medians);
    tcase_add_test(c, short_launches_are_known);
    tcase_add_test(c, the_floor_is_below_what_a_gpu_was_seen_to_do);
    tcase_add_loop_test(c, no_recorded_time_is_impossible, 0, 2);
    tcase_add_loop_test(c, a_process_answers_or_is_told_of, 0, DEEDS);
    tcase_add_test(c, a_result_survives_the_way);
    tcase_add_test(c, bytes_that_are_no_result_are_refused);
    tcase_add_test(c, a_measurement_survives_the_way);
    tcase_add_test(c, a_define_with_a_comment_is_known);
    tcase_add_test(c, numbers_beyond_63_bits_end_nothing);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
