// The lecture's slides on memory: which accesses coalesce, and what helps those that don't.

// A thread an element: three doubles each, or 3 N threads on the same doubles.
__global__ void scale_points(double3 *array1, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    double3 p = array1[i];
    p.x *= 2, p.y *= 2, p.z *= 2;
    array1[i] = p;
}
__global__ void scale_flat(double *array2, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3 * N)
        array2[i] *= 2;
}

// Three floats in a structure of 12 bytes, and in one that is aligned to 16.
struct loose { float x, y, z; };
struct __align__(16) tight { float x, y, z; };
__global__ void length_loose(const struct loose *p, float *out, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        out[i] = p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z;
}
__global__ void length_tight(const struct tight *p, float *out, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    struct tight q = p[i];
    out[i] = q.x * q.x + q.y * q.y + q.z * q.z;
}
// The structure of 12 bytes as words, through shared memory.
__global__ void length_shared(const struct loose *p, float *out, int N)
{
    __shared__ struct loose mine[128];
    const float *words = (const float *)(p + blockIdx.x * 128);
    for (int w = threadIdx.x; w < 3 * 128 && blockIdx.x * 384 + w < 3 * N; w += 128)
        ((float *)mine)[w] = words[w];
    __syncthreads();
    int i = blockIdx.x * 128 + threadIdx.x;
    struct loose q = mine[threadIdx.x];
    if (i < N)
        out[i] = q.x * q.x + q.y * q.y + q.z * q.z;
}

// Reads of one place by all: constant memory. Irregular reads: a texture.
__constant__ float weight[4];
__global__ void weighted(const float *in, float *out, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        out[i] = weight[0] + in[i] * (weight[1] + in[i] * (weight[2] + in[i] * weight[3]));
}
__global__ void look_up(cudaTextureObject_t table, const int *index, float *out, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        out[i] = tex1Dfetch<float>(table, index[i]);
}

// The four conditions of coalescing on compute capability 1.x: one access that keeps all, and each broken once.
// IN is read as elements of 4 bytes but in size_12.
__global__ void keeps_all(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void size_12(const struct loose *in, float *out) { out[threadIdx.x] = in[threadIdx.x].y; }
__global__ void with_gaps(const float *in, float *out) { out[threadIdx.x] = in[2 * threadIdx.x]; }
__global__ void out_of_order(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x ^ 1]; }
__global__ void misaligned(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x + 1]; }
