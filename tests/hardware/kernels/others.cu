// others: kernels to which no rule of the model was fitted. `lockstep-hardware crosscheck --others` compares their sectors with a GPU's.
//
// Each takes a matrix and fills as much of another; what it computes is said beside it. They read and write in ways that the labs'
// don't: multiprocessors that share what they read and never meet, and stores to one line by several instructions or warps.
// Loops of a known length have a pragma that unrolls them as far as in the code whose counters are recorded.
#include "lockstep.h"

LAUNCH(filter, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(stencil, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(all_pairs, BLOCK(128, 1), COVERS(128, 1))
LAUNCH(register_tile, BLOCK(64, 4), COVERS(64, 16))
LAUNCH(row_sums, BLOCK(32, 8), COVERS(1024, 8))
LAUNCH(gather, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(scatter, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(fields, BLOCK(128, 1), COVERS(512, 1))
LAUNCH(moments, BLOCK(64, 1), COVERS(4096, 1))
LAUNCH(distances, BLOCK(8, 16), COVERS(16, 8))
LAUNCH(zip, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(turned, BLOCK(8, 32), COVERS(8, 32))
LAUNCH(interleave, BLOCK(32, 4), COVERS(128, 1))
LAUNCH(scan, BLOCK(128, 1), COVERS(8192, 1))
LAUNCH(enlarge, BLOCK(32, 8), COVERS(64, 16))
LAUNCH(density, BLOCK(256, 1), COVERS(256, 1))

// The convolution of a row with the first row's first 64 elements; indices wrap around at the row's end.
__global__ void filter(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 256 + threadIdx.x, row = blockIdx.y;
    float sum = 0;
#pragma unroll 4
    for (int k = 0; k < 64; k++)
        sum += in[k] * in[row * cols + (col + k) % cols];
    out[row * cols + col] = sum;
}

// The mean of an element and its four neighbours; indices wrap around at the edges.
__global__ void stencil(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    int up = (row + rows - 1) % rows, down = (row + 1) % rows, left = (col + cols - 1) % cols, right = (col + 1) % cols;
    out[row * cols + col] = 0.2f * (in[row * cols + col] + in[up * cols + col] + in[down * cols + col] + in[row * cols + left] +
                                    in[row * cols + right]);
}

// How many elements are less than this one: each thread reads all of them.
__global__ void all_pairs(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 128 + threadIdx.x;
    float x = in[i], less = 0;
    for (int j = 0; j < rows * cols; j++)
        less += in[j] < x ? 1.0f : 0.0f;
    out[i] = less;
}

// The product with the first cols rows, four rows a thread, no shared memory.
__global__ void register_tile(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 64 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y * 4;
    const float *left = in + row * cols;
    float a = 0, b = 0, c = 0, d = 0;
    for (int k = 0; k < cols; k++) {
        float right = in[k * cols + col];
        a += left[k] * right;
        b += left[cols + k] * right;
        c += left[2 * cols + k] * right;
        d += left[3 * cols + k] * right;
    }
    out[row * cols + col] = a;
    out[(row + 1) * cols + col] = b;
    out[(row + 2) * cols + col] = c;
    out[(row + 3) * cols + col] = d;
}

// A matrix times its first row: a warp a row, whose first lane stores the sum.
__global__ void row_sums(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int col = threadIdx.x; col < cols; col += 32)
        sum += in[row * cols + col] * in[col];
    for (int lanes = 16; lanes; lanes /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, lanes);
    if (threadIdx.x == 0)
        out[row] = sum;
}

// A gather of elements of the first 64 Ki, in scattered order.
__global__ void gather(const float *in, float *out, int rows, int cols)
{
    unsigned i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    out[i] = in[(i * 2654435761u) >> 16];
}

// A scatter: each element goes to a place of its own, in scattered order.
__global__ void scatter(const float *in, float *out, int rows, int cols)
{
    unsigned i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    out[i * 2654435761u % (unsigned)(rows * cols)] = in[i];
}

// Four fields of a record a thread, one after the other: each is the sum of an element and eight elements of a table.
__global__ void fields(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 512 + threadIdx.x * 4;
    for (int f = 0; f < 4; f++) {
        float sum = in[i + f];
        for (int k = 0; k < 8; k++)
            sum += in[(threadIdx.x % 16) * 32 + k * 4 + f];
        out[i + f] = sum;
    }
}

// 64 elements a thread: their sum, sum of squares, least and greatest, stored as one record.
__global__ void moments(const float *in, float *out, int rows, int cols)
{
    int row = (blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.x;
    float sum = 0, squares = 0, least = in[row * 64], greatest = least;
#pragma unroll 4
    for (int k = 0; k < 64; k++) {
        float x = in[row * 64 + k];
        sum += x;
        squares += x * x;
        least = x < least ? x : least;
        greatest = x > greatest ? x : greatest;
    }
    out[row * 4] = sum;
    out[row * 4 + 1] = squares;
    out[row * 4 + 2] = least;
    out[row * 4 + 3] = greatest;
}

// Squared distances between the first 48 elements of all rows; threadIdx.x selects the row of the result.
__global__ void distances(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * 8 + threadIdx.x, col = blockIdx.x * 16 + threadIdx.y;
    float sum = 0;
#pragma unroll 6
    for (int k = 0; k < 48; k++) {
        float d = in[row * cols + k] - in[col * cols + k];
        sum += d * d;
    }
    out[row * cols + col] = sum;
}

// Even elements by one warp, odd ones by the next; 24 elements of a table are added to each.
__global__ void zip(const float *in, float *out, int rows, int cols)
{
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int i = blockIdx.y * cols + blockIdx.x * 256 + warp / 2 * 64 + lane * 2 + warp % 2;
    float sum = in[i];
    for (int k = 0; k < 24; k++)
        sum += in[lane % 16 * 32 + k + warp % 2];
    out[i] = sum;
}

// The transpose, eight columns and four rows a warp.
__global__ void turned(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    out[col * rows + row] = in[row * cols + col];
}

// Four planes interleaved element by element; each of a block's four warps reads one plane.
__global__ void interleave(const float *in, float *out, int rows, int cols)
{
    int first = blockIdx.y * cols + blockIdx.x * 128, plane = threadIdx.y, i = threadIdx.x;
    out[first + i * 4 + plane] = in[plane * (rows * cols / 4) + first / 4 + i];
}

// Running sums of 64 elements a thread.
__global__ void scan(const float *in, float *out, int rows, int cols)
{
    int first = blockIdx.y * cols + (blockIdx.x * 128 + threadIdx.x) * 64;
    float sum = 0;
#pragma unroll 8
    for (int k = 0; k < 64; k++)
        out[first + k] = sum += in[first + k];
}

// The first quarter of the matrix, enlarged to twice its width and height.
__global__ void enlarge(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    float x = in[row * (cols / 2) + col];
    out[2 * row * cols + 2 * col] = x;
    out[2 * row * cols + 2 * col + 1] = x;
    out[(2 * row + 1) * cols + 2 * col] = x;
    out[(2 * row + 1) * cols + 2 * col + 1] = x;
}

// How near the first 4096 elements are to this one: the sum of 1 - d * d over their distances d.
__global__ void density(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    float x = in[i], sum = 0;
    for (int j = 0; j < 4096; j++) {
        float d = x - in[j];
        sum += 1.0f - d * d;
    }
    out[i] = sum;
}
