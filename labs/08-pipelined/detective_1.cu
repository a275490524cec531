// detective_1: this product reads a tile before its copy is there. Which line, and which copy?
//   Given:   the kernel, complete and at fault. Leave it as it is: the kit runs its own copy, at m = n = 64,
//            k = 128, and says what it found once both numbers are right.
//   Launch:  x of the grid runs over the columns of c, y over its rows; m, k and n are multiples of 32
//   Example: with groups 1, 2, 3 committed, __pipeline_wait_prior(1) waits for 1 and 2
//   Budget:  none; each number is a point
//   Read:    README.md step 11, slides/08-pipelined.md "Two stages"
#include "lockstep.h"
#include "lockstep_async.h"

#define SIDE 32
LAUNCH(matmul, BLOCK(SIDE, SIDE), COVERS(SIDE, SIDE))

// TODO: at m = n = 64, k = 128: write down, for each of the four rounds, which groups are committed and
//     which of them the wait leaves out.
PREDICT(read_line, UNKNOWN) // the line that reads what is not there
PREDICT(copy_line, UNKNOWN) // the line that copies it

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float stage[2][SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x, rounds = k / SIDE;
    float sum = 0;
    __pipeline_memcpy_async(&stage[0][y][x], &b[y * n + col], 4);
    __pipeline_commit();
    for (int s = 0; s < rounds; s++) {
        if (s + 1 < rounds) {
            int next = (s + 1) * SIDE + y;
            __pipeline_memcpy_async(&stage[(s + 1) % 2][y][x], &b[next * n + col], 4);
            __pipeline_commit();
        }
        __pipeline_wait_prior(1); // not for the next tile
        __syncthreads();
        for (int i = 0; i < SIDE; i++) {
            float factor = a[row * k + s * SIDE + i];
            sum += factor * stage[s % 2][i][x];
        }
        __syncthreads();
    }
    c[row * n + col] = sum;
}
