/* figure_pipeline.c - figures of copies and arithmetic that overlap in a block.
 *
 *      stages    stage 0  [copy 0]........[copy 2]       a row per stage: a copy is under way, then
 *                stage 1  [copy 1]........               waits for its product and is read by it
 *                products ////////[0][1]...              /: the arithmetic is idle
 *
 *      roles     copy     ////|/////|                    asks, and waits until a stage is freed
 *                stage 0  [copy 0].......[copy 3]         a copy is under way, then its data is read
 *                split    ////////[0]///[1]              a vertical line: what ends a wait, and whose
 *                multiply ///////////[0  ][1  ]
 *
 * The times come from model_stages and model_roles (model/pipeline.c). */
#include "view/svg.h"

#include <math.h>
#include <stdio.h>

enum { LEFT = ROW_LEFT, RIGHT = ROW_RIGHT, ROW_HIGH = 24, BAR_HIGH = 18 };
enum { MOST_STAGES = 8, MOST_STEPS = 16, MOST_CLOCKS = 100000 };

/* ---- rows of time ---- */

/* Where the figure is drawn, and how many pixels a clock takes. */
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

/* Draw a thin bar, for a state that lasts from one clock to another. */
static void thin(const struct clock_axis *t, int row, double from, double to, const char *fill)
{
    if (to > from)
        svg_box(t->b, at_x(t, from), row * ROW_HIGH + 8, (to - from) * t->scale, 4, fill, "none");
}

static void stage_names(struct buf *b, int row, int stages)
{
    char text[24];
    for (int i = 0; i < stages; i++) {
        snprintf(text, sizeof text, "stage %d", i);
        row_name(b, row + i, text);
    }
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
    stage_names(&body, 0, (int)stages);
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

/* ---- roles ---- */

/* Draw a wait in row `row`, labelled with what it waits for if there is room. Append to `lines` an
 * arrow from row from_row, whose event ends the wait. */
static void wait(const struct clock_axis *t, struct buf *lines, int row, long from, long to,
    const char *what, int from_row)
{
    if (to <= from) return;
    double x = at_x(t, (double)to), wide = (double)(to - from) * t->scale;
    bar(t, row, (double)from, (double)to, BAD, "none", -1);
    if (wide >= 44)
        svg_text(t->b, x - wide / 2, row * ROW_HIGH + BAR_HIGH - 4, TYPE, "middle", what);
    int down = row > from_row;
    double y0 = from_row * ROW_HIGH + BAR_HIGH / 2.0,
           y1 = row * ROW_HIGH + (down ? 1 : BAR_HIGH + 1), head = down ? -5 : 5;
    buf_printf(lines,
        "<path d=\"M%.1f %.1fV%.1fM%.1f %.1fL%.1f %.1fL%.1f %.1f\" fill=\"none\" stroke=\"#777777\" "
        "stroke-width=\"2\"/>\n",
        x, y0, y1, x - 4, y1 + head, x, y1, x + 4, y1 + head);
}

static void draw_roles(const struct clock_axis *t, struct buf *lines,
    const struct model_roles *step, int stages, int steps)
{
    const int split = stages + 1, multiply = stages + 2;
    const struct model_roles start = {0};
    for (int i = 0; i < steps; i++) {
        const struct model_roles *s = &step[i], *before = i > 0 ? &step[i - 1] : &start,
                                 *held = i >= stages ? &step[i - stages] : &start;
        int stage = 1 + i % stages;
        long taken = s->there > before->done ? s->there : before->done;
        bar(t, stage, (double)s->asked, (double)s->there, LANE, EDGE, i);
        thin(t, stage, (double)s->there, (double)s->freed, MARK);
        bar(t, split, (double)s->split, (double)s->ready, GOOD, EDGE, i);
        bar(t, multiply, (double)s->begun, (double)s->done, GOOD, EDGE, i);
        wait(t, lines, 0, before->asked, s->asked, "freed",
            held->freed == held->ready ? split : multiply);
        if (s->split == s->there)
            wait(t, lines, split, before->ready, s->split, "loaded", stage);
        else
            wait(t, lines, split, before->ready, s->split, "done", multiply);
        wait(t, lines, multiply, before->done, s->there, "loaded", stage);
        wait(t, lines, multiply, taken, s->begun, "ready", split);
    }
}

int figure_roles(int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e)
{
    const struct model_profile *device = model_profile_find("h200");
    long stages = 3, copy = 0, split = 300, work = 400, steps = 6;
    const struct figure_option options[] = {
        {"--stages", 1, MOST_STAGES, .number = &stages},
        {"--copy", 1, MOST_CLOCKS, .number = &copy},
        {"--split", 1, MOST_CLOCKS, .number = &split},
        {"--work", 1, MOST_CLOCKS, .number = &work},
        {"--steps", 1, MOST_STEPS, .number = &steps},
        {"--device", .device = &device},
        {0},
    };
    struct model_roles step[MOST_STEPS];
    struct buf body = {0}, lines = {0};
    char text[256];
    (void)of;
    if (figure_options(argc, argv, options, e) < 0) return -1;
    if (!copy) copy = device->latency_dram;
    long idle = model_roles((int)stages, copy, split, work, (int)steps, step),
         end = step[steps - 1].done;
    struct clock_axis t = {&body, (double)(SVG_WIDTH - LEFT - RIGHT) / (double)end};
    row_name(&body, 0, "copy");
    stage_names(&body, 1, (int)stages);
    row_name(&body, (int)stages + 1, "split");
    row_name(&body, (int)stages + 2, "multiply");
    draw_roles(&t, &lines, step, (int)stages, (int)steps);
    buf_add(&lines, body.data, body.len); /* the bars cover the lines */
    buf_free(&body);
    snprintf(text, sizeof text,
        "copy %ld clocks, split %ld, multiply %ld: %ld step%s in %ld clocks; multiply waits %ld, %.0f%%",
        copy, split, work, steps, plural_s(steps), end, idle, 100.0 * (double)idle / (double)end);
    svg_finish(out, &lines, (double)(stages + 3) * ROW_HIGH, text);
    return 0;
}
