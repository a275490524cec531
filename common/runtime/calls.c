/* calls.c - calls of the runtime and driver APIs that only forward to another call, one row each.
 *
 *     cudaEventQuery(event)     ──> cudaEventSynchronize(event)
 *     cuMemcpyHtoD(to, from, n) ──> cudaMemcpy(to, from, n, cudaMemcpyHostToDevice)
 *
 * A CUdeviceptr is an address as an integer. */
#include "cuda/stubs/cuda.h"

#include "runtime/driver.h"
#include "runtime/graph.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

/* ---- calls of the runtime API ---- */

#define SAME(name, parameters, call) \
    API cudaError_t name parameters { return call; }
/* Define a call that stores the same value in *out each time. */
#define GIVES(name, parameters, out, value) \
    API cudaError_t name parameters \
    { \
        *out = value; \
        return cudaSuccess; \
    }

SAME(cudaThreadSynchronize, (void), cudaDeviceSynchronize())
SAME(cudaThreadExit, (void), cudaDeviceReset())
SAME(cudaProfilerStart, (void), cudaSuccess)
SAME(cudaProfilerStop, (void), cudaSuccess)
SAME(cudaChooseDevice, (int *device, const struct cudaDeviceProp *p), cudaGetDevice(device))
SAME(cudaSetDeviceFlags, (unsigned flags), cudaSuccess)
SAME(cudaDeviceSetCacheConfig, (enum cudaFuncCache config), cudaSuccess)
SAME(cudaDeviceSetSharedMemConfig, (enum cudaSharedMemConfig config), cudaSuccess)
GIVES(cudaDeviceGetSharedMemConfig, (enum cudaSharedMemConfig * config), config,
    cudaSharedMemBankSizeFourByte)
GIVES(cudaDeviceCanAccessPeer, (int *can, int device, int peer), can, 0)
GIVES(cudaDriverGetVersion, (int *version), version, CUDART_VERSION)
GIVES(cudaRuntimeGetVersion, (int *version), version, CUDART_VERSION)
GIVES(cudaDeviceGetP2PAttribute,
    (int *value, enum cudaDeviceP2PAttr attribute, int device, int peer), value, 0)
GIVES(cudaGetDeviceFlags, (unsigned *flags), flags, cudaDeviceScheduleAuto)
GIVES(cudaDeviceGetCacheConfig, (enum cudaFuncCache * config), config, cudaFuncCachePreferNone)
GIVES(cudaStreamGetPriority, (cudaStream_t stream, int *priority), priority, 0)
GIVES(cudaStreamGetDevice, (cudaStream_t stream, int *device), device, 0)
SAME(cudaInitDevice, (int device, unsigned flags, unsigned ahead), cudaSetDevice(device))
SAME(cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
    cudaEventRecord(event, stream))
SAME(cudaCtxResetPersistingL2Cache, (void), cudaSuccess)
/* work is done when it is requested, so a stream is never busy */
SAME(cudaStreamQuery, (cudaStream_t stream), cudaStreamSynchronize(stream))
SAME(cudaEventCreate, (cudaEvent_t * event), cudaEventCreateWithFlags(event, 0))
SAME(cudaEventQuery, (cudaEvent_t event), cudaEventSynchronize(event))
SAME(cudaGraphInstantiateWithFlags,
    (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
    cudaGraphInstantiate(exec, graph, flags))
SAME(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
    (int *blocks, const void *kernel, int threads, size_t shared, unsigned flags),
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared))
SAME(cudaGetDriverEntryPointByVersion,
    (const char *name, void **call, unsigned version, unsigned long long flags,
        enum cudaDriverEntryPointQueryResult *result),
    cudaGetDriverEntryPoint(name, call, flags, result))

/* ---- calls of the driver API ---- */

static cudaError_t fill(
    CUdeviceptr p, unsigned value, unsigned bytes, size_t count, CUstream stream)
{
    cudaError_t error;
    ENTER_AS("cuMemset");
    struct work w = work_set((void *)p, count * bytes, 0, count, 1);
    w.set.value = value, w.set.elementSize = bytes;
    if (!count || capture_takes(stream, 0, &w, &error))
        return runtime_leave(count ? error : cudaSuccess);
    error = memory_kind((void *)p, NULL) == BLOCK_HOST ? cudaErrorInvalidValue
                                                       : copy_set(&w.set, stream);
    return runtime_leave(error);
}

static cudaError_t address_range(CUdeviceptr *start, size_t *bytes, CUdeviceptr p)
{
    void *at;
    size_t size;
    const char *name;
    ENTER_AS("cuMemGetAddressRange");
    if (memory_block((void *)p, &at, &size, &name)) return runtime_leave(cudaErrorInvalidValue);
    if (start) *start = (CUdeviceptr)at;
    if (bytes) *bytes = size;
    return runtime_leave(cudaSuccess);
}

/* EARLY defines a call that is allowed before cuInit and without a context. Other calls require cuInit
 * and a current context. */
#define EARLY(name, parameters, call) \
    API CUresult name parameters { return driver_result(call); }
#define DRIVER(name, parameters, call) \
    API CUresult name parameters \
    { \
        CUresult needs = driver_ready(); \
        return needs ? needs : driver_result(call); \
    }

EARLY(cuDriverGetVersion, (int *version), cudaDriverGetVersion(version))
EARLY(cuDeviceGetCount, (int *count), cudaGetDeviceCount(count))
EARLY(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer),
    cudaDeviceCanAccessPeer(can, device, peer))
DRIVER(cuCtxGetDevice, (CUdevice * device), cudaGetDevice(device))
DRIVER(cuCtxSynchronize, (void), cudaDeviceSynchronize())
DRIVER(cuProfilerStart, (void), cudaSuccess)
DRIVER(cuProfilerStop, (void), cudaSuccess)
DRIVER(cuMemAlloc, (CUdeviceptr * p, size_t bytes), cudaMalloc((void **)p, bytes))
DRIVER(cuMemAllocManaged, (CUdeviceptr * p, size_t bytes, unsigned flags),
    cudaMallocManaged((void **)p, bytes, flags))
DRIVER(cuMemAllocPitch,
    (CUdeviceptr * p, size_t *pitch, size_t width, size_t height, unsigned element),
    cudaMallocPitch((void **)p, pitch, width, height))
DRIVER(cuMemFree, (CUdeviceptr p), cudaFree((void *)p))
DRIVER(cuMemAllocHost, (void **p, size_t bytes), cudaMallocHost(p, bytes))
DRIVER(cuMemHostAlloc, (void **p, size_t bytes, unsigned flags), cudaHostAlloc(p, bytes, flags))
DRIVER(cuMemHostGetDevicePointer, (CUdeviceptr * device, void *host, unsigned flags),
    cudaHostGetDevicePointer((void **)device, host, flags))
DRIVER(cuMemFreeHost, (void *p), cudaFreeHost(p))
DRIVER(cuMemGetInfo, (size_t * free_bytes, size_t *total), cudaMemGetInfo(free_bytes, total))
DRIVER(cuMemGetAddressRange, (CUdeviceptr * start, size_t *bytes, CUdeviceptr p),
    address_range(start, bytes, p))
EARLY(cuDeviceGetDefaultMemPool, (CUmemoryPool * pool, CUdevice device),
    cudaDeviceGetDefaultMemPool(pool, device))
EARLY(cuMemGetDefaultMemPool,
    (CUmemoryPool * pool, CUmemLocation *location, CUmemAllocationType type),
    cudaMemGetDefaultMemPool(pool, location, type))
EARLY(cuMemPoolCreate, (CUmemoryPool * pool, const CUmemPoolProps *props),
    cudaMemPoolCreate(pool, props))
EARLY(cuMemPoolDestroy, (CUmemoryPool pool), cudaMemPoolDestroy(pool))
EARLY(cuMemPoolGetAttribute, (CUmemoryPool pool, CUmemPool_attribute attribute, void *value),
    cudaMemPoolGetAttribute(pool, attribute, value))
EARLY(cuMemPoolSetAttribute, (CUmemoryPool pool, CUmemPool_attribute attribute, void *value),
    cudaMemPoolSetAttribute(pool, attribute, value))
EARLY(cuMemPoolGetAccess, (CUmemAccess_flags * flags, CUmemoryPool pool, CUmemLocation *location),
    cudaMemPoolGetAccess(flags, pool, location))
EARLY(cuMemPoolSetAccess, (CUmemoryPool pool, const CUmemAccessDesc *map, size_t count),
    cudaMemPoolSetAccess(pool, map, count))
EARLY(cuMemPoolTrimTo, (CUmemoryPool pool, size_t bytes), cudaMemPoolTrimTo(pool, bytes))
DRIVER(cuMemAllocAsync, (CUdeviceptr * p, size_t bytes, CUstream stream),
    cudaMallocAsync((void **)p, bytes, stream))
EARLY(cuMemAllocFromPoolAsync, (CUdeviceptr * p, size_t bytes, CUmemoryPool pool, CUstream stream),
    cudaMallocFromPoolAsync((void **)p, bytes, pool, stream))
EARLY(cuMemFreeAsync, (CUdeviceptr p, CUstream stream), cudaFreeAsync((void *)p, stream))
DRIVER(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
    cudaMemcpy((void *)to, (void *)from, bytes, cudaMemcpyDefault))
DRIVER(cuMemcpyHtoD, (CUdeviceptr to, const void *from, size_t bytes),
    cudaMemcpy((void *)to, from, bytes, cudaMemcpyHostToDevice))
DRIVER(cuMemcpyDtoH, (void *to, CUdeviceptr from, size_t bytes),
    cudaMemcpy(to, (void *)from, bytes, cudaMemcpyDeviceToHost))
DRIVER(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
    cudaMemcpy((void *)to, (void *)from, bytes, cudaMemcpyDeviceToDevice))
DRIVER(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
    cudaMemcpyAsync((void *)to, (void *)from, bytes, cudaMemcpyDefault, stream))
DRIVER(cuMemcpyHtoDAsync, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream),
    cudaMemcpyAsync((void *)to, from, bytes, cudaMemcpyHostToDevice, stream))
DRIVER(cuMemcpyDtoHAsync, (void *to, CUdeviceptr from, size_t bytes, CUstream stream),
    cudaMemcpyAsync(to, (void *)from, bytes, cudaMemcpyDeviceToHost, stream))
DRIVER(cuMemcpyDtoDAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
    cudaMemcpyAsync((void *)to, (void *)from, bytes, cudaMemcpyDeviceToDevice, stream))
DRIVER(
    cuMemsetD8, (CUdeviceptr p, unsigned char value, size_t count), fill(p, value, 1, count, NULL))
DRIVER(cuMemsetD16, (CUdeviceptr p, unsigned short value, size_t count),
    fill(p, value, 2, count, NULL))
DRIVER(cuMemsetD32, (CUdeviceptr p, unsigned value, size_t count), fill(p, value, 4, count, NULL))
DRIVER(cuMemsetD8Async, (CUdeviceptr p, unsigned char value, size_t count, CUstream stream),
    fill(p, value, 1, count, stream))
DRIVER(cuMemsetD16Async, (CUdeviceptr p, unsigned short value, size_t count, CUstream stream),
    fill(p, value, 2, count, stream))
DRIVER(cuMemsetD32Async, (CUdeviceptr p, unsigned value, size_t count, CUstream stream),
    fill(p, value, 4, count, stream))
DRIVER(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void *data),
    cudaLaunchHostFunc(stream, function, data))
DRIVER(
    cuStreamCreate, (CUstream * stream, unsigned flags), cudaStreamCreateWithFlags(stream, flags))
DRIVER(cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority),
    cudaStreamCreateWithPriority(stream, flags, priority))
DRIVER(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
DRIVER(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
DRIVER(cuStreamQuery, (CUstream stream), cudaStreamQuery(stream))
DRIVER(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags),
    cudaStreamWaitEvent(stream, event, flags))
DRIVER(cuEventCreate, (CUevent * event, unsigned flags), cudaEventCreateWithFlags(event, flags))
DRIVER(cuEventDestroy, (CUevent event), cudaEventDestroy(event))
DRIVER(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
DRIVER(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
DRIVER(cuEventQuery, (CUevent event), cudaEventQuery(event))
DRIVER(
    cuEventElapsedTime, (float *ms, CUevent from, CUevent to), cudaEventElapsedTime(ms, from, to))
DRIVER(cuFuncSetAttribute, (CUfunction f, CUfunction_attribute attribute, int value),
    cudaFuncSetAttribute(f, (enum cudaFuncAttribute)attribute, value))
DRIVER(cuFuncSetCacheConfig, (CUfunction f, CUfunc_cache config),
    cudaFuncSetCacheConfig(f, (enum cudaFuncCache)config))
DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor,
    (int *blocks, CUfunction f, int threads, size_t shared),
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, shared))
API CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return cuModuleLoadData(module, image);
}
