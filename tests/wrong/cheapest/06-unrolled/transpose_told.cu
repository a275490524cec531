// The tile is turned in registers. Shared memory only tells each thread the number of its column.
#include "lockstep.h"

#define TILE 32
LAUNCH(transpose, BLOCK(TILE, 8), COVERS(2 * TILE, TILE))

// A thread has 4 rows of one column. A warp reads whole sectors of 8 columns, and writes whole sectors.
static __device__ void turn(const float *in, float *out, int rows, int cols, int row, int col)
{
    if (col >= cols)
        return;
    float v[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        v[i] = row + i < rows ? in[(row + i) * cols + col] : 0;
    if (rows % 4 == 0 && row + 3 < rows) {
        *(float4 *)&out[col * rows + row] = make_float4(v[0], v[1], v[2], v[3]);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (row + i < rows)
            out[col * rows + row + i] = v[i];
}

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ volatile int left[8 * TILE];
    int lane = threadIdx.x, w = threadIdx.y, t = w * TILE + lane;
    int row = blockIdx.y * TILE + w / 4 * 16 + lane / 8 * 4;
    left[t ^ 1] = blockIdx.x * 2 * TILE + w % 4 * 8;
    __syncthreads();
    turn(in, out, rows, cols, row, left[t] + lane % 8);
    turn(in, out, rows, cols, row, left[t] + TILE + lane % 8);
}
