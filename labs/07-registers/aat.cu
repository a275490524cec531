// aat: c = a a^T, half of the tiles computed and each stored twice
//   Given:   a (m x w), row-major floats, any m and w; c is m x m.
//            x of the grid runs over the columns of c, y over its rows. Blocks of 64 threads, 8 x 8 outputs
//            a thread; the grid has a block for two tiles of 64 x 64.
//   Example: {1,2, 3,4} -> {5,11, 11,25}
//   Budget:  at m = 1024, w = 32 at most 17825792 multiply-adds, and 8192 stores to global memory, counted
//            once per warp
//   Read:    README.md steps 7 and 8, slides/07-registers.md
#include "lockstep.h"

#define SIDE 64
#define DEPTH 8
#define OWN 8
LAUNCH(aat, BLOCK(SIDE, 1), COVERS(SIDE, 2 * SIDE))

// TODO 1: predict, at m = 1024, w = 32: the multiply-adds of all threads, if of each pair of mirrored tiles
//     one is computed, and the tiles of the diagonal whole.
PREDICT(multiply_adds, UNKNOWN)

// Given: four neighbours of a row, outside the matrix zeros. All rows begin at a multiple of 16 bytes if
// cols is a multiple of 4: then it is one access.
static __device__ float4 load4(const float *p, int row, int col, int rows, int cols)
{
    float4 v = {0, 0, 0, 0};
    if (row >= rows || col >= cols)
        return v;
    p += row * cols + col;
    if (cols % 4 == 0)
        return __ldg((const float4 *)p);
    v.x = p[0];
    if (col + 1 < cols) v.y = p[1];
    if (col + 2 < cols) v.z = p[2];
    if (col + 3 < cols) v.w = p[3];
    return v;
}

static __device__ void store4(float *p, int row, int col, int rows, int cols, float4 v)
{
    if (row >= rows || col >= cols)
        return;
    p += row * cols + col;
    if (cols % 4 == 0) {
        *(float4 *)p = v;
        return;
    }
    p[0] = v.x;
    if (col + 1 < cols) p[1] = v.y;
    if (col + 2 < cols) p[2] = v.z;
    if (col + 3 < cols) p[3] = v.w;
}

// Tile (top, left) of c, and the one that mirrors it.
static __device__ void two_tiles(const float *a, float *c, int m, int w, int top, int left)
{
    // TODO 2: compute the tile as your matmul does; both factors are rows of a. The 2 warps lie below each
    //     other.
    // TODO 3: store it. Unless it is on the diagonal, store it again, mirrored: four sums below each other
    //     are four neighbours there.
}

__global__ void __launch_bounds__(SIDE, 8) aat(const float *a, float *c, int m, int w)
{
    // Given: tiles i and i + far, counted in a circle, give each pair once: far is 0 .. tiles / 2. If the
    // number of tiles is even, the pairs that are half a circle apart would come twice: half of the blocks
    // leave them.
    int tiles = gridDim.x, number = blockIdx.y * gridDim.x + blockIdx.x;
    int i = number / gridDim.y;
    for (int far = number % gridDim.y; far <= tiles / 2; far += gridDim.y)
        if (2 * far < tiles || i < far)
            two_tiles(a, c, m, w, i * SIDE, (i + far) % tiles * SIDE);
}
