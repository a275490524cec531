/* driver.c - CUDA's driver API, implemented by calls of the runtime. This library defines libcuda's
 * names.
 *
 *     cuModuleLoadData -- PTX text --> image -- cuModuleGetFunction --> struct function -- cuLaunchKernel
 *                                                                          └-> cudaLaunchKernel
 *
 * There is one device and one context. Error numbers are those of the runtime, if both APIs have
 * the error. */
#include "cuda/stubs/cuda.h"

#include "runtime/driver.h"
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ARGS = 256 };

static int initialized;
static struct CUctx_st {
    int made;
} the_context;

/* Each host thread has a stack of at most MOST_CONTEXTS contexts. The top one is current; it may be
 * NULL, for none. */
enum { MOST_CONTEXTS = 64 };
static _Thread_local CUcontext stack[MOST_CONTEXTS];
static _Thread_local int depth;
static CUcontext current(void) { return depth ? stack[depth - 1] : NULL; }

static CUresult push(CUcontext context)
{
    if (depth == MOST_CONTEXTS) return CUDA_ERROR_OUT_OF_MEMORY;
    stack[depth++] = context;
    return CUDA_SUCCESS;
}

CUresult driver_result(cudaError_t error)
{
    switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
    default: return (CUresult)error;
    }
}

/* Begin a call of the driver API that fails unless cuInit was called and a context is current, as
 * most do. */
#define NEEDS_INIT() \
    if (!initialized) return CUDA_ERROR_NOT_INITIALIZED
#define NEEDS_CONTEXT() \
    NEEDS_INIT(); \
    if (!current()) return CUDA_ERROR_INVALID_CONTEXT

CUresult driver_ready(void)
{
    NEEDS_CONTEXT();
    return CUDA_SUCCESS;
}

API CUresult cuInit(unsigned flags)
{
    int count;
    if (flags) return CUDA_ERROR_INVALID_VALUE;
    CUresult error = driver_result(cudaGetDeviceCount(&count));
    initialized = !error;
    return error;
}

static const struct {
    CUresult number;
    const char *name;
} errors[] = {{CUDA_SUCCESS, "CUDA_SUCCESS"},
#define ROW(name, number) {(CUresult)number, "CUDA_ERROR_" #name},
    LOCKSTEP_DRIVER_ERRORS_(ROW)};

API CUresult cuGetErrorName(CUresult error, const char **name)
{
    *name = NULL;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == error) *name = errors[i].name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuGetErrorString(CUresult error, const char **text)
{
    CUresult known = cuGetErrorName(error, text);
    if (!known) *text = cudaGetErrorString((cudaError_t)error);
    return known;
}

/* ---- the device and its context ---- */

API CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    NEEDS_INIT();
    *device = ordinal;
    return ordinal ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

API CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    struct cudaDeviceProp p;
    NEEDS_INIT();
    CUresult error = driver_result(cudaGetDeviceProperties(&p, device));
    if (error || size <= 0) return error ? error : CUDA_ERROR_INVALID_VALUE;
    size_t n = strlen(p.name) < (size_t)size ? strlen(p.name) : (size_t)size - 1;
    memcpy(name, p.name, n);
    name[n] = 0;
    return CUDA_SUCCESS;
}

API CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    size_t left;
    NEEDS_INIT();
    return device ? CUDA_ERROR_INVALID_DEVICE : driver_result(cudaMemGetInfo(&left, bytes));
}

API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    NEEDS_INIT();
    return driver_result(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device));
}

API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    CUresult error =
        cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return error
               ? error
               : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

API CUresult cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device)
{
    (void)flags;
    NEEDS_INIT();
    if (device) return CUDA_ERROR_INVALID_DEVICE;
    *context = &the_context;
    return push(*context);
}

API CUresult cuCtxCreate_v4(
    CUcontext *context, CUctxCreateParams *params, unsigned flags, CUdevice device)
{
    if (params && (params->numExecAffinityParams || params->cigParams))
        return CUDA_ERROR_NOT_SUPPORTED;
    return cuCtxCreate(context, flags, device);
}

API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    NEEDS_INIT();
    if (device) return CUDA_ERROR_INVALID_DEVICE;
    *context = &the_context;
    return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    return device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

API CUresult cuCtxSetCurrent(CUcontext context)
{
    NEEDS_INIT();
    depth -= depth > 0;
    return context ? push(context) : CUDA_SUCCESS;
}

API CUresult cuCtxPushCurrent(CUcontext context)
{
    NEEDS_INIT();
    return context ? push(context) : CUDA_ERROR_INVALID_CONTEXT;
}

API CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    (void)stream;
    NEEDS_INIT();
    *context = &the_context;
    return CUDA_SUCCESS;
}

API CUresult cuCtxGetCurrent(CUcontext *context)
{
    NEEDS_INIT();
    *context = current();
    return CUDA_SUCCESS;
}

API CUresult cuCtxPopCurrent(CUcontext *context)
{
    NEEDS_CONTEXT();
    if (context) *context = current();
    depth--;
    return CUDA_SUCCESS;
}

API CUresult cuCtxDestroy(CUcontext context)
{
    NEEDS_INIT();
    if (!context) return CUDA_ERROR_INVALID_CONTEXT;
    depth -= depth > 0 && current() == context;
    return CUDA_SUCCESS;
}

/* ---- modules ---- */

/* Load a module from PTX text; nothing else can be loaded. For -cubin and -fatbin, lockstep-nvcc
 * writes PTX, too. */
static CUresult load(CUmodule *module, const char *text, const char *name)
{
    NEEDS_CONTEXT();
    if (!module || !text) return CUDA_ERROR_INVALID_VALUE;
    cudaError_t error;
    *module = NULL;
    if (!strstr(text, ".version")) {
        runtime_say("%s: is no PTX; build it with lockstep-nvcc -ptx, -cubin or -fatbin", name);
        return CUDA_ERROR_INVALID_IMAGE;
    }
    *module = (CUmodule)registry_open(text, &error);
    return *module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}

API CUresult cuModuleLoad(CUmodule *module, const char *file)
{
    struct err e = {0};
    char *text = NULL;
    NEEDS_CONTEXT();
    if (file_read(file, (size_t)256 << 20, &text, NULL, &e)) return CUDA_ERROR_FILE_NOT_FOUND;
    CUresult error = load(module, text, file);
    free(text);
    return error;
}

API CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    return load(module, image, "cuModuleLoadData: the image");
}

API CUresult cuModuleLoadDataEx(
    CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values)
{
    for (unsigned i = 0; i < count; i++) /* nothing is logged: both logs are empty */
        if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
            options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            values[i] = NULL;
    return cuModuleLoadData(module, image);
}

/* Launches that wait (later.c) run first. */
API CUresult cuModuleUnload(CUmodule module)
{
    static struct api_call this_call = {__func__};
    NEEDS_CONTEXT();
    if (!module) return CUDA_ERROR_INVALID_HANDLE;
    cudaError_t error = runtime_enter(&this_call);
    registry_close((struct image *)module);
    return driver_result(runtime_leave(error));
}

API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    NEEDS_CONTEXT();
    if (!function || !module || !name) return CUDA_ERROR_INVALID_VALUE;
    *function = (CUfunction)registry_named((struct image *)module, name);
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

API CUresult cuModuleGetGlobal(CUdeviceptr *p, size_t *bytes, CUmodule module, const char *name)
{
    size_t size = 0;
    NEEDS_CONTEXT();
    if (!module || !name) return CUDA_ERROR_INVALID_VALUE;
    dev_ptr at = registry_global((struct image *)module, name, &size);
    if (p) *p = at;
    if (bytes) *bytes = size;
    return at ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* ---- kernels ---- */

/* Set args from `extra`, in which CU_LAUNCH_PARAM_BUFFER_POINTER gives one buffer with all
 * arguments, each at its own alignment. */
static cudaError_t unpack(CUfunction f, void **extra, void **args)
{
    cudaError_t error;
    char *at = NULL;
    size_t bytes = 0, offset = 0;
    const struct param *params;
    struct function *function = registry_function(f, &error);
    if (!function) return error;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) at = extra[1];
        if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *(size_t *)extra[1];
    }
    int count = kernel_params(function->kernel, &params);
    for (int i = 0; i < count; i++) {
        offset = (offset + params[i].align - 1) / params[i].align * params[i].align;
        if (!at || i >= MOST_ARGS || offset + params[i].bytes > bytes) return cudaErrorInvalidValue;
        args[i] = at + offset;
        offset += params[i].bytes;
    }
    return cudaSuccess;
}

API CUresult cuLaunchKernel(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z,
    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, CUstream stream,
    void **args, void **extra)
{
    void *unpacked[MOST_ARGS];
    NEEDS_CONTEXT();
    dim3 grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
    cudaError_t error = !f      ? cudaErrorInvalidResourceHandle
                        : extra ? unpack(f, extra, unpacked)
                                : cudaSuccess;
    return driver_result(
        error ? error : cudaLaunchKernel(f, grid, block, extra ? unpacked : args, shared, stream));
}

API CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction f, void **args, void **extra)
{
    void *unpacked[MOST_ARGS];
    NEEDS_CONTEXT();
    const cudaLaunchConfig_t config = {{c->gridDimX, c->gridDimY, c->gridDimZ},
        {c->blockDimX, c->blockDimY, c->blockDimZ}, c->sharedMemBytes, c->hStream,
        (cudaLaunchAttribute *)c->attrs, c->numAttrs};
    cudaError_t error = extra ? unpack(f, extra, unpacked) : cudaSuccess;
    return driver_result(error ? error : cudaLaunchKernelExC(&config, f, extra ? unpacked : args));
}

API CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned grid_x, unsigned grid_y,
    unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
    CUstream stream, void **args)
{
    NEEDS_CONTEXT();
    dim3 grid = {grid_x, grid_y, grid_z}, block = {block_x, block_y, block_z};
    return driver_result(cudaLaunchCooperativeKernel(f, grid, block, args, shared, stream));
}

API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction f)
{
    struct cudaFuncAttributes a;
    NEEDS_CONTEXT();
    CUresult error = driver_result(cudaFuncGetAttributes(&a, f));
    if (error) return error;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = a.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)a.sharedSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)a.constSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)a.localSizeBytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = a.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = a.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = a.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = a.maxDynamicSharedSizeBytes;
        break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

/* Finds the block size with the most resident threads on a multiprocessor; of two such sizes the
 * larger, as in CUDA. */
API CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f,
    CUoccupancyB2DSize shared_of_block, size_t shared, int most)
{
    struct cudaFuncAttributes a;
    struct cudaDeviceProp p;
    NEEDS_CONTEXT();
    CUresult error = driver_result(cudaFuncGetAttributes(&a, f));
    if (!error) error = driver_result(cudaGetDeviceProperties(&p, 0));
    if (error) return error;
    int top = most > 0 && most < a.maxThreadsPerBlock ? most : a.maxThreadsPerBlock, best = 0;
    for (int threads = top; threads > 0; threads = (threads - 1) / p.warpSize * p.warpSize) {
        int blocks;
        size_t bytes = shared_of_block ? shared_of_block(threads) : shared;
        error = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, threads, bytes);
        if (error) return error;
        if (blocks * threads > best)
            best = blocks * threads, *block = threads, *grid = blocks * p.multiProcessorCount;
    }
    return best ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
