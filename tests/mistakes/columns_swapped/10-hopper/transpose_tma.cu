// transpose_tma: out = in^T, by the copy engine on both sides, 4 x 4 floats turned in registers between them
#include "lockstep_tma.h"

#define SIDE 64       // rows and columns of a tile
#define WIDE 32       // floats of a row of a box: 128 bytes, as wide as the swizzle
LAUNCH(transpose_tma, BLOCK(256, 1), COVERS(SIDE, SIDE))
TENSOR_MAP(in, BOX(WIDE, SIDE), SWIZZLE_128)
TENSOR_MAP(out, BOX(WIDE, SIDE), SWIZZLE_128)

PREDICT(copies, 2 * 32 * 32)            // two boxes a block
PREDICT(tile_loads, 2048 * 2048 / 128)  // a load brings 128 floats
PREDICT(tile_wavefronts, 4)             // 512 bytes, and a wavefront moves 128

// Piece c (16 bytes) of row r of a box whose rows have 128 bytes, at the place that the swizzle gives it.
static __device__ float4 *piece(float (*box)[WIDE], int r, int c)
{
    return (float4 *)box[r] + (c ^ r % 8);
}

__global__ void transpose_tma(const float *in, float *out, int rows, int cols)
{
    __shared__ __align__(1024) float from[2][SIDE][WIDE], to[2][SIDE][WIDE];
    __shared__ barrier_t full;
    int t = threadIdx.x, row = blockIdx.y * SIDE, col = blockIdx.x * SIDE;
    NO_TENSOR_MAP(rows, cols) { // rows of in, or of out, that are no multiple of 16 bytes
        for (int i = t; i < SIDE * SIDE; i += blockDim.x)
            if (row + i / SIDE < rows && col + i % SIDE < cols)
                out[(col + i % SIDE) * rows + row + i / SIDE] = in[(row + i / SIDE) * cols + col + i % SIDE];
        return;
    }
    if (t == 0) {
        barrier_init(&full, 1);
        barrier_init_fence();
        barrier_expect(&full, sizeof from);
        tma_load_2d(from[0], &in_map, col, row, &full);
        tma_load_2d(from[1], &in_map, col + WIDE, row, &full);
    }
    __syncthreads(); // no thread waits at a barrier before it is initialized
    barrier_wait(&full, 0);

    // Thread t turns the 4 x 4 floats in rows 4 y and columns 4 x. Eight neighbouring lanes lie on a
    // diagonal: no two have the same x or the same y, so their banks differ when they load and when they
    // store.
    int x = t % 16, y = (t / 16 + x) % 16;
    float4 v[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        v[i] = *piece(from[x / 8], 4 * y + i, x % 8);
    *piece(to[y / 8], 4 * x, y % 8) = make_float4(v[1].x, v[0].x, v[2].x, v[3].x);
    *piece(to[y / 8], 4 * x + 1, y % 8) = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
    *piece(to[y / 8], 4 * x + 2, y % 8) = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
    *piece(to[y / 8], 4 * x + 3, y % 8) = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
    fence_async(); // each thread: the copy engine will see what it stored
    __syncthreads();
    if (t == 0) {
        tma_store_2d(&out_map, row, col, to[0]);
        tma_store_2d(&out_map, row + WIDE, col, to[1]);
        tma_commit();
        tma_wait_read<0>(); // shared memory goes with the block
    }
}
