// Another way: turned when the tile is filled.
#include "lockstep.h"
#define TILE 32
#define ROWS 16
LAUNCH(transpose_pad_1, BLOCK(TILE, ROWS), COVERS(TILE, TILE))
LAUNCH(transpose_pad_2, BLOCK(TILE, ROWS), COVERS(TILE, TILE))
PREDICT(pad_1_passes, UNKNOWN)
PREDICT(pad_2_passes, UNKNOWN)
// turned on the way in
template <int W> static __device__ void go(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[TILE][W];
    int x = threadIdx.x, top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    for (int j = threadIdx.y; j < TILE; j += ROWS)
        if (top + j < rows && left + x < cols) s[x][j] = in[(top + j) * cols + left + x];
    __syncthreads();
    for (int j = threadIdx.y; j < TILE; j += ROWS)
        if (left + j < cols && top + x < rows) out[(left + j) * rows + top + x] = s[j][x];
}
__global__ void transpose_pad_1(const float *in, float *out, int rows, int cols) { go<33>(in, out, rows, cols); }
__global__ void transpose_pad_2(const float *in, float *out, int rows, int cols) { go<34>(in, out, rows, cols); }
