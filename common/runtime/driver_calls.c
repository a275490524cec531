/* driver_calls.c - calls of the driver that are the runtime's under another name: CALL(name,
 * parameters, the runtime's call). A CUdeviceptr is an address as an integer.
 *
 *     cuMemcpyHtoD(to, from, n) ──> cudaMemcpy(to, from, n, cudaMemcpyHostToDevice)
 */
#include "cuda/stubs/cuda.h"

#include "runtime/driver.h"
#include "runtime/graph.h"

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

/* EARLY: before cuInit, too. */
#define EARLY(name, parameters, call) \
    API CUresult name parameters { return (CUresult)(call); }
#define CALL(name, parameters, call) \
    API CUresult name parameters \
    { \
        CUresult needs = driver_ready(); \
        return needs ? needs : (CUresult)(call); \
    }

EARLY(cuDriverGetVersion, (int *version), cudaDriverGetVersion(version))
EARLY(cuDeviceGetCount, (int *count), cudaGetDeviceCount(count))
EARLY(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer),
    cudaDeviceCanAccessPeer(can, device, peer))
CALL(cuCtxGetDevice, (CUdevice * device), cudaGetDevice(device))
CALL(cuCtxSynchronize, (void), cudaDeviceSynchronize())
CALL(cuMemAlloc, (CUdeviceptr * p, size_t bytes), cudaMalloc((void **)p, bytes))
CALL(cuMemAllocManaged, (CUdeviceptr * p, size_t bytes, unsigned flags),
    cudaMallocManaged((void **)p, bytes, flags))
CALL(cuMemAllocPitch,
    (CUdeviceptr * p, size_t *pitch, size_t width, size_t height, unsigned element),
    ((void)element, cudaMallocPitch((void **)p, pitch, width, height)))
CALL(cuMemFree, (CUdeviceptr p), cudaFree((void *)p))
CALL(cuMemAllocHost, (void **p, size_t bytes), cudaMallocHost(p, bytes))
CALL(cuMemHostAlloc, (void **p, size_t bytes, unsigned flags), cudaHostAlloc(p, bytes, flags))
CALL(cuMemHostGetDevicePointer, (CUdeviceptr * device, void *host, unsigned flags),
    cudaHostGetDevicePointer((void **)device, host, flags))
CALL(cuMemFreeHost, (void *p), cudaFreeHost(p))
CALL(cuMemGetInfo, (size_t * free_bytes, size_t *total), cudaMemGetInfo(free_bytes, total))
CALL(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
    cudaMemcpy((void *)to, (void *)from, bytes, cudaMemcpyDefault))
CALL(cuMemcpyHtoD, (CUdeviceptr to, const void *from, size_t bytes),
    cudaMemcpy((void *)to, from, bytes, cudaMemcpyHostToDevice))
CALL(cuMemcpyDtoH, (void *to, CUdeviceptr from, size_t bytes),
    cudaMemcpy(to, (void *)from, bytes, cudaMemcpyDeviceToHost))
CALL(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
    cudaMemcpy((void *)to, (void *)from, bytes, cudaMemcpyDeviceToDevice))
CALL(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
    cudaMemcpyAsync((void *)to, (void *)from, bytes, cudaMemcpyDefault, stream))
CALL(cuMemcpyHtoDAsync, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream),
    cudaMemcpyAsync((void *)to, from, bytes, cudaMemcpyHostToDevice, stream))
CALL(cuMemcpyDtoHAsync, (void *to, CUdeviceptr from, size_t bytes, CUstream stream),
    cudaMemcpyAsync(to, (void *)from, bytes, cudaMemcpyDeviceToHost, stream))
CALL(cuMemcpyDtoDAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
    cudaMemcpyAsync((void *)to, (void *)from, bytes, cudaMemcpyDeviceToDevice, stream))
CALL(cuMemsetD8, (CUdeviceptr p, unsigned char value, size_t count), fill(p, value, 1, count, NULL))
CALL(cuMemsetD16, (CUdeviceptr p, unsigned short value, size_t count),
    fill(p, value, 2, count, NULL))
CALL(cuMemsetD32, (CUdeviceptr p, unsigned value, size_t count), fill(p, value, 4, count, NULL))
CALL(cuMemsetD8Async, (CUdeviceptr p, unsigned char value, size_t count, CUstream stream),
    fill(p, value, 1, count, stream))
CALL(cuMemsetD16Async, (CUdeviceptr p, unsigned short value, size_t count, CUstream stream),
    fill(p, value, 2, count, stream))
CALL(cuMemsetD32Async, (CUdeviceptr p, unsigned value, size_t count, CUstream stream),
    fill(p, value, 4, count, stream))
CALL(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void *data),
    cudaLaunchHostFunc(stream, function, data))
CALL(cuStreamCreate, (CUstream * stream, unsigned flags), cudaStreamCreateWithFlags(stream, flags))
CALL(cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority),
    cudaStreamCreateWithPriority(stream, flags, priority))
CALL(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
CALL(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
CALL(cuStreamQuery, (CUstream stream), cudaStreamQuery(stream))
CALL(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags),
    cudaStreamWaitEvent(stream, event, flags))
CALL(cuEventCreate, (CUevent * event, unsigned flags), cudaEventCreateWithFlags(event, flags))
CALL(cuEventDestroy, (CUevent event), cudaEventDestroy(event))
CALL(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
CALL(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
CALL(cuEventQuery, (CUevent event), cudaEventQuery(event))
CALL(cuEventElapsedTime, (float *ms, CUevent from, CUevent to), cudaEventElapsedTime(ms, from, to))
