/* vector_types.h - dim3, float4 and their kin for host files that are not CUDA: C, and C++ by any
 * compiler. In a CUDA file lockstep_clang.h has them, in the same layout.
 * Source: CUDA C++ Programming Guide, built-in vector types. */
#ifndef LOCKSTEP_STANDIN_VECTOR_TYPES_H
#define LOCKSTEP_STANDIN_VECTOR_TYPES_H
#ifndef LOCKSTEP_CLANG_H

#define LOCKSTEP_ALIGNED_(n) __attribute__((aligned(n)))
#define LOCKSTEP_HOST_VECTOR_(T, name, align2, align4)                                                    \
    struct name##1 { T x; };                                                                              \
    struct LOCKSTEP_ALIGNED_(align2) name##2 { T x, y; };                                                 \
    struct name##3 { T x, y, z; };                                                                        \
    struct LOCKSTEP_ALIGNED_(align4) name##4 { T x, y, z, w; };                                           \
    typedef struct name##1 name##1;                                                                       \
    typedef struct name##2 name##2;                                                                       \
    typedef struct name##3 name##3;                                                                       \
    typedef struct name##4 name##4;                                                                       \
    static inline name##1 make_##name##1(T x) { name##1 v = {x}; return v; }                              \
    static inline name##2 make_##name##2(T x, T y) { name##2 v = {x, y}; return v; }                      \
    static inline name##3 make_##name##3(T x, T y, T z) { name##3 v = {x, y, z}; return v; }              \
    static inline name##4 make_##name##4(T x, T y, T z, T w) { name##4 v = {x, y, z, w}; return v; }
LOCKSTEP_HOST_VECTOR_(signed char, char, 2, 4)
LOCKSTEP_HOST_VECTOR_(unsigned char, uchar, 2, 4)
LOCKSTEP_HOST_VECTOR_(short, short, 4, 8)
LOCKSTEP_HOST_VECTOR_(unsigned short, ushort, 4, 8)
LOCKSTEP_HOST_VECTOR_(int, int, 8, 16)
LOCKSTEP_HOST_VECTOR_(unsigned, uint, 8, 16)
LOCKSTEP_HOST_VECTOR_(long, long, 16, 16)
LOCKSTEP_HOST_VECTOR_(unsigned long, ulong, 16, 16)
LOCKSTEP_HOST_VECTOR_(long long, longlong, 16, 16)
LOCKSTEP_HOST_VECTOR_(unsigned long long, ulonglong, 16, 16)
LOCKSTEP_HOST_VECTOR_(float, float, 8, 16)
LOCKSTEP_HOST_VECTOR_(double, double, 16, 16)

struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
#endif
};
typedef struct dim3 dim3;

#define __host__
#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) LOCKSTEP_ALIGNED_(n)
/* CUDA files get these macros from lockstep_clang.h */
#define LOCKSTEP_BOTH_
#define LOCKSTEP_HOST_FN_ static inline __attribute__((unused))

#endif
#endif
