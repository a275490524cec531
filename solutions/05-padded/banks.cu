// banks: how many wavefronts a warp's load from shared memory takes (the PREDICT names say passes)
#include "lockstep.h"

#define THREADS 256
#define ROUNDS 16 // how often a float goes through shared memory
#define RECORD 12
#define PAD 1 // 13 is odd, so 13 x visits all 32 banks

// With an odd stride, 32 threads use 32 banks. With an even stride they use 32 / gcd(stride, 32) banks, so
// each of these holds gcd(stride, 32) words.
PREDICT(stride_1_passes, 1)
PREDICT(stride_2_passes, 2)
PREDICT(stride_3_passes, 1)
PREDICT(stride_4_passes, 4)
PREDICT(stride_12_passes, 4)
PREDICT(broadcast_passes, 1)  // one word, broadcast to all threads
PREDICT(multicast_passes, 1)  // eight words in eight banks, each sent to four threads
PREDICT(doubles_passes, 2)    // 256 bytes, and a wavefront delivers 128
PREDICT(doubles_conflicts, 0) // so none of the wavefronts is a conflict
PREDICT(points_passes, 1)     // x, y and z are separate loads, each of stride 3

LAUNCH(stride_1, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(stride_2, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(stride_3, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(stride_4, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(stride_12, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(broadcast, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(multicast, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(doubles, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(doubles_2, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(doubles_2_padded, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(points, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(padded, BLOCK(THREADS, 1), COVERS(THREADS, 1))

// [STRIDE]
// Thread x stores its float to word STRIDE * x of shared memory and loads it from there, ROUNDS times,
// since the time of one round would be hidden by the copy. volatile: the compiler keeps every access.
template <int STRIDE>
static __device__ void through_shared(const float *in, float *out, int n)
{
    __shared__ volatile float words[STRIDE * THREADS];
    int x = threadIdx.x, i = blockIdx.x * THREADS + x;
    float value = i < n ? in[i] : 0;
    for (int round = 0; round < ROUNDS; round++) {
        words[STRIDE * x] = value;
        value = words[STRIDE * x];
    }
    if (i < n)
        out[i] = value;
}
// [/STRIDE]

__global__ void stride_1(const float *in, float *out, int n, int group) { through_shared<1>(in, out, n); }
__global__ void stride_2(const float *in, float *out, int n, int group) { through_shared<2>(in, out, n); }
__global__ void stride_3(const float *in, float *out, int n, int group) { through_shared<3>(in, out, n); }
__global__ void stride_4(const float *in, float *out, int n, int group) { through_shared<4>(in, out, n); }
__global__ void stride_12(const float *in, float *out, int n, int group)
{
    through_shared<RECORD>(in, out, n);
}
__global__ void padded(const float *in, float *out, int n, int group)
{
    through_shared<RECORD + PAD>(in, out, n);
}

// [GROUP]
// Thread x reads the first word of its group: out[i] = in[i / GROUP * GROUP].
template <int GROUP>
static __device__ void first_of_group(const float *in, float *out, int n)
{
    __shared__ float words[THREADS];
    int x = threadIdx.x, i = blockIdx.x * THREADS + x;
    if (i < n)
        words[x] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = words[x / GROUP * GROUP];
}
// [/GROUP]

__global__ void broadcast(const float *in, float *out, int n, int group) { first_of_group<32>(in, out, n); }
__global__ void multicast(const float *in, float *out, int n, int group) { first_of_group<4>(in, out, n); }

__global__ void doubles(const double *in, double *out, int n)
{
    __shared__ double words[THREADS];
    int x = threadIdx.x, i = blockIdx.x * THREADS + x;
    if (i < n)
        words[x] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = words[x];
}

// Thread x reads double 2 x: arr[2 * x]. PADDING doubles follow every 16 doubles.
template <int PADDING>
static __device__ void every_second(const double *in, double *out, int n)
{
    __shared__ double arr[2 * THREADS + THREADS / 8 * PADDING];
    int x = threadIdx.x, i = blockIdx.x * THREADS + x, place = 2 * x + x / 8 * PADDING;
    if (i < n)
        arr[place] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = arr[place];
}

__global__ void doubles_2(const double *in, double *out, int n) { every_second<0>(in, out, n); }
__global__ void doubles_2_padded(const double *in, double *out, int n) { every_second<1>(in, out, n); }

__global__ void points(const float *in, float *out, int n)
{
    struct point {
        float x, y, z;
    };
    __shared__ struct point shared[THREADS];
    int x = threadIdx.x, i = blockIdx.x * THREADS + x;
    if (i < n)
        shared[x] = ((const struct point *)in)[i];
    __syncthreads();
    if (i < n)
        ((struct point *)out)[i] = shared[x];
}
