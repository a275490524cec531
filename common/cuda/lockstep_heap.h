/* lockstep_heap.h - malloc and free in kernels, for clang without the SDK. new and delete are made of them.
 *
 *     heap    | size, link | bytes ...... | size, link | bytes ... |          blocks of 32, 64, 128 ... bytes
 *     used                                                         ^          the end of the last block
 *     free[i]   a stack of free blocks of 16 << i bytes: the number of the first one, and how often the
 *               stack changed. A block's link is the number of the next one
 *
 * A fence at the start of malloc and of free tells the check for races that what threads did with a block is
 * over before others get it. The heap has 32 MiB, not cudaLimitMallocHeapSize, and each file has its own.
 * Source: CUDA C++ Programming Guide, dynamic global memory allocation. */
#ifndef LOCKSTEP_HEAP_H
#define LOCKSTEP_HEAP_H

#include "lockstep_clang.h"
#pragma clang system_header

enum { LOCKSTEP_HEAP_UNIT_ = 16, LOCKSTEP_HEAP_UNITS_ = 1 << 21 };
static __device__ ulonglong2 lockstep_heap_[LOCKSTEP_HEAP_UNITS_];
static __device__ unsigned lockstep_heap_used_;
static __device__ unsigned long long lockstep_heap_free_[32];

extern "C" __device__ inline __attribute__((nothrow, noinline, unused)) void *malloc(size_t bytes)
{
    unsigned size = 1;
    if (!bytes || bytes > (size_t)LOCKSTEP_HEAP_UNIT_ * LOCKSTEP_HEAP_UNITS_ / 2) return 0;
    while ((size_t)(LOCKSTEP_HEAP_UNIT_ << size) < bytes + LOCKSTEP_HEAP_UNIT_) size++;
    __threadfence();
    unsigned long long top = atomicAdd(&lockstep_heap_free_[size], 0ull), seen;
    unsigned block = (unsigned)top;
    while (block) {
        unsigned next = (unsigned)atomicAdd(&lockstep_heap_[block].y, 0ull);
        seen = atomicCAS(&lockstep_heap_free_[size], top, ((top >> 32) + 1) << 32 | next);
        if (seen == top) break;
        top = seen;
        block = (unsigned)top;
    }
    if (!block) {
        block = atomicAdd(&lockstep_heap_used_, 1u << size);
        if (block > LOCKSTEP_HEAP_UNITS_ - (1u << size)) return 0;
        if (!block) return malloc(bytes); /* no block has the number 0 */
        atomicExch(&lockstep_heap_[block].x, (unsigned long long)size);
    }
    return &lockstep_heap_[block + 1];
}

extern "C" __device__ inline __attribute__((nothrow, noinline, unused)) void free(void *p)
{
    if (!p) return;
    unsigned block = (unsigned)((ulonglong2 *)p - lockstep_heap_) - 1;
    __threadfence();
    unsigned size = (unsigned)atomicAdd(&lockstep_heap_[block].x, 0ull);
    unsigned long long top = atomicAdd(&lockstep_heap_free_[size], 0ull), seen;
    for (;; top = seen) {
        atomicExch(&lockstep_heap_[block].y, top & 0xffffffff);
        seen = atomicCAS(&lockstep_heap_free_[size], top, ((top >> 32) + 1) << 32 | block);
        if (seen == top) return;
    }
}

#endif
