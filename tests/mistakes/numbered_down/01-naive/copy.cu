// copy: out = in
#include "lockstep.h"

#define W 32
#define H 16
LAUNCH(copy, BLOCK(W, H), COVERS(W, H))

struct spot {
    int row, col;
};

// number the threads of the block, and lay the numbers out along the rows of the block's W x H elements
static __device__ spot my_spot()
{
    int number = threadIdx.x * H + threadIdx.y;
    spot s;
    s.row = blockIdx.y * H + number / W;
    s.col = blockIdx.x * W + number % W;
    return s;
}

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    spot s = my_spot();
    if (s.row >= rows || s.col >= cols)
        return;
    int at = s.row * cols + s.col;
    out[at] = in[at];
}
