/* profile_before.c - find or make the profile that another one is compared with.
 *
 *     --before run.json                          an earlier run, written by --json
 *     --before old.cu                            the same exercise, or the same launch, in another file
 *     --before solutions/04-shared/transpose.cu  a file at a lab's path: that lab's exercise
 *     --before 04                                the solution of lab 04 for the same problem; in a
 *                                                handout, the learner's own file
 *
 * A step of another lab runs at the size of the step that it is compared with. */
#include "cli/profile.h"

#include <stdlib.h>
#include <string.h>

static int ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

/* The lab with this name or number; NULL: none. */
static const struct lab *lab_named(const char *text)
{
    struct err none;
    return options_lab(text, &none);
}

int before_open(
    struct before *b, const struct workbench *w, const char *text, int rungs, struct err *e)
{
    *b = (struct before){.text = text};
    if (!text) return 0;
    if (ends_with(text, ".json"))
        return profiles_read(text, &b->root, &b->earlier, &b->earlier_count, e);
    if (file_exists(text))
        b->file = xstrdup(text);
    else if (rungs && lab_named(text))
        b->lab = lab_named(text);
    else if (text[0] != '/')
        b->file = kit_path(&w->kit, "%s", text);
    if (b->lab || (b->file && file_exists(b->file) && ends_with(b->file, ".cu"))) return 0;
    return err_set(e, ERR_USAGE,
        "--before %s: there is no such file; it is a file of kernels (old.cu)%s, or an earlier run that "
        "--json wrote (run.json)",
        text, rungs ? ", a lab (04)" : "");
}

void before_close(struct before *b)
{
    for (int i = 0; i < b->count; i++) {
        profile_close(&b->made[i]);
        build_close(&b->builds[i]);
    }
    profiles_free(b->earlier, b->earlier_count);
    json_decref(b->root);
    free(b->file);
    *b = (struct before){0};
}

/* The kernel of this name in an earlier run, or else its only kernel; NULL: neither. */
static const struct profile *in_run(const struct before *b, const char *kernel)
{
    for (int i = 0; i < b->earlier_count; i++)
        if (!strcmp(b->earlier[i].kernel, kernel)) return &b->earlier[i];
    return b->earlier_count == 1 ? b->earlier : NULL;
}

/* The index of an exercise's step for the same problem: the step of the same name, else the last
 * such step, the technique with which the exercise ends. -1: there is none. */
static int same_problem(const struct exercise *x, const struct step *step)
{
    const char *kind = problem_kind(problem_find(step->problem));
    int found = -1;
    for (int i = 0; x->kind == EXERCISE_CUDA && x->steps[i].kernel; i++) {
        if (x->steps[i].suspect || strcmp(problem_kind(problem_find(x->steps[i].problem)), kind))
            continue;
        if (!strcmp(x->steps[i].kernel, step->kernel)) return i;
        found = i;
    }
    return found;
}

/* The exercise to which a file belongs by its path, .../NN-idea/NAME.cu. NULL: none. */
static const struct exercise *by_place(const char *file)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++) {
            char *end = xasprintf("%s/%s.cu", (*l)->name, x->name);
            int there = ends_with(file, end);
            free(end);
            if (there) return x;
        }
    return NULL;
}

/* A lab's exercise for the same problem: the one of the same name, else the first. NULL: there is
 * none. */
static const struct exercise *in_lab(
    const struct lab *lab, const struct exercise *like, const struct step *step)
{
    const struct exercise *found = NULL;
    for (const struct exercise *x = lab->exercises; x->name; x++) {
        if (same_problem(x, step) < 0) continue;
        if (!found || !strcmp(x->name, like->name)) found = x;
    }
    return found;
}

/* The solution of a lab's exercise or, if the kit has none, the learner's file. The caller frees
 * it. */
static char *lab_file(const struct workbench *w, const struct lab *lab, const struct exercise *x)
{
    if (!kit_has_solution(&w->kit, lab, x)) return workbench_file(w->directory, lab, x);
    char *solutions = kit_path(&w->kit, "solutions"), *file = workbench_file(solutions, lab, x);
    free(solutions);
    return file;
}

int before_step(struct before *b, struct workbench *w, const struct exercise *x, int step,
    const struct profile **out, struct err *e)
{
    const struct step *now = &x->steps[step];
    const struct exercise *from = x;
    *out = b->root ? in_run(b, now->kernel) : NULL;
    if (!b->text || b->root) return 0;
    if (b->lab)
        from = in_lab(b->lab, x, now);
    else if (by_place(b->file))
        from = by_place(b->file);
    int at = from ? same_problem(from, now) : -1, i = b->count;
    if (at < 0) return 0;
    char *file = b->lab ? lab_file(w, b->lab, from) : xstrdup(b->file);
    int bad = build_open_as(&b->builds[i], w, file, from, e);
    b->count++;
    if (!bad) {
        b->made[i] = profile_of(&b->builds[i]);
        bad = profile_step(&b->builds[i], at, now->dims, &b->made[i], e);
    } else { /* the message must say that the file given by --before is at fault */
        char *why = xstrdup(e->text);
        err_set(e, e->kind, "before, %s: %s", file, why);
        free(why);
    }
    *out = bad ? NULL : &b->made[i];
    free(file);
    return bad;
}

/* Compares with the kernel of the same name, or else with the only kernel. */
int before_file(struct before *b, struct workbench *w, const struct profile_request *q,
    const struct profile **out, struct err *e)
{
    *out = NULL;
    if (!b->text) return 0;
    if (b->root) {
        *out = in_run(b, q->kernel);
        return *out ? 0 : err_set(e, ERR_USAGE, "%s: it has no kernel %s", b->text, q->kernel);
    }
    struct buf names = {0};
    if (build_open_file(&b->builds[0], w, b->file, e)) return b->count = 1, -1;
    b->count = 1;
    b->made[0] = profile_of(&b->builds[0]);
    module_kernels(b->builds[0].module, &names);
    int only =
        names.len && !strstr(names.data, ", ") && !module_kernel(b->builds[0].module, q->kernel);
    int bad = profile_file(q, &b->builds[0], only ? names.data : q->kernel, &b->made[0], e);
    *out = bad ? NULL : &b->made[0];
    buf_free(&names);
    return bad;
}

static int add_rung(void *context, const struct rung *r)
{
    struct buf *names = context;
    if (!names->len || !strstr(names->data, r->lab->name))
        buf_printf(names, "%s%s", names->len ? ", " : "", r->lab->name);
    return 0;
}

int before_nothing(const struct before *b, const struct exercise *x, struct err *e)
{
    struct buf names = {0};
    const char *problem = problem_kind(problem_find(x->steps[0].problem));
    ladder_walk(problem, EXERCISE_CUDA, add_rung, &names);
    err_set(e, ERR_USAGE, "--before %s: nothing in it computes what %s does (%s)%s%s", b->text,
        x->name, problem, names.len ? "; labs that do: " : "", names.len ? names.data : "");
    buf_free(&names);
    return -1;
}
