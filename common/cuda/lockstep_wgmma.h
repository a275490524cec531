/* lockstep_wgmma.h - products by a warpgroup (wgmma), and what its producers and consumers need beside the
 * barriers of lockstep_tma.h: copies that arrive at one, registers that move from one warp to another.
 *
 *     producer                          consumer: a warpgroup, 4 warps together
 *       barrier_wait(empty, ...)          barrier_wait(full, ...)
 *       copy_async16(to, from, bytes)     wgmma_begin(a, ...)         A's registers are complete
 *       barrier_arrive_after_copies(full) wgmma_tf32(sum, a, b, add)  sum = a b, or sum + a b
 *                                         wgmma_commit(), wgmma_wait<0>()
 *                                         barrier_arrive(empty)
 *
 *     wgmma_half(sum, a, b, add)            the same of halves, a from shared memory, too
 *
 * The registers of sum and a belong to the tensor cores from wgmma_begin to wgmma_wait. A barrier's phases
 * have parity 0, 1, 0, ...; barrier_wait(b, p) waits for the end of the phase of parity p. So the first wait
 * for a buffer that is empty from the start names parity 1.
 *
 * Compute capability 9.0 only. Source: PTX ISA, wgmma, mbarrier, cp.async, setmaxnreg. */
#ifndef LOCKSTEP_WGMMA_H
#define LOCKSTEP_WGMMA_H

#include "lockstep_tma.h"

#define LOCKSTEP_WG_ TMA_FN_

/* This thread arrives at the barrier when all its copies so far have completed. */
LOCKSTEP_WG_ void barrier_arrive_after_copies(barrier_t *b)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(b)) : "memory");
}

/* ---- copies from global to shared memory; only `bytes` bytes are read, the rest becomes 0 ---- */

LOCKSTEP_WG_ void copy_async16(void *to, const void *from, unsigned bytes)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
                 "r"(bytes)
                 : "memory");
}
LOCKSTEP_WG_ void copy_async4(void *to, const void *from, unsigned bytes)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_address(to)), "l"(from),
                 "r"(bytes)
                 : "memory");
}
LOCKSTEP_WG_ void copies_wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }

/* ---- registers: a warpgroup gives some back, another one takes them ---- */

template <int N> LOCKSTEP_WG_ void registers_down()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}
template <int N> LOCKSTEP_WG_ void registers_up()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

/* ---- products ---- */

/* The descriptor of B in shared memory: columns of 32 floats, one after the other, from p on, a multiple of
 * 1024 bytes. Chunk i of 16 bytes of column j is at i ^ j % 8 in its 128 bytes. Add 2 to go 8 floats along
 * k. */
LOCKSTEP_WG_ unsigned long long wgmma_matrix(const void *p)
{
    unsigned long long start = shared_address(p) >> 4, eight_columns = 1024 >> 4, swizzle_128 = 1;
    return start | eight_columns << 32 | swizzle_128 << 62;
}

/* The descriptor of B if elements adjacent in n are adjacent in memory: boxes of 64 halves side by side,
 * `apart` bytes from one to the next, each at a multiple of 1024 bytes. Row k of a box is 128 bytes with
 * chunk i at i ^ k % 8. Add 128 to go 16 rows down. Only halves can be read in this direction. */
LOCKSTEP_WG_ unsigned long long wgmma_rows(const void *p, unsigned apart)
{
    return wgmma_matrix(p) | (unsigned long long)(apart >> 4) << 16;
}

/* To be called by all four warps before wgmma reads registers of A that they have written; the compiler is
 * told that they change. */
LOCKSTEP_WG_ void wgmma_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
template <int N> LOCKSTEP_WG_ void wgmma_begin(unsigned (&a)[N])
{
#pragma unroll
    for (int i = 0; i < N; i++) asm volatile("" : "+r"(a[i]));
    wgmma_begin();
}
template <int N> LOCKSTEP_WG_ void wgmma_begin(unsigned (&a)[N], unsigned (&b)[N])
{
#pragma unroll
    for (int i = 0; i < N; i++) asm volatile("" : "+r"(a[i]), "+r"(b[i]));
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
LOCKSTEP_WG_ void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/* Wait until all groups but the last N are complete. */
template <int N> LOCKSTEP_WG_ void wgmma_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

#define LOCKSTEP_D4_(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define LOCKSTEP_D16_(i) LOCKSTEP_D4_(i), LOCKSTEP_D4_(i + 4), LOCKSTEP_D4_(i + 8), LOCKSTEP_D4_(i + 12)
#define LOCKSTEP_D64_(i) LOCKSTEP_D16_(i), LOCKSTEP_D16_(i + 16), LOCKSTEP_D16_(i + 32), LOCKSTEP_D16_(i + 48)
/* d (64 x 128) = a b, or d + a b if add is not 0; a is 64 x 8, b is 8 x 128. Lane l of warp w of the four has
 *     a[0], a[2]     row 16 w + l / 4, columns l % 4 and l % 4 + 4;   a[1], a[3]     8 rows further down
 *     d[4 i + j]     row 16 w + l / 4 + j / 2 * 8, column 8 i + l % 4 * 2 + j % 2 */
LOCKSTEP_WG_ void wgmma_tf32(float (&d)[64], const unsigned *a, unsigned long long b, int add)
{
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %69, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
        "{%64, %65, %66, %67}, %68, p, 1, 1; }\n"
        : LOCKSTEP_D64_(0)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}
/* wgmma_tf32 for 256 columns: d is 64 x 256. */
LOCKSTEP_WG_ void wgmma_tf32(float (&d)[128], const unsigned *a, unsigned long long b, int add)
{
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %133, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
        "{%128, %129, %130, %131}, %132, p, 1, 1; }\n"
        : LOCKSTEP_D64_(0), LOCKSTEP_D64_(64)
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}
/* d (64 x 256) = a b, or d + a b if add is not 0, of halves. a is 64 x 16, adjacent in memory along k
 * (wgmma_matrix); b is 16 x 256, adjacent along n (wgmma_rows). d as for wgmma_tf32. */
LOCKSTEP_WG_ void wgmma_half(float (&d)[128], unsigned long long a, unsigned long long b, int add)
{
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %130, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, p, 1, 1, 0, 1; }\n"
        : LOCKSTEP_D64_(0), LOCKSTEP_D64_(64)
        : "l"(a), "l"(b), "r"(add));
}
#undef LOCKSTEP_D4_
#undef LOCKSTEP_D16_
#undef LOCKSTEP_D64_

#undef LOCKSTEP_WG_
#endif
