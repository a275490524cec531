/* figure_pipeline.c - figures of what goes on at the same time in a block.
 *
 *      stages    stage 0  [copy 0]........[copy 2]       a row per stage: a copy is under way, then
 *                stage 1  [copy 1]........               waits for its product and is read by it
 *                products ////////[0][1]...              /: the arithmetic is idle
 *
 * The times are model_stages' (model/pipeline.c). */
#include "view/svg.h"

#include <math.h>
#include <stdio.h>

enum { LEFT = ROW_LEFT, RIGHT = ROW_RIGHT, ROW_HIGH = 24, BAR_HIGH = 18 };
enum { MOST_STAGES = 8, MOST_STEPS = 16, MOST_CLOCKS = 100000 };

/* ---- rows of time ---- */

/* Where the figure is drawn: pixels per clock. */
struct clock_axis {
    struct buf *b;
    double scale;
};

static double at_x(const struct clock_axis *t, double clock) { return LEFT + clock * t->scale; }

static void row_name(struct buf *b, int row, const char *what)
{
    svg_text(b, LEFT - 6, row * ROW_HIGH + BAR_HIGH - 4, TYPE, "end", what);
}

/* Draw a bar from one clock to another, with a number if there is room for it; number -1: none. */
static void bar(const struct clock_axis *t, int row, double from, double to, const char *fill,
    const char *stroke, long number)
{
    double wide = (to - from) * t->scale, y = row * ROW_HIGH + 1;
    char text[16];
    if (wide <= 0) return;
    svg_box(t->b, at_x(t, from), y, wide, BAR_HIGH, fill, stroke);
    if (number < 0) return;
    int n = snprintf(text, sizeof text, "%ld", number);
    if (wide >= n * 8 + 2)
        svg_text(t->b, at_x(t, (from + to) / 2), y + BAR_HIGH - 5, TYPE, "middle", text);
}

/* A thin bar: something stays as it is. */
static void thin(const struct clock_axis *t, int row, double from, double to, const char *fill)
{
    if (to > from)
        svg_box(t->b, at_x(t, from), row * ROW_HIGH + 8, (to - from) * t->scale, 4, fill, "none");
}

/* ---- stages ---- */

int figure_stages(int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e)
{
    const struct model_profile *device = model_profile_find("h200");
    long stages = 2, copy = 0, work = 400, steps = 6;
    const struct figure_option options[] = {
        {"--stages", 1, MOST_STAGES, .number = &stages},
        {"--copy", 1, MOST_CLOCKS, .number = &copy},
        {"--work", 1, MOST_CLOCKS, .number = &work},
        {"--steps", 1, MOST_STEPS, .number = &steps},
        {"--device", .device = &device},
        {0},
    };
    struct model_step step[MOST_STEPS];
    struct buf body = {0};
    char text[256];
    (void)of;
    if (figure_options(argc, argv, options, e) < 0) return -1;
    if (!copy) copy = device->latency_dram;
    long idle = model_stages((int)stages, copy, work, (int)steps, step), end = step[steps - 1].done;
    struct clock_axis t = {&body, (double)(SVG_WIDTH - LEFT - RIGHT) / (double)end};
    for (int i = 0; i < stages; i++) {
        snprintf(text, sizeof text, "stage %d", i);
        row_name(&body, i, text);
    }
    row_name(&body, (int)stages, "products");
    for (long i = 0, before = 0; i < steps; before = step[i++].done) {
        const struct model_step *s = &step[i];
        bar(&t, (int)(i % stages), (double)s->asked, (double)s->there, LANE, EDGE, i);
        thin(&t, (int)(i % stages), (double)s->there, (double)s->done, MARK);
        bar(&t, (int)stages, (double)before, (double)s->begun, BAD, "none", -1);
        bar(&t, (int)stages, (double)s->begun, (double)s->done, GOOD, EDGE, i);
    }
    snprintf(text, sizeof text,
        "%ld stage%s, copy %ld clocks, product %ld: %ld step%s in %ld clocks; the arithmetic is idle "
        "for %ld, %.0f%%",
        stages, plural_s(stages), copy, work, steps, plural_s(steps), end, idle,
        100.0 * (double)idle / (double)end);
    svg_finish(out, &body, (double)(stages + 1) * ROW_HIGH, text);
    return 0;
}
