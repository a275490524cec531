/* helper_math.h - stands in for that of CUDA's samples: arithmetic of vectors such as float3, lane by lane.
 *
 *     a + b    a * 2    a += b    min(a, b)    dot(a, b)    normalize(a)    make_float3(make_float4(...))
 *
 * Operators are templates: a program's own for one type of vector comes first. */
#ifndef LOCKSTEP_STANDIN_HELPER_MATH_H
#define LOCKSTEP_STANDIN_HELPER_MATH_H

#include <cuda_runtime.h>
#include <math.h>

typedef unsigned int uint;
typedef unsigned short ushort;

template <class V> struct lockstep_vector_ {};
#define LOCKSTEP_VECTOR_(V, T, N)                                                                          \
    template <> struct lockstep_vector_<V> {                                                               \
        typedef T lane;                                                                                    \
        typedef V same;                                                                                    \
        enum { lanes = N };                                                                                \
    };
#define LOCKSTEP_VECTORS_(name, T)                                                                         \
    LOCKSTEP_VECTOR_(name##2, T, 2) LOCKSTEP_VECTOR_(name##3, T, 3) LOCKSTEP_VECTOR_(name##4, T, 4)
LOCKSTEP_VECTORS_(float, float)
LOCKSTEP_VECTORS_(int, int)
LOCKSTEP_VECTORS_(uint, unsigned)

#define LOCKSTEP_HELPER_ inline __host__ __device__
#define LOCKSTEP_LANE_ typename lockstep_vector_<V>::lane
#define LOCKSTEP_SAME_ typename lockstep_vector_<V>::same
/* The vector whose lane i is the expression, which may use i. */
#define LOCKSTEP_EACH_(expression)                                                                         \
    V r;                                                                                                   \
    for (int i = 0; i < lockstep_vector_<V>::lanes; i++) (&r.x)[i] = expression;                           \
    return r
#define LOCKSTEP_OPERATOR_(op)                                                                             \
    template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ operator op(V a, V b)                                 \
    {                                                                                                      \
        LOCKSTEP_EACH_((&a.x)[i] op(&b.x)[i]);                                                             \
    }                                                                                                      \
    template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ operator op(V a, LOCKSTEP_LANE_ b)                    \
    {                                                                                                      \
        LOCKSTEP_EACH_((&a.x)[i] op b);                                                                    \
    }                                                                                                      \
    template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ operator op(LOCKSTEP_LANE_ a, V b)                    \
    {                                                                                                      \
        LOCKSTEP_EACH_(a op(&b.x)[i]);                                                                     \
    }                                                                                                      \
    template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ &operator op##=(V & a, V b) { return a = a op b; }    \
    template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ &operator op##=(V & a, LOCKSTEP_LANE_ b)              \
    {                                                                                                      \
        return a = a op b;                                                                                 \
    }
LOCKSTEP_OPERATOR_(+)
LOCKSTEP_OPERATOR_(-)
LOCKSTEP_OPERATOR_(*)
LOCKSTEP_OPERATOR_(/)
template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ operator-(V a) { LOCKSTEP_EACH_(-(&a.x)[i]); }

#define LOCKSTEP_LANES_(f, expression)                                                                     \
    template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ f(V a) { LOCKSTEP_EACH_(expression); }
#define LOCKSTEP_LANES2_(f, expression)                                                                    \
    template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ f(V a, V b) { LOCKSTEP_EACH_(expression); }
LOCKSTEP_LANES_(floorf, floorf((&a.x)[i]))
LOCKSTEP_LANES_(fabs, fabsf((&a.x)[i]))
LOCKSTEP_LANES_(abs, (&a.x)[i] < 0 ? -(&a.x)[i] : (&a.x)[i])
LOCKSTEP_LANES_(fracf, (&a.x)[i] - floorf((&a.x)[i]))
LOCKSTEP_LANES2_(fmodf, fmodf((&a.x)[i], (&b.x)[i]))
LOCKSTEP_LANES2_(fminf, fminf((&a.x)[i], (&b.x)[i]))
LOCKSTEP_LANES2_(fmaxf, fmaxf((&a.x)[i], (&b.x)[i]))
LOCKSTEP_LANES2_(min, (&a.x)[i] < (&b.x)[i] ? (&a.x)[i] : (&b.x)[i])
LOCKSTEP_LANES2_(max, (&a.x)[i] > (&b.x)[i] ? (&a.x)[i] : (&b.x)[i])

template <class V> LOCKSTEP_HELPER_ LOCKSTEP_LANE_ dot(V a, V b)
{
    LOCKSTEP_LANE_ sum = a.x * b.x;
    for (int i = 1; i < lockstep_vector_<V>::lanes; i++) sum += (&a.x)[i] * (&b.x)[i];
    return sum;
}
template <class V> LOCKSTEP_HELPER_ LOCKSTEP_LANE_ length(V a) { return sqrtf(dot(a, a)); }
template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ normalize(V a) { return a * (1 / sqrtf(dot(a, a))); }
template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ reflect(V i, V n) { return i - 2.0f * n * dot(n, i); }
LOCKSTEP_HELPER_ float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
LOCKSTEP_HELPER_ float lerp(float a, float b, float t) { return a + t * (b - a); }
template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ lerp(V a, V b, float t) { return a + t * (b - a); }
LOCKSTEP_HELPER_ float fracf(float a) { return a - floorf(a); }
LOCKSTEP_HELPER_ float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
LOCKSTEP_HELPER_ int clamp(int f, int a, int b) { return f < a ? a : f > b ? b : f; }
LOCKSTEP_HELPER_ uint clamp(uint f, uint a, uint b) { return f < a ? a : f > b ? b : f; }
template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ clamp(V v, LOCKSTEP_LANE_ a, LOCKSTEP_LANE_ b)
{
    LOCKSTEP_EACH_(clamp((&v.x)[i], a, b));
}
template <class V> LOCKSTEP_HELPER_ LOCKSTEP_SAME_ clamp(V v, V a, V b)
{
    LOCKSTEP_EACH_(clamp((&v.x)[i], (&a.x)[i], (&b.x)[i]));
}

/* One type of vector from a number, from longer and shorter ones, and from another type. */
#define LOCKSTEP_MAKE_(name, T, other, another)                                                            \
    LOCKSTEP_HELPER_ name##2 make_##name##2(T s) { return make_##name##2(s, s); }                            \
    LOCKSTEP_HELPER_ name##3 make_##name##3(T s) { return make_##name##3(s, s, s); }                         \
    LOCKSTEP_HELPER_ name##4 make_##name##4(T s) { return make_##name##4(s, s, s, s); }                      \
    LOCKSTEP_HELPER_ name##2 make_##name##2(name##3 a) { return make_##name##2(a.x, a.y); }                  \
    LOCKSTEP_HELPER_ name##3 make_##name##3(name##2 a, T z = 0) { return make_##name##3(a.x, a.y, z); }      \
    LOCKSTEP_HELPER_ name##3 make_##name##3(name##4 a) { return make_##name##3(a.x, a.y, a.z); }             \
    LOCKSTEP_HELPER_ name##4 make_##name##4(name##3 a, T w = 0) { return make_##name##4(a.x, a.y, a.z, w); } \
    LOCKSTEP_MAKE_FROM_(name, T, other) LOCKSTEP_MAKE_FROM_(name, T, another)
#define LOCKSTEP_MAKE_FROM_(name, T, other)                                                                \
    LOCKSTEP_HELPER_ name##2 make_##name##2(other##2 a) { return make_##name##2((T)a.x, (T)a.y); }           \
    LOCKSTEP_HELPER_ name##3 make_##name##3(other##3 a) { return make_##name##3((T)a.x, (T)a.y, (T)a.z); }   \
    LOCKSTEP_HELPER_ name##4 make_##name##4(other##4 a)                                                      \
    {                                                                                                      \
        return make_##name##4((T)a.x, (T)a.y, (T)a.z, (T)a.w);                                             \
    }
LOCKSTEP_MAKE_(float, float, int, uint)
LOCKSTEP_MAKE_(int, int, float, uint)
LOCKSTEP_MAKE_(uint, unsigned, float, int)

#endif
