/* array.c - arrays, boxes, textures and surfaces.
 *
 *     cudaArray: rows of texels in the device's memory, one after another, plane after plane
 *     texture or surface object: the address of a descriptor in the device's memory (stubs/texture_types.h),
 *     which the kernel's own code reads
 */
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

struct cudaArray {
    struct cudaChannelFormatDesc format;
    struct cudaExtent extent; /* as it was asked for: height and depth may be 0 */
    unsigned flags;
    void *data;
    size_t texel, pitch, slice; /* bytes: of a texel, a row, a plane */
};

static size_t one(size_t n) { return n ? n : 1; }

API struct cudaChannelFormatDesc lockstepChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, f};
}

static int channels(const struct cudaChannelFormatDesc *d) { return !!d->x + !!d->y + !!d->z + !!d->w; }

API cudaError_t cudaMalloc3DArray(
    cudaArray_t *out, const struct cudaChannelFormatDesc *d, struct cudaExtent extent, unsigned flags)
{
    ENTER();
    if (!out || !d || !d->x || !extent.width) return runtime_leave(cudaErrorInvalidValue);
    struct cudaArray *a = xcalloc(1, sizeof *a);
    *a = (struct cudaArray){*d, extent, flags, .texel = (size_t)(d->x + d->y + d->z + d->w) / 8};
    a->pitch = a->texel * extent.width;
    a->slice = a->pitch * one(extent.height);
    cudaError_t error = cudaMallocPitch(&a->data, &(size_t){0}, a->slice * one(extent.depth), 1);
    if (error) free(a), a = NULL;
    *out = a;
    return runtime_leave(error);
}

API cudaError_t cudaMallocArray(
    cudaArray_t *a, const struct cudaChannelFormatDesc *d, size_t width, size_t height, unsigned flags)
{
    return cudaMalloc3DArray(a, d, (struct cudaExtent){width, height, 0}, flags);
}

API cudaError_t cudaFreeArray(cudaArray_t a)
{
    ENTER();
    if (a) cudaFree(a->data);
    free(a);
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaArrayGetInfo(
    struct cudaChannelFormatDesc *d, struct cudaExtent *extent, unsigned *flags, cudaArray_t a)
{
    ENTER();
    if (!a) return runtime_leave(cudaErrorInvalidResourceHandle);
    if (d) *d = a->format;
    if (extent) *extent = a->extent;
    if (flags) *flags = a->flags;
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *d, cudaArray_const_t a)
{
    ENTER();
    *d = a->format;
    return runtime_leave(cudaSuccess);
}

/* ---- copies ---- */

/* Does the rectangle, x and width in bytes, lie in the array? */
static int inside(const struct cudaArray *a, size_t x, size_t y, size_t width, size_t height)
{
    return a && x <= a->pitch && width <= a->pitch - x && y + height <= one(a->extent.height);
}

static cudaError_t to_array(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
    size_t height, enum cudaMemcpyKind kind, cudaStream_t stream, int wait)
{
    if (!inside(to, x, y, width, height)) return cudaErrorInvalidValue;
    char *at = (char *)to->data + y * to->pitch + x;
    return copy_rows(at, to->pitch, from, pitch, width, height, kind, stream, wait);
}

static cudaError_t from_array(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
    size_t width, size_t height, enum cudaMemcpyKind kind)
{
    if (!inside(from, x, y, width, height)) return cudaErrorInvalidValue;
    const char *at = (const char *)from->data + y * from->pitch + x;
    return copy_rows(to, pitch, at, from->pitch, width, height, kind, NULL, 1);
}

API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
    size_t width, size_t height, enum cudaMemcpyKind kind)
{
    ENTER();
    return runtime_leave(to_array(to, x, y, from, pitch, width, height, kind, NULL, 1));
}

API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
    size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    ENTER();
    return runtime_leave(to_array(to, x, y, from, pitch, width, height, kind, stream, 0));
}

API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
    size_t width, size_t height, enum cudaMemcpyKind kind)
{
    ENTER();
    return runtime_leave(from_array(to, pitch, from, x, y, width, height, kind));
}

/* Rows follow each other without a gap, so bytes of several rows are one copy. */
static int in_rows(const struct cudaArray *a, size_t x, size_t y, size_t bytes)
{
    return a && x <= a->pitch && y * a->pitch + x + bytes <= a->slice;
}

API cudaError_t cudaMemcpyToArray(
    cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    ENTER();
    if (!in_rows(to, x, y, bytes)) return runtime_leave(cudaErrorInvalidValue);
    char *at = (char *)to->data + y * to->pitch + x;
    return runtime_leave(copy_rows(at, bytes, from, bytes, bytes, 1, kind, NULL, 1));
}

API cudaError_t cudaMemcpyFromArray(
    void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind)
{
    ENTER();
    if (!in_rows(from, x, y, bytes)) return runtime_leave(cudaErrorInvalidValue);
    const char *at = (const char *)from->data + y * from->pitch + x;
    return runtime_leave(copy_rows(to, bytes, at, bytes, bytes, 1, kind, NULL, 1));
}

/* One side of a copy of a box: x and width count texels where an array takes part, otherwise bytes. */
struct side {
    char *start;
    size_t pitch, slice;
};
static struct side side_of(
    const struct cudaArray *a, const struct cudaPitchedPtr *p, const struct cudaPos *at, size_t unit)
{
    struct side s = {a ? a->data : p->ptr, a ? a->pitch : p->pitch, a ? a->slice : p->pitch * one(p->ysize)};
    s.start += at->z * s.slice + at->y * s.pitch + at->x * (a ? unit : 1);
    return s;
}

static cudaError_t copy_box(const struct cudaMemcpy3DParms *p, cudaStream_t stream, int wait)
{
    size_t unit = p->srcArray ? p->srcArray->texel : p->dstArray ? p->dstArray->texel : 1;
    struct side from = side_of(p->srcArray, &p->srcPtr, &p->srcPos, unit),
                to = side_of(p->dstArray, &p->dstPtr, &p->dstPos, unit);
    cudaError_t error = from.start && to.start ? cudaSuccess : cudaErrorInvalidValue;
    size_t width = p->extent.width * unit, rows = one(p->extent.height);
    for (size_t z = 0; z < one(p->extent.depth) && !error; z++)
        error = copy_rows(to.start + z * to.slice, to.pitch, from.start + z * from.slice, from.pitch, width,
            rows, p->kind, stream, wait);
    return error;
}

API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    ENTER();
    return runtime_leave(copy_box(p, NULL, 1));
}

API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    ENTER();
    return runtime_leave(copy_box(p, stream, 0));
}

API cudaError_t cudaMemset3D(struct cudaPitchedPtr p, int value, struct cudaExtent extent)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < extent.depth && !error; z++)
        error = cudaMemset2D(
            (char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value, extent.width, extent.height);
    return error;
}

/* ---- objects ---- */

static int describe(struct lockstep_texture *t, const struct cudaResourceDesc *r)
{
    const struct cudaArray *a = r->res.array.array;
    struct cudaChannelFormatDesc f;
    struct cudaExtent extent;
    size_t pitch = 0, slice = 0;
    void *data;
    if (r->resType == cudaResourceTypeArray && a) {
        f = a->format, extent = a->extent, data = a->data, pitch = a->pitch, slice = a->slice;
    } else if (r->resType == cudaResourceTypeLinear) {
        f = r->res.linear.desc, data = r->res.linear.devPtr;
        size_t texel = (size_t)(f.x + f.y + f.z + f.w) / 8;
        extent = (struct cudaExtent){texel ? r->res.linear.sizeInBytes / texel : 0, 0, 0};
    } else if (r->resType == cudaResourceTypePitch2D) {
        f = r->res.pitch2D.desc, data = r->res.pitch2D.devPtr, pitch = r->res.pitch2D.pitchInBytes;
        extent = (struct cudaExtent){r->res.pitch2D.width, r->res.pitch2D.height, 0};
    } else {
        return -1;
    }
    if (!data || !f.x) return -1;
    *t = (struct lockstep_texture){data, {(int)extent.width, (int)one(extent.height), (int)one(extent.depth)},
        (unsigned)pitch, slice, .kind = (unsigned char)f.f, .bits = (unsigned char)f.x,
        .channels = (unsigned char)channels(&f)};
    return 0;
}

static cudaError_t make_object(unsigned long long *object, const struct lockstep_texture *t)
{
    void *at;
    struct err e = {0};
    cudaError_t error = cudaMallocPitch(&at, &(size_t){0}, sizeof *t, 1);
    if (!error && device_copy_in(runtime.device, (dev_ptr)(uintptr_t)at, t, sizeof *t, &e))
        error = cudaErrorInvalidValue;
    *object = error ? 0 : (unsigned long long)(uintptr_t)at;
    return error;
}

API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *r,
    const struct cudaTextureDesc *d, const struct cudaResourceViewDesc *view)
{
    struct lockstep_texture t;
    (void)view;
    ENTER();
    if (!object || !r || !d || describe(&t, r)) return runtime_leave(cudaErrorInvalidValue);
    if (d->readMode == cudaReadModeNormalizedFloat && (t.bits > 16 || t.kind == cudaChannelFormatKindFloat))
        return runtime_leave(t.kind == cudaChannelFormatKindFloat ? (t.to_float = 0, make_object(object, &t))
                                                                  : cudaErrorInvalidNormSetting);
    t.to_float = d->readMode == cudaReadModeNormalizedFloat;
    t.linear = d->filterMode == cudaFilterModeLinear;
    if (t.linear && !t.to_float && t.kind != cudaChannelFormatKindFloat)
        return runtime_leave(cudaErrorInvalidFilterSetting);
    t.normalized = d->normalizedCoords != 0;
    for (int i = 0; i < 3; i++) {
        int border = d->addressMode[i] == cudaAddressModeBorder;
        t.address[i] = (unsigned char)(t.normalized || border ? d->addressMode[i] : cudaAddressModeClamp);
    }
    return runtime_leave(make_object(object, &t));
}

API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t) { return cudaFree((void *)(uintptr_t)t); }

API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *r)
{
    struct lockstep_texture t;
    ENTER();
    if (!object || !r || describe(&t, r)) return runtime_leave(cudaErrorInvalidValue);
    return runtime_leave(make_object(object, &t));
}

API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s) { return cudaFree((void *)(uintptr_t)s); }
