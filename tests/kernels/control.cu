// Control flow: what each lane computes, and how often a warp's lanes disagreed.
#include "lockstep.h"

// One branch that half of the lanes take: divergent once a warp. A warp is never split where all its lanes agree.
//! run   split block=64
//! arg   out i32[64] poison
//! arg   at i32 16
//! want  out = i % 32 < 16 ? i * 3 + 1 : i * 5 - 7
//! count divergent_branch 2
//! run   split block=64
//! arg   out i32[64] poison
//! arg   at i32 32
//! want  out = i * 3 + 1
//! count divergent_branch 0
//! count branch_efficiency 100
__global__ void split(int *out, int at)
{
    int i = threadIdx.x;
    if (i % 32 < at) {
        out[i] = i * 3 + 1;
        __threadfence(); // keeps the compiler from making a selection of it
    } else {
        out[i] = i * 5 - 7;
    }
}

//! run   by_warp block=128
//! arg   out i32[128] poison
//! want  out = i // 32 % 2 ? i : -i
//! count divergent_branch 0
//! count warp_execution_efficiency 32
__global__ void by_warp(int *out)
{
    int i = threadIdx.x;
    if (i / 32 % 2) {
        out[i] = i;
        __threadfence();
    } else {
        out[i] = -i;
    }
}

//! run   nested block=64
//! arg   out i32[64] poison
//! want  out = i % 2 ? (i % 4 == 1 ? (i % 8 == 1 ? 1 : 2) : 3) : (i < 40 ? 4 : 5)
__global__ void nested(int *out)
{
    volatile int *o = out;
    int i = threadIdx.x;
    if (i % 2) {
        if (i % 4 == 1) {
            if (i % 8 == 1)
                o[i] = 1;
            else
                o[i] = 2;
        } else {
            o[i] = 3;
        }
    } else if (i < 40) {
        o[i] = 4;
    } else {
        o[i] = 5;
    }
}

// Lane i goes round i times: the warp as often as its last lane does.
//! run   trips block=40
//! arg   out i32[40] poison
//! want  out = i * (i + 1) // 2
__global__ void trips(int *out)
{
    int i = threadIdx.x, sum = 0;
#pragma unroll 1
    for (volatile int k = 0; k < i; k++)
        sum += k + 1;
    out[i] = sum;
}

//! run   leave_loops block=64
//! arg   in i32[64] = i * 37 % 64
//! arg   out i32[64] poison
//! want  out = i % 16 == 0 ? 0 : in[i] % 16 + (in[i] > 31 ? 100 : 0)
__global__ void leave_loops(const int *in, int *out)
{
    int i = threadIdx.x, n = 0;
    for (int k = 0; k < 1000; k++) {
        if (i % 16 == 0)
            break;
        if (k % 2) {
            n += 2;
            continue;
        }
        if (k >= in[i] % 16)
            break;
        if (k + 1 == in[i] % 16)
            n--;
    }
    if (i % 16 == 0) {
        out[i] = 0;
        return;
    }
    int steps = 0;
    do {
        steps++;
    } while (steps < in[i] % 16 && n > -100);
    out[i] = (in[i] % 16 ? steps : 0) + (in[i] > 31 ? 100 : 0);
}

//! run   choose block=64
//! arg   out i32[64] poison
//! want  out = i % 7 == 0 ? 10 : i % 7 == 1 ? 33 : i % 7 == 2 ? 23 : i % 7 == 4 ? -i : i % 7 == 5 ? i * i : 99
__global__ void choose(int *out)
{
    int i = threadIdx.x, r = 0;
    switch (i % 7) {
    case 0: r = 10; break;
    case 1: r = 10; /* falls through */
    case 2: r += 23; break;
    case 4: r = -i; break;
    case 5: r = i * i; break;
    default: r = 99;
    }
    out[i] = r;
}

//! run   early block=96
//! arg   out i32[96] = -5
//! arg   n i32 70
//! want  out = i >= 70 || i % 3 == 0 ? -5 : i
__global__ void early(int *out, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    if (i % 3 == 0)
        return;
    out[i] = i;
}

//! run   collatz block=64
//! arg   out i32[64] poison
//! want  out[0..31] = {0, 0, 1, 7, 2, 5, 8, 16, 3, 19, 6, 14, 9, 9, 17, 17, 4, 12, 20, 20, 7, 7, 15, 15, 10, 23, 10, 111, 18, 18, 18, 106}
//! want  out[32..63] = {5, 26, 13, 13, 21, 21, 21, 34, 8, 109, 8, 29, 16, 16, 16, 104, 11, 24, 24, 24, 11, 11, 112, 112, 19, 32, 19, 32, 19, 19, 107, 107}
__global__ void collatz(int *out)
{
    int i = threadIdx.x, n = i, steps = 0;
    while (n > 1) {
        if (n & 1)
            n = 3 * n + 1;
        else
            n /= 2;
        steps++;
    }
    out[i] = steps;
}

// Two nested loops with trip counts of their own, left from the inside.
//! run   search block=48
//! arg   in i32[48] = i * 11 % 48
//! arg   row i32[48] poison
//! arg   column i32[48] poison
//! want  row = in[i] // 8
//! want  column = in[i] % 8
__global__ void search(const int *in, int *row, int *column)
{
    int i = threadIdx.x;
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 8; c++)
            if (r * 8 + c == in[i]) {
                row[i] = r;
                column[i] = c;
                return;
            }
}

// Under a condition that no lane meets nothing is executed, counted or found wrong.
//! run   nobody block=64
//! arg   out i32[1] = 7
//! arg   n i32 0
//! count gst_requests 0
//! count gld_requests 0
__global__ void nobody(int *out, int n)
{
    int i = threadIdx.x;
    if (i < n)
        out[i * 1000] = out[i * 77] + 1;
}
