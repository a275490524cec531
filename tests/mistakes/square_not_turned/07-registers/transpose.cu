// transpose: out = in^T, 16 bytes an access on both sides
//   Given:   in (rows x cols), row-major floats, any shape; out is cols x rows. x of the grid runs over the
//            columns of in, y over its rows. A block of 16 x 16 threads moves a tile of 64 x 64 floats: 4 x
//            4 a thread.
//   Example: {1,2,3, 4,5,6} (2 x 3) -> {1,4, 2,5, 3,6} (3 x 2)
//   Budget:  at 2048 x 2048 at most 32768 loads from global memory and 32768 stores to it, counted once per
//            warp; no bank conflicts, neither of loads nor of stores
//   Read:    README.md steps 5 and 6, slides/07-registers.md
#include "lockstep.h"

#define SIDE 64
#define FOURS (SIDE / 4)
LAUNCH(transpose, BLOCK(FOURS, FOURS), COVERS(SIDE, SIDE))

// TODO 1: predict, at 2048 x 2048: loads from global memory in all warps; sectors that one of them touches;
//     wavefronts that a 16-byte store to the tile takes if it has no conflict.
PREDICT(loads, 2048 * 2048 / (4 * 32))
PREDICT(sectors, 16)
PREDICT(tile_wavefronts, 4)

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

// Row 4 r + e of the turned tile: place r, part e. 65 float4 a place: an odd number.
#define AT(r, e, f) buf[r][(e) * FOURS + (f)]
// column `e` of my 4 x 4 square, called `part`, becomes four neighbours
#define TURN(e, part) AT(ty, e, tx) = make_float4(v[0].part, v[1].part, v[2].part, v[3].part)

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 buf[FOURS][4 * FOURS + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;

    float4 v[4];
#pragma unroll
    for (int e = 0; e < 4; e++)
        v[e] = load4(in, top + 4 * ty + e, left + 4 * tx, rows, cols);
    TURN(0, x);
    TURN(1, y);
    TURN(2, z);
    TURN(3, w);
    __syncthreads();

#pragma unroll
    for (int j = 0; j < 4; j++) {
        const int row = ty + j * FOURS; // of the turned tile
        store4(out, left + row, top + 4 * tx, cols, rows, AT(row / 4, row % 4, tx));
    }
}
