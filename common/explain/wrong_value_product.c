/* wrong_value_product.c - the usual mistakes of C = A B and C = A A^T, tried on a wrong output.
 *
 *     right:      sum over i of  a[row * k + i] * b[i * n + col]
 *     suspects:   other indices of a and b        A A for A A^T, A B^T for A B, wrong row length
 *                 only products s .. e - 1        sum set to 0 in the loop, a tile left out
 *                 one product too many            i <= k */
#include "explain/wrong_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An index x * length + y of a factor. x, y: the output's row or column, or the summation index
 * (STEP). length: number of the problem's dimension that is the length of a row. */
enum place { ROW, COL, STEP };
struct index {
    enum place x, y;
    int length;
};
/* Indices that are tried for each factor: the right one first, then likely before unlikely ones. */
static const struct index left[] = {{ROW, STEP, 1}, {STEP, ROW, 0}, {COL, STEP, 1}, {STEP, COL, 0},
    {STEP, ROW, 1}, {ROW, STEP, 2}, {ROW, STEP, 0}, {STEP, ROW, 2}, {STEP, COL, 1}};
static const struct index right[] = {{STEP, COL, 2}, {COL, STEP, 1}, {STEP, ROW, 2}, {ROW, STEP, 1},
    {STEP, COL, 1}, {COL, STEP, 2}, {STEP, COL, 0}, {ROW, STEP, 2}, {STEP, ROW, 1}};
static const struct index right_aat[] = {
    {COL, STEP, 1}, {STEP, COL, 1}, {ROW, STEP, 1}, {STEP, COL, 0}, {COL, STEP, 0}, {STEP, ROW, 1}};

/* The sum of products from .. to - 1 with these indices; to = -1: the sum of all products. */
struct sum {
    struct index a, b;
    long from, to;
};

static int is_aat(const struct suspicion *s) { return !strcmp(s->in->problem->name, "aat"); }

static long steps_of(const struct suspicion *s) { return s->in->dims[1]; }

/* An element of a factor, at index `at`, for output element i and summation index `step`. which: 0
 * the left factor, 1 the right one. NAN: the index is outside of the factor's buffer. */
static double factor(
    const struct suspicion *s, int which, const struct index *at, size_t i, long step)
{
    const long place[] = {(long)(i / s->columns), (long)(i % s->columns), step};
    size_t buffer = which && !is_aat(s),
           n = (size_t)place[at->x] * (size_t)s->in->dims[at->length] + (size_t)place[at->y];
    return n < s->in->count[buffer] ? ((const float *)s->in->data[buffer])[n] : NAN;
}

static double sum_value(const struct suspicion *s, const void *rule, size_t i)
{
    const struct sum *x = rule;
    double sum = 0;
    for (long q = x->from; q < (x->to < 0 ? steps_of(s) : x->to); q++)
        sum += factor(s, 0, &x->a, i, q) * factor(s, 1, &x->b, i, q);
    return sum;
}

/* Append an index as C text, such as "b[col * k + i]". */
static void write_index(
    const struct suspicion *s, int which, const struct index *x, struct buf *why)
{
    static const char *const places[] = {"row", "col", "i"};
    buf_printf(why, "%s[%s * %s + %s]", s->in->problem->buffers[which && !is_aat(s)].name,
        places[x->x], s->in->problem->dim_names[x->length], places[x->y]);
}

static int other_indices(const struct suspicion *s, struct buf *why)
{
    const struct index *b = is_aat(s) ? right_aat : right;
    size_t many = is_aat(s) ? sizeof right_aat / sizeof *right_aat : sizeof right / sizeof *right;
    for (size_t at = 0; at < many + sizeof left / sizeof *left; at++)
        for (size_t i = 0; i <= at && i < sizeof left / sizeof *left; i++) {
            size_t k = at - i;
            if (k >= many || (is_aat(s) && (left[i].length == 2 || b[k].length == 2))) continue;
            struct sum x = {left[i], b[k], 0, -1};
            if ((!i && !k) || !wrong_value_fit(s, sum_value, &x)) continue;
            s->found->kind = FOUND_INDICES;
            buf_printf(why, "it is the sum of ");
            write_index(s, 0, &x.a, why);
            buf_printf(why, " * ");
            write_index(s, 1, &x.b, why);
            if (is_aat(s) && !i && k == 1)
                buf_printf(why, ", which is A A");
            else if (!is_aat(s) && !i && k == 1)
                buf_printf(why, ", which is A times the transpose of B");
            buf_printf(why, "; the product is the sum of ");
            write_index(s, 0, &left[0], why);
            buf_printf(why, " * ");
            write_index(s, 1, &b[0], why);
            return 1;
        }
    return 0;
}

static void tell_range(long from, long to, long k, struct finding *found, struct buf *why)
{
    found->kind = FOUND_PART;
    found->from = from, found->to = to, found->of = k;
    if (to - from == 1 && to == k)
        found->hints |= HINT_NOT_ADDED;
    else if (to == k)
        found->hints |= HINT_ZERO | HINT_ZERO_IN_LOOP | HINT_LOOP;
    else if (!from && to < k)
        found->hints |= HINT_LOOP;
    if (to > k)
        buf_printf(why, "it has one product too many: the sum has %ld, from 0 to %ld", k, k - 1);
    else if (to - from == 1 && to == k)
        buf_printf(
            why, "it is the last of %ld products alone\1: is the sum set and not added to?\2", k);
    else if (to == k)
        buf_printf(why,
            "it is the sum of the last %ld of %ld products\1: is the sum set to 0 within a loop, or is "
            "the first tile left out?\2",
            to - from, k);
    else if (!from && to % 16 == 0 && to == k / 16 * 16)
        buf_printf(why,
            "it is the sum of the first %ld of %ld products\1: is the last tile, which is only "
            "partly filled, left out?\2",
            to, k);
    else if (!from)
        buf_printf(why, "it is the sum of the first %ld of %ld products", to, k);
    else
        buf_printf(why, "it is the sum of products %ld to %ld alone, of %ld", from, to - 1, k);
}

/* Is each wrong value the sum of only the products from .. to - 1? The range is found on one
 * wrong element, and tested on the others. */
static int part_of_sum(const struct suspicion *s, struct buf *why)
{
    long k = steps_of(s);
    const struct index *b = is_aat(s) ? right_aat : right;
    struct sum x = {left[0], b[0], 0, 0};
    double *before = xcalloc((size_t)k + 2, sizeof *before),
           got = compare_element(s->in, s->data, s->wrong[0]);
    double slack = 4 * (s->want->slack ? s->want->slack[s->wrong[0]] : 0);
    int found = 0;
    for (long q = 0; q <= k; q++)
        before[q + 1] =
            before[q] + factor(s, 0, &x.a, s->wrong[0], q) * factor(s, 1, &x.b, s->wrong[0], q);
    for (x.from = 0; x.from < k && !found; x.from++)
        for (x.to = k + !x.from; x.to > x.from && !found; x.to--)
            if (fabs(before[x.to] - before[x.from] - got) <= slack &&
                (found = wrong_value_fit(s, sum_value, &x)))
                tell_range(x.from, x.to, k, s->found, why);
    free(before);
    return found;
}

/* The sum over only some steps of each tile of k. rule: three ints, the length of a tile, its first
 * step that is added, and the step after the last. */
static double steps_alone(const struct suspicion *s, const void *rule, size_t i)
{
    const int *t = rule;
    const struct index *b = is_aat(s) ? right_aat : right;
    double sum = 0;
    for (long q = 0; q < steps_of(s); q++)
        if (q % t[0] >= t[1] && q % t[0] < t[2])
            sum += factor(s, 0, &left[0], i, q) * factor(s, 1, &b[0], i, q);
    return sum;
}

static int part_of_tile(const struct suspicion *s, struct buf *why)
{
    for (int side = 4; side <= 64; side *= 2)
        for (int from = 0; from < side && side <= steps_of(s); from++)
            for (int to = from + 1; to <= side; to++) {
                int tile[3] = {side, from, to};
                if (to - from == side || !wrong_value_fit(s, steps_alone, tile)) continue;
                s->found->kind = FOUND_PART;
                s->found->from = from, s->found->to = to, s->found->tile = side;
                s->found->hints |= HINT_LOOP;
                buf_printf(why,
                    "of each tile of %d steps it has steps %d to %d alone\1: where does the loop "
                    "over a tile start and end?\2",
                    side, from, to - 1);
                return 1;
            }
    return 0;
}

/* Are the values those of other elements, for at least half of the sample at the same distance? If
 * the element at that distance has its right value as well, the factors were read from the wrong
 * place; else the sums were stored in the wrong place. */
static int displaced(const struct suspicion *s, struct buf *why)
{
    const double *want = s->want->value;
    size_t first = s->wrong[0], all = s->rows * s->columns;
    double slack = 4 * (double)s->want->slack[first], got = compare_element(s->in, s->data, first);
    for (size_t i = 0; i < all && s->count > 3; i++) {
        int fit = 0, twice = fabs(want[i] - compare_element(s->in, s->data, i)) <= slack;
        if (i == first || !(fabs(want[i] - got) <= slack)) continue;
        for (int k = 0; k < s->count; k++) {
            /* the index wraps around if negative, and is then out of range */
            size_t from = s->wrong[k] + i - first;
            fit += from < all &&
                   fabs(want[from] - compare_element(s->in, s->data, s->wrong[k])) <= slack;
        }
        if (fit < 3 || 2 * fit < s->count) continue;
        s->found->kind = twice ? FOUND_INDICES : FOUND_PLACE;
        buf_printf(why, "it is the value of row %zu, column %zu: %s", i / s->columns,
            i % s->columns,
            twice ? "its factors are taken from there"
                  : "the sum is right, and is stored in the wrong place");
        return 1;
    }
    return 0;
}

/* Does the sum contain all products, within a larger tolerance? Then it only lacks precision. */
static int inexact(const struct suspicion *s, struct buf *why)
{
    const struct sum all = {left[0], is_aat(s) ? right_aat[0] : right[0], 0, -1};
    double want = s->want->value[s->wrong[0]], got = compare_element(s->in, s->data, s->wrong[0]);
    if (!wrong_value_fit(s, sum_value, &all)) return 0;
    s->found->kind = FOUND_PRECISION;
    buf_printf(why,
        "all %ld products are there, but the sum is off by %.2g%%\1: is a value kept in "
        "less precision, or not rounded as it should be?\2",
        steps_of(s), 100 * fabs(got / want - 1));
    return 1;
}

int wrong_value_product(const struct suspicion *s, struct buf *why)
{
    return inexact(s, why) || part_of_sum(s, why) || other_indices(s, why) ||
           part_of_tile(s, why) || displaced(s, why);
}
