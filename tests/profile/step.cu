// Kernels that are stepped: what each line does to each lane is known.
__global__ void turned(const float *in, float *out)
{
    __shared__ float tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    float other = tile[63 - threadIdx.x];
    out[i] = 2 * other;
}

__global__ void odd(int *out)
{
    int i = threadIdx.x, n = 0;
    if (i % 2)
        n = i;
    else
        n = 100;
    for (int k = 0; k < i / 16; k++) n += k;
    out[i] = n;
}

__global__ void column(float *out)
{
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    tile[x][y] = 32 * y + x;
    __syncthreads();
    out[32 * x + y] = tile[y][x];
}

struct point {
    float x, y;
    int tag[2];
};
__device__ int twice(int value)
{
    int doubled = 2 * value;
    return doubled;
}
__global__ void parts(point p, int *out)
{
    point mine = p;
    mine.tag[1] = twice(threadIdx.x + 1);
    out[threadIdx.x] = mine.tag[1];
}

__global__ void raced(const float *in, float *out)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void outside(const float *in, float *out)
{
    int i = threadIdx.x;
    out[i] = in[i + 1];
}

__global__ void longer(int *out, int n)
{
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += k;
    out[threadIdx.x] = sum;
}
