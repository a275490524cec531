// copy_tma: out = in, by the copy engine: no thread loads or stores a float
//   Given:   in (rows x cols), row-major floats, any shape. The matrix is cut into tiles of 2048 floats, one
//            after the other, whatever its rows are; the blocks take tiles in turn. Copies have a multiple of
//            16 bytes: the last one to three floats of the matrix are copied below.
//   Example: {1,2,3, 4,5,6} (2 x 3) -> {1,2,3, 4,5,6}
//   Budget:  at 2048 x 2048 no load from global memory and no store to it; at most 2048 copies, one for each
//            tile, which bring every byte
//   Read:    README.md steps 1 to 4, slides/10-hopper.md
//   Needs:   compute capability 9.0
#include "lockstep_tma.h"

#define TILE 2048 // floats: 8 KiB
#define STAGES 4
LAUNCH(copy_tma, BLOCK(32, 1), COVERS(64, 256)) // 8 tiles a block

PREDICT(copies, 2048 * 2048 / 2048)
PREDICT(loads, 0)

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

    for (int s = 0; s < STAGES; s++)
        barrier_init(&full[s], 1);
    barrier_init_fence();

    int mine = block < tiles ? (tiles - block + blocks - 1) / blocks : 0; // tiles of this block
    auto load = [&](int i) {
        int at = (block + i * blocks) * TILE, count = min(TILE, whole - at), s = i % STAGES;
        barrier_expect(&full[s], TILE * 4);
        tma_load(stage[s], in + at, count * 4, &full[s]);
    };

    for (int i = 0; i < STAGES - 1 && i < mine; i++)
        load(i);
    for (int i = 0; i < mine; i++) {
        int at = (block + i * blocks) * TILE, s = i % STAGES;
        barrier_wait(&full[s], i / STAGES % 2);
        tma_store(out + at, stage[s], min(TILE, whole - at) * 4);
        tma_commit();
        if (i + STAGES - 1 < mine) {
            tma_wait_read<1>(); // tile i - 1 has left its stage
            load(i + STAGES - 1);
        }
    }
    tma_wait_read<0>();
}
