// dp2a, which nvcc makes of sums of 16-bit by 8-bit products: two halves by two bytes.
#include "lockstep.h"

//! run   halves_by_bytes block=4
//! arg   a u32[4] = {0x00020003, 0xffff8000, 0x7fff8001, 0xffffffff}
//! arg   b u32[4] = {0x04030201, 0x80ff7f80, 0x0180ff7f, 0xffffffff}
//! arg   c u32[4] = {10, 0, 0xffffffff, 1}
//! arg   out u32[24] poison
//! want  out[0..3] = {17, 12517249, 12517247, 33422851}
//! want  out[4..7] = {17, 4290772865, 4194175, 4294966787}
//! want  out[8..11] = {17, 4194177, 4290773119, 3}
//! want  out[12..15] = {27, 16744320, 4227198, 33422851}
//! want  out[16..19] = {27, 4286546048, 4290805630, 4294836227}
//! want  out[20..23] = {27, 32896, 4226942, 3}
__global__ void halves_by_bytes(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *out)
{
    int i = threadIdx.x;
    asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(out[i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(out[4 + i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(out[8 + i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    asm("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(out[12 + i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    asm("dp2a.hi.u32.s32 %0, %1, %2, %3;" : "=r"(out[16 + i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    asm("dp2a.hi.s32.s32 %0, %1, %2, %3;" : "=r"(out[20 + i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
}
