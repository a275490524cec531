// Kernels whose profiles are kept whole (test_shown.c). shown.ptx is what clang 14 makes of them.
__global__ void turn(const float *in, float *out, int n)
{
    __shared__ float tile[32][32];
    int x = threadIdx.x % 32, y = threadIdx.x / 32;
    in += blockIdx.x * 32, out += blockIdx.x * 32 * n;
    for (int j = 0; j < 32; j += 8)
        tile[y + j][x] = in[(y + j) * n + x];
    __syncthreads();
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * n + x] = tile[x][y + j];
}

__global__ void turn_padded(const float *in, float *out, int n)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x % 32, y = threadIdx.x / 32;
    in += blockIdx.x * 32, out += blockIdx.x * 32 * n;
    for (int j = 0; j < 32; j += 8)
        tile[y + j][x] = in[(y + j) * n + x];
    __syncthreads();
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * n + x] = tile[x][y + j];
}

__global__ void bins(const int *in, int *count, float *roots)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[3 * i + 1];
    if (v % 2)
        atomicAdd(&count[v % 8], 1);
    else
        for (int k = 0; k < v % 5; k++) roots[8 * i + k] = sqrtf(v + k);
}

__global__ void chain(double *x, const float4 *in)
{
    double v = x[threadIdx.x];
    for (int k = 0; k < 40; k++) v = v * v + in[k].y / 3;
    x[threadIdx.x] = v;
}
