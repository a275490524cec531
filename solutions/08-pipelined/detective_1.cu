// detective_1: this product reads a tile before its copy is there. Which line, and which copy?
//
// In every round but the last, the newest group is the copy of the next tile, and wait_prior(1) waits for
// all others. In the last round nothing is copied and nothing is committed: the newest group is the tile
// that is needed now, which round 2 asked for, and the wait leaves out just that. Commit in every round,
// outside of the if: an empty group counts, too.
//
#include "lockstep.h"
#include "lockstep_async.h"

#define SIDE 32
LAUNCH(matmul, BLOCK(SIDE, SIDE), COVERS(SIDE, SIDE))

// Round 0 leaves out tile 1, round 1 tile 2, round 2 tile 3. Round 3 leaves out tile 3, which it reads.
//
PREDICT(read_line, 37) // the product
PREDICT(copy_line, 30) // round 2 asks for the tile of round 3

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
