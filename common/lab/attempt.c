/* attempt.c - a built exercise, ready to run. */
#include "lab/attempt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double HOST_SECONDS = 30; /* for one call of a learner's C */

int exercise_steps(const struct exercise *x)
{
    int n = 0;
    while (x->steps[n].kernel)
        n++;
    if (n > STEPS_MAX)
        BUG("exercise %s has more than %d steps", x->name, STEPS_MAX);
    return n;
}

char *attempt_file(const char *directory, const struct lab *lab, const struct exercise *x)
{
    return xasprintf("%s/%s/%s.%s", directory, lab->name, x->name, x->kind == EXERCISE_HOST ? "c" : "cu");
}

void attempt_build(struct attempt *a, struct session *s, const char *directory, const struct lab *lab, const struct exercise *x)
{
    char *file = attempt_file(directory, lab, x);
    *a = (struct attempt){.session = s, .exercise = x};
    if (x->kind == EXERCISE_CUDA)
        compile_kernel(&s->kit, &s->front, file, &a->compiled);
    else
        host_build(&s->kit, x, file, &a->compiled, &a->program);
    free(file);
}

int attempt_bind(struct attempt *a, struct err *e)
{
    struct session *s = a->session;
    if (a->compiled.status != COMPILE_OK)
        return 0;
    if (a->exercise->kind == EXERCISE_HOST)
        return host_start(&a->program, &a->process, e);
    if (session_device(s, e) || device_load(s->device, a->compiled.ptx, a->compiled.file, a->compiled.file, &a->module, e))
        return -1;
    for (int i = 0; i < exercise_steps(a->exercise); i++)
        if (run_bind(&a->bound[i], s->device, a->module, &a->exercise->steps[i], a->compiled.file, e))
            return -1;
    return 0;
}

int attempt_open(struct attempt *a, struct session *s, const char *directory, const struct lab *lab, const struct exercise *x,
                 struct err *e)
{
    attempt_build(a, s, directory, lab, x);
    return attempt_bind(a, e);
}

void attempt_close(struct attempt *a)
{
    if (a->module)
        device_unload(a->session->device, a->module);
    host_stop(a->process);
    host_program_free(&a->program);
    compiled_free(&a->compiled);
    *a = (struct attempt){0};
}

static int run_host(struct attempt *a, int step, struct instance *in, struct measurement *m, struct err *e)
{
    double seconds = 0;
    int bad = host_run(a->process, step, in, HOST_SECONDS, &seconds, e);
    if (m) {
        *m = (struct measurement){.time_is = TIME_MEASURED, .ms = seconds * 1e3};
        model_metrics_clear(&m->metrics);
    }
    return bad;
}

static int count(struct attempt *a, int step, struct instance *in, struct measurement *m, struct err *e)
{
    struct device *d;
    struct module *module = NULL;
    struct bound b;
    const char *file = a->compiled.file;
    if (device_open(a->session->counter, &d, e))
        return -1;
    int bad = device_load(d, a->compiled.ptx, file, file, &module, e) ||
              run_bind(&b, d, module, &a->exercise->steps[step], file, e) || run_kernel(&b, in, m, e);
    for (size_t i = 0; !bad && i < m->line_count; i++)
        m->lines[i].file = file; /* the module's own copy goes now */
    if (module)
        device_unload(d, module);
    device_close(d);
    return bad ? -1 : 0;
}

int attempt_check(struct attempt *a, int step, struct instance *in, struct err *e)
{
    struct measurement m = {0};
    if (a->exercise->kind == EXERCISE_HOST || session_simulated(a->session))
        return 0;
    int bad = count(a, step, in, &m, e);
    measurement_free(&m);
    return bad;
}

int attempt_run(struct attempt *a, int step, struct instance *in, enum run how, struct measurement *m, struct err *e)
{
    struct measurement timed = {0};
    if (a->exercise->kind == EXERCISE_HOST)
        return run_host(a, step, in, how == RUN_PLAIN ? NULL : m, e);
    if (how != RUN_COUNTED)
        return run_kernel(&a->bound[step], in, how == RUN_PLAIN ? NULL : m, e);
    if (count(a, step, in, m, e))
        return -1;
    if (session_simulated(a->session))
        return 0;
    if (run_kernel(&a->bound[step], in, &timed, e))
        return -1;
    m->time_is = timed.time_is;
    m->ms = timed.ms;
    m->launch_ms = timed.launch_ms;
    m->host_ms = timed.host_ms;
    m->in_ms = timed.in_ms;
    m->out_ms = timed.out_ms;
    m->bottleneck = timed.bottleneck;
    measurement_free(&timed);
    return 0;
}
