// detective_1: this product races. Which line writes, and which line still reads?
//
// A warp that is done with the tile goes on to the next round and stores its row of the next tile, while
// other warps still read the old row. The barrier after the store does not help: it stands between this
// store and the reads of the same round. A second one belongs at the end of the loop, after the last read.
// With k = 32 there is one round, so the fault shows only for larger k; on a GPU only now and then.
//
#include "lockstep.h"

#define TILE LOCKSTEP_TILE // 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

// The fast warp is one round ahead: past its reads, at the store of the next tile, before the barrier. The
// slow one is at a read.
PREDICT(write_line, 26) // the store to the tile, one round later
PREDICT(read_line, 30)  // the read of the tile, one round before

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
