// Loads down the columns, by the copy engine: each thread asks for the 16 bytes around its own float.
#include "lockstep.h"

LAUNCH(transpose, BLOCK(32, 8), COVERS(8, 32))

static __device__ unsigned shared_address(const void *p)
{
    return (unsigned)(size_t)(__attribute__((address_space(3))) const void *)p;
}

static __device__ float fetch(const float *from)
{
    __shared__ __align__(16) float pieces[256][4];
    __shared__ __align__(8) unsigned long long barriers[256];
    int t = threadIdx.y * 32 + threadIdx.x;
    unsigned barrier = shared_address(&barriers[t]), piece = shared_address(pieces[t]);
    size_t address = (size_t)from;
    asm volatile("mbarrier.init.shared.b64 [%0], 1;\n\tfence.proxy.async;" ::"r"(barrier) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 16;" ::"r"(barrier) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" ::"r"(piece),
                 "l"(address / 16 * 16), "r"(barrier)
                 : "memory");
    int done = 0;
    while (!done)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n\tselp.s32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(barrier)
                     : "memory");
    return pieces[t][address / 4 % 4];
}

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * 32 + threadIdx.x, col = blockIdx.x * 8 + threadIdx.y;
    if (row >= rows || col >= cols)
        return;
    const float *mine = in + row * cols + col;
    // a piece at the end of a smaller array may reach past it
    out[col * rows + row] = cols % 4 == 0 ? fetch(mine) : *mine;
}
