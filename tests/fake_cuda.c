/* fake_cuda.c - libcuda.so.1 for machines without a GPU: the driver's entry points over the
 * simulator of the program that loads it (which exports its symbols for that). Kernels run when
 * they are launched; faults and times come out at the events, as on a GPU. FAKE_CUDA names what is
 * to go wrong, or to be otherwise:
 *
 *     old no-gpu prohibited busy memory  conditions of the machine
 *     two                                there are two GPUs
 *     hang-load crash-load crash-launch  a call hangs or crashes
 *     short                              every launch takes 3 us, an empty one 2.5
 *     impossible                         every launch takes a picosecond
 *     registers                          a block of more than 512 threads finds too few registers
 *
 * FAKE_CUDA_ENDLESS: a file that gets a byte for each launch that does not end.
 * FAKE_CUDA_RUNS: a file that gets a line "GPU PROCESS begins" and one "... ends" for each launch.
 * FAKE_CUDA_NOISE: the largest deviation of a time, in percent; the n-th launch of a process always
 * has the same. */
#define _GNU_SOURCE
#include "device/cuda_driver.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Declare the driver's entry points. This file defines them and no other global name: the functions of
 * the simulator are those of the program that loads it. */
#define ENTRY(name, params) cu_result name params;
CUDA_ENTRIES
#undef ENTRY

static struct device *gpu;
static double now_ms;    /* the GPU's clock */
static cu_result sticky; /* the error that ended the context; 0: none */
static int hangs;        /* a kernel that never ends is running */
static int number;       /* number of the GPU in use */
static struct rng noise;

static int is(const char *what)
{
    const char *mode = getenv("FAKE_CUDA");
    return mode && !strcmp(mode, what);
}

cu_result cuInit(unsigned flags)
{
    (void)flags;
    rng_seed(&noise, 1);
    return is("old") ? CU_INSUFFICIENT_DRIVER : is("no-gpu") ? CU_NO_DEVICE : 0;
}

cu_result cuGetErrorString(cu_result r, const char **s)
{
    (void)r;
    *s = "the fake driver's own words";
    return 0;
}

cu_result cuDeviceGetCount(int *count)
{
    *count = is("two") ? 2 : 1;
    return 0;
}

cu_result cuDeviceGet(cu_device *d, int index)
{
    int count;
    cuDeviceGetCount(&count);
    *d = number = index;
    return index >= count ? CU_INVALID_DEVICE : 0;
}

cu_result cuDeviceGetPCIBusId(char *id, int size, cu_device d)
{
    snprintf(id, (size_t)size, "fake-%d", d);
    return 0;
}

cu_result cuDeviceGetName(char *name, int size, cu_device d)
{
    (void)d;
    snprintf(name, (size_t)size, "NVIDIA H200");
    return 0;
}

cu_result cuDeviceGetAttribute(int *value, int attribute, cu_device d)
{
    (void)d;
    *value = attribute == ATTR_SMS                                ? 2
             : attribute == ATTR_L2_BYTES                         ? 64 << 10
             : attribute == ATTR_COMPUTE_MODE && is("prohibited") ? COMPUTE_MODE_PROHIBITED
                                                                  : 0;
    return 0;
}

cu_result cuDevicePrimaryCtxRetain(cu_handle *context, cu_device d)
{
    struct err e;
    (void)d;
    if (is("busy")) return CU_DEVICE_UNAVAILABLE;
    if (device_open("sim:h200", &gpu, &e)) return CU_NO_DEVICE;
    *context = gpu;
    return 0;
}

cu_result cuDevicePrimaryCtxRelease_v2(cu_device d)
{
    (void)d;
    device_close(gpu);
    gpu = NULL;
    return 0;
}

cu_result cuCtxSetCurrent(cu_handle context)
{
    (void)context;
    return 0;
}

/* Waits until the running kernel ends: forever if it never ends. */
cu_result cuCtxSynchronize(void)
{
    while (hangs) pause();
    return sticky;
}

/* ---- memory ---- */

cu_result cuMemGetInfo_v2(size_t *left, size_t *whole)
{
    *left = (size_t)1 << 20;
    *whole = (size_t)139 << 30;
    return 0;
}

cu_result cuMemAlloc_v2(cu_ptr *p, size_t bytes)
{
    struct err e;
    dev_ptr at = 0;
    if (is("memory")) return CU_OUT_OF_MEMORY;
    if (cuCtxSynchronize() || device_alloc(gpu, bytes, "memory", 4, &at, &e))
        return sticky ? sticky : CU_OUT_OF_MEMORY;
    *p = at;
    return 0;
}

cu_result cuMemAllocManaged(cu_ptr *p, size_t bytes, unsigned flags)
{
    struct err e;
    dev_ptr at = 0;
    (void)flags;
    if (cuCtxSynchronize() || device_alloc_shared(gpu, bytes, "memory", 4, &at, &e))
        return sticky ? sticky : CU_OUT_OF_MEMORY;
    *p = at;
    return 0;
}

cu_result cuMemGetAddressRange_v2(cu_ptr *base, size_t *bytes, cu_ptr p)
{
    char name[80];
    dev_ptr start;
    *bytes = 0;
    if (device_where(gpu, p, name, sizeof name, &start)) return 1;
    *base = start;
    return 0;
}

cu_result cuMemFree_v2(cu_ptr p)
{
    struct err e;
    return cuCtxSynchronize() ? sticky : device_free(gpu, p, &e) ? 1 : 0;
}

cu_result cuMemAllocHost_v2(void **p, size_t bytes)
{
    *p = xcalloc(bytes, 1);
    return 0;
}

cu_result cuMemFreeHost(void *p)
{
    free(p);
    return 0;
}

cu_result cuMemcpyHtoD_v2(cu_ptr to, const void *from, size_t bytes)
{
    struct err e;
    now_ms += (double)bytes / 25e6;
    return cuCtxSynchronize() ? sticky : device_copy_in(gpu, to, from, bytes, &e) ? 1 : 0;
}

cu_result cuMemcpyDtoH_v2(void *to, cu_ptr from, size_t bytes)
{
    struct err e;
    now_ms += (double)bytes / 25e6;
    return cuCtxSynchronize() ? sticky : device_copy_out(gpu, to, from, bytes, &e) ? 1 : 0;
}

cu_result cuMemcpyHtoDAsync_v2(cu_ptr to, const void *from, size_t bytes, cu_handle stream)
{
    (void)stream;
    return cuMemcpyHtoD_v2(to, from, bytes);
}

cu_result cuMemcpyDtoHAsync_v2(void *to, cu_ptr from, size_t bytes, cu_handle stream)
{
    (void)stream;
    return cuMemcpyDtoH_v2(to, from, bytes);
}

cu_result cuMemsetD8_v2(cu_ptr to, unsigned char value, size_t bytes)
{
    char *content = xcalloc(bytes, 1);
    memset(content, value, bytes);
    cu_result r = cuMemcpyHtoD_v2(to, content, bytes);
    free(content);
    return r;
}

/* ---- modules ---- */

cu_result cuModuleLoadDataEx(
    cu_handle *out, const void *image, unsigned count, int *options, void **values)
{
    struct module *m;
    struct err e;
    int own = strstr(image, "lockstep_sweep") != NULL;
    if (!own && is("hang-load")) pause();
    if (!own && is("crash-load")) raise(SIGSEGV);
    if (!device_load(gpu, image, "module", "module", &m, &e)) {
        *out = m;
        return 0;
    }
    for (unsigned i = 0; i < count; i++)
        if (options[i] == JIT_ERROR_LOG) snprintf(values[i], 2047, "%.2000s", e.text);
    return CU_INVALID_PTX;
}

cu_result cuModuleUnload(cu_handle m)
{
    device_unload(gpu, m);
    return 0;
}

cu_result cuModuleGetFunction(cu_handle *out, cu_handle m, const char *symbol)
{
    *out = module_kernel(m, symbol);
    return *out ? 0 : 500;
}

cu_result cuModuleGetGlobal_v2(cu_ptr *p, size_t *bytes, cu_handle m, const char *name)
{
    *p = module_variable(m, name, bytes);
    return *p ? 0 : 500;
}

cu_result cuFuncSetAttribute(cu_handle function, int attribute, int value)
{
    (void)function;
    (void)attribute;
    (void)value;
    return 0;
}

/* ---- running ---- */

static double duration(const struct kernel *k, const struct measurement *m)
{
    const char *percent = getenv("FAKE_CUDA_NOISE");
    if (is("short")) return strcmp(device_sim.symbol(k), "lockstep_empty") ? 3e-3 : 2.5e-3;
    if (is("impossible")) return 1e-9;
    return m->ms * (1 + (percent ? atof(percent) / 100 : 0) * (2 * rng_unit(&noise) - 1));
}

static void note_endless(void)
{
    const char *path = getenv("FAKE_CUDA_ENDLESS");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (f) fputc('x', f), fclose(f);
}

static void note_run(const char *what)
{
    const char *path = getenv("FAKE_CUDA_RUNS");
    int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
    if (fd >= 0) dprintf(fd, "%d %d %s\n", number, (int)getpid(), what), close(fd);
}

static cu_result launch(
    cu_handle function, const struct launch_shape *shape, const void *const *args)
{
    struct measurement m;
    struct err e;
    if (is("crash-launch")) raise(SIGSEGV);
    if (is("registers") && shape->block[0] > 512) return CU_LAUNCH_RESOURCES;
    if (cuCtxSynchronize()) return sticky;
    device_settings(gpu)->unchecked = 1; /* a GPU sees no races */
    note_run("begins");
    int bad = device_launch(gpu, function, shape, args, &m, &e);
    note_run("ends");
    if (bad) {
        hangs = e.found.kind == FOUND_ENDLESS;
        if (hangs) note_endless();
        sticky = hangs ? 0 : e.found.kind == FOUND_MISALIGNED ? CU_MISALIGNED : CU_ILLEGAL_ADDRESS;
        return 0; /* the next synchronization returns the error */
    }
    now_ms += duration(function, &m);
    measurement_free(&m);
    return 0;
}

static const uint64_t ENDLESS = 1 << 17; /* instructions a warp */

cu_result cuLaunchKernel(cu_handle function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
    unsigned by, unsigned bz, unsigned shared, cu_handle stream, void **args, void **extra)
{
    struct launch_shape shape = {{gx, gy, gz}, {bx, by, bz}, shared, .budget = ENDLESS};
    (void)stream;
    (void)extra;
    return launch(function, &shape, (const void *const *)args);
}

/* CUlaunchConfig and CUlaunchAttribute of cuda.h. */
struct config {
    unsigned gx, gy, gz, bx, by, bz, shared;
    void *stream;
    const struct attribute {
        int id;
        char pad[4];
        unsigned x, y, z, rest[13];
    } * attributes;
    unsigned count;
};

cu_result cuLaunchKernelEx(const struct config *c, cu_handle function, void **args, void **extra);
cu_result cuLaunchKernelEx(const struct config *c, cu_handle function, void **args, void **extra)
{
    enum { CLUSTER_DIMENSION = 4 };
    struct launch_shape shape = {
        {c->gx, c->gy, c->gz}, {c->bx, c->by, c->bz}, c->shared, .budget = ENDLESS};
    (void)extra;
    for (const struct attribute *a = c->attributes; a < c->attributes + c->count; a++)
        if (a->id == CLUSTER_DIMENSION)
            shape.cluster[0] = a->x, shape.cluster[1] = a->y, shape.cluster[2] = a->z;
    return launch(function, &shape, (const void *const *)args);
}

cu_result cuStreamCreate(cu_handle *out, unsigned flags)
{
    (void)flags;
    *out = xcalloc(1, 1);
    return 0;
}

cu_result cuStreamSynchronize(cu_handle s)
{
    (void)s;
    return cuCtxSynchronize();
}

cu_result cuStreamDestroy_v2(cu_handle s)
{
    free(s);
    return 0;
}

/* An event is the time at which it was recorded. */
cu_result cuEventCreate(cu_handle *out, unsigned flags)
{
    (void)flags;
    *out = xcalloc(1, sizeof(double));
    return 0;
}

cu_result cuEventDestroy_v2(cu_handle event)
{
    free(event);
    return 0;
}

cu_result cuEventRecord(cu_handle event, cu_handle stream)
{
    (void)stream;
    *(double *)event = now_ms;
    return sticky;
}

cu_result cuEventQuery(cu_handle event)
{
    (void)event;
    return hangs ? CU_NOT_READY : sticky;
}

cu_result cuEventElapsedTime(float *ms, cu_handle start, cu_handle stop)
{
    *ms = (float)(*(double *)stop - *(double *)start);
    return sticky;
}
