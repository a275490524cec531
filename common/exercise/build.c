/* build.c - from a file to a launch: compile, load and bind, run.
 *
 *     build_compile ──> build_bind ──> build_run
 *     file to PTX       PTX to steps   a step on an instance
 *
 * On a GPU a build has two modules: one on the GPU, which is timed, and one on a simulated
 * device, which counts and checks accesses. The second is loaded when it is first needed. */
#include "exercise/compile.h"
#include "exercise/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limit of processor seconds for one call of a learner's C function. */
static const double HOST_SECONDS = 30;
enum { PTX_MAX = 16 << 20 };

/* A lab's table that gives an exercise more than STEPS_MAX steps has a bug. */
int exercise_steps(const struct exercise *x)
{
    int n = 0;
    while (x->steps[n].kernel) n++;
    if (n > STEPS_MAX) BUG("exercise %s has more than %d steps", x->name, STEPS_MAX);
    return n;
}

const struct step *exercise_suspect(const struct exercise *x)
{
    for (const struct step *s = x->steps; s->kernel; s++)
        if (s->suspect) return s;
    return NULL;
}

/* ---- compile ---- */

/* Instead of compiling, read PTX that was compiled elsewhere. The source is read, too, for messages
 * that quote it. */
static void take_ptx(const struct workbench *w, const char *file, const struct lab *lab,
    const struct exercise *x, struct compiled *c)
{
    char *ptx = xasprintf("%s/%s/%s.ptx", w->ptx, lab->name, x->name);
    *c = (struct compiled){.file = xstrdup(file)};
    if (file_read(ptx, PTX_MAX, &c->ptx, NULL, &c->err)) c->status = COMPILE_BROKEN;
    if (file_read(file, PTX_MAX, &c->source, NULL, NULL)) c->source = NULL;
    free(ptx);
}

/* Compilers are started only by this function. */
void build_compile(struct build *b, struct workbench *w, const char *directory,
    const struct lab *lab, const struct exercise *x)
{
    char *file = workbench_file(directory, lab, x);
    *b = (struct build){.workbench = w, .exercise = x};
    if (x->kind == EXERCISE_HOST)
        b->program = host_build(&w->kit, x, file, &b->compiled);
    else if (w->ptx)
        take_ptx(w, file, lab, x, &b->compiled);
    else
        compile_kernel(&w->kit, &w->front, file, &b->compiled);
    free(file);
}

/* 0 if the file was compiled; else -1 with the reason: for an unsupported feature a message of its
 * own, for anything else the compiler's output, unchanged. */
static int compiled_well(const struct compiled *c, struct err *e)
{
    if (c->status == COMPILE_OK) return 0;
    if (c->status == COMPILE_BROKEN)
        *e = c->err;
    else if (c->status != COMPILE_BAD || !unsupported(c, e))
        err_set(e, ERR_LEARNER, "%s", c->output.len ? c->output.data : "it does not compile");
    return -1;
}

/* If the text has fewer lines, the result is "". The caller frees it. */
char *source_line(const char *text, int line)
{
    while (text && --line > 0)
        if ((text = strchr(text, '\n'))) text++;
    if (!text) return xstrdup("");
    text += strspn(text, " \t");
    return xstrndup(text, strcspn(text, "\r\n"));
}

/* ---- load and bind ---- */

/* Load the PTX on a device and bind all steps. *module is set as soon as the module is loaded, so
 * that build_close frees it even if binding fails. */
static int bind(struct build *b, struct device *d, struct module **module,
    struct bound_kernel bound[STEPS_MAX], struct err *e)
{
    const char *file = b->compiled.file;
    if (device_load(d, b->compiled.ptx, file, file, module, e)) return -1;
    if (b->compiled.source) module_source(*module, b->compiled.source);
    for (int i = 0; b->exercise && i < exercise_steps(b->exercise); i++)
        if (run_bind(&bound[i], d, *module, &b->exercise->steps[i], file, e)) return -1;
    return 0;
}

/* Does nothing if the file did not compile. A build on a simulated device opens a device of its
 * own, unless b->device is set already. */
int build_bind(struct build *b, struct err *e)
{
    if (b->compiled.status != COMPILE_OK) return 0;
    if (b->exercise && b->exercise->kind == EXERCISE_HOST)
        return host_start(b->program, &b->process, e);
    struct workbench *w = b->workbench;
    if (workbench_device(w, e) ||
        (!b->device && workbench_simulated(w) && device_open(w->name, &b->device, e)))
        return -1;
    if (!b->device) b->device = w->device;
    if (w->threads) device_settings(b->device)->threads = w->threads;
    return bind(b, b->device, &b->module, b->bound, e);
}

int build_restart(struct build *b, struct err *e)
{
    host_stop(b->process);
    b->process = NULL;
    return host_start(b->program, &b->process, e);
}

int build_open(struct build *b, struct workbench *w, const struct lab *lab,
    const struct exercise *x, struct err *e)
{
    build_compile(b, w, w->directory, lab, x);
    return compiled_well(&b->compiled, e) || build_bind(b, e) ? -1 : 0;
}

int build_open_as(
    struct build *b, struct workbench *w, const char *file, const struct exercise *x, struct err *e)
{
    *b = (struct build){.workbench = w, .exercise = x};
    compile_kernel(&w->kit, &w->front, file, &b->compiled);
    return compiled_well(&b->compiled, e) || build_bind(b, e) ? -1 : 0;
}

int build_open_file(struct build *b, struct workbench *w, const char *file, struct err *e)
{
    *b = (struct build){.workbench = w};
    compile_any(&w->kit, &w->front, file, &b->compiled);
    return compiled_well(&b->compiled, e) || build_bind(b, e) ? -1 : 0;
}

/* Frees modules before their devices. The device in struct workbench stays open. */
void build_close(struct build *b)
{
    if (b->module) device_unload(b->device, b->module);
    if (b->device && b->device != b->workbench->device) device_close(b->device);
    if (b->counted) device_unload(b->counter, b->counted);
    if (b->counter) device_close(b->counter);
    host_stop(b->process);
    host_program_free(b->program);
    compiled_free(&b->compiled);
    *b = (struct build){0};
}

/* ---- run ---- */

/* Call the learner's C function. m receives its time and, for RUN_COUNTED of a step with budgets,
 * the lines that it brings into a cache; m may be NULL for RUN_PLAIN. */
static int run_host(struct build *b, int step, struct instance *in, enum run_kind how,
    struct measurement *m, struct err *e)
{
    double seconds = 0, limit = b->workbench->seconds;
    if (!(limit > 0 && limit < HOST_SECONDS)) limit = HOST_SECONDS;
    double lines = NAN;
    int counts = how == RUN_COUNTED && b->exercise->steps[step].budgets;
    int bad = (counts && host_count(b->program, step, in, limit, &lines, e)) ||
              host_run(b->process, step, in, limit, &seconds, e);
    if (how == RUN_PLAIN) return bad;
    *m = (struct measurement){.time_is = TIME_MEASURED, .ms = seconds * 1e3};
    model_metrics_clear(&m->metrics);
    m->metrics.v[METRIC_HOST_LINES] = lines;
    return bad;
}

/* The step's kernel on the build's own device if that is simulated, else on the simulated device
 * that counts for a GPU. Device variables are reset to their initial values, so the counters do not
 * depend on earlier runs. NULL: *e says why. */
static struct bound_kernel *counter_of(struct build *b, int step, struct err *e)
{
    int own = workbench_simulated(b->workbench);
    if (!own && !b->counter &&
        (device_open(b->workbench->counter, &b->counter, e) ||
            bind(b, b->counter, &b->counted, b->counted_bound, e)))
        return NULL;
    if (module_fresh(own ? b->module : b->counted, e)) return NULL;
    return own ? &b->bound[step] : &b->counted_bound[step];
}

int build_count(
    struct build *b, int step, struct instance *in, struct measurement *m, struct err *e)
{
    struct bound_kernel *k = counter_of(b, step, e);
    return k ? run_kernel(k, in, m, e) : -1;
}

/* Few blocks suffice to see whether most outputs change. */
enum { WITHOUT_BLOCKS = 8 };

int build_without(struct build *b, int step, struct instance *in, enum without what,
    struct exchange *exchange, unsigned sm, uint64_t budget, struct err *e)
{
    struct bound_kernel *k = counter_of(b, step, e), part;
    if (!k) return -1;
    part = *k;
    part.sample_sms = 1;
    part.first_sm = sm;
    part.most_blocks = WITHOUT_BLOCKS;
    part.budget = budget;
    part.without = what;
    part.exchange = exchange;
    return run_kernel(&part, in, NULL, e);
}

int build_check(struct build *b, int step, struct instance *in, struct err *e)
{
    struct measurement m = {0};
    if (b->exercise->kind == EXERCISE_HOST || workbench_simulated(b->workbench)) return 0;
    int bad = build_count(b, step, in, &m, e);
    measurement_free(&m);
    return bad;
}

/* For RUN_COUNTED on a GPU, counters come from the simulated device, and times from the GPU. The
 * GPU runs second, so `in` receives its output. */
int build_run(struct build *b, int step, struct instance *in, enum run_kind how,
    struct measurement *m, struct err *e)
{
    struct measurement timed = {0};
    if (b->exercise->kind == EXERCISE_HOST) return run_host(b, step, in, how, m, e);
    if (how != RUN_COUNTED) return run_kernel(&b->bound[step], in, how == RUN_PLAIN ? NULL : m, e);
    if (build_count(b, step, in, m, e)) return -1;
    if (workbench_simulated(b->workbench)) return 0;
    if (run_kernel(&b->bound[step], in, &timed, e)) return -1;
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
