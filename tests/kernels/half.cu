// half: each function of cuda_fp16.h in its own output, rounded once, NaN, infinities, subnormal numbers.
#include "lockstep_half.h"

//! run   arithmetic block=32
//! arg   a f16[32] = i * 0.7 - 9
//! arg   b f16[32] = 3 - i * 0.3
//! arg   c f16[32] = (i - 16) * 0.01
//! arg   out f16[288] poison
//! want  out[0..31] = a[i] + b[i]
//! want  out[32..63] = a[i - 32] - b[i - 32]
//! want  out[64..95] = a[i - 64] * b[i - 64]
//! want  out[96..127] = a[i - 96] / b[i - 96]
//! want  out[128..159] = a[i - 128] * b[i - 128] + c[i - 128]
//! want  out[160..191] = max(0, a[i - 160] * b[i - 160] + c[i - 160])
//! want  out[192..223] = min(1, max(0, a[i - 192] + b[i - 192]))
//! want  out[224..255] = min(1, max(0, a[i - 224] * b[i - 224] + c[i - 224]))
//! want  out[256..287] = min(1, max(0, a[i - 256] * b[i - 256])) + 0
//! count smsp__sass_thread_inst_executed_op_hadd_pred_on.sum 96
//! count smsp__sass_thread_inst_executed_op_hmul_pred_on.sum 64
//! count smsp__sass_thread_inst_executed_op_hfma_pred_on.sum 96
//! count clang flop_count_hp 352
__global__ void arithmetic(const half *a, const half *b, const half *c, half *out)
{
    int i = threadIdx.x;
    out[i] = __hadd(a[i], b[i]);
    out[32 + i] = a[i] - b[i];
    out[64 + i] = a[i] * b[i];
    out[96 + i] = __hdiv(a[i], b[i]);
    out[128 + i] = __hfma(a[i], b[i], c[i]);
    out[160 + i] = __hfma_relu(a[i], b[i], c[i]);
    out[192 + i] = __hadd_sat(a[i], b[i]);
    out[224 + i] = __hfma_sat(a[i], b[i], c[i]);
    out[256 + i] = __hmul_sat(a[i], b[i]);
}

//! run   signs block=8
//! arg   a f16[8] = {1, -1, 0, -0, inf, -inf, nan, 0.00000006}
//! arg   b f16[8] = {nan, 2, -0, 0, 65504, nan, nan, -0.00000006}
//! arg   out f16[48] poison
//! want  out[0..7] = {-1, 1, -0, 0, -inf, inf, nan, -0.00000006}
//! want  out[8..15] = {1, 1, 0, 0, inf, inf, nan, 0.00000006}
//! want  out[16..23] = {1, -1, -0, -0, 65504, -inf, nan, -0.00000006}
//! want  out[24..31] = {1, 2, 0, 0, inf, -inf, nan, 0.00000006}
//! want  out[32..39] = {nan, -1, -0, -0, 65504, nan, nan, -0.00000006}
//! want  out[40..47] = {nan, 2, 0, 0, inf, nan, nan, 0.00000006}
__global__ void signs(const half *a, const half *b, half *out)
{
    int i = threadIdx.x;
    out[i] = -a[i];
    out[8 + i] = __habs(a[i]);
    out[16 + i] = __hmin(a[i], b[i]);
    out[24 + i] = __hmax(a[i], b[i]);
    out[32 + i] = __hmin_nan(a[i], b[i]);
    out[40 + i] = __hmax_nan(a[i], b[i]);
}

// Ties to even, overflow, the smallest numbers. 1 + 2^-11 lies halfway; a fused multiply-add sees what is beyond it.
//! run   edges block=1
//! arg   big f16 60000
//! arg   one f16 1
//! arg   tie f16 0.00048828125
//! arg   tiny f16 0.000000059604644775390625
//! arg   out f16[9] poison
//! want  out = {inf, 1, 1.0009765625, 0, 0, 0.000000119209289550781250, 1, 1.0009765625, 65504}
__global__ void edges(half big, half one, half tie, half tiny, half *out)
{
    out[0] = __hadd(big, big);
    out[1] = __hadd(one, tie);
    out[2] = __hfma(tiny, tiny, __hadd(one, __hadd(tie, tie)));
    out[3] = __hmul(tiny, tiny);
    out[4] = __hmul(tiny, __float2half(0.5f));
    out[5] = __hadd(tiny, tiny);
    out[6] = __hfma(tie, one, one);
    out[7] = __hfma(tie, __float2half(1.0009765625f), one);
    out[8] = __float2half_rz(1e9f);
}

//! run   compares block=4
//! arg   a f16[4] = {1, -0, nan, 3}
//! arg   b f16[4] = {2, 0, 1, 3}
//! arg   out i32[48] poison
//! want  out[0..3] = {0, 1, 0, 1}
//! want  out[4..7] = {1, 0, 0, 0}
//! want  out[8..11] = {1, 0, 0, 0}
//! want  out[12..15] = {1, 1, 0, 1}
//! want  out[16..19] = {0, 0, 0, 0}
//! want  out[20..23] = {0, 1, 0, 1}
//! want  out[24..27] = {0, 1, 1, 1}
//! want  out[28..31] = {1, 0, 1, 0}
//! want  out[32..35] = {1, 0, 1, 0}
//! want  out[36..39] = {0, 0, 1, 0}
//! want  out[40..43] = {0, 0, 1, 0}
//! want  out[44..47] = {1, 0, 1, 0}
__global__ void compares(const half *a, const half *b, int *out)
{
    int i = threadIdx.x;
    out[i] = a[i] == b[i];
    out[4 + i] = __hne(a[i], b[i]);
    out[8 + i] = a[i] < b[i];
    out[12 + i] = a[i] <= b[i];
    out[16 + i] = a[i] > b[i];
    out[20 + i] = a[i] >= b[i];
    out[24 + i] = __hequ(a[i], b[i]);
    out[28 + i] = a[i] != b[i];
    out[32 + i] = __hltu(a[i], b[i]);
    out[36 + i] = __hgtu(a[i], b[i]);
    out[40 + i] = __hisnan(a[i]);
    out[44 + i] = !__hgeu(a[i], b[i]) || __hisnan(a[i]);
}

//! run   conversions block=8
//! arg   x f32[8] = {1.0002, -1.0002, 65519, 65520, -70000, 0.00000002, nan, 2049}
//! arg   out f16[40] poison
//! want  out[0..7] = {1, -1, 65504, inf, -inf, 0, nan, 2048}
//! want  out[8..15] = {1, -1, 65504, 65504, -65504, 0, nan, 2048}
//! want  out[16..23] = {1, -1.0009765625, 65504, 65504, -inf, 0, nan, 2048}
//! want  out[24..31] = {1.0009765625, -1, inf, inf, -65504, 0.00000006, nan, 2050}
//! want  out[32..39] = x[i - 32]
__global__ void conversions(const float *x, half *out)
{
    int i = threadIdx.x;
    out[i] = __float2half(x[i]);
    out[8 + i] = __float2half_rz(x[i]);
    out[16 + i] = __float2half_rd(x[i]);
    out[24 + i] = __float2half_ru(x[i]);
    out[32 + i] = __double2half((double)x[i]);
}

//! run   wholes block=8
//! arg   x f16[8] = {0.5, 1.5, -2.5, 65504, -65504, inf, nan, -0.25}
//! arg   out i32[40] poison
//! arg   u u16[16] poison
//! arg   w i64[8] poison
//! want  out[0..7] = {0, 2, -2, 65504, -65504, 2147483647, 0, 0}
//! want  out[8..15] = {0, 1, -2, 65504, -65504, 2147483647, 0, 0}
//! want  out[16..23] = {0, 1, -3, 65504, -65504, 2147483647, 0, -1}
//! want  out[24..31] = {1, 2, -2, 65504, -65504, 2147483647, 0, 0}
//! want  out[32..39] = {0, 1, -2, 32767, -32768, 32767, 0, 0}
//! want  u[0..7] = {0, 2, 0, 65504, 0, 65535, 0, 0}
//! want  u[8..15] = {0, 1, 0, 65504, 0, 65535, 0, 0}
//! want  w = {0, 1, -2, 65504, -65504, 9223372036854775807, -9223372036854775808, 0}
__global__ void wholes(const half *x, int *out, unsigned short *u, long long *w)
{
    int i = threadIdx.x;
    out[i] = __half2int_rn(x[i]);
    out[8 + i] = (int)x[i];
    out[16 + i] = __half2int_rd(x[i]);
    out[24 + i] = __half2int_ru(x[i]);
    out[32 + i] = __half2short_rz(x[i]);
    u[i] = __half2ushort_rn(x[i]);
    u[8 + i] = __half2ushort_rz(x[i]);
    w[i] = __half2ll_rz(x[i]);
}

//! run   from_wholes block=8
//! arg   x i64[8] = {0, 1, -2049, 2051, 65519, 65520, -9223372036854775808, 4097}
//! arg   out f16[40] poison
//! want  out[0..7] = {0, 1, -2048, 2052, 65504, inf, -inf, 4096}
//! want  out[8..15] = {0, 1, -2048, 2050, 65504, 65504, 0, 4096}
//! want  out[16..23] = {0, 1, 63488, 2052, inf, inf, 0, 4100}
//! want  out[24..31] = {0, 1, -2048, 2052, -17, -16, 0, 4096}
//! want  out[32..39] = {0, 1, -2050, 2050, 65504, 65504, 0, 4096}
__global__ void from_wholes(const long long *x, half *out)
{
    int i = threadIdx.x;
    out[i] = __ll2half_rn(x[i]);
    out[8 + i] = __int2half_rz((int)x[i]);
    out[16 + i] = __ushort2half_ru((unsigned short)x[i]);
    out[24 + i] = __short2half_rn((short)x[i]);
    out[32 + i] = __int2half_rd((int)x[i]);
}

//! run   functions block=4
//! arg   x f16[4] = {4, 0.25, 1, 2.5}
//! arg   out f16[36] poison
//! want  out[0..3] = {2, 0.5, 1, 1.5811388300841898}
//! want  out[4..7] = {0.5, 2, 1, 0.6324555320336759}
//! want  out[8..11] = {0.25, 4, 1, 0.4}
//! want  out[12..15] = {16, 1.189207115002721, 2, 5.656854249492381}
//! want  out[16..19] = {2, -2, 0, 1.3219280948873623}
//! want  out[20..23] = {4, 0, 1, 2}
//! want  out[24..27] = {4, 1, 1, 3}
//! want  out[28..31] = {4, 0, 1, 2}
//! want  out[32..35] = {4, 0, 1, 2}
__global__ void functions(const half *x, half *out)
{
    int i = threadIdx.x;
    out[i] = hsqrt(x[i]);
    out[4 + i] = hrsqrt(x[i]);
    out[8 + i] = hrcp(x[i]);
    out[12 + i] = hexp2(x[i]);
    out[16 + i] = hlog2(x[i]);
    out[20 + i] = hfloor(x[i]);
    out[24 + i] = hceil(x[i]);
    out[28 + i] = htrunc(x[i]);
    out[32 + i] = hrint(x[i]);
}

// One sum of 64 halves, whose order does not matter since each partial sum is exact.
//! run   atomics block=64
//! arg   sums f16[2] = 0
//! arg   pairs f16[4] = 1
//! want  sums[0] = 2016
//! want  sums[1] = 64
//! want  pairs = {1, 1, 2017, 65}
__global__ void atomics(half *sums, half2 *pairs)
{
    __shared__ half own;
    half v = __float2half((float)threadIdx.x);
    if (threadIdx.x == 0) own = __float2half(0.0f);
    __syncthreads();
    atomicAdd(sums, v);
    atomicAdd(&own, __float2half(1.0f));
    atomicAdd(pairs + 1, __halves2half2(v, __float2half(1.0f)));
    __syncthreads();
    if (threadIdx.x == 0) sums[1] = own;
}

//! run   lanes block=32
//! arg   x f16[32] = i
//! arg   out f16[96] poison
//! want  out[0..31] = 496
//! want  out[32..63] = (i - 32) ^ 1
//! want  out[64..95] = x[i - 64]
__global__ void lanes(const half *x, half *out)
{
    int i = threadIdx.x;
    half2 v = __half2half2(x[i]);
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    out[i] = __high2half(v);
    out[32 + i] = __shfl_sync(0xffffffff, x[i], i ^ 1);
    out[64 + i] = __ldg(x + i);
}

//! run   to_bytes block=8
//! arg   x f16[8] = {1.5, -2.5, 200, -200, inf, nan, 255.5, -0.75}
//! arg   out i32[32] poison
//! want  out[0..7] = {1, -2, 127, -128, 127, 0, 127, 0}
//! want  out[8..15] = {1, 0, 200, 0, 255, 0, 255, 0}
//! want  out[16..23] = {1, -2, 127, -128, 127, 0, 127, 0}
//! want  out[24..31] = {1, 0, 200, 0, 255, 0, 255, 0}
__global__ void to_bytes(const half *x, int *out)
{
    int i = threadIdx.x;
    out[i] = __half2char_rz(x[i]);
    out[8 + i] = __half2uchar_rz(x[i]);
    out[16 + i] = static_cast<char>(x[i]);
    out[24 + i] = static_cast<unsigned char>(x[i]);
}
