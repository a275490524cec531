// Another way: without a swizzle of the engine.
// transpose_tma: out = in^T, by the copy engine on both sides
//   Given:   in (rows x cols), row-major floats, any shape; out is cols x rows. x of the grid runs over the
//            columns of in, y over its rows. A block of 256 threads turns a tile of 64 x 64 floats. There are
//            tensor maps if rows and cols are multiples of 4; the way for other shapes is given.
//   Example: {1,2,3, 4,5,6} (2 x 3) -> {1,4, 2,5, 3,6} (3 x 2)
//   Budget:  at 2048 x 2048 no load from global memory and no store to it by threads; at most 32768 loads
//            from shared memory, counted once per warp; no bank conflicts, neither of loads nor of stores
//   Read:    README.md steps 5 to 8, slides/10-hopper.md
//   Needs:   compute capability 9.0
#include "lockstep_tma.h"

#define SIDE 64       // of a tile
#define WIDE 32       // floats of a row of a box: 128 bytes, as wide as the swizzle
LAUNCH(transpose_tma, BLOCK(128, 1), COVERS(SIDE, SIDE))
TENSOR_MAP(in, BOX(WIDE, SIDE), NO_SWIZZLE)
TENSOR_MAP(out, BOX(WIDE, SIDE), NO_SWIZZLE)

// TODO 1: predict, at 2048 x 2048: copies of boxes from global to shared memory; loads from shared memory,
//     counted once per warp; wavefronts that one of them takes if it has no conflict.
PREDICT(copies, UNKNOWN)
PREDICT(tile_loads, UNKNOWN)
PREDICT(tile_wavefronts, UNKNOWN)

// TODO 2: where do the 16 bytes number c of row r lie, in a box of rows of 128 bytes that is swizzled?
static __device__ float4 *piece(float (*box)[WIDE], int r, int c)
{
    return (float4 *)box[r] + c;
}

__global__ void transpose_tma(const float *in, float *out, int rows, int cols)
{
    // Given: two boxes side by side are a tile. The swizzle begins anew every 1024 bytes.
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
    __syncthreads();
    barrier_wait(&full, 0);
    // 128 threads, two squares each, on a diagonal
#pragma unroll
    for (int h = 0; h < 2; h++) {
        int x = t % 16, y = (x + t / 16 + 8 * h) % 16;
        float4 v[4];
#pragma unroll
        for (int i = 0; i < 4; i++) v[i] = *piece(from[x / 8], 4 * y + i, x % 8);
        *piece(to[y / 8], 4 * x + 0, y % 8) = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
        *piece(to[y / 8], 4 * x + 1, y % 8) = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
        *piece(to[y / 8], 4 * x + 2, y % 8) = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
        *piece(to[y / 8], 4 * x + 3, y % 8) = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
    }
    fence_async();
    __syncthreads();
    if (t < 2) { // one box each
        tma_store_2d(&out_map, row + t * WIDE, col, to[t]);
        tma_commit();
        tma_wait<0>();
    }
}
