/* cuda_runtime.h - stands in for CUDA's own, so that a whole CUDA program compiles for the device without the SDK.
 *
 * Only kernels are compiled; the host's part of a file is read and checked, never run. So what it commonly calls is
 * declared here and defined nowhere. Source: CUDA Runtime API.
 */
#ifndef LOCKSTEP_STANDIN_CUDA_RUNTIME_H
#define LOCKSTEP_STANDIN_CUDA_RUNTIME_H

#include "lockstep.h"

#if defined(__clang__) && defined(__CUDA__) && !defined(__CUDACC_VER_MAJOR__)

typedef int cudaError_t;
typedef cudaError_t cudaError;
enum { cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorNotReady = 600 };
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout };
enum { cudaEventDefault, cudaEventBlockingSync, cudaEventDisableTiming, cudaStreamDefault = 0, cudaStreamNonBlocking = 1,
       cudaHostAllocDefault = 0, cudaMemAttachGlobal = 1, cudaCpuDeviceId = -1 };
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, sharedMemPerMultiprocessor;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor, multiProcessorCount,
        memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor, concurrentKernels, asyncEngineCount;
};

/* A kernel that calls one of these is refused by name; headers of the host's library only need to see them. */
extern "C" {
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t) __attribute__((nothrow));
__device__ void free(void *) __attribute__((nothrow));
}

extern "C" {
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0); /* what <<<...>>> becomes */
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *, int);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig);
cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
}
/* Textures are refused with a sentence instead of a syntax error. */
#define LOCKSTEP_NO_TEXTURES_ "textures are not supported; const pointers with __restrict__ or __ldg read through the same cache"
template <class T, int dimensions = 1, int mode = 0> struct texture {
    static_assert(sizeof(T) == 0, LOCKSTEP_NO_TEXTURES_);
};
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
template <class T> __device__ T tex1Dfetch(cudaTextureObject_t, int) { static_assert(sizeof(T) == 0, LOCKSTEP_NO_TEXTURES_); }
template <class T> __device__ T tex1D(cudaTextureObject_t, float) { static_assert(sizeof(T) == 0, LOCKSTEP_NO_TEXTURES_); }
template <class T> __device__ T tex2D(cudaTextureObject_t, float, float) { static_assert(sizeof(T) == 0, LOCKSTEP_NO_TEXTURES_); }
template <class T> __device__ T tex3D(cudaTextureObject_t, float, float, float) { static_assert(sizeof(T) == 0, LOCKSTEP_NO_TEXTURES_); }

template <class T> cudaError_t cudaMalloc(T **, size_t);
template <class T> cudaError_t cudaMallocHost(T **, size_t, unsigned = 0);
template <class T> cudaError_t cudaHostAlloc(T **, size_t, unsigned);
template <class T> cudaError_t cudaMallocManaged(T **, size_t, unsigned = cudaMemAttachGlobal);
template <class T> cudaError_t cudaMallocPitch(T **, size_t *, size_t, size_t);
template <class T> cudaError_t cudaMemcpyToSymbol(T &, const void *, size_t, size_t = 0, enum cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T> cudaError_t cudaMemcpyFromSymbol(void *, T &, size_t, size_t = 0, enum cudaMemcpyKind = cudaMemcpyDeviceToHost);
template <class T> cudaError_t cudaFuncSetAttribute(T *, enum cudaFuncAttribute, int);
template <class T> cudaError_t cudaFuncSetCacheConfig(T *, enum cudaFuncCache);
template <class T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, T, int, size_t);

#endif
#endif
