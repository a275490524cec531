/* nested.c - kernels that kernels launch (CUDA dynamic parallelism).
 *
 *     child<<<g, b>>>(x) in a kernel ──> a record in the module's variable (cuda/stubs/lockstep_nested.h)
 *     the end of the parent's grid   ──> nested_run: each record is a launch, in the order of the records
 *
 * A grid ends when its children have ended, so that what follows it in its stream sees their results.
 * What was launched into cudaStreamTailLaunch runs after the others.
 * Source: CUDA C++ Programming Guide, CUDA Dynamic Parallelism. */
#include "runtime/nested.h"

#include "cuda/stubs/lockstep_nested.h"
#include "runtime/graph.h"

#include <stdlib.h>
#include <string.h>

/* DEPTH: the greatest nesting depth, as on a GPU */
enum { DEPTH = 24, PARAMS = 64 };

/* Run one recorded launch. Its arguments have the layout of the kernel's parameter block. */
static cudaError_t run(const struct function *parent, struct lockstep_child *c, cudaStream_t stream)
{
    const struct param *params;
    struct function *f = registry_beside(parent, c->kernel);
    if (!f) return cudaErrorInvalidDeviceFunction;
    struct launch_shape shape = {.dynamic_shared = c->shared, .seconds = runtime.limit};
    memcpy(shape.grid, c->grid, sizeof shape.grid);
    memcpy(shape.block, c->block, sizeof shape.block);
    cudaError_t error = launch_check(f, &shape, 0);
    void *args[PARAMS];
    int count = kernel_params(f->kernel, &params);
    size_t at = 0;
    for (int i = 0; i < count && i < PARAMS; i++) {
        at = (at + params[i].align - 1) / params[i].align * params[i].align;
        args[i] = c->args + at;
        at += params[i].bytes;
    }
    if (!error) return launch_run(f, &shape, args, stream);
    runtime_say("%s, which %s launches: %s", f->name, parent->name, cudaGetErrorString(error));
    return error;
}

cudaError_t nested_run(struct function *f, cudaStream_t stream)
{
    static int depth;
    struct err e = {0};
    size_t bytes;
    unsigned count = 0;
    cudaError_t error = cudaSuccess;
    dev_ptr at = registry_global(f->image, LOCKSTEP_CHILDREN, &bytes);
    if (!at || device_copy_out(runtime.device, &count, at, sizeof count, &e) || !count)
        return cudaSuccess;
    struct lockstep_children *all = xcalloc(1, sizeof *all);
    const unsigned none = 0;
    device_copy_out(runtime.device, all, at, sizeof *all, &e);
    device_copy_in(runtime.device, at, &none, sizeof none, &e);
    if (count > LOCKSTEP_MOST_CHILDREN) {
        runtime_say(
            "%s launches %u kernels; %d are possible", f->name, count, LOCKSTEP_MOST_CHILDREN);
        count = LOCKSTEP_MOST_CHILDREN, error = cudaErrorLaunchPendingCountExceeded;
    }
    if (++depth > DEPTH) {
        runtime_say("%s launches kernels deeper than %d levels", f->name, DEPTH);
        count = 0, error = cudaErrorLaunchMaxDepthExceeded;
    }
    for (int tail = 0; tail < 2; tail++)
        for (unsigned i = 0; i < count; i++) {
            cudaError_t bad = all->child[i].tail == tail ? run(f, &all->child[i], stream) : 0;
            error = error ? error : bad;
        }
    depth--;
    free(all);
    return error;
}
