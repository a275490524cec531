// banks: how many passes a warp's load from shared memory takes
//   Given:   kernels that put elements into shared memory and take them back; all of them are complete and correct.
//            x of the grid runs over n elements; n may be anything.
//   Example: 32 threads that read 32 words in 32 different banks take 1 pass
//   Budget:  padded: no bank conflicts, loads and stores
//   Read:    README.md steps 1 and 2, slides/05-padded.md
#include "lockstep.h"

#define THREADS 256
#define RECORD 12 // words
#define PAD 0     // TODO 2: words that `padded` leaves free after each record, so that no conflict remains

// TODO 1: how many passes does one load from shared memory take, on a machine with 32 banks of 4 bytes? Write your
//         numbers down before you run anything; make lab LAB=05 EX=banks then shows the counted ones.
PREDICT(stride_1_passes, UNKNOWN)   // thread x reads word x
PREDICT(stride_2_passes, UNKNOWN)   // thread x reads word 2 x
PREDICT(stride_3_passes, UNKNOWN)   // thread x reads word 3 x
PREDICT(stride_4_passes, UNKNOWN)   // thread x reads word 4 x
PREDICT(stride_12_passes, UNKNOWN)  // thread x reads word 12 x
PREDICT(broadcast_passes, UNKNOWN)  // all read one word
PREDICT(multicast_passes, UNKNOWN)  // each four threads read a word of their own
PREDICT(doubles_passes, UNKNOWN)    // thread x reads the 8-byte element x
PREDICT(doubles_conflicts, UNKNOWN) // how many of all those passes are conflicts
PREDICT(points_passes, UNKNOWN)     // thread x reads a float of the 12-byte element x

LAUNCH(stride_1, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(stride_2, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(stride_3, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(stride_4, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(stride_12, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(broadcast, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(multicast, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(doubles, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(points, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(padded, BLOCK(THREADS, 1), COVERS(THREADS, 1))

// Thread x puts its float at word STRIDE * x of shared memory and takes it from there.
template <int STRIDE>
static __device__ void through_shared(const float *in, float *out, int n)
{
    __shared__ float words[STRIDE * THREADS];
    int x = threadIdx.x, i = blockIdx.x * THREADS + x;
    if (i < n)
        words[STRIDE * x] = in[i];
    __syncthreads();
    if (i < n)
        out[i] = words[STRIDE * x];
}

__global__ void stride_1(const float *in, float *out, int n, int group) { through_shared<1>(in, out, n); }
__global__ void stride_2(const float *in, float *out, int n, int group) { through_shared<2>(in, out, n); }
__global__ void stride_3(const float *in, float *out, int n, int group) { through_shared<3>(in, out, n); }
__global__ void stride_4(const float *in, float *out, int n, int group) { through_shared<4>(in, out, n); }
__global__ void stride_12(const float *in, float *out, int n, int group) { through_shared<RECORD>(in, out, n); }
__global__ void padded(const float *in, float *out, int n, int group) { through_shared<RECORD + PAD>(in, out, n); }

// Thread x takes the first word of its group: out[i] = in[i / GROUP * GROUP].
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
