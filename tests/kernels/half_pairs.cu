// half2: two numbers in one instruction; x is the first of them.
#include "lockstep_half.h"

//! run   pairs block=16
//! arg   a f16[32] = i * 0.7 - 9
//! arg   b f16[32] = 3 - i * 0.3
//! arg   c f16[32] = (i - 16) * 0.01
//! arg   out f16[320] poison
//! want  out[0..31] = a[i] + b[i]
//! want  out[32..63] = a[i - 32] - b[i - 32]
//! want  out[64..95] = a[i - 64] * b[i - 64]
//! want  out[96..127] = a[i - 96] / b[i - 96]
//! want  out[128..159] = a[i - 128] * b[i - 128] + c[i - 128]
//! want  out[160..191] = max(0, a[i - 160] * b[i - 160] + c[i - 160])
//! want  out[192..223] = -a[i - 192]
//! want  out[224..255] = abs(a[i - 224])
//! want  out[256..287] = max(a[i - 256], b[i - 256])
//! want  out[288..319] = min(a[i - 288], b[i - 288])
//! count smsp__sass_thread_inst_executed_op_hadd_pred_on.sum 32
//! count smsp__sass_thread_inst_executed_op_hmul_pred_on.sum 16
//! count nvcc smsp__sass_thread_inst_executed_op_hfma_pred_on.sum 32
__global__ void pairs(const half2 *a, const half2 *b, const half2 *c, half2 *out)
{
    int i = threadIdx.x;
    out[i] = __hadd2(a[i], b[i]);
    out[16 + i] = a[i] - b[i];
    out[32 + i] = a[i] * b[i];
    out[48 + i] = a[i] / b[i];
    out[64 + i] = __hfma2(a[i], b[i], c[i]);
    out[80 + i] = __hfma2_relu(a[i], b[i], c[i]);
    out[96 + i] = -a[i];
    out[112 + i] = __habs2(a[i]);
    out[128 + i] = __hmax2(a[i], b[i]);
    out[144 + i] = __hmin2(a[i], b[i]);
}

// Each half by itself: 1 and 0, a mask, both.
//! run   compares block=4
//! arg   a f16[8] = {1, 2, -0, nan, 5, 5, nan, 1}
//! arg   b f16[8] = {1, 3, 0, 1, 4, 6, nan, 1}
//! arg   ones f16[24] poison
//! arg   masks u32[12] poison
//! arg   both i32[12] poison
//! want  ones[0..7] = {1, 0, 1, 0, 0, 0, 0, 1}
//! want  ones[8..15] = {0, 1, 0, 1, 0, 1, 1, 0}
//! want  ones[16..23] = {1, 1, 1, 1, 0, 1, 1, 1}
//! want  masks[0..3] = {0x0000ffff, 0x0000ffff, 0, 0xffff0000}
//! want  masks[4..7] = {0xffff0000, 0, 0xffff0000, 0}
//! want  masks[8..11] = {0xffffffff, 0x0000ffff, 0xffff0000, 0xffff0000}
//! want  both = {0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1}
__global__ void compares(const half2 *a, const half2 *b, half2 *ones, unsigned *masks, int *both)
{
    int i = threadIdx.x;
    ones[i] = __heq2(a[i], b[i]);
    ones[4 + i] = __hltu2(a[i], b[i]);
    ones[8 + i] = __hleu2(a[i], b[i]);
    masks[i] = __heq2_mask(a[i], b[i]);
    masks[4 + i] = __hlt2_mask(a[i], b[i]);
    masks[8 + i] = __hle2_mask(a[i], b[i]);
    both[i] = __hbeq2(a[i], b[i]);
    both[4 + i] = __hble2(a[i], b[i]);
    both[8 + i] = __hbleu2(a[i], b[i]);
}

// PTX's comparison with two predicates: p of the lower half, q of the upper.
//! run   predicates block=4
//! arg   a f16[8] = {1, 2, -0, nan, 5, 5, nan, 1}
//! arg   b f16[8] = {1, 3, 0, 1, 4, 6, nan, 1}
//! arg   out i32[8] poison
//! want  out = {1, 0, 1, 0, 0, 0, 0, 1}
__global__ void predicates(const unsigned *a, const unsigned *b, int *out)
{
    int p, q;
    asm("{.reg .pred p, q;\n\tsetp.eq.f16x2 p|q, %2, %3;\n\tselp.s32 %0, 1, 0, p;\n\tselp.s32 %1, 1, 0, q;}"
        : "=r"(p), "=r"(q)
        : "r"(a[threadIdx.x]), "r"(b[threadIdx.x]));
    out[2 * threadIdx.x] = p;
    out[2 * threadIdx.x + 1] = q;
}

//! run   moves block=1
//! arg   a f16[2] = {1, 2}
//! arg   b f16[2] = {3, 4}
//! arg   out f16[20] poison
//! want  out = {1, 1, 2, 2, 1, 3, 2, 4, 2, 1, 1, 3, 0.5, -0.25, 3, 4, 1, 2, 7, 7}
__global__ void moves(const half2 *a, const half2 *b, half2 *out)
{
    out[0] = __low2half2(*a);
    out[1] = __high2half2(*a);
    out[2] = __lows2half2(*a, *b);
    out[3] = __highs2half2(*a, *b);
    out[4] = __lowhigh2highlow(*a);
    out[5] = __halves2half2(a->x, b->x);
    out[6] = __floats2half2_rn(0.5f, -0.25f);
    float2 f = __half22float2(*b);
    out[7] = __float22half2_rn(f);
    out[8] = make_half2(__low2half(*a), __float2half(__high2float(*a)));
    out[9] = __float2half2_rn(7.0f);
}

// (1 + 2i) (3 + 4i) + (3 + 4i)
//! run   complex block=1
//! arg   a f16[2] = {1, 2}
//! arg   b f16[2] = {3, 4}
//! arg   out f16[2] poison
//! want  out = {-2, 14}
__global__ void complex(const half2 *a, const half2 *b, half2 *out) { *out = __hcmadd(*a, *b, *b); }

// Eight halves are one access of 16 bytes, whatever type it has.
//! run   wide block=32
//! arg   x f16[256] = i
//! arg   out f16[256] poison
//! want  out = x[i] * 2
//! count gld_requests 1
//! count gst_requests 1
__global__ void wide(const float4 *x, float4 *out)
{
    float4 v = x[threadIdx.x];
    half2 *h = reinterpret_cast<half2 *>(&v);
    for (int k = 0; k < 4; k++) h[k] = h[k] + h[k];
    out[threadIdx.x] = v;
}
