// run: forces 2 128 shared=2048 buf:f32:1024:rand buf:f32:1024:none i32:256 f32:0.01
// run: integrate 2 128 buf:f32:1024:rand buf:f32:1024:rand buf:f32:1024:rand f32:0.01 i32:256
// All pairs, tile by tile: positions and masses as float4 in shared memory.
#include <cuda_runtime.h>
#include <vector_types.h>
#include <stdio.h>

__device__ float3 interact(float4 bi, float4 bj, float3 ai, float softening)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + softening;
    float inv = rsqrtf(distSqr);
    float s = bj.w * inv * inv * inv;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__global__ void forces(const float4 *__restrict__ positions, float4 *accelerations, int n, float softening)
{
    extern __shared__ float4 shPosition[];
    int gtid = blockIdx.x * blockDim.x + threadIdx.x;
    float4 mine = positions[gtid];
    float3 acc = {0.0f, 0.0f, 0.0f};
    for (int i = 0, tile = 0; i < n; i += blockDim.x, tile++) {
        shPosition[threadIdx.x] = positions[tile * blockDim.x + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < blockDim.x; j++)
            acc = interact(mine, shPosition[j], acc, softening);
        __syncthreads();
    }
    accelerations[gtid] = make_float4(acc.x, acc.y, acc.z, 0.0f);
}

__global__ void integrate(float4 *p, float4 *v, const float4 *a, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 pos = p[i], vel = v[i], acc = a[i];
    vel.x += acc.x * dt, vel.y += acc.y * dt, vel.z += acc.z * dt;
    pos.x += vel.x * dt, pos.y += vel.y * dt, pos.z += vel.z * dt;
    p[i] = pos;
    v[i] = vel;
}

int main()
{
    int n = 8192;
    float4 *p, *v, *a;
    cudaMalloc(&p, n * sizeof(float4));
    cudaMalloc(&v, n * sizeof(float4));
    cudaMalloc(&a, n * sizeof(float4));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    for (int step = 0; step < 10; step++) {
        forces<<<n / 128, 128, 128 * sizeof(float4), stream>>>(p, a, n, 0.01f);
        integrate<<<n / 128, 128, 0, stream>>>(p, v, a, 0.01f, n);
    }
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
