/* lockstep_dpx.h - sums with the least and the greatest, for dynamic programming: CUDA's DPX functions, of
 * host and kernels, for clang without the SDK.
 *
 *     __viaddmax_s32(a, b, c)           max(a + b, c)             relu: 0 where the result is negative
 *     __vimax3_s16x2(a, b, c)           max(a, b, c) of each half of the words
 *     __vibmax_s32(a, b, &is_first)     max(a, b), and whether a is one (a >= b); of halves the upper first
 *
 * Sums keep the width of their operands. Source: CUDA C++ Programming Guide, DPX; CUDA Math API, SIMD
 * intrinsics. */
#ifndef LOCKSTEP_DPX_H
#define LOCKSTEP_DPX_H

/* NAME(a, b, c): the expression of x, y and z, which have the type T: of the words, or of their halves. */
#define LOCKSTEP_DPX_WORD_(name, T, ...)                                                       \
    LOCKSTEP_HOST_FN_ T name(T x, T y, T z)                                                    \
    {                                                                                          \
        return __VA_ARGS__;                                                                    \
    }
#define LOCKSTEP_DPX_HALVES_(name, T, ...)                                                     \
    LOCKSTEP_HOST_FN_ unsigned name(unsigned a, unsigned b, unsigned c)                        \
    {                                                                                          \
        unsigned d = 0;                                                                        \
        for (int i = 0; i < 32; i += 16) {                                                     \
            T x = (T)(a >> i), y = (T)(b >> i), z = (T)(c >> i);                               \
            d |= (unsigned)(unsigned short)(__VA_ARGS__) << i;                                 \
        }                                                                                      \
        return d;                                                                              \
    }
LOCKSTEP_HOST_FN_ int lockstep_sum_(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
LOCKSTEP_HOST_FN_ unsigned lockstep_sum_(unsigned a, unsigned b) { return a + b; }
LOCKSTEP_HOST_FN_ int lockstep_sum_(short a, short b) { return (short)(a + b); }
LOCKSTEP_HOST_FN_ int lockstep_sum_(unsigned short a, unsigned short b) { return (unsigned short)(a + b); }

#define LOCKSTEP_DPX_SIGNED_(name, ...)                                                        \
    LOCKSTEP_DPX_WORD_(name##_s32, int, __VA_ARGS__)                                           \
    LOCKSTEP_DPX_WORD_(name##_s32_relu, int, max((__VA_ARGS__), 0))                            \
    LOCKSTEP_DPX_HALVES_(name##_s16x2, short, __VA_ARGS__)                                     \
    LOCKSTEP_DPX_HALVES_(name##_s16x2_relu, short, max((__VA_ARGS__), 0))
#define LOCKSTEP_DPX_(name, ...)                                                               \
    LOCKSTEP_DPX_SIGNED_(name, __VA_ARGS__)                                                    \
    LOCKSTEP_DPX_WORD_(name##_u32, unsigned, __VA_ARGS__)                                      \
    LOCKSTEP_DPX_HALVES_(name##_u16x2, unsigned short, __VA_ARGS__)
LOCKSTEP_DPX_(__viaddmax, max(lockstep_sum_(x, y), z))
LOCKSTEP_DPX_(__viaddmin, min(lockstep_sum_(x, y), z))
LOCKSTEP_DPX_(__vimax3, max(max(x, y), z))
LOCKSTEP_DPX_(__vimin3, min(min(x, y), z))
#undef LOCKSTEP_DPX_
#undef LOCKSTEP_DPX_SIGNED_
#undef LOCKSTEP_DPX_HALVES_
#undef LOCKSTEP_DPX_WORD_
LOCKSTEP_HOST_FN_ int __vimax_s32_relu(int a, int b) { return __vimax3_s32(a, b, 0); }
LOCKSTEP_HOST_FN_ int __vimin_s32_relu(int a, int b) { return __vimin3_s32_relu(a, b, b); }
LOCKSTEP_HOST_FN_ unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vimax3_s16x2(a, b, 0); }
LOCKSTEP_HOST_FN_ unsigned __vimin_s16x2_relu(unsigned a, unsigned b)
{
    return __vimin3_s16x2_relu(a, b, b);
}

/* ---- the greater or the smaller of two, and which of them it is ---- */

#define LOCKSTEP_DPX_WHICH_(name, op, T, suffix, half, halves)                                 \
    LOCKSTEP_HOST_FN_ T name##_##suffix(T a, T b, bool *is_first)                              \
    {                                                                                          \
        *is_first = a op b;                                                                    \
        return *is_first ? a : b;                                                              \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ unsigned name##_##halves(unsigned a, unsigned b, bool *high, bool *low)  \
    {                                                                                          \
        *high = (half)(a >> 16) op(half)(b >> 16);                                             \
        *low = (half)a op(half) b;                                                             \
        return ((*high ? a : b) & 0xffff0000) | ((*low ? a : b) & 0xffff);                     \
    }
LOCKSTEP_DPX_WHICH_(__vibmax, >=, int, s32, short, s16x2)
LOCKSTEP_DPX_WHICH_(__vibmax, >=, unsigned, u32, unsigned short, u16x2)
LOCKSTEP_DPX_WHICH_(__vibmin, <=, int, s32, short, s16x2)
LOCKSTEP_DPX_WHICH_(__vibmin, <=, unsigned, u32, unsigned short, u16x2)
#undef LOCKSTEP_DPX_WHICH_

#endif
