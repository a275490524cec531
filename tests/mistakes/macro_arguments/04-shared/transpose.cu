#include "lockstep.h"
#define SIZE 32
#define HEIGHT 8
#define INSIDE(r, c, h, w) ((r) < (h) && (c) < (w))
LAUNCH(transpose, BLOCK(SIZE, HEIGHT), COVERS(SIZE, SIZE))
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[SIZE][SIZE];
    int c = blockIdx.x * SIZE + threadIdx.x;
    int r = blockIdx.y * SIZE + threadIdx.y;
    for (int i = 0; i < SIZE; i += HEIGHT)
        if (INSIDE(r + i, c, rows, cols))
            s[threadIdx.y + i][threadIdx.x] = in[(r + i) * cols + c];
    __syncthreads();
    c = blockIdx.y * SIZE + threadIdx.x;
    r = blockIdx.x * SIZE + threadIdx.y;
    for (int i = 0; i < SIZE; i += HEIGHT)
        if (INSIDE(r + i, c, rows, cols))
            out[(r + i) * rows + c] = s[threadIdx.x][threadIdx.y + i];
}
