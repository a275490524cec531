/* cpu.h - CUDA on the CPU, as plainly as can be: an answer for programs that have none of their own.
 *
 *     block after block ── a fiber for each thread ── __syncthreads() gives way to the next
 *
 * A launch k<<<g, b, s>>>(a) is rewritten as cpu::launch(g, b, s)([&] { k(a); }). There are no warps: a
 * program whose threads rely on running in lockstep is not for this. Each copy to the host is noted, as
 * copies.c does.
 */
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>
#include "note.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __restrict__
#define __launch_bounds__(...)
#define __shared__ static
#define __CUDACC__
#define __powf powf
#define __log2f log2f
#define CUDA_SUCCESS cudaSuccess

struct uint3 { unsigned x, y, z; };
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct int2 { int x, y; };
struct int3 { int x, y, z; };
struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
static inline int2 make_int2(int x, int y) { return {x, y}; }
static inline float2 make_float2(float x, float y) { return {x, y}; }
static dim3 gridDim, blockDim;
static uint3 blockIdx, threadIdx;
using std::max;
using std::min;

namespace cpu {
enum { STACK = 1 << 16 };
struct fiber {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(STACK);
    uint3 index;
    bool done;
};
static ucontext_t scheduler;
static fiber *running;
static std::function<void()> body;
static char dynamic[1 << 17];

static void begin()
{
    body();
    running->done = true;
    swapcontext(&running->context, &scheduler);
}

/* All threads of a block, turn by turn. */
static void run_block()
{
    static std::vector<fiber> fibers;
    size_t count = (size_t)blockDim.x * blockDim.y * blockDim.z, left = count;
    if (fibers.size() < count) fibers.resize(count);
    for (size_t i = 0; i < count; i++) {
        fiber &f = fibers[i];
        f.index = {(unsigned)(i % blockDim.x), (unsigned)(i / blockDim.x % blockDim.y),
            (unsigned)(i / blockDim.x / blockDim.y)};
        f.done = false;
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = f.stack.data();
        f.context.uc_stack.ss_size = STACK;
        f.context.uc_link = NULL;
        makecontext(&f.context, begin, 0);
    }
    while (left)
        for (size_t i = 0; i < count; i++) {
            fiber &f = fibers[i];
            if (f.done) continue;
            running = &f;
            threadIdx = f.index;
            swapcontext(&scheduler, &f.context);
            left -= f.done;
        }
}

struct launch {
    launch(dim3 grid, dim3 block, size_t = 0, void * = NULL) { gridDim = grid, blockDim = block; }
    void operator()(std::function<void()> kernel)
    {
        body = kernel;
        for (unsigned z = 0; z < gridDim.z; z++)
            for (unsigned y = 0; y < gridDim.y; y++)
                for (unsigned x = 0; x < gridDim.x; x++) {
                    blockIdx = {x, y, z};
                    run_block();
                }
    }
};
}

static inline void __syncthreads() { swapcontext(&cpu::running->context, &cpu::scheduler); }
template <class T> T atomicAdd(T *at, T x) { return std::exchange(*at, *at + x); }

/* ---- the runtime's functions that these programs call ---- */

typedef int cudaError_t;
typedef int cudaError;
typedef struct event { int unused; } *cudaEvent_t;
enum { cudaSuccess };
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1 };
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock;
    int major, minor, multiProcessorCount, warpSize, regsPerBlock;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int memPitch, clockRate, textureAlignment, deviceOverlap, kernelExecTimeoutEnabled, totalConstMem;
};

template <class T> int cudaMalloc(T **p, size_t bytes) { return (*p = (T *)calloc(bytes, 1)) ? 0 : 2; }
template <class T> int cudaMallocHost(T **p, size_t bytes) { return cudaMalloc(p, bytes); }
static inline int cudaFree(void *p) { return free(p), 0; }
static inline int cudaFreeHost(void *p) { return cudaFree(p); }
static inline int cudaMemset(void *p, int value, size_t bytes) { return memset(p, value, bytes), 0; }
static inline int cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    memcpy(to, from, bytes);
    if (kind == cudaMemcpyDeviceToHost) note_copy(to, bytes);
    return 0;
}
template <class T> int cudaMemcpyToSymbol(
    T &to, const void *from, size_t bytes, size_t offset = 0, cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    return memcpy((char *)&to + offset, from, bytes), 0;
}
static inline int cudaMemGetInfo(size_t *unused, size_t *all) { return *unused = *all = 1 << 30, 0; }
static inline int cudaGetDeviceCount(int *n) { return *n = 1, 0; }
static inline int cudaGetDeviceProperties(cudaDeviceProp *p, int)
{
    memset(p, 0, sizeof *p);
    p->maxThreadsPerBlock = 1024, p->multiProcessorCount = 1, p->major = 7;
    for (int i = 0; i < 3; i++) p->maxGridSize[i] = 65535, p->maxThreadsDim[i] = 1024;
    return 0;
}
static inline int cudaSetDevice(int) { return 0; }
static inline int cudaGetDevice(int *d) { return *d = 0, 0; }
static inline int cudaDeviceSynchronize() { return 0; }
static inline int cudaThreadSynchronize() { return 0; }
static inline int cudaDeviceReset() { return 0; }
static inline int cudaGetLastError() { return 0; }
static inline const char *cudaGetErrorString(int) { return "none"; }
static inline int cudaEventCreate(cudaEvent_t *) { return 0; }
static inline int cudaEventRecord(cudaEvent_t, void * = NULL) { return 0; }
static inline int cudaEventSynchronize(cudaEvent_t) { return 0; }
static inline int cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t) { return *ms = 0, 0; }
static inline int cudaEventDestroy(cudaEvent_t) { return 0; }
template <class F> int cudaFuncSetCacheConfig(F, cudaFuncCache) { return 0; }

/* ---- references of textures: linear memory only ---- */

enum cudaTextureReadMode { cudaReadModeElementType };
enum cudaTextureFilterMode { cudaFilterModePoint };
struct cudaChannelFormatDesc { int unused; };
template <class T, int DIMENSIONS = 1, int MODE = 0> struct texture {
    const T *data;
    cudaTextureFilterMode filterMode;
    bool normalized;
    cudaChannelFormatDesc channelDesc;
};
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc() { return {0}; }
template <class T> T tex1Dfetch(texture<T, 1, 0> t, int i) { return t.data[i]; }
template <class T> int cudaBindTexture(size_t *, texture<T, 1, 0> &t, const void *p, size_t)
{
    return t.data = (const T *)p, 0;
}
template <class T>
int cudaBindTexture(size_t *, texture<T, 1, 0> *t, const void *p, cudaChannelFormatDesc *, size_t)
{
    return t->data = (const T *)p, 0;
}
template <class T> int cudaUnbindTexture(texture<T, 1, 0> &) { return 0; }
