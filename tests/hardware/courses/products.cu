// products: matrix and vector, tiles in registers, sparse rows, bodies. `lockstep-hardware crosscheck --courses` compares their
// times with a GPU's.
#include "lockstep.h"

LAUNCH(matvec_thread, BLOCK(128, 1), COVERS(1024, 128))
LAUNCH(matvec_warp, BLOCK(32, 8), COVERS(1024, 8))
LAUNCH(tile_2x2, BLOCK(16, 16), COVERS(32, 32))
LAUNCH(tile_8x8, BLOCK(8, 8), COVERS(64, 64))
LAUNCH(tile_double, BLOCK(16, 16), COVERS(16, 16))
LAUNCH(csr_thread, BLOCK(256, 1), COVERS(4096, 4))
LAUNCH(csr_warp, BLOCK(256, 1), COVERS(2048, 1))
LAUNCH(bodies, BLOCK(64, 1), COVERS(256, 1))

// A matrix times its first row, a thread a row.
__global__ void matvec_thread(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * 128 + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < cols; k++)
        sum += in[row * cols + k] * in[k];
    out[row] = sum;
}

// A matrix times its first row, a warp a row, four floats at a time.
__global__ void matvec_warp(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * 8 + threadIdx.y, lane = threadIdx.x;
    const float4 *left = (const float4 *)(in + row * cols), *right = (const float4 *)in;
    float sum = 0;
    for (int k = lane; k < cols / 4; k += 32) {
        float4 a = left[k], b = right[k];
        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    for (int lanes = 16; lanes; lanes /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, lanes);
    if (lane == 0)
        out[row] = sum;
}

// The square of a square matrix: tiles of 32 x 32, four elements a thread.
__global__ void tile_2x2(const float *in, float *out, int rows, int cols)
{
    __shared__ float a[32][16], b[16][32];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x, row = blockIdx.y * 32, col = blockIdx.x * 32;
    float sum[2][2] = {};
    for (int k = 0; k < cols; k += 16) {
        for (int i = t; i < 512; i += 256) {
            a[i / 16][i % 16] = in[(row + i / 16) * cols + k + i % 16];
            b[i / 32][i % 32] = in[(k + i / 32) * cols + col + i % 32];
        }
        __syncthreads();
        for (int j = 0; j < 16; j++) {
            float a0 = a[y][j], a1 = a[y + 16][j], b0 = b[j][x], b1 = b[j][x + 16];
            sum[0][0] += a0 * b0;
            sum[0][1] += a0 * b1;
            sum[1][0] += a1 * b0;
            sum[1][1] += a1 * b1;
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            out[(row + y + 16 * i) * cols + col + x + 16 * j] = sum[i][j];
}

// The square of a square matrix: tiles of 64 x 64, 64 elements a thread, 16-byte reads of shared memory.
__global__ void tile_8x8(const float *in, float *out, int rows, int cols)
{
    __shared__ __align__(16) float a[8][64], b[8][64];
    int x = threadIdx.x, y = threadIdx.y, t = y * 8 + x, row = blockIdx.y * 64, col = blockIdx.x * 64;
    float sum[8][8] = {};
    for (int k = 0; k < cols; k += 8) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            a[j][t] = in[(row + t) * cols + k + j];
            b[j][t] = in[(k + j) * cols + col + t];
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 8; j++) {
            float4 a0 = *(float4 *)&a[j][y * 8], a1 = *(float4 *)&a[j][y * 8 + 4];
            float4 b0 = *(float4 *)&b[j][x * 8], b1 = *(float4 *)&b[j][x * 8 + 4];
            float left[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            float right[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
            for (int i = 0; i < 64; i++)
                sum[i / 8][i % 8] += left[i / 8] * right[i % 8];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float4 *to = (float4 *)&out[(row + y * 8 + i) * cols + col + x * 8];
        to[0] = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
        to[1] = make_float4(sum[i][4], sum[i][5], sum[i][6], sum[i][7]);
    }
}

// The square of a square matrix in double precision: tiles of 16 x 16, an element a thread.
__global__ void tile_double(const float *in, float *out, int rows, int cols)
{
    __shared__ double a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    double sum = 0;
    for (int k = 0; k < cols; k += 16) {
        a[y][x] = in[row * cols + k + x];
        b[y][x] = in[(k + y) * cols + col];
        __syncthreads();
        for (int j = 0; j < 16; j++)
            sum += a[y][j] * b[j][x];
        __syncthreads();
    }
    out[row * cols + col] = (float)sum;
}

// Where a sparse row of about `mean` elements (a power of two) begins. Offsets and columns are the bits of floats.
__device__ __forceinline__ int first_of(const float *offsets, int row, int mean)
{
    return row * mean + (int)(__float_as_uint(offsets[row]) & (mean - 1));
}

// A sparse matrix of rows of 1 to 31 elements times a vector, a thread a row. Elements are the first quarter of in, columns the
// second, offsets the third, the vector the fourth.
__global__ void csr_thread(const float *in, float *out, int rows, int cols)
{
    int row = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.x, n = rows * cols / 64, quarter = rows * cols / 4;
    const float *columns = in + quarter, *offsets = columns + quarter, *vector = offsets + quarter;
    if (row >= n - 1)
        return;
    float sum = 0;
    for (int k = first_of(offsets, row, 16), end = first_of(offsets, row + 1, 16); k < end; k++)
        sum += in[k] * vector[__float_as_uint(columns[k]) % (unsigned)n];
    out[row] = sum;
}

// A sparse matrix of rows of 1 to 127 elements times a vector, a warp a row.
__global__ void csr_warp(const float *in, float *out, int rows, int cols)
{
    int row = (blockIdx.y * gridDim.x + blockIdx.x) * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
    int n = rows * cols / 256, quarter = rows * cols / 4;
    const float *columns = in + quarter, *offsets = columns + quarter, *vector = offsets + quarter;
    if (row >= n - 1)
        return;
    float sum = 0;
    for (int k = first_of(offsets, row, 64) + lane, end = first_of(offsets, row + 1, 64); k < end; k += 32)
        sum += in[k] * vector[__float_as_uint(columns[k]) % (unsigned)n];
    for (int lanes = 16; lanes; lanes /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, lanes);
    if (lane == 0)
        out[row] = sum;
}

// The accelerations of bodies (x, y, z, mass) by gravity, with a tile of 64 bodies in shared memory.
__global__ void bodies(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[64];
    const float4 *all = (const float4 *)in;
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.x, n = rows * cols / 4;
    float4 me = all[i];
    float ax = 0, ay = 0, az = 0;
    for (int first = 0; first < n; first += 64) {
        tile[threadIdx.x] = all[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; j++) {
            float4 other = tile[j];
            float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            float near = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), pull = other.w * near * near * near;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    ((float4 *)out)[i] = make_float4(ax, ay, az, 0);
}
