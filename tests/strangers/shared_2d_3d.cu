// run: laplace 2,2,2 8,8,4 buf:f32:2048:rand buf:f32:2048:none struct:{i32:16,i32:16,i32:8}
// run: outer 1 32 buf:f32:32:iota buf:f32:1024:none
// Three dimensions, and what people do with dim3 and int3.
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#define INDEX(i, j, k) (((k) * dims.y + (j)) * dims.x + (i))

__global__ void laplace(const float *__restrict__ in, float *__restrict__ out, int3 dims)
{
    const int3 p = make_int3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                             blockIdx.z * blockDim.z + threadIdx.z);
    if (p.x >= dims.x || p.y >= dims.y || p.z >= dims.z) return;
    float c = in[INDEX(p.x, p.y, p.z)], sum = -6.f * c;
    sum += p.x > 0 ? in[INDEX(p.x - 1, p.y, p.z)] : c;
    sum += p.x < dims.x - 1 ? in[INDEX(p.x + 1, p.y, p.z)] : c;
    sum += p.y > 0 ? in[INDEX(p.x, p.y - 1, p.z)] : c;
    sum += p.y < dims.y - 1 ? in[INDEX(p.x, p.y + 1, p.z)] : c;
    sum += p.z > 0 ? in[INDEX(p.x, p.y, p.z - 1)] : c;
    sum += p.z < dims.z - 1 ? in[INDEX(p.x, p.y, p.z + 1)] : c;
    out[INDEX(p.x, p.y, p.z)] = sum;
}

__global__ void outer(const float *v, float *out)
{
    __shared__ float rows[32][32 + 1];
    float local[32];
    for (int k = 0; k < 32; ++k) {
        local[k] = v[threadIdx.x] * v[k];
        rows[threadIdx.x][k] = local[k];
    }
    __syncthreads();
    for (int k = 0; k < 32; ++k)
        out[k * 32 + threadIdx.x] = rows[k][threadIdx.x] + local[(k + threadIdx.x) & 31] * 0.0f;
}

void launch(float *a, float *b)
{
    int3 dims = {16, 16, 8};
    dim3 block = dim3(8, 8, 4), grid;
    grid.x = (dims.x + block.x - 1) / block.x;
    grid.y = (dims.y + block.y - 1) / block.y;
    grid.z = (dims.z + block.z - 1) / block.z;
    laplace<<<grid, block, 0, cudaStreamPerThread>>>(a, b, dims);
}
