// copy_tma: a tile at a time, with copies of 16 bytes to no use on their way
#include "lockstep_tma.h"

#define TILE 4096 // floats, so half as many copies, and as many that are not used
#define STAGES 2
LAUNCH(copy_tma, BLOCK(32, 1), COVERS(64, 512))

PREDICT(copies, UNKNOWN)
PREDICT(loads, UNKNOWN)

__global__ void copy_tma(const float *in, float *out, int rows, int cols)
{
    __shared__ __align__(128) float stage[STAGES][TILE];
    __shared__ __align__(128) float unused[4];
    __shared__ barrier_t full[STAGES], other;
    int blocks = gridDim.x * gridDim.y, block = blockIdx.y * gridDim.x + blockIdx.x;
    int n = rows * cols, whole = n / 4 * 4, tiles = (whole + TILE - 1) / TILE;
    if (block == 0 && threadIdx.x < n - whole) // fewer than 16 bytes are left: ordinary loads and stores
        out[whole + threadIdx.x] = in[whole + threadIdx.x];
    if (threadIdx.x > 0)
        return;
    for (int s = 0; s < STAGES; s++)
        barrier_init(&full[s], 1); // one arrival: that of this thread
    barrier_init(&other, 1);
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
    for (int i = 0; block + i * blocks < tiles; i++) {
        int first = (block + i * blocks) * TILE;
        load(i);
        barrier_expect(&other, 16);
        tma_load(unused, in, 16, &other);
        barrier_wait(&full[i % STAGES], i / STAGES);
        barrier_wait(&other, i % 2);
        tma_store(out + first, stage[i % STAGES], 4 * min(TILE, whole - first));
        tma_commit();
        tma_wait_read<1>(); // the store before this one has been read: its stage may be filled again
    }
    tma_wait_read<0>(); // shared memory goes with the block
}
