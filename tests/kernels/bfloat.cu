// bfloat16: a float's exponent and 7 bits of mantissa; each function rounds once.
#include "lockstep_bfloat.h"

//! run   arithmetic block=32
//! arg   a bf16[32] = i * 0.7 - 9
//! arg   b bf16[32] = 3 - i * 0.3
//! arg   c bf16[32] = (i - 16) * 0.01
//! arg   out bf16[256] poison
//! want  out[0..31] = a[i] + b[i]
//! want  out[32..63] = a[i - 32] - b[i - 32]
//! want  out[64..95] = a[i - 64] * b[i - 64]
//! want  out[96..127] = a[i - 96] / b[i - 96]
//! want  out[128..159] = a[i - 128] * b[i - 128] + c[i - 128]
//! want  out[160..191] = max(0, a[i - 160] * b[i - 160] + c[i - 160])
//! want  out[192..223] = -a[i - 192]
//! want  out[224..255] = max(a[i - 224], b[i - 224])
//! count clang smsp__sass_thread_inst_executed_op_hfma_pred_on.sum 160
__global__ void arithmetic(
    const __nv_bfloat16 *a, const __nv_bfloat16 *b, const __nv_bfloat16 *c, __nv_bfloat16 *out)
{
    int i = threadIdx.x;
    out[i] = __hadd(a[i], b[i]);
    out[32 + i] = a[i] - b[i];
    out[64 + i] = a[i] * b[i];
    out[96 + i] = a[i] / b[i];
    out[128 + i] = __hfma(a[i], b[i], c[i]);
    out[160 + i] = __hfma_relu(a[i], b[i], c[i]);
    out[192 + i] = -a[i];
    out[224 + i] = __hmax(a[i], b[i]);
}

//! run   pairs block=16
//! arg   a bf16[32] = i * 0.7 - 9
//! arg   b bf16[32] = 3 - i * 0.3
//! arg   c bf16[32] = (i - 16) * 0.01
//! arg   out bf16[192] poison
//! want  out[0..31] = a[i] + b[i]
//! want  out[32..63] = a[i - 32] - b[i - 32]
//! want  out[64..95] = a[i - 64] * b[i - 64]
//! want  out[96..127] = a[i - 96] * b[i - 96] + c[i - 96]
//! want  out[128..159] = abs(a[i - 128])
//! want  out[160..191] = min(a[i - 160], b[i - 160])
//! count clang flop_count_hp 256
__global__ void pairs(
    const __nv_bfloat162 *a, const __nv_bfloat162 *b, const __nv_bfloat162 *c, __nv_bfloat162 *out)
{
    int i = threadIdx.x;
    out[i] = __hadd2(a[i], b[i]);
    out[16 + i] = a[i] - b[i];
    out[32 + i] = a[i] * b[i];
    out[48 + i] = __hfma2(a[i], b[i], c[i]);
    out[64 + i] = __habs2(a[i]);
    out[80 + i] = __hmin2(a[i], b[i]);
}

// Products halfway between two numbers go to the even one. A tiny addend decides, although no double holds the sum.
//! run   ties block=1
//! arg   a bf16 1.0078125
//! arg   b bf16 1.5
//! arg   tiny bf16 1e-35
//! arg   out bf16[7] poison
//! want  out = {1.515625, 1.5078125, 1.53125, 1.5390625, 1, 1.0078125, inf}
__global__ void ties(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 tiny, __nv_bfloat16 *out)
{
    __nv_bfloat16 zero = __float2bfloat16(0.0f), half = __float2bfloat16(0.00390625f), one = __float2bfloat16(1.0f);
    __nv_bfloat16 c = __float2bfloat16(1.0234375f);
    out[0] = __hfma(a, b, zero);
    out[1] = __hfma(a, b, -tiny);
    out[2] = __hfma(c, b, zero);
    out[3] = __hfma(c, b, tiny);
    out[4] = __hfma(half, one, one);
    out[5] = __hfma(half, __float2bfloat16(1.0078125f), one);
    out[6] = __hmul(__float2bfloat16(2e38f), __float2bfloat16(2.0f));
}

//! run   conversions block=8
//! arg   x f32[8] = {1.00390625, -1.01171875, 3.3961775e38, 1e-40, -0.1, inf, nan, 16711935}
//! arg   out bf16[40] poison
//! arg   n i32[16] poison
//! want  out[0..7] = x[i]
//! want  out[8..15] = {1, -1.0078125, 3.3895314e38, 9.1835496e-41, -0.099609375, inf, nan, 16711680}
//! want  out[16..23] = {1, -1.015625, 3.3895314e38, 9.1835496e-41, -0.10009765625, inf, nan, 16711680}
//! want  out[24..31] = {1.0078125, -1.0078125, inf, 1.8367099e-40, -0.099609375, inf, nan, 16777216}
//! want  out[32..39] = {1, -1, 2147483647, 0, 0, 2147483647, 0, 16711935}
//! want  n[0..7] = {1, -1, 2147483647, 0, 0, 2147483647, 0, 16711680}
//! want  n[8..15] = {1, -1, 2147483647, 0, 0, 2147483647, 0, 16711680}
__global__ void conversions(const float *x, __nv_bfloat16 *out, int *n)
{
    int i = threadIdx.x;
    out[i] = __float2bfloat16(x[i]);
    out[8 + i] = __float2bfloat16_rz(x[i]);
    out[16 + i] = __float2bfloat16_rd(x[i]);
    out[24 + i] = __float2bfloat16_ru(x[i]);
    out[32 + i] = __int2bfloat16_rn(__float2int_rz(x[i]));
    n[i] = __bfloat162int_rn(__float2bfloat16(x[i]));
    n[8 + i] = x[i] == x[i] ? (int)__float2bfloat16_rz(x[i]) : 0; // of a NaN, C++ leaves it open
}

//! run   compares block=4
//! arg   a bf16[4] = {1, -0, nan, 3}
//! arg   b bf16[4] = {2, 0, 1, 3}
//! arg   out i32[20] poison
//! arg   ones bf16[4] poison
//! want  out[0..3] = {0, 1, 0, 1}
//! want  out[4..7] = {1, 0, 1, 0}
//! want  out[8..11] = {1, 0, 0, 0}
//! want  out[12..15] = {0, 1, 1, 1}
//! want  out[16..19] = {0, 1, 1, 1}
//! want  ones = {1, 0, 0, 0}
__global__ void compares(const __nv_bfloat16 *a, const __nv_bfloat16 *b, int *out, __nv_bfloat162 *ones)
{
    int i = threadIdx.x;
    out[i] = a[i] == b[i];
    out[4 + i] = a[i] != b[i];
    out[8 + i] = a[i] < b[i];
    out[12 + i] = __hequ(a[i], b[i]);
    out[16 + i] = __hbequ2(__halves2bfloat162(a[i], a[i]), __halves2bfloat162(b[i], b[i]));
    if (i < 2) ones[i] = __hlt2(__halves2bfloat162(a[2 * i], a[2 * i + 1]), __halves2bfloat162(b[2 * i], b[2 * i + 1]));
}

//! run   atomics block=32
//! arg   sums bf16[2] = 0
//! arg   pairs bf16[4] = 1
//! want  sums[0] = 64
//! want  sums[1] = 0
//! want  pairs = {1, 1, 33, -31}
__global__ void atomics(__nv_bfloat16 *sums, __nv_bfloat162 *pairs)
{
    atomicAdd(sums, __float2bfloat16(2.0f));
    atomicAdd(pairs + 1, __floats2bfloat162_rn(1.0f, -1.0f));
}

//! run   lanes block=32
//! arg   x bf16[32] = i
//! arg   out bf16[64] poison
//! want  out[0..31] = 31 - i
//! want  out[32..63] = (i - 32) * (i - 32)
__global__ void lanes(const __nv_bfloat16 *x, __nv_bfloat16 *out)
{
    int i = threadIdx.x;
    __nv_bfloat16 v = __ldg(x + i);
    out[i] = __shfl_xor_sync(0xffffffff, v, 31);
    out[32 + i] = v * v;
}

//! run   to_and_from_half block=4
//! arg   x bf16[4] = {1.5, -3, 131072, 0x1p-24}
//! arg   h f16[4] = {1.5, 65504, -0x1.004p+0, 0x1p-24}
//! arg   half_x f16[4] poison
//! arg   bfloat_h bf16[4] poison
//! want  half_x = {1.5, -3, inf, 0x1p-24}
//! want  bfloat_h = {1.5, 65536, -1, 0x1p-24}
__global__ void to_and_from_half(const __nv_bfloat16 *x, const __half *h, __half *half_x, __nv_bfloat16 *bfloat_h)
{
    int i = threadIdx.x;
    half_x[i] = static_cast<__half>(x[i]);
    bfloat_h[i] = __nv_bfloat16(h[i]);
}

//! run   to_bytes block=8
//! arg   x bf16[8] = {1.5, -2.5, 200, -200, inf, nan, 300, -0.75}
//! arg   out i32[32] poison
//! want  out[0..7] = {1, -2, 127, -128, 127, 0, 127, 0}
//! want  out[8..15] = {1, 0, 200, 0, 255, 0, 255, 0}
//! want  out[16..23] = {1, -2, 127, -128, 127, 0, 127, 0}
//! want  out[24..31] = {1, 0, 200, 0, 255, 0, 255, 0}
__global__ void to_bytes(const __nv_bfloat16 *x, int *out)
{
    int i = threadIdx.x;
    out[i] = __bfloat162char_rz(x[i]);
    out[8 + i] = __bfloat162uchar_rz(x[i]);
    out[16 + i] = static_cast<char>(x[i]);
    out[24 + i] = static_cast<unsigned char>(x[i]);
}
