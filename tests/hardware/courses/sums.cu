// sums: reductions, scans and softmax as courses write them. `lockstep-hardware crosscheck --courses` compares their times with a GPU's.
#include "lockstep.h"

LAUNCH(reduce_interleaved, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(reduce_shuffle, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(reduce_grid, BLOCK(256, 1), COVERS(4096, 16))
LAUNCH(argmax, BLOCK(128, 1), COVERS(2048, 1))
LAUNCH(scan_steps, BLOCK(512, 1), COVERS(512, 1))
LAUNCH(scan_tree, BLOCK(256, 1), COVERS(512, 1))
LAUNCH(scan_shuffle, BLOCK(256, 1), COVERS(1024, 1))
LAUNCH(softmax_block, BLOCK(256, 1), COVERS(1024, 1))
LAUNCH(softmax_warp, BLOCK(32, 8), COVERS(256, 8))

#define ALL 0xffffffffu

__device__ float shuffled_total, strided_total;

// The sum of a warp's values, in lane 0.
__device__ __forceinline__ float warp_sum(float v)
{
    for (int lanes = 16; lanes; lanes /= 2)
        v += __shfl_down_sync(ALL, v, lanes);
    return v;
}

// A block's sum by interleaved addressing: ever fewer lanes of every warp are active.
__global__ void reduce_interleaved(const float *in, float *out, int rows, int cols)
{
    __shared__ float part[256];
    int t = threadIdx.x, block = blockIdx.y * gridDim.x + blockIdx.x;
    part[t] = in[block * 256 + t];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        if (t % (2 * step) == 0)
            part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[block] = part[0];
}

// The sum of all by shuffles, and one atomic addition a block.
__global__ void reduce_shuffle(const float *in, float *out, int rows, int cols)
{
    __shared__ float part[8];
    int t = threadIdx.x, block = blockIdx.y * gridDim.x + blockIdx.x;
    float sum = warp_sum(in[block * 256 + t]);
    if (t % 32 == 0)
        part[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = warp_sum(t < 8 ? part[t] : 0.0f);
        if (t == 0) {
            out[block] = sum;
            atomicAdd(&shuffled_total, sum);
        }
    }
}

// The sum of all: threads step through the array by the size of the grid, four floats at a time.
__global__ void reduce_grid(const float *in, float *out, int rows, int cols)
{
    __shared__ float part[8];
    const float4 *four = (const float4 *)in;
    int t = threadIdx.x, block = blockIdx.y * gridDim.x + blockIdx.x, step = gridDim.x * gridDim.y * 256;
    float sum = 0;
    for (int i = block * 256 + t; i < rows * cols / 4; i += step) {
        float4 v = four[i];
        sum += v.x + v.y + v.z + v.w;
    }
    sum = warp_sum(sum);
    if (t % 32 == 0)
        part[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = warp_sum(t < 8 ? part[t] : 0.0f);
        if (t == 0) {
            out[block] = sum;
            atomicAdd(&strided_total, sum);
        }
    }
}

// The column of each row's greatest element: a block a row.
__global__ void argmax(const float *in, float *out, int rows, int cols)
{
    __shared__ float values[4];
    __shared__ int places[4];
    const float *row = in + blockIdx.y * cols;
    int t = threadIdx.x, place = t;
    float value = row[t];
    for (int col = t + 128; col < cols; col += 128)
        if (row[col] > value) {
            value = row[col];
            place = col;
        }
    for (int lanes = 16; lanes; lanes /= 2) {
        float other = __shfl_down_sync(ALL, value, lanes);
        int at = __shfl_down_sync(ALL, place, lanes);
        if (other > value || (other == value && at < place)) {
            value = other;
            place = at;
        }
    }
    if (t % 32 == 0) {
        values[t / 32] = value;
        places[t / 32] = place;
    }
    __syncthreads();
    if (t == 0) {
        for (int w = 1; w < 4; w++)
            if (values[w] > value) {
                value = values[w];
                place = places[w];
            }
        out[blockIdx.y] = (float)place;
    }
}

// Running sums of 512 elements, by Hillis and Steele: as many steps as the length has bits, two buffers.
__global__ void scan_steps(const float *in, float *out, int rows, int cols)
{
    __shared__ float part[2][512];
    int t = threadIdx.x, i = (blockIdx.y * gridDim.x + blockIdx.x) * 512 + t, now = 0;
    part[0][t] = in[i];
    __syncthreads();
    for (int step = 1; step < 512; step *= 2) {
        part[1 - now][t] = part[now][t] + (t >= step ? part[now][t - step] : 0.0f);
        now = 1 - now;
        __syncthreads();
    }
    out[i] = part[now][t];
}

// Exclusive prefix sums of 512 elements, by Blelloch: up a tree and down again, with bank conflicts.
__global__ void scan_tree(const float *in, float *out, int rows, int cols)
{
    __shared__ float part[512];
    int t = threadIdx.x, first = (blockIdx.y * gridDim.x + blockIdx.x) * 512, offset = 1;
    part[2 * t] = in[first + 2 * t];
    part[2 * t + 1] = in[first + 2 * t + 1];
    for (int nodes = 256; nodes > 0; nodes /= 2) {
        __syncthreads();
        if (t < nodes)
            part[offset * (2 * t + 2) - 1] += part[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0)
        part[511] = 0;
    for (int nodes = 1; nodes < 512; nodes *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < nodes) {
            int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            float v = part[left];
            part[left] = part[right];
            part[right] += v;
        }
    }
    __syncthreads();
    out[first + 2 * t] = part[2 * t];
    out[first + 2 * t + 1] = part[2 * t + 1];
}

// Running sums of 1024 elements: four a thread, then the threads of a warp by shuffles, then the warps.
__global__ void scan_shuffle(const float *in, float *out, int rows, int cols)
{
    __shared__ float warps[8];
    int t = threadIdx.x, lane = t % 32, i = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + t;
    float4 v = ((const float4 *)in)[i];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    float sum = v.w;
    for (int lanes = 1; lanes < 32; lanes *= 2) {
        float before = __shfl_up_sync(ALL, sum, lanes);
        if (lane >= lanes)
            sum += before;
    }
    if (lane == 31)
        warps[t / 32] = sum;
    __syncthreads();
    float before = sum - v.w;
    for (int w = 0; w < t / 32; w++)
        before += warps[w];
    ((float4 *)out)[i] = make_float4(v.x + before, v.y + before, v.z + before, v.w + before);
}

// Softmax of rows of 1024: a block a row; its greatest and its sum by a tree in shared memory.
__global__ void softmax_block(const float *in, float *out, int rows, int cols)
{
    __shared__ float part[256];
    const float *row = in + blockIdx.y * cols;
    int t = threadIdx.x;
    float most = row[t], sum = 0;
    for (int col = t + 256; col < cols; col += 256)
        most = fmaxf(most, row[col]);
    part[t] = most;
    for (int half = 128; half; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] = fmaxf(part[t], part[t + half]);
    }
    __syncthreads();
    most = part[0];
    __syncthreads();
    for (int col = t; col < cols; col += 256)
        sum += expf(row[col] - most);
    part[t] = sum;
    for (int half = 128; half; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] += part[t + half];
    }
    __syncthreads();
    sum = part[0];
    for (int col = t; col < cols; col += 256)
        out[blockIdx.y * cols + col] = expf(row[col] - most) / sum;
}

// Softmax of rows of 256: a warp a row, which stays in registers.
__global__ void softmax_warp(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * 8 + threadIdx.y, lane = threadIdx.x;
    float v[8], most, sum = 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
        v[k] = in[row * 256 + k * 32 + lane];
    most = v[0];
#pragma unroll
    for (int k = 1; k < 8; k++)
        most = fmaxf(most, v[k]);
    for (int lanes = 16; lanes; lanes /= 2)
        most = fmaxf(most, __shfl_xor_sync(ALL, most, lanes));
#pragma unroll
    for (int k = 0; k < 8; k++)
        sum += v[k] = __expf(v[k] - most);
    for (int lanes = 16; lanes; lanes /= 2)
        sum += __shfl_xor_sync(ALL, sum, lanes);
#pragma unroll
    for (int k = 0; k < 8; k++)
        out[row * 256 + k * 32 + lane] = v[k] / sum;
}
