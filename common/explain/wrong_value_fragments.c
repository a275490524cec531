/* wrong_value_fragments.c - recognize a matrix product by mma instructions in which the registers
 * of a fragment (a tile of a, b or d spread over a warp's lanes) hold the wrong elements.
 *
 *      lane 4 g + t, register i   a: 16 x 8                     b: 8 x 8      d: 16 x 8
 *      (row, column) is           g + i % 2 * 8, t + i / 2 * 4  t + 4 * i, g  g + i / 2 * 8, 2 * t + i % 2
 *      a mistake                  another place for a, b or d; the resulting sums are compared
 *
 * Tiles begin at multiples of 16 rows, 8 columns and 8 of k, as in every kernel of mma_tf32.
 * Source: PTX ISA, matrix fragments for mma.m16n8k8. */
#include "explain/wrong_value.h"

#include <math.h>
#include <string.h>

enum { LANES = 32, SIDE = 8 };

/* The row and column, within its tile, of the element in register i of a lane. g = lane / 4, t =
 * lane % 4. */
struct place {
    int row, col;
};
typedef struct place placing(int g, int t, int i);

static struct place right_a(int g, int t, int i)
{
    return (struct place){g + i % 2 * 8, t + i / 2 * 4};
}
static struct place right_b(int g, int t, int i) { return (struct place){t + i * 4, g}; }
static struct place right_d(int g, int t, int i)
{
    return (struct place){g + i / 2 * 8, 2 * t + i % 2};
}
static struct place columns_first(int g, int t, int i)
{
    return (struct place){g + i / 2 * 8, t + i % 2 * 4};
}
static struct place turned(int g, int t, int i) { return (struct place){g, t + i * 4}; }
static struct place pairs(int g, int t, int i) { return (struct place){2 * t + i, g}; }
static struct place rows_first(int g, int t, int i)
{
    return (struct place){g + i % 2 * 8, 2 * t + i / 2};
}

/* The mistakes that are tried. which: the matrix (a, b or d) whose registers hold the elements at
 * the places that `wrong` computes. */
static const struct mistake {
    char which;
    placing *wrong;
    const char *says;
} mistakes[] = {
    {'a', columns_first,
        "a's registers 1 and 2 have changed places: register 1 is 8 rows further down, "
        "register 2 is 4 columns further right"},
    {'a', right_d,
        "a's fragment is placed as d's: a lane holds columns t and t + 4, not neighbours"},
    {'b', turned, "b's fragment is turned: a lane holds rows t and t + 4 of column g"},
    {'b', pairs,
        "a lane has neighbours of a column of b: it holds rows t and t + 4, not 2 t and 2 t + 1"},
    {'d', rows_first,
        "d's registers 1 and 2 have changed places: register 1 is the next column, register 2 "
        "is 8 rows further down"},
    {'d', columns_first,
        "d's columns are apart: a lane holds columns 2 t and 2 t + 1, not t and t + 4"},
    {'d', right_a,
        "d's fragment is placed as a's: a lane holds columns 2 t and 2 t + 1 of rows g and g + 8"},
};

/* Finds the lane and register that hold the element at place p of a tile according to `from`, and
 * returns the place of that register according to `to`. Returns p itself if no lane holds the
 * element. */
static struct place moved(struct place p, placing *to, placing *from, int registers)
{
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < registers; i++) {
            struct place at = from(l / 4, l % 4, i);
            if (at.row == p.row && at.col == p.col) return to(l / 4, l % 4, i);
        }
    return p;
}

/* Element (row, col) of a factor as the mistake reads it; 0 outside of the matrix. */
static double factor(const struct suspicion *s, const struct mistake *m, long row, long col)
{
    int b = m->which == 'b', rows = s->in->dims[b], cols = s->in->dims[b + 1], high = b ? 8 : 16;
    struct place in = {(int)(row % high), (int)(col % SIDE)};
    in = moved(in, m->wrong, b ? right_b : right_a, b ? 2 : 4);
    row += in.row - row % high, col += in.col - col % SIDE;
    return row < rows && col < cols ? ((const float *)s->in->data[b])[row * cols + col] : 0;
}

static double wrong_value(const struct suspicion *s, const void *rule, size_t i)
{
    const struct mistake *m = rule;
    long row = (long)(i / s->columns), col = (long)(i % s->columns), k = s->in->dims[1],
         n = s->in->dims[2];
    const float *a = s->in->data[0], *b = s->in->data[1];
    double sum = 0;
    if (m->which == 'd') {
        struct place in =
            moved((struct place){(int)(row % 16), (int)(col % SIDE)}, right_d, m->wrong, 4);
        row += in.row - row % 16, col += in.col - col % SIDE;
        if (row >= (long)s->rows || col >= (long)s->columns) return 0;
        return s->want->value[row * (long)s->columns + col];
    }
    for (long q = 0; q < (k + SIDE - 1) / SIDE * SIDE; q++) {
        double x = m->which == 'a' ? factor(s, m, row, q) : q < k ? a[row * k + q] : 0;
        double y = m->which == 'b' ? factor(s, m, q, col) : q < k ? b[q * n + col] : 0;
        sum += x * y;
    }
    return sum;
}

int wrong_value_fragments(const struct suspicion *s, struct buf *why)
{
    if (s->count < 3) return 0;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        if (wrong_value_fit(s, wrong_value, &mistakes[i])) {
            buf_printf(why, "%s", mistakes[i].says);
            return 1;
        }
    return 0;
}
