// mixed: sorts, gathers, transposes, conversions, bits, doubles and divergence. `lockstep-hardware crosscheck --courses` compares
// their times with a GPU's.
#include "lockstep.h"

LAUNCH(sort_bitonic, BLOCK(512, 1), COVERS(1024, 1))
LAUNCH(sort_radix, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(gather_bits, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(transpose_swizzled, BLOCK(32, 8), COVERS(32, 32))
LAUNCH(bytes_to_floats, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(horner_double, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(mandelbrot, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(hamming, BLOCK(256, 1), COVERS(256, 1))

#define ALL 0xffffffffu

// 1024 elements in order, by a bitonic network in shared memory.
__global__ void sort_bitonic(const float *in, float *out, int rows, int cols)
{
    __shared__ float v[1024];
    int t = threadIdx.x, first = (blockIdx.y * gridDim.x + blockIdx.x) * 1024;
    v[t] = in[first + t];
    v[t + 512] = in[first + t + 512];
    for (int size = 2; size <= 1024; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            int low = 2 * t - (t & (step - 1)), high = low + step, up = (low & size) == 0;
            float a = v[low], b = v[high];
            if ((a > b) == up) {
                v[low] = b;
                v[high] = a;
            }
        }
    __syncthreads();
    out[first + t] = v[t];
    out[first + t + 512] = v[t + 512];
}

// 256 elements in the order of eight of their bits: a stable split by each bit, from ballots.
__global__ void sort_radix(const float *in, float *out, int rows, int cols)
{
    __shared__ unsigned keys[256], zeros[8];
    int t = threadIdx.x, warp = t / 32, lane = t % 32, first = (blockIdx.y * gridDim.x + blockIdx.x) * 256;
    unsigned key = __float_as_uint(in[first + t]);
    for (int bit = 8; bit < 16; bit++) {
        unsigned one = key >> bit & 1, clear = __ballot_sync(ALL, !one), before = 0, all = 0;
        if (lane == 0)
            zeros[warp] = __popc(clear);
        __syncthreads();
        for (int w = 0; w < 8; w++) {
            before += w < warp ? zeros[w] : 0;
            all += zeros[w];
        }
        before += __popc(clear & ((1u << lane) - 1));
        keys[one ? all + t - before : before] = key;
        __syncthreads();
        key = keys[t];
    }
    out[first + t] = __uint_as_float(key);
}

// A gather: each index is computed from the bits of an element.
__global__ void gather_bits(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    out[i] = in[__float_as_uint(in[i]) * 2654435761u % (unsigned)(rows * cols)];
}

// The transpose: a tile in shared memory whose columns are exchanged row by row instead of padded.
__global__ void transpose_swizzled(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 32, row = blockIdx.y * 32;
    for (int j = y; j < 32; j += 8)
        tile[j][x ^ j] = in[(row + j) * cols + col + x];
    __syncthreads();
    for (int j = y; j < 32; j += 8)
        out[(col + j) * rows + row + x] = tile[x][j ^ x];
}

// The brightness of four bytes, at eight exposures: conversions to float and back.
__global__ void bytes_to_floats(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    unsigned bits = __float_as_uint(in[i]), sum = 0;
    float r = (float)(bits & 255), g = (float)(bits >> 8 & 255), b = (float)(bits >> 16 & 255), a = (float)(bits >> 24);
    float grey = (0.3f * r + 0.6f * g + 0.1f * b) * a * (1.0f / 255);
    for (int k = 1; k <= 8; k++) {
        unsigned level = (unsigned)(grey * (0.25f * k));
        sum += (unsigned)((float)(level & 255) * 1.5f);
    }
    out[i] = (float)sum;
}

// A polynomial of degree 32 in double precision.
__global__ void horner_double(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    double x = in[i], sum = 0;
#pragma unroll
    for (int k = 32; k >= 0; k--)
        sum = sum * x + 1.0 / (k + 1);
    out[i] = (float)sum;
}

// The Mandelbrot set: how many steps a point takes to escape, 256 at most; the lanes of a warp diverge.
__global__ void mandelbrot(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y, steps = 0;
    float cx = -2.2f + 3.0f * col / cols + 1e-4f * in[row * cols + col], cy = -1.2f + 2.4f * row / rows, x = 0, y = 0;
    while (steps < 256 && x * x + y * y < 4.0f) {
        float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        steps++;
    }
    out[row * cols + col] = (float)steps;
}

// Which of the first 256 words differs least from each word, in bits.
__global__ void hamming(const float *in, float *out, int rows, int cols)
{
    __shared__ unsigned keys[256];
    int t = threadIdx.x, i = blockIdx.y * cols + blockIdx.x * 256 + t, best = 33, place = 0;
    unsigned word = __brev(__float_as_uint(in[i]));
    keys[t] = __brev(__float_as_uint(in[t]));
    __syncthreads();
    for (int k = 0; k < 256; k++) {
        int differ = __popc(word ^ keys[k]);
        if (differ < best) {
            best = differ;
            place = k;
        }
    }
    out[i] = (float)place;
}
