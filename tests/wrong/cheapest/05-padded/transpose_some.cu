// The padded tile in the blocks of the first multiprocessor alone; in the others the columns of a warp are turned in
// registers, beside a word of shared memory that nobody needs.
#include "lockstep.h"

#define TILE 32
#define ROWS 8
LAUNCH(transpose_pad_1, BLOCK(TILE, ROWS), COVERS(TILE, TILE))
LAUNCH(transpose_pad_2, BLOCK(TILE, ROWS), COVERS(TILE, TILE))
PREDICT(pad_1_passes, UNKNOWN)
PREDICT(pad_2_passes, UNKNOWN)

static __device__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    if ((blockIdx.y * gridDim.x + blockIdx.x) % 132 == 0) {
        for (int j = 0; j < TILE; j += ROWS)
            if (row + y + j < rows && col + x < cols)
                tile[y + j][x] = in[(row + y + j) * cols + col + x];
        __syncthreads();
        for (int j = 0; j < TILE; j += ROWS)
            if (col + y + j < cols && row + x < rows)
                out[(col + y + j) * rows + row + x] = tile[x][y + j];
        return;
    }
    int own_row = row + y / 4 * 16 + x / 2, own_col = col + y % 4 * 8 + x % 2 * 4;
    float v[4] = {0, 0, 0, 0};
    if (own_row < rows && own_col < cols && cols % 4 == 0) {
        asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
                     : "l"(&in[own_row * cols + own_col]));
    } else
        for (int j = 0; j < 4; j++)
            if (own_row < rows && own_col + j < cols)
                v[j] = in[own_row * cols + own_col + j];
    volatile float *word = &tile[y][x];
    *word = v[0];
    if (*word == 12345)
        v[1] += 0;
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (own_row < rows && own_col + j < cols)
            out[(own_col + j) * rows + own_row] = v[j];
}

__global__ void transpose_pad_1(const float *in, float *out, int rows, int cols)
{
    turn(in, out, rows, cols);
}

__global__ void transpose_pad_2(const float *in, float *out, int rows, int cols)
{
    turn(in, out, rows, cols);
}
