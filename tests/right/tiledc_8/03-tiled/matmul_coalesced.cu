// Another way: tiles of 8 along k.
#include "lockstep.h"
// tiles of 8 of k and 8 rows, 16 columns
#define TILE 16
#define KT 8
LAUNCH(matmul, BLOCK(16, 16), COVERS(16 * TILE, 16 * TILE))
__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int left = blockIdx.x * 16 * TILE + threadIdx.x, right = min((int)(blockIdx.x + 1) * 16 * TILE, n);
    int top = (blockIdx.y * 16 + threadIdx.y) * TILE, bottom = min(top + TILE, m);
    for (int t = 0; t < k; t += KT) {
        int end = min(t + KT, k);
        for (int r = top; r < bottom; r++)
            for (int q = left; q < right; q += 16) {
                float s = t ? c[r * n + q] : 0.0f; // the first tile of k clears
                for (int i = t; i < end; i++) s = fmaf(a[r * k + i], b[i * n + q], s);
                c[r * n + q] = s;
            }
    }
}
