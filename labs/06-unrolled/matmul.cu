// matmul: c = a b through shared tiles, the inner product unrolled
//   Given:   matmul_rolled, complete. a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is
//            m x n. x of the grid runs over the columns of c, y over its rows; a block computes 32 x 32
//            outputs.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 1024, k = 128 multiply-adds are at least 23% of instructions; at most 262144 loads
//   Read:    README.md steps 1 to 3, slides/06-unrolled.md
#include "lockstep.h"

#define TILE LOCKSTEP_TILE // 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(matmul_rolled, BLOCK(TILE, TILE), COVERS(TILE, TILE))
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

// TODO 1: predict, at m = n = 1024, k = 128: how many loads from shared memory do all 32768 warps make, each
//     counted once per warp? In the unrolled product, one 16-byte load fetches four neighbours of a row of
//     a_tile.
PREDICT(rolled_loads, UNKNOWN)
PREDICT(unrolled_loads, UNKNOWN)

__global__ void matmul_rolled(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        a_tile[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
        ROLLED for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    // TODO 2: write the same with the loop over the tile unrolled: by #pragma unroll instead of ROLLED, or by
    //     hand, as 16 products one after another. Which instructions disappear?
}
