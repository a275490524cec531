// Shared memory: bank patterns with their passes counted by hand (bank = word % 32), static, dynamic, barriers.
#include "lockstep.h"

// Lane i reads word i * stride: as many passes as lanes meet in one bank, each at another word.
//! run   banks block=32
//! arg   out f32[32] poison
//! arg   stride i32 1
//! want  out = i
//! count shared_load 1
//! count shared_load_transactions 1
//! count shared_ld_bank_conflict 0
//! run   banks block=32
//! arg   out f32[32] poison
//! arg   stride i32 2
//! want  out = 2 * i
//! count shared_load_transactions 2
//! count shared_ld_bank_conflict 1
//! run   banks block=32
//! arg   out f32[32] poison
//! arg   stride i32 3
//! want  out = 3 * i
//! count shared_load_transactions 1
//! run   banks block=32
//! arg   out f32[32] poison
//! arg   stride i32 12
//! want  out = 12 * i
//! count shared_load_transactions 4
//! run   banks block=32
//! arg   out f32[32] poison
//! arg   stride i32 32
//! want  out = 32 * i
//! count shared_load_transactions 32
//! count shared_ld_bank_conflict 31
//! run   banks block=32
//! arg   out f32[32] poison
//! arg   stride i32 33
//! want  out = 33 * i
//! count shared_load_transactions 1
//! run   banks block=32
//! arg   out f32[32] poison
//! arg   stride i32 0
//! want  out = 0
//! count shared_load_transactions 1
//! count shared_ld_bank_conflict 0
__global__ void banks(float *out, int stride)
{
    __shared__ float words[33 * 32];
    for (int k = threadIdx.x; k < 33 * 32; k += 32)
        words[k] = k;
    __syncthreads();
    out[threadIdx.x] = words[threadIdx.x * stride];
}

// Multicast: two words of one bank, each wanted by 16 lanes.
//! run   multicast block=32
//! arg   index i32[32] = i % 2 * 32
//! arg   out f32[32] poison
//! want  out = i % 2 * 32
//! count shared_load_transactions 2
//! run   multicast block=32
//! arg   index i32[32] = i // 4
//! arg   out f32[32] poison
//! want  out = i // 4
//! count shared_load_transactions 1
//! run   multicast block=32
//! arg   index i32[32] = (i * 7 + 3) % 32
//! arg   out f32[32] poison
//! want  out = index[i]
//! count shared_load_transactions 1
__global__ void multicast(const int *index, float *out)
{
    __shared__ float words[64];
    words[threadIdx.x] = threadIdx.x;
    words[threadIdx.x + 32] = threadIdx.x + 32;
    __syncthreads();
    out[threadIdx.x] = words[index[threadIdx.x]];
}

//! run   columns block=32,8
//! arg   out f32[1024] poison
//! want  out = i % 32 * 32 + i // 32
// stores along rows: a pass each; loads down columns: 32 passes, 31 too many
//! count shared_store 32
//! count shared_store_transactions 32
//! count shared_st_bank_conflict 0
//! count shared_load 32
//! count shared_load_transactions 1024
//! count shared_ld_bank_conflict 992
//! count shared_load_transactions_per_request 32
//! count lockstep__barrier_inst.sum 8
__global__ void columns(float *out)
{
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[y + j][x] = (y + j) * 32 + x;
    __syncthreads();
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * 32 + x] = tile[x][y + j];
}

// Doubles: half a warp a pass.
//! run   doubles block=32
//! arg   out f64[32] poison
//! want  out = 31 - i
//! count shared_load 1
//! count shared_load_transactions 2
//! count shared_ld_bank_conflict 0
//! count shared_store_transactions 2
//! count smsp__sass_data_bytes_mem_shared_op_ld.sum 256
__global__ void doubles(double *out)
{
    __shared__ double words[32];
    words[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = words[31 - threadIdx.x];
}

//! run   dynamic grid=3 block=64 shared=512
//! arg   out f32[192] poison
//! want  out = i // 64 * 100 + 63 - i % 64 + (63 - i % 64) * 2
extern __shared__ float dynamic_words[];
__global__ void dynamic(float *out)
{
    int i = threadIdx.x;
    dynamic_words[i] = blockIdx.x * 100 + i;
    dynamic_words[64 + i] = i * 2;
    __syncthreads();
    out[blockIdx.x * 64 + i] = dynamic_words[63 - i] + dynamic_words[127 - i];
}

// Static and dynamic together: the dynamic part begins behind the static one.
//! run   both block=32 shared=128
//! arg   out f32[32] poison
//! want  out = 3 * (31 - i)
__global__ void both(float *out)
{
    __shared__ float own[32];
    int i = threadIdx.x;
    own[i] = i;
    dynamic_words[i] = 2 * i;
    __syncthreads();
    out[i] = own[31 - i] + dynamic_words[31 - i];
}

// A tree in shared memory: a barrier a level, by the whole block.
//! run   sum grid=2 block=256
//! arg   in f32[512] = i
//! arg   out f32[2] poison
//! want  out = {32640, 98176}
//! count lockstep__barrier_inst.sum 2*8*9
__global__ void sum(const float *in, float *out)
{
    __shared__ float part[256];
    int i = threadIdx.x;
    part[i] = in[blockIdx.x * 256 + i];
    __syncthreads();
    for (int half = 128; half; half /= 2) {
        if (i < half)
            part[i] += part[i + half];
        __syncthreads();
    }
    if (i == 0)
        out[blockIdx.x] = part[0];
}

// More convoys than one: 1024 threads pass values on, 33 barriers.
//! run   ring block=1024
//! arg   out i32[1024] poison
//! want  out = (i + 16) % 1024
__global__ void ring(int *out)
{
    __shared__ int place[1024];
    int i = threadIdx.x;
    place[i] = i;
    __syncthreads();
    for (int k = 0; k < 16; k++) {
        int next = place[(i + 1) % 1024];
        __syncthreads();
        place[i] = next;
        __syncthreads();
    }
    out[i] = place[i];
}

// Blocks that are on a multiprocessor together take turns, here at every 256th of 520 loads: each keeps its own shared memory, for whole
// warps and for single lanes.
//! run   turns grid=396 block=64
//! arg   in f32[64] = 0
//! arg   out f32[25344] poison
//! want  out = i // 64 + (i % 64 >= 3) * (i // 64)
__global__ void turns(const float *in, float *out)
{
    __shared__ float mine[64];
    float sum = 0;
    mine[threadIdx.x] = blockIdx.x;
    for (int k = 0; k < 520; k++)
        sum += in[(threadIdx.x + k) % 64];
    __syncthreads();
    sum += mine[threadIdx.x];
    if (threadIdx.x >= 3)
        sum += mine[threadIdx.x - 3];
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
