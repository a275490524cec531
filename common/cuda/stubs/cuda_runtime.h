/* cuda_runtime.h - stands in for CUDA's own, so that a whole CUDA program compiles for the device without the
 * SDK.
 *
 * As CUDA's own does, it brings the host's headers that many files forget to include; the device's functions
 * are declared before them. A host file, C or C++ by any compiler, gets the functions of the runtime alone.
 * Source: CUDA Runtime API.
 */
#ifndef LOCKSTEP_STANDIN_CUDA_RUNTIME_H
#define LOCKSTEP_STANDIN_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__ /* CUDA's samples test this macro */

#if defined(__clang__) && defined(__CUDA__) && !defined(__CUDACC_VER_MAJOR__)

/* lockstep.h is not included: a program may define BLOCK, UNKNOWN and such names itself */
#include "lockstep_clang.h"

/* Functions of the host's library that kernels may call. The simulator executes a failing assert, as it does
 * printf (lockstep_clang.h). */
#include "lockstep_heap.h"
extern "C" {
__device__ void __assertfail(
    const char *text, const char *file, unsigned line, const char *function, size_t char_size);
static inline __device__ __attribute__((always_inline, nodebug, unused))
void *memcpy(void *to, const void *from, size_t bytes)
{
    return __builtin_memcpy(to, from, bytes);
}
static inline __device__ __attribute__((always_inline, nodebug, unused))
void *memset(void *to, int value, size_t bytes)
{
    return __builtin_memset(to, value, bytes);
}
static inline __device__ __attribute__((always_inline, nodebug, unused))
void *memmove(void *to, const void *from, size_t bytes)
{
    return __builtin_memmove(to, from, bytes);
}
static inline __device__ __attribute__((always_inline, nodebug, unused))
void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    __assertfail(text, file, line, function, 1);
}
}

#if __has_include(<cmath>)
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <new>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <utility>
#endif
#include "lockstep_special.h"

#endif

#include "cuda_runtime_api.h"

#ifdef LOCKSTEP_CLANG_H
#include "cuda_textures.h"

/* Functions of the runtime that kernels may call, too. Launches by kernels are recorded to run later, so
 * there is no error yet. */
LOCKSTEP_FN_ cudaError_t cudaGetLastError() { return cudaSuccess; }
LOCKSTEP_FN_ cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
static __device__ __attribute__((noinline, unused)) const char *cudaGetErrorString(cudaError_t error)
{
    switch ((int)error) {
    case cudaSuccess: return "no error";
#define LOCKSTEP_ERROR(name, number, text) case number: return text;
#include "cuda_errors.h"
#undef LOCKSTEP_ERROR
    }
    return "unrecognized error code";
}
static __device__ __attribute__((noinline, unused)) const char *cudaGetErrorName(cudaError_t error)
{
    switch ((int)error) {
    case cudaSuccess: return "cudaSuccess";
#define LOCKSTEP_ERROR(name, number, text) case number: return "cudaError" #name;
#include "cuda_errors.h"
#undef LOCKSTEP_ERROR
    }
    return "unrecognized error code";
}

/* Calls by which kernels launch kernels, declared for Thrust, which does not call them. */
extern "C" __device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
extern "C" __device__ cudaError_t cudaLaunchDevice(
    void *kernel, void *parameters, dim3 grid, dim3 block, unsigned shared, cudaStream_t stream);

/* A variable that host and kernels read and write by its name. The host's copy lies in a section of its own,
 * by which the runtime knows it; both copies are made equal around each launch (runtime/registry.c). */
#define __managed__ __attribute__((device, section("lockstep_managed")))
#ifndef __CUDA_ARCH__
extern "C" {
extern char __start_lockstep_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_lockstep_managed[] __attribute__((weak, visibility("hidden")));
void lockstepManaged(const void *start, const void *stop);
}
__attribute__((constructor(101))) static void lockstep_managed_()
{
    if (__start_lockstep_managed) lockstepManaged(__start_lockstep_managed, __stop_lockstep_managed);
}
#endif
#endif

#endif
