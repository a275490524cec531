/* tensor_tile.c - computes a matrix product of 16 x 8 with the sums of tensor.c, but in doubles, 8
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

#include <math.h>
#include <string.h>

/* ROWS, COLUMNS: shape of the result; MOST_K: largest k; NOTHING: used as the exponent of 0 */
enum { ROWS = 16, COLUMNS = 8, MOST_K = 32, NOTHING = -10000 };

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double power_of_2(int e) { return from_bits((uint64_t)(e + 1023) << 52); }

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

/* A row of A, and the 8 columns of B: the value and the exponent of each element. */
struct row {
    double value[MOST_K];
    int top[MOST_K];
};
struct columns {
    double value[MOST_K][COLUMNS];
    int top[MOST_K][COLUMNS];
};

/* The exponent of a float, as the field top of model_number. */
static int top_of(float sum)
{
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    int field = (int)(bits >> 23 & 255);
    return !(bits << 1) ? NOTHING : (field ? field : 1) - 127;
}

/* Adds the products with indices `from` to end - 1 to each sum. Returns 1 if all sums are normal
 * floats; else 0. */
static int add_group(
    const struct row *a, const struct columns *b, int from, int end, int bits, float sum[COLUMNS])
{
    int top[COLUMNS], good = 1;
    double scale[COLUMNS], whole[COLUMNS];
    for (int j = 0; j < COLUMNS; j++) top[j] = top_of(sum[j]);
    for (int i = from; i < end; i++)
        for (int j = 0; j < COLUMNS; j++) {
            int t = a->top[i] + b->top[i][j];
            top[j] = t > top[j] ? t : top[j];
        }
    for (int j = 0; j < COLUMNS; j++) {
        top[j] = top[j] > NOTHING / 2 ? top[j] : 0; /* if all terms are 0, the exponent is 0 */
        scale[j] = power_of_2(bits - top[j]);
        whole[j] = (double)(int32_t)(sum[j] * scale[j]);
    }
    for (int i = from; i < end; i++)
        for (int j = 0; j < COLUMNS; j++)
            whole[j] += (double)(int32_t)(a->value[i] * b->value[i][j] * scale[j]);
    for (int j = 0; j < COLUMNS; j++) {
        uint64_t cut = to_bits(whole[j] * power_of_2(top[j] - bits)) & ~(uint64_t)0x1fffffff;
        double x = from_bits(whole[j] == 0 ? 0 : cut); /* a sum of zero is +0 */
        good &= whole[j] == 0 || (fabs(x) >= 0x1p-126 && fabs(x) < 0x1p128);
        sum[j] = (float)x;
    }
    return good;
}

/* Computes one row of D. Returns 0 if the row needs model_tensor_sum. */
static int sum_row(
    struct model_tensor rule, const struct row *a, const struct columns *b, int k, uint32_t *d)
{
    float sum[COLUMNS];
    int good = 1;
    for (int j = 0; j < COLUMNS; j++) good &= (d[j] >> 23 & 255) != 255;
    memcpy(sum, d, sizeof sum);
    for (int i = 0; good && i < k; i += rule.products)
        good = add_group(a, b, i, i + rule.products < k ? i + rule.products : k, rule.bits, sum);
    if (good) memcpy(d, sum, sizeof sum);
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

/* Computes all of D. Inlined where the number format is known, so that shifts are constants. */
static inline __attribute__((always_inline)) void tile(struct model_tensor rule, int exponent_bits,
    int mantissa_bits, const uint32_t *a, const uint32_t *b, int stride, int k, uint32_t (*d)[8])
{
    struct columns right;
    int finite = 1;
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < k; i++)
            finite &= unpack(b[j * stride + i], exponent_bits, mantissa_bits, &right.value[i][j],
                &right.top[i][j]);
    for (int r = 0; r < ROWS; r++, a += stride) {
        struct row left;
        int good = finite;
        for (int i = 0; i < k; i++)
            good &= unpack(a[i], exponent_bits, mantissa_bits, &left.value[i], &left.top[i]);
        if (!good || !sum_row(rule, &left, &right, k, d[r]))
            sum_exactly(rule, exponent_bits, mantissa_bits, a, b, stride, k, d[r]);
    }
}

void model_tensor_tile(struct model_tensor rule, int exponent_bits, int mantissa_bits,
    const uint32_t *a, const uint32_t *b, int stride, int k, uint32_t (*d)[8])
{
    if (exponent_bits == 5)
        tile(rule, 5, 10, a, b, stride, k, d);
    else if (mantissa_bits == 7)
        tile(rule, 8, 7, a, b, stride, k, d);
    else
        tile(rule, 8, 10, a, b, stride, k, d);
}
