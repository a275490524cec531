/* half.h - the 16-bit formats as the tests know them: what a number is by definition, and the
 * nearest number by search among all of them. f16 has 10 bits of mantissa and a bias of 15, bf16 7
 * and 127. */
#ifndef LOCKSTEP_TESTS_HALF_H
#define LOCKSTEP_TESTS_HALF_H

#include <math.h>
#include <stdint.h>

static inline long double half_value(uint16_t h, int mantissa, int bias)
{
    int field = (h & 0x7fff) >> mantissa, part = h & ((1 << mantissa) - 1),
        exponent = field ? field : 1;
    long double size = ldexpl(field ? part + (1 << mantissa) : part, exponent - bias - mantissa);
    if (field == 2 * bias + 1) size = part ? (long double)NAN : (long double)INFINITY;
    return h & 0x8000 ? -size : size;
}

/* v rounded to nearest, ties to even ('n'), towards zero ('z'), down ('m') or up ('p'). */
static inline uint16_t half_rounded(long double v, char mode, int mantissa, int bias)
{
    int infinity = (2 * bias + 1) << mantissa, low = 0, high = infinity,
        sign = signbit(v) ? 0x8000 : 0;
    long double size = fabsl(v);
    if (isnan(v)) return 0x7fff;
    if (isinf(v)) return (uint16_t)(sign | infinity);
    while (high - low > 1) { /* low is at most size, and high is above it */
        int middle = (low + high) / 2;
        if (size < half_value((uint16_t)middle, mantissa, bias))
            high = middle;
        else
            low = middle;
    }
    /* infinity counts as the number that would follow the largest */
    long double below = half_value((uint16_t)low, mantissa, bias);
    long double above =
        high == infinity ? ldexpl(1, bias + 1) : half_value((uint16_t)high, mantissa, bias);
    int up = mode == 'n' ? size - below > above - size || (size - below == above - size && low & 1)
             : size == below ? 0
                             : mode == (sign ? 'm' : 'p');
    return (uint16_t)(sign | (up ? high : low));
}

#endif
