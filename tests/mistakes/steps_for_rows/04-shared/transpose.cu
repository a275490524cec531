// transpose: out = in^T, with coalesced loads and coalesced stores
//   Given:   in (rows x cols), row-major floats, any shape; out is cols x rows.
//            x of the grid runs over the columns of in, y over its rows. A block of 32 x 8 threads moves a
//            tile of 32 x 32 floats: four a thread.
//   Example: {1,2,3, 4,5,6} (2 x 3) -> {1,4, 2,5, 3,6} (3 x 2)
//   Budget:  at most 4 sectors a global request, loads and stores
//   Read:    README.md step 5, slides/04-shared.md
#include "lockstep.h"

#define TILE 32
#define ROWS 8 // threads in y
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[TILE * TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;

    for (int r = y; r < TILE; r += ROWS) {
        if (top + r >= rows || left + x >= cols)
            continue;
        s[r * TILE + x] = in[(top + r) * cols + left + x];
    }
    __syncthreads();
    for (int r = y; r < TILE / ROWS; r += ROWS) {
        if (left + r >= cols || top + x >= rows)
            continue;
        out[(left + r) * rows + top + x] = s[x * TILE + r];
    }
}
