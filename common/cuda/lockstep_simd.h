/* lockstep_simd.h - two halves or four bytes in a word: CUDA's SIMD intrinsics, for clang without the SDK.
 *
 *     __vaddus4(a, b)    byte 3   byte 2   byte 1   byte 0       each byte by itself; nothing is carried over
 *                           +        +        +        +         s: signed, u: unsigned; ss, us: saturated
 *
 * The parts of a and b are x and y; the low bits of the expression are the part of the result. least and most
 * are the smallest and the largest part. Source: CUDA Math API, SIMD intrinsics. */
#ifndef LOCKSTEP_SIMD_H
#define LOCKSTEP_SIMD_H

LOCKSTEP_FN_ int lockstep_clamp_(int v, int least, int most)
{
    return v < least ? least : v > most ? most : v;
}

#define LOCKSTEP_EACH_(T, U, statement)                                                        \
    const int bits = 8 * sizeof(T), least = (T)-1 < 0 ? -(1 << (bits - 1)) : 0;                \
    const int most = least + (int)(U)-1;                                                       \
    unsigned d = 0;                                                                            \
    (void)least, (void)most;                                                                   \
    _Pragma("unroll") for (int i = 0; i < 32; i += bits)                                       \
    {                                                                                          \
        int x = (T)(a >> i), y = (T)(b >> i);                                                  \
        (void)y;                                                                               \
        statement;                                                                             \
    }                                                                                          \
    return d;
#define LOCKSTEP_PARTS_(name, T, U, ...)                                                       \
    LOCKSTEP_FN_ unsigned name(unsigned a, unsigned b)                                         \
    {                                                                                          \
        LOCKSTEP_EACH_(T, U, d |= (unsigned)(U)(__VA_ARGS__) << i)                             \
    }
#define LOCKSTEP_PART_(name, T, U, ...)                                                        \
    LOCKSTEP_FN_ unsigned name(unsigned a)                                                     \
    {                                                                                          \
        const unsigned b = 0;                                                                  \
        LOCKSTEP_EACH_(T, U, d |= (unsigned)(U)(__VA_ARGS__) << i)                             \
    }
#define LOCKSTEP_TOTAL_(name, T, U, ...)                                                       \
    LOCKSTEP_FN_ unsigned name(unsigned a, unsigned b)                                         \
    {                                                                                          \
        LOCKSTEP_EACH_(T, U, d += (unsigned)(__VA_ARGS__))                                     \
    }
/* Define a function for both widths, for signed and for unsigned parts. */
#define LOCKSTEP_SIGNED_(form, name, ...)                                                      \
    form(name##2, short, unsigned short, __VA_ARGS__)                                          \
    form(name##4, signed char, unsigned char, __VA_ARGS__)
#define LOCKSTEP_UNSIGNED_(form, name, ...)                                                    \
    form(name##2, unsigned short, unsigned short, __VA_ARGS__)                                 \
    form(name##4, unsigned char, unsigned char, __VA_ARGS__)

/* ---- sums, differences, means ---- */

LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vadd, x + y)
LOCKSTEP_SIGNED_(LOCKSTEP_PARTS_, __vaddss, lockstep_clamp_(x + y, least, most))
LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vaddus, lockstep_clamp_(x + y, least, most))
LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vsub, x - y)
LOCKSTEP_SIGNED_(LOCKSTEP_PARTS_, __vsubss, lockstep_clamp_(x - y, least, most))
LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vsubus, lockstep_clamp_(x - y, least, most))
LOCKSTEP_SIGNED_(LOCKSTEP_PARTS_, __vavgs, (x + y + (x + y >= 0)) >> 1)
LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vavgu, (x + y + 1) >> 1)
LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vhaddu, (x + y) >> 1)

/* ---- signs and distances: without ss, the most negative part is its own negative ---- */

LOCKSTEP_SIGNED_(LOCKSTEP_PART_, __vabs, x < 0 ? -x : x)
LOCKSTEP_SIGNED_(LOCKSTEP_PART_, __vabsss, lockstep_clamp_(x < 0 ? -x : x, least, most))
LOCKSTEP_SIGNED_(LOCKSTEP_PART_, __vneg, -x)
LOCKSTEP_SIGNED_(LOCKSTEP_PART_, __vnegss, lockstep_clamp_(-x, least, most))
LOCKSTEP_SIGNED_(LOCKSTEP_PARTS_, __vabsdiffs, x > y ? x - y : y - x)
LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vabsdiffu, x > y ? x - y : y - x)
LOCKSTEP_SIGNED_(LOCKSTEP_TOTAL_, __vsads, x > y ? x - y : y - x)
LOCKSTEP_UNSIGNED_(LOCKSTEP_TOTAL_, __vsadu, x > y ? x - y : y - x)

/* ---- comparisons: __vcmp sets all bits of a part, __vset the lowest ---- */

LOCKSTEP_SIGNED_(LOCKSTEP_PARTS_, __vmins, x < y ? x : y)
LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vminu, x < y ? x : y)
LOCKSTEP_SIGNED_(LOCKSTEP_PARTS_, __vmaxs, x > y ? x : y)
LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vmaxu, x > y ? x : y)
LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vcmpeq, x == y ? -1 : 0)
LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vcmpne, x != y ? -1 : 0)
LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vseteq, x == y)
LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vsetne, x != y)
#define LOCKSTEP_ORDERED_(name, op)                                                            \
    LOCKSTEP_SIGNED_(LOCKSTEP_PARTS_, __vcmp##name##s, x op y ? -1 : 0)                        \
    LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vcmp##name##u, x op y ? -1 : 0)                      \
    LOCKSTEP_SIGNED_(LOCKSTEP_PARTS_, __vset##name##s, x op y)                                 \
    LOCKSTEP_UNSIGNED_(LOCKSTEP_PARTS_, __vset##name##u, x op y)
LOCKSTEP_ORDERED_(lt, <)
LOCKSTEP_ORDERED_(le, <=)
LOCKSTEP_ORDERED_(gt, >)
LOCKSTEP_ORDERED_(ge, >=)
#undef LOCKSTEP_ORDERED_
#undef LOCKSTEP_UNSIGNED_
#undef LOCKSTEP_SIGNED_
#undef LOCKSTEP_TOTAL_
#undef LOCKSTEP_PART_
#undef LOCKSTEP_PARTS_
#undef LOCKSTEP_EACH_

#endif
