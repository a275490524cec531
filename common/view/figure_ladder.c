/* figure_ladder.c - draw the times of the kernels and routines for one problem as SVG: a row for
 * each, on a logarithmic axis.
 *
 *      naive           01  ----------------------------------o   17.8 ms    1x
 *      coalesced       02  ------------------o                   2.80 ms  6.4x
 *      cublasSgemm         ---------o                           0.342 ms   52x    dashed down: NVIDIA's
 *                          |0.1       |1          |10
 *
 * A dot is a time that was measured, a ring the time that the model says. */
#include "view/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* All in pixels. NAME, LAB: right edge of the names, left edge of the labs' numbers; FROM, TO: ends
 * of the axis; MS, TIMES: right edges of the numbers. */
enum {
    WIDTH = 800,
    TOP = 74,
    STEP = 27,
    NAME = 178,
    LAB = 190,
    FROM = 216,
    TO = 618,
    MS = 704,
    TIMES = 776
};

/* The ends of the axis, which are powers of 10 and enclose all times. */
struct axis {
    double least, most;
};

static struct axis axis_of(const struct figure_rung *r, int count)
{
    struct axis a = {INFINITY, 0};
    for (int i = 0; i < count; i++) {
        a.least = fmin(a.least, fmin(r[i].ms, r[i].modelled_ms));
        a.most = fmax(a.most, fmax(r[i].ms, r[i].modelled_ms));
    }
    /* leave room on the left, so that the shortest line is visible */
    a.least = pow(10, floor(log10(a.least * 0.8)));
    return a;
}

static double x_of(const struct axis *a, double ms)
{
    return FROM + (TO - FROM) * log(ms / a->least) / log(a->most / a->least);
}

static void draw_line(
    struct buf *b, double x1, double y1, double x2, double y2, const char *stroke, const char *more)
{
    buf_printf(b, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s/>\n", x1,
        y1, x2, y2, stroke, more);
}

static void dot(struct buf *b, double x, double y, int ceiling)
{
    buf_printf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" class=\"%s\"/>\n", x, y,
        ceiling ? OTHER : POINT);
}

static void ring(struct buf *b, double x, double y)
{
    buf_printf(b,
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"8\" class=\"" HOLLOW
        "\" stroke=\"#777777\" stroke-width=\"1.5\"/>\n",
        x, y);
}

/* Draw a line at each power of 10, with its number below. */
static void draw_axis(struct buf *b, const struct axis *a, double bottom)
{
    for (double ms = a->least; ms <= a->most; ms *= 10) {
        char text[32];
        snprintf(text, sizeof text, "%g ms", ms);
        draw_line(b, x_of(a, ms), TOP - 12, x_of(a, ms), bottom, "#dddddd", "");
        svg_text(b, x_of(a, ms), bottom + 16, 13, "middle", text);
    }
}

/* Draw a number in a column, right-aligned at x. */
static void column(struct buf *b, double x, double y, double v, const char *unit)
{
    struct buf text = {0};
    buf_rounded(&text, v);
    buf_printf(&text, "%s", unit);
    svg_text(b, x, y + 5, 13, "end", text.data);
    buf_free(&text);
}

/* Draw one row. first: the time of the first row, with which the others are compared. */
static void draw_rung(
    struct buf *b, const struct axis *a, const struct figure_rung *r, double y, double first)
{
    double x = x_of(a, r->ms);
    svg_text(b, NAME, y + 5, 14, "end", r->name);
    if (!r->ceiling) svg_text(b, LAB, y + 5, 13, "start", r->lab);
    draw_line(b, FROM, y, x, y, r->ceiling ? "#f2a35e" : "#777777", "");
    dot(b, x, y, r->ceiling);
    if (isfinite(r->modelled_ms)) ring(b, x_of(a, r->modelled_ms), y);
    column(b, MS, y, r->ms, " ms");
    column(b, TIMES, y, first / r->ms, "x");
}

void figure_ladder(const struct figure_rung *rungs, int count, const char *title,
    const char *source, struct buf *out)
{
    struct axis a = axis_of(rungs, count);
    double bottom = TOP + count * STEP - 8;
    svg_open(out, WIDTH, (int)bottom + 78, title);
    svg_text(out, 16, 26, 17, "start", title);
    svg_text(out, LAB, TOP - 21, 12, "start", "lab");
    svg_text(out, MS, TOP - 21, 12, "end", "time");
    char *over = xasprintf("over %s", rungs[0].name);
    svg_text(out, TIMES, TOP - 21, 12, "end", over);
    free(over);
    draw_axis(out, &a, bottom);
    /* NVIDIA's times are lines through all rows */
    for (int i = 0; i < count; i++)
        if (rungs[i].ceiling)
            draw_line(out, x_of(&a, rungs[i].ms), TOP - 12, x_of(&a, rungs[i].ms), bottom,
                "#f2a35e", " stroke-dasharray=\"3 4\"");
    for (int i = 0; i < count; i++) draw_rung(out, &a, &rungs[i], TOP + i * STEP, rungs[0].ms);
    double y = bottom + 40;
    dot(out, 24, y, 0);
    svg_text(out, 36, y + 5, 13, "start", "measured");
    dot(out, 120, y, 1);
    svg_text(out, 132, y + 5, 13, "start", "NVIDIA's cuBLAS, measured");
    ring(out, 342, y);
    svg_text(out, 358, y + 5, 13, "start", "modelled by the kit, without a GPU");
    svg_text(out, 16, y + 28, 12, "start", source);
    buf_printf(out, "</svg>\n");
}
