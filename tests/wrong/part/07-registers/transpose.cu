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

// 16 bytes an access in global memory, but single floats in the tile: nothing is turned in registers
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int t = threadIdx.y * FOURS + threadIdx.x, lane = t % 32, warp = t / 32;
    int number = blockIdx.y * gridDim.x + blockIdx.x;
    int row = number % gridDim.y * SIDE, col = number / gridDim.y * SIDE;
    int x = (lane % 8 + warp % 2 * 8) * 4, y = warp / 2 * 4 + lane / 8;
    float4 v[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        v[i] = load4(in, row + 16 * i + y, col + x, rows, cols);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        tile[x][16 * i + y] = v[i].x;
        tile[x + 1][16 * i + y] = v[i].y;
        tile[x + 2][16 * i + y] = v[i].z;
        tile[x + 3][16 * i + y] = v[i].w;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const float *p = &tile[16 * i + y][x];
        store4(out, col + 16 * i + y, row + x, cols, rows, make_float4(p[0], p[1], p[2], p[3]));
    }
}
