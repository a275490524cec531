// Each product is computed twice: lanes l and l + 16 both compute two outputs, and each stores one of them.
#include "lockstep.h"

LAUNCH(aat, BLOCK(32, 32), COVERS(32, 32))

__global__ void aat(const float *a, float *c, int m, int w)
{
    int lane = threadIdx.x, first = blockIdx.x * 32 + lane % 16, second = first + 16;
    int row = blockIdx.y * 32 + threadIdx.y, col = lane < 16 ? first : second;
    if (row >= m)
        return;
    float x = 0, y = 0;
    for (int i = 0; i < w; i++) {
        x += a[row * w + i] * a[min(first, m - 1) * w + i];
        y += a[row * w + i] * a[min(second, m - 1) * w + i];
    }
    if (col < m)
        c[row * m + col] = lane < 16 ? x : y;
}
