// detective_2: this C = A A^T is wrong, and nothing faults. How much of it, and from where on?
//   Given:   the kernel and its launch, complete and at fault. Leave them as they are: the kit runs its own
//            copy, at m = 100 and w = 20, and says what it found once all three numbers are right.
//   Launch:  x of the grid runs over the columns of C, y over its rows
//   Example: 70 columns and COVERS(32, ...) are 3 blocks along x
//   Budget:  none; each number is a point
//   Read:    README.md step 7, slides/01-naive.md "From loops to a grid"
#include "lockstep.h"

LAUNCH(aat, BLOCK(32, 16), COVERS(32, 32))

// TODO: at m = 100, w = 20: how many blocks are launched, and which outputs does each of them compute?
PREDICT(first_wrong_row, UNKNOWN) // the first row of C that has a wrong element
PREDICT(wrong_elements, UNKNOWN)  // how many elements of C are wrong
PREDICT(store_requests, UNKNOWN)  // how often a warp executes the store

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
