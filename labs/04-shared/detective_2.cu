// detective_2: this product is right and slow. Which line, and what does it cost?
//   Given:   the kernel, complete and at fault. Leave it as it is: the kit runs its own copy, at m = n = k =
//            64, and says what it found once all three numbers are right.
//   Launch:  x of the grid runs over the columns of c, y over its rows; a block computes TILE x TILE outputs
//   Example: 32 lanes that read 32 floats in a row touch 4 sectors of 32 bytes
//   Budget:  none; each number is a point
//   Read:    README.md step 7, slides/04-shared.md "Tiles of a product"
#include "lockstep.h"

#define TILE LOCKSTEP_TILE // 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

// TODO: at m = n = k = 64: which addresses do the 32 lanes of a warp read in each line? (On a GPU of compute
//     capability 5.0 or later.)
PREDICT(slow_line, UNKNOWN)           // the line whose loads touch most sectors of global memory
PREDICT(load_sectors, UNKNOWN)        // sectors that all loads of the launch touch
PREDICT(sectors_per_request, UNKNOWN) // sectors that a load touches, in the mean

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
