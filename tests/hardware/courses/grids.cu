// grids: stencils and convolutions in one to three dimensions. `lockstep-hardware crosscheck --courses` compares their times with a GPU's.
#include "lockstep.h"

LAUNCH(stencil_tile, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(heat_3d, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(heat_march, BLOCK(32, 8), COVERS(32, 128))
LAUNCH(conv_row, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(conv_5x5, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(conv_7x7, BLOCK(32, 16), COVERS(32, 16))
LAUNCH(median, BLOCK(32, 8), COVERS(32, 8))

// Volumes are planes of PLANE rows, one below the other.
enum { PLANE = 128 };

__constant__ float row_weights[31] = {
    0.01f, 0.01f, 0.01f, 0.02f, 0.02f, 0.02f, 0.03f, 0.03f, 0.03f, 0.04f, 0.04f, 0.04f, 0.05f, 0.05f, 0.05f, 0.1f,
    0.05f, 0.05f, 0.05f, 0.04f, 0.04f, 0.04f, 0.03f, 0.03f, 0.03f, 0.02f, 0.02f, 0.02f, 0.01f, 0.01f, 0.01f};
__constant__ float small_weights[25] = {
    0.00f, 0.01f, 0.02f, 0.01f, 0.00f, 0.01f, 0.06f, 0.09f, 0.06f, 0.01f, 0.02f, 0.09f, 0.24f, 0.09f, 0.02f,
    0.01f, 0.06f, 0.09f, 0.06f, 0.01f, 0.00f, 0.01f, 0.02f, 0.01f, 0.00f};
__constant__ float large_weights[49] = {0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f,
                                        0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f,
                                        0.04f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f,
                                        0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f, 0.02f};

__device__ __forceinline__ int clamped(int i, int n)
{
    return min(max(i, 0), n - 1);
}

// The mean of an element and its four neighbours, from a tile with a border in shared memory.
__global__ void stencil_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[10][34];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 32 + x, row = blockIdx.y * 8 + y;
    tile[y + 1][x + 1] = in[row * cols + col];
    if (y == 0)
        tile[0][x + 1] = in[clamped(row - 1, rows) * cols + col];
    if (y == 7)
        tile[9][x + 1] = in[clamped(row + 1, rows) * cols + col];
    if (x == 0)
        tile[y + 1][0] = in[row * cols + clamped(col - 1, cols)];
    if (x == 31)
        tile[y + 1][33] = in[row * cols + clamped(col + 1, cols)];
    __syncthreads();
    out[row * cols + col] =
        0.2f * (tile[y + 1][x + 1] + tile[y][x + 1] + tile[y + 2][x + 1] + tile[y + 1][x] + tile[y + 1][x + 2]);
}

// A step of heat in a volume: a thread a cell, whose six neighbours come from global memory. The surface stays.
__global__ void heat_3d(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y, y = row % PLANE, z = row / PLANE;
    int i = row * cols + x;
    float v = in[i];
    if (x > 0 && x < cols - 1 && y > 0 && y < PLANE - 1 && z > 0 && z < rows / PLANE - 1)
        v += 0.1f * (in[i - 1] + in[i + 1] + in[i - cols] + in[i + cols] + in[i - PLANE * cols] + in[i + PLANE * cols] -
                     6.0f * v);
    out[i] = v;
}

// A step of heat in a volume: a block goes through 16 planes with the cells above and below in registers, and a plane's tile in shared memory.
__global__ void heat_march(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[10][34];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y % (PLANE / 8) * 8 + ty;
    int planes = rows / PLANE, size = PLANE * cols, z = blockIdx.y / (PLANE / 8) * 16, i = z * size + y * cols + x;
    float below = in[z ? i - size : i], here = in[i];
    for (int end = z + 16; z < end; z++, i += size) {
        float above = in[z < planes - 1 ? i + size : i];
        __syncthreads();
        tile[ty + 1][tx + 1] = here;
        if (ty == 0)
            tile[0][tx + 1] = in[y ? i - cols : i];
        if (ty == 7)
            tile[9][tx + 1] = in[y < PLANE - 1 ? i + cols : i];
        if (tx == 0)
            tile[ty + 1][0] = in[x ? i - 1 : i];
        if (tx == 31)
            tile[ty + 1][33] = in[x < cols - 1 ? i + 1 : i];
        __syncthreads();
        float sides = tile[ty][tx + 1] + tile[ty + 2][tx + 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 2];
        out[i] = here + 0.1f * (sides + below + above - 6.0f * here);
        below = here;
        here = above;
    }
}

// A convolution along rows with 31 weights in constant memory.
__global__ void conv_row(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < 31; k++)
        sum += row_weights[k] * in[row * cols + clamped(col + k - 15, cols)];
    out[row * cols + col] = sum;
}

// A convolution with 5 x 5 weights in constant memory, all from global memory.
__global__ void conv_5x5(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++) {
            int r = row + dy - 2, c = col + dx - 2;
            if (r >= 0 && r < rows && c >= 0 && c < cols)
                sum += small_weights[dy * 5 + dx] * in[r * cols + c];
        }
    out[row * cols + col] = sum;
}

// A convolution with 7 x 7 weights, from a tile with a border of three in shared memory.
__global__ void conv_7x7(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[22][38];
    int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32 - 3, top = blockIdx.y * 16 - 3;
    for (int i = y * 32 + x; i < 22 * 38; i += 512)
        tile[i / 38][i % 38] = in[clamped(top + i / 38, rows) * cols + clamped(left + i % 38, cols)];
    __syncthreads();
    float sum = 0;
    for (int dy = 0; dy < 7; dy++)
        for (int dx = 0; dx < 7; dx++)
            sum += large_weights[dy * 7 + dx] * tile[y + dy][x + dx];
    out[(top + 3 + y) * cols + left + 3 + x] = sum;
}

__device__ __forceinline__ void order(float &a, float &b)
{
    float least = fminf(a, b);
    b = fmaxf(a, b);
    a = least;
}

// The median of 3 x 3 elements: of the sorted rows the greatest minimum, the median of medians, the least maximum; of these the median.
__global__ void median(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    float v[3][3];
#pragma unroll
    for (int dy = 0; dy < 3; dy++) {
#pragma unroll
        for (int dx = 0; dx < 3; dx++)
            v[dy][dx] = in[clamped(row + dy - 1, rows) * cols + clamped(col + dx - 1, cols)];
        order(v[dy][0], v[dy][1]);
        order(v[dy][1], v[dy][2]);
        order(v[dy][0], v[dy][1]);
    }
    float a = fmaxf(fmaxf(v[0][0], v[1][0]), v[2][0]), c = fminf(fminf(v[0][2], v[1][2]), v[2][2]);
    order(v[0][1], v[1][1]);
    float b = fmaxf(v[0][1], fminf(v[1][1], v[2][1]));
    order(a, b);
    out[row * cols + col] = fmaxf(a, fminf(b, c));
}
