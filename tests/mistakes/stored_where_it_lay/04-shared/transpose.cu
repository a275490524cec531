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
    __shared__ float tile[TILE][TILE];

    int x = blockIdx.x * TILE + threadIdx.x; // column of in
    int y = blockIdx.y * TILE + threadIdx.y; // row of in
    for (int j = 0; j < TILE; j += ROWS)
        if (x < cols && y + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];

    __syncthreads();

    x = blockIdx.x * TILE + threadIdx.x; // column of out
    y = blockIdx.y * TILE + threadIdx.y; // row of out
    for (int j = 0; j < TILE; j += ROWS)
        if (x < rows && y + j < cols)
            out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
