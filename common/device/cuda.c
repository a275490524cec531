/* cuda.c - the back end for real GPUs, by the CUDA driver.
 *
 *     PTX ──┬──> driver: cuModuleLoadDataEx        runs the kernels
 *           └──> twin: a simulated device as well    knows names, parameters and initial values
 *
 * Fork: a process that has called cuInit must not fork. A caller that needs children opens the
 * device in them; present() looks for a GPU in a child of its own.
 *
 * Lost devices: a kernel that faults or never ends destroys its context. The device is then marked
 * as lost, and memory calls, loads, launches and close no longer call the driver: it would return
 * errors, or wait for ever.
 *
 * Source: CUDA Driver API reference. */
#include "device/cuda_driver.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Limit of a launch in seconds; a longer one is reported as endless. The launch's shape can set
 * another limit. */
static const double LAUNCH_SECONDS = 20;

/* What struct module.state points to. The module owns its twin and its kernels. */
struct cuda_module {
    struct module *twin;
    cu_handle module;
    /* One kernel for each name that was requested, so that equal names give equal handles. */
    struct kernel **kernels;
    size_t kernel_count, kernel_cap;
};

/* What struct kernel.state points to. */
struct cuda_kernel {
    struct kernel *twin;
    char *name;
    cu_handle function;
};

/* ---- errors ---- */

/* Explains to the learner why a launch failed. Returns -1 with ERR_LEARNER. */
static int kernel_error(struct kernel *k, cu_result r, struct err *e)
{
    struct cuda_kernel *x = k->state;
    const char *what = cuda_why(r);
    enum finding_kind found = FOUND_FAULT;
    switch (r) {
    case CU_INVALID_ADDRESS_SPACE: /* an address that is in no memory space */
    case CU_ILLEGAL_ADDRESS:
        what =
            "it reads or writes memory that is not its own; run it with DEVICE=sim:h200 to see where";
        found = FOUND_OUTSIDE;
        break;
    case CU_MISALIGNED:
        what = "it reads or writes a misaligned address; run it with DEVICE=sim:h200 to see where";
        found = FOUND_MISALIGNED;
        break;
    case CU_NOT_READY: /* cuda_wait has reached its time limit */
    case CU_LAUNCH_TIMEOUT: what = "it does not end", found = FOUND_ENDLESS; break;
    case CU_LAUNCH_RESOURCES:
        what = "a block needs more registers or shared memory than there are";
        break;
    case CU_TRAP: what = "it stopped itself (trap, assert)", found = FOUND_TRAP; break;
    default: break;
    }
    err_set(e, ERR_LEARNER, "kernel %s failed on the GPU: %s", x->name, what);
    e->found.kind = found;
    return -1;
}

/* ---- opening ---- */

/* Start the driver and retain the GPU's primary context. If this fails, cuda_close releases what
 * was allocated. */
static int open_context(struct device *d, struct cuda_state *s, int index, struct err *e)
{
    int mode = 0, count = 0;
    cu_result r = cu.cuInit(0);
    if (r) return cuda_env_error(d->name, r, "starting the driver", e);
    if ((r = cu.cuDeviceGetCount(&count)) || index >= count)
        return cuda_env_error(d->name, r ? r : CU_INVALID_DEVICE, "looking for GPUs", e);
    if ((r = cu.cuDeviceGet(&s->device, index)) ||
        (r = cu.cuDeviceGetName(s->title, sizeof s->title, s->device)))
        return cuda_env_error(d->name, r, "looking at the GPU", e);
    if (!cu.cuDeviceGetAttribute(&mode, ATTR_COMPUTE_MODE, s->device) &&
        mode == COMPUTE_MODE_PROHIBITED)
        return cuda_env_error(d->name, CU_DEVICE_UNAVAILABLE, "", e);
    if ((r = cu.cuDevicePrimaryCtxRetain(&s->context, s->device)))
        return cuda_env_error(d->name, r, "taking the GPU", e);
    s->retained = 1;
    if ((r = cu.cuCtxSetCurrent(s->context)))
        return cuda_env_error(d->name, r, "taking the GPU", e);
    if ((r = cu.cuEventCreate(&s->start, 0)) || (r = cu.cuEventCreate(&s->stop, 0)))
        return cuda_env_error(d->name, r, "making a timer", e);
    return 0;
}

/* Also closes a device that was opened only in part. A lost device keeps its context until the
 * process ends. */
static void cuda_close(struct device *d)
{
    struct cuda_state *s = d->state;
    if (!d->lost) {
        if (s->turn) close(s->turn);
        if (s->scratch) cu.cuMemFree_v2(s->scratch);
        if (s->own) cu.cuModuleUnload(s->own);
        if (s->start) cu.cuEventDestroy_v2(s->start);
        if (s->stop) cu.cuEventDestroy_v2(s->stop);
        if (s->retained) cu.cuDevicePrimaryCtxRelease_v2(s->device);
    }
    if (s->twin) device_close(s->twin);
    free(s);
}

/* Opens the simulated device that reads the PTX (names, parameters, initial values). For a GPU
 * without a profile it simulates an H200, which makes no difference for that. */
static int open_twin(struct device *d, struct err *e)
{
    struct cuda_state *s = d->state;
    char *twin = xasprintf("sim:%s", d->profile ? d->profile->name : "h200");
    int bad = device_open(twin, &s->twin, e);
    free(twin);
    return bad;
}

/* rest: the number of the GPU; "": GPU 0. */
static int cuda_open(const char *rest, struct device *d, struct err *e)
{
    char *end;
    long index = *rest ? strtol(rest, &end, 10) : 0;
    if (*rest && (*end || index < 0 || index > 1023))
        return err_set(e, ERR_USAGE,
            "device '%s' does not exist; write cuda or cuda:N with a GPU's number", d->name);
    if (cuda_driver_load(d->name, e)) return -1;
    /* With lazy loading, the first launch of a kernel would load it, and its measured time would
     * include that. */
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    struct cuda_state *s = xcalloc(1, sizeof *s);
    d->state = s;
    int bad = open_context(d, s, (int)index, e);
    if (!bad) {
        d->profile = model_profile_titled(s->title);
        d->title = s->title;
        bad = open_twin(d, e);
    }
    if (bad) cuda_close(d);
    return bad;
}

/* ---- memory ---- */

/* Reports the error of every call on a lost device. Returns -1. */
static int gone(struct device *d, struct err *e)
{
    return err_set(e, ERR_ENV,
        "device '%s': a kernel that failed took it along; another process can open it again",
        d->name);
}

/* Checks the result of an allocation. If there was too little memory, the message states the
 * buffer, its size and how much is free. */
static int allocated(struct device *d, cu_result r, size_t bytes, const char *name, cu_ptr p,
    dev_ptr *out, struct err *e)
{
    size_t left = 0, whole = 0;
    *out = p;
    if (!r) return 0;
    cu.cuMemGetInfo_v2(&left, &whole);
    char *doing = xasprintf("%s needs %zu MiB, %zu of %zu MiB are free", name, (bytes >> 20) + 1,
        left >> 20, whole >> 20);
    cuda_env_error(d->name, r, doing, e);
    free(doing);
    return -1;
}

static int cuda_alloc(
    struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e)
{
    cu_ptr p = 0;
    (void)element;
    if (d->lost) return gone(d, e);
    cu_result r = cu.cuMemAlloc_v2(&p, bytes);
    return allocated(d, r, bytes, name, p, out, e);
}

static int cuda_alloc_shared(
    struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e)
{
    cu_ptr p = 0;
    (void)element;
    if (d->lost) return gone(d, e);
    cu_result r = cu.cuMemAllocManaged(&p, bytes, MANAGED_GLOBAL);
    return allocated(d, r, bytes, name, p, out, e);
}

/* Finds the start of an allocation; the driver does not know its name. */
static int cuda_where(const struct device *d, dev_ptr p, char *name, size_t size, dev_ptr *start)
{
    cu_ptr base = 0;
    size_t bytes;
    if (size) *name = 0;
    if (d->lost || cu.cuMemGetAddressRange_v2(&base, &bytes, p)) return -1;
    *start = base;
    return 0;
}

static int cuda_free(struct device *d, dev_ptr p, struct err *e)
{
    cu_result r = d->lost ? 0 : cu.cuMemFree_v2(p);
    return r ? cuda_env_error(d->name, r, "freeing memory", e) : 0;
}

static int cuda_copy_in(struct device *d, dev_ptr dst, const void *src, size_t bytes, struct err *e)
{
    if (d->lost) return gone(d, e);
    cu_result r = cu.cuMemcpyHtoD_v2(dst, src, bytes);
    return r ? cuda_env_error(d->name, r, "copying to the GPU", e) : 0;
}

static int cuda_copy_out(struct device *d, void *dst, dev_ptr src, size_t bytes, struct err *e)
{
    if (d->lost) return gone(d, e);
    cu_result r = cu.cuMemcpyDtoH_v2(dst, src, bytes);
    return r ? cuda_env_error(d->name, r, "copying from the GPU", e) : 0;
}

/* Called before the timed launch: measures an empty launch (once), then evicts the L2. */
static int cuda_flush(struct device *d, struct err *e)
{
    if (d->lost) return gone(d, e);
    return cuda_measure_launch(d, e) || cuda_sweep(d, e) ? -1 : 0;
}

/* ---- modules ---- */

/* The twin loads the PTX first, since its error messages state the learner's lines. The driver's
 * third option, the optimization level, is passed only for unoptimized code; its value is 0
 * (NULL). */
static int cuda_load(struct device *d, const char *ptx, const char *name, const char *main_source,
    struct module *m, struct err *e)
{
    struct cuda_state *s = d->state;
    struct cuda_module *cm = xcalloc(1, sizeof *cm);
    m->state = cm;
    if (device_load(s->twin, ptx, name, main_source, &cm->twin, e)) {
        free(cm);
        return -1;
    }
    if (d->lost) {
        device_unload(s->twin, cm->twin);
        free(cm);
        return gone(d, e);
    }
    char log[2048] = "";
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES, JIT_OPTIMIZATION_LEVEL};
    void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1), NULL};
    cu_result r =
        cu.cuModuleLoadDataEx(&cm->module, ptx, d->settings.unoptimised ? 3 : 2, options, values);
    if (!r) return 0;
    log[strcspn(log, "\n")] = 0;
    device_unload(s->twin, cm->twin);
    free(cm);
    if (r == CU_INVALID_PTX || r == CU_NO_BINARY)
        return err_set(e, ERR_LEARNER, "%s: the driver does not take this PTX: %s", main_source,
            *log ? log : cuda_why(r));
    return cuda_env_error(d->name, r, "loading the kernels", e);
}

/* All handles of the module's kernels become invalid. */
static void cuda_unload(struct device *d, struct module *m)
{
    struct cuda_state *s = d->state;
    struct cuda_module *cm = m->state;
    if (!d->lost) cu.cuModuleUnload(cm->module);
    device_unload(s->twin, cm->twin);
    for (size_t i = 0; i < cm->kernel_count; i++) {
        free(((struct cuda_kernel *)cm->kernels[i]->state)->name);
        free(cm->kernels[i]->state);
        free(cm->kernels[i]);
    }
    free(cm->kernels);
    free(cm);
}

/* The twin maps the name in the source to the symbol in the PTX, which the driver needs. */
static struct kernel *cuda_kernel_named(struct module *m, const char *name)
{
    struct cuda_module *cm = m->state;
    struct kernel *twin = module_kernel(cm->twin, name);
    cu_handle function;
    if (!twin || cu.cuModuleGetFunction(&function, cm->module, device_sim.symbol(twin)))
        return NULL;
    for (size_t i = 0; i < cm->kernel_count; i++)
        if (((struct cuda_kernel *)cm->kernels[i]->state)->twin == twin) return cm->kernels[i];
    struct cuda_kernel *x = xcalloc(1, sizeof *x);
    *x = (struct cuda_kernel){twin, xstrdup(name), function};
    struct kernel *k = xcalloc(1, sizeof *k);
    *k = (struct kernel){m, x};
    return *VEC_PUSH(cm->kernels, cm->kernel_count, cm->kernel_cap) = k;
}

/* The twin provides what the driver does not report about a kernel or module. */
static int cuda_params(const struct kernel *k, const struct param **params)
{
    return kernel_params(((struct cuda_kernel *)k->state)->twin, params);
}

static int cuda_needs(const struct kernel *k, struct kernel_needs *out)
{
    return kernel_needs(((struct cuda_kernel *)k->state)->twin, out);
}

static void cuda_name(const struct kernel *k, struct buf *out)
{
    kernel_name(((struct cuda_kernel *)k->state)->twin, out);
}

static int cuda_line(const struct kernel *k)
{
    return kernel_line(((struct cuda_kernel *)k->state)->twin);
}

static void cuda_kernels(const struct module *m, struct buf *out)
{
    module_kernels(((struct cuda_module *)m->state)->twin, out);
}

static long cuda_initial(const struct module *m, const char *variable, void *out, size_t max)
{
    return module_initial(((struct cuda_module *)m->state)->twin, variable, out, max);
}

/* The address of the variable in the GPU's memory, not in the twin's. */
static dev_ptr cuda_variable(struct module *m, const char *variable, size_t *bytes)
{
    cu_ptr p = 0;
    struct cuda_module *cm = m->state;
    return cu.cuModuleGetGlobal_v2(&p, bytes, cm->module, variable) ? 0 : p;
}

/* ---- launch ---- */

/* The same layout as struct CUlaunchConfig of the CUDA driver, with one attribute. */
struct cluster_launch {
    unsigned grid[3], block[3], shared;
    cu_handle stream;
    const void *attributes;
    unsigned attribute_count;
};
enum { ATTRIBUTE_CLUSTER = 4, NOT_SUPPORTED = 801 };

static cu_result launch_once(
    cu_handle function, const struct launch_shape *s, const void *const *args)
{
    const unsigned *g = s->grid, *b = s->block, *c = s->cluster;
    void **list = (void **)(uintptr_t)args;
    if (c[0] <= 1 && c[1] <= 1 && c[2] <= 1)
        return cu.cuLaunchKernel(function, g[0], g[1], g[2], b[0], b[1], b[2],
            (unsigned)s->dynamic_shared, NULL, list, NULL);
    if (!cuda_launch_ex) return NOT_SUPPORTED; /* the driver is too old for clusters */
    /* The layout of a CUlaunchAttribute: its ID, 4 bytes of padding, a value of 64 bytes. */
    const unsigned attribute[18] = {ATTRIBUTE_CLUSTER, 0, c[0], c[1], c[2]};
    const struct cluster_launch l = {
        {g[0], g[1], g[2]}, {b[0], b[1], b[2]}, (unsigned)s->dynamic_shared, NULL, attribute, 1};
    return cuda_launch_ex(&l, function, list, NULL);
}

/* Launch between two events, and wait with a time limit. *ms: time between the events. *queueing:
 * the CPU's milliseconds for queueing the three operations. */
static cu_result launch_timed(struct cuda_state *s, cu_handle function,
    const struct launch_shape *shape, const void *const *args, float *ms, double *queueing)
{
    cu_result r = 0;
    /* Dynamic shared memory above 48 KiB must be requested (CUDA C++ Programming Guide, "Shared
     * Memory"). */
    if (shape->dynamic_shared > 48 << 10)
        r = cu.cuFuncSetAttribute(function, FUNC_DYNAMIC_SHARED, (int)shape->dynamic_shared);
    double start = clock_seconds();
    if (!r) r = cu.cuEventRecord(s->start, NULL);
    if (!r) r = launch_once(function, shape, args);
    if (!r) r = cu.cuEventRecord(s->stop, NULL);
    *queueing = 1e3 * (clock_seconds() - start);
    if (!r) r = cuda_wait(s->stop, shape->seconds > 0 ? shape->seconds : LAUNCH_SECONDS);
    return r ? r : cu.cuEventElapsedTime(ms, s->start, s->stop);
}

/* Runs a kernel. Errors from CU_ILLEGAL_ADDRESS on destroy the context, so the device is lost,
 * except for a launch that never started. */
static int cuda_launch(struct device *d, struct kernel *k, const struct launch_shape *shape,
    const void *const *args, struct measurement *out, struct err *e)
{
    struct cuda_state *s = d->state;
    struct cuda_kernel *x = k->state;
    float ms = 0;
    double queueing = 0;
    if (d->lost) return gone(d, e);
    cu_result r = launch_timed(s, x->function, shape, args, &ms, &queueing);
    if (r) {
        d->lost = r == CU_NOT_READY || (r >= CU_ILLEGAL_ADDRESS && r != CU_LAUNCH_RESOURCES);
        return kernel_error(k, r, e);
    }
    cu.cuCtxSynchronize(); /* flushes what the kernel printed */
    if (out) {
        out->time_is = TIME_MEASURED;
        out->ms = ms;
        out->launch_ms = s->launch_ms;
        /* The launch also waited until the L2 was evicted; that time is not included. */
        out->host_ms = queueing + ms;
        model_metrics_clear(&out->metrics);
    }
    return 0;
}

static int transfer(
    struct device *d, const struct model_transfer *t, double *ms, enum time_kind *is, struct err *e)
{
    *is = TIME_MEASURED;
    return d->lost ? gone(d, e) : cuda_transfer(d, t, ms, e);
}

/* ---- is there a GPU? ---- */

/* Calls the driver in a child process, so that this process does not call cuInit and can still
 * fork. */
static int cuda_present(void)
{
    pid_t child = fork();
    if (child == 0) {
        int count = 0;
        _exit(cuda_driver_load("cuda", NULL) || cu.cuInit(0) || cu.cuDeviceGetCount(&count) ||
              !count);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static void cuda_list(struct buf *out)
{
    if (cuda_present()) buf_printf(out, "cuda\n");
}

const struct device_ops device_cuda = {
    .scheme = "cuda",
    .needs_process = 1,
    .open = cuda_open,
    .close = cuda_close,
    .alloc = cuda_alloc,
    .alloc_shared = cuda_alloc_shared,
    .where = cuda_where,
    .needs = cuda_needs,
    .name = cuda_name,
    .free = cuda_free,
    .copy_in = cuda_copy_in,
    .copy_out = cuda_copy_out,
    .flush = cuda_flush,
    .tensor_map = cuda_tensor_map,
    .load = cuda_load,
    .unload = cuda_unload,
    .kernel = cuda_kernel_named,
    .params = cuda_params,
    .line = cuda_line,
    .kernels = cuda_kernels,
    .initial = cuda_initial,
    .variable = cuda_variable,
    .launch = cuda_launch,
    .list = cuda_list,
    .present = cuda_present,
    .transfer = transfer,
    .hold = cuda_hold,
    .release = cuda_release,
};
