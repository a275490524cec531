/* cuda_more_api.h - more functions of CUDA's runtime, in C: copies of boxes, memory pools.
 * cuda_runtime_api.h includes it. Source: CUDA Runtime API. */
#ifndef LOCKSTEP_STANDIN_CUDA_MORE_API_H
#define LOCKSTEP_STANDIN_CUDA_MORE_API_H

#include "texture_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- copies and fills of boxes (runtime/texture.c) ---- */
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
};
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
    size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent);
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height,
    cudaStream_t stream LOCKSTEP_DEFAULT_(0));

/* ---- what is kept in the L2 cache: accepted, but without effect (runtime/stream.c) ---- */
cudaError_t cudaStreamSetAttribute(
    cudaStream_t stream, enum cudaStreamAttrID attribute, const union cudaStreamAttrValue *value);
cudaError_t cudaCtxResetPersistingL2Cache(void);

/* ---- calls of the driver by their names (runtime/tensor_map.c) ---- */
enum cudaDriverEntryPointQueryResult {
    cudaDriverEntryPointSuccess = 0, cudaDriverEntryPointSymbolNotFound = 1,
    cudaDriverEntryPointVersionNotSufficent = 2
};
enum { cudaEnableDefault = 0, cudaEnableLegacyStream = 1, cudaEnablePerThreadDefaultStream = 2 };
cudaError_t cudaGetDriverEntryPoint(const char *name, void **call, unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *result LOCKSTEP_DEFAULT_(0));
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **call, unsigned version,
    unsigned long long flags, enum cudaDriverEntryPointQueryResult *result LOCKSTEP_DEFAULT_(0));

/* ---- memory pools (runtime/pool.c) ---- */
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemGetDefaultMemPool(
    cudaMemPool_t *pool, struct cudaMemLocation *location, enum cudaMemAllocationType type);
cudaError_t cudaMemPoolGetAccess(
    enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *location);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *d, size_t count);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMallocFromPoolAsync(void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);

#ifdef __cplusplus
}

template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(
    T **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)p, bytes, pool, stream);
}
#endif

#endif
