/* test_launches.c - what is counted and modelled of every kernel of solutions/ and of the kernels
 * that were measured on a GPU, on three GPUs: kept whole in tests/launches, one file per lab.
 *
 *     sim:k40: 30 registers, 64 warps (warps), 0.0123 ms, L2
 *         INST 100894 ...       counts that differ from those of the GPU before, or are not 0
 *         us: ...               how long each part alone takes
 *
 * The PTX is the one that was recorded (tests/hardware/ptx), so that every compiler of this machine
 * gets the same. Whoever changes a count or the time model reads
 * here what it changes. */
#include "golden.h"
#include "hardware/hardware.h"
#include "model/profiles.h"

#include <limits.h>
#include <math.h>

enum { GPUS = 3 };
static const char *const gpus[GPUS] = {"sim:gtx280", "sim:k40", "sim:h200"};

/* Sizes of a problem of one, two and three dimensions that no block divides. Kernels that were
 * measured keep their own sizes; only one multiprocessor's blocks of those run. */
static const int sizes[DIMS][DIMS] = {{3001}, {149, 77}, {67, 61, 93}};

/* A count; 0 if it is not known. */
static double count_of(const struct metrics *m, int metric)
{
    return isnan(m->v[metric]) ? 0 : m->v[metric];
}

/* last: the counts on the GPU before, which are not printed if equal; it gets the new ones. */
static void put_measurement(const struct measurement *m, struct metrics *last, struct buf *out)
{
    buf_printf(out, "%d registers, %d warps (%s), %.5g ms, %s\n   ", m->work.registers,
        m->occupancy.warps, model_limiter_names[m->occupancy.limiter], m->ms,
        model_part_names[m->bottleneck]);
    for (int i = 0; i < METRIC_COUNT; i++)
        if (count_of(&m->metrics, i) != count_of(last, i))
            buf_printf(out, " %s %.6g", model_metrics[i].id, count_of(&m->metrics, i));
    buf_printf(out, "\n    us: start %.5g", m->start_ms * 1e3);
    for (int i = PART_NONE + 1; i < MODEL_PARTS; i++)
        if (m->part_ms[i] > 0)
            buf_printf(out, ", %s %.5g", model_part_names[i], m->part_ms[i] * 1e3);
    buf_printf(out, "\n");
    *last = m->metrics;
}

/* The size at which a step is launched: the one of the table, within the step's limits. */
static void size_of(const struct step *s, int measured, int *dims)
{
    const struct problem *p = problem_find(s->problem);
    int count = problem_dims(p);
    for (int i = 0; i < count; i++) {
        int is = sizes[count - 1][i], most = s->most[i] ? s->most[i] : INT_MAX;
        int given = measured || s->fixed[i] || (p->parameter_dim && i == p->parameter_dim);
        dims[i] = given ? s->dims[i] : is < most ? is : most;
    }
}

static void put_step(
    struct build *b, int step, const int *dims, struct metrics *last, struct buf *out)
{
    struct instance in;
    struct measurement m = {0};
    struct err e;
    instance_make(&in, problem_find(b->exercise->steps[step].problem), dims, 7);
    if (build_run(b, step, &in, RUN_COUNTED, &m, &e))
        buf_printf(out, "%s\n", e.text);
    else
        put_measurement(&m, last, out);
    measurement_free(&m);
    instance_free(&in);
}

static void put_exercise(
    const char *ptx, const struct lab *lab, const struct exercise *x, int measured, struct buf *out)
{
    struct workbench w[GPUS];
    struct build b[GPUS] = {0};
    struct err e[GPUS];
    int bad[GPUS];
    for (int i = 0; i < GPUS; i++) {
        struct workbench_options o = {.device = gpus[i], .ptx = ptx};
        ck_assert_msg(!workbench_open(&w[i], &o, &e[i]), "%s", e[i].text);
        bad[i] = build_open(&b[i], &w[i], lab, x, &e[i]);
    }
    for (int step = 0; x->steps[step].kernel; step++) {
        const struct step *s = &x->steps[step];
        struct metrics last = {0};
        int dims[DIMS] = {0};
        size_of(s, measured, dims);
        char *size = problem_size(problem_find(s->problem), dims);
        buf_printf(out, "\n%s/%s %s, %s\n", lab->name, x->name, s->kernel, size);
        for (int i = 0; i < GPUS; i++) {
            buf_printf(out, "%s: ", gpus[i]);
            b[i].bound[step].sample_sms = measured;
            if (bad[i])
                buf_printf(out, "%s\n", e[i].text);
            else
                put_step(&b[i], step, dims, &last, out);
        }
        free(size);
    }
    for (int i = 0; i < GPUS; i++) build_close(&b[i]), workbench_close(&w[i]);
}

static const struct lab *lab_of(int i)
{
    int labs = 0;
    while (lab_table[labs]) labs++;
    return i < labs ? lab_table[i] : i == labs ? &others_lab : &courses_lab;
}

START_TEST(every_launch_is_counted_and_timed_as_it_was)
{
    const struct lab *lab = lab_of(_i);
    struct buf out = {0};
    char *self = realpath("/proc/self/exe", NULL), *slash = strrchr(self, '/');
    char *ptx = xasprintf("%.*s/../ptx/clang", (int)(slash - self), self);
    char *path = xasprintf("tests/launches/%s.txt", lab->name);
    for (const struct exercise *x = lab->exercises; x->name; x++) {
        if (x->kind != EXERCISE_CUDA) continue;
        put_exercise(ptx, lab, x, lab == &others_lab || lab == &courses_lab, &out);
    }
    golden_check(path, out.data ? out.data : "");
    buf_free(&out);
    free(path), free(ptx), free(self);
}
END_TEST

int main(void)
{
    int labs = 2;
    while (lab_table[labs - 2]) labs++;
    if (getenv("LOCKSTEP_SANITIZED")) labs = 3;
    Suite *suite = suite_create("launches");
    TCase *c = tcase_create("launches");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, every_launch_is_counted_and_timed_as_it_was, 0, labs);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
