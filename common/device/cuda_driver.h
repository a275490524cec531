/* cuda_driver.h - private to cuda*.c: the entry points of the CUDA driver.
 *
 * They are found at run time by dlopen. So nothing of NVIDIA's SDK is needed to build the kit, and
 * the same program starts on a machine without a driver.
 *
 * Source: CUDA Driver API reference. The types and numbers below are its binary interface. */
#ifndef LOCKSTEP_DEVICE_CUDA_DRIVER_H
#define LOCKSTEP_DEVICE_CUDA_DRIVER_H

#include "device/device.h"

typedef int cu_result;             /* CUresult: 0 is success */
typedef int cu_device;             /* CUdevice */
typedef unsigned long long cu_ptr; /* CUdeviceptr */
typedef void *cu_handle;           /* CUcontext, CUmodule, CUfunction, CUevent, CUstream */

/* The values of CUresult that have a message of their own. */
enum {
    CU_OUT_OF_MEMORY = 2,
    CU_STUB_LIBRARY = 34,
    CU_INSUFFICIENT_DRIVER = 35,
    CU_DEVICE_UNAVAILABLE = 46,
    CU_NO_DEVICE = 100,
    CU_INVALID_DEVICE = 101,
    CU_NO_BINARY = 209,
    CU_INVALID_PTX = 218,
    CU_UNSUPPORTED_PTX = 222,
    CU_NOT_READY = 600,
    CU_ILLEGAL_ADDRESS = 700,
    CU_LAUNCH_RESOURCES = 701,
    CU_LAUNCH_TIMEOUT = 702,
    CU_TRAP = 710,
    CU_ILLEGAL_INSTRUCTION = 715,
    CU_MISALIGNED = 716,
    CU_INVALID_ADDRESS_SPACE = 717,
    CU_INVALID_PC = 718,
    CU_LAUNCH_FAILED = 719,
    CU_SYSTEM_NOT_READY = 802,
    CU_SYSTEM_DRIVER_MISMATCH = 803,
    CU_COMPAT_NOT_SUPPORTED = 804,
};
/* Values of several enumerations of the driver: ATTR_ is CUdevice_attribute, JIT_ is CUjit_option,
 * FUNC_ is CUfunction_attribute, COMPUTE_MODE_ is CUcomputemode, STREAM_ is CUstream_flags,
 * MANAGED_ is CUmemAttach_flags. */
enum {
    ATTR_SMS = 16,
    ATTR_COMPUTE_MODE = 20,
    ATTR_L2_BYTES = 38,
    JIT_ERROR_LOG = 5,
    JIT_ERROR_LOG_BYTES = 6,
    JIT_OPTIMIZATION_LEVEL = 7,
    FUNC_DYNAMIC_SHARED = 8,
    COMPUTE_MODE_PROHIBITED = 2,
    STREAM_NON_BLOCKING = 1,
    MANAGED_GLOBAL = 1,
};

/* The entry points: ENTRY(name in the library, parameters). The suffix _v2 is the current version
 * of a call; in cuda.h a macro maps the plain name to it. */
#define CUDA_ENTRIES \
    ENTRY(cuInit, (unsigned)) \
    ENTRY(cuGetErrorString, (cu_result, const char **)) \
    ENTRY(cuDeviceGetCount, (int *)) \
    ENTRY(cuDeviceGet, (cu_device *, int)) \
    ENTRY(cuDeviceGetName, (char *, int, cu_device)) \
    ENTRY(cuDeviceGetPCIBusId, (char *, int, cu_device)) \
    ENTRY(cuDeviceGetAttribute, (int *, int, cu_device)) \
    ENTRY(cuDevicePrimaryCtxRetain, (cu_handle *, cu_device)) \
    ENTRY(cuDevicePrimaryCtxRelease_v2, (cu_device)) \
    ENTRY(cuCtxSetCurrent, (cu_handle)) \
    ENTRY(cuCtxSynchronize, (void)) \
    ENTRY(cuMemGetInfo_v2, (size_t *, size_t *)) \
    ENTRY(cuMemAlloc_v2, (cu_ptr *, size_t)) \
    ENTRY(cuMemAllocManaged, (cu_ptr *, size_t, unsigned)) \
    ENTRY(cuMemGetAddressRange_v2, (cu_ptr *, size_t *, cu_ptr)) \
    ENTRY(cuMemFree_v2, (cu_ptr)) \
    ENTRY(cuMemAllocHost_v2, (void **, size_t)) \
    ENTRY(cuMemFreeHost, (void *)) \
    ENTRY(cuMemcpyHtoD_v2, (cu_ptr, const void *, size_t)) \
    ENTRY(cuMemcpyDtoH_v2, (void *, cu_ptr, size_t)) \
    ENTRY(cuMemcpyHtoDAsync_v2, (cu_ptr, const void *, size_t, cu_handle)) \
    ENTRY(cuMemcpyDtoHAsync_v2, (void *, cu_ptr, size_t, cu_handle)) \
    ENTRY(cuMemsetD8_v2, (cu_ptr, unsigned char, size_t)) \
    ENTRY(cuModuleLoadDataEx, (cu_handle *, const void *, unsigned, int *, void **)) \
    ENTRY(cuModuleUnload, (cu_handle)) \
    ENTRY(cuModuleGetFunction, (cu_handle *, cu_handle, const char *)) \
    ENTRY(cuModuleGetGlobal_v2, (cu_ptr *, size_t *, cu_handle, const char *)) \
    ENTRY(cuFuncSetAttribute, (cu_handle, int, int)) \
    ENTRY(cuLaunchKernel, (cu_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
                              unsigned, cu_handle, void **, void **)) \
    ENTRY(cuStreamCreate, (cu_handle *, unsigned)) \
    ENTRY(cuStreamSynchronize, (cu_handle)) \
    ENTRY(cuStreamDestroy_v2, (cu_handle)) \
    ENTRY(cuEventCreate, (cu_handle *, unsigned)) \
    ENTRY(cuEventDestroy_v2, (cu_handle)) \
    ENTRY(cuEventRecord, (cu_handle, cu_handle)) \
    ENTRY(cuEventQuery, (cu_handle)) \
    ENTRY(cuEventElapsedTime, (float *, cu_handle, cu_handle))

/* A function pointer for each entry point, with the same name: cu.cuInit(0). */
struct cuda_entries {
#define ENTRY(name, params) cu_result(*name) params;
    CUDA_ENTRIES
#undef ENTRY
};
/* cuTensorMapEncodeTiled: map, type of an element, dimensions, address, sizes, strides from the
 * second dimension on, box, steps, interleave, swizzle, promotion in the L2, value outside of the
 * array. Drivers from 12.0 on have it; NULL: this driver has not. */
extern cu_result (*cuda_tensor_map_encode)(void *, int, unsigned, void *, const uint64_t *,
    const uint64_t *, const unsigned *, const unsigned *, int, int, int, int);
/* cuLaunchKernelEx, which can launch clusters: configuration, kernel, arguments, NULL. Drivers from
 * 11.8 on have it; NULL: this driver has not. */
extern cu_result (*cuda_launch_ex)(const void *, cu_handle, void **, void **);
/* All NULL until cuda_driver_load has succeeded. */
extern struct cuda_entries cu;

/* Load the driver's library and find all of its entry points. device: the device as the user wrote
 * it, for messages. Does nothing if they are loaded already. Returns 0, or -1 with ERR_ENV. */
int cuda_driver_load(const char *device, struct err *e);
/* The driver's text for a result; owned by the driver. */
const char *cuda_why(cu_result r);
/* Reports an error that the kernel did not cause, in one line that says what to do. doing: what
 * failed, in a few words. Returns -1 with ERR_ENV. */
int cuda_env_error(const char *device, cu_result r, const char *doing, struct err *e);

/* What struct device.state points to: the state of an open GPU. */
struct cuda_state {
    struct device *twin; /* the simulated device that reads the PTX */
    cu_device device;
    cu_handle context, start, stop;
    int retained; /* the primary context was retained, so it must be released */
    /* Module of the kit's own kernels (cuda_sweep.c). NULL until it is needed. */
    cu_handle own;
    /* Memory that is read to evict everything else from the L2. 0 until it is needed. */
    cu_ptr scratch;
    size_t scratch_bytes;
    int turn;         /* file descriptor of the lock file (cuda_turn.c); 0: not open */
    double launch_ms; /* time of an empty launch in milliseconds; 0 until it is measured */
    char title[128];
};
/* Queue a kernel that evicts everything else from the L2 (cuda_sweep.c). Does not wait for its
 * end. */
int cuda_sweep(struct device *d, struct err *e);
/* Measure launch_ms, the time of an empty launch. Later calls do nothing. */
int cuda_measure_launch(struct device *d, struct err *e);
/* Queue a kernel that copies bytes, a multiple of 16, within device memory (cuda_sweep.c). */
cu_result cuda_copy_kernel(
    struct device *d, cu_ptr to, cu_ptr from, size_t bytes, cu_handle stream);
/* Implements device_tensor_map (cuda_driver.c). */
int cuda_tensor_map(struct device *d, const struct model_tensor_map *map,
    unsigned char out[MODEL_TENSOR_MAP_BYTES], struct err *e);
/* Implement device_hold and device_release (cuda_turn.c). */
int cuda_hold(struct device *d, struct err *e);
void cuda_release(struct device *d);
/* Implements device_transfer (cuda_transfer.c). */
int cuda_transfer(struct device *d, const struct model_transfer *t, double *ms, struct err *e);
/* Wait for the event, at most this many seconds. CU_NOT_READY: it was not reached by then. */
cu_result cuda_wait(cu_handle event, double seconds);

#endif
