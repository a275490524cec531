/* texture.c - CUDA arrays, texture and surface objects, texture references.
 *
 *     array: rows in device memory      object: struct lockstep_texture_ in device memory, which kernels read
 *     reference: a variable in the program's PTX, which binding sets to the same struct
 *
 * Source: CUDA Runtime API, texture object and array management. */
#include "runtime/runtime.h"

#include "cuda/stubs/texture_types.h"

#include <stdlib.h>
#include <string.h>

struct cudaArray {
    struct cudaChannelFormatDesc desc;
    /* size of the array in elements; height and depth are at least 1 */
    size_t width, height, depth;
    struct cudaExtent asked;
    unsigned flags;
    size_t element, pitch; /* element: bytes of an element; pitch: bytes from one row to the next */
    dev_ptr data;
};

API struct cudaChannelFormatDesc cudaCreateChannelDesc(
    int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

static size_t element_of(const struct cudaChannelFormatDesc *d)
{
    return (size_t)(d->x + d->y + d->z + d->w) / 8;
}

/* ---- arrays ---- */

static cudaError_t make_array(
    cudaArray_t *out, const struct cudaChannelFormatDesc *desc, struct cudaExtent e, unsigned flags)
{
    struct cudaArray a = {.desc = *desc,
        .width = e.width,
        .height = e.height ? e.height : 1,
        .depth = e.depth ? e.depth : 1,
        .asked = e,
        .flags = flags,
        .element = element_of(desc)};
    if (!a.width || !a.element) return cudaErrorInvalidValue;
    a.pitch = (a.width * a.element + 31) / 32 * 32;
    size_t bytes = a.pitch * a.height * a.depth;
    cudaError_t bad = memory_make((void **)&a.data, bytes, a.element, "cudaArray");
    if (bad) return bad;
    *out = xcalloc(1, sizeof **out);
    **out = a;
    return cudaSuccess;
}

CALL(cudaMallocArray,
    (cudaArray_t * array, const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
        unsigned flags),
    make_array(array, desc, make_cudaExtent(width, height, 0), flags))

CALL(cudaMalloc3DArray,
    (cudaArray_t * array, const struct cudaChannelFormatDesc *desc, struct cudaExtent extent,
        unsigned flags),
    make_array(array, desc, extent, flags))

API cudaError_t cudaFreeArray(cudaArray_t array)
{
    ENTER();
    cudaError_t bad = array ? memory_release((void *)(uintptr_t)array->data) : cudaSuccess;
    free(array);
    return runtime_leave(bad);
}

API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    ENTER();
    *desc = array->desc;
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
    unsigned *flags, cudaArray_t array)
{
    ENTER();
    if (desc) *desc = array->desc;
    if (extent) *extent = array->asked;
    if (flags) *flags = array->flags;
    return runtime_leave(cudaSuccess);
}

/* The device address of byte x in row y of an array. */
static void *array_at(cudaArray_const_t a, size_t x, size_t y)
{
    return (void *)(uintptr_t)(a->data + y * a->pitch + x);
}

static int outside(cudaArray_const_t a, size_t x, size_t y, size_t width, size_t height)
{
    return x + width > a->width * a->element || y + height > a->height * a->depth;
}

CALL(cudaMemcpy2DToArray,
    (cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
        size_t height, enum cudaMemcpyKind kind),
    !to || outside(to, x, y, width, height)
        ? cudaErrorInvalidValue
        : cudaMemcpy2D(array_at(to, x, y), to->pitch, from, pitch, width, height, kind))

CALL(cudaMemcpy2DFromArray,
    (void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
        size_t height, enum cudaMemcpyKind kind),
    !from || outside(from, x, y, width, height)
        ? cudaErrorInvalidValue
        : cudaMemcpy2D(to, pitch, array_at(from, x, y), from->pitch, width, height, kind))

/* Copy contiguous host bytes to an array, or back, row by row. x is in bytes. */
static cudaError_t copy_rows(cudaArray_t array, size_t x, size_t y, char *host, size_t bytes,
    enum cudaMemcpyKind kind, int to_array)
{
    size_t row = array ? array->width * array->element : 0;
    cudaError_t bad = array && x < row ? cudaSuccess : cudaErrorInvalidValue;
    for (; bytes && !bad; y++, x = 0) {
        size_t n = bytes < row - x ? bytes : row - x;
        bad = to_array ? cudaMemcpy2DToArray(array, x, y, host, n, n, 1, kind)
                       : cudaMemcpy2DFromArray(host, n, array, x, y, n, 1, kind);
        host += n, bytes -= n;
    }
    return bad;
}

CALL(cudaMemcpyToArray,
    (cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind),
    copy_rows(to, x, y, (char *)from, bytes, kind, 1))

CALL(cudaMemcpyFromArray,
    (void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind),
    copy_rows((cudaArray_t)from, x, y, to, bytes, kind, 0))

/* ---- the description of a texture that kernels read ---- */

static void describe(struct lockstep_texture_ *t, const struct cudaChannelFormatDesc *d,
    dev_ptr base, size_t width, size_t height, size_t depth, size_t pitch)
{
    *t = (struct lockstep_texture_){.base = base,
        .width = (unsigned)width,
        .height = (unsigned)height,
        .depth = (unsigned)depth,
        .pitch = (unsigned)pitch,
        .element = (unsigned)element_of(d),
        .kind = (unsigned char)d->f,
        .bits = (unsigned char)d->x,
        .channels = (unsigned char)(!!d->x + !!d->y + !!d->z + !!d->w)};
}

static cudaError_t describe_resource(struct lockstep_texture_ *t, const struct cudaResourceDesc *r)
{
    switch (r->resType) {
    case cudaResourceTypeArray: {
        const struct cudaArray *a = r->res.array.array;
        if (!a) return cudaErrorInvalidValue;
        describe(t, &a->desc, a->data, a->width, a->height, a->depth, a->pitch);
        return cudaSuccess;
    }
    case cudaResourceTypeLinear: {
        size_t n = element_of(&r->res.linear.desc);
        if (!n || !r->res.linear.devPtr) return cudaErrorInvalidValue;
        describe(t, &r->res.linear.desc, (dev_ptr)(uintptr_t)r->res.linear.devPtr,
            r->res.linear.sizeInBytes / n, 1, 1, 0);
        return cudaSuccess;
    }
    case cudaResourceTypePitch2D:
        describe(t, &r->res.pitch2D.desc, (dev_ptr)(uintptr_t)r->res.pitch2D.devPtr,
            r->res.pitch2D.width, r->res.pitch2D.height, 1, r->res.pitch2D.pitchInBytes);
        return cudaSuccess;
    default: return cudaErrorNotSupported;
    }
}

static void set_modes(struct lockstep_texture_ *t, const enum cudaTextureAddressMode address[3],
    enum cudaTextureFilterMode filter, int normalized_values, int normalized_coordinates)
{
    t->linear = filter == cudaFilterModeLinear;
    t->normalized_values = normalized_values && t->kind != cudaChannelFormatKindFloat;
    t->normalized_coordinates = normalized_coordinates != 0;
    /* the address modes wrap and mirror are only defined for normalized coordinates */
    for (int i = 0; i < 3; i++)
        t->address[i] = normalized_coordinates || address[i] == cudaAddressModeBorder
                            ? (unsigned char)address[i]
                            : cudaAddressModeClamp;
}

static cudaError_t make_object(unsigned long long *object, const struct lockstep_texture_ *t)
{
    struct err e = {0};
    dev_ptr at;
    if (device_alloc(runtime.device, sizeof *t, "texture object", 1, &at, &e))
        return cudaErrorMemoryAllocation;
    if (device_copy_in(runtime.device, at, t, sizeof *t, &e)) return cudaErrorInvalidValue;
    *object = at;
    return cudaSuccess;
}

API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
    const struct cudaResourceDesc *resource, const struct cudaTextureDesc *texture,
    const struct cudaResourceViewDesc *view)
{
    struct lockstep_texture_ t;
    (void)view;
    ENTER();
    cudaError_t bad = describe_resource(&t, resource);
    if (bad) return runtime_leave(bad);
    set_modes(&t, texture->addressMode, texture->filterMode,
        texture->readMode == cudaReadModeNormalizedFloat, texture->normalizedCoords);
    memcpy(t.border, texture->borderColor, sizeof t.border);
    return runtime_leave(make_object(object, &t));
}

API cudaError_t cudaCreateSurfaceObject(
    cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource)
{
    struct lockstep_texture_ t;
    ENTER();
    cudaError_t bad = resource->resType == cudaResourceTypeArray ? describe_resource(&t, resource)
                                                                 : cudaErrorInvalidValue;
    return runtime_leave(bad ? bad : make_object(object, &t));
}

static cudaError_t drop_object(unsigned long long object)
{
    struct err e = {0};
    return object && device_free(runtime.device, object, &e) ? cudaErrorInvalidValue : cudaSuccess;
}

CALL(cudaDestroyTextureObject, (cudaTextureObject_t object), drop_object(object))

CALL(cudaDestroySurfaceObject, (cudaSurfaceObject_t object), drop_object(object))

/* ---- texture references ---- */

static cudaError_t bind(
    const struct textureReference *reference, struct lockstep_texture_ *t, int normalized_values)
{
    struct err e = {0};
    size_t bytes = 0;
    dev_ptr at = registry_variable(reference, &bytes);
    if (!at || bytes < sizeof *t) return cudaErrorInvalidTexture;
    set_modes(
        t, reference->addressMode, reference->filterMode, normalized_values, reference->normalized);
    return device_copy_in(runtime.device, at, t, sizeof *t, &e) ? cudaErrorInvalidValue
                                                                : cudaSuccess;
}

API cudaError_t lockstepBindLinear(size_t *offset, const struct textureReference *texture,
    const void *p, const struct cudaChannelFormatDesc *desc, size_t bytes, int read_mode)
{
    struct lockstep_texture_ t;
    size_t left = 0;
    ENTER_AS("cudaBindTexture");
    if (!element_of(desc) || memory_kind(p, &left) == BLOCK_HOST)
        return runtime_leave(cudaErrorInvalidValue);
    if (offset) *offset = 0;
    if (bytes > left) bytes = left;
    describe(&t, desc, (dev_ptr)(uintptr_t)p, bytes / element_of(desc), 1, 1, 0);
    return runtime_leave(bind(texture, &t, read_mode == cudaReadModeNormalizedFloat));
}

API cudaError_t lockstepBind2D(size_t *offset, const struct textureReference *texture,
    const void *p, const struct cudaChannelFormatDesc *desc, size_t width, size_t height,
    size_t pitch, int read_mode)
{
    struct lockstep_texture_ t;
    ENTER_AS("cudaBindTexture2D");
    if (memory_kind(p, NULL) == BLOCK_HOST) return runtime_leave(cudaErrorInvalidValue);
    if (offset) *offset = 0;
    describe(&t, desc, (dev_ptr)(uintptr_t)p, width, height, 1, pitch);
    return runtime_leave(bind(texture, &t, read_mode == cudaReadModeNormalizedFloat));
}

API cudaError_t lockstepBindArray(
    const struct textureReference *texture, cudaArray_const_t array, int read_mode)
{
    struct lockstep_texture_ t;
    ENTER_AS("cudaBindTextureToArray");
    if (!array) return runtime_leave(cudaErrorInvalidValue);
    describe(
        &t, &array->desc, array->data, array->width, array->height, array->depth, array->pitch);
    return runtime_leave(bind(texture, &t, read_mode == cudaReadModeNormalizedFloat));
}

CALL(cudaUnbindTexture, (const struct textureReference *texture), cudaSuccess)

/* ---- copies of boxes ---- */

/* One side of a box copy: an address, the bytes from row to row, and the bytes from slice to
 * slice. */
struct side {
    char *start;
    size_t pitch, slice;
};
static struct side side_of(
    cudaArray_const_t a, const struct cudaPitchedPtr *p, const struct cudaPos *at)
{
    struct side s = {a ? (char *)(uintptr_t)a->data : p->ptr, a ? a->pitch : p->pitch, 0};
    s.slice = s.pitch * (a ? a->height : p->ysize ? p->ysize : 1);
    s.start += at->z * s.slice + at->y * s.pitch + at->x * (a ? a->element : 1);
    return s;
}

/* In a box copy, positions and width count elements if an array takes part, else bytes. */
void copy_sides(struct cudaMemcpy3DParms *p)
{
    if (!p->srcArray && !p->dstArray && !(p->srcPos.x | p->srcPos.y | p->srcPos.z) &&
        !(p->dstPos.x | p->dstPos.y | p->dstPos.z))
        return;
    p->extent.width *= p->srcArray ? p->srcArray->element : p->dstArray ? p->dstArray->element : 1;
    struct side from = side_of(p->srcArray, &p->srcPtr, &p->srcPos),
                to = side_of(p->dstArray, &p->dstPtr, &p->dstPos);
    p->srcPtr =
        make_cudaPitchedPtr(from.start, from.pitch, p->extent.width, from.slice / from.pitch);
    p->dstPtr = make_cudaPitchedPtr(to.start, to.pitch, p->extent.width, to.slice / to.pitch);
    p->srcArray = p->dstArray = NULL;
    p->srcPos = p->dstPos = (struct cudaPos){0, 0, 0};
}

API cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < extent.depth && !error; z++)
        error = cudaMemset2D(
            (char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value, extent.width, extent.height);
    return error;
}

API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
    size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    if (!to || outside(to, x, y, width, height)) return cudaErrorInvalidValue;
    return cudaMemcpy2DAsync(
        array_at(to, x, y), to->pitch, from, pitch, width, height, kind, stream);
}
