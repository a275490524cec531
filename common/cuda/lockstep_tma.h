/* lockstep_tma.h - the copy engine of GPUs from 9.0 on (TMA), and the barriers that count its bytes. One
 * thread asks for a copy and goes on; the engine copies. For clang and for nvcc.
 *
 *     barrier_t           8 bytes in shared memory: an expected number of arrivals, and of bytes
 *     barrier_init        by one thread; then barrier_init_fence() and __syncthreads()
 *     barrier_expect      arrive, and announce so many bytes
 *     barrier_wait        until phase 0, 1, 0, 1 ... has ended: all have arrived, all bytes have come
 *     tma_load            bytes of global memory to shared memory, both at multiples of 16
 *     tma_store           the other way; tma_commit() ends a group of stores
 *     tma_wait_read<N>    all groups but the last N have been read: their source may be overwritten
 *     tma_wait<N>         the same, and have arrived
 *     tma_load_2d, ...    a box of a matrix at column x, row y; in shared memory at a multiple of 128
 *                         bytes, swizzled 1024; x is a multiple of 16 bytes; a store does not begin before
 *                         the matrix
 *     fence_async         makes what this thread stored to shared memory visible to copies
 *
 *     TENSOR_MAP(in, BOX(32, 64), SWIZZLE_128)
 *         the kit makes in_map, the tensor map of the kernel's parameter in: boxes of 32 columns and 64 rows.
 *         A matrix whose rows are no multiple of 16 bytes has none. A fourth word, AS_TF32: the engine rounds
 *         floats to TF32 on their way to shared memory.
 *
 *     NO_TENSOR_MAP(rows, columns) { ... }
 *         what to do if the rows of the matrix, or of its transpose, are no multiple of 16 bytes
 *
 * Source: PTX ISA, cp.async.bulk, mbarrier, fence.proxy.async; CUDA C++ Programming Guide, Tensor Memory
 * Access. */
#ifndef LOCKSTEP_TMA_H
#define LOCKSTEP_TMA_H

#include "lockstep.h"

#if defined(__clang__) && !defined(__CUDACC_VER_MAJOR__)
#pragma clang system_header
#define TMA_FN_ LOCKSTEP_FN_
#else
#define TMA_FN_ static __device__ __forceinline__
#endif

#define BOX(x, y) (x), (y)
#define NO_SWIZZLE 0
#define SWIZZLE_32 32
#define SWIZZLE_64 64
#define SWIZZLE_128 128
#define AS_TF32 1
struct __align__(64) tensor_map {
    unsigned char opaque[128];
};
#if defined(__NVCC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
#define MAP_DECLARED_(name) /* as LOCKSTEP_DATA_ */
#else
#define MAP_DECLARED_(name) extern __constant__ tensor_map name;
#endif
#define TENSOR_MAP(buffer, ...)                          \
    extern "C" {                                         \
    MAP_DECLARED_(buffer##_map)                          \
    __constant__ tensor_map buffer##_map;                \
    }                                                    \
    LOCKSTEP_DATA_(lockstep_map_##buffer, __VA_ARGS__)

typedef unsigned long long barrier_t;

/* The 32-bit address in shared memory of what p points to, as PTX instructions need it. */
TMA_FN_ unsigned shared_address(const void *p)
{
    unsigned long long at;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(p));
    return (unsigned)at;
}

/* ---- barriers ---- */

TMA_FN_ void barrier_init(barrier_t *b, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(arrivals)
                 : "memory");
}
/* Call after the barriers of a block were initialized: makes them visible to the copy engine. */
TMA_FN_ void barrier_init_fence()
{
    asm volatile("fence.mbarrier_init.release.cluster;\n\tfence.proxy.async.shared::cta;" ::: "memory");
}
TMA_FN_ void barrier_arrive(barrier_t *b)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(b)) : "memory");
}
TMA_FN_ void barrier_expect(barrier_t *b, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)), "r"(bytes)
                 : "memory");
}
TMA_FN_ void barrier_wait(barrier_t *b, unsigned phase)
{
    unsigned done;
    do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;"
                    " selp.u32 %0, 1, 0, p; }"
                    : "=r"(done)
                    : "r"(shared_address(b)), "r"(phase & 1)
                    : "memory");
    while (!done);
}

/* ---- copies of contiguous bytes ---- */

TMA_FN_ void tma_load(void *to, const void *from, unsigned bytes, barrier_t *b)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(to)), "l"(from), "r"(bytes), "r"(shared_address(b))
        : "memory");
}
TMA_FN_ void tma_store(void *to, const void *from, unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
}
TMA_FN_ void tma_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int Groups> TMA_FN_ void tma_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Groups) : "memory");
}
template <int Groups> TMA_FN_ void tma_wait()
{
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Groups) : "memory");
}
TMA_FN_ void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/* ---- copies of boxes ---- */

#define NO_TENSOR_MAP(rows, columns) if ((rows) % 4 || (columns) % 4)

TMA_FN_ void tma_load_2d(void *to, const tensor_map *map, int x, int y, barrier_t *b)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)), "l"(map), "r"(x), "r"(y),
                 "r"(shared_address(b))
                 : "memory");
}
TMA_FN_ void tma_store_2d(const tensor_map *map, int x, int y, const void *from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
                 "r"(x), "r"(y), "r"(shared_address(from))
                 : "memory");
}

#endif
