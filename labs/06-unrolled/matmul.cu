// matmul: c = a b through shared tiles, the inner product unrolled
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n.
//            x of the grid runs over the columns of c, y over its rows; a block computes 32 x 32 outputs.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = k = n = 1024 multiply-adds are at least 24% of all instructions
//   Read:    README.md steps 1 to 3, slides/06-unrolled.md
#include "lockstep.h"

#define TILE 32
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    // TODO 1: start from your matmul of lab 04. Run it here as it is, and note its share of multiply-adds.
    // TODO 2: unroll the loop over the tile, by #pragma unroll in place of #pragma unroll 1 or by hand, 16 products
    //         in an expression. Which instructions are gone?
}
