/* tables.c - lockstep-hardware tables: the tables of kernels (ladders, exercise.h) in the labs'
 * README files, from the reference's kernels.
 *
 *     <!-- ladder matmul -->
 *     Times modelled for ...
 *
 *     | rung | lab | ms (modelled) | GFLOPS | over the one before | over the first |
 *     <!-- end ladder -->
 *
 * A README lists the rungs of its own lab and of the labs before it, all at the size of its last
 * rung. labs/README.md has the product's ladder up to a lab on another GPU, "<!-- ladder
 * 09-tensor@sim:rtx4060 -->". The ladder "errors" is a table of another kind: errors.h. The command
 * also updates the figures in the texts (answers.h) and the published tables (published.h).
 */
#include "hardware/hardware.h"
#include "exercise/exercise.h"
#include "hardware/answers.h"
#include "hardware/errors.h"
#include "hardware/marked.h"
#include "hardware/published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One table while it is made. Times are in ms. */
struct table {
    struct session *session;
    const struct lab *last; /* the README's lab; later labs are left out */
    const struct problem *problem;
    int dims[DIMS];
    double first, before; /* times of the first rung and the one above; NAN: none yet */
    int rows;
    struct buf *out;
    struct err *e;
    int on_other;     /* 1: on another GPU, about which no_gain says nothing */
    struct buf notes; /* the lines about techniques without a gain */
};

/* Whether a lab comes after the README's lab. Names start with the lab's number, so their order is
 * the labs' order. */
static int past(const struct lab *last, const struct lab *lab)
{
    return strcmp(lab->name, last->name) > 0;
}

/* Called for each rung, from the first lab on: the last rung up to the README's lab sets the
 * size. */
static int take_size(void *context, const struct rung *r)
{
    struct table *t = context;
    if (past(t->last, r->lab)) return 1;
    memcpy(t->dims, r->exercise->steps[r->step].dims, sizeof t->dims);
    t->rows++;
    return 0;
}

static void print_times(struct buf *out, double ratio)
{
    buf_rounded(out, ratio);
    buf_printf(out, isfinite(ratio) ? "x |" : " |");
}

/* Note why a technique is not faster than the one before. -1: lab.c gives no reason. */
static int no_gain(struct table *t, const struct step *s)
{
    if (!s->no_gain)
        return err_set(t->e, ERR_ENV,
            "%s: less than %g times as fast as the technique before, and its row in lab.c has no .no_gain",
            s->rung, RUNG_GAIN);
    buf_printf(&t->notes, "- %s: %s.\n", s->rung, s->no_gain);
    return 0;
}

/* Model one rung and append its row. bound: it is only an upper bound, so it has no ratios. */
static int row(struct table *t, const struct rung *r, int bound)
{
    struct measurement m = {0};
    if (reference_measure(t->session, r->lab, r->exercise, r->step, t->dims, &m, t->e)) return -1;
    buf_printf(t->out, "| %s | %s | ", r->exercise->steps[r->step].rung, r->lab->name);
    buf_rounded(t->out, m.ms);
    buf_printf(t->out, " | ");
    buf_rounded(t->out, problem_rate(t->problem, t->dims, m.ms));
    buf_printf(t->out, " | ");
    print_times(t->out, bound ? NAN : t->before / m.ms);
    buf_printf(t->out, " ");
    print_times(t->out, bound ? NAN : t->first / m.ms);
    buf_printf(t->out, "\n");
    if (!bound && !t->on_other && t->before / m.ms < RUNG_GAIN &&
        no_gain(t, &r->exercise->steps[r->step])) {
        measurement_free(&m);
        return -1;
    }
    if (!bound) {
        t->before = m.ms;
        if (isnan(t->first)) t->first = m.ms;
    }
    measurement_free(&m);
    return 0;
}

/* Returns 1, which ends the walk, after the README's lab. */
static int add_row(void *context, const struct rung *r)
{
    struct table *t = context;
    return past(t->last, r->lab) ? 1 : row(t, r, 0);
}

/* A copy moves the same bytes as a transpose without rearranging them. So it is an upper bound,
 * listed first but not a rung. Only the first copy is taken. */
static int add_bound(void *context, const struct rung *r) { return row(context, r, 1) ? -1 : 1; }

/* The size is needed before the first row, so the rungs are visited twice. */
static int make_table(struct session *s, const struct lab *lab, const char *name, int on_other,
    struct buf *out, struct err *e)
{
    struct table t = {.session = s,
        .on_other = on_other,
        .last = lab,
        .problem = problem_find(name),
        .first = NAN,
        .before = NAN,
        .out = out,
        .e = e};
    if (!t.problem)
        return err_set(e, ERR_ENV,
            "labs/%s/README.md has a ladder %s, but there is no such problem", lab->name, name);
    ladder_walk(name, EXERCISE_CUDA, take_size, &t);
    if (!t.rows)
        return err_set(e, ERR_ENV,
            "labs/%s/README.md has a ladder %s, but no step up to there is a rung of it", lab->name,
            name);
    char *size = problem_size(t.problem, t.dims);
    buf_printf(out, "Times modelled for %s, %s, kernels by %s.\n\n", s->workbench.name, size,
        s->workbench.front.name);
    free(size);
    buf_printf(out,
        "| rung | lab | ms (modelled) | %s | over the one before | over the first "
        "|\n|---|---|---|---|---|---|\n",
        t.problem->unit);
    if (!strcmp(name, "transpose") && ladder_walk("copy", EXERCISE_CUDA, add_bound, &t) < 0)
        return -1;
    int bad = ladder_walk(name, EXERCISE_CUDA, add_row, &t) < 0;
    if (t.notes.len)
        buf_printf(out, "\nWhy some are not %g times as fast as the one before:\n\n%s", RUNG_GAIN,
            t.notes.data);
    buf_free(&t.notes);
    return bad ? -1 : 0;
}

/* ---- the files ---- */

struct making {
    struct session *session;
    const struct lab *lab;
    int check;
};

/* Make the table at a mark. With check, a table with kernels by another compiler stays as it is,
 * since other code may take another time. */
static int make_marked(
    void *context, const char *name, const char *old, struct buf *out, struct err *e)
{
    const struct making *m = context;
    if (!m->check || !marked_by_another(m->session->workbench.front.name, old))
        return strcmp(name, "errors") ? make_table(m->session, m->lab, name, 0, out, e)
                                      : errors_table(&m->session->workbench, m->lab, out, e);
    buf_printf(out, "%s", old);
    return 0;
}

static int update(struct session *s, const struct lab *lab, int check, int *stale, struct err *e)
{
    struct making m = {s, lab, check};
    char *file = kit_path(&s->workbench.kit, "labs/%s/README.md", lab->name);
    int bad = marked_update(file, "ladder", make_marked, &m, check, stale, e);
    free(file);
    return bad;
}

/* Make the product's ladder at a mark "LAB@DEVICE" of the kit's README: up to this lab, on this
 * device. */
static int make_on_other(
    void *context, const char *name, const char *old, struct buf *out, struct err *e)
{
    const struct making *m = context;
    const char *front = m->session->workbench.front.kind;
    const struct lab *const *l = lab_table;
    char lab[64] = "", device[64] = "";
    struct session s;
    if (m->check && marked_by_another(m->session->workbench.front.name, old)) {
        buf_printf(out, "%s", old);
        return 0;
    }
    int words = sscanf(name, "%63[^@]@%63s", lab, device);
    while (*l && strcmp((*l)->name, lab)) l++;
    if (words != 2 || !*l || !device_simulated(device))
        return err_set(
            e, ERR_ENV, "labs/README.md has a ladder %s, not a lab and a simulated device", name);
    if (session_open(&s, device, front, NULL, &m->session->seed, e)) return -1;
    int bad = make_table(&s, *l, "matmul", 1, out, e);
    session_close(&s);
    return bad;
}

int command_tables(int argc, char **argv, struct err *e)
{
    const char *check = NULL, *device = "sim:h200", *front = NULL;
    const struct option_spec specs[] = {
        {"--check", &check, 1}, {"--device", &device}, {"--front", &front}, {0}};
    struct session s;
    uint64_t seed = 1;
    int stale = 0, bad = 0;
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0) return -1;
    if (!device_simulated(device))
        return err_set(e, ERR_USAGE,
            "--device %s: the tables are of a simulated device, so that they come out the same everywhere",
            device);
    if (session_open(&s, device, front, NULL, &seed, e)) return -1;
    for (const struct lab *const *l = lab_table; *l && !bad; l++)
        bad = update(&s, *l, check != NULL, &stale, e) ||
              answers_update(&s, *l, check != NULL, &stale, e);
    struct making whole = {&s, NULL, check != NULL};
    char *readme = kit_path(&s.workbench.kit, "labs/README.md");
    bad = bad || marked_update(readme, "ladder", make_on_other, &whole, check != NULL, &stale, e);
    free(readme);
    session_close(&s);
    bad = bad || published_update(front, check != NULL, &stale, e);
    if (!bad && check && stale)
        return err_set(e, ERR_ENV, "%d README files are out of date: make tables", stale);
    if (!bad && !stale) printf("the tables are up to date\n");
    return bad ? -1 : 0;
}
