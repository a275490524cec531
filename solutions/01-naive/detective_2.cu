// detective_2: this C = A A^T is wrong, and nothing faults. How much of it, and from where on?
//
// The kernel is right; its launch is not. COVERS(32, 32) says that a block computes 32 x 32 outputs, so 4 x
// 4 blocks are launched. But a thread computes one output, and a block has 32 x 16 threads: 4 blocks along
// y reach row 4 * 16 - 1 = 63, and no thread writes the other rows. COVERS(32, 16) corrects it. No check of
// an access can find this, since every access is right: only the result tells.
//
#include "lockstep.h"

LAUNCH(aat, BLOCK(32, 16), COVERS(32, 32))

// ceil(100 / 32) = 4 blocks along either axis
PREDICT(first_wrong_row, 64)  // 4 blocks of 16 rows
PREDICT(wrong_elements, 3600) // rows 64 to 99, of 100 columns
PREDICT(store_requests, 256)  // 64 rows of 4 warps: a warp is 32 columns of a row

__global__ void aat(const float *a, float *c, int m, int w)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= m)
        return;
    float sum = 0;
    for (int i = 0; i < w; i++)
        sum += a[row * w + i] * a[col * w + i];
    c[row * m + col] = sum;
}
