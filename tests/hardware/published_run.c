/* published_run.c - model every rung of the published tables, and write tests/hardware/published/README.md.
 *
 *     published.json --> each table: open its device --> each rung: compile, launch, check --> Markdown
 */
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
static int launch(const struct bound *bound, const int *dims, struct measurement *m, struct err *e)
{
    struct field f;
    if (field_place(&f, bound->device, bound->problem, dims, e))
        return -1;
    int bad = field_launch(&f, bound, NULL, m, e) || field_check(&f, bound->step->kernel, e);
    field_free(&f);
    return bad ? -1 : 0;
}

/* Compile and launch the kernel of a rung. file is FOLDER/NAME.cu; FOLDER is "published" in
 * tests/hardware, or a lab in solutions. The rung is described as a lab with one exercise of one
 * step, so that it is built like one. */
static int load(
    struct workbench *w, const char *file, const struct step *step, struct measurement *m, struct err *e)
{
    const struct step steps[] = {*step, {0}};
    const char *slash = strchr(file, '/'), *dot = strrchr(file, '.');
    char *folder = slash ? xstrndup(file, (size_t)(slash - file)) : xstrdup(""), *name = NULL;
    if (slash && dot > slash)
        name = xstrndup(slash + 1, (size_t)(dot - slash) - 1);
    const struct exercise x = {.name = name ? name : file, .kind = EXERCISE_CUDA, .steps = steps};
    const struct lab lab = {.name = folder, .exercises = &x};
    char *directory = kit_path(&w->kit, strcmp(folder, "published") ? "solutions" : "tests/hardware");
    struct build b;
    build_compile(&b, w, directory, &lab, &x);
    const struct compiled *c = &b.compiled;
    int bad = c->status != COMPILE_OK
        ? err_set(e, ERR_ENV, "%s: %s", c->file, c->output.len ? c->output.data : c->err.text)
        : build_bind(&b, e) || launch(&b.bound[0], step->dims, m, e);
    build_close(&b);
    free(directory);
    free(folder);
    free(name);
    return bad ? -1 : 0;
}

/* Fill p->modelled[i], in the table's unit, and p->metrics[i]. An error names the table and the
 * rung. */
static int model_rung(struct workbench *w, struct published *p, size_t i, struct err *e)
{
    const json_t *rung = json_array_get(json_object_get(p->table, "rungs"), i);
    const char *problem = record_text(rung, "problem");
    struct measurement m = {0};
    struct step step = {.kernel = record_text(rung, "kernel"),
        .problem = *problem ? problem : record_text(p->table, "problem"),
        .x_owns_rows = json_is_true(json_object_get(rung, "x_owns_rows"))};
    record_dims(p->table, step.dims);
    if (load(w, record_text(rung, "file"), &step, &m, e)) {
        char *why = xstrdup(e->text);
        err_set(e, ERR_ENV, "table \"%s\", rung \"%s\": %s", record_text(p->table, "table"),
            record_text(rung, "rung"), why);
        free(why);
        return -1;
    }
    p->modelled[i] = strcmp(record_text(p->table, "unit"), "ms")
        ? published_rate(problem_find(step.problem), step.dims, m.ms)
        : m.ms;
    p->metrics[i] = m.metrics;
    measurement_free(&m);
    return 0;
}

/* Append one table to out. Each table names its own simulated device. */
static int model_table(
    const json_t *table, const char *front, struct buf *out, struct buf *misses, struct err *e)
{
    struct published p = {.table = table};
    struct workbench_options o = {.device = record_text(table, "device"), .front = front};
    struct workbench w;
    if (!device_simulated(o.device))
        return err_set(e, ERR_ENV, "table \"%s\": device \"%s\" is no simulated one",
            record_text(table, "table"), o.device);
    if (workbench_open(&w, &o, e))
        return -1;
    int bad = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(table, "rungs")) && !bad; i++)
        bad = model_rung(&w, &p, i, e);
    workbench_close(&w);
    if (!bad)
        published_print(&p, out, misses);
    return bad;
}

/* ---- the file ---- */

/* All tables of the file; stops at the first that is not valid. */
static int model_all(const char *file, const char *front, struct buf *out, struct buf *misses, struct err *e)
{
    json_t *data, *table;
    size_t i;
    int bad = 0;
    if (record_read(file, &data, e))
        return -1;
    json_array_foreach(json_object_get(data, "tables"), i, table) {
        buf_printf(out, "\n");
        if ((bad = published_valid(file, table, e) || model_table(table, front, out, misses, e)))
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

/* With check, tables that another compiler made stay as they are: other code may take another time. */
static int make_marked(void *context, const char *name, const char *old, struct buf *out, struct err *e)
{
    struct making *m = context;
    struct front f;
    (void)name;
    if (front_find(&f, m->front, e)) return -1;
    int bad = 0;
    if (m->check && marked_by_another(f.name, old)) {
        buf_printf(out, "%s", old);
    } else {
        char *data = kit_path(m->kit, "tests/hardware/published/published.json");
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
    char *file = kit_path(&k, "tests/hardware/published/README.md");
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
