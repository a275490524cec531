/* cuda_driver.c - loads the CUDA driver's library, and explains its errors in messages that say
 * what to do. */
#define _GNU_SOURCE
#include "device/cuda_driver.h"

#include <dlfcn.h>
#include <string.h>
#include <time.h>

struct cuda_entries cu;
cu_result (*cuda_launch_ex)(const void *, cu_handle, void **, void **);
cu_result (*cuda_tensor_map_encode)(void *, int, unsigned, void *, const uint64_t *,
    const uint64_t *, const unsigned *, const unsigned *, int, int, int, int);

/* The library remains loaded until the process ends. A missing entry point means that the driver is
 * too old. */
int cuda_driver_load(const char *device, struct err *e)
{
    static void *library;
    if (library) return 0;
    void *lib = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!lib)
        return err_set(e, ERR_ENV,
            "device '%s': there is no NVIDIA driver on this machine (libcuda.so.1); sim:h200 works without "
            "one",
            device);
#define ENTRY(entry, params) \
    *(void **)&cu.entry = dlsym(lib, #entry); \
    if (!cu.entry) { \
        dlclose(lib); \
        return err_set(e, ERR_ENV, \
            "device '%s': the NVIDIA driver has no " #entry \
            "; it is too old: update it, or use sim:h200", \
            device); \
    }
    CUDA_ENTRIES
#undef ENTRY
    *(void **)&cuda_tensor_map_encode = dlsym(lib, "cuTensorMapEncodeTiled");
    *(void **)&cuda_launch_ex = dlsym(lib, "cuLaunchKernelEx");
    library = lib;
    return 0;
}

const char *cuda_why(cu_result r)
{
    const char *s = NULL;
    if (cu.cuGetErrorString && !cu.cuGetErrorString(r, &s) && s) return s;
    return "unknown error";
}

/* Each message states the device as the user wrote it, then what happened, then what to do. */
int cuda_env_error(const char *device, cu_result r, const char *doing, struct err *e)
{
    switch (r) {
    case CU_NO_DEVICE:
    case CU_INVALID_DEVICE:
        return err_set(e, ERR_ENV,
            "device '%s': there is no such GPU here; `nvidia-smi -L` lists them, sim:h200 works without one",
            device);
    case CU_OUT_OF_MEMORY:
        return err_set(e, ERR_ENV,
            "device '%s': too little free GPU memory (%s); `nvidia-smi` shows who uses it", device,
            doing);
    case CU_DEVICE_UNAVAILABLE:
        return err_set(e, ERR_ENV,
            "device '%s': the GPU is busy or in exclusive mode; try again later, or use sim:h200",
            device);
    case CU_STUB_LIBRARY:
        return err_set(e, ERR_ENV,
            "device '%s': libcuda.so.1 is the toolkit's stub, not a driver; sim:h200 works without one",
            device);
    case CU_INSUFFICIENT_DRIVER:
    case CU_SYSTEM_DRIVER_MISMATCH:
    case CU_COMPAT_NOT_SUPPORTED:
        return err_set(e, ERR_ENV,
            "device '%s': the NVIDIA driver is too old or does not match its kernel module; update it, or "
            "use sim:h200",
            device);
    case CU_UNSUPPORTED_PTX:
        return err_set(e, ERR_ENV,
            "device '%s': the NVIDIA driver is older than this nvcc and does not take its PTX; update it, or "
            "use FRONT=clang",
            device);
    default: return err_set(e, ERR_ENV, "device '%s': %s: %s (%d)", device, doing, cuda_why(r), r);
    }
}

/* Poll, since cuEventSynchronize has no time limit. */
cu_result cuda_wait(cu_handle event, double seconds)
{
    /* Most kernels end within this time (seconds). Later, the core is left to other threads between
     * queries. */
    static const double SPIN = 2e-3;
    double start = clock_seconds(), waited;
    cu_result r;
    while ((r = cu.cuEventQuery(event)) == CU_NOT_READY &&
           (waited = clock_seconds() - start) < seconds)
        if (waited > SPIN) nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    return r;
}

/* The driver's map must be aligned to 64 bytes. Numbers of types: 6 half, 7 float, 11 float rounded
 * to TF32; swizzles are numbered from 0. */
int cuda_tensor_map(struct device *d, const struct model_tensor_map *map,
    unsigned char out[MODEL_TENSOR_MAP_BYTES], struct err *e)
{
    enum { HALF = 6, FLOAT = 7, TF32 = 11, PROMOTE_128 = 2 };
    unsigned char made[MODEL_TENSOR_MAP_BYTES] __attribute__((aligned(64)));
    unsigned steps[MODEL_TENSOR_RANK] = {1, 1, 1, 1, 1};
    int swizzle = map->swizzle == 128 ? 3 : map->swizzle == 64 ? 2 : map->swizzle == 32;
    if (!cuda_tensor_map_encode)
        return err_set(e, ERR_ENV,
            "device '%s': the NVIDIA driver makes no tensor maps; it is too old: update it, or use sim:h200",
            d->name);
    int type = map->tf32 ? TF32 : map->element == 2 ? HALF : FLOAT;
    cu_result r =
        cuda_tensor_map_encode(made, type, (unsigned)map->rank, (void *)(uintptr_t)map->data,
            map->size, map->stride + 1, map->box, steps, 0, swizzle, PROMOTE_128, 0);
    memcpy(out, made, sizeof made);
    return r ? cuda_env_error(d->name, r, "making a tensor map", e) : 0;
}
