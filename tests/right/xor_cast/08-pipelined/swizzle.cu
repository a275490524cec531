// Another way: float4 through a cast.
// swizzle, column_of_four, swizzle_four: out = in^T, exclusive or in place of padding
//   Given:   in (rows x cols), row-major floats, any shape; out is cols x rows. x of the grid runs over the
//            columns of in, y over its rows. A block of 32 x 8 threads moves a tile of 32 x 32 floats.
//            column_of_four is complete: it copies float4 along the rows, and loads them down the columns.
//   Example: {1,2,3, 4,5,6} (2 x 3) -> {1,4, 2,5, 3,6} (3 x 2)
//   Budget:  swizzle: no bank conflicts, and 4096 bytes of shared memory a block. swizzle_four: the same, and
//            at 1024 x 1024 at least 8192 asynchronous copies, counted once per warp
//   Read:    README.md steps 1 and 2, slides/08-pipelined.md
#include "lockstep.h"
#include "lockstep_async.h"

#define SIDE 32
#define FOURS (SIDE / 4)
LAUNCH(swizzle, BLOCK(SIDE, 8), COVERS(SIDE, SIDE))
LAUNCH(column_of_four, BLOCK(SIDE, 8), COVERS(SIDE, SIDE))
LAUNCH(swizzle_four, BLOCK(SIDE, 8), COVERS(SIDE, SIDE))

// TODO 1: predict, at 1024 x 1024: how many wavefronts does a 16-byte load take if the 32 lanes go down a
//     column of the tile, of 8 float4 a row, without and with swizzle?
PREDICT(column_wavefronts, UNKNOWN)
PREDICT(four_wavefronts, UNKNOWN)

// rotation in place of exclusive or: column x of row r is at (x + r) % 32
static __device__ int place(int r, int x) { return r * SIDE + (x + r & SIDE - 1); }
__global__ void swizzle(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[SIDE * SIDE];
    int x = threadIdx.x, y = threadIdx.y, top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    for (int r = y; r < SIDE; r += 8)
        if (top + r < rows && left + x < cols) s[place(r, x)] = in[(top + r) * cols + left + x];
    __syncthreads();
    for (int r = y; r < SIDE; r += 8)
        if (left + r < cols && top + x < rows) out[(left + r) * rows + top + x] = s[place(x, r)];
}
// Given: four neighbours of a row go to shared memory, zeros where there are none. All rows begin at a
// multiple of 16 bytes if cols is a multiple of 4: then it is one copy.
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

// Given: copied along the rows; then lane x takes one float4 of row x, and its floats go to four rows of out.
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

__global__ void swizzle_four(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 s[SIDE * FOURS];
    int x = threadIdx.x, y = threadIdx.y, t = y * SIDE + x, r = t / FOURS, i = t % FOURS;
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    copy4((float *)(s + r * FOURS + (i ^ r % FOURS)), in, top + r, left + 4 * i, rows, cols);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    float4 v = s[x * FOURS + (y ^ x % FOURS)];
    if (top + x >= rows) return;
    float f[4];
    *(float4 *)f = v;
#pragma unroll
    for (int e = 0; e < 4; e++)
        if (left + 4 * y + e < cols) out[(left + 4 * y + e) * rows + top + x] = f[e];
}
