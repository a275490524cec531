// transpose: out = in^T, 16 bytes an access on both sides, 4 x 4 floats turned in registers
#include "lockstep.h"

#define SIDE 64       // rows and columns of a tile
#define FOURS (SIDE / 4)
LAUNCH(transpose, BLOCK(FOURS, FOURS), COVERS(SIDE, SIDE))

PREDICT(loads, 2048 * 2048 / 128)    // a warp's load brings 128 floats
PREDICT(sectors, 16)                 // 512 bytes
PREDICT(tile_wavefronts, 4)          // 512 bytes, and a wavefront moves 128

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

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    // Row 4 x + e of the turned tile is tile[x][e * FOURS ...]: 16 bytes of padding after every four rows.
    // The 8 lanes that a wavefront serves have 8 neighbouring x, four rows apart: without padding, one bank.
    __shared__ float4 tile[FOURS][4 * FOURS + 1];
    int x = threadIdx.x, y = threadIdx.y;
    // Blocks start along x of the grid. Number them down the columns of in instead: those that run together
    // then write neighbouring pieces of the same rows of out.
    int number = blockIdx.y * gridDim.x + blockIdx.x;
    int row = number % gridDim.y * SIDE, col = number / gridDim.y * SIDE;

    float4 v[4]; // four loads in flight
#pragma unroll
    for (int i = 0; i < 4; i++)
        v[i] = load4(in, row + 4 * y + i, col + 4 * x, rows, cols);
    tile[x][y] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
    tile[x][FOURS + y] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
    tile[x][2 * FOURS + y] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
    tile[x][3 * FOURS + y] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
    __syncthreads();
#pragma unroll
    for (int j = 0; j < SIDE; j += FOURS) // row y + j of the turned tile
        store4(out, col + y + j, row + 4 * x, cols, rows, tile[(y + j) / 4][(y + j) % 4 * FOURS + x]);
}
