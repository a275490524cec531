/* reference.c - measure the reference alone: its time and counters, for comparisons, and for the
 * sequence of techniques (the references of all labs on one problem).
 *
 * On a simulated device a measurement depends only on what measure_key lists, so it is cached. On a
 * GPU the measurement is made anew each time, in a process of its own. */
#include "judge/grade.h"
#include "os/os.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The seed of the inputs of all measurements of references. The seed is fixed, so that cached
 * measurements are comparable. */
static const uint64_t FIXED_SEED = 1;

/* The key of a cached measurement: the program's executable, the device, the step, the size and
 * the PTX. */
static void measure_key(
    const struct build *b, const struct step *step, const int *dims, struct buf *key)
{
    struct stat st = {0};
    char program[PATH_MAX];
    /* another build of the kit may count differently, so the key has the executable's size and
     * time */
    if (!os_program(program)) stat(program, &st);
    buf_printf(key, "measurement %lld %lld.%ld %s %s %s %d", (long long)st.st_size,
        (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, b->workbench->name, step->kernel,
        step->problem, step->x_owns_rows);
    for (int i = 0; i < DIMS; i++) buf_printf(key, " %d", dims[i]);
    buf_printf(key, "\n%s", b->compiled.ptx);
}

/* On a simulated device, one run gives the counters and the modelled time. Otherwise, the time is
 * the median of several runs after a warm-up. The caller frees m. */
static int measure(struct build *b, int step, const int *dims, struct measurement *m, struct err *e)
{
    enum { RUNS = 5 };
    double ms[RUNS];
    struct instance in;
    instance_make(&in, problem_find(b->exercise->steps[step].problem), dims, FIXED_SEED);
    int simulated = b->exercise->kind == EXERCISE_CUDA && workbench_simulated(b->workbench);
    int bad = simulated ? build_run(b, step, &in, RUN_COUNTED, m, e) : 0;
    for (int i = -1; i < RUNS && !simulated && !bad; i++) {
        bad = build_run(b, step, &in, RUN_TIMED, m, e);
        ms[i < 0 ? 0 : i] = m->ms;
    }
    if (!simulated && !bad) m->ms = timing_median(ms, RUNS);
    instance_free(&in);
    return bad;
}

/* The exercise's reference, compiled but not bound. The session owns it and keeps only the last
 * one, since the steps of an exercise are measured one after the other. */
static struct build *reference_of(
    struct session *s, const struct lab *lab, const struct exercise *x)
{
    struct build *b = &s->reference;
    if (b->exercise == x) return b;
    if (b->exercise) build_close(b);
    char *solutions = kit_path(&s->workbench.kit, "solutions");
    build_compile(b, &s->workbench, solutions, lab, x);
    free(solutions);
    return b;
}

/* Has build_bind succeeded? After that a build has a module or, for host C, a process. */
static int is_bound(const struct build *b) { return b->module || b->process; }

struct module *reference_module(struct session *s, const struct lab *lab, const struct exercise *x)
{
    struct err e;
    struct build *b = reference_of(s, lab, x);
    if (b->compiled.status == COMPILE_OK && !is_bound(b)) build_bind(b, &e);
    return b->module;
}

/* Set *e to say that the reference fails, which is the kit's fault and not the learner's.
 * Returns -1 with ERR_ENV. */
static int broken(const struct compiled *c, struct err *e)
{
    char *why = xstrdup(c->status == COMPILE_OK ? e->text
                        : c->output.len         ? c->output.data
                                                : c->err.text);
    err_set(e, ERR_ENV, "the reference %s fails: %s", c->file, why);
    free(why);
    return -1;
}

struct build *reference_build(
    struct session *s, const struct lab *lab, const struct exercise *x, struct err *e)
{
    struct build *b = reference_of(s, lab, x);
    int bad = b->compiled.status != COMPILE_OK || (!is_bound(b) && build_bind(b, e));
    if (bad) broken(&b->compiled, e);
    return bad ? NULL : b;
}

/* Take the measurement from the cache, or measure in this process and cache it. */
static int measure_here(struct session *s, const struct lab *lab, const struct exercise *x,
    int step, const int *dims, struct measurement *m, struct err *e)
{
    struct build *b = reference_of(s, lab, x);
    struct buf key = {0}, value = {0};
    int kept = x->kind == EXERCISE_CUDA && workbench_simulated(&s->workbench),
        bad = b->compiled.status != COMPILE_OK;
    if (!bad && kept) measure_key(b, &x->steps[step], dims, &key);
    if (!bad && !(kept && !cache_get(&s->workbench.kit, &key, &value) &&
                    !wire_get_measurement(&value, m, NULL))) {
        bad = (!is_bound(b) && build_bind(b, e)) || measure(b, step, dims, m, e);
        buf_free(&value);
        if (!bad && kept) {
            wire_put_measurement(&value, m);
            cache_put(&s->workbench.kit, &key, &value);
        }
    }
    buf_free(&key);
    buf_free(&value);
    return bad ? broken(&b->compiled, e) : 0;
}

/* ---- in a child process, if the device needs one ---- */

/* The arguments of reference_measure, for the child process. */
struct job {
    struct session *session;
    const struct lab *lab;
    const struct exercise *exercise;
    int step;
    const int *dims;
};

/* Called in the child process: measure, and write the measurement to `reply` as bytes. */
static int measure_there(void *context, struct buf *reply, struct err *e)
{
    struct job *j = context;
    struct measurement m = {0};
    int bad = measure_here(j->session, j->lab, j->exercise, j->step, j->dims, &m, e);
    if (!bad) wire_put_measurement(reply, &m);
    return bad;
}

int reference_measure(struct session *s, const struct lab *lab, const struct exercise *x, int step,
    const int *dims, struct measurement *m, struct err *e)
{
    static const double SILENCE = 120;
    struct job j = {s, lab, x, step, dims};
    struct buf reply = {0};
    if (x->kind != EXERCISE_CUDA || !device_needs_process(s->workbench.name))
        return measure_here(s, lab, x, step, dims, m, e);
    int bad =
        isolate_run(measure_there, &j, SILENCE, &reply, e) || wire_get_measurement(&reply, m, e);
    buf_free(&reply);
    return bad ? -1 : 0;
}
