/* kernels.c - building the kernels that are compared with a GPU, and writing their PTX.
 *
 * The kernels of tests/hardware/kernels are described as labs, so that they are built and launched
 * like the labs' kernels. On a machine without a compiler, PTX written by write_ptx takes the
 * compiler's place.
 */
#include "hardware/hardware.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Each kernel copies an array, as far as its description goes: one input and one output of rows
 * x cols floats. What it really computes is not checked here; crosscheck compares counters. */
#define STEP(name, rows, cols) \
    { \
        .kernel = name, .problem = "copy", .dims = { rows, cols } \
    }
static const struct step other_steps[] = {
    STEP("filter", 512, 2048),
    STEP("stencil", 2048, 2048),
    STEP("all_pairs", 8, 2048),
    STEP("register_tile", 4096, 256),
    STEP("row_sums", 4096, 1024),
    STEP("gather", 512, 2048),
    STEP("scatter", 512, 2048),
    STEP("fields", 256, 4096),
    STEP("moments", 1024, 4096),
    STEP("distances", 512, 512),
    STEP("zip", 512, 2048),
    STEP("turned", 1024, 1024),
    STEP("interleave", 512, 2048),
    STEP("scan", 128, 8192),
    STEP("enlarge", 1024, 2048),
    STEP("density", 64, 2048),
    {0},
};
static const struct exercise other_exercises[] = {
    {.name = "others", .kind = EXERCISE_CUDA, .steps = other_steps}, {0}};
const struct lab others_lab = {.name = "kernels", .exercises = other_exercises};

/* ---- building ---- */

static int is_own(const struct lab *lab)
{
    return lab == &others_lab || lab == &probe_lab || lab == &courses_lab || lab == &tuning_lab;
}

/* The kernels of tests/hardware are compiled from there, all others from the workbench's
 * directory. */
int kernels_open(struct build *b, struct workbench *w, const struct lab *lab,
    const struct exercise *x, struct err *e)
{
    char *own = kit_path(&w->kit, "tests/hardware");
    build_compile(b, w, is_own(lab) ? own : w->directory, lab, x);
    free(own);
    const struct compiled *c = &b->compiled;
    if (c->status != COMPILE_OK)
        return err_set(e, ERR_ENV, "%s", c->output.len ? c->output.data : c->err.text);
    int bad = workbench_device(w, e);
    b->device = w->device; /* the fields are on this device */
    bad = bad || build_bind(b, e);
    if (bad && e->kind == ERR_LEARNER) e->kind = ERR_ENV;
    return bad;
}

/* ---- PTX to take along ---- */

/* Make a directory unless it exists. */
static int make_directory(const char *path, struct err *e)
{
    if (!mkdir(path, 0777) || errno == EEXIST) return 0;
    return err_set(e, ERR_ENV, "%s: cannot be made: %s", path, strerror(errno));
}

/* DIRECTORY/LAB/EXERCISE.ptx, the layout that workbench_options.ptx expects. */
static int write_one(struct workbench *w, const char *directory, const struct lab *lab,
    const struct exercise *x, struct err *e)
{
    struct build b;
    char *file = xasprintf("%s/%s/%s.ptx", directory, lab->name, x->name);
    int bad = kernels_open(&b, w, lab, x, e) ||
              file_write(file, b.compiled.ptx, strlen(b.compiled.ptx), e);
    build_close(&b);
    free(file);
    return bad;
}

static int write_lab(
    struct workbench *w, const char *directory, const struct lab *lab, struct err *e)
{
    char *folder = xasprintf("%s/%s", directory, lab->name);
    int bad = make_directory(folder, e);
    for (const struct exercise *x = lab->exercises; x->name && !bad; x++)
        if (x->kind == EXERCISE_CUDA) bad = write_one(w, directory, lab, x, e);
    free(folder);
    return bad;
}

/* The file "front" names the compiler, so that a record made from this PTX can say which it was. */
int write_ptx(struct workbench *w, const char *directory, struct err *e)
{
    char *name = xasprintf("%s/front", directory);
    int bad =
        make_directory(directory, e) || file_write(name, w->front.name, strlen(w->front.name), e);
    free(name);
    for (const struct lab *const *l = lab_table; *l && !bad; l++)
        bad = write_lab(w, directory, *l, e);
    bad = bad || write_lab(w, directory, &probe_lab, e) || write_lab(w, directory, &others_lab, e);
    bad =
        bad || write_lab(w, directory, &courses_lab, e) || write_lab(w, directory, &tuning_lab, e);
    return bad ? -1 : 0;
}
