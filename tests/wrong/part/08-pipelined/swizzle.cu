// Half a tile at a time: so small that it can be padded.
#include "lockstep.h"
#include "lockstep_async.h"

#define SIDE 32
#define FOURS (SIDE / 4)
LAUNCH(swizzle, BLOCK(SIDE, 8), COVERS(SIDE, SIDE))
LAUNCH(column_of_four, BLOCK(SIDE, 8), COVERS(SIDE, SIDE))
LAUNCH(swizzle_four, BLOCK(SIDE, 8), COVERS(SIDE, SIDE))

PREDICT(column_wavefronts, 32) // all lanes read the same four banks, each another row
PREDICT(four_wavefronts, 4)    // 512 bytes, and a wavefront moves 128

__global__ void swizzle(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[SIDE / 2][SIDE + 1];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * SIDE, col = blockIdx.x * SIDE;
    for (int half = 0; half < SIDE; half += SIDE / 2) {
        for (int j = y; j < SIDE / 2; j += 8)
            if (row + half + j < rows && col + x < cols)
                tile[j][x] = in[(row + half + j) * cols + col + x];
        __syncthreads();
        for (int j = y; j < SIDE / 2; j += 8) {
            int r = x % 16, q = j + x / 16 * 16;
            if (row + half + r < rows && col + q < cols)
                out[(col + q) * rows + row + half + r] = tile[r][q];
        }
        __syncthreads();
    }
}

// Four neighbours of a row go to shared memory, zeros where there are none. All rows begin at a multiple of
// 16 bytes if cols is a multiple of 4: then it is one copy.
static __device__ void copy4(float *to, const float *p, int row, int col, int rows, int cols)
{
    p += row * cols + col;
    if (cols % 4 == 0 && row < rows && col < cols) {
        __pipeline_memcpy_async(to, p, 16);
        return;
    }
    for (int e = 0; e < 4; e++)
        if (row < rows && col + e < cols)
            __pipeline_memcpy_async(to + e, p + e, 4);
        else
            to[e] = 0;
}

// Which of the 8 places of row `row` of the tile holds its float4 number i. The 8 lanes that one wavefront
// serves read 8 rows.
static __device__ int place(int row, int i) { return i ^ row % 8; }

// The tile is copied along its rows; then lane x stores the floats of a float4 of row x to four rows of out.
template <bool SWIZZLED>
static __device__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[SIDE][FOURS];
    int x = threadIdx.x, y = threadIdx.y, row = 4 * y + x / FOURS, i = x % FOURS;
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    float4 *to = &tile[row][SWIZZLED ? place(row, i) : i];
    copy4((float *)to, in, top + row, left + 4 * i, rows, cols);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    float4 v = tile[x][SWIZZLED ? place(x, y) : y];
    if (top + x >= rows) return;
    out += (left + 4 * y) * rows + top + x;
    if (left + 4 * y + 3 < cols) {
        out[0] = v.x, out[rows] = v.y, out[2 * rows] = v.z, out[3 * rows] = v.w;
    } else {
        if (left + 4 * y < cols) out[0] = v.x;
        if (left + 4 * y + 1 < cols) out[rows] = v.y;
        if (left + 4 * y + 2 < cols) out[2 * rows] = v.z;
    }
}

__global__ void column_of_four(const float *in, float *out, int rows, int cols)
{
    turn<false>(in, out, rows, cols);
}

__global__ void swizzle_four(const float *in, float *out, int rows, int cols)
{
    turn<true>(in, out, rows, cols);
}
