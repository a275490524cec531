/* labs.c - grade the exercises of a submission one after the other, each in a process of its own.
 *
 *     compile all, on all cores --> each exercise: fork -- grade_exercise -- bytes --> clean --> done
 *
 * The child has limits on memory and time, and if the simulator crashes, one exercise fails, not
 * the grading. A learner's own `lockstep lab` needs none of that and shows more than the bytes
 * contain: it grades in its own process. */
#include "judge/grade.h"
#include "os/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one exercise in a process of its own ---- */

struct job {
    struct session *session;
    const struct lab *lab;
    const struct exercise *exercise;
};

static int grade_there(void *context, struct buf *reply, struct err *e)
{
    static const size_t MEMORY = (size_t)2 << 30;
    struct job *j = context;
    struct result r;
    if (!device_needs_process(j->session->workbench.name))
        isolate_limit(j->session->seconds, MEMORY);
    j->session->workbench.seconds = j->session->seconds;
    int bad = grade_exercise(j->session, j->lab, j->exercise, &r, e);
    if (!bad) wire_put_result(reply, &r);
    /* the process ends now, so nothing is freed: if the device is lost, freeing would fail */
    return bad;
}

/* Make text from a learner or a compiler safe to show. This is the only place where that is
 * done. */
static void clean(struct result *r)
{
    char **const texts[] = {&r->file, &r->source};
    for (int i = 0; i < 2; i++)
        if (*texts[i]) {
            struct buf b = {.data = *texts[i], .len = strlen(*texts[i])};
            text_clean(&b);
        }
    text_clean(&r->warnings);
    text_clean(&r->message);
}

/* Grade an exercise in a child process. If the child dies or does not answer, the exercise has
 * failed. */
static int grade_apart(struct session *s, const struct lab *lab, const struct exercise *x,
    struct result *r, struct err *e)
{
    /* limit for an answer of the child process, in seconds; the slowest kernel of the labs needs
     * much less */
    static const double SILENCE = 120;
    struct job j = {s, lab, x};
    struct buf reply = {0};
    grade_begin(r, s, lab, x);
    int bad = isolate_run(grade_there, &j, SILENCE, &reply, e);
    if (!bad) {
        bad = wire_get_result(&reply, r, e);
    } else if (e->kind == ERR_LEARNER) {
        r->file = workbench_file(s->workbench.directory, lab, x);
        grade_no_points(r, STATUS_FAILED, e->text);
        r->found = e->found;
        if (!r->found.kind) r->found.kind = FOUND_FAULT;
        bad = 0;
    }
    buf_free(&reply);
    clean(r);
    return bad;
}

static int measure_earlier(
    struct session *s, const struct step *step, struct earlier *x, struct err *e)
{
    struct measurement m = {0};
    if (reference_measure(s, x->rung.lab, x->rung.exercise, x->rung.step, step->dims, &m, e))
        return -1;
    x->ms = m.ms;
    measurement_free(&m);
    return 0;
}

/* Measure, for each step, the references of earlier techniques at the step's size. */
static int measure_rungs(struct session *s, struct result *r, struct err *e)
{
    for (int i = 0; i < r->step_count; i++) {
        struct step_result *step = &r->steps[i];
        if (!step->step->rung || ladder_before(r->lab, r->exercise, i, &step->before.rung) ||
            !kit_has_solution(&s->workbench.kit, step->before.rung.lab, step->before.rung.exercise))
            continue;
        if (measure_earlier(s, step->step, &step->before, e)) return -1;
        if (r->status != STATUS_PASSED) continue;
        ladder_first(step->problem, r->exercise->kind, &step->first.rung);
        if (step->first.rung.exercise != step->before.rung.exercise &&
            measure_earlier(s, step->step, &step->first, e))
            return -1;
    }
    return 0;
}

/* ---- the exercises of a run ---- */

static int selected(const struct lab *lab, const struct exercise *exercise, const struct lab *l,
    const struct exercise *x)
{
    return (!lab || lab == l) && (!exercise || exercise == x);
}

/* Compile all files in parallel. The results go to the cache, from which the grading of each
 * exercise takes the PTX. */
static void compile_ahead(struct session *s, const struct lab *lab, const struct exercise *exercise)
{
    const struct workbench *w = &s->workbench;
    char **files = NULL, *solutions = kit_path(&w->kit, "solutions");
    size_t count = 0, cap = 0;
    if (w->kit.cache)
        for (const struct lab *const *l = lab_table; *l; l++)
            for (const struct exercise *x = (*l)->exercises; x->name; x++)
                if (x->kind == EXERCISE_CUDA && selected(lab, exercise, *l, x)) {
                    *VEC_PUSH(files, count, cap) = workbench_file(w->directory, *l, x);
                    if (kit_has_solution(&w->kit, *l, x))
                        *VEC_PUSH(files, count, cap) = workbench_file(solutions, *l, x);
                }
    struct compiled *out = xcalloc(count, sizeof *out);
    compile_kernels(&w->kit, &w->front, files, out, (int)count);
    for (size_t i = 0; i < count; i++) {
        compiled_free(&out[i]);
        free(files[i]);
    }
    free(out);
    free(files);
    free(solutions);
}

/* Limit of processor seconds for a submission, including its compilers; a complete submission needs
 * some 20. */
static const double SUBMISSION_SECONDS = 400;

static int used_up(const struct session *s)
{
    return os_children_seconds() - s->processor_before > SUBMISSION_SECONDS;
}

static void grade_no_more(
    const struct session *s, const struct lab *lab, const struct exercise *x, struct result *r)
{
    char why[128];
    grade_begin(r, s, lab, x);
    snprintf(why, sizeof why,
        "not run: the submission has used up its %g seconds of processor time", SUBMISSION_SECONDS);
    grade_no_points(r, STATUS_FAILED, why);
}

/* Does the device, or the simulated one that counts for a GPU, lack a feature that the exercise's
 * kernels need? If so, the result says which. */
static int too_old(
    const struct session *s, const struct lab *lab, const struct exercise *x, struct result *r)
{
    const struct workbench *w = &s->workbench;
    const char *name = strchr(w->counter, ':');
    const struct model_profile *p = name ? model_profile_find(name + 1) : NULL;
    char why[256];
    if (!p || model_has(p, x->needs)) return 0;
    snprintf(why, sizeof why,
        "needs %s; GPUs have it %s, and %s has compute capability %d.%d; run it with DEVICE=sim:h200",
        model_features[x->needs].name, model_features[x->needs].where, p->title, p->cc_major,
        p->cc_minor);
    grade_begin(r, s, lab, x);
    r->max_score = 0;
    grade_no_points(r, STATUS_NOT_ATTEMPTED, why);
    r->file = workbench_file(w->directory, lab, x);
    return 1;
}

int grade_labs(struct session *s, const struct lab *lab, const struct exercise *exercise,
    graded *done, void *context, struct err *e)
{
    int bad = 0;
    compile_ahead(s, lab, exercise);
    for (const struct lab *const *l = lab_table; *l && !bad; l++)
        for (const struct exercise *x = (*l)->exercises; x->name && !bad; x++)
            if (selected(lab, exercise, *l, x)) {
                struct result r;
                int apart = s->apart ||
                            (x->kind == EXERCISE_CUDA && device_needs_process(s->workbench.name));
                if (used_up(s))
                    grade_no_more(s, *l, x, &r);
                else if (!too_old(s, *l, x, &r))
                    bad = (apart ? grade_apart : grade_exercise)(s, *l, x, &r, e);
                if (!bad && s->rungs) bad = measure_rungs(s, &r, e);
                if (!bad) done(context, &r);
                result_free(&r);
            }
    return bad ? -1 : 0;
}
