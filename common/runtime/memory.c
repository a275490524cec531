/* memory.c - allocations of device, managed and pinned memory.
 *
 *     cudaMalloc          device memory, named after the variable in the program's source
 *     cudaMallocManaged,  memory that host and device access at one address
 *     cudaMallocHost      (device_alloc_shared); else pinned memory, for the host alone */
#define _GNU_SOURCE
#include "runtime/graph.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
    uintptr_t start;
    size_t bytes;
    enum block_kind kind;
    /* who frees the memory: the device, free(), or the program, which registered it with
     * cudaHostRegister */
    enum { FROM_DEVICE, FROM_MALLOC, FROM_PROGRAM } owner;
    /* the address for kernels of memory from cudaHostRegister; 0: they cannot reach it */
    dev_ptr lent;
    int *freed; /* as given to memory_hold; NULL: the memory belongs to no graph */
    char name[80];
    char place[120]; /* place of the call that allocated the memory, as "FILE:LINE"; "": unknown */
};
static struct block *blocks;
static size_t block_count, block_cap;

static struct block *block_of(const void *p)
{
    uintptr_t at = (uintptr_t)p;
    for (size_t i = block_count; i-- > 0;)
        if (at >= blocks[i].start && at - blocks[i].start < blocks[i].bytes) return &blocks[i];
    return NULL;
}

int memory_block(const void *p, void **start, size_t *bytes, const char **name)
{
    const struct block *b = block_of(p);
    if (!b) return -1;
    *start = (void *)b->start;
    *bytes = b->bytes;
    *name = b->name;
    return 0;
}

/* Does the address lie in a device variable of the program? */
static int on_device(const void *p)
{
    char name[80];
    dev_ptr start;
    return !device_where(runtime.device, (dev_ptr)(uintptr_t)p, name, sizeof name, &start);
}

enum block_kind memory_kind(const void *p, size_t *bytes)
{
    const struct block *b = block_of(p);
    if (bytes) *bytes = b ? b->bytes - ((uintptr_t)p - b->start) : SIZE_MAX;
    return b ? b->kind : on_device(p) ? BLOCK_DEVICE : BLOCK_HOST;
}

/* Find the next name after a single & in the line that ends at `end`, as dx in "cudaMalloc(&dx,
 * n)". NULL: there is none. */
static const char *next_address(const char *p, const char *end)
{
    for (; p + 1 < end; p++)
        if (*p == '&' && p[1] == '&')
            p++;
        else if (*p == '&' && (isalpha((unsigned char)p[1]) || p[1] == '_'))
            return p + 1;
    return NULL;
}

/* The next call of cudaMalloc or its kin in the line that ends at `end`, behind its name; NULL: there
 * is none, as in the use of a macro. */
static const char *next_call(const char *p, const char *end)
{
    static const char *const names[] = {"Malloc", "cudaHostAlloc"};
    for (; p < end; p++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (!strncmp(p, names[i], strlen(names[i]))) return p + strlen(names[i]);
    return NULL;
}

/* The name of the variable that a source line passes to cudaMalloc; if a line has several calls,
 * the first call gets the first variable, and so on. "": unknown. */
static void variable_at(const char *file, int line, char *name, size_t size)
{
    /* last: the line of the previous call; calls: how many calls of that line came before the
     * current one */
    static int last, calls;
    struct err e = {0};
    char *text = NULL;
    calls = line == last ? calls + 1 : 0;
    last = line;
    *name = 0;
    if (!file || file_read(file, 4 << 20, &text, NULL, &e)) return;
    const char *p = text, *at;
    for (int i = 1; p && i < line; i++)
        if ((p = strchr(p, '\n'))) p++;
    const char *end = p ? p + strcspn(p, "\n") : NULL,
               *(*next)(const char *, const char *) =
                   p && next_call(p, end) ? next_call : next_address;
    int count = 0;
    for (at = p; at && (at = next(at, end));) count++;
    for (int i = count ? calls % count : -1; i >= 0; i--) p = next(p, end);
    if (count && next == next_call) p = next_address(p, end);
    if (count && p) {
        size_t n = 0;
        while (isalnum((unsigned char)p[n]) || (p[n] && strchr("_.", p[n]))) n++;
        if (n < size) memcpy(name, p, n), name[n] = 0;
    }
    free(text);
}

static cudaError_t allocate(
    void **p, size_t bytes, size_t element, enum block_kind kind, const char *file, int line)
{
    static unsigned count;
    struct err e = {0};
    dev_ptr at = 0;
    struct block b = {.bytes = bytes, .kind = kind};
    cudaError_t error;
    if (!p) return cudaErrorInvalidValue;
    if (capture_forbids(&error)) return error;
    *p = NULL;
    if (!bytes) return cudaSuccess;
    variable_at(file, line, b.name, sizeof b.name);
    if (file) snprintf(b.place, sizeof b.place, "%s:%d", file, line);
    count++;
    const struct element *type = element == 1 && *b.name ? element_declared(file, b.name) : NULL;
    if (type) element = type->bytes;
    if (!*b.name)
        snprintf(
            b.name, sizeof b.name, "%s_%u", kind == BLOCK_DEVICE ? "cudaMalloc" : "shared", count);
    int bad = kind == BLOCK_DEVICE
                  ? device_alloc(runtime.device, bytes, b.name, element, &at, &e)
                  : device_alloc_shared(runtime.device, bytes, b.name, element, &at, &e);
    if (bad && kind == BLOCK_PINNED) {
        at = (dev_ptr)(uintptr_t)calloc(bytes, 1);
        b.owner = FROM_MALLOC;
    }
    if (!at) return cudaErrorMemoryAllocation;
    b.start = (uintptr_t)at;
    *VEC_PUSH(blocks, block_count, block_cap) = b;
    *p = (void *)b.start;
    return cudaSuccess;
}

cudaError_t memory_make(void **p, size_t bytes, size_t element, const char *name)
{
    cudaError_t bad = allocate(p, bytes, element, BLOCK_DEVICE, NULL, 0);
    if (!bad && *p) snprintf(block_of(*p)->name, sizeof blocks->name, "%s", name);
    return bad;
}

static cudaError_t release(void *p, int host)
{
    struct block *b = block_of(p);
    struct err e = {0};
    if (!p) return cudaSuccess;
    if (!b || b->start != (uintptr_t)p || (b->kind == BLOCK_PINNED) != host ||
        b->owner == FROM_PROGRAM)
        return cudaErrorInvalidValue;
    clock_wait_all();
    if (b->freed) {
        *b->freed = 1;
        device_forget(runtime.device, (dev_ptr)b->start, b->bytes);
        return cudaSuccess;
    }
    if (b->owner == FROM_MALLOC) {
        free(p);
    } else if (b->kind != BLOCK_DEVICE || !later_free((dev_ptr)b->start, b->bytes)) {
        cudaError_t error = later_run();
        device_free(runtime.device, (dev_ptr)b->start, &e);
        if (error) return error;
    }
    *b = blocks[--block_count];
    return cudaSuccess;
}

cudaError_t memory_allocate(void **p, size_t bytes)
{
    return allocate(p, bytes, 1, BLOCK_DEVICE, NULL, 0);
}
cudaError_t memory_release(void *p) { return release(p, 0); }

void memory_hold(void *p, int *freed)
{
    struct block *b = block_of(p);
    if (b) b->freed = freed;
}

void memory_free_all(void)
{
    struct err e = {0};
    while (block_count) {
        struct block *b = &blocks[--block_count];
        if (b->owner == FROM_MALLOC)
            free((void *)b->start);
        else if (b->owner == FROM_DEVICE)
            device_free(runtime.device, (dev_ptr)b->start, &e);
        else if (b->lent)
            device_free(runtime.device, b->lent, &e);
    }
}

size_t memory_used(void)
{
    size_t sum = 0;
    for (size_t i = 0; i < block_count; i++)
        sum += blocks[i].owner == FROM_DEVICE ? blocks[i].bytes : 0;
    return sum;
}

int memory_shared(void)
{
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i].lent || (blocks[i].kind != BLOCK_DEVICE && blocks[i].owner == FROM_DEVICE))
            return 1;
    return 0;
}

uint64_t memory_lent(uint64_t host)
{
    const struct block *b = block_of((void *)(uintptr_t)host);
    return b && b->lent ? b->lent + (host - b->start) : 0;
}

int memory_has_lent(void)
{
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i].lent) return 1;
    return 0;
}

int memory_leaks(struct buf *out)
{
    int count = 0;
    for (size_t i = 0; i < block_count; i++) {
        if (blocks[i].owner == FROM_PROGRAM) continue;
        buf_printf(out, "  %s: %zu bytes%s%s\n", blocks[i].name, blocks[i].bytes,
            *blocks[i].place ? ", from " : "", blocks[i].place);
        count++;
    }
    return count;
}

API cudaError_t lockstepMalloc(void **p, size_t bytes, size_t element, const char *file, int line)
{
    ENTER_AS("cudaMalloc");
    return runtime_leave(allocate(p, bytes, element, BLOCK_DEVICE, file, line));
}

API cudaError_t lockstepMallocManaged(
    void **p, size_t bytes, size_t element, const char *file, int line)
{
    ENTER_AS("cudaMallocManaged");
    return runtime_leave(allocate(p, bytes, element, BLOCK_MANAGED, file, line));
}

CALL(cudaMalloc, (void **p, size_t bytes), allocate(p, bytes, 1, BLOCK_DEVICE, NULL, 0))

CALL(cudaMallocManaged, (void **p, size_t bytes, unsigned flags),
    allocate(p, bytes, 1, BLOCK_MANAGED, NULL, 0))

CALL(cudaMallocAsync, (void **p, size_t bytes, cudaStream_t stream),
    capture_allocates(stream, p, bytes) ? cudaSuccess : memory_allocate(p, bytes))

CALL(cudaMallocHost, (void **p, size_t bytes), allocate(p, bytes, 1, BLOCK_PINNED, NULL, 0))

CALL(cudaHostAlloc, (void **p, size_t bytes, unsigned flags),
    allocate(p, bytes, 1, BLOCK_PINNED, NULL, 0))

/* Pitches are multiples of this number of bytes, as on today's GPUs. */
enum { PITCH = 512 };

API cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    ENTER();
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return runtime_leave(allocate(p, *pitch * height, 1, BLOCK_DEVICE, NULL, 0));
}

API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent)
{
    ENTER();
    *p = make_cudaPitchedPtr(
        NULL, (extent.width + PITCH - 1) / PITCH * PITCH, extent.width, extent.height);
    return runtime_leave(
        allocate(&p->ptr, p->pitch * extent.height * extent.depth, 1, BLOCK_DEVICE, NULL, 0));
}

CALL(cudaFree, (void *p), release(p, 0))

CALL(cudaFreeAsync, (void *p, cudaStream_t stream),
    capture_frees(stream, p) ? cudaSuccess : release(p, 0))

CALL(cudaFreeHost, (void *p), release(p, 1))

/* Memory that is registered stays accessible only to the host: a kernel cannot use it. */
API cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    (void)flags;
    struct err e = {0};
    struct block b = {
        .start = (uintptr_t)p, .bytes = bytes, .kind = BLOCK_PINNED, .owner = FROM_PROGRAM};
    ENTER();
    if (!p || !bytes) return runtime_leave(cudaErrorInvalidValue);
    if (block_of(p)) return runtime_leave(cudaErrorHostMemoryAlreadyRegistered);
    /* on a GPU, only copies use the memory */
    if (device_lend(runtime.device, p, bytes, "registered", 1, 0, &b.lent, &e)) b.lent = 0;
    *VEC_PUSH(blocks, block_count, block_cap) = b;
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaHostUnregister(void *p)
{
    struct err e = {0};
    ENTER();
    struct block *b = block_of(p);
    if (!p) return runtime_leave(cudaErrorInvalidValue);
    if (!b || b->start != (uintptr_t)p || b->owner != FROM_PROGRAM)
        return runtime_leave(cudaErrorHostMemoryNotRegistered);
    if (b->lent) device_free(runtime.device, b->lent, &e);
    *b = blocks[--block_count];
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    (void)flags;
    ENTER();
    const struct block *b = block_of(host);
    uint64_t lent = memory_lent((uintptr_t)host);
    *device = b && b->owner == FROM_DEVICE ? host : (void *)(uintptr_t)lent;
    if (!*device)
        runtime_say("cudaHostGetDevicePointer: kernels cannot reach this memory; allocate it by "
                    "cudaHostAlloc");
    return runtime_leave(*device ? cudaSuccess : cudaErrorInvalidValue);
}

API cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    ENTER();
    const struct block *b = block_of(host);
    int pinned = b && b->kind == BLOCK_PINNED;
    if (pinned) *flags = b->owner == FROM_MALLOC ? cudaHostAllocDefault : cudaHostAllocMapped;
    return runtime_leave(pinned ? cudaSuccess : cudaErrorInvalidValue);
}

API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p)
{
    static const enum cudaMemoryType types[] = {[BLOCK_DEVICE] = cudaMemoryTypeDevice,
        [BLOCK_MANAGED] = cudaMemoryTypeManaged,
        [BLOCK_PINNED] = cudaMemoryTypeHost,
        [BLOCK_HOST] = cudaMemoryTypeUnregistered};
    ENTER();
    enum block_kind kind = memory_kind(p, NULL);
    *a = (struct cudaPointerAttributes){types[kind], kind == BLOCK_HOST ? -2 : 0,
        kind == BLOCK_HOST ? NULL : (void *)p, kind == BLOCK_DEVICE ? NULL : (void *)p};
    return runtime_leave(cudaSuccess);
}
