/* later.c - launches that are put off until something asks for their results.
 *
 *     add<<<g, b>>>(x)    launch 1        run, and the launch is known: it found nothing new
 *     add<<<g, b>>>(x)    launches 2 ..   put off, with memsets and cudaFree calls between them
 *     cudaMemcpy(h, x)                    runs all that was put off, in the program's order
 *     the program ends                    what is put off is never run
 *
 * Programs that time a kernel launch it many times and often read no result. The modelled clock and
 * the report count a launch when it is put off. A fault of such a launch is reported when it runs.
 * Nothing is put off while a kernel and the host share memory, since the host reads that memory
 * without a call, nor if each launch is looked at (LOCKSTEP_COUNT=all, LOCKSTEP_PROFILE,
 * LOCKSTEP_DUMP), nor on a GPU. */
#include "runtime/graph.h"
#include "runtime/nested.h"

#include "cuda/stubs/lockstep_nested.h"

#include <stdlib.h>
#include <string.h>

/* Calls that neither read device memory nor change more of it than can be put off. */
static const char *const leaving[] = {"cudaLaunchKernel", "cudaMemset", "cudaMemsetAsync",
    "cudaMalloc", "cudaFree", "cudaDeviceSynchronize", "cudaDeviceReset", "cudaStreamSynchronize",
    "cudaStreamCreate", "cudaStreamDestroy", "cudaStreamQuery", "cudaStreamWaitEvent",
    "cudaEventCreate", "cudaEventCreateWithFlags", "cudaEventDestroy", "cudaEventRecord",
    "cudaEventSynchronize", "cudaEventQuery", "cudaEventElapsedTime", "cudaGetDevice",
    "cudaSetDevice", "cudaGetDeviceCount", "cudaGetDeviceProperties", "cudaDeviceGetAttribute",
    "cudaFuncSetAttribute", "cudaFuncSetCacheConfig", "cudaFuncGetAttributes",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor"};

/* MOST: pieces of work that are put off; MOST_BYTES: device memory that waits to be freed */
enum { MOST = 1 << 16 };
static const size_t MOST_BYTES = (size_t)1 << 30;

/* freed: device memory to be freed; 0: work is a launch or a memset */
struct piece {
    struct work work;
    dev_ptr freed;
};
static struct piece *pieces;
static size_t count, cap, freed_bytes;

/* What identifies a launch of a function and a shape: its arguments, and whether its blocks form
 * clusters. */
static uint64_t hash_of(const struct function *f, const struct kernel_work *k)
{
    const struct param *params;
    struct buf all = {0};
    int n = kernel_params(f->kernel, &params);
    buf_add(&all, k->shape.cluster, sizeof k->shape.cluster);
    buf_add(&all, &k->together, sizeof k->together);
    for (int i = 0; i < n; i++) buf_add(&all, k->args[i], params[i].bytes);
    uint64_t hash = hash_bytes(all.data, all.len);
    buf_free(&all);
    return hash;
}

/* Can launches of this function be put off? They must not speak, and launch no kernels. */
static int may_wait(const struct function *f)
{
    struct kernel_needs n = {0};
    size_t bytes;
    return runtime.puts_off && !memory_shared() && !registry_has_managed() &&
           !kernel_needs(f->kernel, &n) && !n.speaks &&
           !registry_global(f->image, LOCKSTEP_CHILDREN, &bytes);
}

void later_know(const struct function *f, struct launch_record *r, const struct kernel_work *k)
{
    if (may_wait(f)) r->known[r->known_count++ % LAUNCHES_KNOWN] = hash_of(f, k);
}

static void add(const struct work *w, dev_ptr freed)
{
    struct piece p = {.freed = freed};
    if (!freed) work_keep(&p.work, w);
    *VEC_PUSH(pieces, count, cap) = p;
}

int later_launch(const struct function *f, const struct launch_record *r, const struct work *w)
{
    if (!r->known_count || count == MOST || !may_wait(f)) return 0;
    uint64_t hash = hash_of(f, &w->kernel);
    for (unsigned i = 0; i < r->known_count && i < LAUNCHES_KNOWN; i++)
        if (r->known[i] == hash) {
            add(w, 0);
            return 1;
        }
    return 0;
}

int later_set(const struct work *w)
{
    if (!count || count == MOST || memory_kind(w->set.dst, NULL) != BLOCK_DEVICE) return 0;
    add(w, 0);
    return 1;
}

int later_free(dev_ptr p, size_t bytes)
{
    if (!count || count == MOST || freed_bytes + bytes > MOST_BYTES) return 0;
    freed_bytes += bytes;
    add(NULL, p);
    return 1;
}

/* Do what was put off, or, unless `all` is set, only free memory. After an error, too, only free
 * memory. */
static cudaError_t end(int all)
{
    struct piece *now = pieces;
    size_t n = count;
    cudaError_t error = cudaSuccess;
    pieces = NULL, count = cap = freed_bytes = 0;
    for (size_t i = 0; i < n; i++) {
        struct err e = {0};
        struct work *w = &now[i].work;
        if (now[i].freed)
            device_free(runtime.device, now[i].freed, &e);
        else if (all && !error)
            error =
                w->kind == cudaGraphNodeTypeKernel ? launch_again(&w->kernel) : copy_fill(&w->set);
        if (!now[i].freed) work_drop(w);
    }
    free(now);
    return error;
}

cudaError_t later_run(void) { return count ? end(1) : cudaSuccess; }

void later_drop(void) { end(0); }

cudaError_t later_ask(const char *call)
{
    for (size_t i = 0; count && i < sizeof leaving / sizeof *leaving; i++)
        if (!strcmp(call, leaving[i])) return cudaSuccess;
    return later_run();
}
