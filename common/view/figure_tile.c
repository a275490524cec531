/* figure_tile.c - the outputs of a warp whose threads have several each, and what they read for one k.
 *
 *                      [    ][    ][####][    ]       a row of b: a part for each lane across
 *                      +-----+-----+-----+-----+
 *               [ ]    |  0  |  1  |  2  |  3  |      the lanes, each with rows x columns outputs
 *               [#]    |  4  |  5  |#####|  7  |
 *               ...                                   #: what one lane reads and computes
 *
 * A thread reads rows + columns floats for rows x columns multiply-adds; a warp reads as many
 * different floats as its tile is high and wide. */
#include "view/svg.h"

#include <stdio.h>

enum { MOST_OUTPUTS = 16 };
/* The strip of b begins at STRIP_Y, that of a at STRIP_X; both are THICK pixels thick; the outputs
 * are HIGH pixels high. */
enum { STRIP_X = 96, STRIP_Y = 20, THICK = 18, GAP = 10, HIGH = 160 };

struct tile {
    long rows, columns, down, lane;
    /* x, y: corner of the outputs; wide, high: size of one lane's outputs */
    double x, y, wide, high;
};

/* Draw the outputs of one lane: a grid if there is room, or its number. */
static void outputs(struct buf *b, const struct tile *t, long lane)
{
    long across = WARP_SIZE / t->down;
    double x = t->x + (double)(lane % across) * t->wide,
           y = t->y + (double)(lane / across) * t->high;
    int own = lane == t->lane;
    char text[24];
    svg_box(b, x, y, t->wide, t->high, own ? BAD : LANE, EDGE);
    if (own) {
        buf_printf(b, "<path fill=\"none\" stroke=\"#ffffff\" d=\"");
        for (long i = 1; i < t->columns; i++)
            buf_printf(
                b, "M%.1f %.1fv%.1f", x + (double)i * t->wide / (double)t->columns, y, t->high);
        for (long i = 1; i < t->rows; i++)
            buf_printf(b, "M%.1f %.1fh%.1f", x, y + (double)i * t->high / (double)t->rows, t->wide);
        buf_printf(b, "\"/>\n");
    } else if (t->high >= 14 && t->wide >= 18) {
        snprintf(text, sizeof text, "%ld", lane);
        svg_text(b, x + t->wide / 2, y + t->high / 2 + 4, TYPE, "middle", text);
    }
}

/* Write which rows or columns of a matrix are read, from `first` on: "a, 8 - 15", or "a, 8". */
static void range(char text[48], const char *matrix, long first, long count)
{
    if (count > 1)
        snprintf(text, 48, "%s, %ld - %ld", matrix, first, first + count - 1);
    else
        snprintf(text, 48, "%s, %ld", matrix, first);
}

/* Draw the column of a and the row of b that the warp reads; the part that the chosen lane reads is
 * marked. */
static void strips(struct buf *b, const struct tile *t)
{
    long across = WARP_SIZE / t->down, row = t->lane / across, column = t->lane % across;
    char text[48];
    for (long i = 0; i < t->down; i++)
        svg_box(
            b, STRIP_X, t->y + (double)i * t->high, THICK, t->high, i == row ? BAD : PALE, EDGE);
    for (long i = 0; i < across; i++)
        svg_box(
            b, t->x + (double)i * t->wide, STRIP_Y, t->wide, THICK, i == column ? BAD : PALE, EDGE);
    range(text, "a", row * t->rows, t->rows);
    svg_text(b, STRIP_X - 8, t->y + ((double)row + 0.5) * t->high + 4, TYPE, "end", text);
    range(text, "b", column * t->columns, t->columns);
    svg_text(b, t->x + ((double)column + 0.5) * t->wide, STRIP_Y - 6, TYPE, "middle", text);
}

int figure_tile(int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e)
{
    struct tile t = {.rows = 8, .columns = 8, .down = 4, .lane = 13};
    const struct figure_option options[] = {
        {"--rows", 1, MOST_OUTPUTS, .number = &t.rows},
        {"--columns", 1, MOST_OUTPUTS, .number = &t.columns},
        {"--down", 1, WARP_SIZE, .number = &t.down},
        {"--lane", 0, WARP_SIZE - 1, .number = &t.lane},
        {0},
    };
    struct buf body = {0};
    char caption[256];
    (void)of;
    if (figure_options(argc, argv, options, e) < 0) return -1;
    if (WARP_SIZE % t.down)
        return err_set(e, ERR_USAGE,
            "--down takes how many of a warp's lanes are below each other: 1, 2, 4, 8, 16 or 32, not %ld",
            t.down);
    long across = WARP_SIZE / t.down;
    t.x = STRIP_X + THICK + GAP;
    t.y = STRIP_Y + THICK + GAP;
    t.wide = (SVG_WIDTH - 28 - t.x) / (double)across;
    t.high = (double)HIGH / (double)t.down;
    strips(&body, &t);
    for (long lane = 0; lane < WARP_SIZE; lane++) outputs(&body, &t, lane);
    long own = t.rows + t.columns, each = t.rows * t.columns,
         all = t.down * t.rows + across * t.columns;
    snprintf(caption, sizeof caption,
        "lane %ld: %ld float%s for %ld multiply-add%s, %.3g each; the warp: %ld different for %ld, %.3g "
        "each",
        t.lane, own, plural_s((double)own), each, plural_s((double)each),
        (double)own / (double)each, all, each * WARP_SIZE,
        (double)all / (double)(each * WARP_SIZE));
    svg_finish(out, &body, t.y + HIGH, caption);
    return 0;
}
