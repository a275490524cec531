/* cuda.c - the CUDA driver as a device. The library is found at run time, so the same binary starts on a machine without
 * one; nothing of the SDK is needed to build this file.
 *
 * Every module is loaded twice: into the driver, and into a simulated device beside it, which knows the PTX: the names
 * and parameters of its kernels, the initial content of its variables.
 *
 * A process that has called cuInit must not fork, so whoever wants children opens the device in them (present() looks
 * from a child of its own).
 *
 * Source: CUDA Driver API reference. The types below are its ABI. */
#define _GNU_SOURCE
#include "device/device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int cu_result;            /* CUresult: 0 is success */
typedef int cu_device;            /* CUdevice */
typedef unsigned long long cu_ptr;/* CUdeviceptr */
typedef void *cu_handle;          /* CUcontext, CUmodule, CUfunction, CUevent, CUstream */

/* CUresult values that get a sentence of their own */
enum {
    CU_NO_DEVICE = 100, CU_INVALID_DEVICE = 101, CU_OUT_OF_MEMORY = 2, CU_INVALID_PTX = 218, CU_UNSUPPORTED_PTX = 222,
    CU_NO_BINARY = 209, CU_ILLEGAL_ADDRESS = 700, CU_LAUNCH_RESOURCES = 701, CU_LAUNCH_TIMEOUT = 702,
    CU_MISALIGNED = 716, CU_LAUNCH_FAILED = 719, CU_DEVICE_UNAVAILABLE = 46, CU_SYSTEM_DRIVER_MISMATCH = 803,
    CU_INSUFFICIENT_DRIVER = 35, CU_TRAP = 710, CU_ILLEGAL_INSTRUCTION = 715, CU_INVALID_PC = 718,
};
/* CUdevice_attribute, CUjit_option, CUfunction_attribute */
enum {
    ATTR_L2_BYTES = 38, ATTR_CC_MAJOR = 75, ATTR_CC_MINOR = 76, ATTR_COMPUTE_MODE = 20, ATTR_SMS = 16,
    JIT_ERROR_LOG = 5, JIT_ERROR_LOG_BYTES = 6, FUNC_DYNAMIC_SHARED = 8, COMPUTE_MODE_PROHIBITED = 2,
};

/* The entry points: ENTRY(name in the library, result, parameters) */
#define ENTRIES                                                                                     \
    ENTRY(cuInit, (unsigned))                                                                       \
    ENTRY(cuDriverGetVersion, (int *))                                                              \
    ENTRY(cuGetErrorName, (cu_result, const char **))                                               \
    ENTRY(cuGetErrorString, (cu_result, const char **))                                             \
    ENTRY(cuDeviceGetCount, (int *))                                                                \
    ENTRY(cuDeviceGet, (cu_device *, int))                                                          \
    ENTRY(cuDeviceGetName, (char *, int, cu_device))                                                \
    ENTRY(cuDeviceGetAttribute, (int *, int, cu_device))                                            \
    ENTRY(cuDevicePrimaryCtxRetain, (cu_handle *, cu_device))                                       \
    ENTRY(cuDevicePrimaryCtxRelease_v2, (cu_device))                                                \
    ENTRY(cuCtxSetCurrent, (cu_handle))                                                             \
    ENTRY(cuCtxSynchronize, (void))                                                                 \
    ENTRY(cuMemGetInfo_v2, (size_t *, size_t *))                                                    \
    ENTRY(cuMemAlloc_v2, (cu_ptr *, size_t))                                                        \
    ENTRY(cuMemFree_v2, (cu_ptr))                                                                   \
    ENTRY(cuMemcpyHtoD_v2, (cu_ptr, const void *, size_t))                                          \
    ENTRY(cuMemcpyDtoH_v2, (void *, cu_ptr, size_t))                                                \
    ENTRY(cuMemsetD8_v2, (cu_ptr, unsigned char, size_t))                                           \
    ENTRY(cuModuleLoadDataEx, (cu_handle *, const void *, unsigned, int *, void **))                \
    ENTRY(cuModuleUnload, (cu_handle))                                                              \
    ENTRY(cuModuleGetFunction, (cu_handle *, cu_handle, const char *))                              \
    ENTRY(cuModuleGetGlobal_v2, (cu_ptr *, size_t *, cu_handle, const char *))                      \
    ENTRY(cuFuncSetAttribute, (cu_handle, int, int))                                                \
    ENTRY(cuLaunchKernel, (cu_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,   \
                           unsigned, cu_handle, void **, void **))                                  \
    ENTRY(cuEventCreate, (cu_handle *, unsigned))                                                   \
    ENTRY(cuEventDestroy_v2, (cu_handle))                                                           \
    ENTRY(cuEventRecord, (cu_handle, cu_handle))                                                    \
    ENTRY(cuEventSynchronize, (cu_handle))                                                          \
    ENTRY(cuEventElapsedTime, (float *, cu_handle, cu_handle))

static struct {
    void *library;
#define ENTRY(name, params) cu_result (*name) params;
    ENTRIES
#undef ENTRY
} cu;

struct cuda_state {
    struct device *shadow;   /* simulated: knows the PTX */
    cu_device device;
    cu_handle context, start, stop;
    cu_ptr scratch;          /* written to push everything else out of the L2; 0 until needed */
    size_t scratch_bytes;
    char title[128];
};

struct cuda_module {
    struct module *shadow;
    cu_handle module;
    struct kernel *kernels;  /* handed out, one a name asked for */
    size_t kernel_count, kernel_cap;
};

struct cuda_kernel {
    struct kernel *shadow;
    cu_handle function;
};

/* ---- errors ---- */

static const char *why(cu_result r)
{
    const char *s = NULL;
    if (cu.cuGetErrorString && !cu.cuGetErrorString(r, &s) && s)
        return s;
    return "unknown error";
}

/* What the environment did to us: one line that says what to do. */
static int env_error(struct device *d, cu_result r, const char *doing, struct err *e)
{
    switch (r) {
    case CU_NO_DEVICE:
    case CU_INVALID_DEVICE:
        return err_set(e, ERR_ENV, "device '%s': there is no such GPU here; `nvidia-smi -L` lists them, sim:h200 works without one", d->name);
    case CU_OUT_OF_MEMORY:
        return err_set(e, ERR_ENV, "device '%s': too little free GPU memory (%s); `nvidia-smi` shows who uses it", d->name, doing);
    case CU_DEVICE_UNAVAILABLE:
        return err_set(e, ERR_ENV, "device '%s': the GPU is busy or in exclusive mode; try again later, or use sim:h200", d->name);
    case CU_INSUFFICIENT_DRIVER:
    case CU_SYSTEM_DRIVER_MISMATCH:
        return err_set(e, ERR_ENV, "device '%s': the NVIDIA driver is too old or does not match its kernel module; update it, or use sim:h200", d->name);
    default:
        return err_set(e, ERR_ENV, "device '%s': %s: %s (%d)", d->name, doing, why(r), r);
    }
}

/* What a kernel did to itself. The context is lost with it. */
static int kernel_error(struct kernel *k, cu_result r, struct err *e)
{
    struct cuda_kernel *x = k->state;
    const char *what = why(r);
    switch (r) {
    case CU_ILLEGAL_ADDRESS: what = "it reads or writes memory that is not its own; run it with DEVICE=sim:h200 to see where"; break;
    case CU_MISALIGNED: what = "it reads or writes a misaligned address; run it with DEVICE=sim:h200 to see where"; break;
    case CU_LAUNCH_TIMEOUT: what = "it does not end"; break;
    case CU_LAUNCH_RESOURCES: what = "a block needs more registers or shared memory than there are"; break;
    case CU_TRAP: what = "it stopped itself (trap, assert)"; break;
    default: break;
    }
    return err_set(e, ERR_LEARNER, "kernel %s failed on the GPU: %s", device_sim.symbol(x->shadow), what);
}

/* ---- the library ---- */

static int load_library(struct device *d, struct err *e)
{
    if (cu.library)
        return 0;
    void *lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        return err_set(e, ERR_ENV, "device '%s': there is no NVIDIA driver on this machine (libcuda.so.1); sim:h200 works without one", d->name);
#define ENTRY(entry, params)                                                                                  \
    *(void **)&cu.entry = dlsym(lib, #entry);                                                                 \
    if (!cu.entry) {                                                                                          \
        dlclose(lib);                                                                                         \
        return err_set(e, ERR_ENV, "device '%s': the NVIDIA driver has no " #entry                            \
                       "; it is too old: update it, or use sim:h200", d->name);                               \
    }
    ENTRIES
#undef ENTRY
    cu.library = lib;
    return 0;
}

static const struct model_profile *profile_named(const char *title)
{
    for (int i = 0; model_profile_at(i); i++)
        if (!strcmp(model_profile_at(i)->title, title))
            return model_profile_at(i);
    return NULL;
}

static int open_context(struct device *d, struct cuda_state *s, int index, struct err *e)
{
    int mode = 0, count = 0;
    cu_result r = cu.cuInit(0);
    if (r)
        return env_error(d, r, "starting the driver", e);
    if ((r = cu.cuDeviceGetCount(&count)) || index >= count)
        return env_error(d, r ? r : CU_INVALID_DEVICE, "looking for GPUs", e);
    if ((r = cu.cuDeviceGet(&s->device, index)) || (r = cu.cuDeviceGetName(s->title, sizeof s->title, s->device)))
        return env_error(d, r, "looking at the GPU", e);
    if (!cu.cuDeviceGetAttribute(&mode, ATTR_COMPUTE_MODE, s->device) && mode == COMPUTE_MODE_PROHIBITED)
        return env_error(d, CU_DEVICE_UNAVAILABLE, "", e);
    if ((r = cu.cuDevicePrimaryCtxRetain(&s->context, s->device)) || (r = cu.cuCtxSetCurrent(s->context)))
        return env_error(d, r, "taking the GPU", e);
    if ((r = cu.cuEventCreate(&s->start, 0)) || (r = cu.cuEventCreate(&s->stop, 0)))
        return env_error(d, r, "making a timer", e);
    return 0;
}

static int cuda_open(const char *rest, struct device *d, struct err *e)
{
    char *end;
    long index = *rest ? strtol(rest, &end, 10) : 0;
    if (*rest && (*end || index < 0 || index > 1023))
        return err_set(e, ERR_USAGE, "device '%s' does not exist; write cuda or cuda:N with a GPU's number", d->name);
    if (load_library(d, e))
        return -1;
    struct cuda_state *s = xcalloc(1, sizeof *s);
    d->state = s;
    if (open_context(d, s, (int)index, e)) {
        free(s);
        return -1;
    }
    d->profile = profile_named(s->title);
    char *shadow = xasprintf("sim:%s", d->profile ? d->profile->name : "h200");
    int bad = device_open(shadow, &s->shadow, e);
    free(shadow);
    return bad;
}

static void cuda_close(struct device *d)
{
    struct cuda_state *s = d->state;
    if (s->scratch)
        cu.cuMemFree_v2(s->scratch);
    cu.cuEventDestroy_v2(s->start);
    cu.cuEventDestroy_v2(s->stop);
    cu.cuDevicePrimaryCtxRelease_v2(s->device);
    device_close(s->shadow);
    free(s);
}

/* ---- memory ---- */

static int cuda_alloc(struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e)
{
    cu_ptr p = 0;
    (void)element;
    cu_result r = cu.cuMemAlloc_v2(&p, bytes);
    *out = p;
    if (!r)
        return 0;
    char *doing = xasprintf("%zu bytes for %s", bytes, name);
    env_error(d, r, doing, e);
    free(doing);
    return -1;
}

static int cuda_free(struct device *d, dev_ptr p, struct err *e)
{
    cu_result r = cu.cuMemFree_v2(p);
    return r ? env_error(d, r, "freeing memory", e) : 0;
}

static int cuda_copy_in(struct device *d, dev_ptr dst, const void *src, size_t bytes, struct err *e)
{
    cu_result r = cu.cuMemcpyHtoD_v2(dst, src, bytes);
    return r ? env_error(d, r, "copying to the GPU", e) : 0;
}

static int cuda_copy_out(struct device *d, void *dst, dev_ptr src, size_t bytes, struct err *e)
{
    cu_result r = cu.cuMemcpyDtoH_v2(dst, src, bytes);
    return r ? env_error(d, r, "copying from the GPU", e) : 0;
}

/* Write more than the L2 holds, so that the next launch finds none of its data there. */
static int cuda_flush(struct device *d, struct err *e)
{
    struct cuda_state *s = d->state;
    int l2 = 0;
    cu_result r = 0;
    if (!s->scratch) {
        cu.cuDeviceGetAttribute(&l2, ATTR_L2_BYTES, s->device);
        s->scratch_bytes = 2 * (size_t)(l2 > 0 ? l2 : 64 << 20);
        if ((r = cu.cuMemAlloc_v2(&s->scratch, s->scratch_bytes)))
            return env_error(d, r, "memory to clear the L2 with", e);
    }
    if ((r = cu.cuMemsetD8_v2(s->scratch, 0, s->scratch_bytes)) || (r = cu.cuCtxSynchronize()))
        return env_error(d, r, "clearing the L2", e);
    return 0;
}

/* ---- modules ---- */

static int cuda_load(struct device *d, const char *ptx, const char *name, const char *main_source, struct module *m, struct err *e)
{
    struct cuda_state *s = d->state;
    struct cuda_module *cm = xcalloc(1, sizeof *cm);
    m->state = cm;
    if (device_load(s->shadow, ptx, name, main_source, &cm->shadow, e)) {
        free(cm);
        return -1;
    }
    char log[2048] = "";
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
    cu_result r = cu.cuModuleLoadDataEx(&cm->module, ptx, 2, options, values);
    if (!r)
        return 0;
    log[strcspn(log, "\n")] = 0;
    device_unload(s->shadow, cm->shadow);
    free(cm);
    if (r == CU_INVALID_PTX || r == CU_UNSUPPORTED_PTX || r == CU_NO_BINARY)
        return err_set(e, ERR_LEARNER, "%s: the driver does not take this PTX: %s", main_source, *log ? log : why(r));
    return env_error(d, r, "loading the kernels", e);
}

static void cuda_unload(struct device *d, struct module *m)
{
    struct cuda_state *s = d->state;
    struct cuda_module *cm = m->state;
    cu.cuModuleUnload(cm->module);
    device_unload(s->shadow, cm->shadow);
    for (size_t i = 0; i < cm->kernel_count; i++)
        free(cm->kernels[i].state);
    free(cm->kernels);
    free(cm);
}

enum { MOST_KERNELS = 64 };

static struct kernel *cuda_kernel_named(struct module *m, const char *name)
{
    struct cuda_module *cm = m->state;
    struct kernel *shadow = module_kernel(cm->shadow, name);
    cu_handle function;
    if (!shadow || cu.cuModuleGetFunction(&function, cm->module, device_sim.symbol(shadow)))
        return NULL;
    for (size_t i = 0; i < cm->kernel_count; i++)
        if (((struct cuda_kernel *)cm->kernels[i].state)->shadow == shadow)
            return &cm->kernels[i];
    if (!cm->kernels)
        cm->kernels = xcalloc(MOST_KERNELS, sizeof *cm->kernels);
    if (cm->kernel_count == MOST_KERNELS)
        return NULL;
    struct cuda_kernel *x = xcalloc(1, sizeof *x);
    *x = (struct cuda_kernel){shadow, function};
    cm->kernels[cm->kernel_count] = (struct kernel){m, x};
    return &cm->kernels[cm->kernel_count++];
}

static int cuda_params(const struct kernel *k, const struct param **params)
{
    return kernel_params(((struct cuda_kernel *)k->state)->shadow, params);
}

static int cuda_line(const struct kernel *k)
{
    return kernel_line(((struct cuda_kernel *)k->state)->shadow);
}

static const char *cuda_symbol(const struct kernel *k)
{
    return device_sim.symbol(((struct cuda_kernel *)k->state)->shadow);
}

static void cuda_kernels(const struct module *m, struct buf *out)
{
    module_kernels(((struct cuda_module *)m->state)->shadow, out);
}

static long cuda_initial(const struct module *m, const char *variable, void *out, size_t max)
{
    return module_initial(((struct cuda_module *)m->state)->shadow, variable, out, max);
}

static dev_ptr cuda_variable(struct module *m, const char *variable, size_t *bytes)
{
    cu_ptr p = 0;
    struct cuda_module *cm = m->state;
    return cu.cuModuleGetGlobal_v2(&p, bytes, cm->module, variable) ? 0 : p;
}

/* ---- launch ---- */

static int cuda_launch(struct device *d, struct kernel *k, const struct launch_shape *shape, const void *const *args,
                       struct measurement *out, struct err *e)
{
    struct cuda_state *s = d->state;
    struct cuda_kernel *x = k->state;
    const unsigned *g = shape->grid, *b = shape->block;
    float ms = 0;
    cu_result r = 0;
    if (shape->dynamic_shared > 48 << 10)
        r = cu.cuFuncSetAttribute(x->function, FUNC_DYNAMIC_SHARED, (int)shape->dynamic_shared);
    if (!r)
        r = cu.cuEventRecord(s->start, NULL);
    if (!r)
        r = cu.cuLaunchKernel(x->function, g[0], g[1], g[2], b[0], b[1], b[2], (unsigned)shape->dynamic_shared, NULL,
                              (void **)(uintptr_t)args, NULL);
    if (!r)
        r = cu.cuEventRecord(s->stop, NULL);
    if (!r)
        r = cu.cuEventSynchronize(s->stop);
    if (!r)
        r = cu.cuCtxSynchronize();
    if (!r)
        r = cu.cuEventElapsedTime(&ms, s->start, s->stop);
    if (r)
        return kernel_error(k, r, e);
    if (out) {
        out->time_is = TIME_MEASURED;
        out->ms = ms;
        model_metrics_clear(&out->metrics);
    }
    return 0;
}

/* ---- presence ---- */

/* Asked in a child, so that this process has not called cuInit and may still fork. */
static int cuda_present(void)
{
    pid_t child = fork();
    if (child == 0) {
        struct device d = {.name = (char *)"cuda"};
        int count = 0;
        _exit(load_library(&d, NULL) || cu.cuInit(0) || cu.cuDeviceGetCount(&count) || !count);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void cuda_list(struct buf *out)
{
    if (cuda_present())
        buf_printf(out, "cuda\n");
}

const struct device_ops device_cuda = {
    .scheme = "cuda", .open = cuda_open, .close = cuda_close, .alloc = cuda_alloc, .free = cuda_free,
    .copy_in = cuda_copy_in, .copy_out = cuda_copy_out, .flush = cuda_flush, .load = cuda_load, .unload = cuda_unload,
    .kernel = cuda_kernel_named, .symbol = cuda_symbol, .params = cuda_params, .line = cuda_line, .kernels = cuda_kernels,
    .initial = cuda_initial, .variable = cuda_variable, .launch = cuda_launch, .list = cuda_list, .present = cuda_present,
};
