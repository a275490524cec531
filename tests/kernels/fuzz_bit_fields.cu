// 64-bit bit fields whose position or length is above 255: an H200 uses all bits of both, and 32-bit ones the lower 8.
#include "lockstep.h"

//! run   fields block=8
//! arg   a u64[8] = {0xa46b686f8d24a45c, 0xa46b686f8d24a45c, 0xa46b686f8d24a45c, 0xa46b686f8d24a45c, 0xa46b686f8d24a45c, 0xa46b686f8d24a45c, 0xa46b686f8d24a45c, 0}
//! arg   b u64[8] = {0x055757467ff5a5f5, 0x055757467ff5a5f5, 0x055757467ff5a5f5, 0x055757467ff5a5f5, 0x055757467ff5a5f5, 0x055757467ff5a5f5, 0x055757467ff5a5f5, 0}
//! arg   at u32[8] = {256, 4, 0x80000004, 4, 260, 60, 255, 256}
//! arg   n u32[8] = {4, 260, 4, 0x80000004, 256, 10, 255, 256}
//! arg   out u64[24] poison
//! arg   narrow u32[8] poison
//! want  out[0..7] = {0, 0x0a46b686f8d24a45, 0, 0x0a46b686f8d24a45, 0, 0xa, 0, 0}
//! want  out[8..15] = {-1, 0xfa46b686f8d24a45, -1, 0xfa46b686f8d24a45, -1, -6, -1, 0}
//! want  out[16..23] = {0x055757467ff5a5f5, 0x46b686f8d24a45c5, 0x055757467ff5a5f5, 0x46b686f8d24a45c5, 0x055757467ff5a5f5, 0xc55757467ff5a5f5, 0x055757467ff5a5f5, 0}
//! want  narrow = {0xc, 0x5, 0x5, 0x5, 0, 0, 0, 0}
__global__ void fields(const unsigned long long *a, const unsigned long long *b, const unsigned *at, const unsigned *n,
                       unsigned long long *out, unsigned *narrow)
{
    int i = threadIdx.x;
    asm("bfe.u64 %0, %1, %2, %3;" : "=l"(out[i]) : "l"(a[i]), "r"(at[i]), "r"(n[i]));
    asm("bfe.s64 %0, %1, %2, %3;" : "=l"(out[8 + i]) : "l"(a[i]), "r"(at[i]), "r"(n[i]));
    asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(out[16 + i]) : "l"(a[i]), "l"(b[i]), "r"(at[i]), "r"(n[i]));
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(narrow[i]) : "r"((unsigned)a[i]), "r"(at[i]), "r"(n[i]));
}
