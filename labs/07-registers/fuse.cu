// pass, fused: 16 steps on each element, with one load and one store
//   Given:   pass, complete: it copies rows x cols floats. A program of 16 kernels, one for each step,
//            would load and store each element as often as 16 of these.
//            fused: 16 steps on n floats, any n. A step is x = 0.5 x + 1 for elements of even index, and
//            x = 0.25 - 0.5 x for those of odd index. A block of 256 threads has 1024 elements.
//   Example: 16 steps from {0, 0}: {1.99997, 0.166664}
//   Budget:  fused, at n = 262144: at most 2048 loads and 2048 stores, counted once per warp, and 4194304
//            multiply-adds
//   Read:    README.md step 9, slides/07-registers.md
#include "lockstep.h"

#define THREADS 256
LAUNCH(pass, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(fused, BLOCK(THREADS, 1), COVERS(4 * THREADS, 1))

// TODO 1: predict: the loads from global memory in all warps of pass, at 512 x 512, and of fused, for as many
//     floats, at n = 262144.
PREDICT(pass_loads, UNKNOWN)
PREDICT(fused_loads, UNKNOWN)

// Given: do not change it.
__global__ void pass(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col];
}

__global__ void fused(const float *in, float *out, int n)
{
    // TODO 2: each thread loads four neighbours as a float4, makes all 16 steps in registers, and stores a
    //     float4. Which of the four are of even index? The last thread may have fewer than four.
}
