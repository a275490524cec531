// layout: a load is 4, 8 or 16 bytes. A structure of another size, or one that is not aligned to its size,
// takes several, and each of them touches all sectors of the warp's structures.
#include "lockstep.h"

PREDICT(points_sectors, 24) // 24 bytes a thread: all of the 768 bytes of a warp, by each of three loads
PREDICT(flat_sectors, 8)
PREDICT(quads_efficiency, 25) // a member is 4 of 16 bytes, and four loads fetch the same sectors
PREDICT(quads_aligned_efficiency, 100) // one load of 16 bytes
PREDICT(triples_sectors, 12)
PREDICT(triples_shared_sectors, 4)

LAUNCH(points, BLOCK(256, 1), COVERS(768, 1))
LAUNCH(flat, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(pairs, BLOCK(256, 1), COVERS(512, 1))
LAUNCH(pairs_aligned, BLOCK(256, 1), COVERS(512, 1))
LAUNCH(quads, BLOCK(256, 1), COVERS(1024, 1))
LAUNCH(quads_aligned, BLOCK(256, 1), COVERS(1024, 1))
LAUNCH(triples, BLOCK(256, 1), COVERS(768, 1))
LAUNCH(triples_shared, BLOCK(256, 1), COVERS(768, 1))

// double3 array1[N]: a thread handles one point.
__global__ void points(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (3 * i < n)
        ((double3 *)out)[i] = ((const double3 *)in)[i];
}

// double array2[3 * N]: a thread handles one double, so three times as many threads.
__global__ void flat(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

// A structure of floats may start at any multiple of 4 bytes, so a thread has to load its members one by one.
struct pair { float x, y; };
struct quad { float x, y, z, w; };
struct triple { float x, y, z; };
// These start at multiples of 8 and 16 bytes: one load fetches the whole structure.
struct __align__(8) pair_8 { float x, y; };
struct __align__(16) quad_16 { float x, y, z, w; };

// A thread copies one structure of n floats, member by member: the compiler may merge aligned accesses.
template <class T> static __device__ void copy_pair(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i >= n)
        return;
    const T *from = (const T *)in + i;
    float x = from->x, y = from->y;
    T *to = (T *)out + i;
    to->x = x, to->y = y;
}
template <class T> static __device__ void copy_quad(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i >= n)
        return;
    const T *from = (const T *)in + i;
    float x = from->x, y = from->y, z = from->z, w = from->w;
    T *to = (T *)out + i;
    to->x = x, to->y = y, to->z = z, to->w = w;
}
__global__ void pairs(const float *in, float *out, int n) { copy_pair<pair>(in, out, n); }
__global__ void pairs_aligned(const float *in, float *out, int n) { copy_pair<pair_8>(in, out, n); }
__global__ void quads(const float *in, float *out, int n) { copy_quad<quad>(in, out, n); }
__global__ void quads_aligned(const float *in, float *out, int n) { copy_quad<quad_16>(in, out, n); }
__global__ void triples(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (3 * i < n)
        ((triple *)out)[i] = ((const triple *)in)[i];
}

// No load has 12 bytes. The block copies its structures to shared memory as words, side by side, and each
// thread finds its own structure there.
__global__ void triples_shared(const float *in, float *out, int n)
{
    __shared__ struct triple block[256];
    float *words = (float *)block;
    int first = blockIdx.x * 768, x = threadIdx.x;
    for (int w = x; w < 768 && first + w < n; w += 256)
        words[w] = in[first + w];
    __syncthreads();
    float px = block[x].x, py = block[x].y, pz = block[x].z; // a kernel with more to do works on them here
    __syncthreads();
    block[x].x = px, block[x].y = py, block[x].z = pz;
    __syncthreads();
    for (int w = x; w < 768 && first + w < n; w += 256)
        out[first + w] = words[w];
}
