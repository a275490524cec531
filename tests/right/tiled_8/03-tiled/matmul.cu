// Another way: tiles of 8.
#include "lockstep.h"
#define TILE 8
LAUNCH(matmul, BLOCK(16, 16), COVERS(16 * TILE, 16 * TILE))
// a row of 16 sums in registers while a tile of k is added, then back to c
__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int left = (blockIdx.x * blockDim.x + threadIdx.x) * TILE, top = (blockIdx.y * blockDim.y + threadIdx.y) * TILE;
    int right = min(left + TILE, n), bottom = min(top + TILE, m);
    if (left >= n || top >= m) return;
    for (int r = top; r < bottom; r++)
        for (int q = left; q < right; q++) c[r * n + q] = 0;
    for (int t = 0; t < k; t += TILE) {
        int end = min(t + TILE, k);
        for (int r = top; r < bottom; r++) {
            for (int q = left; q < right; q++) {
                float s = c[r * n + q];
                const float *pa = a + r * k, *pb = b + q;
                for (int i = t; i < end; i++) s += pa[i] * pb[i * n];
                c[r * n + q] = s;
            }
        }
    }
}
