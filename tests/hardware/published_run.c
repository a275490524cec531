/* published_run.c - model every rung (row) of the published tables, and write
 * solutions/published/README.md.
 *
 *     published.json --> each table: open its device --> each rung: compile, launch, check --> Markdown or text
 */
#define _GNU_SOURCE
#include "hardware/hardware.h"
#include "exercise/exercise.h"
#include "hardware/marked.h"
#include "hardware/published.h"
#include "hardware/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- modelling ---- */

/* Launch a rung's kernel once on large inputs, and check sampled elements of its output. */
static int launch(const struct bound_kernel *bound, const int *dims, const struct sample *sample,
    struct measurement *m, struct err *e)
{
    struct field f;
    if (field_place(&f, bound->device, bound->problem, dims, e)) return -1;
    int part = sample->blocks || sample->sms,
        bad = field_launch(&f, bound, sample, m, e) ||
              (!part && field_check(&f, bound->step->kernel, e));
    field_free(&f);
    return bad ? -1 : 0;
}

/* Compile and launch the kernel of a rung. file is FOLDER/NAME.cu; FOLDER is "published" in
 * tests/hardware, or a lab in solutions. The rung is described as a lab with one exercise of one
 * step, so that it is built like one. */
static int load(struct workbench *w, const char *file, const struct step *step,
    const struct sample *sample, struct measurement *m, struct err *e)
{
    const struct step steps[] = {*step, {0}};
    const char *slash = strchr(file, '/'), *dot = strrchr(file, '.');
    char *folder = slash ? xstrndup(file, (size_t)(slash - file)) : xstrdup(""), *name = NULL;
    if (slash && dot > slash) name = xstrndup(slash + 1, (size_t)(dot - slash) - 1);
    const struct exercise x = {.name = name ? name : file, .kind = EXERCISE_CUDA, .steps = steps};
    const struct lab lab = {.name = folder, .exercises = &x};
    char *directory = kit_path(&w->kit, "solutions");
    struct build b;
    build_compile(&b, w, directory, &lab, &x);
    const struct compiled *c = &b.compiled;
    int bad =
        c->status != COMPILE_OK
            ? err_set(e, ERR_ENV, "%s: %s", c->file, c->output.len ? c->output.data : c->err.text)
            : build_bind(&b, e) || launch(&b.bound[0], step->dims, sample, m, e);
    build_close(&b);
    free(directory);
    free(folder);
    free(name);
    return bad ? -1 : 0;
}

/* A whole number of a table; 0 if there is none. */
static unsigned whole(const json_t *table, const char *name)
{
    return (unsigned)json_integer_value(json_object_get(table, name));
}

int cpu_time(struct workbench *w, const char *function, const int *dims, double *ms, struct err *e)
{
    enum { ROWS = 64, RUNS = 3 };
    int part[DIMS] = {ROWS, dims[1], dims[2]}, step = 0, bad;
    const struct lab *const *lab = lab_table;
    const struct exercise *x = (*lab)->exercises;
    while (x->kind != EXERCISE_HOST) /* find the first exercise in C */
        x = x[1].name ? x + 1 : (*++lab)->exercises;
    while (x->steps[step].kernel && strcmp(x->steps[step].kernel, function)) step++;
    if (!x->steps[step].kernel)
        return err_set(e, ERR_ENV, "%s has no function %s", (*lab)->name, function);
    struct build b;
    struct instance in;
    instance_make(&in, problem_find("matmul"), part, 1);
    bad = build_open(&b, w, *lab, x, e);
    for (int i = 0; i < RUNS && !bad; i++) {
        struct measurement m = {0};
        bad = build_run(&b, step, &in, RUN_TIMED, &m, e);
        double all = m.ms * dims[0] / ROWS;
        if (!bad && !(*ms < all)) *ms = all; /* *ms is NAN before the first run */
        measurement_free(&m);
    }
    build_close(&b);
    instance_free(&in);
    return bad ? -1 : 0;
}

/* Fill p->here[i], in the table's unit, and p->metrics[i]. An error names the table and the
 * rung. */
static int model_rung(
    struct workbench *w, struct published *p, size_t i, int with_cpu, struct err *e)
{
    const json_t *rung = json_array_get(json_object_get(p->table, "rungs"), i);
    const char *problem = record_text(rung, "problem"), *cpu = record_text(rung, "cpu");
    struct measurement m = {0};
    struct step step = {.kernel = record_text(rung, "kernel"),
        .problem = *problem ? problem : record_text(p->table, "problem"),
        .x_owns_rows = json_is_true(json_object_get(rung, "x_owns_rows"))};
    record_dims(p->table, step.dims);
    p->here[i] = NAN;
    model_metrics_clear(&p->metrics[i]);
    if (*cpu) return with_cpu ? cpu_time(w, cpu, step.dims, &p->here[i], e) : 0;
    const struct sample sample = {whole(p->table, "blocks"), whole(p->table, "sms")};
    if (load(w, record_text(rung, "file"), &step, &sample, &m, e)) {
        char *why = xstrdup(e->text);
        err_set(e, ERR_ENV, "table \"%s\", rung \"%s\": %s", record_text(p->table, "table"),
            record_text(rung, "rung"), why);
        free(why);
        return -1;
    }
    const char *unit = record_text(p->table, "unit");
    p->here[i] = !strcmp(unit, "ms") ? m.ms
                 : !strcmp(unit, "GB/s")
                     ? published_rate(problem_find(step.problem), step.dims, m.ms)
                     : m.metrics.v[model_metric_find(unit)];
    p->metrics[i] = m.metrics;
    measurement_free(&m);
    return 0;
}

/* Append one table to out. Each table names its own simulated device. */
static int model_table(const json_t *table, const char *front, enum published_form form,
    struct buf *out, struct buf *misses, struct published_tally *tally, struct err *e)
{
    struct published p = {.table = table};
    struct workbench_options o = {.device = record_text(table, "device"), .front = front};
    struct workbench w;
    if (!device_simulated(o.device))
        return err_set(e, ERR_ENV, "table \"%s\": device \"%s\" is no simulated one",
            record_text(table, "table"), o.device);
    if (workbench_open(&w, &o, e)) return -1;
    int bad = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(table, "rungs")) && !bad; i++)
        bad = model_rung(&w, &p, i, form == PUBLISHED_TEXT, e);
    workbench_close(&w);
    if (!bad) published_print(&p, form, out, misses);
    if (!bad && tally) published_count(&p, tally);
    return bad;
}

/* ---- the file ---- */

/* Does the table take ten seconds or more? Such tables are shown in a terminal alone. */
static int is_slow(const json_t *table) { return json_is_true(json_object_get(table, "slow")); }

/* Append all tables of the file that are not slow; stop at the first that is not valid. */
static int model_all(
    const char *file, const char *front, struct buf *out, struct buf *misses, struct err *e)
{
    json_t *data, *table;
    size_t i;
    int bad = 0;
    if (record_read(file, &data, e)) return -1;
    json_array_foreach(json_object_get(data, "tables"), i, table)
    {
        if (is_slow(table)) continue;
        buf_printf(out, "\n");
        if ((bad = published_valid(file, table, e) ||
                   model_table(table, front, PUBLISHED_MARKDOWN, out, misses, NULL, e)))
            break;
    }
    json_decref(data);
    return bad ? -1 : 0;
}

struct making {
    const struct kit *kit;
    const char *front;
    int check;
    struct buf misses;
};

/* Make the tables at a mark. With check, tables with kernels by another compiler stay as they are,
 * since other code may take another time. */
static int make_marked(
    void *context, const char *name, const char *old, struct buf *out, struct err *e)
{
    struct making *m = context;
    struct front f;
    (void)name;
    if (front_find(&f, m->front, NULL, e)) return -1;
    int bad = 0;
    if (m->check && marked_by_another(f.name, old)) {
        buf_printf(out, "%s", old);
    } else {
        char *data = kit_path(m->kit, "solutions/published/published.json");
        buf_printf(out, "Times modelled; kernels by %s.\n", f.name);
        bad = model_all(data, m->front, out, &m->misses, e);
        free(data);
    }
    front_free(&f);
    return bad;
}

/* The README is written before misses become an error, so that it shows them. */
int published_update(const char *front, int check, int *stale, struct err *e)
{
    struct kit k;
    if (kit_find(&k, e)) return -1;
    struct making m = {.kit = &k, .front = front, .check = check};
    char *file = kit_path(&k, "solutions/published/README.md");
    int bad = marked_update(file, "published", make_marked, &m, check, stale, e);
    if (!bad && m.misses.len) {
        printf("%s", m.misses.data);
        bad = err_set(e, ERR_ENV, "%s: the model does not hold what is published; see above", file);
    }
    buf_free(&m.misses);
    free(file);
    kit_free(&k);
    return bad ? -1 : 0;
}

/* ---- the terminal ---- */

static const json_t *document(const json_t *data, const char *doc)
{
    const json_t *d;
    size_t i;
    json_array_foreach(json_object_get(data, "documents"), i,
        d) if (!strcmp(record_text(d, "doc"), doc) ||
               strcasestr(record_text(d, "title"), doc)) return d;
    return NULL;
}

static int list(const json_t *data, const char *doc, struct err *e)
{
    struct buf all = {0};
    const json_t *d;
    size_t i;
    json_array_foreach(json_object_get(data, "documents"), i, d) buf_printf(
        &all, "%s%s (%s)", i ? ", " : "", record_text(d, "doc"), record_text(d, "title"));
    err_set(e, ERR_USAGE, "there is no document %s; there are: %s", doc, all.data);
    buf_free(&all);
    return -1;
}

/* Is the table one of those asked for: of a document, or with these words in its title? */
static int is_asked(const json_t *table, const json_t *document, const char *words)
{
    if (!words) return 1;
    return document ? !strcmp(record_text(document, "doc"), record_text(table, "doc"))
                    : strcasestr(record_text(table, "table"), words) != NULL;
}

static int has_asked(const json_t *data, const char *words)
{
    const json_t *table;
    size_t i;
    json_array_foreach(
        json_object_get(data, "tables"), i, table) if (is_asked(table, NULL, words)) return 1;
    return 0;
}

static int show(const char *file, const json_t *data, const json_t *document, const char *words,
    const char *front, struct buf *misses, struct err *e)
{
    const json_t *table;
    struct published_tally tally = {0};
    size_t i;
    json_array_foreach(json_object_get(data, "tables"), i, table)
    {
        struct buf out = {0};
        if (!is_asked(table, document, words)) continue;
        if (is_slow(table))
            fprintf(stderr, "lockstep-hardware: %s: this takes ten seconds or more\n",
                record_text(table, "table"));
        int bad = published_valid(file, table, e) ||
                  model_table(table, front, PUBLISHED_TEXT, &out, misses, &tally, e);
        if (!bad) printf("%s\n", out.data);
        fflush(stdout);
        buf_free(&out);
        if (bad) return -1;
    }
    printf(
        "%d of %d figures are within 30%% of the published ones, all of %d tables; %d of %d tables are in "
        "order.\n",
        tally.near, tally.figures, tally.whole, tally.in_order, tally.tables);
    if (tally.far.len) printf("Further off:\n%s", tally.far.data);
    buf_free(&tally.far);
    return 0;
}

/* Print the tables of a document as they are made, with the rows of a CPU: doc is its number or a
 * word of its title, or a part of the title of tables; NULL: all. */
static int published_show(const char *doc, const char *front, struct err *e)
{
    struct kit k;
    json_t *data = NULL;
    struct buf misses = {0};
    if (kit_find(&k, e)) return -1;
    char *file = kit_path(&k, "solutions/published/published.json");
    int bad = record_read(file, &data, e);
    const json_t *d = doc && !bad ? document(data, doc) : NULL;
    if (!bad && doc && !d && !has_asked(data, doc)) bad = list(data, doc, e);
    if (!bad) bad = show(file, data, d, doc, front, &misses, e);
    buf_free(&misses);
    json_decref(data);
    free(file);
    kit_free(&k);
    return bad ? -1 : 0;
}

int command_published(int argc, char **argv, struct err *e)
{
    const char *front = NULL, *words[1] = {NULL};
    const struct option_spec specs[] = {{"--front", &front}, {0}};
    if (options_parse(argc, argv, specs, words, 1, e) < 0) return -1;
    return published_show(words[0], front, e);
}
