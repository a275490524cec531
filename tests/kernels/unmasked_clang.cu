// Shuffles and votes without a mask, which nvcc has no more: they are among the lanes that are active.
//! only clang
#include "lockstep.h"
#ifdef LOCKSTEP_CLANG_H

//! run   unmasked block=32
//! arg   out i32[160] poison
//! arg   x f64[32] poison
//! want  out[0..31] = 5
//! want  out[32..63] = i - 32 < 4 ? i - 32 : i - 36
//! want  out[64..95] = (i - 64) % 8 < 7 ? i - 63 : i - 64
//! want  out[96..127] = (i - 96) ^ 3
//! want  out[128..159] = 1 + 2 * 0 + 4 * 1
//! want  x = (i ^ 1) * 0.5
__global__ void unmasked(int *out, double *x)
{
    int i = threadIdx.x;
    out[i] = __shfl(i, 5);
    out[32 + i] = __shfl_up(i, 4);
    out[64 + i] = __shfl_down(i, 1, 8);
    out[96 + i] = __shfl_xor(i, 3);
    out[128 + i] = __any(i == 7) + 2 * __all(i == 7) + 4 * (__ballot(i < 8) == 255);
    x[i] = __shfl_xor(i * 0.5, 1);
}

//! run   unmasked_branch block=32
//! arg   out i32[32] poison
//! want  out = i < 16 ? 65535 : 3 * 1000
__global__ void unmasked_branch(int *out)
{
    int i = threadIdx.x;
    if (i < 16) out[i] = __ballot(1);
    else out[i] = __shfl(i - 16, 19) * 1000 * __all(i > 15);
}
#endif
