/* lockstep_half_make.h - macros that make functions on one number and on a pair, in either 16-bit format.
 *
 *     LOCKSTEP_BINARY_PTX_(__hadd, __hadd2, "add.")     asm("add.f16 ..."), asm("add.f16x2 ...")
 *     LOCKSTEP_BINARY_CPP_(__hadd, __hadd2, x + y)      x and y are a and b as floats; a pair is made of two
 *
 * The types are those that LOCKSTEP_T_ and its kin stand for where a macro is used (lockstep_half_ops.h). */
#ifndef LOCKSTEP_HALF_MAKE_H
#define LOCKSTEP_HALF_MAKE_H

#pragma GCC system_header

#define LOCKSTEP_BITS_(a) __builtin_bit_cast(unsigned short, a)
#define LOCKSTEP_BITS2_(a) __builtin_bit_cast(unsigned, a)

/* A pair of T. The union keeps it in one register: clang takes a structure of two apart. */
#ifdef LOCKSTEP_CLANG_H
#define LOCKSTEP_PAIR_TYPE_(T2, T)                                                             \
    struct __align__(4) T2 {                                                                   \
        union {                                                                                \
            struct { T x, y; };                                                                \
            unsigned lockstep_both_;                                                           \
        };                                                                                     \
        T2() = default;                                                                        \
        LOCKSTEP_BOTH_ T2(T a, T b) : lockstep_both_(lockstep_pack16(a.__x, b.__x)) {}         \
        LOCKSTEP_BOTH_ T2(T2##_raw r) : lockstep_both_(lockstep_pack16(r.x, r.y)) {}           \
        LOCKSTEP_BOTH_ operator T2##_raw() const { return {x.__x, y.__x}; }                    \
    };
#else
#define LOCKSTEP_PAIR_TYPE_(T2, T)                                                             \
    struct __align__(4) T2 {                                                                   \
        T x, y;                                                                                \
        T2() = default;                                                                        \
        T2(T a, T b) : x(a), y(b) {}                                                           \
        T2(T2##_raw r) : x(T##_raw{r.x}), y(T##_raw{r.y}) {}                                   \
        operator T2##_raw() const { return {x.__x, y.__x}; }                                   \
    };
#endif

#define LOCKSTEP_UNARY_PTX_(one, two, op)                                                      \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T_ one(LOCKSTEP_T_ a)                                           \
    {                                                                                          \
        unsigned short d;                                                                      \
        asm(op LOCKSTEP_F_ " %0, %1;" : "=h"(d) : "h"(LOCKSTEP_BITS_(a)));                     \
        return __builtin_bit_cast(LOCKSTEP_T_, d);                                             \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T2_ two(LOCKSTEP_T2_ a)                                         \
    {                                                                                          \
        unsigned d;                                                                            \
        asm(op LOCKSTEP_F_ "x2 %0, %1;" : "=r"(d) : "r"(LOCKSTEP_BITS2_(a)));                  \
        return __builtin_bit_cast(LOCKSTEP_T2_, d);                                            \
    }
#define LOCKSTEP_BINARY_PTX_(one, two, op)                                                     \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T_ one(LOCKSTEP_T_ a, LOCKSTEP_T_ b)                            \
    {                                                                                          \
        unsigned short d;                                                                      \
        asm(op LOCKSTEP_F_ " %0, %1, %2;" : "=h"(d) : "h"(LOCKSTEP_BITS_(a)), "h"(LOCKSTEP_BITS_(b))); \
        return __builtin_bit_cast(LOCKSTEP_T_, d);                                             \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T2_ two(LOCKSTEP_T2_ a, LOCKSTEP_T2_ b)                         \
    {                                                                                          \
        unsigned d;                                                                            \
        asm(op LOCKSTEP_F_ "x2 %0, %1, %2;" : "=r"(d) : "r"(LOCKSTEP_BITS2_(a)), "r"(LOCKSTEP_BITS2_(b))); \
        return __builtin_bit_cast(LOCKSTEP_T2_, d);                                            \
    }
#define LOCKSTEP_TERNARY_PTX_(one, two, op)                                                    \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T_ one(LOCKSTEP_T_ a, LOCKSTEP_T_ b, LOCKSTEP_T_ c)             \
    {                                                                                          \
        unsigned short d;                                                                      \
        asm(op LOCKSTEP_F_ " %0, %1, %2, %3;"                                                  \
            : "=h"(d)                                                                          \
            : "h"(LOCKSTEP_BITS_(a)), "h"(LOCKSTEP_BITS_(b)), "h"(LOCKSTEP_BITS_(c)));         \
        return __builtin_bit_cast(LOCKSTEP_T_, d);                                             \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T2_ two(LOCKSTEP_T2_ a, LOCKSTEP_T2_ b, LOCKSTEP_T2_ c)         \
    {                                                                                          \
        unsigned d;                                                                            \
        asm(op LOCKSTEP_F_ "x2 %0, %1, %2, %3;"                                                \
            : "=r"(d)                                                                          \
            : "r"(LOCKSTEP_BITS2_(a)), "r"(LOCKSTEP_BITS2_(b)), "r"(LOCKSTEP_BITS2_(c)));      \
        return __builtin_bit_cast(LOCKSTEP_T2_, d);                                            \
    }

/* An expression may use a and b, or x and y, which are a and b as floats. */
#define LOCKSTEP_UNARY_CPP_(one, two, expression)                                              \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T_ one(LOCKSTEP_T_ a)                                           \
    {                                                                                          \
        float x = LOCKSTEP_WIDEN_(a);                                                          \
        return expression;                                                                     \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T2_ two(LOCKSTEP_T2_ a) { return LOCKSTEP_T2_(one(a.x), one(a.y)); }
#define LOCKSTEP_BINARY_CPP_(one, two, expression)                                             \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T_ one(LOCKSTEP_T_ a, LOCKSTEP_T_ b)                            \
    {                                                                                          \
        float x = LOCKSTEP_WIDEN_(a), y = LOCKSTEP_WIDEN_(b);                                  \
        return (void)x, (void)y, expression;                                                   \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T2_ two(LOCKSTEP_T2_ a, LOCKSTEP_T2_ b)                         \
    {                                                                                          \
        return LOCKSTEP_T2_(one(a.x, b.x), one(a.y, b.y));                                     \
    }
#define LOCKSTEP_TERNARY_CPP_(one, two, expression)                                            \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T_ one(LOCKSTEP_T_ a, LOCKSTEP_T_ b, LOCKSTEP_T_ c)             \
    {                                                                                          \
        float x = LOCKSTEP_WIDEN_(a), y = LOCKSTEP_WIDEN_(b), z = LOCKSTEP_WIDEN_(c);          \
        return (void)x, (void)y, (void)z, expression;                                          \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T2_ two(LOCKSTEP_T2_ a, LOCKSTEP_T2_ b, LOCKSTEP_T2_ c)         \
    {                                                                                          \
        return LOCKSTEP_T2_(one(a.x, b.x, c.x), one(a.y, b.y, c.y));                           \
    }

/* Sums and products clamped to 0 .. 1, for types without an instruction for that. */
#define LOCKSTEP_CLAMPED_(value) LOCKSTEP_NARROW_(lockstep_clamped(LOCKSTEP_WIDEN_(value)))
#define LOCKSTEP_CLAMPED_ALL_                                                                  \
    LOCKSTEP_BINARY_CPP_(__hadd_sat, __hadd2_sat, LOCKSTEP_CLAMPED_(__hadd(a, b)))             \
    LOCKSTEP_BINARY_CPP_(__hsub_sat, __hsub2_sat, LOCKSTEP_CLAMPED_(__hsub(a, b)))             \
    LOCKSTEP_BINARY_CPP_(__hmul_sat, __hmul2_sat, LOCKSTEP_CLAMPED_(__hmul(a, b)))             \
    LOCKSTEP_TERNARY_CPP_(__hfma_sat, __hfma2_sat, LOCKSTEP_CLAMPED_(__hfma(a, b, c)))

/* The comparisons: name in CUDA, name in PTX, and the expression in C++. Plain ones are false if an operand
 * is a NaN, those that end in u true. */
#define LOCKSTEP_COMPARES_(M)                                                                  \
    M(eq, "eq", x == y)                                                                        \
    M(ne, "ne", x < y || x > y)                                                                \
    M(lt, "lt", x < y)                                                                         \
    M(le, "le", x <= y)                                                                        \
    M(gt, "gt", x > y)                                                                         \
    M(ge, "ge", x >= y)                                                                        \
    M(equ, "equ", !(x < y || x > y))                                                           \
    M(neu, "neu", x != y)                                                                      \
    M(ltu, "ltu", !(x >= y))                                                                   \
    M(leu, "leu", !(x > y))                                                                    \
    M(gtu, "gtu", !(x <= y))                                                                   \
    M(geu, "geu", !(x < y))
/* One comparison: of numbers; and of pairs, with 1 or 0, or a mask of 16 bits, for each number. */
#define LOCKSTEP_COMPARE_CPP_(name, op, compare)                                               \
    LOCKSTEP_HOST_FN_ bool __h##name(LOCKSTEP_T_ a, LOCKSTEP_T_ b)                             \
    {                                                                                          \
        float x = LOCKSTEP_WIDEN_(a), y = LOCKSTEP_WIDEN_(b);                                  \
        return compare;                                                                        \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ unsigned __h##name##2_mask(LOCKSTEP_T2_ a, LOCKSTEP_T2_ b)               \
    {                                                                                          \
        return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);  \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ LOCKSTEP_T2_ __h##name##2(LOCKSTEP_T2_ a, LOCKSTEP_T2_ b)                \
    {                                                                                          \
        unsigned d = __h##name##2_mask(a, b) & (LOCKSTEP_ONE_ << 16 | LOCKSTEP_ONE_);          \
        return __builtin_bit_cast(LOCKSTEP_T2_, d);                                            \
    }

#endif
