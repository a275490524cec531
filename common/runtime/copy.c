/* copy.c - copies, memsets, and access to device variables by their host names.
 *
 * The direction of a copy follows from its addresses; a cudaMemcpyKind that contradicts them is
 * an error, as on a GPU. */
#include "runtime/graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct copy_sum copies[COPY_KINDS];
const char *const copy_names[COPY_KINDS] = {
    "[CUDA memcpy HtoD]", "[CUDA memcpy DtoH]", "[CUDA memcpy DtoD]", "[CUDA memset]"};

/* Is the memory at p device memory that the host cannot access directly? */
static int apart(const void *p) { return memory_kind(p, NULL) == BLOCK_DEVICE; }

static void add_copy(enum copy_kind kind, size_t bytes, cudaStream_t stream, int wait, int pinned)
{
    const struct model_link *link = model_link_find(runtime.profile);
    double rate = kind >= COPY_DEVICE ? runtime.profile->dram_gbps / (kind == COPY_DEVICE ? 2 : 1)
                  : !link             ? 10
                  : pinned            ? link->gbps
                                      : link->pageable_gbps;
    double fixed = kind >= COPY_DEVICE || !link ? 2e-3 : link->copy_us * 1e-3;
    double ms = fixed + (double)bytes / (rate * 1e6);
    struct copy_sum *c = &copies[kind];
    c->least = c->calls ? fmin(c->least, ms) : ms;
    c->most = fmax(c->most, ms);
    c->calls++;
    c->bytes += (double)bytes;
    c->ms += ms;
    /* A GPU has a copy engine for each direction. engine: the time when each is free again, in
     * modelled milliseconds. */
    static double engine[COPY_KINDS];
    if (kind < COPY_DEVICE) clock_after(stream, engine[kind]);
    double begin = clock_work(stream, ms, wait);
    engine[kind] = begin + ms;
    trace_add(copy_names[kind], kind == COPY_SET ? "memset" : "memcpy", clock_row(stream), begin,
        ms, "\"bytes\":%zu,\"pinned\":%s", bytes, pinned ? "true" : "false");
}

/* Does the direction that a program states agree with the addresses? Memory that host and device
 * share counts as either. */
static int fits(enum cudaMemcpyKind kind, const void *to, const void *from)
{
    enum block_kind t = memory_kind(to, NULL), f = memory_kind(from, NULL);
    if (kind == cudaMemcpyDefault) return 1;
    int to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
        from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return !(to_device ? t == BLOCK_HOST : t == BLOCK_DEVICE) &&
           !(from_device ? f == BLOCK_HOST : f == BLOCK_DEVICE);
}

/* Prints that a copy's direction contradicts its addresses. */
static void tell_direction(enum cudaMemcpyKind kind, const void *to, const void *from)
{
    static const char *const kinds[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
        "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
    char side[2][100];
    const void *p[] = {to, from};
    for (int i = 0; i < 2; i++) {
        void *start;
        size_t bytes;
        const char *name = "", *what = apart(p[i]) ? "device memory" : "host memory";
        memory_block(p[i], &start, &bytes, &name);
        snprintf(side[i], sizeof side[i], "%s%s%s", what, *name ? " " : "", name);
    }
    runtime_refuse(NULL, "the destination is %s and the source is %s, which is not %s", side[0],
        side[1], kinds[kind]);
}

/* Prints that one side of a copy is too small. */
static void tell_room(const void *p, size_t bytes, size_t room, const char *side)
{
    void *start;
    size_t all;
    const char *name = "";
    memory_block(p, &start, &all, &name);
    runtime_refuse(NULL, "%zu bytes are more than the %s%s%s has: %zu", bytes, side,
        *name ? " " : "", name, room);
}

static cudaError_t move(void *to, const void *from, size_t bytes)
{
    struct err e = {0};
    size_t to_room, from_room;
    int bad = 0;
    memory_kind(to, &to_room), memory_kind(from, &from_room);

    if (bytes > to_room || bytes > from_room) return cudaErrorInvalidValue;
    if (apart(to) && apart(from)) {
        void *between = malloc(bytes);
        if (!between) return cudaErrorMemoryAllocation;
        bad = device_copy_out(runtime.device, between, (dev_ptr)(uintptr_t)from, bytes, &e) ||
              device_copy_in(runtime.device, (dev_ptr)(uintptr_t)to, between, bytes, &e);
        free(between);
    } else if (apart(to)) {
        bad = device_copy_in(runtime.device, (dev_ptr)(uintptr_t)to, from, bytes, &e);
    } else if (apart(from)) {
        bad = device_copy_out(runtime.device, to, (dev_ptr)(uintptr_t)from, bytes, &e);
    } else {
        memmove(to, from, bytes);
    }
    if (bad) runtime_say("%s", e.text);
    return bad ? cudaErrorInvalidValue : cudaSuccess;
}

/* Copy the rows of slice z of a box. On each side, consecutive rows are one pitch apart. */
static cudaError_t move_slice(const struct cudaMemcpy3DParms *p, size_t z)
{
    size_t width = p->extent.width, height = p->extent.height;
    char *to = (char *)p->dstPtr.ptr + z * p->dstPtr.pitch * p->dstPtr.ysize;
    const char *from = (const char *)p->srcPtr.ptr + z * p->srcPtr.pitch * p->srcPtr.ysize;
    cudaError_t bad = cudaSuccess;
    if (width == p->dstPtr.pitch && width == p->srcPtr.pitch) width *= height, height = 1;
    for (size_t y = 0; y < height && !bad; y++)
        bad = move(to + y * p->dstPtr.pitch, from + y * p->srcPtr.pitch, width);
    return bad;
}

/* Check that a box lies within the allocation that contains its start; the address after that may
 * belong to host memory. Returns 0, after a message, if it does not. side: "source" or
 * "destination". */
static int within(const struct cudaPitchedPtr *p, struct cudaExtent box, const char *side)
{
    size_t room, bytes = ((box.depth - 1) * p->ysize + box.height - 1) * p->pitch + box.width;
    memory_kind(p->ptr, &room);
    if (bytes > room) tell_room(p->ptr, bytes, room, side);
    return bytes <= room;
}

cudaError_t copy_box(const struct cudaMemcpy3DParms *box, cudaStream_t stream, int wait)
{
    struct cudaMemcpy3DParms p = *box;
    cudaError_t bad = cudaSuccess;
    copy_sides(&p);
    enum block_kind t = memory_kind(p.dstPtr.ptr, NULL), f = memory_kind(p.srcPtr.ptr, NULL);
    int in = t != BLOCK_HOST && t != BLOCK_PINNED, out = f != BLOCK_HOST && f != BLOCK_PINNED;
    enum copy_kind kind = in && out ? COPY_DEVICE : in ? COPY_IN : COPY_OUT;
    if (!within(&p.dstPtr, p.extent, "destination") || !within(&p.srcPtr, p.extent, "source"))
        return cudaErrorInvalidValue;
    for (size_t z = 0; z < p.extent.depth && !bad; z++) bad = move_slice(&p, z);
    if (!bad && (in || out))
        add_copy(kind, p.extent.width * p.extent.height * p.extent.depth, stream, wait,
            t == BLOCK_PINNED || f == BLOCK_PINNED);
    return bad;
}

/* Check a box that a program copies, then copy it, or record it if the stream is captured. */
static cudaError_t copy(const struct work *w, cudaStream_t stream, int wait)
{
    struct cudaMemcpy3DParms p = w->copy;
    cudaError_t error;
    if (!p.extent.width || !p.extent.height || !p.extent.depth) return cudaSuccess;
    copy_sides(&p);
    if (!p.dstPtr.ptr || !p.srcPtr.ptr) return cudaErrorInvalidValue;
    if ((unsigned)p.kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (p.extent.height > 1 && (p.extent.width > p.dstPtr.pitch || p.extent.width > p.srcPtr.pitch))
        return cudaErrorInvalidPitchValue;
    if (!fits(p.kind, p.dstPtr.ptr, p.srcPtr.ptr)) {
        tell_direction(p.kind, p.dstPtr.ptr, p.srcPtr.ptr);
        return cudaErrorInvalidValue;
    }
    return capture_takes(stream, wait, w, &error) ? error : copy_box(&w->copy, stream, wait);
}

static cudaError_t copy_bytes(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
    cudaStream_t stream, int wait)
{
    const struct work w = work_rows(to, bytes, from, bytes, bytes, 1, kind);
    return copy(&w, stream, wait);
}

CALL(cudaMemcpy, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
    copy_bytes(to, from, bytes, kind, NULL, 1))

CALL(cudaMemcpyAsync,
    (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
    copy_bytes(to, from, bytes, kind, stream, 0))

CALL(cudaMemcpyPeer, (void *to, int to_device, const void *from, int from_device, size_t bytes),
    to_device || from_device ? cudaErrorInvalidDevice
                             : copy_bytes(to, from, bytes, cudaMemcpyDeviceToDevice, NULL, 1))

CALL(cudaMemcpyPeerAsync,
    (void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream),
    to_device || from_device ? cudaErrorInvalidDevice
                             : copy_bytes(to, from, bytes, cudaMemcpyDeviceToDevice, stream, 0))

static cudaError_t copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
    size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream, int wait)
{
    const struct work w = work_rows(to, to_pitch, from, from_pitch, width, height, kind);
    if (width > to_pitch || width > from_pitch) return cudaErrorInvalidPitchValue;
    return copy(&w, stream, wait);
}

CALL(cudaMemcpy2D,
    (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
        enum cudaMemcpyKind kind),
    copy_rows(to, to_pitch, from, from_pitch, width, height, kind, NULL, 1))

CALL(cudaMemcpy2DAsync,
    (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
        enum cudaMemcpyKind kind, cudaStream_t stream),
    copy_rows(to, to_pitch, from, from_pitch, width, height, kind, stream, 0))

/* A long row is written in pieces of this many bytes, which stay in the host's cache. */
static const size_t PIECE = (size_t)1 << 20;

cudaError_t copy_fill(const struct cudaMemsetParams *p)
{
    cudaError_t bad = cudaSuccess;
    size_t bytes = p->width * p->elementSize, most = bytes < PIECE ? bytes : PIECE;
    char *piece = malloc(most);
    if (!piece) return cudaErrorMemoryAllocation;
    for (size_t i = 0; i < most; i += p->elementSize) memcpy(piece + i, &p->value, p->elementSize);
    for (size_t y = 0; y < p->height; y++)
        for (size_t i = 0; i < bytes && !bad; i += most)
            bad =
                move((char *)p->dst + y * p->pitch + i, piece, most < bytes - i ? most : bytes - i);
    free(piece);
    return bad;
}

/* Is the whole destination of a memset in one allocation? */
static int set_within(const struct cudaMemsetParams *p)
{
    size_t bytes = p->width * p->elementSize;
    const struct cudaPitchedPtr to = {p->dst, p->pitch, bytes, p->height};
    return within(&to, (struct cudaExtent){bytes, p->height, 1}, "destination");
}

cudaError_t copy_set(const struct cudaMemsetParams *p, cudaStream_t stream)
{
    if (!set_within(p)) return cudaErrorInvalidValue;
    cudaError_t bad = copy_fill(p);
    add_copy(COPY_SET, p->width * p->elementSize * p->height, stream, 0, 0);
    return bad;
}

static cudaError_t set_rows(
    void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
    cudaError_t error;
    const struct work w = work_set(p, pitch, value, width, height);
    if (!width || !height) return cudaSuccess;
    if (!p || memory_kind(p, NULL) == BLOCK_HOST) return cudaErrorInvalidValue;
    if (capture_takes(stream, 0, &w, &error)) return error;
    if (set_within(&w.set) && later_set(&w)) {
        add_copy(COPY_SET, width * height, stream, 0, 0);
        return cudaSuccess;
    }
    error = later_run();
    return error ? error : copy_set(&w.set, stream);
}

CALL(cudaMemset, (void *p, int value, size_t bytes), set_rows(p, bytes, value, bytes, 1, NULL))

CALL(cudaMemsetAsync, (void *p, int value, size_t bytes, cudaStream_t stream),
    set_rows(p, bytes, value, bytes, 1, stream))

CALL(cudaMemset2D, (void *p, size_t pitch, int value, size_t width, size_t height),
    set_rows(p, pitch, value, width, height, NULL))

CALL(cudaMemset2DAsync,
    (void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
    set_rows(p, pitch, value, width, height, stream))

CALL(cudaMemPrefetchAsync, (const void *p, size_t bytes, int device, cudaStream_t stream),
    memory_kind(p, NULL) == BLOCK_MANAGED ? cudaSuccess : cudaErrorInvalidValue)

CALL(cudaMemAdvise, (const void *p, size_t bytes, enum cudaMemoryAdvise advice, int device),
    memory_kind(p, NULL) == BLOCK_MANAGED ? cudaSuccess : cudaErrorInvalidValue)

/* ---- device variables by their host names ---- */

/* The device address of `bytes` bytes at `offset` of a variable. NULL, with *error set: there is no
 * such variable, or the variable is smaller. */
static void *symbol_at(const void *symbol, size_t offset, size_t bytes, cudaError_t *error)
{
    size_t size = 0;
    dev_ptr at = registry_variable(symbol, &size);
    *error = !at                                      ? cudaErrorInvalidSymbol
             : offset > size || bytes > size - offset ? cudaErrorInvalidValue
                                                      : 0;
    return *error ? NULL : (void *)(uintptr_t)(at + offset);
}

static cudaError_t to_symbol(const void *symbol, const void *from, size_t bytes, size_t offset,
    enum cudaMemcpyKind kind, cudaStream_t stream, int wait)
{
    cudaError_t error;
    void *to = symbol_at(symbol, offset, bytes, &error);
    return to ? copy_bytes(to, from, bytes, kind, stream, wait) : error;
}

static cudaError_t from_symbol(void *to, const void *symbol, size_t bytes, size_t offset,
    enum cudaMemcpyKind kind, cudaStream_t stream, int wait)
{
    cudaError_t error;
    const void *from = symbol_at(symbol, offset, bytes, &error);
    return from ? copy_bytes(to, from, bytes, kind, stream, wait) : error;
}

CALL(cudaMemcpyToSymbol,
    (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
    to_symbol(symbol, from, bytes, offset, kind, NULL, 1))

CALL(cudaMemcpyFromSymbol,
    (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
    from_symbol(to, symbol, bytes, offset, kind, NULL, 1))

CALL(cudaMemcpyToSymbolAsync,
    (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
        cudaStream_t stream),
    to_symbol(symbol, from, bytes, offset, kind, stream, 0))

CALL(cudaMemcpyFromSymbolAsync,
    (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
        cudaStream_t stream),
    from_symbol(to, symbol, bytes, offset, kind, stream, 0))

API cudaError_t cudaGetSymbolAddress(void **p, const void *symbol)
{
    cudaError_t error;
    ENTER();
    *p = symbol_at(symbol, 0, 0, &error);
    return runtime_leave(error);
}

CALL(cudaGetSymbolSize, (size_t * bytes, const void *symbol),
    registry_variable(symbol, bytes) ? cudaSuccess : cudaErrorInvalidSymbol)

API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    ENTER();
    const struct work w = {.kind = cudaGraphNodeTypeMemcpy, .copy = *p};
    return runtime_leave(copy(&w, NULL, 1));
}

API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    ENTER();
    const struct work w = {.kind = cudaGraphNodeTypeMemcpy, .copy = *p};
    return runtime_leave(copy(&w, stream, 0));
}
