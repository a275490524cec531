// Calls, structs by value, arrays of a thread's own.
#include "lockstep.h"

struct pair {
    float a;
    int b;
    double c;
};

static __device__ __noinline__ int square(int x) { return x * x; }
static __device__ __noinline__ int square_plus(int x, int y) { return square(x) + y; }
static __device__ __noinline__ int deeper(int x)
{
    if (x & 1)
        return square_plus(x, 100) + square(x - 1);
    return square_plus(x, -100);
}

//! run   calls block=64
//! arg   out i32[64] poison
//! want  out = i < 50 ? (i & 1 ? i * i + 100 + (i - 1) * (i - 1) : i * i - 100) : -1
__global__ void calls(int *out)
{
    int i = threadIdx.x;
    out[i] = -1;
    if (i < 50)
        out[i] = deeper(i);
}

// Returns from the middle of a loop, at different times for different lanes.
static __device__ __noinline__ int first_factor(int n)
{
    for (int k = 2; k < n; k++)
        if (n % k == 0)
            return k;
    return n;
}

//! run   factors block=32
//! arg   out i32[32] poison
//! want  out = {2, 3, 2, 5, 2, 7, 2, 3, 2, 11, 2, 13, 2, 3, 2, 17, 2, 19, 2, 3, 2, 23, 2, 5, 2, 3, 2, 29, 2, 31, 2, 3}
__global__ void factors(int *out)
{
    out[threadIdx.x] = first_factor(threadIdx.x + 2);
}

static __device__ __noinline__ pair make(float a, int b)
{
    pair p = {a, b, a * 2.0 + b};
    return p;
}
static __device__ __noinline__ double total(pair p, const pair *q)
{
    return p.a + p.b + p.c + q->c;
}

//! run   structs block=32
//! arg   p f32,i32,f64 = {1.5, -2, 0.25}
//! arg   out f64[32] poison
//! want  out = i + 7 + i * 2 + 7 + 0.25
__global__ void structs(pair p, double *out)
{
    int i = threadIdx.x;
    pair made = make(i, 7);
    out[i] = total(made, &p) - (i == 100 ? p.b : 0);
}

//! run   arrays block=32
//! arg   in i32[256] = i * 7 % 256
//! arg   out i32[32] poison
//! want  out = in[i * 8 + (i * 5 + 3) % 8] + in[i * 8 + (i + 1) % 8] * 1000
__global__ void arrays(const int *in, int *out)
{
    int i = threadIdx.x, own[8];
    for (int k = 0; k < 8; k++)
        own[(k + i) % 8] = in[i * 8 + k];
    out[i] = own[(i * 5 + 3 + i) % 8] + own[(2 * i + 1) % 8] * 1000;
}

//! run   sorted block=16
//! arg   in i32[96] = i * 53 % 97
//! arg   out i32[96] poison
//! want  out = in[i // 6 * 6 + (i + i // 6) % 6]
static __device__ void swap(int &a, int &b)
{
    int t = a;
    a = b;
    b = t;
}
static __device__ __noinline__ void rotate(int *x, int by)
{
    while (by--)
        for (int k = 0; k + 1 < 6; k++)
            swap(x[k], x[k + 1]);
}
__global__ void sorted(const int *in, int *out)
{
    int own[6], i = threadIdx.x;
    for (int k = 0; k < 6; k++)
        own[k] = in[i * 6 + k];
    rotate(own, i);
    for (int k = 0; k < 6; k++)
        out[i * 6 + k] = own[k];
}

template <int N> static __device__ float power(float x)
{
    float r = 1;
#pragma unroll
    for (int k = 0; k < N; k++)
        r *= x;
    return r;
}
//! run   templated block=8
//! arg   out f32[8] poison
//! want  out = i * i * i + i * i * i * i * i
__global__ void templated(float *out)
{
    out[threadIdx.x] = power<3>(threadIdx.x) + power<5>(threadIdx.x);
}
