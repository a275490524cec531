/* published_run.c - model every rung of the published tables, and keep solutions/published/README.md what comes out. */
#include "lab/bare.h"
#include "lab/ladder.h"
#include "lab/published.h"
#include "lab/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char open_mark[] = "<!-- published -->\n", close_mark[] = "<!-- end published -->";

/* ---- modelling ---- */

static int launch(struct bare *b, const struct bound *bound, const int *dims, struct measurement *m, struct err *e)
{
    struct field f;
    if (field_place(&f, b->device, bound->problem, dims, e))
        return -1;
    int bad = field_launch(&f, bound, NULL, m, e) || field_check(&f, bound->step->kernel, e);
    field_free(&f);
    return bad ? -1 : 0;
}

static int load(struct bare *b, const json_t *rung, const struct step *step, const int *dims, struct measurement *m, struct err *e)
{
    char *file = kit_path(&b->kit, "solutions/%s", record_text(rung, "file"));
    struct compiled c;
    struct module *module = NULL;
    struct bound bound;
    int bad = 0;
    compile_kernel(&b->kit, &b->front, file, &c);
    if (c.status != COMPILE_OK)
        bad = err_set(e, ERR_ENV, "%s: %s", file, c.output.len ? c.output.data : c.err.text);
    bad = bad || device_load(b->device, c.ptx, file, file, &module, e) || run_bind(&bound, b->device, module, step, file, e) ||
          launch(b, &bound, dims, m, e);
    if (module)
        device_unload(b->device, module);
    compiled_free(&c);
    free(file);
    return bad ? -1 : 0;
}

static int model_rung(struct bare *b, struct published *p, size_t i, struct err *e)
{
    const json_t *rung = json_array_get(json_object_get(p->table, "rungs"), i);
    const char *problem = record_text(rung, "problem");
    struct measurement m = {0};
    struct step step = {.kernel = record_text(rung, "kernel"), .problem = *problem ? problem : record_text(p->table, "problem"),
                        .x_owns_rows = json_is_true(json_object_get(rung, "x_owns_rows"))};
    record_dims(p->table, step.dims);
    if (load(b, rung, &step, step.dims, &m, e)) {
        char *why = xstrdup(e->text);
        err_set(e, ERR_ENV, "table \"%s\", rung \"%s\": %s", record_text(p->table, "table"), record_text(rung, "rung"), why);
        free(why);
        return -1;
    }
    p->modelled[i] = strcmp(record_text(p->table, "unit"), "ms") ? published_rate(problem_find(step.problem), step.dims, m.ms) : m.ms;
    p->metrics[i] = m.metrics;
    measurement_free(&m);
    return 0;
}

static int model_table(const json_t *table, const char *front, struct buf *out, struct buf *misses, struct err *e)
{
    struct published p = {.table = table};
    struct bare_options o = {.device = record_text(table, "device"), .front = front};
    struct bare b;
    if (strncmp(o.device, "sim:", 4))
        return err_set(e, ERR_ENV, "table \"%s\": device \"%s\" is no simulated one", record_text(table, "table"), o.device);
    if (bare_open(&b, &o, e))
        return -1;
    int bad = 0;
    for (size_t i = 0; i < json_array_size(json_object_get(table, "rungs")) && !bad; i++)
        bad = model_rung(&b, &p, i, e);
    bare_close(&b);
    if (!bad)
        published_print(&p, out, misses);
    return bad;
}

/* ---- the file ---- */

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

/* The README's text with its tables made anew. Nothing is made where another compiler made them and they are only checked. */
static int rewrite(const struct kit *k, const char *file, const char *text, const char *front, int check, struct buf *out,
                   struct buf *misses, struct err *e)
{
    struct front f;
    const char *start = strstr(text, open_mark), *end = strstr(text, close_mark);
    if (!start || !end || end < start)
        return err_set(e, ERR_ENV, "%s: has no %.*s ... %s for the tables", file, (int)strlen(open_mark) - 1, open_mark, close_mark);
    if (front_find(&f, front, e))
        return -1;
    start += strlen(open_mark);
    int bad = 0;
    buf_add(out, text, (size_t)(start - text));
    if (check && made_by_another(f.name, start, end)) {
        buf_add(out, start, (size_t)(end - start));
    } else {
        char *data = kit_path(k, "solutions/published/published.json");
        buf_printf(out, "Times modelled; kernels by %s.\n", f.name);
        bad = model_all(data, front, out, misses, e);
        free(data);
    }
    buf_printf(out, "%s", end);
    front_free(&f);
    return bad;
}

int published_update(const char *front, int check, int *stale, struct err *e)
{
    struct kit k;
    struct buf out = {0}, misses = {0};
    char *text = NULL;
    if (kit_find(&k, e))
        return -1;
    char *file = kit_path(&k, "solutions/published/README.md");
    int bad = file_read(file, 1 << 20, &text, NULL, e) || rewrite(&k, file, text, front, check, &out, &misses, e);
    if (!bad && strcmp(text, out.data)) {
        (*stale)++;
        if (check)
            printf("%s: its tables are not what the kernels take now\n", file);
        else if (!(bad = file_write(file, out.data, out.len, e)))
            printf("%s: written\n", file);
    }
    if (!bad && misses.len) {
        printf("%s", misses.data);
        bad = err_set(e, ERR_ENV, "%s: the model does not hold what is published; see above", file);
    }
    buf_free(&out);
    buf_free(&misses);
    free(text);
    free(file);
    kit_free(&k);
    return bad ? -1 : 0;
}
