/* grade.c - one exercise of a student against the reference: right on every shape, then counted, then timed. */
#include "lab/attempt.h"
#include "lab/compare.h"
#include "lab/score.h"
#include "lab/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- right? ---- */

struct trial {
    int wrong;     /* why says how */
    int untouched; /* the whole output is still poison */
    struct buf why;
};

/* Run a step on one input and compare. -1: the machine's fault. The answer to a counted run is kept: other exercises are
 * counted on the same input. */
static int try_input(struct attempt *a, int step, const int *dims, uint64_t seed, enum run how, struct measurement *m,
                     struct trial *t, struct err *e)
{
    struct instance in;
    struct expected own = {0};
    const struct problem *p = problem_find(a->exercise->steps[step].problem);
    instance_make(&in, p, dims, seed);
    *t = (struct trial){0};
    if (attempt_run(a, step, &in, how, m, e)) {
        t->wrong = 1;
        buf_printf(&t->why, "%s", e->text);
        instance_free(&in);
        return e->kind == ERR_LEARNER ? 0 : -1;
    }
    if (how != RUN_COUNTED)
        expected_make(&own, &in); /* not before the learner's part has run */
    const struct expected *want = how == RUN_COUNTED ? answers_get(a->session->answers, &in, seed) : &own;
    t->wrong = compare_output(&in, want, in.data[p->output], &t->why) != 0;
    t->untouched = t->wrong && poison_whole(in.data[p->output], instance_bytes(&in, p->output),
                                             element_bytes(p->buffers[p->output].element));
    expected_free(&own);
    instance_free(&in);
    return 0;
}

static void report_wrong(struct result *r, const struct step *step, const int *dims, const int *right, struct trial *t)
{
    const struct problem *p = problem_find(step->problem);
    char *size = problem_size(p, dims), *before = right ? problem_size(p, right) : NULL;
    buf_free(&r->message);
    if (t->untouched)
        buf_printf(&r->message, "%s has written no output yet", step->kernel);
    else
        buf_printf(&r->message, "%s, %s%s%s: %s", step->kernel, size, before ? ", after being right for " : "",
                   before ? before : "", t->why.data);
    free(size);
    free(before);
}

/* A step on all its shapes, simple ones first; stops at the first that is wrong. */
static int check_step(struct attempt *a, int step, int only_first, struct result *r, struct findings *f, struct err *e)
{
    const struct step *s = &a->exercise->steps[step];
    int shapes[SHAPES][DIMS];
    struct rng rng;
    rng_seed(&rng, session_seed(a->session, a->exercise->name, NULL, step));
    int count = problem_shapes(problem_find(s->problem), s, &rng, shapes);
    for (int i = 0; i < (only_first ? 1 : count); i++) {
        struct trial t;
        if (try_input(a, step, shapes[i], rng_u64(&rng), RUN_PLAIN, NULL, &t, e))
            return -1;
        if (!t.untouched && step_earns(s))
            f->written = 1;
        if (t.wrong && !f->wrong) {
            f->wrong = 1;
            report_wrong(r, s, shapes[i], i ? shapes[i - 1] : NULL, &t);
        }
        buf_free(&t.why);
        if (f->wrong)
            break;
    }
    return 0;
}

/* All steps; after the first wrong one, the others only to see whether anything was written at all. */
static int check(struct attempt *a, struct result *r, struct findings *f, struct err *e)
{
    for (int i = 0; i < exercise_steps(a->exercise); i++)
        if (!(f->wrong && f->written) && check_step(a, i, f->wrong, r, f, e))
            return -1;
    return 0;
}

/* ---- counted and timed ---- */

enum { ROUNDS = 5 }; /* of R, S, S, R: two pairs each */

/* One timed run, on new input; a wrong output of the student's ends it, as a wrong one anywhere. */
static int time_once(struct attempt *a, int of_student, int step, int turn, struct step_result *s, struct result *r,
                     struct findings *f, double *ms, struct err *e)
{
    struct measurement m = {0};
    struct trial t;
    uint64_t seed = session_seed(a->session, s->problem->name, s->step->dims, 1 + turn);
    int bad = try_input(a, step, s->step->dims, seed, RUN_TIMED, &m, &t, e);
    *ms = m.ms;
    measurement_free(&m);
    if (!bad && t.wrong && of_student) {
        f->wrong = 1;
        report_wrong(r, s->step, s->step->dims, s->step->dims, &t);
    } else if (!bad && t.wrong) {
        bad = err_set(e, ERR_ENV, "the reference of %s is wrong: %s", a->exercise->name, t.why.data);
    }
    buf_free(&t.why);
    return bad;
}

/* Time student and reference in turn, every timed output of the student's checked. */
static int time_in_turn(struct attempt *student, struct attempt *reference, int step, struct step_result *s, struct result *r,
                        struct findings *f, struct err *e)
{
    enum { PAIRS = 2 * ROUNDS };
    double times[2][PAIRS], ratios[PAIRS];
    for (int turn = 0; turn < 2 * PAIRS; turn++) {
        int of_student = turn % 4 == 1 || turn % 4 == 2;
        if (time_once(of_student ? student : reference, of_student, step, turn, s, r, f, &times[of_student][turn / 2], e))
            return -1;
        if (f->wrong)
            return 0;
    }
    for (int i = 0; i < PAIRS; i++)
        ratios[i] = times[1][i] / times[0][i];
    s->ratio = score_proven_ratio(ratios, PAIRS);
    s->m.ms = score_median(times[1], PAIRS);
    s->reference_ms = score_median(times[0], PAIRS);
    return 0;
}

static int time_step(struct attempt *a, struct attempt *reference, int step, struct step_result *s, struct result *r,
                     struct findings *f, struct err *e)
{
    struct measurement m = {0};
    if (s->m.time_is == TIME_MEASURED)
        return s->step->speed_points ? time_in_turn(a, reference, step, s, r, f, e) : 0;
    if (reference_measure(a->session, r->lab, r->exercise, step, s->step->dims, &m, e))
        return -1;
    s->reference_ms = m.ms;
    s->ratio = s->m.ms / m.ms;
    measurement_free(&m);
    return 0;
}

/* Every step at its size: checked once more, counted, timed. */
static int measure(struct attempt *a, struct attempt *reference, struct result *r, struct findings *f, struct err *e)
{
    for (int i = 0; i < exercise_steps(a->exercise) && !f->wrong; i++) {
        struct step_result *s = &r->steps[i];
        struct trial t;
        *s = (struct step_result){.step = &a->exercise->steps[i], .reference_ms = NAN, .ratio = NAN};
        s->problem = problem_find(s->step->problem);
        uint64_t seed = session_seed(a->session, s->step->problem, s->step->dims, 0);
        int bad = try_input(a, i, s->step->dims, seed, RUN_COUNTED, &s->m, &t, e);
        r->step_count = i + 1;
        if (!bad && t.wrong) {
            f->wrong = 1;
            report_wrong(r, s->step, s->step->dims, NULL, &t);
        }
        buf_free(&t.why);
        if (bad || (!f->wrong && time_step(a, reference, i, s, r, f, e)))
            return -1;
    }
    return 0;
}

static void drop_steps(struct result *r)
{
    for (int i = 0; i < r->step_count; i++)
        measurement_free(&r->steps[i].m);
    r->step_count = 0;
}

static void read_predictions(struct attempt *a, struct result *r)
{
    for (const struct prediction *p = a->exercise->predictions; p && p->name && r->prediction_count < PREDICTIONS_MAX; p++) {
        struct prediction_result *result = &r->predictions[r->prediction_count++];
        *result = (struct prediction_result){p, run_prediction(a->module, p->name), NAN};
    }
}

static void count_predictions(struct result *r)
{
    for (int i = 0; i < r->prediction_count; i++) {
        const struct prediction *p = r->predictions[i].prediction;
        if (p->step < r->step_count)
            r->predictions[i].counted = r->steps[p->step].m.metrics.v[p->metric];
    }
}

/* ---- one exercise ---- */

static void no_points(struct result *r, enum status status, const char *why)
{
    r->status = status;
    buf_printf(&r->message, "%s", why);
    r->ms = r->reference_ms = NAN;
    model_metrics_clear(&r->metrics);
}

/* Only where times are measured has the reference to be at hand while the student's is timed. */
static int open_reference(struct attempt *reference, struct session *s, struct result *r, struct err *e)
{
    *reference = (struct attempt){.session = s};
    if (r->exercise->kind == EXERCISE_CUDA && session_simulated(s))
        return 0;
    char *solutions = kit_path(&s->kit, "solutions");
    int bad = attempt_open(reference, s, solutions, r->lab, r->exercise, e);
    free(solutions);
    if (!bad && reference->compiled.status == COMPILE_OK)
        return 0;
    char *why = xstrdup(bad ? e->text : reference->compiled.output.len ? reference->compiled.output.data : "?");
    err_set(e, ERR_ENV, "the reference of %s cannot be built: %s", r->exercise->name, why);
    free(why);
    return -1;
}

static int grade_built(struct attempt *a, struct result *r, struct err *e)
{
    struct findings f = {0};
    struct attempt reference = {.session = a->session};
    if (a->exercise->kind == EXERCISE_CUDA)
        read_predictions(a, r);
    int bad = check(a, r, &f, e);
    if (!bad && !f.wrong)
        bad = open_reference(&reference, a->session, r, e) || measure(a, &reference, r, &f, e);
    if (f.wrong)
        drop_steps(r);
    count_predictions(r);
    if (!bad)
        verdict(r, &f);
    attempt_close(&reference);
    for (int i = 0; i < r->step_count; i++) { /* the lines' file is the attempt's, which goes */
        free(r->steps[i].m.lines);
        r->steps[i].m.lines = NULL;
        r->steps[i].m.line_count = 0;
    }
    return bad ? -1 : 0;
}

static int grade_exercise(struct session *s, const struct lab *lab, const struct exercise *x, struct result *r, struct err *e)
{
    struct attempt a;
    *r = (struct result){.lab = lab, .exercise = x, .max_score = exercise_max_points(x), .ms = NAN, .reference_ms = NAN};
    int bad = attempt_open(&a, s, s->student, lab, x, e);
    r->file = xstrdup(a.compiled.file);
    r->source = a.compiled.source ? xstrdup(a.compiled.source) : NULL;
    if (a.compiled.status == COMPILE_OK)
        buf_add(&r->warnings, a.compiled.output.data, a.compiled.output.len);
    if (a.compiled.status == COMPILE_BROKEN)
        bad = -1, *e = a.compiled.err;
    else if (a.compiled.status == COMPILE_MISSING)
        no_points(r, STATUS_NOT_ATTEMPTED, a.compiled.output.data), bad = 0;
    else if (a.compiled.status == COMPILE_BAD)
        no_points(r, STATUS_ERROR, a.compiled.output.data), bad = 0;
    else if (bad && e->kind == ERR_LEARNER)
        no_points(r, STATUS_ERROR, e->text), bad = 0;
    else if (!bad)
        bad = grade_built(&a, r, e);
    attempt_close(&a);
    return bad;
}

void result_free(struct result *r)
{
    drop_steps(r);
    free(r->file);
    free(r->source);
    buf_free(&r->warnings);
    buf_free(&r->message);
    *r = (struct result){0};
}

/* ---- many ---- */

static int selected(const struct lab *lab, const struct exercise *exercise, const struct lab *l, const struct exercise *x)
{
    return (!lab || lab == l) && (!exercise || exercise == x);
}

/* Compile everything on all cores into the cache, from which the exercises, one after the other, then take it. */
static void compile_ahead(struct session *s, const struct lab *lab, const struct exercise *exercise)
{
    char **files = NULL, *solutions = kit_path(&s->kit, "solutions");
    size_t count = 0, cap = 0;
    if (s->kit.cache)
        for (const struct lab *const *l = lab_table; *l; l++)
            for (const struct exercise *x = (*l)->exercises; x->name; x++)
                if (x->kind == EXERCISE_CUDA && selected(lab, exercise, *l, x)) {
                    *VEC_PUSH(files, count, cap) = attempt_file(s->student, *l, x);
                    *VEC_PUSH(files, count, cap) = attempt_file(solutions, *l, x);
                }
    struct compiled *out = xcalloc(count, sizeof *out);
    compile_kernels(&s->kit, &s->front, files, out, (int)count);
    for (size_t i = 0; i < count; i++) {
        compiled_free(&out[i]);
        free(files[i]);
    }
    free(out);
    free(files);
    free(solutions);
}

int grade_labs(struct session *s, const struct lab *lab, const struct exercise *exercise, graded *done, void *context, struct err *e)
{
    int bad = 0;
    compile_ahead(s, lab, exercise);
    for (const struct lab *const *l = lab_table; *l && !bad; l++)
        for (const struct exercise *x = (*l)->exercises; x->name && !bad; x++)
            if (selected(lab, exercise, *l, x)) {
                struct result r;
                if (!(bad = grade_exercise(s, *l, x, &r, e)))
                    done(context, &r);
                result_free(&r);
            }
    return bad;
}
