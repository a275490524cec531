/* tensor_tile.c - the sums of a product of 16 x 8 as tensor.c has them, in doubles, 8 columns at a
 * time.
 *
 *      a b                exact in a double: 11 bits by 11
 *      x 2^(bits - top)   top: the largest exponent of the group; exact
 *      cut off            to a whole number, below 2^28: as an int32_t
 *      + + +              exact; x 2^(top - bits), cut off to the 24 bits of a float
 *
 * A row with an operand that is not finite, or a sum that is no normal float, is left to
 * model_tensor_sum. Source: as of tensor.c. */
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { ROWS = 16, COLUMNS = 8, MOST_K = 32, NOTHING = -10000 }; /* NOTHING: the exponent of 0 */

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

/* The value and the exponent of a number of the format (exponent 8 or 5 bits), as model_number has
 * them. Returns whether it is finite. */
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
        size = field ? size : (float)digits * 0x1p-24f; /* subnormal halves */
        size = x >> (exponent_bits + mantissa_bits) & 1 ? -size : size;
    }
    *value = size;
    *top = size == 0 ? NOTHING : (int)(field ? field : 1) - bias;
    return field != most;
}

/* A row of A, or the 8 columns of B: for each k its value and its exponent. */
struct row {
    double value[MOST_K];
    int top[MOST_K];
};
struct columns {
    double value[MOST_K][COLUMNS];
    int top[MOST_K][COLUMNS];
};

/* The exponent of a sum so far: of its first digit, as model_number's. */
static int top_of(float sum)
{
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    int field = (int)(bits >> 23 & 255);
    return !(bits << 1) ? NOTHING : (field ? field : 1) - 127;
}

/* Adds the products from to end - 1 to sum. Returns whether all sums are normal floats, or 0. */
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
        top[j] = top[j] > NOTHING / 2 ? top[j] : 0; /* all are 0 */
        scale[j] = power_of_2(bits - top[j]);
        whole[j] = (double)(int32_t)(sum[j] * scale[j]);
    }
    for (int i = from; i < end; i++)
        for (int j = 0; j < COLUMNS; j++)
            whole[j] += (double)(int32_t)(a->value[i] * b->value[i][j] * scale[j]);
    for (int j = 0; j < COLUMNS; j++) {
        uint64_t cut = to_bits(whole[j] * power_of_2(top[j] - bits)) & ~(uint64_t)0x1fffffff;
        double x = from_bits(whole[j] == 0 ? 0 : cut); /* a sum that is 0 is +0 */
        good &= whole[j] == 0 || (fabs(x) >= 0x1p-126 && fabs(x) < 0x1p128);
        sum[j] = (float)x;
    }
    return good;
}

/* One row of D. Returns whether it could be computed so. */
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

/* A row by model_tensor_sum. */
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

/* Inlined where the format is known: its shifts are then constants. */
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
