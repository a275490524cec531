// copy_tma: out = in, by the copy engine: no thread loads or stores a float
//   Given:   in (rows x cols), row-major floats, any shape. The matrix is cut into tiles of 2048 floats, one
//            after the other, whatever its rows are; the blocks take tiles in turn. Copies have a multiple of
//            16 bytes: the last one to three floats of the matrix are copied below.
//   Example: {1,2,3, 4,5,6} (2 x 3) -> {1,2,3, 4,5,6}
//   Budget:  at 2048 x 2048 no load from global memory and no store to it; at most 2048 copies, one for each
//            tile, which bring every byte; at least 2 of them on their way when a warp waits
//   Read:    README.md steps 1 to 4, slides/10-hopper.md
//   Needs:   compute capability 9.0
#include "lockstep_tma.h"

#define TILE 2048 // floats: 8 KiB
#define STAGES 4
LAUNCH(copy_tma, BLOCK(32, 1), COVERS(64, 256)) // 8 tiles a block

// TODO 1: predict, at 2048 x 2048: copies from global to shared memory; loads by threads, counted once per
//     warp.
PREDICT(copies, UNKNOWN)
PREDICT(loads, UNKNOWN)

__global__ void copy_tma(const float *in, float *out, int rows, int cols)
{
    // Given: a place in shared memory for each stage, and a barrier that counts the bytes that come to it.
    __shared__ __align__(128) float stage[STAGES][TILE];
    __shared__ barrier_t full[STAGES];
    int blocks = gridDim.x * gridDim.y, block = blockIdx.y * gridDim.x + blockIdx.x;
    int n = rows * cols, whole = n / 4 * 4, tiles = (whole + TILE - 1) / TILE;
    if (block == 0 && threadIdx.x < n - whole)
        out[whole + threadIdx.x] = in[whole + threadIdx.x];
    if (threadIdx.x > 0)
        return;

    // TODO 2: begin the barriers: one arrival each, that of this thread. Then barrier_init_fence().
    // TODO 3: tile i of this block is tile block + i * blocks of the matrix. For each: announce its bytes at
    //     the barrier of its stage, load it, wait, store it. The last tile of the matrix may be shorter.
    // TODO 4: keep several loads on their way: load tile i + STAGES - 1 when tile i has been stored. When may
    //     its stage be filled again?
    // TODO 5: what must have happened before the block ends?
    (void)stage, (void)full, (void)tiles;
}
