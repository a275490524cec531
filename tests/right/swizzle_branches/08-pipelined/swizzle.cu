// Another way: each part of the float4 is stored behind a branch of its own, and is still loaded with the others.
#include "lockstep.h"
#include "lockstep_async.h"

#define SIDE 32
#define FOURS (SIDE / 4)
LAUNCH(swizzle, BLOCK(SIDE, 8), COVERS(SIDE, SIDE))
LAUNCH(column_of_four, BLOCK(SIDE, 8), COVERS(SIDE, SIDE))
LAUNCH(swizzle_four, BLOCK(SIDE, 8), COVERS(SIDE, SIDE))

// Row r is turned round by r places: column x is at (x + r) % 32.
static __device__ int turned(int row, int x) { return row * SIDE + ((x + row) & SIDE - 1); }

__global__ void swizzle(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[SIDE * SIDE];
    int x = threadIdx.x, top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
#pragma unroll
    for (int r = threadIdx.y; r < SIDE; r += 8)
        if (top + r < rows && left + x < cols)
            tile[turned(r, x)] = in[(top + r) * cols + left + x];
    __syncthreads();
#pragma unroll
    for (int r = threadIdx.y; r < SIDE; r += 8)
        if (left + r < cols && top + x < rows)
            out[(left + r) * rows + top + x] = tile[turned(x, r)];
}

static __device__ void copy4(float *to, const float *p, int row, int col, int rows, int cols)
{
    p += row * cols + col;
    if (cols % 4 == 0 && row < rows && col < cols) {
        __pipeline_memcpy_async(to, p, 16);
        return;
    }
    for (int e = 0; e < 4; e++)
        if (row < rows && col + e < cols) __pipeline_memcpy_async(to + e, p + e, 4);
        else to[e] = 0;
}

__global__ void column_of_four(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[SIDE][FOURS];
    int x = threadIdx.x, y = threadIdx.y, row = 4 * y + x / FOURS, i = x % FOURS;
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    float4 *to = &tile[row][i];
    copy4((float *)to, in, top + row, left + 4 * i, rows, cols);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    float4 v = tile[x][y];
    if (top + x >= rows)
        return;
    out += (left + 4 * y) * rows + top + x;
    if (left + 4 * y + 3 < cols) {
        out[0] = v.x, out[rows] = v.y, out[2 * rows] = v.z, out[3 * rows] = v.w;
    } else {
        if (left + 4 * y < cols) out[0] = v.x;
        if (left + 4 * y + 1 < cols) out[rows] = v.y;
        if (left + 4 * y + 2 < cols) out[2 * rows] = v.z;
    }
}

static __device__ int place(int row, int i) { return (FOURS - 1 - i) ^ row % FOURS; }

__global__ void swizzle_four(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[SIDE][FOURS];
    int x = threadIdx.x, y = threadIdx.y, t = SIDE * y + x, row = t / FOURS, i = t % FOURS;
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    copy4(&tile[row][place(row, i)].x, in, top + row, left + 4 * i, rows, cols);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    float4 v = tile[x][place(x, y)];
    const float e[4] = {v.x, v.y, v.z, v.w};
    int line = left + 4 * y;
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (top + x < rows && line + j < cols)
            out[(line + j) * rows + top + x] = e[j];
}
