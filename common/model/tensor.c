/* tensor.c - how a tensor core adds: products are exact, sums are truncated.
 *
 *      c + a0 b0 + a1 b1 + ... in groups of a fixed number of products:
 *
 *     largest exponent of the group |1.xxxxxxxxxxxxxxxxxxxxxxxxx|      all terms are truncated
 *     another product               |       1.xxxxxxxxxxxxxxxxxx|xxxx  at the same digit, and added
 *
 * The exponent of a product is the sum of its factors' exponents, even if its digits would carry.
 * The sum of a group is truncated to a float, which is the c of the next group; the sum of the last
 * group is truncated to a float or rounded to the nearest half. Subnormal numbers are not flushed.
 *
 *      compute capability    7.0      7.5      8.x                     9.0
 *      products per group    4        4        8 (4 of TF32)           16
 *      digits kept           23       24       24                      25
 *
 * Source: arXiv 2512.07004; 9.0: an H200's results of random and extreme operands
 * (tests/programs/tensor_mma.cu), all equal. The others are as stated in the literature. */
#include "model/model.h"

#include <string.h>

/* Unpacks a number as model_number does. Inlined where the format is known, so that shifts and
 * masks are constants. */
static inline __attribute__((always_inline)) void number(
    struct model_number *x, int exponent_bits, int mantissa_bits, uint32_t bits)
{
    int field = (int)(bits >> mantissa_bits & ((1u << exponent_bits) - 1));
    int most = (1 << exponent_bits) - 1, least = 1 - (most >> 1) - mantissa_bits;
    int32_t digits = (int32_t)(bits & ((1u << mantissa_bits) - 1));
    x->kind = field < most ? NUMBER_FINITE : digits ? NUMBER_NAN : NUMBER_INFINITE;
    x->negative = bits >> (exponent_bits + mantissa_bits) & 1;
    x->digits = x->kind ? 0 : field ? digits | 1 << mantissa_bits : digits;
    x->exponent = (int16_t)(least + (field ? field - 1 : 0));
    x->top = (int16_t)(x->exponent + mantissa_bits);
}

void model_number(struct model_number *x, int exponent_bits, int mantissa_bits, uint32_t bits)
{
    if (mantissa_bits == 10 && exponent_bits == 5)
        number(x, 5, 10, bits);
    else if (mantissa_bits == 7)
        number(x, 8, 7, bits);
    else
        number(x, exponent_bits, mantissa_bits, bits);
}

/* The bits of sum x 2^unit in a format: truncated, or rounded to nearest. If the sum is too large,
 * the bits of infinity. */
static uint32_t encode(int64_t sum, int unit, int exponent_bits, int mantissa_bits, int nearest)
{
    uint32_t sign = sum < 0 ? 1u << (exponent_bits + mantissa_bits) : 0;
    uint64_t size = sum < 0 ? 0 - (uint64_t)sum : (uint64_t)sum;
    int bias = (1 << (exponent_bits - 1)) - 1, least = 1 - bias - mantissa_bits;
    if (!size) return sign;
    int last = 63 - __builtin_clzll(size) + unit - mantissa_bits;
    last = last < least ? least : last;
    int shift = last - unit;
    uint64_t digits = shift > 63 ? 0 : shift > 0 ? size >> shift : size << -shift;
    if (nearest && shift > 0 && shift < 64) {
        uint64_t rest = size & (((uint64_t)1 << shift) - 1), half = (uint64_t)1 << (shift - 1);
        digits += rest > half || (rest == half && digits & 1);
    }
    /* A carry out of the digits increments the exponent field. */
    uint64_t code = ((uint64_t)(last - least) << mantissa_bits) + digits;
    uint64_t infinite = (uint64_t)((1u << exponent_bits) - 1) << mantissa_bits;
    return sign | (uint32_t)(code < infinite ? code : infinite);
}

enum { UP = 32 }; /* UP: bits by which a product, which has at most 22 digits, can be shifted up */

/* Adds c and up to 16 products of finite factors. bits: digits kept below the largest exponent.
 * *unit: exponent of the last digit of the result. */
static int64_t add_up(const struct model_number *a, const struct model_number *b, int count,
    const struct model_number *c, int bits, int *unit)
{
    int top = c->digits ? c->top : -30000;
    int64_t sum = 0, product[16];
    for (int i = 0; i < count; i++) {
        product[i] = (int64_t)a[i].digits * b[i].digits;
        int at = a[i].top + b[i].top;
        top = product[i] && at > top ? at : top;
    }
    *unit = top - bits;
    for (int i = 0; i < count; i++) {
        /* A product other than 0 is shifted up by at most "bits". It is shifted up by 32 and then
         * down by the difference, which needs no branch. */
        int down = *unit - a[i].exponent - b[i].exponent + UP;
        int64_t x = (product[i] << UP) >> (down < 0 ? 0 : down > 63 ? 63 : down);
        int64_t sign = -(int64_t)(a[i].negative ^ b[i].negative);
        sum += (x ^ sign) - sign;
    }
    int shift = *unit - c->exponent;
    int64_t own = c->digits, x = shift > 62 || !own ? 0 : shift >= 0 ? own >> shift : own << -shift;
    return sum + (c->negative ? -x : x);
}

/* A bit set that describes non-finite products: bit 0 is set if there is a positive infinity, bit 1
 * for a negative infinity, bit 2 for a NaN. The result 0 means that all are finite. */
static int not_finite(const struct model_number *a, const struct model_number *b, int count)
{
    int seen = 0;
    for (int i = 0; i < count; i++) {
        if (!(a[i].kind | b[i].kind)) continue;
        int zero = (!a[i].kind && !a[i].digits) || (!b[i].kind && !b[i].digits);
        int nan = a[i].kind == NUMBER_NAN || b[i].kind == NUMBER_NAN || zero;
        seen |= nan ? 4 : a[i].negative != b[i].negative ? 2 : 1;
    }
    return seen;
}

uint32_t model_tensor_sum(struct model_tensor rule, const struct model_number *a,
    const struct model_number *b, int count, uint32_t c, int half)
{
    int e = half ? 5 : 8, m = half ? 10 : 23, unit = 0;
    struct model_number at;
    if (half)
        number(&at, 5, 10, c);
    else
        number(&at, 8, 23, c);
    int seen = not_finite(a, b, count);
    if (at.kind) seen |= at.kind == NUMBER_NAN ? 4 : at.negative ? 2 : 1;
    if (seen & 4 || seen == 3) return half ? 0x7fff : 0x7fffffff;
    if (seen)
        return (half ? 0x7c00u : 0x7f800000u) | (seen == 2 ? half ? 0x8000u : 0x80000000u : 0);
    for (int i = 0; i < count; i += rule.products) {
        int n = count - i < rule.products ? count - i : rule.products;
        int64_t sum = add_up(a + i, b + i, n, &at, rule.bits, &unit);
        if (i + n == count) return encode(sum, unit, e, m, half);
        number(&at, 8, 23, encode(sum, unit, 8, 23, 0));
        if (at.kind) return encode(sum, unit, e, m, half);
    }
    return c;
}
