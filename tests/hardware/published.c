/* published.c - a published table beside the modelled times: the rungs, their ratios and their order.
 *
 *     rung      published  modelled  error    over the one before: published, modelled, error
 *     naive           1.1      0.91   -17%
 *     shared         24.9      25.5    +2%                             22.6x     28.0x    +24%
 */
#include "hardware/published.h"
#include "exercise/exercise.h"
#include "hardware/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Published figures that differ by less than this count as equal, so their order is not checked. */
static const double NEAR = 0.05;

/* published.h explains the formula. */
double published_rate(const struct problem *p, const int *dims, double ms)
{
    size_t rows, columns;
    p->result(dims, &rows, &columns);
    return 2.0 * sizeof(float) * rows * columns / (ms * 1e-3) * 1e-9;
}

static const json_t *rungs_of(const struct published *p)
{
    return json_object_get(p->table, "rungs");
}

/* The speed of a value, in any unit in which more is faster. */
static double speed(const struct published *p, double v)
{
    return strcmp(record_text(p->table, "unit"), "ms") ? v : 1 / v;
}

/* The published figure of rung i; NAN if the document has none. */
static double figure(const struct published *p, size_t i)
{
    return record_number(json_array_get(rungs_of(p), i), "figure");
}

static const char *rung(const struct published *p, size_t i)
{
    return record_text(json_array_get(rungs_of(p), i), "rung");
}

/* ---- what a table must have ---- */

/* The members that a rung must have. A figure may be missing, but it must not be 0 or negative. */
static int rung_valid(const char *file, const char *table, const json_t *r, struct err *e)
{
    const char *name = record_text(r, "rung"), *problem = record_text(r, "problem");
    if (!*name || !*record_text(r, "file") || !*record_text(r, "kernel"))
        return err_set(
            e, ERR_ENV, "%s: table \"%s\": rung \"%s\" needs a rung, a file and a kernel", file, table, name);
    if (*problem && !problem_find(problem))
        return err_set(e, ERR_ENV, "%s: table \"%s\": rung \"%s\": there is no problem \"%s\"", file, table,
            name, problem);
    if (json_object_get(r, "figure") && !(record_number(r, "figure") > 0))
        return err_set(e, ERR_ENV, "%s: table \"%s\": rung \"%s\": its figure is not a number above 0", file,
            table, name);
    return 0;
}

/* Check all members that later code relies on, so that it need not check again. */
int published_valid(const char *file, const json_t *table, struct err *e)
{
    const char *name = record_text(table, "table"), *unit = record_text(table, "unit");
    const json_t *rungs = json_object_get(table, "rungs"), *value;
    const struct problem *problem = problem_find(record_text(table, "problem"));
    size_t count = json_array_size(rungs), i;
    int dims[DIMS];
    if (!*name || !*record_text(table, "document") || !*record_text(table, "gpu"))
        return err_set(
            e, ERR_ENV, "%s: table \"%s\" needs a table (its title), a document and a gpu", file, name);
    if (!problem || record_dims(table, dims) != problem_dims(problem))
        return err_set(e, ERR_ENV, "%s: table \"%s\": no problem \"%s\" of %zu dims", file, name,
            record_text(table, "problem"), json_array_size(json_object_get(table, "dims")));
    if (strcmp(unit, "ms") && strcmp(unit, "GB/s"))
        return err_set(e, ERR_ENV, "%s: table \"%s\": unit \"%s\" is neither ms nor GB/s", file, name, unit);
    if (!count || count > RUNGS_MAX)
        return err_set(
            e, ERR_ENV, "%s: table \"%s\" has %zu rungs; 1 to %d can be shown", file, name, count, RUNGS_MAX);
    json_array_foreach(json_object_get(table, "counters"), i, value) if (!json_is_string(value) ||
        model_metric_find(json_string_value(value)) < 0) return err_set(e, ERR_ENV,
        "%s: table \"%s\": counter %zu is none: lockstep metrics lists them", file, name, i + 1);
    json_array_foreach(rungs, i, value)
        if (rung_valid(file, name, value, e))
            return -1;
    return 0;
}

/* ---- printing ---- */

/* The relative error in percent; "-" if one of the values is missing. */
static void print_error(struct buf *out, double published, double modelled)
{
    if (isfinite(published) && isfinite(modelled))
        buf_printf(out, " | %+.0f%%", 100 * (modelled / published - 1));
    else
        buf_printf(out, " | -");
}

static void print_value(struct buf *out, double v, const char *unit)
{
    buf_printf(out, " | ");
    buf_rounded(out, v);
    buf_printf(out, "%s", isfinite(v) ? unit : "");
}

/* Append a line to misses if the modelled value is too far from the published one. Without a
 * limit nothing is checked, since a comparison with NAN is false. */
static void hold(const struct published *p, size_t i, const char *what, double published, double modelled,
    struct buf *misses)
{
    double limit = record_number(json_object_get(p->table, "limits"), what),
           off = fabs(modelled / published - 1);
    if (off > limit)
        buf_printf(misses, "%s: %s: its %s is %.0f%% off, more than %.0f%%\n", record_text(p->table, "table"),
            rung(p, i), what, 100 * off, 100 * limit);
}

/* The counters that the document gives. They must be exactly what the simulator counts. */
static void print_counters(const struct published *p, size_t i, struct buf *out, struct buf *misses)
{
    const json_t *name;
    size_t k;
    json_array_foreach(json_object_get(p->table, "counters"), k, name) {
        double published = record_number(json_array_get(rungs_of(p), i), json_string_value(name));
        double counted = p->metrics[i].v[model_metric_find(json_string_value(name))];
        print_value(out, published, "");
        print_value(out, counted, "");
        if (isfinite(published) && published != counted)
            buf_printf(misses, "%s: %s: %s is %g, published as %g\n", record_text(p->table, "table"),
                rung(p, i), json_string_value(name), counted, published);
    }
}

/* One row. The ratio to the rung before is one of speeds, so above 1 always means faster. */
static void print_rung(const struct published *p, size_t i, struct buf *out, struct buf *misses)
{
    double published = figure(p, i), modelled = p->modelled[i], before = NAN, modelled_before = NAN;
    if (i) {
        before = speed(p, published) / speed(p, figure(p, i - 1));
        modelled_before = speed(p, modelled) / speed(p, p->modelled[i - 1]);
    }
    buf_printf(out, "| %s", rung(p, i));
    print_value(out, published, "");
    print_value(out, modelled, "");
    print_error(out, published, modelled);
    print_value(out, before, "x");
    print_value(out, modelled_before, "x");
    print_error(out, before, modelled_before);
    hold(p, i, "figure", published, modelled, misses);
    hold(p, i, "ratio", before, modelled_before, misses);
    print_counters(p, i, out, misses);
    buf_printf(out, " |\n");
}

/* The title, where the table is from, and the header, with two columns for each counter. */
static void print_head(const struct published *p, struct buf *out)
{
    const json_t *name;
    const char *unit = record_text(p->table, "unit"), *note = record_text(p->table, "note");
    int dims[DIMS];
    size_t k;
    record_dims(p->table, dims);
    char *size = problem_size(problem_find(record_text(p->table, "problem")), dims);
    buf_printf(out, "### %s\n\n%s, on %s; modelled for %s, %s.%s%s\n\n", record_text(p->table, "table"),
        record_text(p->table, "document"), record_text(p->table, "gpu"), record_text(p->table, "device"),
        size, *note ? " " : "", note);
    free(size);
    buf_printf(out,
        "| rung | %s published | modelled | error | over the one before, published | modelled | error |",
        unit);
    json_array_foreach(json_object_get(p->table, "counters"), k, name)
        buf_printf(out, " `%s` published | counted |", json_string_value(name));
    buf_printf(out, "\n|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < k; i++)
        buf_printf(out, "---|---|");
    buf_printf(out, "\n");
}

/* Each pair of rungs that the document ranks must have the same order here. If the table says
 * why its order differs, a different order is printed but is not a miss. */
static void print_order(const struct published *p, struct buf *out, struct buf *misses)
{
    size_t count = json_array_size(rungs_of(p)), wrong = 0;
    const char *why = record_text(p->table, "order");
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            double published = speed(p, figure(p, k)) / speed(p, figure(p, i));
            double modelled = speed(p, p->modelled[k]) / speed(p, p->modelled[i]);
            int apart = fabs(published - 1) > NEAR; /* false where one was not published */
            if (!apart || (published > 1) == (modelled > 1))
                continue;
            wrong++;
            if (!*why)
                buf_printf(misses, "%s: %s and %s are the other way round\n", record_text(p->table, "table"),
                    rung(p, i), rung(p, k));
        }
    buf_printf(
        out, wrong ? "\nThe order differs.%s%s\n" : "\nThe order is the document's.\n", *why ? " " : "", why);
}

void published_print(const struct published *p, struct buf *out, struct buf *misses)
{
    print_head(p, out);
    for (size_t i = 0; i < json_array_size(rungs_of(p)); i++)
        print_rung(p, i, out, misses);
    print_order(p, out, misses);
}
