// Conversions between all widths and kinds, each rounding, and what does not fit.
#include "lockstep.h"

#define ALL(to, constraint, from, from_constraint, out)                                                                     \
    asm("cvt.rzi." to "." from " %0, %1;" : "=" constraint(out[i]) : from_constraint(a[i]));                                \
    asm("cvt.rni." to "." from " %0, %1;" : "=" constraint(out[n + i]) : from_constraint(a[i]));                            \
    asm("cvt.rmi." to "." from " %0, %1;" : "=" constraint(out[2 * n + i]) : from_constraint(a[i]));                        \
    asm("cvt.rpi." to "." from " %0, %1;" : "=" constraint(out[3 * n + i]) : from_constraint(a[i]));

//! run   float_to_int block=14
//! arg   a f32[14] = {0, -0, 0.5, -0.5, 1.5, 2.5, -1.5, 3e9, -3e9, 1e20, -1e20, nan, inf, -inf}
//! arg   s i32[56] poison
//! arg   u u32[56] poison
//! want  s[0..13] = {0, 0, 0, 0, 1, 2, -1, 2147483647, -2147483648, 2147483647, -2147483648, 0, 2147483647, -2147483648}
//! want  s[14..27] = {0, 0, 0, 0, 2, 2, -2, 2147483647, -2147483648, 2147483647, -2147483648, 0, 2147483647, -2147483648}
//! want  s[28..41] = {0, 0, 0, -1, 1, 2, -2, 2147483647, -2147483648, 2147483647, -2147483648, 0, 2147483647, -2147483648}
//! want  s[42..55] = {0, 0, 1, 0, 2, 3, -1, 2147483647, -2147483648, 2147483647, -2147483648, 0, 2147483647, -2147483648}
//! want  u[0..13] = {0, 0, 0, 0, 1, 2, 0, 3000000000, 0, 4294967295, 0, 0, 4294967295, 0}
//! want  u[14..27] = {0, 0, 0, 0, 2, 2, 0, 3000000000, 0, 4294967295, 0, 0, 4294967295, 0}
//! want  u[28..41] = {0, 0, 0, 0, 1, 2, 0, 3000000000, 0, 4294967295, 0, 0, 4294967295, 0}
//! want  u[42..55] = {0, 0, 1, 0, 2, 3, 0, 3000000000, 0, 4294967295, 0, 0, 4294967295, 0}
__global__ void float_to_int(const float *a, int *s, unsigned *u)
{
    int i = threadIdx.x, n = blockDim.x;
    ALL("s32", "r", "f32", "f", s)
    ALL("u32", "r", "f32", "f", u)
}

//! run   directed block=4
//! arg   a f64[4] = {16777217, -16777217, 1e300, 0.1}
//! arg   n i64[4] = {9223372036854775807, -9223372036854775807, 16777219, 33554433}
//! arg   out f32[36] poison
//! want  out[0..3] = {16777216, -16777218, 3.4028234663852886e38, 0.0999999940395355224609375}
//! want  out[4..7] = {16777218, -16777216, inf, 0.100000001490116119384765625}
//! want  out[8..11] = {16777216, -16777216, 3.4028234663852886e38, 0.0999999940395355224609375}
//! want  out[12..15] = {9223371487098961920, -9223372036854775808, 16777218, 33554432}
//! want  out[16..19] = {9223372036854775808, -9223371487098961920, 16777220, 33554436}
//! want  out[20..23] = {9223371487098961920, -9223371487098961920, 16777218, 33554432}
//! want  out[24..27] = {-1, 1, 16777218, 33554432}
//! want  out[28..31] = {-1, 1, 16777220, 33554436}
//! want  out[32..35] = {4294967040, 1, 16777218, 33554432}
__global__ void directed(const double *a, const long long *n, float *out)
{
    int i = threadIdx.x;
#define EACH(at, r)                                                                            \
    asm("cvt." r ".f32.f64 %0, %1;" : "=f"(out[at + i]) : "d"(a[i]));                          \
    asm("cvt." r ".f32.s64 %0, %1;" : "=f"(out[at + 12 + i]) : "l"(n[i]));
    EACH(0, "rm")
    EACH(4, "rp")
    EACH(8, "rz")
    asm("cvt.rm.f32.s32 %0, %1;" : "=f"(out[24 + i]) : "r"((int)n[i]));
    asm("cvt.rp.f32.s32 %0, %1;" : "=f"(out[28 + i]) : "r"((int)n[i]));
    asm("cvt.rz.f32.u32 %0, %1;" : "=f"(out[32 + i]) : "r"((unsigned)n[i]));
}

//! run   double_to_int block=8
//! arg   a f64[8] = {0.5, -0.5, 2.5, 4294967295.75, -2147483648.5, nan, inf, -inf}
//! arg   s i32[32] poison
//! arg   u u32[32] poison
//! want  s[0..7] = {0, 0, 2, 2147483647, -2147483648, -2147483648, 2147483647, -2147483648}
//! want  s[8..15] = {0, 0, 2, 2147483647, -2147483648, -2147483648, 2147483647, -2147483648}
//! want  s[16..23] = {0, -1, 2, 2147483647, -2147483648, -2147483648, 2147483647, -2147483648}
//! want  s[24..31] = {1, 0, 3, 2147483647, -2147483648, -2147483648, 2147483647, -2147483648}
//! want  u[0..7] = {0, 0, 2, 4294967295, 0, 2147483648, 4294967295, 0}
//! want  u[8..15] = {0, 0, 2, 4294967295, 0, 2147483648, 4294967295, 0}
//! want  u[24..31] = {1, 0, 3, 4294967295, 0, 2147483648, 4294967295, 0}
__global__ void double_to_int(const double *a, int *s, unsigned *u)
{
    int i = threadIdx.x, n = blockDim.x;
    ALL("s32", "r", "f64", "d", s)
    ALL("u32", "r", "f64", "d", u)
}

//! run   to_wide block=8
//! arg   a f32[8] = {0.5, -2.5, 1e10, 1e30, -1e30, nan, inf, -inf}
//! arg   b f64[8] = {0.5, -2.5, 1e10, 1e30, -1e30, nan, inf, -inf}
//! arg   out i64[32] poison
//! want  out[0..7] = {0, -2, 10000000000, 9223372036854775807, -9223372036854775808, -9223372036854775808, 9223372036854775807, -9223372036854775808}
//! want  out[8..15] = {0, -2, 10000000000, 9223372036854775807, -9223372036854775808, -9223372036854775808, 9223372036854775807, -9223372036854775808}
//! want  out[16..23] = {0, 0, 10000000000, -1, 0, -9223372036854775808, -1, 0}
//! want  out[24..31] = {0, 0, 10000000000, -1, 0, -9223372036854775808, -1, 0}
__global__ void to_wide(const float *a, const double *b, long long *out)
{
    int i = threadIdx.x;
    asm("cvt.rzi.s64.f32 %0, %1;" : "=l"(out[i]) : "f"(a[i]));
    asm("cvt.rzi.s64.f64 %0, %1;" : "=l"(out[8 + i]) : "d"(b[i]));
    asm("cvt.rzi.u64.f32 %0, %1;" : "=l"(out[16 + i]) : "f"(a[i]));
    asm("cvt.rzi.u64.f64 %0, %1;" : "=l"(out[24 + i]) : "d"(b[i]));
}

//! run   from_ints block=6
//! arg   a i32[6] = {0, -1, 16777217, -2147483648, 2147483647, 33554435}
//! arg   b i64[6] = {0, -1, 9007199254740993, -9223372036854775808, 9223372036854775807, 36028797018963973}
//! arg   f f32[24] poison
//! arg   d f64[24] poison
//! want  f[0..5] = {0, -1, 16777216, -2147483648, 2147483648, 33554436}
//! want  f[6..11] = {0, 4294967296, 16777216, 2147483648, 2147483648, 33554436}
//! want  f[12..17] = {0, -1, 9007199254740992, -9223372036854775808, 9223372036854775808, 36028797018963968}
//! want  f[18..23] = {0, 18446744073709551616, 9007199254740992, 9223372036854775808, 9223372036854775808, 36028797018963968}
//! want  d[0..5] = a[i]
//! want  d[6..11] = a[i - 6] & 4294967295
//! want  d[12..17] = {0, -1, 9007199254740992, -9223372036854775808, 9223372036854775808, 36028797018963976}
//! want  d[18..23] = {0, 18446744073709551616, 9007199254740992, 9223372036854775808, 9223372036854775808, 36028797018963976}
__global__ void from_ints(const int *a, const long long *b, float *f, double *d)
{
    int i = threadIdx.x;
    f[i] = a[i];
    f[6 + i] = (unsigned)a[i];
    f[12 + i] = b[i];
    f[18 + i] = (unsigned long long)b[i];
    d[i] = a[i];
    d[6 + i] = (unsigned)a[i];
    d[12 + i] = b[i];
    d[18 + i] = (unsigned long long)b[i];
}

//! run   between_floats block=6
//! arg   a f64[6] = {1.00000005960464477539, 1e300, -1e-300, nan, -0, 0.1}
//! arg   f f32[6] poison
//! arg   d f64[6] poison
//! want  f = {1, inf, -0, nan, -0, 0.1}
//! want  d = {1, inf, -0, nan, -0, 0.100000001490116119384765625}
__global__ void between_floats(const double *a, float *f, double *d)
{
    int i = threadIdx.x;
    f[i] = a[i];
    d[i] = f[i];
}

//! run   integers block=4
//! arg   a i32[4] = {-1, 0x12345680, 0x7fff8000, 200}
//! arg   out i32[24] poison
//! arg   wide i64[16] poison
//! want  out[0..3] = {-1, -128, 0, -56}
//! want  out[4..7] = {255, 128, 0, 200}
//! want  out[8..11] = {-1, 0x5680, -32768, 200}
//! want  out[12..15] = {65535, 0x5680, 32768, 200}
//! want  out[16..19] = a[i - 16]
//! want  out[20..23] = {1, 1, 1, 1}
//! want  wide[0..3] = a[i]
//! want  wide[4..7] = a[i - 4] & 4294967295
//! want  wide[8..11] = {-1, -128, 0, -56}
//! want  wide[12..15] = {65535, 0x5680, 32768, 200}
__global__ void integers(const int *a, int *out, long long *wide)
{
    int i = threadIdx.x, x = a[i];
    out[i] = (signed char)x;
    out[4 + i] = (unsigned char)x;
    out[8 + i] = (short)x;
    out[12 + i] = (unsigned short)x;
    wide[i] = x;
    wide[4 + i] = (unsigned)x;
    wide[8 + i] = (signed char)x;
    wide[12 + i] = (unsigned short)x;
    out[16 + i] = (int)((long long)x * 4294967297ll);
    out[20 + i] = x != 0;
}

//! run   halves block=12
//! arg   a f32[12] = {1, -2, 65504, 65519, 65520, 1e-8, 6e-8, 0.333333343, 1.00048828125, 1.00146484375, nan, -0}
//! arg   bits i32[12] poison
//! arg   back f32[12] poison
//! want  bits = {0x3c00, 0xc000, 0x7bff, 0x7bff, 0x7c00, 0, 1, 0x3555, 0x3c00, 0x3c02, 0x7fff, 0x8000}
//! want  back = {1, -2, 65504, 65504, inf, 0, 0x1p-24, 0.333251953125, 1, 1.001953125, nan, -0}
__global__ void halves(const float *a, int *bits, float *back)
{
    int i = threadIdx.x;
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(a[i]));
    bits[i] = h;
    asm("cvt.f32.f16 %0, %1;" : "=f"(back[i]) : "h"(h));
}

//! run   reinterpreted block=2
//! arg   a f32[2] = {1, -0}
//! arg   b f64[2] = {1, -2}
//! arg   out i32[6] poison
//! arg   wide i64[2] poison
//! want  out = {0x3f800000, 0x80000000, 0x3ff00000, 0xc0000000, 0x3f800000, 0x80000000}
//! want  wide = {0x3ff0000000000000, 0xc000000000000000}
__global__ void reinterpreted(const float *a, const double *b, int *out, long long *wide)
{
    int i = threadIdx.x;
    out[i] = __float_as_int(a[i]);
    out[2 + i] = __double2hiint(b[i]);
    out[4 + i] = __float_as_int(__int_as_float(__float_as_int(a[i])));
    wide[i] = __double_as_longlong(__hiloint2double(__double2hiint(b[i]), __double2loint(b[i])));
}
