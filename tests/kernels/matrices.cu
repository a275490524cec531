// Matrices held by a warp: ldmatrix, stmatrix, movmatrix, and mma.sync, whose results on random operands are those of an H200
// (tests/programs/tensor_mma.cu).
#include "lockstep.h"

__device__ __forceinline__ unsigned shared_address(const void *p)
{
    unsigned long long at;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(p));
    return (unsigned)at;
}

// Element 8 r + c of matrix m is 64 m + 8 r + c. A register holds two neighbours of row lane / 4.
//! run   loads block=32
//! arg   out u32[224] poison
//! want  out[0..127] = 64 * (i // 32) + 2 * (i % 32) + 65536 * (64 * (i // 32) + 2 * (i % 32) + 1)
//! want  out[128..191] = 64 * ((i - 128) // 32) + 16 * (i % 4) + i % 32 // 4 + 65536 * (64 * ((i - 128) // 32) + 16 * (i % 4) + 8 + i % 32 // 4)
//! want  out[192..223] = 64 * 2 + 2 * (i % 32) + 65536 * (64 * 2 + 2 * (i % 32) + 1)
//! count smsp__inst_executed_op_ldsm.sum 3
//! count l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum 7
//! count l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum 0
//! count smsp__inst_executed_op_shared_ld.sum 0
__global__ void loads(unsigned *out)
{
    __shared__ __align__(16) unsigned short s[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) s[i] = (unsigned short)i;
    __syncthreads();
    unsigned a, b, c, d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(shared_address(s + 8 * t)));
    out[t] = a, out[32 + t] = b, out[64 + t] = c, out[96 + t] = d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(shared_address(s + 8 * (t % 16))));
    out[128 + t] = a, out[160 + t] = b;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(shared_address(s + 128 + 8 * (t % 8))));
    out[192 + t] = a;
}

// Rows that begin in the same bank: 8 passes for each of 4 matrices, of which 28 are conflicts.
//! run   conflicts block=32
//! arg   out u32[32] poison
//! want  out = 0
//! count l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum 32
//! count l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum 28
__global__ void conflicts(unsigned *out)
{
    __shared__ __align__(16) unsigned s[32 * 32];
    int t = threadIdx.x;
    for (int i = 0; i < 32; i++) s[32 * i + t] = 0;
    __syncthreads();
    unsigned a, b, c, d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(shared_address(s + 32 * t)));
    out[t] = a | b | c | d;
}

// What stmatrix stores, ldmatrix loads; movmatrix turns rows into columns.
//! run   stores block=32
//! arg   out u32[64] poison
//! want  out[0..31] = 2 * i + 65536 * (2 * i + 1)
//! want  out[32..63] = 16 * (i % 4) + (i - 32) // 4 + 65536 * (16 * (i % 4) + 8 + (i - 32) // 4)
//! count l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum 1
__global__ void stores(unsigned *out)
{
    __shared__ __align__(16) unsigned s[32];
    int t = threadIdx.x;
    unsigned a = 2 * t | (2 * t + 1) << 16, b;
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(shared_address(s + 4 * (t % 8))), "r"(a) : "memory");
    __syncthreads();
    out[t] = s[t];
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(b) : "r"(a));
    out[32 + t] = b;
}

// Bytes: A is 1 in row g, column 4 t, B is row + 1; the sum wraps around, or stays at the largest number.
//! run   integers block=32
//! arg   out i32[64] poison
//! want  out[0..31] = 100 + 32 * 3 * (-2)
//! want  out[32..63] = 2147483647
//! count sm__inst_executed_pipe_tensor_op_imma.sum 2
__global__ void integers(int *out)
{
    int t = threadIdx.x, d[4], e[4];
    unsigned a = 0x03030303, b = 0xfefefefe;
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%6, %6, %6, %6};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(a), "r"(b), "r"(100));
    asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%6, %6, %6, %6};"
        : "=r"(e[0]), "=r"(e[1]), "=r"(e[2]), "=r"(e[3]) : "r"(a), "r"(b), "r"(0x7fffffff));
    out[t] = d[0] == d[1] && d[1] == d[2] && d[2] == d[3] ? d[0] : 0;
    out[32 + t] = e[3];
}

// 2^24 + 1 + 1: to nearest it stays 2^24 twice; a tensor core adds exactly to 25 digits and then cuts off. TF32 drops 13 bits.
//! run   sums block=32
//! arg   out f32[96] poison
//! want  out[0..31] = 16777218
//! want  out[32..63] = 8
//! want  out[64..95] = 1 + 8 / 1024
//! count sm__inst_executed_pipe_tensor_op_hmma.sum 3
//! count lockstep__tensor_flop.sum 5120
__global__ void sums(float *out)
{
    int t = threadIdx.x;
    float d[4], one = 1, big = 16777216, cut = 1.0004f;
    unsigned ones = t % 4 == 0 ? 0x3c003c00 : 0, all = 0x3c003c00;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%6, %6, %6, %6};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) : "r"(ones), "r"(all), "f"(big));
    out[t] = d[0];
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%4}, {%5, %5, %5, %5};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) : "r"(all), "f"(0.0f));
    out[32 + t] = d[3];
    unsigned a = __float_as_uint(t % 4 == 0 ? cut : 0), b = __float_as_uint(one);
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%6, %6, %6, %6};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) : "r"(a), "r"(b), "f"(8.0f / 1024));
    out[64 + t] = d[2];
}

// All 32 lanes take part.
//! run   parted block=32
//! arg   out f32[32] poison
//! fault "executes mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 without lane 16 of its warp; all 32 must execute it together"
__global__ void parted(float *out)
{
    double d[2] = {0, 0};
    if (threadIdx.x < 16)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%2}, {%2, %2};" : "=d"(d[0]), "=d"(d[1]) : "d"(1.0)); // fault parted
    out[threadIdx.x] = (float)(d[0] + d[1]);
}
