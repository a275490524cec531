/* value.c - describe what a wrong element of the output looks like.
 *
 * The usual mistakes are tried in this order: nothing written, NaN, infinity, a usual mistake of the
 * problem (wrong_value.c), a sum that ends early, the value of another element, zero, too little
 * precision. */
#include "explain/explain.h"
#include "explain/wrong_value.h"

#include <math.h>
#include <string.h>

/* Is `got` the sum of the first products of element i? Returns how many products that is; 0: it is
 * no such sum, or the sum of all products. Element i of the output is the product of row i / n of
 * the left factor and column i % n of the right factor, which in aat is the transpose of a. */
static size_t first_products(const struct suspicion *s, size_t i, double got)
{
    const struct instance *in = s->in;
    const struct expected *want = s->want;
    int is_aat = !strcmp(in->problem->name, "aat");
    if (!is_aat && strcmp(problem_kind(in->problem), "matmul")) return 0;
    size_t k = in->dims[1], n = is_aat ? (size_t)in->dims[0] : (size_t)in->dims[2];
    const float *a = (const float *)in->data[0] + i / n * k;
    const float *b =
        is_aat ? (const float *)in->data[0] + i % n * k : (const float *)in->data[1] + i % n;
    double sum = 0, tolerance = want->slack ? want->slack[i] : 0;
    for (size_t j = 0; j + 1 < k; j++) {
        sum += (double)a[j] * b[is_aat ? j : j * n];
        if (fabs(got - sum) <= tolerance) return j + 1;
    }
    return 0;
}

/* Is the value the sum of only the first products, and so are most other wrong values? Then a loop
 * over k ends too early. One value alone may be near such a sum by chance. */
static int partial_sum(const struct suspicion *s, size_t i, double got, struct buf *why)
{
    size_t products = first_products(s, i, got);
    int others = 0;
    for (int w = 0; w < s->count && products; w++)
        others += first_products(s, s->wrong[w], compare_element(s->in, s->data, s->wrong[w])) > 0;
    if (!products || 2 * others < s->count) return 0;
    s->found->kind = FOUND_PART;
    s->found->to = (long)products, s->found->of = (long)s->in->dims[1];
    s->found->hints |= HINT_LOOP;
    buf_printf(why, "it is the sum of the first %zu of %d products", products, s->in->dims[1]);
    return 1;
}

/* Is the value that of another element of the answer, or of the input? The transposed element is
 * tried first. Zeros do not count, since many elements may be 0. */
static int misplaced(const struct suspicion *s, size_t i, double got, struct buf *why)
{
    const struct instance *in = s->in;
    const struct expected *want = s->want;
    size_t rows, columns;
    in->problem->result(in->dims, &rows, &columns);
    size_t r = i / columns, c = i % columns;
    /* it cannot be told whether the indices are wrong, or a right value is stored in the wrong
     * place */
    s->found->kind = FOUND_INDICES;
    if (r != c && c < rows && r < columns && compare_right(want, c * columns + r, got)) {
        buf_printf(why, "it is the value of the transposed element, row %zu, column %zu", c, r);
        return 1;
    }
    for (size_t j = 0; j < want->count; j++)
        if (j != i && want->value[j] == got && want->value[j] != 0) {
            if (rows > 1)
                buf_printf(why, "it is the value of row %zu, column %zu", j / columns, j % columns);
            else
                buf_printf(why, "it is the value of element %zu", j);
            return 1;
        }
    const float *input = in->data[0];
    for (size_t j = 0;
         !want->slack && in->problem->buffers[0].element == ELEMENT_F32 && j < in->count[0]; j++)
        if (input[j] == got && got != 0) {
            buf_printf(why, "it is %s[%zu]", in->problem->buffers[0].name, j);
            return 1;
        }
    s->found->kind = FOUND_NOTHING;
    return 0;
}

/* Up to SAMPLE elements that are wrong and not NaN, spread nearly evenly, but so that they are
 * not all in the same column of a tile. */
static struct suspicion sample_of(
    const struct instance *in, const struct expected *want, const void *data, struct finding *found)
{
    struct suspicion s = {.in = in, .want = want, .data = data, .found = found};
    size_t wrong = 0, seen = 0;
    in->problem->result(in->dims, &s.rows, &s.columns);
    for (int counting = 1; counting >= 0; counting--)
        for (size_t i = 0; i < want->count; i++) {
            double got = compare_element(in, data, i);
            if (compare_right(want, i, got) || isnan(got)) continue;
            if (counting) {
                wrong++;
                continue;
            }
            size_t each = wrong / SAMPLE, next = (size_t)s.count * wrong / SAMPLE;
            if (each) next += (size_t)s.count * 7 % each;
            if (seen++ >= next && s.count < SAMPLE) s.wrong[s.count++] = i;
        }
    return s;
}

static void remark_nan(const struct instance *in, float got, struct buf *why)
{
    const char *output = in->problem->buffers[in->problem->output].name;
    int kind = poison_kind(got);
    if (kind == 'o')
        buf_printf(why,
            "not a number: %s was read before anything had written it; set it first, to 0", output);
    else if (kind == 'b')
        buf_printf(why, "not a number: an element past the end of an array was read");
    else if (!strcmp(in->problem->name, "matmul_half"))
        buf_printf(why,
            "not a number\1: was memory read that nothing had written, or is a factor above 65504, "
            "which is infinite as a half?\2");
    else
        buf_printf(why, "not a number\1: was memory read that nothing had written?\2");
}

/* Append what the wrong element i looks like: the first description that fits. */
static void remark(const struct suspicion *s, size_t i, struct buf *why)
{
    double got = compare_element(s->in, s->data, i), want = s->want->value[i];
    if (wrong_value_poison(s->in, s->data, i)) {
        s->found->kind = FOUND_NOT_WRITTEN;
        buf_printf(why, "nothing was written there (it still holds the kit's poison value)");
        wrong_value_written(s->in, s->data, s->rows, s->columns, s->found, why);
    } else if (isnan(got) || isinf(got)) {
        s->found->kind = FOUND_NO_NUMBER;
        if (isnan(got))
            remark_nan(s->in, (float)got, why);
        else
            buf_printf(why, "it is infinite");
    } else if (wrong_value_name(s, why) || partial_sum(s, i, got, why) ||
               misplaced(s, i, got, why)) {
        return;
    } else if (got == 0) {
        s->found->kind = FOUND_VALUE;
        buf_printf(why, "it is zero");
    } else if (fabs(got - want) < 1e-2 * (fabs(want) + 1e-3) || wrong_value_near(s, 1)) {
        s->found->kind = FOUND_PRECISION;
        buf_printf(why,
            "off by %.2g%%, which is more than float rounding\1: is a value kept in less "
            "precision?\2",
            100 * fabs(got / want - 1));
    } else {
        s->found->kind = FOUND_UNKNOWN;
    }
}

/* Append where the wrong elements are. If they begin in the last, partly filled tile of 32 rows or
 * columns, the text says so: the kernel's bounds are then the likely cause. */
static void whereabouts(const struct difference *d, struct buf *why)
{
    if (d->rows * d->columns == d->wrong && d->wrong > 1)
        buf_printf(why, "; all %zu elements are wrong", d->wrong);
    else if (d->wrong > 1) {
        buf_printf(why, "; %zu of %zu elements are wrong", d->wrong, d->rows * d->columns);
        if (d->first_column > 0 && d->first_column >= d->columns / 32 * 32 && d->first_row == 0)
            buf_printf(why, ", all in columns from %zu on", d->first_column);
        else if (d->first_row > 0 && d->first_row >= d->rows / 32 * 32)
            buf_printf(why, ", all in rows from %zu on", d->first_row);
    }
}

int explain_output(const struct instance *in, const struct expected *want, const void *got,
    struct finding *found, struct buf *why)
{
    struct difference d;
    if (!compare_output(in, want, got, &d)) return 0;
    *found = (struct finding){.all = d.wrong > 1 && d.wrong == want->count};
    const char *name = in->problem->buffers[in->problem->output].name;
    if (d.rows > 1)
        buf_printf(
            why, "%s at row %zu, column %zu is ", name, d.first / d.columns, d.first % d.columns);
    else
        buf_printf(why, "%s[%zu] is ", name, d.first);
    /* printf may write a NaN as "-nan" */
    if (isnan(compare_element(in, got, d.first)))
        buf_printf(why, "NaN");
    else
        buf_printf(why, "%.9g", compare_element(in, got, d.first));
    buf_printf(why, ", expected %.9g", want->value[d.first]);
    struct suspicion s = sample_of(in, want, got, found);
    struct buf says = {0};
    remark(&s, d.first, &says);
    if (says.len) buf_printf(why, ": %s", says.data);
    buf_free(&says);
    whereabouts(&d, why);
    return -1;
}
