// One tile a block, no ring.
#include "lockstep.h"

#include "lockstep_tma.h"

#define TILE 2048  // floats: 8 KiB
#define STAGES 4
LAUNCH(copy_tma, BLOCK(32, 1), COVERS(64, 32)) // 8 tiles a block

PREDICT(copies, UNKNOWN)
PREDICT(loads, UNKNOWN)

// no ring: a block has a tile; load, wait, store
__global__ void copy_tma(const float *in, float *out, int rows, int cols)
{
    __shared__ __align__(128) float stage[TILE];
    __shared__ barrier_t full;
    int blocks = gridDim.x * gridDim.y, block = blockIdx.y * gridDim.x + blockIdx.x;
    int n = rows * cols, whole = n / 4 * 4;
    if (block == 0 && threadIdx.x < n - whole) out[whole + threadIdx.x] = in[whole + threadIdx.x];
    if (threadIdx.x > 0) return;
    barrier_init(&full, 1); barrier_init_fence();
    int phase = 0;
    for (int f = block * TILE; f < whole; f += blocks * TILE) {
        int bytes = 4 * min(TILE, whole - f);
        barrier_expect(&full, bytes);
        tma_load(stage, in + f, bytes, &full);
        barrier_wait(&full, phase++);
        tma_store(out + f, stage, bytes); tma_commit(); tma_wait_read<0>();
    }
}
