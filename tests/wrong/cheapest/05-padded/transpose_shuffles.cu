// Both kernels turn 32 x 32 values between the threads of a warp by shuffles, and load from a tile for nothing.
#include "lockstep.h"

#define TILE 32
LAUNCH(transpose_pad_1, BLOCK(TILE, 1), COVERS(TILE, TILE))
LAUNCH(transpose_pad_2, BLOCK(TILE, 1), COVERS(TILE, TILE))

PREDICT(pad_1_passes, UNKNOWN)
PREDICT(pad_2_passes, UNKNOWN)

static __device__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float nothing[TILE];
    int x = threadIdx.x, row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    float mine[TILE];
    nothing[x] = 0;
#pragma unroll
    for (int j = 0; j < TILE; j++) {
        mine[j] = row + j < rows && col + x < cols ? in[(row + j) * cols + col + x] : 0;
        mine[j] += ((volatile float *)nothing)[x];
    }
#pragma unroll
    for (int step = TILE / 2; step; step /= 2)
#pragma unroll
        for (int j = 0; j < TILE; j++)
            if (!(j & step)) {
                float got = __shfl_xor_sync(0xffffffff, x & step ? mine[j] : mine[j + step], step);
                (x & step ? mine[j] : mine[j + step]) = got;
            }
#pragma unroll
    for (int j = 0; j < TILE; j++)
        if (col + j < cols && row + x < rows)
            out[(col + j) * rows + row + x] = mine[j];
}

__global__ void transpose_pad_1(const float *in, float *out, int rows, int cols)
{
    turn(in, out, rows, cols);
}

__global__ void transpose_pad_2(const float *in, float *out, int rows, int cols)
{
    turn(in, out, rows, cols);
}
