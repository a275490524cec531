// Floating point: single roundings, signed zeros, NaN, infinities, subnormals, comparisons.
#include "lockstep.h"

//! run   arithmetic block=32
//! arg   a f32[32] = i * 0.7 - 9
//! arg   b f32[32] = 3 - i * 0.3
//! arg   out f32[224] poison
//! want  out[0..31] = a[i] + b[i]
//! want  out[32..63] = a[i - 32] - b[i - 32]
//! want  out[64..95] = a[i - 64] * b[i - 64]
//! want  out[96..127] = b[i - 96] == 0 ? (a[i - 96] / b[i - 96]) : a[i - 96] / b[i - 96]
//! want  out[128..159] = a[i - 128] * b[i - 128] + 2
//! want  out[160..191] = sqrt(abs(a[i - 160]))
//! want  out[192..223] = abs(-a[i - 192])
__global__ void arithmetic(const float *a, const float *b, float *out)
{
    int i = threadIdx.x;
    out[i] = a[i] + b[i];
    out[32 + i] = a[i] - b[i];
    out[64 + i] = a[i] * b[i];
    out[96 + i] = a[i] / b[i];
    out[128 + i] = fmaf(a[i], b[i], 2.0f);
    out[160 + i] = sqrtf(fabsf(a[i]));
    out[192 + i] = fabsf(-a[i]);
}

//! run   doubles block=32
//! arg   a f64[32] = i * 5 - 9
//! arg   b f64[32] = 3 - i * 4
//! arg   out f64[224] poison
//! want  out[0..31] = a[i] + b[i]
//! want  out[32..63] = a[i - 32] - b[i - 32]
//! want  out[64..95] = a[i - 64] * b[i - 64]
//! want  out[96..127] = a[i - 96] / b[i - 96]
//! want  out[128..159] = a[i - 128] * b[i - 128] + 2
//! want  out[160..191] = sqrt(abs(a[i - 160]))
//! want  out[192..223] = max(min(a[i - 192], b[i - 192]), -50)
__global__ void doubles(const double *a, const double *b, double *out)
{
    int i = threadIdx.x;
    out[i] = a[i] + b[i];
    out[32 + i] = a[i] - b[i];
    out[64 + i] = a[i] * b[i];
    out[96 + i] = a[i] / b[i];
    out[128 + i] = fma(a[i], b[i], 2.0);
    out[160 + i] = sqrt(fabs(a[i]));
    out[192 + i] = fmax(fmin(a[i], b[i]), -50.0);
}

// 1 + 2^-23 squared is 1 + 2^-22 + 2^-46: a fused multiply-add keeps the last bit, a product that is rounded does not.
//! run   fused block=1
//! arg   a f32 1.00000011920928955078125
//! arg   out f32[2] poison
//! want  out = {1.4210854715202004e-14, 0}
__global__ void fused(float a, float *out)
{
    float p = -__fmul_rn(a, a);
    out[0] = fmaf(a, a, p);
    out[1] = __fadd_rn(__fmul_rn(a, a), p);
}

//! run   corners block=8
//! arg   a f32[8] = {nan, 1, -0, 0, inf, -inf, nan, 0x1p-149}
//! arg   b f32[8] = {1, nan, 0, -0, -inf, -inf, nan, 0x1p-149}
//! arg   out f32[56] poison
//! want  out[0..7] = {1, 1, -0, -0, -inf, -inf, nan, 0x1p-149}
//! want  out[8..15] = {1, 1, 0, 0, inf, -inf, nan, 0x1p-149}
//! want  out[16..23] = {nan, nan, 0, 0, nan, -inf, nan, 0x1p-148}
//! want  out[24..31] = {nan, nan, -0, -0, -inf, inf, nan, 0}
//! want  out[32..39] = {nan, nan, nan, nan, nan, nan, nan, 1}
//! want  out[40..47] = {nan, 1, -0, 0, inf, nan, nan, 0x1.6a09e6p-75}
//! want  out[48..55] = {nan, 1, -inf, inf, 0, -0, nan, inf}
__global__ void corners(const float *a, const float *b, float *out)
{
    int i = threadIdx.x;
    out[i] = fminf(a[i], b[i]);
    out[8 + i] = fmaxf(a[i], b[i]);
    out[16 + i] = a[i] + b[i];
    out[24 + i] = a[i] * b[i];
    out[32 + i] = a[i] / b[i];
    out[40 + i] = sqrtf(a[i]);
    out[48 + i] = 1.0f / a[i];
}

//! run   corners_nan block=8
//! arg   a f32[8] = {nan, 1, -0, 0, inf, -inf, nan, 2}
//! arg   b f32[8] = {1, nan, 0, -0, -inf, -inf, nan, 3}
//! arg   out f32[24] poison
//! want  out[0..7] = {nan, nan, -0, -0, -inf, -inf, nan, 2}
//! want  out[8..15] = {nan, nan, 0, 0, inf, -inf, nan, 3}
//! want  out[16..23] = {nan, nan, -0, -0, -inf, inf, nan, 0x1.555556p-1}
__global__ void corners_nan(const float *a, const float *b, float *out)
{
    int i = threadIdx.x;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(out[i]) : "f"(a[i]), "f"(b[i]));
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(out[8 + i]) : "f"(a[i]), "f"(b[i]));
    out[16 + i] = a[i] == 2 ? fdividef(a[i], b[i]) : a[i] * b[i];
}

//! run   compares block=6
//! arg   a f32[6] = {1, 2, nan, -0, inf, nan}
//! arg   b f32[6] = {2, 1, 1, 0, inf, nan}
//! arg   out i32[6] poison
// a bit each: < <= > >= == != and unordered
//! want  out = {35, 44, 96, 26, 26, 96}
__global__ void compares(const float *a, const float *b, int *out)
{
    int i = threadIdx.x;
    float x = a[i], y = b[i];
    out[i] = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 | (x != x || y != y) << 6;
}

//! run   negated block=6
//! arg   a f64[6] = {1, 2, nan, -0, inf, nan}
//! arg   b f64[6] = {2, 1, 1, 0, inf, nan}
//! arg   out i32[6] poison
// what is left when a comparison is negated holds for NaN
//! want  out = {3, 12, 15, 5, 5, 15}
__global__ void negated(const double *a, const double *b, int *out)
{
    int i = threadIdx.x;
    double x = a[i], y = b[i];
    int r = 0;
    if (!(x < y))
        r |= 4;
    if (!(x <= y))
        r |= 8;
    if (!(x > y))
        r |= 1;
    if (!(x >= y))
        r |= 2;
    out[i] = r;
}

//! run   flushed block=4
//! arg   a f32[4] = {0x1p-127, -0x1p-127, 0x1p-126, 3}
//! arg   out f32[16] poison
//! want  out[0..3] = {0, -0, 0x1p-126, 3}
//! want  out[4..7] = {0x1p-127, -0x1p-127, 0x1p-126, 3}
//! want  out[8..11] = {0x1p-127, 0, 0x1p-126, 1}
//! want  out[12..15] = {0, -0, 0, 1.5}
__global__ void flushed(const float *a, float *out)
{
    int i = threadIdx.x;
    asm("add.ftz.f32 %0, %1, 0f80000000;" : "=f"(out[i]) : "f"(a[i]));
    asm("add.f32 %0, %1, 0f80000000;" : "=f"(out[4 + i]) : "f"(a[i]));
    asm("add.sat.f32 %0, %1, 0f80000000;" : "=f"(out[8 + i]) : "f"(a[i]));
    asm("mul.ftz.f32 %0, %1, 0f3F000000;" : "=f"(out[12 + i]) : "f"(a[i]));
}

//! run   rounded block=8
//! arg   a f32[8] = {0.5, 1.5, 2.5, -0.5, -1.5, -2.7, 1e10, -0}
//! arg   out f32[32] poison
//! want  out[0..7] = {0, 1, 2, -1, -2, -3, 1e10, -0}
//! want  out[8..15] = {1, 2, 3, -0, -1, -2, 1e10, -0}
//! want  out[16..23] = {0, 1, 2, -0, -1, -2, 1e10, -0}
//! want  out[24..31] = {0, 2, 2, -0, -2, -3, 1e10, -0}
__global__ void rounded(const float *a, float *out)
{
    int i = threadIdx.x;
    out[i] = floorf(a[i]);
    out[8 + i] = ceilf(a[i]);
    out[16 + i] = truncf(a[i]);
    out[24 + i] = rintf(a[i]);
}

// Powers of two, where the approximations of hardware are exact, too; but for lg2.approx of 0.25, an H200's -1.99999988.
//! run   special block=4
//! simulated "lg2.approx of 0.25 is -2"
//! arg   a f32[4] = {1, 4, 0.25, 64}
//! arg   out f32[20] poison
//! want  out[0..3] = {1, 0.5, 2, 0.125}
//! want  out[4..7] = {0, 2, -2, 6}
//! want  out[8..11] = {1, 0.25, 4, 0.015625}
//! want  out[12..15] = {2, 8, 0.5, 128}
//! want  out[16..19] = {1, 1, 0.25, 1}
__global__ void special(const float *a, float *out)
{
    int i = threadIdx.x;
    out[i] = rsqrtf(a[i]);
    out[4 + i] = __log2f(a[i]);
    out[8 + i] = __frcp_rn(a[i]);
    out[12 + i] = __fdividef(a[i], 0.5f);
    out[16 + i] = __saturatef(a[i]);
}

//! run   selects block=8
//! arg   a f32[8] = i
//! arg   out f32[16] poison
//! want  out[0..7] = i > 3 && i != 6 || i == 1 ? a[i] * 2 : -a[i]
//! want  out[8..15] = (i - 8) & 1 ? 5 : 7
__global__ void selects(const float *a, float *out)
{
    int i = threadIdx.x;
    bool p = a[i] > 3, q = a[i] != 6, r = a[i] == 1;
    out[i] = (p && q) || r ? a[i] * 2 : -a[i];
    out[8 + i] = (i & 1) ? 5.0f : 7.0f;
}
