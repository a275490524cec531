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
PREDICT(copies, 2 * 1024)
PREDICT(tile_loads, 32768)
PREDICT(tile_wavefronts, 4)

// TODO 2: where do the 16 bytes number c of row r lie, in a box of rows of 128 bytes that is swizzled?
static __device__ float4 *piece(float (*box)[WIDE], int r, int c)
{
    return (float4 *)box[r] + (c ^ (r & 7));
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
    }
    __syncthreads();
    if (t == 0) {
        barrier_expect(&full, 2 * SIDE * WIDE * sizeof(float));
        for (int h = 0; h < 2; h++)
            tma_load_2d(from[h], &in_map, col + h * WIDE, row, &full);
    }
    barrier_wait(&full, 0);

    // my 4 x 4 square: the eight lanes of a group have 8 different sx and 8 different sy
    int sx = t % 16, sy = (sx + t / 16) % 16;
    float square[4][4];
    for (int i = 0; i < 4; i++) {
        float4 f = *piece(from[sx / 8], 4 * sy + i, sx % 8);
        square[i][0] = f.x;
        square[i][1] = f.y;
        square[i][2] = f.z;
        square[i][3] = f.w;
    }
    for (int i = 0; i < 4; i++)
        *piece(to[sy / 8], 4 * sx + i, sy % 8) =
            make_float4(square[0][i], square[1][i], square[2][i], square[3][i]);
    fence_async();
    __syncthreads();
    if (t == 0) {
        for (int h = 0; h < 2; h++)
            tma_store_2d(&out_map, row, col + h * WIDE, to[h]);
        tma_commit();
        tma_wait_read<0>();
    }
}
