/* errors.c - how exact the products of a lab are: the errors of the kernels in its README, against
 * doubles.
 *
 *     <!-- ladder errors -->
 *     | k | the rung before the lab | the lab's first rung | ... |
 *     | 64 | |C - C64| / |C64| |
 *
 * The kernels run on the simulator, which rounds as the GPU does, bit for bit: a table of one
 * device.
 */
#include "hardware/errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 128, RUNGS = 8, SEED = 1 };
static const int depths[] = {64, 512, 4096};

/* The kernels (rungs) of C = A B in the table: the last one before the lab, then those of
 * the lab. */
struct chosen {
    const struct lab *lab;
    struct rung rungs[RUNGS];
    int count;
};

static int choose(void *context, const struct rung *r)
{
    struct chosen *c = context;
    int order = strcmp(r->lab->name, c->lab->name);
    if (order > 0) return 1;
    if (order < 0) c->count = 0;
    if (c->count < RUNGS) c->rungs[c->count++] = *r;
    return 0;
}

/* The norm of the error over the norm of the answer, both of all elements. */
static double error_norm(const struct instance *in)
{
    struct expected want;
    double off = 0, all = 0;
    const float *got = in->data[in->problem->output];
    expected_make(&want, in);
    for (size_t i = 0; i < want.count; i++) {
        off += (got[i] - want.value[i]) * (got[i] - want.value[i]);
        all += want.value[i] * want.value[i];
    }
    expected_free(&want);
    return sqrt(off / all);
}

int errors_norm(struct workbench *w, const char *file, const struct exercise *x, int step,
    const int *dims, double *norm, struct err *e)
{
    struct build b = {0};
    struct instance in;
    int bad = build_open_as(&b, w, file, x, e);
    if (!bad) {
        instance_make(&in, problem_find(x->steps[step].problem), dims, SEED);
        bad = build_run(&b, step, &in, RUN_PLAIN, NULL, e);
        *norm = bad ? NAN : error_norm(&in);
        instance_free(&in);
    }
    build_close(&b);
    return bad;
}

static int measure(struct workbench *w, const struct rung *r, double *norms, struct err *e)
{
    char *file = kit_path(&w->kit, "solutions/%s/%s.cu", r->lab->name, r->exercise->name);
    int bad = 0;
    for (size_t i = 0; !bad && i < sizeof depths / sizeof *depths; i++)
        bad = errors_norm(
            w, file, r->exercise, r->step, (const int[DIMS]){SIDE, depths[i], SIDE}, &norms[i], e);
    free(file);
    return bad;
}

int errors_table(struct workbench *w, const struct lab *lab, struct buf *out, struct err *e)
{
    enum { DEPTHS = sizeof depths / sizeof *depths };
    struct chosen c = {.lab = lab};
    double norms[RUNGS][DEPTHS];
    ladder_walk("matmul", EXERCISE_CUDA, choose, &c);
    for (int i = 0; i < c.count; i++)
        if (measure(w, &c.rungs[i], norms[i], e)) return -1;
    buf_printf(out,
        "The norm of the error, against doubles, over the norm of C, on %s, m = n = %d, kernels by %s.\n\n"
        "| k |",
        w->name, SIDE, w->front.name);
    for (int i = 0; i < c.count; i++)
        buf_printf(out, " %s |", c.rungs[i].exercise->steps[c.rungs[i].step].rung);
    buf_printf(out, "\n|---|");
    for (int i = 0; i < c.count; i++) buf_printf(out, "---|");
    for (int k = 0; k < DEPTHS; k++) {
        buf_printf(out, "\n| %d |", depths[k]);
        for (int i = 0; i < c.count; i++) buf_printf(out, " %.1e |", norms[i][k]);
    }
    buf_printf(out, "\n");
    return 0;
}
