// transpose: squares of 4 x 4 are turned in registers
#include "lockstep.h"

#define SIDE 64
#define FOURS (SIDE / 4)
LAUNCH(transpose, BLOCK(FOURS, FOURS), COVERS(SIDE, SIDE))

PREDICT(loads, 32768)
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

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[FOURS][4 * FOURS + 1]; // four rows of the turned tile, then a gap
    const int x = threadIdx.x, y = threadIdx.y;
    const int number = blockIdx.y * gridDim.x + blockIdx.x;
    const int top = number % gridDim.y * SIDE, left = number / gridDim.y * SIDE;

    float4 v[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        v[i] = load4(in, top + y + FOURS * i, left + 4 * x, rows, cols);

    float4 *column = &tile[x][y];
    column[0 * FOURS] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
    column[1 * FOURS] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
    column[2 * FOURS] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
    column[3 * FOURS] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
    __syncthreads();

#pragma unroll
    for (int i = 0; i < 4; i++) {
        int r = y + FOURS * i; // row of the turned tile
        float4 w = tile[r / 4][r % 4 * FOURS + x];
        store4(out, left + r, top + 4 * x, cols, rows, w);
    }
}
