// What strangers' kernels do, one habit each, for test_profile.c: 64 blocks of 128 threads, and no header.

__global__ void counted(const int *in, int *bins)
{
    __shared__ int local[128];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 64; k++)
        atomicAdd(&local[in[blockIdx.x * 128 + threadIdx.x] + k & 127], 1);
    __syncthreads();
    bins[threadIdx.x] = local[threadIdx.x];
}

__global__ void counted_global(const int *in, int *bins) { atomicAdd(&bins[in[blockIdx.x * 128 + threadIdx.x]], 1); }

struct point { float x, y, z, w; };
__global__ void structures(point *p) { p[blockIdx.x * 128 + threadIdx.x].y = p[blockIdx.x * 128 + threadIdx.x].x; }

__global__ void rows(unsigned char *image)
{
    int x = blockIdx.x % 4 * 16 + threadIdx.x % 16, y = blockIdx.x / 4 * 8 + threadIdx.x / 16;
    image[y * 64 + x] = 255 - image[y * 64 + x];
}

__global__ void uniform(const volatile float *in, float *out)
{
    float sum = 0;
    for (int k = 0; k < 100; k++)
        sum += in[0];
    if (sum < 0)
        out[0] = sum;
}

__global__ void alone(float *out)
{
    if (threadIdx.x % 32 == 0) out[blockIdx.x * 128 + threadIdx.x] = 1;
}

__global__ void bytes(unsigned char *image) { image[blockIdx.x * 128 + threadIdx.x] ^= 255; }

__global__ void shifted(float *x) { x[blockIdx.x * 128 + threadIdx.x + 1] *= 2; }

__global__ void waits(float *x)
{
    float sum = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < 524288; i += 8192)
        sum += x[i];
    x[blockIdx.x * 128 + threadIdx.x] = sum;
}

__global__ void roots(float *x)
{
    float v = threadIdx.x;
    for (int k = 0; k < 100; k++)
        v = sqrtf(v) + 1 / v;
    x[blockIdx.x * 128 + threadIdx.x] = v;
}

template <int n> __global__ void twice(float *x) { x[threadIdx.x] *= n; }
template __global__ void twice<3>(float *);
template __global__ void twice<5>(float *);

__global__ void quads(const float4 *in, float4 *out, double2 *pairs)
{
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < 64) {
        float4 v = in[i];
        v.x *= 2;
        out[i] = v;
    }
    if (i < 64) {
        double2 v = pairs[i];
        v.y = v.x;
        pairs[i] = v;
    }
}

__global__ void half(float *x)
{
    if (threadIdx.x % 32 > 15) x[blockIdx.x * 128 + threadIdx.x] += 1;
}
