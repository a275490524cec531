// Another way: a thread takes 8 rows.
#include "lockstep.h"
// 64 threads along a row, each does 8 rows, 4 apart
LAUNCH(transpose, BLOCK(64, 4), COVERS(64, 32))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 64 + threadIdx.x;
    if (col >= cols) return;
    int first = blockIdx.y * 32 + threadIdx.y, last = min(first + 32 - (int)threadIdx.y, rows);
    for (int row = first; row < last; row += 4)
        out[col * rows + row] = in[row * cols + col];
}
