/* suspects_tiles.c - products whose factors come from another place of a tile, tried on a wrong output.
 *
 *     right:     sum over t, i of  a[row][t + i] * b[t + i][col]    row = T blockIdx.y + y; col = ..x + x
 *     suspects:  each index is base + place
 *                base     T blockIdx.y, T blockIdx.x, t or nothing    a tile that does not move
 *                place    y, x or i                                   subscripts that are swapped
 *
 * All factors of this form are listed with their values at the first wrong element. The pairs that give its
 * sum are tried on the others. One wrong factor is likelier than two. */
#include "judge/suspects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum base { BLOCK_Y, BLOCK_X, STEP, NOTHING, BASES };
enum place { Y, X, I, PLACES };
struct index {
    enum base base;
    enum place place;
};
struct factor {
    int buffer;
    struct index row, column;
};
struct product {
    int side; /* of a tile */
    struct factor left, right;
};
enum { FACTORS = 2 * BASES * PLACES * BASES * PLACES };

static int is_aat(const struct suspicion *s) { return !strcmp(s->in->problem->name, "aat"); }

/* The factors of the problem itself. */
static struct product right_product(const struct suspicion *s, int side)
{
    struct index row = {BLOCK_Y, Y}, column = {BLOCK_X, X}, step = {STEP, I};
    struct product p = {side, {0, row, step}, {1, step, column}};
    if (is_aat(s)) p.right = (struct factor){0, column, step};
    return p;
}

static long index_value(struct index n, int side, long row, long col, long step)
{
    const long base[] = {row / side * side, col / side * side, step / side * side, 0};
    const long place[] = {row % side, col % side, step % side};
    return base[n.base] + place[n.place];
}

/* Outside of its matrix a tile holds 0. */
static double factor_value(const struct suspicion *s, const struct factor *f, int side, size_t i, long step)
{
    long row = (long)(i / s->columns), col = (long)(i % s->columns);
    long r = index_value(f->row, side, row, col, step), c = index_value(f->column, side, row, col, step);
    const int *dims = s->in->dims + f->buffer;
    return r < dims[0] && c < dims[1] ? ((const float *)s->in->data[f->buffer])[r * dims[1] + c] : 0;
}

static double product_value(const struct suspicion *s, const void *rule, size_t i)
{
    const struct product *p = rule;
    double sum = 0;
    for (long q = 0; q < s->in->dims[1]; q++)
        sum += factor_value(s, &p->left, p->side, i, q) * factor_value(s, &p->right, p->side, i, q);
    return sum;
}

/* ---- words ---- */

static int same(struct index a, struct index b) { return a.base == b.base && a.place == b.place; }

/* "row", "t + i", "32 * blockIdx.x + y" */
static void write_index(struct index n, int side, struct buf *why)
{
    if (n.base == BLOCK_Y && n.place == Y) buf_printf(why, "row");
    else if (n.base == BLOCK_X && n.place == X) buf_printf(why, "col");
    else {
        if (n.base == STEP) buf_printf(why, "t + ");
        else if (n.base != NOTHING)
            buf_printf(why, "%d * blockIdx.%c + ", side, n.base == BLOCK_Y ? 'y' : 'x');
        buf_printf(why, "%c", "yxi"[n.place]);
    }
}

static int is(const struct factor *a, const struct factor *b)
{
    return a->buffer == b->buffer && same(a->row, b->row) && same(a->column, b->column);
}

static void write_factors(const struct suspicion *s, const struct product *p, struct buf *why)
{
    for (int i = 0; i < 2; i++) {
        const struct factor *f = i ? &p->right : &p->left;
        buf_printf(why, "%s%s[", i ? " * " : "", s->in->problem->buffers[f->buffer].name);
        write_index(f->row, p->side, why);
        buf_printf(why, "][");
        write_index(f->column, p->side, why);
        buf_printf(why, "]");
    }
}

static void tell(const struct suspicion *s, const struct product *p, struct buf *why)
{
    struct product want = right_product(s, p->side);
    buf_printf(why, "it is the sum of ");
    write_factors(s, p, why);
    buf_printf(why, ", with x, y and i within tiles of %d from step t on; the product is the sum of ",
        p->side);
    write_factors(s, &want, why);
    int left = is(&p->left, &want.left), right = is(&p->right, &want.right);
    if (left || right)
        buf_printf(why, ": look where %s is read",
            s->in->problem->buffers[left ? p->right.buffer : p->left.buffer].name);
}

/* ---- the search ---- */

static int list_factors(const struct suspicion *s, struct factor *list)
{
    int count = 0;
    for (int n = 0; n < FACTORS / (is_aat(s) ? 2 : 1); n++) {
        int rest = n;
        struct factor f;
        f.column.place = rest % PLACES, rest /= PLACES;
        f.column.base = rest % BASES, rest /= BASES;
        f.row.place = rest % PLACES, rest /= PLACES;
        f.row.base = rest % BASES, rest /= BASES;
        f.buffer = rest;
        list[count++] = f;
    }
    return count;
}

/* wrong: how many of the two factors may be wrong. */
static int search(const struct suspicion *s, int side, int wrong, struct product *found)
{
    struct factor list[FACTORS];
    int count = list_factors(s, list), fits = 0;
    long k = s->in->dims[1];
    size_t first = s->wrong[0];
    struct product want = right_product(s, side);
    double got = suspects_element(s->in, s->data, first), slack = 4 * (double)s->want->slack[first];
    double *values = xcalloc((size_t)count * (size_t)k, sizeof *values);
    for (int n = 0; n < count; n++)
        for (long q = 0; q < k; q++) values[n * k + q] = factor_value(s, &list[n], side, first, q);
    for (int l = 0; l < count && !fits; l++)
        for (int r = 0; r < count && !fits; r++) {
            double sum = 0;
            int wrongs = !is(&list[l], &want.left) + !is(&list[r], &want.right);
            if (wrongs != wrong) continue;
            for (long q = 0; q < k; q++) sum += values[l * k + q] * values[r * k + q];
            *found = (struct product){side, list[l], list[r]};
            fits = fabs(sum - got) <= slack && suspects_fit(s, product_value, found);
        }
    free(values);
    return fits;
}

int suspects_tiles(const struct suspicion *s, struct buf *why)
{
    struct product found;
    int zeros = 0; /* what lies outside is 0 too, and fits */
    for (int i = 0; i < s->count; i++) zeros += suspects_element(s->in, s->data, s->wrong[i]) == 0;
    if (s->count < 3 || zeros == s->count) return 0;
    for (int wrong = 1; wrong <= 2; wrong++)
        for (int side = 32; side >= 16; side -= 16)
            if (search(s, side, wrong, &found)) {
                tell(s, &found, why);
                return 1;
            }
    return 0;
}
