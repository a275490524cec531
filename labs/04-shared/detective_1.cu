// detective_1: this product races. Which line writes, and which line still reads?
//   Given:   the kernel, complete and at fault. Leave it as it is: the kit runs its own copy, at m = n = 64,
//            k = 96, and says what it found once both numbers are right.
//   Launch:  x of the grid runs over the columns of c, y over its rows; a block computes TILE x TILE outputs
//   Example: with k = 32 the result is right, and nothing is found
//   Budget:  none; each number is a point
//   Read:    README.md step 7, slides/04-shared.md "Two barriers"
#include "lockstep.h"

#define TILE LOCKSTEP_TILE // 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

// TODO: at m = n = 64, k = 96: let one warp run on as far as the barriers allow, while another one is slow.
//     Where do the two meet at one word of shared memory?
PREDICT(write_line, UNKNOWN) // the line that writes what another thread still reads
PREDICT(read_line, UNKNOWN)  // the line that reads it

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        float mine = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        b_tile[y][x] = mine;
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            float factor = row < m && t + i < k ? a[row * k + t + i] : 0;
            sum += factor * b_tile[i][x];
        }
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
