/* test_wrong_values.c - what is said of outputs that a usual mistake gives: each row below makes the
 * output of one mistake, and tests/wrong_values.txt keeps the sentence that it gets, with what the
 * finding says to the search for a cause. */
#include "explain/explain.h"
#include "explain/wrong_value.h"
#include "golden.h"

#include <math.h>

/* An element of the output: its index, row and column; w: the right output. */
struct place {
    const struct instance *in;
    const double *w;
    long i, r, c, rows, columns, m, k, n;
};
#define IN(buffer, at) element(p->in, buffer, at)
#define MADE(name, value) \
    static double name(const struct place *p) \
    { \
        (void)p; \
        return value; \
    }

/* The value of an element that nothing has written. */
static const double UNWRITTEN = -1e30;

static double element(const struct instance *in, int buffer, long at)
{
    if (at < 0 || (size_t)at >= in->count[buffer]) return 0;
    if (in->problem->buffers[buffer].element == ELEMENT_F64)
        return ((const double *)in->data[buffer])[at];
    return ((const float *)in->data[buffer])[at];
}

/* ---- products ---- */

/* The sum of the products from .. to - 1 of a[...] * b[...], whose indices are in terms of row r,
 * column c and step q. */
#define SUM(name, from, to, a, b) \
    static double name(const struct place *p) \
    { \
        double sum = 0; \
        long r = p->r, c = p->c, m = p->m, k = p->k, n = p->n; \
        (void)r, (void)c, (void)m, (void)k, (void)n; \
        for (long q = from; q < (to); q++) sum += IN(0, a) * IN(p->in->problem->output == 2, b); \
        return sum; \
    }
#define PART(name, from, to) SUM(name, from, to, r *k + q, q * n + c)
#define OTHER(name, a, b) SUM(name, 0, k, a, b)
PART(first_16, 0, 16)
PART(first_30, 0, 30)
PART(first_32, 0, 32)
PART(last_5, k - 5, k)
PART(last_1, k - 1, k)
PART(middle, 3, 9)
OTHER(b_turned, r *k + q, c *k + q)
OTHER(a_turned, q *m + r, q *n + c)
OTHER(a_by_column, c *k + q, q *n + c)
OTHER(b_by_row, r *k + q, q *n + r)
OTHER(b_length, r *k + q, q *k + c)
OTHER(a_length, r *n + q, q *n + c)
OTHER(both, q *m + r, r *k + q)
SUM(aat_aa, 0, k, r *k + q, q *k + c)
SUM(aat_first, 0, 20, r *k + q, c *k + q)
SUM(aat_last, 16, k, r *k + q, c *k + q)
SUM(aat_last_1, k - 1, k, r *k + q, c *k + q)
SUM(aat_length, 0, k, r *k + q, c *m + q)
SUM(aat_row, 0, k, r *k + q, r *k + q)

/* An element of a product by tiles of `side` steps, of which only low .. high - 1 are added. */
static double tile_part(const struct place *p, int side, int low, int high)
{
    double sum = 0;
    for (long q = 0; q < p->k; q++)
        if (q % side >= low && q % side < high)
            sum += IN(0, p->r * p->k + q) * IN(1, q * p->n + p->c);
    return sum;
}
MADE(half_tiles, tile_part(p, 16, 0, 8))
MADE(late_tiles, tile_part(p, 8, 1, 8))
MADE(one_of_4, tile_part(p, 4, 2, 3))
MADE(imprecise, p->w[p->i] * (1 + 2e-4))
/* In less precision: errors that are large beside the check's tolerance, and small beside the values. */
MADE(coarse, p->w[p->i] + (p->i % 2 ? 0.012 : -0.012))
MADE(coarse_doubled, 2 * p->w[p->i] + (p->i % 2 ? 0.012 : -0.012))
MADE(next_row, p->r + 1 < p->rows ? p->w[p->i + p->columns] : p->w[p->i])
MADE(rows_apart, p->r < 8 ? p->w[p->i + 8 * p->columns] : p->w[p->i])
MADE(turned_sums, p->c < p->rows && p->r < p->columns ? p->w[p->c * p->columns + p->r] : p->w[p->i])

/* ---- products by mma.m16n8k8: lane 4 g + t, register i ---- */

typedef void placing(int g, int t, int i, int *row, int *col);
#define PLACE(name, x, y) \
    static void name(int g, int t, int i, int *row, int *col) { *row = (x), *col = (y); }
PLACE(own_a, g + i % 2 * 8, t + i / 2 * 4)
PLACE(own_b, t + i * 4, g)
PLACE(own_d, g + i / 2 * 8, 2 * t + i % 2)
PLACE(a_columns_first, g + i / 2 * 8, t + i % 2 * 4)
PLACE(b_turned_place, g, t + i * 4)
PLACE(b_pairs, 2 * t + i, g)
PLACE(d_rows_first, g + i % 2 * 8, 2 * t + i / 2)

/* Replaces the place (row, col) in a tile, whose element a register holds by `own`, by the place
 * that `wrong` gives for that register. */
static void moved(placing *own, placing *wrong, int registers, long *row, long *col)
{
    for (int l = 0; l < 32; l++)
        for (int i = 0; i < registers; i++) {
            int r, c, to_r, to_c;
            own(l / 4, l % 4, i, &r, &c);
            if (r != *row % 16 || c != *col % 8) continue;
            wrong(l / 4, l % 4, i, &to_r, &to_c);
            *row += to_r - r, *col += to_c - c;
            return;
        }
}

static double by_a(const struct place *p, placing *wrong)
{
    double sum = 0;
    for (long q = 0; q < p->k; q++) {
        long row = p->r, col = q;
        moved(own_a, wrong, 4, &row, &col);
        sum += (row < p->m && col < p->k ? IN(0, row * p->k + col) : 0) * IN(1, q * p->n + p->c);
    }
    return sum;
}
static double by_b(const struct place *p, placing *wrong)
{
    double sum = 0;
    for (long q = 0; q < p->k; q++) {
        long row = q % 8, col = p->c;
        moved(own_b, wrong, 2, &row, &col);
        row += q / 8 * 8;
        sum += IN(0, p->r * p->k + q) * (row < p->k && col < p->n ? IN(1, row * p->n + col) : 0);
    }
    return sum;
}
static double by_d(const struct place *p, placing *wrong)
{
    long row = p->r, col = p->c;
    moved(wrong, own_d, 4, &row, &col);
    return p->w[row * p->columns + col];
}
MADE(a_changed, by_a(p, a_columns_first))
MADE(a_as_d, by_a(p, own_d))
MADE(b_is_turned, by_b(p, b_turned_place))
MADE(b_in_pairs, by_b(p, b_pairs))
MADE(d_changed, by_d(p, d_rows_first))
MADE(d_apart, by_d(p, a_columns_first))
MADE(d_as_a, by_d(p, own_a))

/* ---- values of any problem ---- */

MADE(doubled, 2 * p->w[p->i])
MADE(half_of_it, p->w[p->i] / 2)
MADE(turned_sign, -p->w[p->i])
MADE(plus_one, p->w[p->i] + 1)
MADE(minus_half, p->w[p->i] - 0.5)
MADE(in_an_int, trunc(p->w[p->i]))
MADE(zeros, 0)
MADE(not_numbers, NAN)
MADE(infinite, INFINITY)
MADE(last_columns, p->c >= 64 ? 0 : p->w[p->i])
MADE(last_rows, p->r >= 32 ? 0 : p->w[p->i])
MADE(one_wrong, p->i == 77 ? 3 : p->w[p->i])
MADE(random_like, cos(12.9898 * (double)p->i) * 3)

/* ---- which part was written ---- */

MADE(nothing, UNWRITTEN)
MADE(one_block, p->r < 8 && p->c < 32 ? p->w[p->i] : UNWRITTEN)
MADE(every_2nd, p->c % 2 ? UNWRITTEN : p->w[p->i])
MADE(every_3rd_row, p->r % 3 ? UNWRITTEN : p->w[p->i])
MADE(every_4th, p->i % 4 ? UNWRITTEN : p->w[p->i])
MADE(as_wide_as_high, p->c < (p->rows + 15) / 16 * 16 ? p->w[p->i] : UNWRITTEN)
MADE(inner_part, p->r >= 4 && p->r < 9 && p->c >= 8 && p->c < 20 ? p->w[p->i] : UNWRITTEN)
MADE(all_but_inner, p->r >= 4 && p->r < 9 && p->c >= 8 && p->c < 20 ? UNWRITTEN : p->w[p->i])
MADE(scattered, p->i * p->i % 7 == 1 ? UNWRITTEN : p->w[p->i])
MADE(all_but_rest, p->i >= p->columns / 4 * 4 ? UNWRITTEN : p->w[p->i])
MADE(first_block, p->i < 128 ? p->w[p->i] : UNWRITTEN)

/* ---- transposes ---- */

/* The element of in that kernels in tiles of `side` store at (r, c) of its transpose. how: 0: tiles
 * stay where they were; 1: tiles are not transposed inside. */
static double tiled(const struct place *p, long side, int how)
{
    long r = p->r, c = p->c, t = side;
    long row = how == 0 ? r / t * t + c % t : c / t * t + r % t;
    long col = how == 0 ? c / t * t + r % t : r / t * t + c % t;
    return row < p->m && col < p->k ? IN(0, row * p->k + col) : 0;
}
MADE(copied, IN(0, p->i))
MADE(stays_64, tiled(p, 64, 0))
MADE(stays_32, tiled(p, 32, 0))
MADE(stays_16, tiled(p, 16, 0))
MADE(stays_4, tiled(p, 4, 0))
MADE(inside_64, tiled(p, 64, 1))
MADE(inside_32, tiled(p, 32, 1))
MADE(inside_16, tiled(p, 16, 1))
MADE(inside_4, tiled(p, 4, 1))

/* ---- copies and vectors ---- */

MADE(one_further, IN(0, p->i + 1))
MADE(row_before, IN(0, p->i - p->columns))
MADE(by_rows, IN(0, p->r * p->m + p->c))
MADE(every_fourth, IN(0, 4 * p->c))
MADE(only_first, IN(0, 5))
MADE(column_twice, IN(0, p->r * p->k + 2 * p->c))
MADE(computed, IN(0, p->i) * 1.5)
MADE(a_alone, IN(0, p->i))
MADE(b_alone, IN(1, p->i))
MADE(a_twice, 2 * IN(0, p->i))
MADE(b_twice, 2 * IN(1, p->i))
MADE(difference, (float)IN(0, p->i) - (float)IN(1, p->i))
MADE(turned_difference, (float)IN(1, p->i) - (float)IN(0, p->i))
MADE(multiplied, (float)IN(0, p->i) * (float)IN(1, p->i))
MADE(b_further, (float)IN(0, p->i) + (float)IN(1, p->i + 2))
MADE(a_further, (float)IN(0, p->i + 3) + (float)IN(1, p->i))

static double xyz(const struct place *p, int which)
{
    return p->in->problem->output == 3 ? IN(which, p->i) : IN(0, 3 * p->i + which);
}
#define X xyz(p, 0)
#define Y xyz(p, 1)
#define Z xyz(p, 2)
MADE(rooted, sqrt(p->w[p->i]))
MADE(without_x, Y *Y + Z * Z)
MADE(without_y, X *X + Z * Z)
MADE(without_z, X *X + Y * Y)
MADE(in_float, (float)p->w[p->i])

static double terms(const struct place *p, int low, int high, int down, int back, int straight)
{
    double x = IN(0, straight ? p->i : ((const int *)p->in->data[1])[p->i]), sum = 0, power = 1;
    for (int j = 0; j < COEFS; j++) {
        if (j >= low && j <= high) sum += p->in->coef[back ? COEFS - 1 - j : j] * power;
        if (j >= low || !down) power *= x;
    }
    return sum;
}
MADE(without_first, terms(p, 1, COEFS - 1, 0, 0, 0))
MADE(without_last, terms(p, 0, COEFS - 2, 0, 0, 0))
MADE(first_as_0, terms(p, 1, COEFS - 1, 1, 0, 0))
MADE(backwards, terms(p, 0, COEFS - 1, 0, 1, 0))
MADE(straight_on, terms(p, 0, COEFS - 1, 0, 0, 1))
MADE(both_orders, terms(p, 0, COEFS - 1, 0, 1, 1))
MADE(back_and_short, terms(p, 2, COEFS - 1, 0, 1, 0))

static double iterated(double x, long times, int odd)
{
    while (times-- > 0) x = odd ? 0.25 - 0.5 * x : 0.5 * x + 1;
    return x;
}
MADE(other_parity, iterated(IN(0, p->i), 16, p->i % 2 == 0))
MADE(all_even, iterated(IN(0, p->i), 16, 0))
MADE(all_odd, iterated(IN(0, p->i), 16, 1))
MADE(one_step_less, iterated(IN(0, p->i), p->i % 32, 0))
MADE(three_more, iterated(IN(0, p->i), 4 + p->i % 32, 0))
MADE(by_eights, iterated(IN(0, p->i), 1 + p->i % 8, 0))

/* ---- the table ---- */

static const struct made {
    const char *name, *problem;
    int dims[DIMS];
    double (*of)(const struct place *p);
} table[] = {
#define ROW(problem, d0, d1, d2, name) \
    { \
#name, problem, {d0, d1, d2 }, name \
    }
#define MATMUL(name) ROW("matmul", 24, 37, 20, name)
    MATMUL(first_16), MATMUL(first_30), MATMUL(first_32), MATMUL(last_5), MATMUL(last_1),
    MATMUL(middle), MATMUL(b_turned), MATMUL(a_turned), MATMUL(a_by_column), MATMUL(b_by_row),
    MATMUL(b_length), MATMUL(a_length), MATMUL(both), MATMUL(half_tiles), MATMUL(late_tiles),
    MATMUL(one_of_4), MATMUL(imprecise), MATMUL(next_row), MATMUL(rows_apart), MATMUL(turned_sums),
    MATMUL(doubled), MATMUL(half_of_it), MATMUL(turned_sign), MATMUL(plus_one), MATMUL(minus_half),
    MATMUL(in_an_int), MATMUL(zeros), MATMUL(not_numbers), MATMUL(infinite), MATMUL(one_wrong),
    MATMUL(random_like), MATMUL(one_block), ROW("matmul", 40, 9, 70, last_columns),
    ROW("matmul", 40, 9, 70, last_rows),
#define MMA(name) ROW("matmul_tf32", 32, 24, 16, name)
    MMA(a_changed), MMA(a_as_d), MMA(b_is_turned), MMA(b_in_pairs), MMA(d_changed), MMA(d_apart),
    MMA(d_as_a), MMA(imprecise), MMA(first_16), MMA(coarse_doubled),
    ROW("matmul_half", 32, 24, 16, coarse), ROW("matmul_half", 32, 24, 16, coarse_doubled),
    ROW("matmul_half", 32, 24, 16, not_numbers),
#define AAT(name) ROW("aat", 48, 29, 0, name)
    AAT(aat_aa), AAT(aat_first), AAT(aat_last), AAT(aat_last_1), AAT(aat_length), AAT(aat_row),
    AAT(zeros), AAT(imprecise),
#define SQUARE(name) ROW("transpose", 128, 128, 0, name)
#define TRANSPOSE(name) ROW("transpose", 128, 192, 0, name)
    TRANSPOSE(copied), SQUARE(stays_64), SQUARE(stays_32), SQUARE(stays_16), SQUARE(stays_4),
    TRANSPOSE(inside_64), TRANSPOSE(inside_32), TRANSPOSE(inside_16), TRANSPOSE(inside_4),
    TRANSPOSE(next_row), TRANSPOSE(one_wrong), ROW("transpose", 150, 131, 0, stays_32),
    ROW("transpose", 150, 131, 0, as_wide_as_high),
#define COPY(name) ROW("copy", 21, 50, 0, name)
    COPY(nothing), COPY(one_block), COPY(every_2nd), COPY(every_3rd_row), COPY(as_wide_as_high),
    COPY(inner_part), COPY(all_but_inner), COPY(scattered), COPY(one_further), COPY(row_before),
    COPY(by_rows), COPY(every_fourth), COPY(only_first), COPY(column_twice), COPY(computed),
    COPY(zeros), COPY(not_numbers), COPY(plus_one), COPY(one_wrong),
    ROW("copy", 2, 40, 0, one_wrong),
#define COPY_ALL(name) ROW("copy_all", 203, 0, 0, name)
    COPY_ALL(every_4th), COPY_ALL(all_but_rest), COPY_ALL(first_block), COPY_ALL(one_further),
    COPY_ALL(every_fourth), COPY_ALL(nothing), COPY_ALL(in_an_int),
#define ADD(name) ROW("add", 203, 0, 0, name)
    ADD(a_alone), ADD(b_alone), ADD(a_twice), ADD(b_twice), ADD(difference), ADD(turned_difference),
    ADD(multiplied), ADD(b_further), ADD(a_further), ADD(random_like),
#define NORM(name) ROW("norm_soa", 90, 0, 0, name), ROW("norm_aos", 90, 0, 0, name)
    NORM(rooted), NORM(without_x), NORM(without_y), NORM(without_z), NORM(in_float),
#define POLYNOMIAL(name) ROW("polynomial", 300, 300, 0, name)
    POLYNOMIAL(without_first), POLYNOMIAL(without_last), POLYNOMIAL(first_as_0),
    POLYNOMIAL(backwards), POLYNOMIAL(straight_on), POLYNOMIAL(both_orders),
    POLYNOMIAL(back_and_short), POLYNOMIAL(doubled), ROW("parity", 200, 0, 0, other_parity),
    ROW("parity", 200, 0, 0, all_even), ROW("parity", 200, 0, 0, all_odd),
    ROW("unequal", 200, 0, 0, one_step_less), ROW("unequal", 200, 0, 0, three_more),
    ROW("unequal", 200, 0, 0, by_eights)};

static void make(struct instance *in, const struct expected *x, double (*of)(const struct place *))
{
    const struct problem *p = in->problem;
    int out = p->output, wide = p->buffers[out].element == ELEMENT_F64;
    struct place at = {
        .in = in, .w = x->value, .m = in->dims[0], .k = in->dims[1], .n = in->dims[2]};
    size_t rows, columns;
    p->result(in->dims, &rows, &columns);
    poison_fill(in->data[out], instance_bytes(in, out), wide ? 8 : 4);
    for (size_t i = 0; i < x->count; i++) {
        at.i = (long)i, at.r = (long)(i / columns), at.c = (long)(i % columns);
        at.rows = (long)rows, at.columns = (long)columns;
        double v = of(&at);
        if (v == UNWRITTEN) continue;
        if (wide)
            ((double *)in->data[out])[i] = v;
        else
            ((float *)in->data[out])[i] = (float)v;
    }
}

static void put_finding(const struct finding *f, struct buf *out)
{
    buf_printf(out, "    kind %d, hints %#x", f->kind, f->hints);
    if (f->all) buf_printf(out, ", all");
    if (*f->name) buf_printf(out, ", in %s", f->name);
    if (f->of) buf_printf(out, ", %ld to %ld of %ld", f->from, f->to, f->of);
    if (f->tile) buf_printf(out, ", steps %ld to %ld of tiles of %ld", f->from, f->to, f->tile);
    if (f->left) buf_printf(out, ", %ld left", f->left);
    buf_printf(out, "\n");
}

/* Blocks of 32 x 16 that write the first `high` rows and `wide` columns of what they cover. */
static void put_blocks(struct buf *out)
{
    static const struct {
        const char *problem;
        int x_owns_rows, high, wide;
    } blocks[] = {{"copy", 0, 1, 32}, {"copy", 0, 16, 1}, {"copy", 0, 16, 32}, {"copy", 0, 3, 5},
        {"copy", 1, 1, 16}, {"copy", 1, 32, 1}, {"transpose", 0, 1, 16}, {"transpose", 0, 32, 1}};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        const struct step step = {.x_owns_rows = blocks[k].x_owns_rows};
        const struct bound_kernel b = {.step = &step, .covers = {32, 16}};
        int turned = blocks[k].x_owns_rows || !strcmp(blocks[k].problem, "transpose");
        int rows = turned ? 32 : 16, columns = turned ? 16 : 32;
        struct instance in;
        struct finding found = {0};
        struct buf why = {0};
        instance_make(&in, problem_find(blocks[k].problem), (int[DIMS]){96, 96}, 4);
        poison_fill(in.data[1], instance_bytes(&in, 1), 4);
        for (int i = 0; i < 96 * 96; i++)
            if (i / 96 % rows < blocks[k].high && i % 96 % columns < blocks[k].wide)
                ((float *)in.data[1])[i] = 1;
        wrong_value_blocks(&b, &in, in.data[1], &found, &why);
        guesses_unmark(&why);
        buf_printf(out, "%s, blocks write %d x %d of %d x %d%s\n", blocks[k].problem,
            blocks[k].high, blocks[k].wide, rows, columns, why.len ? why.data : "");
        put_finding(&found, out);
        buf_free(&why);
        instance_free(&in);
    }
}

START_TEST(a_usual_mistake_is_named_by_its_output)
{
    struct buf out = {0};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct instance in;
        struct expected x;
        struct finding found = {0};
        struct buf why = {0};
        instance_make(&in, problem_find(table[i].problem), table[i].dims, 4);
        expected_make(&x, &in);
        make(&in, &x, table[i].of);
        buf_printf(&out, "%s, %s\n", table[i].problem, table[i].name);
        if (explain_output(&in, &x, in.data[in.problem->output], &found, &why)) {
            guesses_unmark(&why);
            buf_printf(&out, "    %s\n", why.data);
            put_finding(&found, &out);
        } else {
            buf_printf(&out, "    right\n");
        }
        buf_free(&why);
        expected_free(&x);
        instance_free(&in);
    }
    put_blocks(&out);
    golden_check("tests/wrong_values.txt", out.data);
    buf_free(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wrong values");
    TCase *c = tcase_create("wrong values");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, a_usual_mistake_is_named_by_its_output);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
