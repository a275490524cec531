// Sums with the least and the greatest, of words and of halves; which of two it is.
// Source of the values: CUDA Math API, SIMD intrinsics, worked out without the header.
#include "lockstep.h"

//! run   dpx block=6
//! arg   a i32[6] = {5, -7, 2147483647, -2147483648, 2147450880, -1}
//! arg   b i32[6] = {3, 2, 1, -1, 65537, 131075}
//! arg   c i32[6] = {9, -6, -2147483640, 0, -2147450881, 131070}
//! arg   out i32[168] poison
//! want  out[0..5] = {9, -5, -2147483640, 2147483647, -2147450879, 131074}
//! want  out[6..11] = {9, 0, 0, 2147483647, 0, 131074}
//! want  out[12..17] = {9, -5, -2147483640, 2147483647, -2147450879, 131074}
//! want  out[18..23] = {9, -5, 2147418120, 2147418112, -2147450881, 65538}
//! want  out[24..29] = {9, 0, 2147418120, 2147418112, 32767, 65538}
//! want  out[30..35] = {9, -5, -2147483640, 2147483647, -2147450879, 131070}
//! want  out[36..41] = {8, -6, -2147483648, 0, -2147450881, 131070}
//! want  out[42..47] = {8, 0, 0, 0, 0, 131070}
//! want  out[48..53] = {8, -6, -2147483648, 0, -2147450881, 131070}
//! want  out[54..59] = {8, -6, -2147483648, 65535, -2147450879, 131070}
//! want  out[60..65] = {8, 0, 0, 0, 0, 65536}
//! want  out[66..71] = {8, -6, 2147418112, 0, -2147450881, 65538}
//! want  out[72..77] = {9, 2, 2147483647, 0, 2147450880, 131075}
//! want  out[78..83] = {9, 2, 2147483647, 0, 2147450880, 131075}
//! want  out[84..89] = {9, -6, -2147483640, -1, -2147450881, -1}
//! want  out[90..95] = {9, 2, 2147418120, 0, 2147450879, 131075}
//! want  out[96..101] = {9, 2, 2147418120, 0, 2147450879, 131075}
//! want  out[102..107] = {9, -6, -2147418113, -1, -2147450880, -1}
//! want  out[108..113] = {3, -7, -2147483640, -2147483648, -2147450881, -1}
//! want  out[114..119] = {3, 0, 0, 0, 0, 0}
//! want  out[120..125] = {3, 2, 1, 0, 65537, 131070}
//! want  out[126..131] = {3, -7, -2147418113, -2147418113, -2147450880, -2}
//! want  out[132..137] = {3, 0, 0, 0, 0, 0}
//! want  out[138..143] = {3, 2, 1, 0, 65537, 65539}
//! want  out[144..149] = {9, 0, 2147483647, 0, 2147450880, 131070}
//! want  out[150..155] = {9, 0, 2147418120, 0, 2147450879, 65536}
//! want  out[156..161] = {5, 0, 0, 0, 0, 0}
//! want  out[162..167] = {5, 0, 0, 0, 0, 0}
__global__ void dpx(const int *a, const int *b, const int *c, int *out)
{
    int i = threadIdx.x, x = a[i], y = b[i], z = c[i];
    out[i] = __viaddmax_s32(x, y, z);
    out[6 + i] = __viaddmax_s32_relu(x, y, z);
    out[12 + i] = __viaddmax_u32(x, y, z);
    out[18 + i] = __viaddmax_s16x2(x, y, z);
    out[24 + i] = __viaddmax_s16x2_relu(x, y, z);
    out[30 + i] = __viaddmax_u16x2(x, y, z);
    out[36 + i] = __viaddmin_s32(x, y, z);
    out[42 + i] = __viaddmin_s32_relu(x, y, z);
    out[48 + i] = __viaddmin_u32(x, y, z);
    out[54 + i] = __viaddmin_s16x2(x, y, z);
    out[60 + i] = __viaddmin_s16x2_relu(x, y, z);
    out[66 + i] = __viaddmin_u16x2(x, y, z);
    out[72 + i] = __vimax3_s32(x, y, z);
    out[78 + i] = __vimax3_s32_relu(x, y, z);
    out[84 + i] = __vimax3_u32(x, y, z);
    out[90 + i] = __vimax3_s16x2(x, y, z);
    out[96 + i] = __vimax3_s16x2_relu(x, y, z);
    out[102 + i] = __vimax3_u16x2(x, y, z);
    out[108 + i] = __vimin3_s32(x, y, z);
    out[114 + i] = __vimin3_s32_relu(x, y, z);
    out[120 + i] = __vimin3_u32(x, y, z);
    out[126 + i] = __vimin3_s16x2(x, y, z);
    out[132 + i] = __vimin3_s16x2_relu(x, y, z);
    out[138 + i] = __vimin3_u16x2(x, y, z);
    out[144 + i] = __vimax_s32_relu(x, z);
    out[150 + i] = __vimax_s16x2_relu(x, z);
    out[156 + i] = __vimin_s32_relu(x, z);
    out[162 + i] = __vimin_s16x2_relu(x, z);
}

//! run   dpx_which block=6
//! arg   a i32[6] = {5, -7, 2147483647, -2147483648, 2147450880, -1}
//! arg   c i32[6] = {9, -6, -2147483640, 0, -2147450881, 131070}
//! arg   out i32[48] poison
//! arg   first i32[48] poison
//! want  out[0..5] = {9, -6, 2147483647, 0, 2147450880, 131070}
//! want  first[0..5] = {0, 0, 1, 0, 1, 0}
//! want  out[6..11] = {9, -6, -2147483640, -2147483648, -2147450881, -1}
//! want  first[6..11] = {0, 0, 0, 1, 0, 1}
//! want  out[12..17] = {9, -6, 2147418120, 0, 2147450879, 131071}
//! want  first[12..17] = {2, 2, 2, 1, 2, 1}
//! want  out[18..23] = {9, -6, -2147418113, -2147483648, -2147450880, -1}
//! want  first[18..23] = {2, 2, 1, 3, 1, 3}
//! want  out[24..29] = {5, -7, -2147483640, -2147483648, -2147450881, -1}
//! want  first[24..29] = {1, 1, 0, 1, 0, 1}
//! want  out[30..35] = {5, -7, 2147483647, 0, 2147450880, 131070}
//! want  first[30..35] = {1, 1, 1, 0, 1, 0}
//! want  out[36..41] = {5, -7, -2147418113, -2147483648, -2147450880, -2}
//! want  first[36..41] = {3, 3, 1, 3, 1, 2}
//! want  out[42..47] = {5, -7, 2147418120, 0, 2147450879, 131070}
//! want  first[42..47] = {3, 3, 2, 1, 2, 0}
__global__ void dpx_which(const int *a, const int *c, int *out, int *first)
{
    int i = threadIdx.x, x = a[i], z = c[i];
    bool p, q;
    out[i] = __vibmax_s32(x, z, &p);
    first[i] = p;
    out[6 + i] = __vibmax_u32(x, z, &p);
    first[6 + i] = p;
    out[12 + i] = __vibmax_s16x2(x, z, &q, &p);
    first[12 + i] = 2 * q + p;
    out[18 + i] = __vibmax_u16x2(x, z, &q, &p);
    first[18 + i] = 2 * q + p;
    out[24 + i] = __vibmin_s32(x, z, &p);
    first[24 + i] = p;
    out[30 + i] = __vibmin_u32(x, z, &p);
    first[30 + i] = p;
    out[36 + i] = __vibmin_s16x2(x, z, &q, &p);
    first[36 + i] = 2 * q + p;
    out[42 + i] = __vibmin_u16x2(x, z, &q, &p);
    first[42 + i] = 2 * q + p;
}
