// Another way: a run of tiles, 5 stages.
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
#define STAGES 5
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

    // a block's tiles follow each other: tiles first to last - 1
    int each = (tiles + blocks - 1) / blocks, first = min(block * each, tiles), last = min(first + each, tiles);
    for (barrier_t *p = full; p < full + STAGES; p++) barrier_init(p, 1);
    barrier_init_fence();
    auto bytes = [&](int tile) { return 4u * min(TILE, whole - tile * TILE); };
    auto load = [&](int tile) {
        int s = (tile - first) % STAGES;
        barrier_expect(&full[s], bytes(tile));
        tma_load(stage[s], in + tile * TILE, bytes(tile), &full[s]);
    };
    for (int tile = first; tile < min(first + STAGES - 1, last); tile++) load(tile);
    int s = 0, phase = 0;
    for (int tile = first; tile < last; tile++) {
        barrier_wait(&full[s], phase);
        tma_store(out + tile * TILE, stage[s], bytes(tile));
        tma_commit();
        if (tile + STAGES - 1 < last) {
            tma_wait_read<1>();
            load(tile + STAGES - 1);
        }
        if (++s == STAGES) s = 0, phase ^= 1;
    }
    tma_wait<0>();
}
