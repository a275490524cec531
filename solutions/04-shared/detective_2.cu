// detective_2: this product is right and slow. Which line, and what does it cost?
//
// The tile of b is loaded with x down a column: neighbouring lanes read n floats apart, each from a sector
// of its own, 32 of them a request. The tile of a is loaded along a row, 4 sectors. The store turns the
// tile of b back, which makes the result right and the load no better. Load b along its rows, as a:
// b_tile[y][x] = b[(t + y) * n + col].
//
#include "lockstep.h"

#define TILE LOCKSTEP_TILE // 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

// A warp is a row of the block: x is the lane, and y is the same for all. What x is multiplied by is how
// far apart lanes read: 1 in a, n in b.
PREDICT(slow_line, 27)           // the tile of b, down a column
PREDICT(load_sectors, 9216)      // 4 blocks, 2 rounds, 32 warps: 4 and 32
PREDICT(sectors_per_request, 18) // (4 + 32) / 2

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x, other = blockIdx.x * TILE + y;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        a_tile[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[x][y] = other < n && t + x < k ? b[(t + x) * n + other] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
