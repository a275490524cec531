// Another way: turned on the way out.
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
LAUNCH(transpose, BLOCK(32, 8), COVERS(SIDE, SIDE))

// TODO 1: predict, at 2048 x 2048: loads from global memory in all warps; sectors that one of them touches;
//     wavefronts that a 16-byte store to the tile takes if it has no conflict.
PREDICT(loads, UNKNOWN)
PREDICT(sectors, UNKNOWN)
PREDICT(tile_wavefronts, UNKNOWN)

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

// the tile lies as in, padded by a float4 after every four rows; a thread turns 4 x 4 on the way out
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 s[SIDE * FOURS + SIDE / 4];
    const int t = threadIdx.y * 32 + threadIdx.x, x = t % FOURS, y = t / FOURS;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int r = y + 16 * j;
        s[r * FOURS + r / 4 + x] = load4(in, top + r, left + 4 * x, rows, cols);
    }
    __syncthreads();
    float4 v[4]; // four rows 4 x .., column y of the float4
#pragma unroll
    for (int j = 0; j < 4; j++) v[j] = s[(4 * x + j) * FOURS + x + y];
    store4(out, left + 4 * y + 0, top + 4 * x, cols, rows, make_float4(v[0].x, v[1].x, v[2].x, v[3].x));
    store4(out, left + 4 * y + 1, top + 4 * x, cols, rows, make_float4(v[0].y, v[1].y, v[2].y, v[3].y));
    store4(out, left + 4 * y + 2, top + 4 * x, cols, rows, make_float4(v[0].z, v[1].z, v[2].z, v[3].z));
    store4(out, left + 4 * y + 3, top + 4 * x, cols, rows, make_float4(v[0].w, v[1].w, v[2].w, v[3].w));
}
