/* reference.c - the reference's time and counters, on their own: for comparisons, and for the ladder. */
#include "lab/attempt.h"
#include "lab/isolate.h"
#include "lab/wire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Inputs of a measurement that is kept come from this seed: what is modelled once is the same again. */
static const uint64_t FIXED_SEED = 1;

/* ---- keeping: what a simulated device finds depends on these alone ---- */

static void measure_key(struct session *s, const struct compiled *c, const struct step *step, const int *dims, struct buf *key)
{
    struct stat st = {0};
    stat("/proc/self/exe", &st); /* another build may count otherwise */
    buf_printf(key, "measurement %lld %lld.%ld %s %s %s %d", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
               st.st_mtim.tv_nsec, s->name, step->kernel, step->problem, step->x_owns_rows);
    for (int i = 0; i < DIMS; i++)
        buf_printf(key, " %d", dims[i]);
    buf_printf(key, "\n%s", c->ptx);
}

static void measure_keep(const struct measurement *m, struct buf *out)
{
    buf_printf(out, "%.17g %d %d %.17g\n", m->ms, m->occupancy.blocks, m->occupancy.warps, m->occupancy.share);
    for (int i = 0; i < METRIC_COUNT; i++)
        buf_printf(out, "%.17g\n", m->metrics.v[i]);
    buf_printf(out, "%s\n", m->bottleneck ? m->bottleneck : "-");
}

static int measure_recall(const char *text, struct measurement *m)
{
    int n = 0;
    *m = (struct measurement){.time_is = TIME_MODELLED};
    if (sscanf(text, "%lg %d %d %lg%n", &m->ms, &m->occupancy.blocks, &m->occupancy.warps, &m->occupancy.share, &n) != 4)
        return -1;
    for (int i = 0, more; i < METRIC_COUNT; i++) {
        text += n;
        if (sscanf(text, "%lg%n", &m->metrics.v[i], &more) != 1)
            return -1;
        n = more;
    }
    text += n + 1;
    for (int i = 0; model_time_parts[i]; i++)
        if (!strncmp(text, model_time_parts[i], strlen(model_time_parts[i])) && text[strlen(model_time_parts[i])] == '\n')
            m->bottleneck = model_time_parts[i];
    return 0;
}

/* ---- measuring ---- */

/* Counted and modelled at once; or, where time is measured, timed alone: the middle of some runs after one to warm up. */
static int measure(struct attempt *a, int step, const int *dims, struct measurement *m, struct err *e)
{
    enum { RUNS = 5 };
    double ms[RUNS];
    struct instance in;
    instance_make(&in, problem_find(a->exercise->steps[step].problem), dims, FIXED_SEED);
    int simulated = a->exercise->kind == EXERCISE_CUDA && session_simulated(a->session);
    int bad = simulated ? attempt_run(a, step, &in, RUN_COUNTED, m, e) : 0;
    for (int i = -1; i < RUNS && !simulated && !bad; i++) {
        bad = attempt_run(a, step, &in, RUN_TIMED, m, e);
        ms[i < 0 ? 0 : i] = m->ms;
    }
    if (!simulated && !bad)
        m->ms = timing_median(ms, RUNS);
    instance_free(&in);
    return bad;
}

/* The reference must not fail: when it does, the kit is broken, not the learner. */
static int broken(const struct compiled *c, struct err *e)
{
    char *why = xstrdup(c->status == COMPILE_OK ? e->text : c->output.len ? c->output.data : c->err.text);
    err_set(e, ERR_ENV, "the reference %s fails: %s", c->file, why);
    free(why);
    return -1;
}

static int measure_afresh(struct session *s, const struct lab *lab, const struct exercise *x, int step, const int *dims,
                          struct measurement *m, struct err *e)
{
    char *solutions = kit_path(&s->kit, "solutions");
    struct attempt a;
    int bad = attempt_open(&a, s, solutions, lab, x, e);
    if (bad || a.compiled.status != COMPILE_OK || measure(&a, step, dims, m, e))
        bad = broken(&a.compiled, e);
    else if (m->lines || m->accesses) { /* they name files of a module that is about to go */
        struct measurement whole = *m;
        m->lines = NULL;
        m->line_count = 0;
        m->accesses = NULL;
        m->access_count = 0;
        measurement_free(&whole);
    }
    attempt_close(&a);
    free(solutions);
    return bad;
}

/* ---- in a process of its own, where the device needs one ---- */

struct job {
    struct session *session;
    const struct lab *lab;
    const struct exercise *exercise;
    int step;
    const int *dims;
};

static int measure_there(void *context, struct buf *reply, struct err *e)
{
    struct job *j = context;
    struct measurement m = {0};
    int bad = measure_afresh(j->session, j->lab, j->exercise, j->step, j->dims, &m, e);
    if (!bad)
        wire_put_measurement(reply, &m);
    return bad;
}

static int measure_apart(struct session *s, const struct lab *lab, const struct exercise *x, int step, const int *dims,
                         struct measurement *m, struct err *e)
{
    static const double SILENCE = 120;
    struct job j = {s, lab, x, step, dims};
    struct buf reply = {0};
    int bad = isolate_run(measure_there, &j, SILENCE, &reply, e) || wire_get_measurement(&reply, m, e);
    buf_free(&reply);
    return bad ? -1 : 0;
}

int reference_measure(struct session *s, const struct lab *lab, const struct exercise *x, int step, const int *dims,
                      struct measurement *m, struct err *e)
{
    struct buf key = {0}, value = {0};
    struct compiled c = {0};
    int bad;
    if (x->kind == EXERCISE_CUDA && device_needs_process(s->name))
        return measure_apart(s, lab, x, step, dims, m, e);
    if (x->kind == EXERCISE_HOST || !session_simulated(s))
        return measure_afresh(s, lab, x, step, dims, m, e);
    char *solutions = kit_path(&s->kit, "solutions"), *file = attempt_file(solutions, lab, x);
    compile_kernel(&s->kit, &s->front, file, &c);
    if (c.status != COMPILE_OK) {
        bad = broken(&c, e);
    } else {
        measure_key(s, &c, &x->steps[step], dims, &key);
        if ((bad = cache_get(&s->kit, &key, &value) || measure_recall(value.data, m))) {
            bad = measure_afresh(s, lab, x, step, dims, m, e);
            buf_free(&value);
            if (!bad) {
                measure_keep(m, &value);
                cache_put(&s->kit, &key, &value);
            }
        }
    }
    compiled_free(&c);
    buf_free(&key);
    buf_free(&value);
    free(file);
    free(solutions);
    return bad;
}
