/* figure_fragment.c - which lane holds which element of the matrices of a product, mma.
 *
 *          A, 16 x 8            B, 8 x 8             C, 16 x 8
 *          0  1  2  3  ...      0  4  8 12 ...       0  0  1  1 ...      a number: the lane
 *          4  5 a0  7  ...      1  5  9 b0 ...       4 c0 c1  5 ...      a0: register 0 of A of --lane
 *
 * Elements of registers with an even number have another colour than the others. Functions of
 * model.h say which lane holds which element; the simulator executes mma by the same functions. */
#include "view/svg.h"

#include <stdio.h>
#include <string.h>

enum { M = 16, N = 8, MOST_K = 16, TOP = 36, ROW_HIGH = 15, GAP = 44, MARGIN = 40 };

/* The products that can be drawn. per: elements in a register of A and B. */
static const struct product {
    const char *shape, *type;
    int k, per;
} products[] = {
    {"m16n8k4", "tf32", 4, 1},
    {"m16n8k8", "tf32", 8, 1},
    {"m16n8k8", "f16", 8, 2},
    {"m16n8k16", "f16", 16, 2},
    {"m16n8k8", "bf16", 8, 2},
    {"m16n8k16", "bf16", 16, 2},
};
enum { PRODUCTS = sizeof products / sizeof *products };

/* A matrix as the warp holds it: for each element its lane, and its register there. */
struct held {
    char name; /* a, b or c */
    int rows, columns;
    int lane[M][MOST_K], reg[M][MOST_K];
};

static void hold(struct held *h, int row, int column, int lane, int reg)
{
    h->lane[row][column] = lane;
    h->reg[row][column] = reg;
}

static void hold_all(const struct product *p, struct held *a, struct held *b, struct held *c)
{
    *a = (struct held){.name = 'a', .rows = M, .columns = p->k};
    *b = (struct held){.name = 'b', .rows = p->k, .columns = N};
    *c = (struct held){.name = 'c', .rows = M, .columns = N};
    for (int l = 0; l < WARP_SIZE; l++) {
        for (int r = 0; r < M * p->k / WARP_SIZE / p->per; r++)
            for (int e = 0; e < p->per; e++)
                hold(a, model_a_row(M, l, r), model_a_column(M, l, r, e, p->per), l, r);
        for (int r = 0; r < N * p->k / WARP_SIZE / p->per; r++)
            for (int e = 0; e < p->per; e++)
                hold(b, model_b_row(l, r, e, p->per), model_b_column(l), l, r);
        for (int r = 0; r < M * N / WARP_SIZE; r++)
            hold(c, model_c_row(l, r), model_c_column(l, r), l, r);
    }
}

/* Append the rows, or columns, in which a lane has elements: " rows 3, 11". */
static void places(struct buf *out, const struct held *h, int lane, int of_rows)
{
    int seen[MOST_K] = {0}, n = 0;
    for (int i = 0; i < h->rows; i++)
        for (int j = 0; j < h->columns; j++)
            if (h->lane[i][j] == lane) seen[of_rows ? i : j] = 1;
    for (int i = 0; i < MOST_K; i++) n += seen[i];
    buf_printf(out, " %s%s", of_rows ? "row" : "column", plural_s(n));
    for (int i = 0, first = 1; i < MOST_K; i++)
        if (seen[i]) buf_printf(out, "%s%d", first ? " " : ", ", i), first = 0;
}

static void number(struct buf *b, double x, double y, const char *anchor, int n)
{
    char text[16];
    snprintf(text, sizeof text, "%d", n);
    svg_text(b, x, y, TYPE, anchor, text);
}

/* Draw a matrix; x: its left edge, wide: width of an element. */
static void matrix(
    struct buf *b, const struct held *h, const char *type, int lane, double x, double wide)
{
    char text[32];
    snprintf(text, sizeof text, "%c, %d x %d, %s", h->name - 'a' + 'A', h->rows, h->columns, type);
    svg_text(b, x, 12, TYPE, "start", text);
    for (int j = 0; j < h->columns; j++) number(b, x + (j + 0.5) * wide, TOP - 5, "middle", j);
    for (int i = 0; i < h->rows; i++) {
        double y = TOP + i * ROW_HIGH;
        number(b, x - 5, y + 12, "end", i);
        for (int j = 0; j < h->columns; j++) {
            int own = h->lane[i][j] == lane;
            svg_box(b, x + j * wide, y, wide, ROW_HIGH,
                own                     ? BAD
                : h->reg[i][j] % 2 == 0 ? LANE
                                        : PALE,
                EDGE);
            if (own)
                snprintf(text, sizeof text, "%c%d", h->name, h->reg[i][j]);
            else
                snprintf(text, sizeof text, "%d", h->lane[i][j]);
            svg_text(b, x + (j + 0.5) * wide, y + 12, TYPE, "middle", text);
        }
    }
}

static const struct product *product_of(const char *shape, const char *type, struct err *e)
{
    struct buf all = {0};
    for (int i = 0; i < PRODUCTS; i++)
        if (!strcmp(shape, products[i].shape) && !strcmp(type, products[i].type))
            return &products[i];
    for (int i = 0; i < PRODUCTS; i++)
        buf_printf(&all, "%s%s %s", i ? ", " : "", products[i].shape, products[i].type);
    err_set(e, ERR_USAGE, "figure fragment draws no product %s of %s: %s", shape, type, all.data);
    buf_free(&all);
    return NULL;
}

int figure_fragment(
    int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e)
{
    const char *shape = "m16n8k8", *type = "tf32";
    long lane = 0;
    const struct figure_option options[] = {
        {"--shape", .word = &shape},
        {"--type", .word = &type},
        {"--lane", 0, WARP_SIZE - 1, .number = &lane},
        {0},
    };
    struct held h[3];
    struct buf body = {0}, caption = {0};
    (void)of;
    if (figure_options(argc, argv, options, e) < 0) return -1;
    const struct product *p = product_of(shape, type, e);
    if (!p) return -1;
    hold_all(p, &h[0], &h[1], &h[2]);
    double wide = (double)(SVG_WIDTH - ROW_RIGHT - MARGIN - 2 * GAP) / (p->k + 2 * N), x = MARGIN;
    wide = wide < 26 ? wide : 26;
    buf_printf(&caption, "lane %ld:", lane);
    for (int i = 0; i < 3; i++) {
        matrix(&body, &h[i], i < 2 ? p->type : "float", (int)lane, x, wide);
        x += h[i].columns * wide + GAP;
        buf_printf(&caption, "%s %c", i ? ";" : "", "ABC"[i]);
        places(&caption, &h[i], (int)lane, 1);
        buf_printf(&caption, ",");
        places(&caption, &h[i], (int)lane, 0);
    }
    svg_finish(out, &body, TOP + M * ROW_HIGH, caption.data);
    buf_free(&caption);
    return 0;
}
