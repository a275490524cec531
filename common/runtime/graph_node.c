/* graph_node.c - the work of a graph's node: run it, copy it, free the copy.
 *
 *     kernel: shape and arguments     copy: a box      set: rows      host: a function      child: a graph
 *
 * A copy contains the values of the arguments, as in CUDA's graphs: later changes by the program
 * have no effect. */
#include "runtime/graph.h"

#include <stdlib.h>
#include <string.h>

struct work work_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
    size_t height, enum cudaMemcpyKind kind)
{
    return (struct work){.kind = cudaGraphNodeTypeMemcpy,
        .copy = {.dstPtr = {to, to_pitch, width, height},
            .srcPtr = {(void *)from, from_pitch, width, height},
            .extent = {width, height, 1},
            .kind = kind}};
}

struct work work_set(void *p, size_t pitch, int value, size_t width, size_t height)
{
    return (struct work){.kind = cudaGraphNodeTypeMemset,
        .set = {p, pitch, (unsigned)value & 0xff, 1, width, height}};
}

cudaError_t work_memory(struct work *w, size_t bytes)
{
    struct graph_memory m = {0};
    cudaError_t error = memory_allocate(&m.p, bytes);
    if (error) return error;
    *w = (struct work){.kind = cudaGraphNodeTypeMemAlloc, .memory = xcalloc(1, sizeof m)};
    *w->memory = m;
    memory_hold(m.p, &w->memory->freed);
    return cudaSuccess;
}

struct graph_memory *graph_memory(const struct CUgraph_st *g, const void *p)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->nodes[i]->work.memory && g->nodes[i]->work.memory->p == p)
            return g->nodes[i]->work.memory;
    return NULL;
}

cudaError_t work_kernel(struct work *w, const struct cudaKernelNodeParams *p)
{
    cudaError_t error;
    struct function *f = registry_function(p->func, &error);
    if (!f) return error;
    *w = (struct work){.kind = cudaGraphNodeTypeKernel,
        .kernel = {.stub = p->func,
            .shape = {.grid = {p->gridDim.x, p->gridDim.y, p->gridDim.z},
                .block = {p->blockDim.x, p->blockDim.y, p->blockDim.z},
                .dynamic_shared = p->sharedMemBytes,
                .seconds = runtime.limit},
            .args = p->kernelParams}};
    if (!p->kernelParams && kernel_params(f->kernel, &(const struct param *){0}))
        return cudaErrorInvalidValue;
    return launch_check(f, &w->kernel.shape, 0);
}

static cudaError_t run_kernel(const struct kernel_work *w, cudaStream_t stream)
{
    cudaError_t error;
    struct function *f = registry_function(w->stub, &error);
    if (f) error = launch_check(f, &w->shape, w->together);
    return error ? error : launch_run(f, &w->shape, w->args, stream);
}

cudaError_t work_run(const struct work *w, cudaStream_t stream, int wait)
{
    switch (w->kind) {
    case cudaGraphNodeTypeKernel: return run_kernel(&w->kernel, stream);
    case cudaGraphNodeTypeMemcpy: return copy_box(&w->copy, stream, wait);
    case cudaGraphNodeTypeMemset: return copy_set(&w->set, stream);
    case cudaGraphNodeTypeHost: w->host.fn(w->host.userData); return cudaSuccess;
    case cudaGraphNodeTypeGraph: return graph_run(w->graph, stream);
    default: return cudaSuccess;
    }
}

/* Replace k->args by a copy in one allocation: the pointers, followed by the values of all
 * parameters. */
static int keep_args(struct kernel_work *k)
{
    cudaError_t error;
    const struct param *params;
    struct function *f = registry_function(k->stub, &error);
    if (!f) return -1;
    int n = kernel_params(f->kernel, &params);
    size_t bytes = 0, at = ((size_t)n * sizeof(void *) + 15) / 16 * 16;
    for (int i = 0; i < n; i++) bytes += (params[i].bytes + 15) / 16 * 16;
    void **kept = xcalloc(at + bytes + 1, 1);
    for (int i = 0; i < n; i++) {
        kept[i] = (char *)kept + at;
        memcpy(kept[i], k->args[i], params[i].bytes);
        at += (params[i].bytes + 15) / 16 * 16;
    }
    k->args = kept;
    return 0;
}

int work_keep(struct work *out, const struct work *w)
{
    *out = *w;
    if (w->kind == cudaGraphNodeTypeKernel) return keep_args(&out->kernel);
    if (w->kind == cudaGraphNodeTypeGraph) return (out->graph = graph_copy(w->graph)) ? 0 : -1;
    if (w->memory) w->memory->nodes++;
    if (w->memory && w->kind == cudaGraphNodeTypeMemFree) w->memory->freed = 1;
    return 0;
}

void work_drop(struct work *w)
{
    if (w->kind == cudaGraphNodeTypeKernel) free(w->kernel.args);
    if (w->kind == cudaGraphNodeTypeGraph) graph_free(w->graph);
    if (w->memory && !--w->memory->nodes) {
        memory_hold(w->memory->p, NULL);
        if (w->memory->freed) memory_release(w->memory->p);
        free(w->memory);
    }
    *w = (struct work){.kind = cudaGraphNodeTypeEmpty};
}
