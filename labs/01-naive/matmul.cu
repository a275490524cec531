// matmul: C = A B, one thread per output
//   Given:   A is m x k, B is k x n, C is m x n, all row-major, any shape
//   Launch:  x of the grid runs over the ROWS of C, y over its columns (lab 02 examines this choice)
//   Example: {1,2,3, 4,5,6} {1,2, 3,4, 5,6} -> {22,28, 49,64}: 2 x 3 times 3 x 2
//   Budget:  each output stored once: at most 16384 store requests for 1024 x 512 outputs;
//            at least 16 active threads an instruction; each product computed once
//   Read:    README.md step 3, slides/01-naive.md "From loops to a grid"
//
// The same product on a CPU:
//     for (int row = 0; row < m; row++)
//         for (int col = 0; col < n; col++) {
//             float sum = 0;
//             for (int i = 0; i < k; i++)
//                 sum += a[row * k + i] * b[i * n + col];
//             c[row * n + col] = sum;
//         }
#include "lockstep.h"

LAUNCH(matmul, BLOCK(16, 16), COVERS(16, 16))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    // TODO 1: two of the three loops become the grid. Compute this thread's row from x and its column from y.
    // TODO 2: threads outside C have nothing to do.
    // TODO 3: keep the third loop: add up in a register, and store once.
}
