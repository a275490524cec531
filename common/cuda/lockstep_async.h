/* lockstep_async.h - copies from global to shared memory that go on while the thread does: what CUDA's
 * cuda_pipeline.h declares, for clang without the SDK.
 *
 *     __pipeline_memcpy_async   one cp.async of 4, 8 or 16 bytes; the last zfill bytes become 0
 *     __pipeline_commit         the thread's copies so far are one group
 *     __pipeline_wait_prior(N)  all groups but the last N are there, for this thread
 *
 * Source: CUDA C++ Programming Guide, Pipeline Primitives Interface; PTX ISA, cp.async. */
#ifndef LOCKSTEP_ASYNC_H
#define LOCKSTEP_ASYNC_H

#if !defined(__clang__) || defined(__CUDACC_VER_MAJOR__)
#include <cuda_pipeline.h> /* nvcc has NVIDIA's own */
#else
#include "lockstep_clang.h"
#pragma clang system_header

typedef unsigned long long __mbarrier_t, __mbarrier_token_t;

/* The 32-bit address in shared memory of what p points to, as PTX instructions need it. */
LOCKSTEP_FN_ unsigned lockstep_shared_(const void *p)
{
    unsigned long long at;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(p));
    return (unsigned)at;
}

#define LOCKSTEP_CP_(cache, bytes)                                                                 \
    asm volatile("cp.async." cache ".shared.global [%0], [%1], " bytes ", %2;" ::"r"(lockstep_shared_(to)), \
                 "l"(from), "r"(read)                                                              \
                 : "memory")
LOCKSTEP_FN_ void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zfill = 0)
{
    unsigned read = (unsigned)(bytes - zfill);
    if (bytes == 16) LOCKSTEP_CP_("cg", "16");
    else if (bytes == 8) LOCKSTEP_CP_("ca", "8");
    else LOCKSTEP_CP_("ca", "4");
}
#undef LOCKSTEP_CP_

LOCKSTEP_FN_ void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/* N must be an immediate in PTX. Like NVIDIA's header: 0 to 7, and 8 for all larger numbers. */
#define LOCKSTEP_WAIT_(n)                                                                          \
    case n: asm volatile("cp.async.wait_group " #n ";" ::: "memory"); break;
LOCKSTEP_FN_ void __pipeline_wait_prior(size_t groups)
{
    switch (groups) {
        LOCKSTEP_WAIT_(0)
        LOCKSTEP_WAIT_(1)
        LOCKSTEP_WAIT_(2)
        LOCKSTEP_WAIT_(3)
        LOCKSTEP_WAIT_(4)
        LOCKSTEP_WAIT_(5)
        LOCKSTEP_WAIT_(6)
        LOCKSTEP_WAIT_(7)
    default: asm volatile("cp.async.wait_group 8;" ::: "memory"); break;
    }
}
#undef LOCKSTEP_WAIT_

/* ---- barriers in shared memory: 8 bytes that count arrivals ---- */

LOCKSTEP_FN_ void __mbarrier_init(__mbarrier_t *b, unsigned count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(lockstep_shared_(b)), "r"(count) : "memory");
}
LOCKSTEP_FN_ void __mbarrier_inval(__mbarrier_t *b)
{
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(lockstep_shared_(b)) : "memory");
}
LOCKSTEP_FN_ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *b)
{
    __mbarrier_token_t t;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(lockstep_shared_(b)) : "memory");
    return t;
}
LOCKSTEP_FN_ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *b)
{
    __mbarrier_token_t t;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(t) : "r"(lockstep_shared_(b)) : "memory");
    return t;
}
#define LOCKSTEP_TEST_(name, op, T, c)                                                             \
    LOCKSTEP_FN_ bool name(__mbarrier_t *b, T v)                                                   \
    {                                                                                              \
        unsigned done;                                                                             \
        asm volatile("{ .reg .pred p; " op ".shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"      \
                     : "=r"(done)                                                                  \
                     : "r"(lockstep_shared_(b)), c(v)                                              \
                     : "memory");                                                                  \
        return done;                                                                               \
    }
LOCKSTEP_TEST_(__mbarrier_test_wait, "mbarrier.test_wait", __mbarrier_token_t, "l")
LOCKSTEP_TEST_(__mbarrier_test_wait_parity, "mbarrier.test_wait.parity", unsigned, "r")
#undef LOCKSTEP_TEST_
/* The thread arrives at the barrier when its copies so far have completed. */
LOCKSTEP_FN_ void __pipeline_arrive_on(__mbarrier_t *b)
{
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(lockstep_shared_(b)) : "memory");
}

/* ---- what cooperative_groups, cuda::barrier and cuda::pipeline share ---- */

namespace lockstep_async_ {
LOCKSTEP_FN_ bool apart(const void *to, const void *from)
{
    return __nvvm_isspacep_shared(to) && !__nvvm_isspacep_shared(from) && !__nvvm_isspacep_local(from);
}
/* Thread "rank" of "count" copies its share, in the widest units that the addresses allow: asynchronously
 * from global to shared memory, synchronously elsewhere and for units of one byte. */
template <class Unit>
LOCKSTEP_FN_ void units(size_t rank, size_t count, void *to, const void *from, size_t bytes)
{
    bool later = sizeof(Unit) >= 4 && apart(to, from);
    for (size_t i = rank; i < bytes / sizeof(Unit); i += count)
        if (later) __pipeline_memcpy_async((Unit *)to + i, (const Unit *)from + i, sizeof(Unit));
        else ((Unit *)to)[i] = ((const Unit *)from)[i];
}
LOCKSTEP_FN_ void copy(size_t rank, size_t count, void *to, const void *from, size_t bytes)
{
    size_t both = (size_t)to | (size_t)from | bytes;
    if (both % 16 == 0) units<uint4>(rank, count, to, from, bytes);
    else if (both % 8 == 0) units<uint2>(rank, count, to, from, bytes);
    else if (both % 4 == 0) units<unsigned>(rank, count, to, from, bytes);
    else units<unsigned char>(rank, count, to, from, bytes);
}
}

#ifndef LOCKSTEP_ALIGNED_SIZE_
#define LOCKSTEP_ALIGNED_SIZE_
namespace cuda {
/* A number of bytes, with the promise that the number and the addresses are multiples of N. */
template <size_t N> struct aligned_size_t {
    static constexpr size_t align = N;
    size_t value;
    LOCKSTEP_BOTH_ explicit aligned_size_t(size_t bytes) : value(bytes) {}
    LOCKSTEP_BOTH_ operator size_t() const { return value; }
};
}
#endif

#endif
#endif
