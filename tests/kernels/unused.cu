// A load whose value nothing needs is not in the machine code: ptxas leaves it out, with its optimiser off as well, and with it
// what only it needed. (Its SASS for sm_90, by ptxas 13.0: one LDG each.) A volatile load stays.
#include "lockstep.h"

//! run   unused block=32
//! arg   in i32[32] = i
//! arg   out i32[32] poison
//! want  out = i
//! count gld_requests 1
__global__ void unused(const int *in, int *out)
{
    int i = threadIdx.x, x, y;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(in + (i ^ 1)));
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(y) : "l"(in + (x & 31)));
    out[i] = in[i];
}

// The value of the first turn is overwritten before anything needs it.
//! run   overwritten block=32
//! arg   in i32[32] = i
//! arg   out i32[32] poison
//! want  out = i
//! count gld_requests 1
__global__ void overwritten(const int *in, int *out)
{
    int i = threadIdx.x, x;
    asm volatile("{\n\t.reg .b32 t;\n\tld.global.u32 t, [%1];\n\tmov.u32 t, 5;\n\tld.global.u32 t, [%2];\n\tmov.u32 %0, t;\n\t}"
                 : "=r"(x) : "l"(in + (i ^ 1)), "l"(in + i));
    out[i] = x;
}

//! run   watched block=32
//! arg   in i32[32] = i
//! arg   out i32[32] poison
//! want  out = i
//! count gld_requests 2
__global__ void watched(const volatile int *in, int *out)
{
    int i = threadIdx.x;
    in[i ^ 1];
    out[i] = in[i];
}

// Nothing needs the remainder or the product, nor the loads that they stand behind.
//! run   leftovers block=32
//! arg   in i32[32] = i
//! arg   out i32[32] poison
//! want  out = i
//! count gld_requests 1
__global__ void leftovers(const int *in, int *out)
{
    int i = threadIdx.x, x, y;
    asm volatile("{\n\t.reg .b32 t;\n\tld.global.u32 t, [%1];\n\trem.s32 %0, t, 3;\n\t}" : "=r"(x) : "l"(in + (i ^ 1)));
    asm volatile("{\n\t.reg .b32 t;\n\tld.global.u32 t, [%1];\n\tmul.lo.s32 %0, t, 3;\n\t}" : "=r"(y) : "l"(in + (i ^ 1)));
    out[i] = in[i];
}
