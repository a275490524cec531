/* grade.c - grade one exercise of a student: every shape must be right; then its steps are run
 * with counters and timed, and compared with the reference.
 *
 *     build -- check: small shapes -- measure: the step's own size -- verdict
 *                 │ wrong                 │ wrong
 *                 └-----------------------┴--> no points, the message says what failed first */
#include "judge/grade.h"
#include "os/os.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- checking results ---- */

void grade_announce(const struct step *s, const int *dims)
{
    char *size = problem_size(problem_find(s->problem), dims);
    isolate_note("%s, %s", s->kernel, size);
    free(size);
}

int grade_compare(const struct session *s, const struct build *b, int step,
    const struct instance *in, const struct expected *want, struct run_outcome *t)
{
    struct difference d;
    const void *got = in->data[in->problem->output];
    if (!compare_output(in, want, got, &d)) return 0;
    if (s->explains)
        s->explains->output(b, step, in, want, t);
    else
        buf_printf(&t->why, "%zu of %zu elements are wrong", d.wrong, want->count);
    return 1;
}

void grade_failed_run(const struct build *b, struct run_outcome *t, const struct err *e)
{
    t->wrong = 1;
    t->lost = b->device && device_lost(b->device);
    t->found = e->found;
    named_add(t->named, e->found.line);
    if (e->guess)
        buf_printf(&t->why, "%.*s\1%s\2", e->guess, e->text, e->text + e->guess);
    else
        buf_printf(&t->why, "%s", e->text);
}

/* After a run on a GPU, run the step on the simulator, which checks each access. Returns 1 if the
 * simulator finds a fault, which is appended to t->why after the text `so`. */
static int look_closer(
    struct grading *g, int step, struct instance *in, struct run_outcome *t, const char *so)
{
    struct err e = {0};
    if (!build_check(&g->student, step, in, &e) || e.kind != ERR_LEARNER) return 0;
    t->found = e.found;
    named_add(t->named, e.found.line);
    buf_printf(&t->why, "%s%s: %s", t->why.len ? "; " : "", so, e.text);
    return 1;
}

/* Run a step on one input and compare the output. -1: an error of the environment. The answer
 * for a run with counters is kept in the session, because other exercises run on the same input. */
static int try_input(struct grading *g, int step, const int *dims, uint64_t seed, enum run_kind how,
    struct measurement *m, struct run_outcome *t, struct err *e)
{
    struct instance in;
    struct expected own = {0};
    const struct step *s = &g->exercise->steps[step];
    const struct problem *p = problem_find(s->problem);
    const struct explainer *explains = g->session->explains;
    instance_make(&in, p, dims, seed);
    *t = (struct run_outcome){.seed = seed};
    memcpy(t->dims, dims, (size_t)problem_dims(p) * sizeof *dims);
    grade_announce(s, dims);
    if (build_run(&g->student, step, &in, how, m, e)) {
        int fault = e->kind == ERR_LEARNER;
        grade_failed_run(&g->student, t, e);
        if (fault && explains) explains->fault(&g->student, step, dims, t);
        if (fault && how == RUN_PLAIN) look_closer(g, step, &in, t, "found by the simulator");
        instance_free(&in);
        return fault ? 0 : -1;
    }
    if (how != RUN_COUNTED) /* the answer is computed only after the learner's code has run */
        expected_make(&own, &in);
    const struct expected *want = how == RUN_COUNTED ? session_answer(g->session, &in, seed) : &own;
    t->wrong = grade_compare(g->session, &g->student, step, &in, want, t);
    if (how == RUN_COUNTED && dims == s->dims && !t->wrong && g->exercise->kind == EXERCISE_CUDA)
        g->result->steps[step].unused =
            unused_find(&g->student, step, &in, seed, &m->metrics, &g->found.reference[step]);
    t->untouched = t->wrong && poison_whole(in.data[p->output], instance_bytes(&in, p->output),
                                   element_bytes(p->buffers[p->output].element));
    if (!t->wrong && how == RUN_PLAIN)
        t->wrong =
            look_closer(g, step, &in, t, "the result is right on this GPU, but only by chance");
    expected_free(&own);
    instance_free(&in);
    return 0;
}

/* Run a small shape. If the kernel prints, keep what it prints on the first shape, or on the one
 * that fails. */
static int try_printing(struct grading *g, int step, const int *dims, uint64_t seed,
    struct run_outcome *t, struct err *e)
{
    const char *source = g->student.compiled.source;
    struct measurement m = {0};
    struct buf *printed = &g->result->printed;
    if (!source || !strstr(source, "printf") || !workbench_simulated(&g->session->workbench) ||
        g->exercise->kind != EXERCISE_CUDA)
        return try_input(g, step, dims, seed, RUN_PLAIN, NULL, t, e);
    int bad = try_input(g, step, dims, seed, RUN_TIMED, &m, t, e);
    if (m.printed && (!printed->len || t->wrong)) {
        char *size = problem_size(problem_find(g->exercise->steps[step].problem), dims);
        buf_free(printed);
        buf_printf(printed, "printed for %s:\n%s", size, m.printed);
        free(size);
    }
    measurement_free(&m);
    return bad;
}

void grade_report_wrong(struct grading *g, const struct step *step, const int *dims,
    const int *right, struct run_outcome *t)
{
    const struct problem *p = problem_find(step->problem);
    char *size = problem_size(p, dims), *before = right ? problem_size(p, right) : NULL;
    g->found.wrong = 1;
    buf_free(&g->result->message);
    g->result->found = t->found;
    memcpy(g->result->named, t->named, sizeof t->named);
    guesses_unmark(&t->why);
    cause_free(&g->result->cause);
    g->result->cause = t->cause, t->cause = (struct cause){0};
    const char *see = t->see.len ? t->see.data : "";
    if (t->untouched && !before && !g->result->cause.count)
        buf_printf(&g->result->message, "%s has written no output yet%s", step->kernel, see);
    else
        buf_printf(&g->result->message, "%s fails for %s%s%s%s: %s%s", step->kernel, size,
            before ? " (it was right for " : "", before ? before : "", before ? ")" : "",
            t->untouched ? "it writes none of the output" : t->why.data, see);
    free(size);
    free(before);
}

/* Call the session's watch, if there is one, with the progress of the grading. */
static void tell(struct grading *g, const struct step *s, int at, double share)
{
    struct stage p = {
        .exercise = g->exercise, .step = s, .at = at, .shapes = SHAPES, .share = share};
    if (g->session->watch) g->session->watch(g->session->context, &p);
}

/* Set t->cause, or t->see, of a wrong step, if the session has an explainer. */
static void look_for_cause(struct grading *g, int step, struct run_outcome *t)
{
    uint64_t seed = session_seed(g->session, g->exercise->name, NULL, step);
    if (g->session->explains) g->session->explains->cause(g->session, &g->student, step, seed, t);
}

/* Run a step on its shapes in order, until the result of one is wrong; simple shapes come first. If
 * an earlier step was wrong, run the first shape only. -1: an error of the environment. */
static int check_step(struct grading *g, int step, struct err *e)
{
    const struct step *s = &g->exercise->steps[step];
    int shapes[SHAPES][DIMS], only_first = g->found.wrong, failed = 0;
    struct rng rng;
    rng_seed(&rng, session_seed(g->session, g->exercise->name, NULL, step));
    int count = problem_shapes(problem_find(s->problem), s, &rng, shapes, NULL);
    for (int i = 0; i < (only_first ? 1 : count) && !failed; i++) {
        struct run_outcome t;
        tell(g, s, PROGRESS_SHAPES, (double)i / count);
        if (try_printing(g, step, shapes[i], rng_u64(&rng), &t, e)) return -1;
        if ((!t.untouched && step_earns(s)) || t.lost) g->found.written = 1;
        if (t.wrong && !g->found.wrong) {
            failed = 1;
            look_for_cause(g, step, &t);
            grade_report_wrong(g, s, shapes[i], i ? shapes[i - 1] : NULL, &t);
        }
        run_outcome_free(&t);
        if (only_first) break;
    }
    return 0;
}

/* Check all steps. After the first wrong step, run the others only until one of them has written
 * any output, since the exercise then counts as attempted. */
static int check(struct grading *g, struct err *e)
{
    for (int i = 0; i < exercise_steps(g->exercise); i++)
        if (!g->exercise->steps[i].suspect && !(g->found.wrong && g->found.written) &&
            check_step(g, i, e))
            return -1;
    if (!g->found.wrong) tell(g, NULL, PROGRESS_RIGHT, 0);
    return 0;
}

/* ---- counting and timing ---- */

static int time_step(struct grading *g, int step, struct err *e)
{
    struct step_result *s = &g->result->steps[step];
    struct measurement m = {0};
    if (g->result->alone) return 0;
    if (s->m.time_is == TIME_MEASURED) return s->step->speed_points ? grade_in_turn(g, step, e) : 0;
    if (reference_measure(g->session, g->lab, g->exercise, step, s->step->dims, &m, e)) return -1;
    s->reference_ms = m.ms;
    s->ratio.low = s->ratio.median = s->ratio.high = s->m.ms / m.ms;
    measurement_free(&m);
    return 0;
}

/* Run the reference of a step with counters at a size. If the device is a GPU, a simulated device does
 * that. The caller frees m. */
static int reference_counts(
    struct grading *g, int step, const int *dims, struct measurement *m, struct err *e)
{
    if (workbench_simulated(&g->session->workbench))
        return reference_measure(g->session, g->lab, g->exercise, step, dims, m, e);
    struct instance in;
    instance_make(&in, problem_find(g->exercise->steps[step].problem), dims, 1);
    int bad = build_count(&g->reference, step, &in, m, e);
    instance_free(&in);
    return bad;
}

/* Count the reference at the step's size, since budgets and predictions are compared with its counts.
 * Without a reference, budgets have the limits of their rows. */
static int count_reference(struct grading *g, int step, struct err *e)
{
    const struct step *s = &g->exercise->steps[step];
    struct measurement m = {0};
    if (g->result->alone || g->exercise->kind != EXERCISE_CUDA ||
        (!s->budgets && !g->exercise->predictions))
        return 0;
    int bad = reference_counts(g, step, s->dims, &m, e);
    if (!bad) g->found.reference[step] = m.metrics;
    if (!bad) g->found.blocks[step] = m.occupancy.blocks;
    measurement_free(&m);
    return bad;
}

/* Context of the progress callback while a launch is simulated. part: the share of the step's work
 * that this launch does, 0 to 1. */
struct told {
    struct grading *grading;
    const struct step *step;
    double part;
};

static void tell_share(void *context, double share)
{
    const struct told *t = context;
    tell(t->grading, t->step, PROGRESS_COUNTS, share * t->part);
}

/* Let launches of the student's kernels report progress with this context; told NULL: stop the
 * reports. */
static void tell_launches(struct grading *g, struct told *told)
{
    if (!workbench_simulated(&g->session->workbench) || !g->student.device || !g->session->watch)
        return;
    device_settings(g->student.device)->progress = told ? tell_share : NULL;
    device_settings(g->student.device)->context = told;
}

/* Run a step with counters at its own size, on the session's input for that size, and report
 * progress. */
static int try_whole(
    struct grading *g, struct step_result *s, int step, struct run_outcome *t, struct err *e)
{
    struct told told = {g, s->step, 1};
    uint64_t seed = session_seed(g->session, s->step->problem, s->step->dims, 0);
    tell_launches(g, &told);
    int bad = try_input(g, step, s->step->dims, seed, RUN_COUNTED, &s->m, t, e);
    tell_launches(g, NULL);
    return bad;
}

/* Run a step that is right and has budgets at another size, too, and find the budgets that it misses
 * there. -1: an error of the environment. */
static int try_elsewhere(struct grading *g, struct step_result *s, int step, struct err *e)
{
    int dims[DIMS] = {0};
    struct rng rng;
    struct run_outcome t;
    struct measurement own = {0}, reference = {0};
    if (g->result->alone || g->exercise->kind != EXERCISE_CUDA || !s->step->budgets) return 0;
    rng_seed(&rng, session_seed(g->session, s->step->problem, s->step->dims, 1));
    problem_other_size(s->problem, s->step, &rng, dims);
    uint64_t seed = session_seed(g->session, s->step->problem, dims, 0);
    int bad = try_input(g, step, dims, seed, RUN_COUNTED, &own, &t, e);
    if (!bad && t.wrong)
        grade_report_wrong(g, s->step, dims, s->step->dims, &t);
    else if (!bad)
        bad = reference_counts(g, step, dims, &reference, e);
    if (!bad && !t.wrong)
        s->elsewhere = elsewhere_find(
            s->step, &s->m.metrics, &g->found.reference[step], &own.metrics, &reference.metrics);
    run_outcome_free(&t);
    measurement_free(&own);
    measurement_free(&reference);
    return bad;
}

/* Try to end a step early (early_end), and report progress. Returns whether the step ended
 * early. */
static int try_early(struct grading *g, struct step_result *s, int step, uint64_t seed)
{
    struct told told = {g, s->step, EARLY_PART};
    tell_launches(g, &told);
    int early = early_end(&g->student, step, &g->found.reference[step], seed, g->session->brief,
        &s->m, &s->early_seconds);
    tell_launches(g, NULL);
    return early;
}

/* Run every step at its own size: compare its output, count it, time it. -1: an error of the
 * environment. */
static int measure(struct grading *g, struct err *e)
{
    for (int i = 0; i < exercise_steps(g->exercise) && !g->found.wrong; i++) {
        struct step_result *s = &g->result->steps[i];
        struct run_outcome t;
        *s = (struct step_result){.step = &g->exercise->steps[i],
            .reference_ms = NAN,
            .ratio = {NAN, NAN, NAN},
            .before.ms = NAN,
            .first.ms = NAN};
        s->problem = problem_find(s->step->problem);
        uint64_t seed = session_seed(g->session, s->step->problem, s->step->dims, 0);
        uint64_t small = session_seed(g->session, g->exercise->name, NULL, i);
        g->result->step_count = i + 1;
        tell(g, s->step, PROGRESS_COUNTS, 0);
        model_metrics_clear(&g->found.reference[i]);
        if (s->step->suspect) {
            s->m.ms = NAN;
            model_metrics_clear(&s->m.metrics);
            if (suspect_examine(g, i, e)) return -1;
            continue;
        }
        if (count_reference(g, i, e)) return -1;
        /* the kernel is too slow to be run many times, so no edit that meets the budgets is
         * searched for */
        if (g->session->brief && try_early(g, s, i, seed)) {
            if (time_step(g, i, e)) return -1;
            continue;
        }
        s->early_seconds = 0;
        int bad = try_whole(g, s, i, &t, e);
        /* fewer than 1e8 warp instructions, which take about 3 s of processor time: a search runs
         * many variants of the kernel, each about as long */
        int quick = !bad && s->m.metrics.v[METRIC_INST] < 1e8;
        if (!bad && t.wrong) {
            t.whole = 1;
            look_for_cause(g, i, &t);
            grade_report_wrong(g, s->step, s->step->dims, NULL, &t);
        }
        s->excess_count = score_excess(&s->m, &g->found.reference[i], s->excess);
        run_outcome_free(&t);
        if (bad || (!g->found.wrong && try_elsewhere(g, s, i, e))) return -1;
        if (!g->found.wrong && time_step(g, i, e)) return -1;
        if (!g->found.wrong && quick && g->session->explains)
            g->session->explains->budget(
                g->session, g->lab, &g->student, i, small, &s->m, &g->result->cause);
    }
    return 0;
}

/* The number that the learner predicted: the first guess, if the session has one; else the value
 * in the file. */
static int said_first(const struct grading *g, const struct prediction *p)
{
    for (int i = 0; i < g->session->first_count; i++)
        if (g->session->first[i].prediction == p) return g->session->first[i].said;
    return run_prediction(g->student.module, p->name);
}

static void read_predictions(struct grading *g)
{
    struct result *r = g->result;
    for (const struct prediction *p = g->exercise->predictions;
         p && p->name && r->prediction_count < PREDICTIONS_MAX; p++)
        r->predictions[r->prediction_count++] =
            (struct prediction_result){p, said_first(g, p), NAN, -1};
}

static int solution_says(struct grading *g, const struct prediction *p)
{
    struct module *m = g->reference.exercise ? g->reference.module
                                             : reference_module(g->session, g->lab, g->exercise);
    return m ? run_prediction(m, p->name) : -1;
}

/* The learner's own count of a step; NAN if only a sample of the blocks was counted. */
static double own_count(const struct step_result *s, enum metric m)
{
    return s->early_seconds ? NAN : s->m.metrics.v[m];
}

/* Set what was counted for each prediction. The counts are the reference's, since the learner's own
 * kernel could have counts that are easy to predict; without a reference they are the learner's.
 * suspect_examine has answered the predictions about a suspect: an answer stays in the result only
 * if the learner predicted it. Counts can depend on the GPU, so the solution's number is right as
 * well (key). */
static void count_predictions(struct grading *g)
{
    struct result *r = g->result;
    for (int i = 0; i < r->prediction_count; i++) {
        const struct prediction *p = r->predictions[i].prediction;
        int suspect = g->exercise->steps[p->step].suspect;
        if (p->step >= r->step_count) continue;
        if (!suspect)
            r->predictions[i].counted = r->alone ? own_count(&r->steps[p->step], p->metric)
                                                 : g->found.reference[p->step].v[p->metric];
        if (p->what == PREDICTED_BLOCKS)
            r->predictions[i].counted =
                r->alone ? r->steps[p->step].m.occupancy.blocks : g->found.blocks[p->step];
        if (!r->alone && r->predictions[i].said != -1 && p->what <= PREDICTED_BLOCKS &&
            !score_prediction(&r->predictions[i]))
            r->predictions[i].key = solution_says(g, p);
        if (suspect && !score_prediction(&r->predictions[i])) r->predictions[i].counted = NAN;
    }
    if (!predicted_right(r)) buf_free(&r->answer);
}

/* ---- one exercise ---- */

/* Must the reference be built, too? Only if times are measured: the reference is then timed in turn
 * with the student's kernel. */
static int needs_reference(const struct grading *g)
{
    return !g->result->alone &&
           (g->exercise->kind == EXERCISE_HOST || !workbench_simulated(&g->session->workbench));
}

static int open_reference(struct grading *g, struct err *e)
{
    const struct compiled *c = &g->reference.compiled;
    if (!g->reference.exercise) return 0;
    int bad = build_bind(&g->reference, e);
    if (!bad && c->status == COMPILE_OK) return 0;
    char *why = xstrdup(bad ? e->text : c->output.len ? c->output.data : c->err.text);
    err_set(e, ERR_ENV, "the reference of %s cannot be built: %s", g->exercise->name, why);
    free(why);
    return -1;
}

/* Check, measure, and decide on points. A wrong step drops all measurements. */
static int grade_built(struct grading *g, struct err *e)
{
    struct result *r = g->result;
    if (g->exercise->kind == EXERCISE_CUDA) read_predictions(g);
    int bad = check(g, e);
    if (!bad && !g->found.wrong) bad = open_reference(g, e) || measure(g, e);
    if (g->found.wrong) result_drop_steps(r);
    count_predictions(g);
    g->found.final = g->session->final;
    g->found.speed = g->session->speed;
    if (!bad) verdict(r, &g->found);
    return bad ? -1 : 0;
}

/* Compile and bind the student's file. Compilers run first, since a process that has opened a GPU
 * must not start other processes. A crash after the call of isolate_note counts as the learner's
 * fault. */
static int build(struct grading *g, struct err *e)
{
    struct workbench *w = &g->session->workbench;
    build_compile(&g->student, w, w->directory, g->lab, g->exercise);
    if (g->student.compiled.status == COMPILE_OK && needs_reference(g)) {
        char *solutions = kit_path(&w->kit, "solutions");
        build_compile(&g->reference, w, solutions, g->lab, g->exercise);
        free(solutions);
    }
    if (g->student.compiled.status == COMPILE_OK && g->exercise->kind == EXERCISE_CUDA &&
        workbench_device(w, e))
        return -1;
    isolate_note("%s", g->student.compiled.file);
    return build_bind(&g->student, e);
}

/* Set the result for a file that does not compile: what the kit finds wrong, then the compiler's
 * output. */
static void refuse(const struct session *s, struct result *r, const struct build *b)
{
    const struct compiled *c = &b->compiled;
    struct buf why = {0};
    if (s->explains) s->explains->refused(b, &why);
    messages_once(&why, c->output.data);
    grade_no_points(r, STATUS_ERROR, why.data);
    r->found.line = messages_line(c->output.data, c->file);
    buf_free(&why);
}

int grade_exercise(struct session *s, const struct lab *lab, const struct exercise *x,
    struct result *r, struct err *e)
{
    struct grading g = {.session = s, .lab = lab, .exercise = x, .result = r};
    const struct compiled *c = &g.student.compiled;
    grade_begin(r, s, lab, x);
    int bad = build(&g, e);
    r->file = xstrdup(c->file);
    r->source = c->source ? xstrdup(c->source) : NULL;
    if (c->status == COMPILE_OK) messages_once(&r->warnings, c->output.len ? c->output.data : "");
    if (c->status == COMPILE_BROKEN)
        bad = -1, *e = c->err;
    else if (c->status == COMPILE_MISSING)
        grade_no_points(r, STATUS_NOT_ATTEMPTED, c->output.data), bad = 0;
    else if (c->status == COMPILE_BAD)
        refuse(s, r, &g.student), bad = 0;
    else if (bad && e->kind == ERR_LEARNER)
        grade_no_points(r, STATUS_ERROR, e->text), bad = 0;
    else if (!bad)
        bad = grade_built(&g, e);
    build_close(&g.reference);
    build_close(&g.student);
    return bad;
}
