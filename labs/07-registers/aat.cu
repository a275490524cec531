// aat: c = a a^T, half of the tiles computed and each stored twice
//   Given:   a (m x w), row-major floats, any m and w; c is m x m.
//            x of the grid runs over the columns of c, y over its rows. A block of 64 threads has a tile of
//            64 x 64 outputs, 8 x 8 a thread.
//   Example: {1,2, 3,4} -> {5,11, 11,25}
//   Budget:  at m = 2048, w = 32 at most 71303168 multiply-adds, and 32768 stores to global memory, counted
//            once per warp
//   Read:    README.md steps 7 and 8, slides/07-registers.md
#include "lockstep.h"

#define SIDE 64
#define DEPTH 32
#define OWN 8
LAUNCH(aat, BLOCK(SIDE, 1), COVERS(SIDE, SIDE))

// TODO 1: predict, at m = 2048, w = 32: the multiply-adds of all threads, if of each pair of mirrored tiles
//     one is computed, and the tiles of the diagonal whole.
PREDICT(multiply_adds, UNKNOWN)

// Given: four neighbours of a row; outside the matrix zeros. WHOLE: all rows begin at a multiple of 16
// bytes, so the four are one access, and nothing is outside. The kernel decides that once for a block.
template <bool WHOLE>
static __device__ float4 load4(const float *p, int row, int col, int rows, int cols)
{
    float4 v = {0, 0, 0, 0};
    p += row * cols + col;
    if (WHOLE)
        return *(const float4 *)p;
    if (row < rows) {
        if (col < cols) v.x = p[0];
        if (col + 1 < cols) v.y = p[1];
        if (col + 2 < cols) v.z = p[2];
        if (col + 3 < cols) v.w = p[3];
    }
    return v;
}

template <bool WHOLE>
static __device__ void store4(float *p, int row, int col, int rows, int cols, float4 v)
{
    p += row * cols + col;
    if (WHOLE) {
        *(float4 *)p = v;
    } else if (row < rows) {
        if (col < cols) p[0] = v.x;
        if (col + 1 < cols) p[1] = v.y;
        if (col + 2 < cols) p[2] = v.z;
        if (col + 3 < cols) p[3] = v.w;
    }
}

// Tile (top, left) of c, and the one that mirrors it.
template <bool WHOLE>
static __device__ void two_tiles(const float *a, float *c, int m, int w, int top, int left)
{
    // TODO 3: compute the tile as your matmul does; both factors are rows of a. The 2 warps lie one below the
    //     other. A step along w has 32 columns: eight lanes fetch a row by load4<WHOLE>.
    // TODO 4: store the tile by store4<WHOLE>. Unless it is on the diagonal, store it again, mirrored: four
    //     sums below each other are four neighbours there.
}

__global__ void __launch_bounds__(SIDE, 8) aat(const float *a, float *c, int m, int w)
{
    // TODO 2: which blocks may end at once, since others store their tiles?
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    if (m % 4 == 0 && w % DEPTH == 0 && top + SIDE <= m && left + SIDE <= m)
        two_tiles<true>(a, c, m, w, top, left);
    else
        two_tiles<false>(a, c, m, w, top, left);
}
