// A read of what a product by a warpgroup may not have written: wait_group leaves the second of two groups under way.
#include "lockstep_wgmma.h"

//! run   early block=128
//! arg   out f32[128] poison
//! launch_fault "line 21 reads e, which the product of line 18 (wgmma) may not have written yet"
__global__ void early(float *out)
{
    __shared__ __align__(1024) float b[128][32];
    float d[64], e[64];
    unsigned a[4] = {}, none[4] = {};
    for (int k = 0; k < 32; k++) b[threadIdx.x][k] = 0;
    fence_async();
    __syncthreads();
    wgmma_begin(a, none);
    wgmma_tf32(d, a, wgmma_matrix(b), 0);
    wgmma_commit();
    wgmma_tf32(e, a, wgmma_matrix(b), 0);
    wgmma_commit();
    wgmma_wait<1>();
    out[threadIdx.x] = d[0] + e[0];
    wgmma_wait<0>();
}
