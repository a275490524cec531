/* curand_kernel.h - stands in for the header of cuRAND's device API: XORWOW and Philox4x32-10.
 *
 *     curand_init(seed, subsequence, offset, &state) --> curand: 32 bits --> uniform in (0, 1]
 *                                                                      └-> normal, log-normal: two at once
 *
 * The words are those of NVIDIA's library for each seed, subsequence and offset; numbers made of
 * logarithms and sines may differ in the last digits. The other generators are not there. Source:
 * cuRAND, device API; J. Salmon and others, Parallel random numbers: as easy as 1, 2, 3, 2011.
 */
#ifndef LOCKSTEP_STANDIN_CURAND_KERNEL_H
#define LOCKSTEP_STANDIN_CURAND_KERNEL_H

#include "curand.h"
#include "curand_xorwow.h"

#ifdef __CUDACC__

#define LOCKSTEP_RANDOM_FN_ static inline __device__ __attribute__((unused))
typedef unsigned long long lockstep_random_long_;

/* The second of two normal numbers, which are made together. */
struct lockstep_random_kept_ {
    int has_float, has_double;
    float value_float;
    double value_double;
};
struct curandStateXORWOW {
    unsigned d, v[5];
    lockstep_random_kept_ kept;
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned taken; /* words of output */
    lockstep_random_kept_ kept;
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState, curandState_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/* ---- XORWOW ---- */

LOCKSTEP_RANDOM_FN_ void curand_init(lockstep_random_long_ seed, lockstep_random_long_ subsequence,
    lockstep_random_long_ offset, curandStateXORWOW *s)
{
    lockstep_xorwow_init_(s->v, &s->d, seed, subsequence, offset);
    s->kept = {};
}
LOCKSTEP_RANDOM_FN_ unsigned curand(curandStateXORWOW *s) { return lockstep_xorwow_next_(s->v, &s->d); }
LOCKSTEP_RANDOM_FN_ void skipahead(lockstep_random_long_ n, curandStateXORWOW *s)
{
    lockstep_xorwow_skip_(s->v, &s->d, n);
}
LOCKSTEP_RANDOM_FN_ void skipahead_sequence(lockstep_random_long_ n, curandStateXORWOW *s)
{
    lockstep_xorwow_jump_(s->v, lockstep_xorwow_by_sequence_, n);
}

/* ---- Philox: ten rounds over a counter of 128 bits ---- */

LOCKSTEP_RANDOM_FN_ uint4 lockstep_philox_(uint4 c, uint2 k)
{
    for (int round = 0; round < 10; round++) {
        lockstep_random_long_ a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
        c = make_uint4((unsigned)(b >> 32) ^ c.y ^ k.x, (unsigned)b, (unsigned)(a >> 32) ^ c.w ^ k.y,
            (unsigned)a);
        k.x += 0x9e3779b9u, k.y += 0xbb67ae85u;
    }
    return c;
}
/* Add to the low and to the high half of the counter; a carry goes from the low to the high half. */
LOCKSTEP_RANDOM_FN_ void lockstep_philox_add_(
    curandStatePhilox4_32_10 *s, lockstep_random_long_ low, lockstep_random_long_ high)
{
    lockstep_random_long_ a = (lockstep_random_long_)s->ctr.y << 32 | s->ctr.x,
                          b = (lockstep_random_long_)s->ctr.w << 32 | s->ctr.z;
    a += low, b += high + (a < low);
    s->ctr = make_uint4((unsigned)a, (unsigned)(a >> 32), (unsigned)b, (unsigned)(b >> 32));
    s->output = lockstep_philox_(s->ctr, s->key);
}
LOCKSTEP_RANDOM_FN_ void skipahead(lockstep_random_long_ n, curandStatePhilox4_32_10 *s)
{
    unsigned words = s->taken + (unsigned)(n & 3);
    s->taken = words & 3;
    lockstep_philox_add_(s, (n >> 2) + (words >> 2), 0);
}
LOCKSTEP_RANDOM_FN_ void skipahead_sequence(lockstep_random_long_ n, curandStatePhilox4_32_10 *s)
{
    lockstep_philox_add_(s, 0, n);
}
LOCKSTEP_RANDOM_FN_ void curand_init(lockstep_random_long_ seed, lockstep_random_long_ subsequence,
    lockstep_random_long_ offset, curandStatePhilox4_32_10 *s)
{
    s->ctr = make_uint4(0, 0, 0, 0);
    s->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    s->taken = 0;
    s->kept = {};
    lockstep_philox_add_(s, 0, subsequence);
    skipahead(offset, s);
}
LOCKSTEP_RANDOM_FN_ unsigned curand(curandStatePhilox4_32_10 *s)
{
    unsigned out = s->taken == 0 ? s->output.x : s->taken == 1 ? s->output.y
                 : s->taken == 2 ? s->output.z : s->output.w;
    if (++s->taken == 4) s->taken = 0, lockstep_philox_add_(s, 1, 0);
    return out;
}
LOCKSTEP_RANDOM_FN_ uint4 curand4(curandStatePhilox4_32_10 *s)
{
    unsigned x = curand(s), y = curand(s), z = curand(s), w = curand(s);
    return make_uint4(x, y, z, w);
}

/* ---- distributions ---- */

LOCKSTEP_RANDOM_FN_ float lockstep_uniform_(unsigned x) { return x * 0x1p-32f + 0x1p-33f; }
LOCKSTEP_RANDOM_FN_ double lockstep_uniform_double_(unsigned x, unsigned y)
{
    return (x ^ (lockstep_random_long_)y << 21) * 0x1p-53 + 0x1p-54;
}
/* Two normal numbers by the method of Box and Muller. */
LOCKSTEP_RANDOM_FN_ float2 lockstep_normal_(unsigned x, unsigned y)
{
    float angle = y * (0x1p-32f * 6.2831855f) + 0x1p-33f * 6.2831855f, s, c;
    float radius = sqrtf(-2.0f * logf(lockstep_uniform_(x)));
    sincosf(angle, &s, &c);
    return make_float2(radius * s, radius * c);
}

template <class State> LOCKSTEP_RANDOM_FN_ float curand_uniform(State *s)
{
    return lockstep_uniform_(curand(s));
}
template <class State> LOCKSTEP_RANDOM_FN_ double curand_uniform_double(State *s)
{
    unsigned x = curand(s), y = curand(s);
    return lockstep_uniform_double_(x, y);
}
template <class State> LOCKSTEP_RANDOM_FN_ float2 curand_normal2(State *s)
{
    unsigned x = curand(s), y = curand(s);
    return lockstep_normal_(x, y);
}
template <class State> LOCKSTEP_RANDOM_FN_ float curand_normal(State *s)
{
    s->kept.has_float = !s->kept.has_float;
    if (!s->kept.has_float) return s->kept.value_float;
    float2 both = curand_normal2(s);
    s->kept.value_float = both.y;
    return both.x;
}
template <class State> LOCKSTEP_RANDOM_FN_ double2 curand_normal2_double(State *s)
{
    double radius = sqrt(-2.0 * log(curand_uniform_double(s))), sine, cosine;
    sincospi(2 * curand_uniform_double(s), &sine, &cosine);
    return make_double2(radius * sine, radius * cosine);
}
template <class State> LOCKSTEP_RANDOM_FN_ double curand_normal_double(State *s)
{
    s->kept.has_double = !s->kept.has_double;
    if (!s->kept.has_double) return s->kept.value_double;
    double2 both = curand_normal2_double(s);
    s->kept.value_double = both.y;
    return both.x;
}
template <class State> LOCKSTEP_RANDOM_FN_ float curand_log_normal(State *s, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(s));
}
template <class State> LOCKSTEP_RANDOM_FN_ double curand_log_normal_double(
    State *s, double mean, double deviation)
{
    return exp(mean + deviation * curand_normal_double(s));
}
LOCKSTEP_RANDOM_FN_ float4 curand_uniform4(curandStatePhilox4_32_10 *s)
{
    uint4 w = curand4(s);
    return make_float4(
        lockstep_uniform_(w.x), lockstep_uniform_(w.y), lockstep_uniform_(w.z), lockstep_uniform_(w.w));
}
LOCKSTEP_RANDOM_FN_ float4 curand_normal4(curandStatePhilox4_32_10 *s)
{
    uint4 w = curand4(s);
    float2 a = lockstep_normal_(w.x, w.y), b = lockstep_normal_(w.z, w.w);
    return make_float4(a.x, a.y, b.x, b.y);
}

#endif
#endif
