// transpose: out = in^T, one thread per element
//   Given:   in is rows x cols floats, out is cols x rows, both row-major, any shape
//   Launch:  x of the grid runs over the columns of in, y over its rows
//   Example: rows = 2, cols = 3: {1,2,3, 4,5,6} -> {1,4, 2,5, 3,6}
//   Budget:  at most 4 sectors a load request. Look at the stores too, they have no budget yet
//   Read:    README.md step 4, slides/01-naive.md "A copy that turns round"
#include "lockstep.h"

LAUNCH(transpose, BLOCK(32, 16), COVERS(32, 16))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x; // of in
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols)
        return;
    // TODO: out[?] = in[?]. How long is a row of in? How long is a row of out?
}
