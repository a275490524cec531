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
LAUNCH(transpose_tma, BLOCK(256, 1), COVERS(SIDE, SIDE))
TENSOR_MAP(in, BOX(WIDE, SIDE), SWIZZLE_128)
TENSOR_MAP(out, BOX(WIDE, SIDE), SWIZZLE_128)

// TODO 1: predict, at 2048 x 2048: copies of boxes from global to shared memory; loads from shared memory,
//     counted once per warp; wavefronts that one of them takes if it has no conflict.
PREDICT(copies, 32 * 32 * 2)
PREDICT(tile_loads, 32 * 32 * 64 * 64 / 128)
PREDICT(tile_wavefronts, 4)

// 16 bytes number c of row r of a swizzled box
static __device__ float4 *piece(float (*box)[WIDE], int r, int c)
{
    return (float4 *)box[r] + (c ^ r % 8);
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
        barrier_expect(&full, sizeof(from[0]));
        for (int half = 0; half < 2; half++)
            tma_load_2d(from[half], &in_map, col + half * WIDE, row, &full);
    }
    __syncthreads();
    barrier_wait(&full, 0);

    // square (x, y) of 4 x 4 floats; neighbouring lanes go down a diagonal
    int x = t % 16, y = (x + t / 16) % 16;
    float4 v0 = *piece(from[x / 8], 4 * y, x % 8);
    float4 v1 = *piece(from[x / 8], 4 * y + 1, x % 8);
    float4 v2 = *piece(from[x / 8], 4 * y + 2, x % 8);
    float4 v3 = *piece(from[x / 8], 4 * y + 3, x % 8);
    float (*box)[WIDE] = to[y / 8];
    *piece(box, 4 * x, y % 8) = make_float4(v0.x, v1.x, v2.x, v3.x);
    *piece(box, 4 * x + 1, y % 8) = make_float4(v0.y, v1.y, v2.y, v3.y);
    *piece(box, 4 * x + 2, y % 8) = make_float4(v0.z, v1.z, v2.z, v3.z);
    *piece(box, 4 * x + 3, y % 8) = make_float4(v0.w, v1.w, v2.w, v3.w);

    fence_async();
    __syncthreads();
    if (t == 0) {
        for (int half = 0; half < 2; half++)
            tma_store_2d(&out_map, row + half * WIDE, col, to[half]);
        tma_commit();
        tma_wait_read<0>();
    }
}
