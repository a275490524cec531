/* run.c - lockstep-hardware run: launch the kernels of the solutions, each on its own.
 *
 *     ncu ... lockstep-hardware run 02 matmul --device cuda --ptx DIR
 *     compute-sanitizer lockstep-hardware run --shapes --device cuda
 *
 * It prints a line per launch, in order: lab, exercise, step, kernel, size, and with --shapes the
 * hash of the output: where two machines print the same, they give the same bytes. It counts
 * nothing itself, and with --ptx it starts no compiler, so a profiler or checker around it sees
 * only the launches.
 */
#include "hardware/hardware.h"
#include "explain/explain.h"
#include "judge/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct running {
    struct workbench workbench;
    /* run each step at the shapes that grading checks, instead of at its own size */
    int shapes;
};

/* One launch. With --shapes the output is compared with the expected one. */
static int launch(struct running *r, const struct lab *lab, const struct exercise *x, int step,
    const struct bound_kernel *b, const int *dims, struct err *e)
{
    struct instance in;
    struct expected want = {0};
    struct buf why = {0};
    char *size = problem_size(b->problem, dims);
    printf("%s %s %d %s: %s%s", lab->name, x->name, step, b->step->kernel, size,
        r->shapes ? " -> " : "\n");
    fflush(stdout);
    free(size);
    instance_make(&in, b->problem, dims, 1);
    int bad = run_kernel(b, &in, NULL, e), to = b->problem->output;
    if (r->shapes)
        printf("%016llx\n", (unsigned long long)hash_bytes(in.data[to], instance_bytes(&in, to)));
    if (!bad && r->shapes) {
        expected_make(&want, &in);
        if (explain_output(&in, &want, in.data[to], &(struct finding){0}, &why))
            bad = err_set(e, ERR_ENV, "%s: %s", b->step->kernel, why.data);
    }
    buf_free(&why);
    expected_free(&want);
    instance_free(&in);
    return bad ? -1 : 0;
}

/* The shapes come from a fixed seed, so that every run launches the same ones. */
static int run_step(struct running *r, const struct lab *lab, const struct exercise *x, int step,
    const struct bound_kernel *b, struct err *e)
{
    int shapes[SHAPES][DIMS], count = 1, bad = 0;
    struct rng rng;
    rng_seed(&rng, 1);
    if (r->shapes)
        count = problem_shapes(b->problem, b->step, &rng, shapes, NULL);
    else
        memcpy(shapes[0], b->step->dims, sizeof shapes[0]);
    for (int i = 0; i < count && !bad; i++) bad = launch(r, lab, x, step, b, shapes[i], e);
    return bad;
}

static int run_exercise(
    struct running *r, const struct lab *lab, const struct exercise *x, struct err *e)
{
    struct build loaded;
    int bad = kernels_open(&loaded, &r->workbench, lab, x, e);
    for (int i = 0; x->steps[i].kernel && !bad; i++)
        bad = run_step(r, lab, x, i, &loaded.bound[i], e);
    build_close(&loaded);
    return bad;
}

/* With --write-ptx everything is compiled and nothing is launched, so no GPU is needed. Kernels
 * with a fault on purpose are left out. Those of others_lab are run after all labs, those of
 * courses_lab and tuning_lab only if they are named. */
int command_run(int argc, char **argv, struct err *e)
{
    struct workbench_options o = {0};
    const char *words[2], *shapes = NULL, *ptx_out = NULL;
    const struct option_spec specs[] = {{"--device", &o.device}, {"--front", &o.front},
        {"--student", &o.directory}, {"--ptx", &o.ptx}, {"--write-ptx", &ptx_out},
        {"--shapes", &shapes, 1}, {0}};
    const struct lab *lab = NULL;
    const struct exercise *exercise = NULL;
    struct running r = {0};
    int count = options_parse(argc, argv, specs, words, 2, e), bad = 0;
    if (count > 0)
        lab = !strcmp(words[0], others_lab.name)    ? &others_lab
              : !strcmp(words[0], courses_lab.name) ? &courses_lab
              : !strcmp(words[0], tuning_lab.name)  ? &tuning_lab
                                                    : options_lab(words[0], e);
    if (count < 0 || (count > 0 && !lab) ||
        (count > 1 && !(exercise = options_exercise(lab, words[1], e))))
        return -1;
    if (ptx_out) o.device = "sim:h200";
    if (workbench_open(&r.workbench, &o, e)) return -1;
    r.shapes = shapes != NULL;
    if (ptx_out) bad = write_ptx(&r.workbench, ptx_out, e);
    for (const struct lab *const *l = lab_table; *l && !bad && !ptx_out; l++)
        for (const struct exercise *x = (*l)->exercises; x->name && !bad; x++)
            if (x->kind == EXERCISE_CUDA && !exercise_suspect(x) && (!lab || lab == *l) &&
                (!exercise || exercise == x))
                bad = run_exercise(&r, *l, x, e);
    if (!bad && !ptx_out && !r.shapes && (!lab || lab == &others_lab))
        bad = run_exercise(&r, &others_lab, others_lab.exercises, e);
    int named = lab == &courses_lab || lab == &tuning_lab;
    for (const struct exercise *x = named ? lab->exercises : NULL; x && x->name && !bad; x++)
        if (!exercise || exercise == x) bad = run_exercise(&r, lab, x, e);
    workbench_close(&r.workbench);
    return bad;
}
