// Conversions and arithmetic that round down (d), towards 0 (z) and up (u): the values lie between two that the result can be.
// Source: CUDA Math API, type casting intrinsics, double precision intrinsics.
#include "lockstep.h"

//! run   doubles_to_words block=4
//! arg   d f64[4] = {0x1.4000000000000p+1, -0x1.4000000000000p+1, 0x1.fffffffb00000p+30, -0x1.0000000000000p-2}
//! arg   p f64[4] = {0x1.4000000000000p+1, 0x1.6000000000000p+1, 0x1.fffffffd00000p+31, 0x1.0000000000000p-2}
//! arg   out i32[24] poison
//! want  out[0..3] = {2, -3, 2147483646, -1}
//! want  out[4..7] = {2, -2, 2147483646, 0}
//! want  out[8..11] = {3, -2, 2147483647, 0}
//! want  out[12..15] = {2, 2, -2, 0}
//! want  out[16..19] = {2, 2, -2, 0}
//! want  out[20..23] = {3, 3, -1, 1}
__global__ void doubles_to_words(const double *d, const double *p, int *out)
{
    int i = threadIdx.x;
    out[i] = __double2int_rd(d[i]);
    out[4 + i] = __double2int_rz(d[i]);
    out[8 + i] = __double2int_ru(d[i]);
    out[12 + i] = (int)__double2uint_rd(p[i]);
    out[16 + i] = (int)__double2uint_rz(p[i]);
    out[20 + i] = (int)__double2uint_ru(p[i]);
}

//! run   to_long block=4
//! arg   d f64[4] = {0x1.4000000000000p+1, -0x1.4000000000000p+1, 0x1.fffffffb00000p+30, -0x1.0000000000000p-2}
//! arg   f f32[4] = {0x1.4000000000000p+1, -0x1.4000000000000p+1, 0x1.fffffe0000000p+22, -0x1.0000000000000p-2}
//! arg   out i64[24] poison
//! want  out[0..3] = {2, -3, 2147483646, -1}
//! want  out[4..7] = {2, -2, 2147483646, 0}
//! want  out[8..11] = {3, -2, 2147483647, 0}
//! want  out[12..15] = {2, -3, 8388607, -1}
//! want  out[16..19] = {2, -2, 8388607, 0}
//! want  out[20..23] = {3, -2, 8388608, 0}
__global__ void to_long(const double *d, const float *f, long long *out)
{
    int i = threadIdx.x;
    out[i] = __double2ll_rd(d[i]);
    out[4 + i] = __double2ll_rz(d[i]);
    out[8 + i] = __double2ll_ru(d[i]);
    out[12 + i] = __float2ll_rd(f[i]);
    out[16 + i] = __float2ll_rz(f[i]);
    out[20 + i] = __float2ll_ru(f[i]);
}

//! run   to_unsigned_long block=4
//! arg   p f64[4] = {0x1.4000000000000p+1, 0x1.6000000000000p+1, 0x1.fffffffd00000p+31, 0x1.0000000000000p-2}
//! arg   g f32[4] = {0x1.4000000000000p+1, 0x1.6000000000000p+1, 0x1.fffffe0000000p+22, 0x1.0000000000000p-2}
//! arg   out u64[24] poison
//! want  out[0..3] = {2, 2, 4294967294, 0}
//! want  out[4..7] = {2, 2, 4294967294, 0}
//! want  out[8..11] = {3, 3, 4294967295, 1}
//! want  out[12..15] = {2, 2, 8388607, 0}
//! want  out[16..19] = {2, 2, 8388607, 0}
//! want  out[20..23] = {3, 3, 8388608, 1}
__global__ void to_unsigned_long(const double *p, const float *g, unsigned long long *out)
{
    int i = threadIdx.x;
    out[i] = __double2ull_rd(p[i]);
    out[4 + i] = __double2ull_rz(p[i]);
    out[8 + i] = __double2ull_ru(p[i]);
    out[12 + i] = __float2ull_rd(g[i]);
    out[16 + i] = __float2ull_rz(g[i]);
    out[20 + i] = __float2ull_ru(g[i]);
}

//! run   to_double block=4
//! arg   l i64[4] = {16777217, -16777217, 9007199254740993, -9007199254740993}
//! arg   u u64[4] = {16777217, 33554435, 9007199254740993, 18446744073709551615}
//! arg   out f64[24] poison
//! want  out[0..3] = {0x1.0000010000000p+24, -0x1.0000010000000p+24, 0x1.0000000000000p+53, -0x1.0000000000001p+53}
//! want  out[4..7] = {0x1.0000010000000p+24, -0x1.0000010000000p+24, 0x1.0000000000000p+53, -0x1.0000000000000p+53}
//! want  out[8..11] = {0x1.0000010000000p+24, -0x1.0000010000000p+24, 0x1.0000000000001p+53, -0x1.0000000000000p+53}
//! want  out[12..15] = {0x1.0000010000000p+24, 0x1.0000018000000p+25, 0x1.0000000000000p+53, 0x1.fffffffffffffp+63}
//! want  out[16..19] = {0x1.0000010000000p+24, 0x1.0000018000000p+25, 0x1.0000000000000p+53, 0x1.fffffffffffffp+63}
//! want  out[20..23] = {0x1.0000010000000p+24, 0x1.0000018000000p+25, 0x1.0000000000001p+53, 0x1.0000000000000p+64}
__global__ void to_double(const long long *l, const unsigned long long *u, double *out)
{
    int i = threadIdx.x;
    out[i] = __ll2double_rd(l[i]);
    out[4 + i] = __ll2double_rz(l[i]);
    out[8 + i] = __ll2double_ru(l[i]);
    out[12 + i] = __ull2double_rd(u[i]);
    out[16 + i] = __ull2double_rz(u[i]);
    out[20 + i] = __ull2double_ru(u[i]);
}

//! run   to_float block=4
//! arg   l i64[4] = {16777217, -16777217, 9007199254740993, -9007199254740993}
//! arg   u u64[4] = {16777217, 33554435, 9007199254740993, 18446744073709551615}
//! arg   n i32[4] = {16777217, -16777217, 2147483647, -2147483647}
//! arg   v u32[4] = {16777217, 33554435, 4294967295, 7}
//! arg   x f64[4] = {0x1.0000000000001p+0, -0x1.0000000000001p+0, 0x1.999999999999ap-4, -0x1.999999999999ap-4}
//! arg   out f32[60] poison
//! want  out[0..3] = {0x1.0000000000000p+24, -0x1.0000020000000p+24, 0x1.0000000000000p+53, -0x1.0000020000000p+53}
//! want  out[4..7] = {0x1.0000000000000p+24, -0x1.0000000000000p+24, 0x1.0000000000000p+53, -0x1.0000000000000p+53}
//! want  out[8..11] = {0x1.0000020000000p+24, -0x1.0000000000000p+24, 0x1.0000020000000p+53, -0x1.0000000000000p+53}
//! want  out[12..15] = {0x1.0000000000000p+24, 0x1.0000000000000p+25, 0x1.0000000000000p+53, 0x1.fffffe0000000p+63}
//! want  out[16..19] = {0x1.0000000000000p+24, 0x1.0000000000000p+25, 0x1.0000000000000p+53, 0x1.fffffe0000000p+63}
//! want  out[20..23] = {0x1.0000020000000p+24, 0x1.0000020000000p+25, 0x1.0000020000000p+53, 0x1.0000000000000p+64}
//! want  out[24..27] = {0x1.0000000000000p+24, -0x1.0000020000000p+24, 0x1.fffffe0000000p+30, -0x1.0000000000000p+31}
//! want  out[28..31] = {0x1.0000000000000p+24, -0x1.0000000000000p+24, 0x1.fffffe0000000p+30, -0x1.fffffe0000000p+30}
//! want  out[32..35] = {0x1.0000020000000p+24, -0x1.0000000000000p+24, 0x1.0000000000000p+31, -0x1.fffffe0000000p+30}
//! want  out[36..39] = {0x1.0000000000000p+24, 0x1.0000000000000p+25, 0x1.fffffe0000000p+31, 0x1.c000000000000p+2}
//! want  out[40..43] = {0x1.0000000000000p+24, 0x1.0000000000000p+25, 0x1.fffffe0000000p+31, 0x1.c000000000000p+2}
//! want  out[44..47] = {0x1.0000020000000p+24, 0x1.0000020000000p+25, 0x1.0000000000000p+32, 0x1.c000000000000p+2}
//! want  out[48..51] = {0x1.0000000000000p+0, -0x1.0000020000000p+0, 0x1.9999980000000p-4, -0x1.99999a0000000p-4}
//! want  out[52..55] = {0x1.0000000000000p+0, -0x1.0000000000000p+0, 0x1.9999980000000p-4, -0x1.9999980000000p-4}
//! want  out[56..59] = {0x1.0000020000000p+0, -0x1.0000000000000p+0, 0x1.99999a0000000p-4, -0x1.9999980000000p-4}
__global__ void to_float(const long long *l, const unsigned long long *u, const int *n, const unsigned *v, const double *x, float *out)
{
    int i = threadIdx.x;
    out[i] = __ll2float_rd(l[i]);
    out[4 + i] = __ll2float_rz(l[i]);
    out[8 + i] = __ll2float_ru(l[i]);
    out[12 + i] = __ull2float_rd(u[i]);
    out[16 + i] = __ull2float_rz(u[i]);
    out[20 + i] = __ull2float_ru(u[i]);
    out[24 + i] = __int2float_rd(n[i]);
    out[28 + i] = __int2float_rz(n[i]);
    out[32 + i] = __int2float_ru(n[i]);
    out[36 + i] = __uint2float_rd(v[i]);
    out[40 + i] = __uint2float_rz(v[i]);
    out[44 + i] = __uint2float_ru(v[i]);
    out[48 + i] = __double2float_rd(x[i]);
    out[52 + i] = __double2float_rz(x[i]);
    out[56 + i] = __double2float_ru(x[i]);
}

// Arithmetic on doubles, with results beyond the greatest double and exact zeros among them.
//! run   doubles block=6
//! arg   a f64[6] = {0x1.0000000000000p+0, -0x1.0000000000000p+0, 0x1.999999999999ap-4, 0x1.1ccf385ebc8a0p+1023, 0x1.8000000000000p+1, 0x1.0000000000000p-1}
//! arg   b f64[6] = {0x1.0000000000000p-60, -0x1.0000000000000p-60, 0x1.3333333333333p-2, 0x1.1ccf385ebc8a0p+1023, -0x1.8000000000000p+1, 0x1.c000000000000p+2}
//! arg   c f64[6] = {0x1.0000000000000p-70, -0x1.8000000000000p+1, 0x1.4484bfeebc2a0p-100, -0x1.1ccf385ebc8a0p+1023, 0x1.2000000000000p+3, 0x1.5af1d78b58c40p+66}
//! arg   out f64[126] poison
//! want  out[0..5] = {0x1.0000000000000p+0, -0x1.0000000000001p+0, 0x1.9999999999999p-2, 0x1.fffffffffffffp+1023, -0, 0x1.e000000000000p+2}
//! want  out[6..11] = {0x1.fffffffffffffp-1, -0x1.0000000000000p+0, -0x1.9999999999999p-3, -0, 0x1.8000000000000p+2, -0x1.a000000000000p+2}
//! want  out[12..17] = {0x1.0000000000000p-60, 0x1.0000000000000p-60, 0x1.eb851eb851eb8p-6, 0x1.fffffffffffffp+1023, -0x1.2000000000000p+3, 0x1.c000000000000p+1}
//! want  out[18..23] = {0x1.0000000000000p+60, 0x1.0000000000000p+60, 0x1.5555555555555p-2, 0x1.0000000000000p+0, -0x1.0000000000000p+0, 0x1.2492492492492p-4}
//! want  out[24..29] = {0x1.0000000000000p+60, -0x1.0000000000000p+60, 0x1.aaaaaaaaaaaaap+1, 0x0.730d67819e8d2p-1022, -0x1.5555555555556p-2, 0x1.2492492492492p-3}
//! want  out[30..35] = {0x1.0000000000000p-30, 0x1.0000000000000p-30, 0x1.186f174f88472p-1, 0x1.7dddf6b095ff0p+511, 0x1.bb67ae8584caap+0, 0x1.52a7fa9d2f8e9p+1}
//! want  out[36..41] = {0x1.0040000000000p-60, -0x1.8000000000000p+1, 0x1.eb851eb851eb8p-6, 0x1.fffffffffffffp+1023, -0, 0x1.5af1d78b58c40p+66}
//! want  out[42..47] = {0x1.0000000000001p+0, -0x1.0000000000000p+0, 0x1.999999999999ap-2, inf, 0, 0x1.e000000000000p+2}
//! want  out[48..53] = {0x1.0000000000000p+0, -0x1.fffffffffffffp-1, -0x1.9999999999999p-3, 0, 0x1.8000000000000p+2, -0x1.a000000000000p+2}
//! want  out[54..59] = {0x1.0000000000000p-60, 0x1.0000000000000p-60, 0x1.eb851eb851eb9p-6, inf, -0x1.2000000000000p+3, 0x1.c000000000000p+1}
//! want  out[60..65] = {0x1.0000000000000p+60, 0x1.0000000000000p+60, 0x1.5555555555556p-2, 0x1.0000000000000p+0, -0x1.0000000000000p+0, 0x1.2492492492493p-4}
//! want  out[66..71] = {0x1.0000000000000p+60, -0x1.0000000000000p+60, 0x1.aaaaaaaaaaaabp+1, 0x0.730d67819e8d3p-1022, -0x1.5555555555555p-2, 0x1.2492492492493p-3}
//! want  out[72..77] = {0x1.0000000000000p-30, 0x1.0000000000000p-30, 0x1.186f174f88473p-1, 0x1.7dddf6b095ff1p+511, 0x1.bb67ae8584cabp+0, 0x1.52a7fa9d2f8eap+1}
//! want  out[78..83] = {0x1.0040000000000p-60, -0x1.7ffffffffffffp+1, 0x1.eb851eb851eb9p-6, inf, 0, 0x1.5af1d78b58c41p+66}
//! want  out[84..89] = {0x1.0000000000000p+0, -0x1.0000000000000p+0, 0x1.9999999999999p-2, 0x1.fffffffffffffp+1023, 0, 0x1.e000000000000p+2}
//! want  out[90..95] = {0x1.fffffffffffffp-1, -0x1.fffffffffffffp-1, -0x1.9999999999999p-3, 0, 0x1.8000000000000p+2, -0x1.a000000000000p+2}
//! want  out[96..101] = {0x1.0000000000000p-60, 0x1.0000000000000p-60, 0x1.eb851eb851eb8p-6, 0x1.fffffffffffffp+1023, -0x1.2000000000000p+3, 0x1.c000000000000p+1}
//! want  out[102..107] = {0x1.0000000000000p+60, 0x1.0000000000000p+60, 0x1.5555555555555p-2, 0x1.0000000000000p+0, -0x1.0000000000000p+0, 0x1.2492492492492p-4}
//! want  out[108..113] = {0x1.0000000000000p+60, -0x1.0000000000000p+60, 0x1.aaaaaaaaaaaaap+1, 0x0.730d67819e8d2p-1022, -0x1.5555555555555p-2, 0x1.2492492492492p-3}
//! want  out[114..119] = {0x1.0000000000000p-30, 0x1.0000000000000p-30, 0x1.186f174f88472p-1, 0x1.7dddf6b095ff0p+511, 0x1.bb67ae8584caap+0, 0x1.52a7fa9d2f8e9p+1}
//! want  out[120..125] = {0x1.0040000000000p-60, -0x1.7ffffffffffffp+1, 0x1.eb851eb851eb8p-6, 0x1.fffffffffffffp+1023, 0, 0x1.5af1d78b58c40p+66}
__global__ void doubles(const double *a, const double *b, const double *c, double *out)
{
    int i = threadIdx.x;
    double x = a[i], y = b[i], z = c[i];
    out[i] = __dadd_rd(x, y);
    out[6 + i] = __dsub_rd(x, y);
    out[12 + i] = __dmul_rd(x, y);
    out[18 + i] = __ddiv_rd(x, y);
    out[24 + i] = __drcp_rd(y);
    out[30 + i] = __dsqrt_rd(fabs(y));
    out[36 + i] = __fma_rd(x, y, z);
    out[42 + i] = __dadd_ru(x, y);
    out[48 + i] = __dsub_ru(x, y);
    out[54 + i] = __dmul_ru(x, y);
    out[60 + i] = __ddiv_ru(x, y);
    out[66 + i] = __drcp_ru(y);
    out[72 + i] = __dsqrt_ru(fabs(y));
    out[78 + i] = __fma_ru(x, y, z);
    out[84 + i] = __dadd_rz(x, y);
    out[90 + i] = __dsub_rz(x, y);
    out[96 + i] = __dmul_rz(x, y);
    out[102 + i] = __ddiv_rz(x, y);
    out[108 + i] = __drcp_rz(y);
    out[114 + i] = __dsqrt_rz(fabs(y));
    out[120 + i] = __fma_rz(x, y, z);
}
