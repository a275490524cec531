// copy_tma: out = in, by the copy engine: a ring of four tiles, one thread, no load and no store
#include "lockstep_tma.h"

#define TILE 2048  // floats: 8 KiB
#define STAGES 4
LAUNCH(copy_tma, BLOCK(32, 1), COVERS(64, 256)) // 8 tiles a block

PREDICT(copies, 2048 * 2048 / TILE)
PREDICT(loads, 0)

__global__ void copy_tma(const float *in, float *out, int rows, int cols)
{
    __shared__ __align__(128) float stage[STAGES][TILE];
    __shared__ barrier_t full[STAGES];
    int blocks = gridDim.x * gridDim.y, block = blockIdx.y * gridDim.x + blockIdx.x;
    int n = rows * cols, whole = n / 4 * 4, tiles = (whole + TILE - 1) / TILE;
    if (block == 0 && threadIdx.x < n - whole) // fewer than 16 bytes are left: ordinary loads and stores
        out[whole + threadIdx.x] = in[whole + threadIdx.x];
    if (threadIdx.x > 0)
        return;
    for (int s = 0; s < STAGES; s++)
        barrier_init(&full[s], 1); // one arrival: that of this thread
    barrier_init_fence();

    // Tile i of this block is tile block + i * blocks of the matrix, and goes through stage i % STAGES. Each
    // stage is used again and again, so its barrier's phase is i / STAGES.
    auto load = [&](int i) {
        int first = (block + i * blocks) * TILE, bytes = 4 * min(TILE, whole - first);
        if (first >= whole)
            return;
        barrier_expect(&full[i % STAGES], bytes); // before the copy, or its bytes might come first
        tma_load(stage[i % STAGES], in + first, bytes, &full[i % STAGES]);
    };
    for (int i = 0; i < STAGES - 1; i++)
        load(i);
    for (int i = 0; block + i * blocks < tiles; i++) {
        int first = (block + i * blocks) * TILE;
        barrier_wait(&full[i % STAGES], i / STAGES);
        tma_store(out + first, stage[i % STAGES], 4 * min(TILE, whole - first));
        tma_commit();
        tma_wait_read<1>(); // the store before this one has been read: its stage may be filled again
        load(i + STAGES - 1);
    }
    tma_wait_read<0>(); // shared memory goes with the block
}
