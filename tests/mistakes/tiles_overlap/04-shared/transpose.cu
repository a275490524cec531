#include "lockstep.h"
enum { DIM = 32, STEP = 8 };
LAUNCH(transpose, BLOCK(DIM, STEP), COVERS(DIM, DIM))
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float buf[DIM * DIM];
    unsigned tx = threadIdx.x, ty = threadIdx.y;
    unsigned x0 = blockIdx.x * DIM, y0 = blockIdx.y * STEP;
    for (unsigned k = ty; k < DIM; k += STEP) {
        if (x0 + tx < cols && y0 + k < rows)
            buf[k * DIM + tx] = in[(y0 + k) * cols + (x0 + tx)];
    }
    __syncthreads();
    for (unsigned k = ty; k < DIM; k += STEP) {
        if (y0 + tx < rows && x0 + k < cols)
            out[(x0 + k) * rows + (y0 + tx)] = buf[tx * DIM + k];
    }
}
