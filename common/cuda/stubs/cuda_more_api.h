/* cuda_more_api.h - more functions of CUDA's runtime, in C: arrays and textures, copies of boxes, memory
 * pools. cuda_runtime_api.h includes it. Source: CUDA Runtime API. */
#ifndef LOCKSTEP_STANDIN_CUDA_MORE_API_H
#define LOCKSTEP_STANDIN_CUDA_MORE_API_H

#include "texture_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- arrays (runtime/array.c) ---- */
struct cudaChannelFormatDesc lockstepChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f);
cudaError_t cudaMallocArray(cudaArray_t *a, const struct cudaChannelFormatDesc *d, size_t width,
    size_t height LOCKSTEP_DEFAULT_(0), unsigned flags LOCKSTEP_DEFAULT_(0));
cudaError_t cudaMalloc3DArray(cudaArray_t *a, const struct cudaChannelFormatDesc *d,
    struct cudaExtent extent, unsigned flags LOCKSTEP_DEFAULT_(0));
cudaError_t cudaFreeArray(cudaArray_t a);
cudaError_t cudaArrayGetInfo(
    struct cudaChannelFormatDesc *d, struct cudaExtent *extent, unsigned *flags, cudaArray_t a);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *d, cudaArray_const_t a);
cudaError_t cudaMemcpyToArray(
    cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(
    void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
    size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
    size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
    size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent);
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height,
    cudaStream_t stream LOCKSTEP_DEFAULT_(0));
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *t, const struct cudaResourceDesc *r,
    const struct cudaTextureDesc *d, const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *s, const struct cudaResourceDesc *r);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s);

/* ---- memory pools (runtime/pool.c) ---- */
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *d, size_t count);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMallocFromPoolAsync(void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);

#ifdef __cplusplus
}

static inline struct cudaChannelFormatDesc cudaCreateChannelDesc(
    int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    return lockstepChannelDesc(x, y, z, w, f);
}
template <class T> struct lockstep_channel_ { enum { count = 1 }; typedef T type; };
#define LOCKSTEP_CHANNEL_(T, name)                                                       \
    template <> struct lockstep_channel_<name##1> { enum { count = 1 }; typedef T type; }; \
    template <> struct lockstep_channel_<name##2> { enum { count = 2 }; typedef T type; }; \
    template <> struct lockstep_channel_<name##4> { enum { count = 4 }; typedef T type; };
LOCKSTEP_CHANNEL_(signed char, char)
LOCKSTEP_CHANNEL_(unsigned char, uchar)
LOCKSTEP_CHANNEL_(short, short)
LOCKSTEP_CHANNEL_(unsigned short, ushort)
LOCKSTEP_CHANNEL_(int, int)
LOCKSTEP_CHANNEL_(unsigned, uint)
LOCKSTEP_CHANNEL_(float, float)
#undef LOCKSTEP_CHANNEL_
template <class T> static inline struct cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef typename lockstep_channel_<T>::type type;
    int n = lockstep_channel_<T>::count, bits = (int)sizeof(type) * 8;
    bool real = (type)0.5 != 0, sign = (type)-1 < (type)1;
    return lockstepChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 2 ? bits : 0,
        real   ? cudaChannelFormatKindFloat
        : sign ? cudaChannelFormatKindSigned
               : cudaChannelFormatKindUnsigned);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(
    T **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    return cudaMallocFromPoolAsync((void **)p, bytes, pool, stream);
}
#endif

#endif
