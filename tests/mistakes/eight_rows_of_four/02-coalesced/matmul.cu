// matmul: C = A B, one thread per output, the threads of a warp side by side
//   Given:   A is m x k, B is k x n, C is m x n, all row-major, any shape
//   Launch:  x of the grid runs over the COLUMNS of C, y over its rows
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at most 2.5 sectors a load request (4 for B, 1 for A), 4 a store request
//   Read:    README.md step 1, slides/02-coalesced.md "The product again"
#include "lockstep.h"

// The threads of a block are numbered along x first, and 32 consecutive numbers are a warp. Here a warp is a
// row of the block.
LAUNCH(matmul, BLOCK(32, 8), COVERS(32, 8))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    // number the 256 threads of the block in the order of the warps
    int id = threadIdx.y * 32 + threadIdx.x;
    int col = blockIdx.x * 32 + id / 8, row = blockIdx.y * 8 + id % 8;
    float value = 0;

    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        value += a[row * k + i] * b[i * n + col];
    c[row * n + col] = value;
}
