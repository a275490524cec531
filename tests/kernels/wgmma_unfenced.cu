// A product by a warpgroup whose factor is written after the fence: it needs another one.
#include "lockstep_wgmma.h"

//! run   unfenced block=128
//! arg   out f32[128] poison
//! launch_fault "line 22 multiplies (wgmma) registers that were written since the last wgmma.fence"
__global__ void unfenced(float *out)
{
    __shared__ __align__(1024) float b[128][32];
    float d[64];
    unsigned a[4] = {}, none[4] = {};
    for (int k = 0; k < 32; k++) b[threadIdx.x][k] = 0;
    fence_async();
    __syncthreads();
    wgmma_begin(a, none);
    wgmma_tf32(d, a, wgmma_matrix(b), 0);
    wgmma_commit();
    wgmma_wait<0>();
    for (int i = 0; i < 4; i++) a[i] = __float_as_uint(d[i] + 1);
    float e[64];
    // its factors are the sums of the first
    wgmma_tf32(e, a, wgmma_matrix(b), 0);
    wgmma_commit();
    wgmma_wait<0>();
    out[threadIdx.x] = e[0];
}
