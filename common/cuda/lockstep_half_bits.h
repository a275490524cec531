/* lockstep_half_bits.h - the two 16-bit formats in plain C++: used by the host, and by GPUs without
 * instructions for them.
 *
 *     half        1 + 5 + 10 bits    11 digits    least normal number 2^-14
 *     bfloat16    1 + 8 + 7 bits      8 digits    least normal number 2^-126
 *
 * Source: IEEE 754; CUDA Math API, half precision and bfloat16 conversions. */
#ifndef LOCKSTEP_HALF_BITS_H
#define LOCKSTEP_HALF_BITS_H

#pragma GCC system_header

/* Rounding modes, by the letters of CUDA's names: _rn, _rz, _rd, _ru. */
enum lockstep_rounding { LOCKSTEP_rn, LOCKSTEP_rz, LOCKSTEP_rd, LOCKSTEP_ru };

/* The bits of x, rounded to a format of `digits` binary digits whose least normal number is 2^least. A number
 * below it is a multiple of the unit that the least normal number has. A NaN is 0x7fff. */
LOCKSTEP_HOST_FN_ unsigned short lockstep_round16(double x, int digits, int least, lockstep_rounding mode)
{
    unsigned long long bits = __builtin_bit_cast(unsigned long long, x), one = 1;
    int field = (int)(bits >> 52 & 2047), lowest = 1023 + least, negative = (int)(bits >> 63);
    unsigned long long digits_of_x = (bits & ((one << 52) - 1)) | (field ? one << 52 : 0);
    unsigned infinity = (unsigned)(3 - 2 * least) << (digits - 1);
    bool away = mode == LOCKSTEP_ru ? !negative : mode == LOCKSTEP_rd && negative;
    if (x != x) return 0x7fff;
    int exponent = field > lowest ? field : lowest, cut = 53 - digits + exponent - (field ? field : 1);
    if (cut > 62) cut = 62; /* all digits are cut */
    unsigned long long units = digits_of_x >> cut, tie = one << (cut - 1);
    unsigned long long rest = digits_of_x & ((one << cut) - 1);
    if (mode == LOCKSTEP_rn ? rest > tie || (rest == tie && (units & 1)) : away && rest) units++;
    unsigned long long code = ((unsigned long long)(exponent - lowest) << (digits - 1)) + units;
    if (code >= infinity) /* a finite number rounded towards zero stays finite */
        code = mode == LOCKSTEP_rn || away || field == 2047 ? infinity : infinity - 1;
    return (unsigned short)(code | (unsigned)negative << 15);
}

/* The float that the bits of a half stand for. The multiplication is correct for subnormal numbers, too. */
LOCKSTEP_HOST_FN_ float lockstep_widen_half(unsigned short h)
{
    unsigned magnitude = (h & 0x7fffu) << 13;
    unsigned bits = __builtin_bit_cast(unsigned, __builtin_bit_cast(float, magnitude) * 0x1p112f);
    if ((h & 0x7c00) == 0x7c00) bits |= 0x7f800000u;
    return __builtin_bit_cast(float, bits | (h & 0x8000u) << 16);
}

/* a b + c as a double that is rounded to odd (its last bit is set if it is not exact), so that rounding it
 * again, to 16 bits, is correct. */
LOCKSTEP_HOST_FN_ double lockstep_fma_odd(float a, float b, float c)
{
    /* volatile, so that product and sum are not fused */
    volatile double p = (double)a * (double)b;
    double q = p, s = q + (double)c, t = s - q, e = (q - (s - t)) + ((double)c - t);
    unsigned long long bits = __builtin_bit_cast(unsigned long long, s);
    if (e < 0 || e > 0) bits = (bits - (unsigned long long)((e < 0) != (s < 0))) | 1;
    return __builtin_bit_cast(double, bits);
}

/* An integer as a double, rounded to odd from 2^53 on. */
LOCKSTEP_HOST_FN_ double lockstep_whole(unsigned long long a)
{
    return (double)(a >> 53 ? (a | (unsigned long long)((a & 2047) != 0) << 11) & ~2047ull : a);
}
LOCKSTEP_HOST_FN_ double lockstep_whole(long long a)
{
    return a < 0 ? -lockstep_whole(0 - (unsigned long long)a) : lockstep_whole((unsigned long long)a);
}
LOCKSTEP_HOST_FN_ double lockstep_whole(int a) { return a; }
LOCKSTEP_HOST_FN_ double lockstep_whole(unsigned a) { return a; }

/* A float as an integer of type T; out of range: low or most, whichever is nearer. */
template <class T>
LOCKSTEP_HOST_FN_ T lockstep_to_whole(float x, lockstep_rounding mode, T low, T most, T nan)
{
    double a = x, r = mode == LOCKSTEP_rn ? __builtin_rint(a)
        : mode == LOCKSTEP_rz             ? __builtin_trunc(a)
        : mode == LOCKSTEP_rd             ? __builtin_floor(a)
                                          : __builtin_ceil(a);
    return x != x ? nan : r <= (double)low ? low : r >= (double)most ? most : (T)r;
}

/* min and max: -0 is less than 0; of a NaN and a number, the result is the number. */
LOCKSTEP_HOST_FN_ float lockstep_smaller(float a, float b)
{
#ifdef __CUDA_ARCH__
    return __nvvm_fmin_f(a, b);
#else
    return a < b || b != b ? a : b < a || a != a ? b : __builtin_signbit(a) ? a : b;
#endif
}
LOCKSTEP_HOST_FN_ float lockstep_larger(float a, float b)
{
#ifdef __CUDA_ARCH__
    return __nvvm_fmax_f(a, b);
#else
    return a > b || b != b ? a : b > a || a != a ? b : __builtin_signbit(a) ? b : a;
#endif
}
/* Two 16-bit numbers in a word, the first in the lower half. */
LOCKSTEP_HOST_FN_ unsigned lockstep_pack16(unsigned short low, unsigned short high)
{
#ifdef __CUDA_ARCH__
    unsigned d;
    if (!__builtin_constant_p(low) || !__builtin_constant_p(high)) {
        asm("mov.b32 %0, {%1, %2};" : "=r"(d) : "h"(low), "h"(high));
        return d;
    }
#endif
    return (unsigned)high << 16 | low;
}
/* The lower and the upper number of a pair. With an asm, a GPU loads the pair whole; if C took it apart,
 * clang would load its halves one by one. */
LOCKSTEP_HOST_FN_ unsigned short lockstep_low16(unsigned pair)
{
#ifdef __CUDA_ARCH__
    unsigned short low, high;
    asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(pair));
    return low;
#else
    return (unsigned short)pair;
#endif
}
LOCKSTEP_HOST_FN_ unsigned short lockstep_high16(unsigned pair)
{
#ifdef __CUDA_ARCH__
    unsigned short low, high;
    asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(pair));
    return high;
#else
    return (unsigned short)(pair >> 16);
#endif
}
/* v, clamped to the range of T, an 8-bit type. */
template <class T> LOCKSTEP_HOST_FN_ T lockstep_to_byte(int v)
{
    int low = (T)-1 < 0 ? -128 : 0, most = low + 255;
    return (T)(v < low ? low : v > most ? most : v);
}
LOCKSTEP_HOST_FN_ float lockstep_clamped(float a) { return a > 0 ? (a < 1 ? a : 1.0f) : 0.0f; }
LOCKSTEP_HOST_FN_ float lockstep_positive(float a) { return a <= 0 ? 0.0f : a; }

#endif
