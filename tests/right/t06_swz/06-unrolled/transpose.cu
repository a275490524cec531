// Another way: two tiles, swizzled.
#include "lockstep.h"
#define TILE 32
#define ROWS 8
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(2 * TILE, TILE))
// two square tiles, swizzled; the floats pass through registers
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[2][TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, top = blockIdx.y * TILE, left = blockIdx.x * 2 * TILE;
    float v[2][4];
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int r = top + y + ROWS * j, q = left + TILE * h + x;
            v[h][j] = r < rows && q < cols ? in[r * cols + q] : 0;
        }
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
        for (int j = 0; j < 4; j++) s[h][y + ROWS * j][x ^ (y + ROWS * j)] = v[h][j];
    __syncthreads();
    if (top + x >= rows) return;
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int q = y + ROWS * j;
            if (left + TILE * h + q < cols) out[(left + TILE * h + q) * rows + top + x] = s[h][x][q ^ x];
        }
}
