/* published.c - a published table beside the figures made here: the kernels (rungs), their
 * order, and speed-ups.
 *
 *     rung                   GB/s published   here   ratio
 *     naive                            1.10  0.891    0.81
 *     shared, conflicts                24.9   23.3    0.94
 */
#include "hardware/published.h"
#include "exercise/exercise.h"
#include "hardware/record.h"
#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Published figures that differ by less than NEAR count as equal, so their order is not checked;
 * those made here, by less than SAME. A figure that is further off than FAR needs a reason. */
static const double NEAR = 0.05, SAME = 0.005, FAR = 0.3;

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

static const json_t *row_of(const struct published *p, size_t i)
{
    return json_array_get(rungs_of(p), i);
}

static int is_time(const struct published *p)
{
    return !strcmp(record_text(p->table, "unit"), "ms");
}

/* The speed of a value, in any unit in which more is faster. */
static double speed(const struct published *p, double v) { return is_time(p) ? 1 / v : v; }

/* The published figure of rung i; NAN if the document has none. */
static double figure(const struct published *p, size_t i)
{
    return record_number(row_of(p, i), "figure");
}

static const char *rung(const struct published *p, size_t i)
{
    return record_text(row_of(p, i), "rung");
}

static int on_cpu(const struct published *p, size_t i)
{
    return *record_text(row_of(p, i), "cpu") != 0;
}

/* ---- what a table must have ---- */

static int is_rung(const json_t *rungs, const char *name)
{
    const json_t *r;
    size_t i;
    json_array_foreach(rungs, i, r) if (!strcmp(record_text(r, "rung"), name)) return 1;
    return 0;
}

/* The members that a rung must have. A figure may be missing, but it must not be 0 or negative. */
static int rung_valid(const char *file, const char *table, const json_t *r, struct err *e)
{
    const char *name = record_text(r, "rung"), *problem = record_text(r, "problem");
    int cpu = *record_text(r, "cpu") != 0;
    if (!*name || (!cpu && (!*record_text(r, "file") || !*record_text(r, "kernel"))))
        return err_set(e, ERR_ENV,
            "%s: table \"%s\": rung \"%s\" needs a rung, a file and a kernel", file, table, name);
    if (*problem && !problem_find(problem))
        return err_set(e, ERR_ENV, "%s: table \"%s\": rung \"%s\": there is no problem \"%s\"",
            file, table, name, problem);
    if (json_object_get(r, "figure") && !(record_number(r, "figure") > 0))
        return err_set(e, ERR_ENV,
            "%s: table \"%s\": rung \"%s\": its figure is not a number above 0", file, table, name);
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
        return err_set(e, ERR_ENV,
            "%s: table \"%s\" needs a table (its title), a document and a gpu", file, name);
    if (!problem || record_dims(table, dims) != problem_dims(problem))
        return err_set(e, ERR_ENV, "%s: table \"%s\": no problem \"%s\" of %zu dims", file, name,
            record_text(table, "problem"), json_array_size(json_object_get(table, "dims")));
    if (strcmp(unit, "ms") && strcmp(unit, "GB/s") && model_metric_find(unit) < 0)
        return err_set(e, ERR_ENV,
            "%s: table \"%s\": unit \"%s\" is neither ms nor GB/s nor a counter", file, name, unit);
    if (!count || count > RUNGS_MAX)
        return err_set(e, ERR_ENV, "%s: table \"%s\" has %zu rungs; 1 to %d can be shown", file,
            name, count, RUNGS_MAX);
    json_array_foreach(json_object_get(table, "counters"), i,
        value) if (!json_is_string(value) ||
                   model_metric_find(json_string_value(value)) < 0) return err_set(e, ERR_ENV,
        "%s: table \"%s\": counter %zu is none: lockstep metrics lists them", file, name, i + 1);
    json_array_foreach(json_object_get(table, "speedups"), i,
        value) if (!is_rung(rungs, record_text(value, "of")) ||
                   !is_rung(rungs, record_text(value, "over"))) return err_set(e, ERR_ENV,
        "%s: table \"%s\": speed-up %zu is of no rung over a rung", file, name, i + 1);
    json_array_foreach(rungs, i, value) if (rung_valid(file, name, value, e)) return -1;
    return 0;
}

/* ---- a grid of cells, as Markdown or in columns ---- */

enum { COLUMNS_MAX = 12, ROWS_MAX = RUNGS_MAX + 1 };
struct grid {
    struct buf cell[ROWS_MAX][COLUMNS_MAX];
    struct buf below[ROWS_MAX]; /* a sentence under a row; in Markdown under the grid */
    int rows, columns;
};

static struct buf *next(struct grid *g)
{
    if (g->columns == COLUMNS_MAX || g->rows > ROWS_MAX) BUG("a table has no room");
    return &g->cell[g->rows - 1][g->columns++];
}

static void begin_row(struct grid *g)
{
    g->rows++;
    g->columns = 0;
}

/* The width of a text in characters, not in bytes. */
static int width(const char *text)
{
    int n = 0;
    for (; *text; text++) n += (*text & 0xc0) != 0x80;
    return n;
}

static const char *text_of(const struct buf *b) { return b->len ? b->data : ""; }

static void print_markdown(const struct grid *g, struct buf *out)
{
    for (int r = 0; r < g->rows; r++) {
        buf_printf(out, "|");
        for (int c = 0; c < g->columns; c++) buf_printf(out, " %s |", text_of(&g->cell[r][c]));
        buf_printf(out, "\n");
        for (int c = 0; c <= g->columns && !r; c++)
            buf_printf(out, c < g->columns ? "|---" : "|\n");
    }
    for (int r = 0; r < g->rows; r++)
        if (g->below[r].len)
            buf_printf(out, "\n%s: %s.\n", text_of(&g->cell[r][0]), g->below[r].data);
}

static void print_columns(const struct grid *g, struct buf *out)
{
    int most[COLUMNS_MAX] = {0};
    for (int r = 0; r < g->rows; r++)
        for (int c = 0; c < g->columns; c++)
            if (width(text_of(&g->cell[r][c])) > most[c]) most[c] = width(text_of(&g->cell[r][c]));
    for (int r = 0; r < g->rows; r++) {
        for (int c = 0; c < g->columns; c++) {
            const char *text = text_of(&g->cell[r][c]);
            int space = most[c] - width(text);
            if (c)
                buf_printf(out, "  %*s%s", space, "", text);
            else
                buf_printf(out, "%s%*s", text, space, "");
        }
        buf_printf(out, "\n");
        report_wrapped(out, 4, text_of(&g->below[r]));
    }
}

static void print_grid(struct grid *g, enum published_form form, struct buf *out)
{
    (form == PUBLISHED_MARKDOWN ? print_markdown : print_columns)(g, out);
    for (int r = 0; r < g->rows; r++) {
        buf_free(&g->below[r]);
        for (int c = 0; c < COLUMNS_MAX; c++) buf_free(&g->cell[r][c]);
    }
}

static void put(struct grid *g, double v, const char *unit)
{
    struct buf *b = next(g);
    buf_rounded(b, v);
    buf_printf(b, "%s", isfinite(v) ? unit : "");
}

static void put_ratio(struct grid *g, double published, double here)
{
    struct buf *b = next(g);
    if (isfinite(published) && isfinite(here))
        buf_printf(b, "%.2f", here / published);
    else
        buf_printf(b, "-");
}

/* ---- printing ---- */

/* Append a line to misses if a ratio of neighbouring rungs is further off than the table allows.
 * Without a limit nothing is checked, since a comparison with NAN is false. */
static void hold_ratio(const struct published *p, size_t i, struct buf *misses)
{
    double limit = record_number(json_object_get(p->table, "limits"), "ratio");
    if (!i) return;
    double published = speed(p, figure(p, i)) / speed(p, figure(p, i - 1));
    double off = fabs(speed(p, p->here[i]) / speed(p, p->here[i - 1]) / published - 1);
    if (off > limit)
        buf_printf(misses, "%s: %s: its ratio is %.0f%% off, more than %.0f%%\n",
            record_text(p->table, "table"), rung(p, i), 100 * off, 100 * limit);
}

/* Is the figure of rung i further from the published one than FAR? No, where one is missing. */
static int is_far(const struct published *p, size_t i)
{
    double off = p->here[i] / figure(p, i);
    return off > 1 + FAR || off < 1 - FAR;
}

/* If the figure of rung i is far off, append the reason to why or, if none is given, a line to
 * misses. */
static void hold_figure(const struct published *p, size_t i, struct buf *why, struct buf *misses)
{
    double off = p->here[i] / figure(p, i);
    const char *reason = record_text(row_of(p, i), "reason");
    if (on_cpu(p, i)) reason = "another processor: this machine's";
    if (!*reason) reason = record_text(p->table, "reason");
    if (!is_far(p, i)) return;
    if (*reason)
        buf_printf(why, "%s", reason);
    else
        buf_printf(misses,
            "%s: %s: its figure is %.2f times the published one, and no reason is given\n",
            record_text(p->table, "table"), rung(p, i), off);
}

/* Append cells with the counters that the document gives. They must be exactly what the simulator
 * counts. */
static void put_counters(const struct published *p, size_t i, struct grid *g, struct buf *misses)
{
    const json_t *name;
    size_t k;
    json_array_foreach(json_object_get(p->table, "counters"), k, name)
    {
        double published = record_number(row_of(p, i), json_string_value(name));
        double counted = p->metrics[i].v[model_metric_find(json_string_value(name))];
        struct buf *b = next(g);
        buf_rounded(b, published);
        buf_printf(b, " / ");
        buf_rounded(b, counted);
        if (isfinite(published) && published != counted)
            buf_printf(misses, "%s: %s: %s is %g, published as %g\n",
                record_text(p->table, "table"), rung(p, i), json_string_value(name), counted,
                published);
    }
}

static int has_gflops(const struct published *p)
{
    const json_t *r;
    size_t i;
    json_array_foreach(rungs_of(p), i, r) if (json_object_get(r, "gflops")) return 1;
    return 0;
}

/* The rate of the table's product, in GFLOPS, if it takes ms. */
static double gflops(const struct published *p, double ms)
{
    int dims[DIMS];
    record_dims(p->table, dims);
    return problem_rate(problem_find(record_text(p->table, "problem")), dims, ms);
}

static void put_rung(const struct published *p, size_t i, struct grid *g, struct buf *misses)
{
    const char *timer = record_text(row_of(p, i), "timer");
    begin_row(g);
    buf_printf(next(g), *timer ? "%s (%s)" : "%s", rung(p, i), timer);
    put(g, figure(p, i), "");
    put(g, p->here[i], "");
    put_ratio(g, figure(p, i), p->here[i]);
    if (has_gflops(p)) {
        put(g, record_number(row_of(p, i), "gflops"), "");
        put(g, gflops(p, p->here[i]), "");
    }
    put_counters(p, i, g, misses);
    hold_figure(p, i, &g->below[g->rows - 1], misses);
    hold_ratio(p, i, misses);
}

/* Append the title, and where the table is from. */
static void print_head(const struct published *p, enum published_form form, struct buf *out)
{
    const char *note = record_text(p->table, "note"), *doc = record_text(p->table, "doc");
    int dims[DIMS];
    record_dims(p->table, dims);
    char *size = problem_size(problem_find(record_text(p->table, "problem")), dims);
    buf_printf(
        out, "%s%s\n\n", form == PUBLISHED_MARKDOWN ? "### " : "", record_text(p->table, "table"));
    struct buf text = {0};
    buf_printf(&text, "%s%s%s, on %s; modelled for %s, %s.%s%s", doc, *doc ? ": " : "",
        record_text(p->table, "document"), record_text(p->table, "gpu"),
        record_text(p->table, "device"), size, *note ? " " : "", note);
    if (json_object_get(p->table, "blocks") || json_object_get(p->table, "sms"))
        buf_printf(&text, " A part of the blocks was run; the others are taken to be like them.");
    if (form == PUBLISHED_TEXT)
        report_wrapped(out, 0, text.data);
    else
        buf_printf(out, "%s\n", text.data);
    buf_printf(out, "\n");
    buf_free(&text);
    free(size);
}

/* In a terminal, this end of counters' names is left out of the table and printed under it. */
static const char PER[] = "_transactions_per_request";

static void put_titles(const struct published *p, enum published_form form, struct grid *g)
{
    const json_t *name;
    size_t k;
    begin_row(g);
    buf_printf(next(g), "rung");
    buf_printf(next(g), "%s published", record_text(p->table, "unit"));
    buf_printf(next(g), "here");
    buf_printf(next(g), "ratio");
    if (has_gflops(p)) {
        buf_printf(next(g), "GFLOPS published");
        buf_printf(next(g), "here");
    }
    json_array_foreach(json_object_get(p->table, "counters"), k, name)
    {
        const char *n = json_string_value(name), *per = strstr(n, PER);
        if (form == PUBLISHED_MARKDOWN || !per)
            buf_printf(next(g), "`%s` / here", n);
        else
            buf_printf(next(g), "%.*s / here", (int)(per - n), n);
    }
}

static double time_of(const struct published *p, const char *name, int published)
{
    for (size_t i = 0; i < json_array_size(rungs_of(p)); i++)
        if (!strcmp(rung(p, i), name)) return 1 / speed(p, published ? figure(p, i) : p->here[i]);
    return NAN;
}

/* Append the speed-ups. Over a CPU, the published one compares the document's CPU and GPU, ours
 * this machine's CPU and the modelled GPU. */
static void print_speedups(const struct published *p, enum published_form form, struct buf *out)
{
    const json_t *s, *list = json_object_get(p->table, "speedups");
    struct grid g = {0};
    size_t i;
    if (!json_array_size(list)) return;
    begin_row(&g);
    buf_printf(next(&g), "speed-up");
    buf_printf(next(&g), "published");
    buf_printf(next(&g), "here");
    json_array_foreach(list, i, s)
    {
        const char *of = record_text(s, "of"), *over = record_text(s, "over");
        begin_row(&g);
        buf_printf(next(&g), "%s over %s", of, over);
        put(&g, record_number(s, "figure"), "x");
        put(&g, time_of(p, over, 0) / time_of(p, of, 0), "x");
        double says = record_number(s, "figure"), is = time_of(p, over, 1) / time_of(p, of, 1);
        struct buf *below = &g.below[g.rows - 1];
        if (isfinite(is) && fabs(is / says - 1) > NEAR)
            buf_printf(below, "the published times give %.3g", is);
        if (*record_text(s, "reason"))
            buf_printf(below, "%s%s", below->len ? "; " : "", record_text(s, "reason"));
    }
    buf_printf(out, "\n");
    print_grid(&g, form, out);
}

/* Each pair of rungs that the document ranks must have the same order here, or be equal. If the
 * table says why its order differs, a different order is printed but is not a miss. Returns how many
 * pairs have another order. */
static size_t print_order(const struct published *p, struct buf *out, struct buf *misses)
{
    size_t count = json_array_size(rungs_of(p)), wrong = 0;
    const char *why = record_text(p->table, "order");
    struct buf same = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = i + 1; k < count; k++) {
            double published = speed(p, figure(p, k)) / speed(p, figure(p, i));
            double here = speed(p, p->here[k]) / speed(p, p->here[i]);
            /* false if a figure is missing, since it is NAN then */
            int apart = fabs(published - 1) > NEAR && isfinite(here);
            if (!apart || on_cpu(p, i) || on_cpu(p, k)) continue;
            if (fabs(here - 1) < SAME) {
                buf_printf(&same, "%s%s and %s", same.len ? "; " : "", rung(p, i), rung(p, k));
                continue;
            }
            if ((published > 1) == (here > 1)) continue;
            wrong++;
            if (!*why)
                buf_printf(misses, "%s: %s and %s are the other way round\n",
                    record_text(p->table, "table"), rung(p, i), rung(p, k));
        }
    if (wrong)
        buf_printf(out, "\nThe order differs.%s%s\n", *why ? " " : "", why);
    else if (same.len)
        buf_printf(out, "\nThe order is the document's, but equal here: %s.\n", same.data);
    else
        buf_printf(out, "\nThe order is the document's.\n");
    buf_free(&same);
    return wrong;
}

void published_count(const struct published *p, struct published_tally *t)
{
    struct buf order = {0};
    t->tables++;
    t->in_order += !print_order(p, &order, &order);
    buf_free(&order);
    int figures = t->figures, near = t->near;
    for (size_t i = 0; i < json_array_size(rungs_of(p)); i++) {
        if (on_cpu(p, i) || !isfinite(figure(p, i)) || !isfinite(p->here[i])) continue;
        t->figures++;
        t->near += !is_far(p, i);
        if (is_far(p, i))
            buf_printf(&t->far, "  %5.2f  %s: %s\n", p->here[i] / figure(p, i),
                record_text(p->table, "table"), rung(p, i));
    }
    t->whole += t->figures > figures && t->figures - figures == t->near - near;
}

void published_print(
    const struct published *p, enum published_form form, struct buf *out, struct buf *misses)
{
    struct grid g = {0};
    print_head(p, form, out);
    put_titles(p, form, &g);
    for (size_t i = 0; i < json_array_size(rungs_of(p)); i++) put_rung(p, i, &g, misses);
    print_grid(&g, form, out);
    if (form == PUBLISHED_TEXT && json_object_get(p->table, "counters"))
        buf_printf(out, "gst, shared_load, shared_store: %s, published / here\n", PER + 1);
    print_speedups(p, form, out);
    print_order(p, out, misses);
}
