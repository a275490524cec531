/* pool.c - memory pools. Memory is allocated when it is requested and freed at once, so a pool
 * is only a handle with attributes: the device has one, and a program may create more. */
#include "runtime/runtime.h"

#include <stdlib.h>

struct CUmemPoolHandle_st {
    unsigned long long release_threshold;
    int reuse[3];
    int host; /* 1: memory of the host, which kernels access, too */
};
static struct CUmemPoolHandle_st the_default = {0, {1, 1, 1}, 0}, the_host = {0, {1, 1, 1}, 1};
static struct CUmemPoolHandle_st *current = &the_default;

API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    ENTER();
    *pool = &the_default;
    return runtime_leave(device ? cudaErrorInvalidDevice : cudaSuccess);
}

API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    ENTER();
    *pool = current;
    return runtime_leave(device ? cudaErrorInvalidDevice : cudaSuccess);
}

API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    ENTER();
    if (device || !pool)
        return runtime_leave(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    current = pool;
    return runtime_leave(cudaSuccess);
}

/* The default pool of a place: the device's, or that of memory of the host. */
API cudaError_t cudaMemGetDefaultMemPool(
    cudaMemPool_t *pool, struct cudaMemLocation *location, enum cudaMemAllocationType type)
{
    ENTER();
    int host = location && location->type == cudaMemLocationTypeHost;
    if (!pool || !location || type != cudaMemAllocationTypePinned)
        return runtime_leave(cudaErrorInvalidValue);
    *pool = host ? &the_host : &the_default;
    return runtime_leave(!host && location->id ? cudaErrorInvalidDevice : cudaSuccess);
}

API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
    ENTER();
    if (!pool || !props) return runtime_leave(cudaErrorInvalidValue);
    *pool = xcalloc(1, sizeof **pool);
    **pool =
        (struct CUmemPoolHandle_st){0, {1, 1, 1}, props->location.type == cudaMemLocationTypeHost};
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    ENTER();
    if (!pool || pool == &the_default || pool == &the_host)
        return runtime_leave(cudaErrorInvalidValue);
    if (current == pool) current = &the_default;
    free(pool);
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaMemPoolSetAttribute(
    cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    ENTER();
    if (!pool || !value || (int)attribute < 1) return runtime_leave(cudaErrorInvalidValue);
    if (attribute == cudaMemPoolAttrReleaseThreshold)
        pool->release_threshold = *(unsigned long long *)value;
    else if (attribute < cudaMemPoolAttrReleaseThreshold)
        pool->reuse[attribute - 1] = *(int *)value;
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaMemPoolGetAttribute(
    cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    ENTER();
    if (!pool || !value || (int)attribute < 1) return runtime_leave(cudaErrorInvalidValue);
    if (attribute < cudaMemPoolAttrReleaseThreshold)
        *(int *)value = pool->reuse[attribute - 1];
    else
        *(unsigned long long *)value =
            attribute == cudaMemPoolAttrReleaseThreshold ? pool->release_threshold : 0;
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaMemPoolSetAccess(
    cudaMemPool_t pool, const struct cudaMemAccessDesc *d, size_t count)
{
    ENTER();
    for (size_t i = 0; i < count; i++)
        if (d[i].location.id) return runtime_leave(cudaErrorInvalidDevice);
    return runtime_leave(pool ? cudaSuccess : cudaErrorInvalidValue);
}

API cudaError_t cudaMemPoolGetAccess(
    enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *location)
{
    ENTER();
    if (!flags || !pool || !location) return runtime_leave(cudaErrorInvalidValue);
    int host = location->type == cudaMemLocationTypeHost;
    *flags = host && !pool->host ? cudaMemAccessFlagsProtNone : cudaMemAccessFlagsProtReadWrite;
    return runtime_leave(!host && location->id ? cudaErrorInvalidDevice : cudaSuccess);
}

CALL(cudaMemPoolTrimTo, (cudaMemPool_t pool, size_t bytes),
    pool ? cudaSuccess : cudaErrorInvalidValue)

CALL(cudaMallocFromPoolAsync, (void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
    !pool        ? cudaErrorInvalidValue
    : pool->host ? cudaMallocManaged(p, bytes, cudaMemAttachGlobal)
                 : cudaMallocAsync(p, bytes, stream))
