/* test_judge.c - what grading makes of measurements: the order of timed runs and their inputs, with
 * runs made up here; status and sums of an exercise. */
#include "judge/grade.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- turns: the runs that grade_in_turn asks for ---- */

enum { RUNS_MOST = 64 };
static struct run {
    const struct build *who;
    float first; /* first element of its input, by which inputs differ */
} runs[RUNS_MOST];
static int run_count, restarts;
static double student_ms[2]; /* the student's time, before and after a restart */

/* A run that is right, and takes as long as the test says. */
static int fake_run(struct build *b, int step, struct instance *in, enum run_kind kind,
    struct measurement *m, struct err *e);
static int fake_restart(struct build *b, struct err *e)
{
    (void)b;
    (void)e;
    restarts++;
    return 0;
}

#define build_run fake_run
#define build_restart fake_restart
#include "../common/judge/paired_timing.c"
#undef build_run
#undef build_restart

static const struct step copy_step = {
    .kernel = "copy", .problem = "copy", .dims = {8, 8}, .speed_points = 4};

struct timed {
    struct session session;
    struct exercise exercise;
    struct result result;
    struct grading g;
};
static struct timed *now;

static int fake_run(struct build *b, int step, struct instance *in, enum run_kind kind,
    struct measurement *m, struct err *e)
{
    (void)step;
    (void)e;
    ck_assert_int_eq(kind, RUN_TIMED);
    ck_assert_int_lt(run_count, RUNS_MOST);
    runs[run_count++] = (struct run){b, *(float *)in->data[0]};
    memcpy(in->data[1], in->data[0], instance_bytes(in, 0));
    m->ms = b == &now->g.student ? student_ms[restarts > 0] : 1;
    return 0;
}

static void timed_begin(struct timed *t, double first_ms, double second_ms)
{
    *t = (struct timed){.session = {.seed = 7, .speed = 1.2},
        .exercise = {.name = "copy", .kind = EXERCISE_HOST, .steps = &copy_step},
        .result = {.step_count = 1}};
    t->result.steps[0] = (struct step_result){.step = &copy_step, .problem = problem_find("copy")};
    t->g = (struct grading){.session = &t->session, .exercise = &t->exercise, .result = &t->result};
    now = t;
    run_count = restarts = 0;
    student_ms[0] = first_ms, student_ms[1] = second_ms;
}

/* The reference and the student run in pairs, in alternating order, so that a drift of the clock
 * cancels. Both runs of a pair get the same input, and each pair another one, so that no kernel can
 * reuse an earlier output. */
START_TEST(pairs_take_turns_on_inputs_of_their_own)
{
    struct timed t;
    struct err e = {0};
    timed_begin(&t, 1, 1);
    ck_assert_int_eq(grade_in_turn(&t.g, 0, &e), 0);
    ck_assert_int_eq(run_count, 12); /* six pairs do */
    for (int i = 0; i < run_count; i += 2) {
        const struct build *first = i / 2 % 2 ? &t.g.student : &t.g.reference;
        ck_assert_msg(runs[i].who == first && runs[i + 1].who != first, "pair %d", i / 2);
        ck_assert_float_eq(runs[i].first, runs[i + 1].first);
        for (int j = 0; j < i; j++) ck_assert_float_ne(runs[i].first, runs[j].first);
    }
    ck_assert_int_eq(restarts, 0);
    ck_assert_double_eq(t.result.steps[0].ratio.low, 1);
}
END_TEST

/* A process may be slow for its whole life: a time that would cost points is measured again, by new
 * processes, on other inputs. */
START_TEST(a_slow_process_is_timed_again)
{
    struct timed t;
    struct err e = {0};
    timed_begin(&t, 3, 1);
    ck_assert_int_eq(grade_in_turn(&t.g, 0, &e), 0);
    ck_assert_int_eq(restarts, 2); /* of the student and of the reference */
    ck_assert_double_eq(t.result.steps[0].ratio.low, 1);
    ck_assert_double_eq(t.result.steps[0].m.ms, 1);
    for (int i = 2; i < run_count; i += 2)
        for (int j = 0; j < i; j++) ck_assert_float_ne(runs[i].first, runs[j].first);
    timed_begin(&t, 3, 3);
    ck_assert_int_eq(grade_in_turn(&t.g, 0, &e), 0);
    ck_assert_double_eq_tol(t.result.steps[0].ratio.low, 3, 1e-9);
}
END_TEST

/* ---- verdicts ---- */

static const struct prediction asked[] = {{"loads", 0, METRIC_INST, 2, "how many?"}, {0}};
static const struct step steps[] = {
    {.kernel = "given", .problem = "copy", .dims = {8, 8}},
    {.kernel = "own", .problem = "copy", .dims = {8, 8}, .correct_points = 3, .speed_points = 4},
};

/* A result whose two steps ran right, in 5 and 2 ms, as long as their references. */
static struct result measured(const struct exercise *x)
{
    struct result r = {.exercise = x, .max_score = 7, .step_count = 2};
    for (int i = 0; i < 2; i++) {
        struct step_result *s = &r.steps[i];
        *s = (struct step_result){
            .step = &steps[i], .problem = problem_find("copy"), .ratio = {1, 1, 1}};
        model_metrics_clear(&s->m.metrics);
        s->m.ms = s->reference_ms = i ? 2 : 5;
        s->m.metrics.v[METRIC_INST] = 100;
    }
    return r;
}

START_TEST(work_that_the_reference_does_not_do_is_told_with_its_line)
{
    struct line_counts lines[3] = {{.line = 7}, {.line = 9}, {.line = 12}};
    struct measurement m = {.lines = lines, .line_count = 3};
    struct metrics reference;
    struct excess out[EXCESS_MAX];
    model_metrics_clear(&m.metrics);
    model_metrics_clear(&reference);
    for (int i = 0; i < 3; i++) model_metrics_clear(&lines[i].metrics);
    ck_assert_int_eq(score_excess(&m, &reference, out), 0); /* nothing was counted */
    reference.v[METRIC_BARRIER] = 32, m.metrics.v[METRIC_BARRIER] = 64;
    lines[0].metrics.v[METRIC_BARRIER] = 16, lines[1].metrics.v[METRIC_BARRIER] = 48;
    ck_assert_int_eq(score_excess(&m, &reference, out), 0); /* twice the barriers are allowed */
    m.metrics.v[METRIC_BARRIER] = 65;
    ck_assert_int_eq(score_excess(&m, &reference, out), 1);
    ck_assert(out[0].metric == METRIC_BARRIER && out[0].line == 9);
    ck_assert(out[0].own == 65 && out[0].reference == 32);
    reference.v[METRIC_MIX_FP64] = 0, m.metrics.v[METRIC_MIX_FP64] = 1;
    lines[2].metrics.v[METRIC_MIX_FP64] = 1;
    ck_assert_int_eq(score_excess(&m, &reference, out), 2);
    ck_assert(out[0].metric == METRIC_MIX_FP64 && out[0].line == 12);
    reference.v[METRIC_MIX_FP64] = 1;
    ck_assert_int_eq(score_excess(&m, &reference, out), 1);
}
END_TEST

START_TEST(a_kernel_within_its_budgets_that_works_in_another_way_is_told)
{
    struct step_result s = {.budget_count = 1, .budgets = {{.met = 1}}, .reference_ms = 1};
    struct metrics reference;
    model_metrics_clear(&reference);
    s.m.ms = 1;
    ck_assert_double_eq(score_unlike(&s, &reference).times, 0); /* nothing was counted */
    reference.v[METRIC_INST] = s.m.metrics.v[METRIC_INST] = 1600;
    s.m.metrics.v[METRIC_MIX_INTEGER] = 200 * 32;
    ck_assert_double_eq(score_unlike(&s, &reference).times, 0); /* 0 counts as 100: 200 is twice */
    s.m.metrics.v[METRIC_MIX_INTEGER] = 201 * 32;
    struct unlike u = score_unlike(&s, &reference);
    ck_assert(u.metric == METRIC_MIX_INTEGER && u.own == 201 * 32 && u.reference == 0);
    reference.v[METRIC_GLD_SECTORS] = 400; /* 0 counts as 100: 400 is 4 times */
    u = score_unlike(&s, &reference);
    ck_assert(u.metric == METRIC_GLD_SECTORS && u.times == 4);
    s.m.ms = 0.1;
    u = score_unlike(&s, &reference);
    ck_assert(u.metric == METRIC_COUNT && u.own == 0.1 && u.reference == 1);
    s.budgets[0].met = 0;
    ck_assert_double_eq(score_unlike(&s, &reference).times, 0);
}
END_TEST

START_TEST(a_compiler_s_messages_are_told_once)
{
    static const char said[] =
        "x.cu:6:1: warning: not unrolled\n  add\n  ^\n"
        "x.cu:6:1: note: could not determine the original source location for x.cu:5:1\n"
        "x.cu:7:1: warning: unused\n  x.cu:2:1: note: from here\n"
        "x.cu:6:1: warning: not unrolled\n  add\n  ^\n"
        "x.cu:7:1: warning: unused\n  x.cu:3:1: note: from there\n"
        "3 warnings generated when compiling for sm_70.\n";
    struct buf out = {0};
    messages_once(&out, said);
    ck_assert_str_eq(out.data, "x.cu:6:1: warning: not unrolled\n  add\n  ^\n"
                               "x.cu:7:1: warning: unused\n  x.cu:2:1: note: from here\n"
                               "x.cu:7:1: warning: unused\n  x.cu:3:1: note: from there\n");
    buf_free(&out);
    messages_once(&out, "x.cu:1:1: error: 3 generated names\n1 error generated.\n");
    ck_assert_str_eq(out.data, "x.cu:1:1: error: 3 generated names\n");
    buf_free(&out);
    messages_once(&out, "1 warning generated.\n");
    ck_assert_int_eq(out.len, 0);
}
END_TEST

START_TEST(the_line_of_the_first_error)
{
    ck_assert_int_eq(messages_line("a/x.cu:6:1: warning: w\nlockstep.h:2:1: error: e\n"
                                   "a/x.cu:71:3: error: e\na/x.cu:8:1: error: e\n",
                         "a/x.cu"),
        71);
    ck_assert_int_eq(messages_line("a/x.cu(9): error: e\n", "a/x.cu"), 9); /* as nvcc writes it */
    ck_assert_int_eq(messages_line("a/x.cu:5:1: fatal error: e", "a/x.cu"), 5);
    ck_assert_int_eq(messages_line("a/x.cu:5:1: note: n\nb/x.cu:5:1: error: e", "a/x.cu"), 0);
}
END_TEST

/* The time of an exercise is that of the kernels whose speed is graded; a given kernel counts only
 * if no kernel's speed is graded. */
START_TEST(given_kernels_do_not_count)
{
    const struct exercise x = {.name = "x", .steps = steps};
    const struct checked f = {.written = 1, .speed = 1.2};
    struct result r = measured(&x);
    verdict(&r, &f);
    ck_assert_int_eq(r.status, STATUS_PASSED);
    ck_assert_double_eq(r.ms, 2);
    ck_assert_double_eq(r.reference_ms, 2);
    ck_assert_double_eq(r.metrics.v[METRIC_INST], 100);
    result_free(&r);
    r = measured(&x);
    r.steps[1] = r.steps[0];
    verdict(&r, &f);
    ck_assert_double_eq(r.ms, 10);
    ck_assert_double_eq(r.metrics.v[METRIC_INST], 200);
    result_free(&r);
}
END_TEST

/* A result without points is failed rather than not attempted if a prediction has a number, even a
 * wrong one, or if a kernel wrote its output. */
START_TEST(what_was_attempted_has_failed)
{
    static const struct {
        int said, written, wrong, predictions;
        enum status status;
    } cases[] = {
        {-1, 0, 0, 1, STATUS_NOT_ATTEMPTED},
        {5, 0, 0, 1, STATUS_FAILED},
        {5, 1, 0, 1, STATUS_FAILED},
        {-1, 1, 0, 1, STATUS_NOT_ATTEMPTED},
        {-1, 1, 1, 1, STATUS_FAILED},
        {-1, 0, 1, 1, STATUS_NOT_ATTEMPTED},
        {-1, 0, 1, 0, STATUS_NOT_ATTEMPTED},
        {-1, 1, 1, 0, STATUS_FAILED},
        {5, 0, 1, 1, STATUS_FAILED},
    };
    const struct exercise x = {.name = "x", .steps = steps, .predictions = asked};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct checked f = {
            .wrong = cases[i].wrong, .written = cases[i].written, .speed = 1.2};
        struct result r = {
            .exercise = &x, .max_score = 2, .prediction_count = cases[i].predictions};
        r.predictions[0] = (struct prediction_result){
            .prediction = asked, .said = cases[i].said, .counted = 100, .key = 100};
        verdict(&r, &f);
        ck_assert_msg(r.status == cases[i].status, "case %zu: %s", i, status_names[r.status]);
        ck_assert_double_eq(r.score, 0);
        result_free(&r);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("judge");
    TCase *c = tcase_create("judge");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, pairs_take_turns_on_inputs_of_their_own);
    tcase_add_test(c, a_slow_process_is_timed_again);
    tcase_add_test(c, a_kernel_within_its_budgets_that_works_in_another_way_is_told);
    tcase_add_test(c, work_that_the_reference_does_not_do_is_told_with_its_line);
    tcase_add_test(c, a_compiler_s_messages_are_told_once);
    tcase_add_test(c, the_line_of_the_first_error);
    tcase_add_test(c, given_kernels_do_not_count);
    tcase_add_test(c, what_was_attempted_has_failed);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
