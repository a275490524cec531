/* cuda_runtime_api.h - the functions of CUDA's runtime, in C. common/runtime implements each that is here; a
 * call that is not declared here is a compiler error.
 * Source: CUDA Runtime API. */
#ifndef LOCKSTEP_STANDIN_CUDA_RUNTIME_API_H
#define LOCKSTEP_STANDIN_CUDA_RUNTIME_API_H
/* what thrust looks for */
#define __CUDA_RUNTIME_API_H__
#define __HOST_DEFINES_H__

#ifdef __cplusplus
#define LOCKSTEP_DEFAULT_(value) = value
#else
#define LOCKSTEP_DEFAULT_(value)
#endif

#include "vector_types.h"

#include "driver_types.h"

#define CUDART_VERSION 13000

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what <<<...>>> becomes; before CUDA 9.2 that was cudaConfigureCall, and clang may look for it ---- */
cudaError_t cudaConfigureCall(
    dim3 grid, dim3 block, size_t shared LOCKSTEP_DEFAULT_(0), cudaStream_t stream LOCKSTEP_DEFAULT_(0));
unsigned __cudaPushCallConfiguration(
    dim3 grid, dim3 block, size_t shared LOCKSTEP_DEFAULT_(0), void *stream LOCKSTEP_DEFAULT_(0));
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t cudaLaunchKernel(
    const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(
    const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);

/* ---- errors ---- */
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);

/* ---- the device ---- */
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDeviceFlags(unsigned *flags);
cudaError_t cudaInitDevice(int device, unsigned flags, unsigned ahead);
cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device, int peer);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *p);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* ---- memory ---- */
cudaError_t lockstepMalloc(void **p, size_t bytes, size_t element, const char *file, int line);
cudaError_t lockstepMallocManaged(void **p, size_t bytes, size_t element, const char *file, int line);
#ifndef __cplusplus
cudaError_t cudaMalloc(void **p, size_t bytes);
cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned flags);
#endif
cudaError_t cudaMallocHost(void **p, size_t bytes);
cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned flags);
cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent);
cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream);
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeAsync(void *p, cudaStream_t stream);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *p);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
cudaError_t cudaHostGetFlags(unsigned *flags, void *host);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
    cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
    cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
    size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
    size_t height, enum cudaMemcpyKind kind, cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaMemset(void *p, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemPrefetchAsync(
    const void *p, size_t bytes, int device, cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaMemAdvise(const void *p, size_t bytes, enum cudaMemoryAdvise advice, int device);

/* ---- symbols ---- */
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
    size_t offset LOCKSTEP_DEFAULT_(0), enum cudaMemcpyKind kind LOCKSTEP_DEFAULT_(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
    size_t offset LOCKSTEP_DEFAULT_(0), enum cudaMemcpyKind kind LOCKSTEP_DEFAULT_(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
    enum cudaMemcpyKind kind, cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
    enum cudaMemcpyKind kind, cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaGetSymbolAddress(void **p, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol);

/* ---- streams and events ---- */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
cudaError_t cudaStreamWaitEvent(
    cudaStream_t stream, cudaEvent_t event, unsigned flags LOCKSTEP_DEFAULT_(0));
cudaError_t cudaStreamAddCallback(
    cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t bytes LOCKSTEP_DEFAULT_(0),
    unsigned flags LOCKSTEP_DEFAULT_(cudaMemAttachSingle));
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventRecordWithFlags(
    cudaEvent_t event, cudaStream_t stream LOCKSTEP_DEFAULT_(0), unsigned flags LOCKSTEP_DEFAULT_(0));
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);

/* ---- kernels ---- */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *kernel);
cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, const void *kernel, int threads, size_t shared);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *kernel, int threads, size_t shared, unsigned flags);
/* Sets *grid and *block to the launch with the most resident threads. */
/* shared_of: the bytes of dynamic shared memory of a block of that many threads; NULL: `shared` bytes */
cudaError_t lockstepOccupancyBest(int *grid, int *block, const void *kernel, size_t shared,
    size_t (*shared_of)(const void *context, int threads), const void *context, int most);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
    size_t *bytes, const void *kernel, int blocks, int threads);
cudaError_t cudaFuncGetName(const char **name, const void *kernel);

#ifdef __cplusplus
}

#include "texture_types.h"

/* ---- the forms that C++ adds ---- */

template <class T> struct lockstep_element_ { enum { bytes = sizeof(T) }; };
template <> struct lockstep_element_<void> { enum { bytes = 1 }; };

/* The file and line of the call name the memory in messages. */
template <class T>
static inline cudaError_t cudaMalloc(
    T **p, size_t bytes, const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    return lockstepMalloc((void **)p, bytes, lockstep_element_<T>::bytes, file, line);
}
/* For programs such as Thrust, which take the address of cudaMalloc as a function of two parameters; calls
 * are resolved to the template above. */
template <class T> struct lockstep_two_words_ {};
template <> struct lockstep_two_words_<void(void **, size_t)> { typedef cudaError_t result; };
template <class P, class S>
static inline typename lockstep_two_words_<void(P, S)>::result cudaMalloc(P p, S bytes)
{
    return lockstepMalloc(p, bytes, 1, nullptr, 0);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **p, size_t bytes, unsigned = cudaMemAttachGlobal,
    const char *file = __builtin_FILE(), int line = __builtin_LINE())
{
    return lockstepMallocManaged((void **)p, bytes, lockstep_element_<T>::bytes, file, line);
}
template <class T> static inline cudaError_t cudaMallocHost(T **p, size_t bytes, unsigned = 0)
{
    return cudaMallocHost((void **)p, bytes);
}
template <class T> static inline cudaError_t cudaHostAlloc(T **p, size_t bytes, unsigned flags)
{
    return cudaHostAlloc((void **)p, bytes, flags);
}
template <class T> static inline cudaError_t cudaMallocPitch(
    T **p, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)p, pitch, width, height);
}
template <class T> static inline cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync((void **)p, bytes, stream);
}
template <class T> static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags)
{
    return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
    size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
    enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
    size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes,
    size_t offset = 0, enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T> static inline cudaError_t cudaGetSymbolAddress(void **p, const T &symbol)
{
    return cudaGetSymbolAddress(p, (const void *)&symbol);
}
template <class T> static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    return cudaGetSymbolSize(bytes, (const void *)&symbol);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return cudaEventCreateWithFlags(event, flags);
}
static inline cudaError_t cudaMemPrefetchAsync(
    const void *p, size_t bytes, struct cudaMemLocation, unsigned, cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync(p, bytes, 0, stream);
}
static inline cudaError_t cudaMemAdvise(
    const void *p, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation)
{
    return cudaMemAdvise(p, bytes, advice, 0);
}
/* CUDA 12's names of these two */
static inline cudaError_t cudaMemPrefetchAsync_v2(
    const void *p, size_t bytes, struct cudaMemLocation to, unsigned flags, cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync(p, bytes, to, flags, stream);
}
static inline cudaError_t cudaMemAdvise_v2(
    const void *p, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation at)
{
    return cudaMemAdvise(p, bytes, advice, at);
}
template <class T>
static inline cudaError_t cudaLaunchKernel(
    T *kernel, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, args, shared, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(
    T *kernel, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchCooperativeKernel((const void *)kernel, grid, block, args, shared, stream);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, T *kernel)
{
    return cudaFuncGetAttributes(a, (const void *)kernel);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <class T> static inline cudaError_t cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *kernel, enum cudaSharedMemConfig config)
{
    return cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, T kernel, int threads, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads, shared);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(
    int *grid, int *block, T kernel, size_t shared = 0, int most = 0)
{
    return lockstepOccupancyBest(grid, block, (const void *)kernel, shared, 0, 0, most);
}
template <class F> static inline size_t lockstep_shared_of(const void *of, int threads)
{
    return (*(const F *)of)(threads);
}
template <class F, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *grid, int *block, T kernel, F shared, int most = 0)
{
    return lockstepOccupancyBest(grid, block, (const void *)kernel, 0, lockstep_shared_of<F>, &shared, most);
}
template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(
    size_t *bytes, T *kernel, int blocks, int threads)
{
    return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, threads);
}
template <class T> static inline cudaError_t cudaFuncGetName(const char **name, T *kernel)
{
    return cudaFuncGetName(name, (const void *)kernel);
}
#endif

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    struct cudaExtent e = {width, height, depth};
    return e;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    struct cudaPos p = {x, y, z};
    return p;
}
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t xsize, size_t ysize)
{
    struct cudaPitchedPtr q = {p, pitch, xsize, ysize};
    return q;
}

#include "cuda_launch_api.h"
#include "cuda_more_api.h"
#include "cuda_graph_api.h"

#endif
