// fragment: c = a b, one warp for 16 x 8 outputs, each lane loads its own elements
#include "lockstep.h"
#include "lockstep_tensor.h"

LAUNCH(fragment, BLOCK(32, 1), COVERS(8, 16))

PREDICT(products, 512 / 16 * (512 / 8) * (64 / 8))
PREDICT(load_sectors, 512 / 16 * (512 / 8) * (64 / 8) * 40) // 4 registers of 8 rows, 2 of 4 rows
PREDICT(store_sectors, 8) // 8 rows, a part of one sector in each

struct place {
    int row, col;
};

static __device__ place place_a(int lane, int i) { return {lane / 4 + i % 2 * 8, lane % 4 + i / 2 * 4}; }
static __device__ place place_b(int lane, int i) { return {lane % 4 + i * 4, lane / 4}; }
static __device__ place place_d(int lane, int i) { return {lane / 4 + i / 2 * 8, lane % 4 + i % 2 * 4}; }

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
