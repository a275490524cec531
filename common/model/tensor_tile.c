/* tensor_tile.c - computes matrix products of 16 x 8 with the sums of tensor.c, but in doubles, 8
 * columns at a time.
 *
 *      a b                exact in a double: 11 bits by 11
 *      x 2^(bits - top)   top: the largest exponent of the group; exact
 *      truncated          to an integer below 2^28: as an int32_t
 *      + + +              exact; x 2^(top - bits), truncated to the 24 bits of a float
 *
 * A row with a non-finite operand, or with a sum that is no normal float, is left to
 * model_tensor_sum. Source: as for tensor.c. */
#include "model/model.h"

#include <string.h>

/* ROWS, COLUMNS: shape of the result; MOST_K: largest k; NOTHING: used as the exponent of 0 */
enum { ROWS = 16, COLUMNS = 8, MOST_K = 32, NOTHING = -10000 };

/* Unpacks the value and the exponent of a number (with 8 or 5 exponent bits), like model_number.
 * Returns whether it is finite. */
static inline int unpack(uint32_t x, int exponent_bits, int mantissa_bits, double *value, int *top)
{
    uint32_t most = (1u << exponent_bits) - 1, field = x >> mantissa_bits & most, bits;
    int bias = (int)(most >> 1);
    float size;
    if (exponent_bits == 8) {
        bits = x << (23 - mantissa_bits);
        memcpy(&size, &bits, sizeof size);
    } else {
        uint32_t digits = x & ((1u << mantissa_bits) - 1);
        bits = (field + 127 - (uint32_t)bias) << 23 | digits << (23 - mantissa_bits);
        memcpy(&size, &bits, sizeof size);
        /* a subnormal half has no implicit leading bit */
        size = field ? size : (float)digits * 0x1p-24f;
        size = x >> (exponent_bits + mantissa_bits) & 1 ? -size : size;
    }
    *value = size;
    *top = size == 0 ? NOTHING : (int)(field ? field : 1) - bias;
    return field != most;
}

/* One number for each of the 8 columns. */
typedef double doubles __attribute__((vector_size(8 * COLUMNS)));
typedef int64_t longs __attribute__((vector_size(8 * COLUMNS)));
typedef float floats __attribute__((vector_size(4 * COLUMNS)));
typedef int32_t ints __attribute__((vector_size(4 * COLUMNS)));

/* A row of A, and the 8 columns of B: the value and the exponent of each element. */
struct row {
    double value[MOST_K];
    int top[MOST_K];
};
struct columns {
    doubles value[MOST_K];
    ints top[MOST_K];
};

static ints larger(ints a, ints b)
{
    ints above = a > b;
    return (a & above) | (b & ~above);
}

/* The exponents of floats, as the field top of model_number. */
static ints tops_of(floats sum)
{
    ints bits = (ints)sum, field = bits >> 23 & 255, zero = (bits & INT32_MAX) == 0;
    return ((larger(field, (ints){0} + 1) - 127) & ~zero) | (NOTHING & zero);
}

static doubles powers_of_2(ints e)
{
    return (doubles)(__builtin_convertvector(e + 1023, longs) << 52);
}

static doubles truncated(doubles x)
{
    doubles whole;
    for (int j = 0; j < COLUMNS; j++) whole[j] = __builtin_trunc(x[j]);
    return whole;
}

/* Adds the products with indices `from` to end - 1 to each sum. Returns 1 if all sums are normal
 * floats; else 0. */
static int add_group(
    const struct row *a, const struct columns *b, int from, int end, int bits, floats *sum)
{
    ints top = tops_of(*sum);
    for (int i = from; i < end; i++) top = larger(a->top[i] + b->top[i], top);
    top &= top > NOTHING / 2; /* if all terms are 0, the exponent is 0 */
    doubles scale = powers_of_2(bits - top);
    doubles whole = truncated(__builtin_convertvector(*sum, doubles) * scale);
    for (int i = from; i < end; i++) whole += truncated(a->value[i] * b->value[i] * scale);
    /* a sum of zero is +0 */
    longs some = whole != 0, cut = (longs)(whole * powers_of_2(top - bits)) & ~0x1fffffffL & some;
    longs size = cut & INT64_MAX, normal = (size >= 897L << 52) & (size < 1151L << 52);
    *sum = __builtin_convertvector((doubles)cut, floats);
    int good = 1;
    for (int j = 0; j < COLUMNS; j++) good &= (normal | ~some)[j] != 0;
    return good;
}

/* Computes one row of D. Returns 0 if the row needs model_tensor_sum. */
static int sum_row(
    struct model_tensor rule, const struct row *a, const struct columns *b, int k, uint32_t *d)
{
    floats sum;
    int good = 1;
    for (int j = 0; j < COLUMNS; j++) good &= (d[j] >> 23 & 255) != 255;
    memcpy(&sum, d, sizeof sum);
    for (int i = 0; good && i < k; i += rule.products)
        good = add_group(a, b, i, i + rule.products < k ? i + rule.products : k, rule.bits, &sum);
    if (good) memcpy(d, &sum, sizeof sum);
    return good;
}

/* Computes one row of D by model_tensor_sum. */
static void sum_exactly(struct model_tensor rule, int exponent_bits, int mantissa_bits,
    const uint32_t *a, const uint32_t *b, int stride, int k, uint32_t *d)
{
    struct model_number row[MOST_K], column[MOST_K];
    for (int i = 0; i < k; i++) model_number(&row[i], exponent_bits, mantissa_bits, a[i]);
    for (int j = 0; j < COLUMNS; j++, b += stride) {
        for (int i = 0; i < k; i++) model_number(&column[i], exponent_bits, mantissa_bits, b[i]);
        d[j] = model_tensor_sum(rule, row, column, k, d[j], 0);
    }
}

/* Computes 8 columns of D from the unpacked rows of A; usable: for each row, whether it is finite. */
static inline __attribute__((always_inline)) void tile(struct model_tensor rule, int exponent_bits,
    int mantissa_bits, const uint32_t *a, const struct row *left, const int *usable,
    const uint32_t *b, int stride, int k, uint32_t (*d)[8])
{
    struct columns right;
    int finite = 1;
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < k; i++) {
            int top;
            double value;
            finite &= unpack(b[j * stride + i], exponent_bits, mantissa_bits, &value, &top);
            right.value[i][j] = value, right.top[i][j] = top;
        }
    for (int r = 0; r < ROWS; r++)
        if (!finite || !usable[r] || !sum_row(rule, &left[r], &right, k, d[r]))
            sum_exactly(rule, exponent_bits, mantissa_bits, a + r * stride, b, stride, k, d[r]);
}

/* Computes all of D. Inlined where the number format is known, so that shifts are constants. */
static inline __attribute__((always_inline)) void all_tiles(struct model_tensor rule,
    int exponent_bits, int mantissa_bits, const uint32_t *a, const uint32_t *b, int stride, int k,
    int tiles, uint32_t (*d)[8])
{
    struct row left[ROWS];
    int usable[ROWS];
    for (int r = 0; r < ROWS; r++) {
        usable[r] = 1;
        for (int i = 0; i < k; i++)
            usable[r] &= unpack(a[r * stride + i], exponent_bits, mantissa_bits, &left[r].value[i],
                &left[r].top[i]);
    }
    for (int t = 0; t < tiles; t++)
        tile(rule, exponent_bits, mantissa_bits, a, left, usable, b + t * COLUMNS * stride, stride,
            k, d + t * ROWS);
}

void model_tensor_tiles(struct model_tensor rule, int exponent_bits, int mantissa_bits,
    const uint32_t *a, const uint32_t *b, int stride, int k, int tiles, uint32_t (*d)[8])
{
    if (exponent_bits == 5)
        all_tiles(rule, 5, 10, a, b, stride, k, tiles, d);
    else if (mantissa_bits == 7)
        all_tiles(rule, 8, 7, a, b, stride, k, tiles, d);
    else
        all_tiles(rule, 8, 10, a, b, stride, k, tiles, d);
}
