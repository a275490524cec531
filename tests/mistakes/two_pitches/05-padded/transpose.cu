#include "lockstep.h"

#define TILE 32
#define ROWS 8 // threads in y
LAUNCH(transpose_pad_1, BLOCK(TILE, ROWS), COVERS(TILE, TILE))
LAUNCH(transpose_pad_2, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

PREDICT(pad_1_passes, 1)
PREDICT(pad_2_passes, 2)

// one body for both; buf has TILE rows of pitch floats
static __device__ void body(float *buf, int pitch, const float *in, float *out, int rows, int cols)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int bx = blockIdx.x * TILE, by = blockIdx.y * TILE;

    for (int r = ty; r < TILE; r += ROWS) {
        int gy = by + r, gx = bx + tx;
        if (gy < rows && gx < cols)
            buf[r * TILE + tx] = in[gy * cols + gx];
    }
    __syncthreads();
    for (int r = ty; r < TILE; r += ROWS) {
        int gy = bx + r, gx = by + tx;
        if (gy < cols && gx < rows)
            out[gy * rows + gx] = buf[tx * pitch + r];
    }
}

__global__ void transpose_pad_1(const float *in, float *out, int rows, int cols)
{
    __shared__ float buf[TILE * (TILE + 1)];
    body(buf, TILE + 1, in, out, rows, cols);
}

__global__ void transpose_pad_2(const float *in, float *out, int rows, int cols)
{
    __shared__ float buf[TILE * (TILE + 2)];
    body(buf, TILE + 2, in, out, rows, cols);
}
