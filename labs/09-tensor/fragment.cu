// fragment: c = a b by tensor cores, one warp for 16 x 8 outputs; who holds what
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n. A block is one
//            warp; x of the grid runs over the columns of c, y over its rows. The kernel is complete: a step
//            along k has 8 columns of a and 8 rows of b, each lane loads the elements that it holds, straight
//            from global memory, and at the end stores those of c. What is outside of a matrix counts as 0.
//            Rows 7, 15, 23, ... of a hold numbers up to 2^20, the others up to 1.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 512, k = 64: at least 16384 products of matrices, counted once per warp, and no
//            multiply-add elsewhere
//   Read:    README.md steps 1 to 3, slides/09-tensor.md
#include "lockstep.h"
#include "lockstep_tensor.h"

LAUNCH(fragment, BLOCK(32, 1), COVERS(8, 16))

// TODO 1: predict, at m = n = 512, k = 64: products of matrices and sectors of the loads, in all warps, and
//     the sectors that a store of one register to c touches.
PREDICT(products, UNKNOWN)
PREDICT(load_sectors, UNKNOWN)
PREDICT(store_sectors, UNKNOWN)

struct place {
    int row, col;
};
#define NOWHERE {1 << 30, 1 << 30} // outside of every matrix

// TODO 2: where register i of a lane lies in a (16 x 8, i = 0 .. 3), in b (8 x 8, i = 0, 1) and in d (16 x 8,
//     i = 0 .. 3). The table in lockstep_tensor.h says it with g = lane / 4 and t = lane % 4.
static __device__ place place_a(int lane, int i) { return NOWHERE; }
static __device__ place place_b(int lane, int i) { return NOWHERE; }
static __device__ place place_d(int lane, int i) { return NOWHERE; }

// Given from here on.
static __device__ float element(const float *p, int row, int col, int rows, int cols)
{
    return row < rows && col < cols ? p[row * cols + col] : 0;
}

__global__ void fragment(const float *a, const float *b, float *c, int m, int k, int n)
{
    int lane = threadIdx.x, top = blockIdx.y * 16, left = blockIdx.x * 8;
    float d[4] = {};
    for (int k_tile = 0; k_tile < k; k_tile += 8) {
        unsigned x[4], y[2];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            place at = place_a(lane, i);
            x[i] = to_tf32(element(a, top + at.row, k_tile + at.col, m, k));
        }
#pragma unroll
        for (int i = 0; i < 2; i++) {
            place at = place_b(lane, i);
            y[i] = to_tf32(element(b, k_tile + at.row, left + at.col, k, n));
        }
        mma_tf32(d, x, y);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        place at = place_d(lane, i);
        int row = top + at.row, col = left + at.col;
        if (row < m && col < n)
            c[row * n + col] = d[i];
    }
}
