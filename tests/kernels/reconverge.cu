// Where lanes reconverge that disagree, told by the requests of loads: once for a warp, or once for each group of its lanes. The counts
// are an H200's, by ncu (instructions executed, by SASS instruction; ptxas 13.0 with and without its optimiser).
#include "lockstep.h"

// Lanes 1, 4, 7, .. by the first condition, others by the second: the load behind both is one request. 3 loads.
//! run   either block=32
//! arg   in i32[96] = i < 32 ? i % 3 : i < 64 ? i % 4 : 7
//! arg   out i32[32] poison
//! want  out = in[i] == 1 || in[i + 32] == 2 ? 7 : 0
//! count gld_requests 3
__global__ void either(const int *in, int *out)
{
    int i = threadIdx.x, s = 0;
    if (in[i] == 1 || in[i + 32] == 2)
        s += in[i + 64];
    out[i] = s;
}

//! run   either_else block=32
//! arg   in i32[128] = i < 32 ? i % 3 : i < 64 ? i % 4 : i < 96 ? 7 : 9
//! arg   out i32[32] poison
//! want  out = in[i] == 1 || in[i + 32] == 2 ? 7 : -9
//! count gld_requests 4
__global__ void either_else(const int *in, int *out)
{
    int i = threadIdx.x, s = 0;
    if (in[i] == 1 || in[i + 32] == 2)
        s += in[i + 64];
    else
        s -= in[i + 96];
    out[i] = s;
}

//! run   both_else block=32
//! arg   in i32[128] = i < 32 ? i % 3 : i < 64 ? i % 4 : i < 96 ? 7 : 9
//! arg   out i32[32] poison
//! want  out = in[i] != 1 && in[i + 32] != 2 ? 7 : -9
//! count gld_requests 4
__global__ void both_else(const int *in, int *out)
{
    int i = threadIdx.x, s = 0;
    if (in[i] != 1 && in[i + 32] != 2)
        s += in[i + 64];
    else
        s -= in[i + 96];
    out[i] = s;
}

// Lanes leave in eight turns, 4 each: 8 loads before they do, 7 behind; the condition is loaded once for all turns, and once
// all have left they load together.
//! run   leaves block=32
//! arg   in i32[160] = i < 128 ? 1 : i % 8
//! arg   out i32[32] poison
//! arg   turns i32 8
//! want  out = i % 8 * 2 + 2
//! count gld_requests 17
__global__ void leaves(const int *in, int *out, int turns)
{
    int i = threadIdx.x, s = 0;
    for (int k = 0; k < turns; k++) {
        s += in[i + k];
        if (in[i + 128] == k)
            break;
        s += in[i + 64];
    }
    s += in[i + 96];
    out[i] = s;
}

// What a lane does on its way out is not waited with until others leave in later turns: 8 requests more.
//! run   leaves_working block=32
//! arg   in i32[160] = i < 128 ? 1 : i % 8
//! arg   out i32[32] poison
//! arg   turns i32 8
//! want  out = i % 8 * 2 + 3
//! count gld_requests 25
__global__ void leaves_working(const int *in, int *out, int turns)
{
    int i = threadIdx.x, s = 0;
    for (int k = 0; k < turns; k++) {
        s += in[i + k];
        if (in[i + 128] == k) {
            s += in[i + 32];
            break;
        }
        s += in[i + 64];
    }
    s += in[i + 96];
    out[i] = s;
}

// Case 2, into which case 1 falls, is run once, for the lanes of both. The default is run once, too, though two branches of
// the compiled search for the case lead to it. Loads: 1 of the number, 1 in case 0, 1 in case 1, 2 in case 2, 1 each in 3, 4
// and the default, and 1 after the switch.
//! run   choice block=32
//! arg   in i32[160] = i < 128 ? i : i % 8
//! arg   out i32[32] poison
//! arg   n i32 1
//! want  out[0] = 0 + 1
//! want  out[1] = 105
//! want  out[2] = 135
//! want  out[3] = 104
//! want  out[4] = 15
//! want  out[5] = 14
//! want  out[8] = 33
//! count gld_requests 9
__global__ void choice(const int *in, int *out, int n)
{
    int i = threadIdx.x, s = 0;
    switch (in[i + 128] & 7) {
    case 0: s = in[i] * 3; break;
    case 1: s = in[i + 32] ^ 7;
    case 2: s += in[i + 64] * in[i]; break;
    case 3: s = in[i + 96] + n; break;
    case 4: s = in[i + 16] / (n + 1); break;
    default: s = in[i + 8] - 5;
    }
    s += in[i + 1];
    out[i] = s;
}

// Cases that fall into each other: each is run once, for the lanes that fall into it and those whose number it is. An H200 runs case 3
// twice in clang's code, whose regions of convergence leave it out. 1 load of the number, 1 a case and the default, 1 behind.
//! run   falling block=32
//! arg   in i32[160] = i < 128 ? i : i % 8
//! arg   out i32[32] poison
//! arg   n i32 1
//! want  out[0] = 0 + 1
//! want  out[1] = 38 + 2
//! want  out[2] = (66 + 98 * 5) ^ (18 + 1)
//! want  out[3] = (99 * 5) ^ (19 + 1)
//! want  out[4] = 21
//! want  out[5] = 8
//! count gld_requests 8
__global__ void falling(const int *in, int *out, int n)
{
    int i = threadIdx.x, s = 0;
    switch (in[i + 128] & 7) {
    case 0: s = in[i] * 3; break;
    case 1: s = in[i + 32] ^ 7; break;
    case 2: s = in[i + 64];
    case 3: s += in[i + 96] * 5;
    case 4: s ^= in[i + 16] + n; break;
    default: s = in[i + 8] - 5;
    }
    if (i < 2)
        s += in[i + 1];
    out[i] = s;
}

// A loop in one case keeps nobody from meeting at another: those of case 2 wait at case 3 for those whose number it is, whatever turns the
// lanes of case 0 take meanwhile.
//! run   looping block=32
//! arg   in i32[192] = i < 128 ? i : i < 160 ? i % 4 : i % 3
//! arg   out i32[32] poison
//! want  out[4] = 4 + 5 + 5
//! want  out[1] = 97 - 5 + 2
//! want  out[2] = 34 * 3 + 66 + 3
//! want  out[3] = 67 + 4
//! count clang gld_requests 7
//! count nvcc gld_requests 8
__global__ void looping(const int *in, int *out)
{
    int i = threadIdx.x, s = 0;
    switch (in[i + 128] & 3) {
    case 0:
        for (int k = 0; k < in[i + 160]; k++)
            s += in[i + k];
        break;
    case 1: s = in[i + 96] - 5; break;
    case 2: s = in[i + 32] * 3;
    case 3: s += in[i + 64]; break;
    }
    s += in[i + 1];
    out[i] = s;
}
