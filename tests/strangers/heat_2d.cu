// run: step 4,4 16,16 buf:f32:4096:rand buf:f32:4096:none i32:64 i32:64 f32:0.1
// run: residual 16 256 buf:f32:4096:rand buf:f32:4096:iota buf:f64:1:zero i32:4096
// Heat in a plate: five-point stencil, ping-pong on the host; residual in double.
#include <cmath>
#include <cstdio>
#include <utility>
#define IDX(i, j) ((i) * nx + (j))

__global__ void step(const float *__restrict__ u, float *__restrict__ v, int nx, int ny, float alpha)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= ny || j >= nx)
        return;
    if (i == 0 || j == 0 || i == ny - 1 || j == nx - 1) {
        v[IDX(i, j)] = u[IDX(i, j)];
        return;
    }
    float c = u[IDX(i, j)];
    v[IDX(i, j)] = c + alpha * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)] - 4.0f * c);
}

__global__ void residual(const float *u, const float *v, double *sum, int n)
{
    __shared__ double part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double d = i < n ? std::fabs((double)u[i] - v[i]) : 0.0;
    part[threadIdx.x] = pow(d, 2.0);
    __syncthreads();
    for (int s = 128; s; s /= 2) {
        if (threadIdx.x < s)
            part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (!threadIdx.x)
        atomicAdd(sum, sqrt(part[0]));
}

int main()
{
    const int nx = 512, ny = 512;
    float *u, *v;
    double *sum;
    cudaMalloc(&u, nx * ny * sizeof *u);
    cudaMalloc(&v, nx * ny * sizeof *v);
    cudaMallocManaged(&sum, sizeof *sum);
    dim3 threads(16, 16), blocks((nx + 15) / 16, (ny + 15) / 16);
    for (int t = 0; t < 100; t++) {
        step<<<blocks, threads>>>(u, v, nx, ny, 0.1f);
        std::swap(u, v);
    }
    residual<<<nx * ny / 256, 256>>>(u, v, sum, nx * ny);
    cudaDeviceSynchronize();
    printf("%g\n", std::sqrt(*sum));
}
