/* grade.c - one exercise of a student against the reference: right on every shape, then counted, then timed. */
#include "lab/attempt.h"
#include "lab/compare.h"
#include "lab/isolate.h"
#include "lab/verdict.h"
#include "lab/wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- right? ---- */

struct trial {
    int wrong;     /* why says how */
    int lost;      /* it took the device along: nothing more can be run */
    int untouched; /* the whole output is still poison */
    struct buf why;
};

/* Tell a watchdog, where there is one, what runs now. */
static void announce(const struct attempt *a, int step, const int *dims)
{
    char *size = problem_size(problem_find(a->exercise->steps[step].problem), dims);
    isolate_note("%s, %s", a->exercise->steps[step].kernel, size);
    free(size);
}

static void failed_run(const struct attempt *a, struct trial *t, const struct err *e)
{
    t->wrong = 1;
    t->lost = a->session->device && device_lost(a->session->device);
    buf_printf(&t->why, "%s", e->text);
}

/* Where a GPU ran the step: does the simulator, which checks each access, find fault with it? Then why goes on with it. */
static int look_closer(struct attempt *a, int step, struct instance *in, struct trial *t, const char *so)
{
    struct err e = {0};
    if (!attempt_check(a, step, in, &e) || e.kind != ERR_LEARNER)
        return 0;
    buf_printf(&t->why, "%s%s: %s", t->why.len ? "; " : "", so, e.text);
    return 1;
}

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
    announce(a, step, dims);
    if (attempt_run(a, step, &in, how, m, e)) {
        int fault = e->kind == ERR_LEARNER;
        failed_run(a, t, e);
        if (fault && how == RUN_PLAIN)
            look_closer(a, step, &in, t, "the simulator knows where");
        instance_free(&in);
        return fault ? 0 : -1;
    }
    if (how != RUN_COUNTED)
        expected_make(&own, &in); /* not before the learner's part has run */
    const struct expected *want = how == RUN_COUNTED ? answers_get(a->session->answers, &in, seed) : &own;
    t->wrong = compare_output(&in, want, in.data[p->output], &t->why) != 0;
    t->untouched = t->wrong && poison_whole(in.data[p->output], instance_bytes(&in, p->output),
                                             element_bytes(p->buffers[p->output].element));
    if (!t->wrong && how == RUN_PLAIN)
        t->wrong = look_closer(a, step, &in, t, "right on this GPU, but only by luck");
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
        if ((!t.untouched && step_earns(s)) || t.lost)
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

enum { ROUNDS = 5, PAIRS = 2 * ROUNDS }; /* of R, S, S, R: two pairs each */

struct race {
    struct attempt *runner[2]; /* the reference, the student */
    int step;
    struct step_result *result;
    double times[2][PAIRS];
};

/* One timed run; a wrong output of the student's ends it all, as a wrong one anywhere. */
static int time_once(struct race *race, int student, struct instance *in, const struct expected *want, double *ms, struct result *r,
                     struct findings *f, struct err *e)
{
    struct measurement m = {0};
    struct trial t = {0};
    struct attempt *a = race->runner[student];
    announce(a, race->step, in->dims);
    int bad = attempt_run(a, race->step, in, RUN_TIMED, &m, e);
    if (bad && e->kind == ERR_LEARNER) {
        failed_run(a, &t, e);
        bad = 0;
    } else if (!bad) {
        t.wrong = compare_output(in, want, in->data[in->problem->output], &t.why) != 0;
    }
    *ms = m.ms;
    if (student && !t.wrong && !bad) { /* the last one's, as an example */
        race->result->m.launch_ms = m.launch_ms;
        race->result->m.host_ms = m.host_ms;
        race->result->m.in_ms = m.in_ms;
        race->result->m.out_ms = m.out_ms;
    }
    measurement_free(&m);
    if (!bad && t.wrong && student) {
        f->wrong = 1;
        report_wrong(r, race->result->step, in->dims, in->dims, &t);
    } else if (!bad && t.wrong) {
        bad = err_set(e, ERR_ENV, "the reference of %s is wrong: %s", a->exercise->name, t.why.data);
    }
    buf_free(&t.why);
    return bad;
}

/* Both on one input, which neither has seen before, the reference first in every other pair. */
static int time_pair(struct race *race, int pair, double ms[2], struct result *r, struct findings *f, struct err *e)
{
    struct instance in;
    struct expected want;
    const struct step_result *s = race->result;
    int bad = 0;
    instance_make(&in, s->problem, s->step->dims, session_seed(race->runner[1]->session, s->problem->name, s->step->dims, 1 + pair));
    expected_make(&want, &in);
    for (int turn = 0; turn < 2 && !bad && !f->wrong; turn++) {
        int student = (turn ^ pair) % 2 == 0 ? 0 : 1;
        bad = time_once(race, student, &in, &want, &ms[student], r, f, e);
    }
    expected_free(&want);
    instance_free(&in);
    return bad;
}

/* What the times are good for. */
static void judge(struct step_result *s, const struct model_profile *p)
{
    s->least_ms = timing_least_ms(p, s->problem, s->step->dims);
    if (s->m.ms < s->least_ms)
        s->timing = TIMING_IMPOSSIBLE;
    else if (s->m.launch_ms > 0 && timing_too_short(s->m.ms, s->m.launch_ms))
        s->timing = TIMING_TOO_SHORT;
}

/* Time student and reference in turn. */
static int time_in_turn(struct attempt *student, struct attempt *reference, int step, struct step_result *s, struct result *r,
                        struct findings *f, struct err *e)
{
    struct race race = {{reference, student}, step, s, {{0}}};
    int kernels = student->exercise->kind == EXERCISE_CUDA;
    for (int pair = kernels ? -1 : 0; pair < PAIRS; pair++) { /* on a GPU, a pair to warm up */
        double ms[2];
        if (time_pair(&race, pair < 0 ? PAIRS : pair, ms, r, f, e))
            return -1;
        if (f->wrong)
            return 0;
        for (int i = 0; i < 2 && pair >= 0; i++)
            race.times[i][pair] = ms[i];
    }
    s->ratio = timing_compare(race.times[1], race.times[0], PAIRS);
    s->m.ms = timing_median(race.times[1], PAIRS);
    s->reference_ms = timing_median(race.times[0], PAIRS);
    if (kernels)
        judge(s, device_profile(student->session->device));
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
    s->ratio.low = s->ratio.median = s->ratio.high = s->m.ms / m.ms;
    measurement_free(&m);
    return 0;
}

/* Every step at its size: checked once more, counted, timed. */
static int measure(struct attempt *a, struct attempt *reference, struct result *r, struct findings *f, struct err *e)
{
    for (int i = 0; i < exercise_steps(a->exercise) && !f->wrong; i++) {
        struct step_result *s = &r->steps[i];
        struct trial t;
        *s = (struct step_result){.step = &a->exercise->steps[i], .reference_ms = NAN,
                                  .ratio = {NAN, NAN, NAN}};
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

/* Only where times are measured has the reference to be at hand while the student's is timed. Built before the device is
 * opened, which on a GPU forbids to start compilers. */
static int needs_reference(const struct session *s, const struct exercise *x)
{
    return x->kind == EXERCISE_HOST || !session_simulated(s);
}

static int open_reference(struct attempt *reference, struct err *e)
{
    const struct compiled *c = &reference->compiled;
    if (!reference->exercise)
        return 0;
    int bad = attempt_bind(reference, e);
    if (!bad && c->status == COMPILE_OK)
        return 0;
    char *why = xstrdup(bad ? e->text : c->output.len ? c->output.data : c->err.text);
    err_set(e, ERR_ENV, "the reference of %s cannot be built: %s", reference->exercise->name, why);
    free(why);
    return -1;
}

static int grade_built(struct attempt *a, struct attempt *reference, struct result *r, struct err *e)
{
    struct findings f = {0};
    if (a->exercise->kind == EXERCISE_CUDA)
        read_predictions(a, r);
    int bad = check(a, r, &f, e);
    if (!bad && !f.wrong)
        bad = open_reference(reference, e) || measure(a, reference, r, &f, e);
    if (f.wrong)
        drop_steps(r);
    count_predictions(r);
    if (!bad)
        verdict(r, &f);
    for (int i = 0; i < r->step_count; i++) { /* the lines' file is the attempt's, which goes */
        free(r->steps[i].m.lines);
        r->steps[i].m.lines = NULL;
        r->steps[i].m.line_count = 0;
    }
    return bad ? -1 : 0;
}

/* Compilers first, then the device. From there on, what happens is the learner's doing. */
static int build(struct session *s, struct attempt *a, struct attempt *reference, const struct lab *lab, const struct exercise *x,
                 struct err *e)
{
    attempt_build(a, s, s->student, lab, x);
    if (a->compiled.status == COMPILE_OK && needs_reference(s, x)) {
        char *solutions = kit_path(&s->kit, "solutions");
        attempt_build(reference, s, solutions, lab, x);
        free(solutions);
    }
    if (a->compiled.status == COMPILE_OK && x->kind == EXERCISE_CUDA && session_device(s, e))
        return -1;
    isolate_note("%s", a->compiled.file);
    return attempt_bind(a, e);
}

static void begin(struct result *r, const struct lab *lab, const struct exercise *x)
{
    *r = (struct result){.lab = lab, .exercise = x, .max_score = exercise_max_points(x), .ms = NAN, .reference_ms = NAN};
}

static int grade_exercise(struct session *s, const struct lab *lab, const struct exercise *x, struct result *r, struct err *e)
{
    struct attempt a, reference = {.session = s};
    begin(r, lab, x);
    int bad = build(s, &a, &reference, lab, x, e);
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
        bad = grade_built(&a, &reference, r, e);
    attempt_close(&reference);
    attempt_close(&a);
    return bad;
}

/* ---- one exercise in a process of its own ---- */

struct job {
    struct session *session;
    const struct lab *lab;
    const struct exercise *exercise;
};

static int grade_there(void *context, struct buf *reply, struct err *e)
{
    struct job *j = context;
    struct result r;
    int bad = grade_exercise(j->session, j->lab, j->exercise, &r, e);
    if (!bad)
        wire_put_result(reply, &r);
    return bad; /* the process ends: nothing is freed, least of all what a lost device holds */
}

static int grade_apart(struct session *s, const struct lab *lab, const struct exercise *x, struct result *r, struct err *e)
{
    static const double SILENCE = 120; /* seconds: the slowest kernel of the labs is counted in some */
    struct job j = {s, lab, x};
    struct buf reply = {0};
    begin(r, lab, x);
    int bad = isolate_run(grade_there, &j, SILENCE, &reply, e);
    if (!bad) {
        bad = wire_get_result(&reply, r, e);
    } else if (e->kind == ERR_LEARNER) {
        r->file = attempt_file(s->student, lab, x);
        no_points(r, STATUS_FAILED, e->text);
        bad = 0;
    }
    buf_free(&reply);
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
                int apart = x->kind == EXERCISE_CUDA && device_needs_process(s->name);
                if (!(bad = (apart ? grade_apart : grade_exercise)(s, *l, x, &r, e)))
                    done(context, &r);
                result_free(&r);
            }
    return bad;
}
