/* tensor_map.c - tensor maps for the copy engine (TMA), and driver calls that a program looks up by
 * name.
 *
 *     cuTensorMapEncodeTiled ──> struct model_tensor_map ──> 128 bytes, as the simulator reads them
 *
 * Source: CUDA Driver API, Tensor Map Object Management; CUDA Runtime API, Driver Entry Point
 * Access. */
#define _GNU_SOURCE
#include "cuda/stubs/cuda.h"

#include "model/model.h"
#include "runtime/driver.h"
#include "runtime/runtime.h"

#include <dlfcn.h>
#include <string.h>

static const int element_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
_Static_assert(sizeof(CUtensorMap) == MODEL_TENSOR_MAP_BYTES, "a tensor map has 128 bytes");

API CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
    void *array, const cuuint64_t *size, const cuuint64_t *strides, const cuuint32_t *box,
    const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    (void)promotion;
    if (!map || (uintptr_t)map % 64 || !size || !box || !steps || rank < 1 ||
        rank > MODEL_TENSOR_RANK || (rank > 1 && !strides) ||
        (unsigned)type >= sizeof element_bytes / sizeof *element_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    struct model_tensor_map m = {.data = (uintptr_t)array,
        .rank = (int)rank,
        .element = element_bytes[type],
        .swizzle = swizzle ? 16 << swizzle : 0,
        .tf32 = type >= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32};
    for (unsigned i = 0; i < rank; i++) {
        m.size[i] = size[i];
        m.stride[i] = i ? strides[i - 1] : (uint64_t)m.element;
        m.box[i] = box[i];
        if (steps[i] != 1) return CUDA_ERROR_NOT_SUPPORTED;
    }
    if (interleave || fill) return CUDA_ERROR_NOT_SUPPORTED;
    if (model_tensor_map_bad(&m)) return CUDA_ERROR_INVALID_VALUE;
    model_tensor_map_write(&m, (unsigned char *)map->opaque);
    return CUDA_SUCCESS;
}

/* For a call that the kit does not support, *result reports that the driver does not have it. */
API cudaError_t cudaGetDriverEntryPoint(const char *name, void **call, unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *result)
{
    (void)flags;
    ENTER();
    if (!name || !call) return runtime_leave(cudaErrorInvalidValue);
    *call = strncmp(name, "cu", 2) ? NULL : dlsym(RTLD_DEFAULT, name);
    if (result) *result = *call ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return runtime_leave(cudaSuccess);
}

/* One call by two names. Programs look up the name cuGetProcAddress with dlsym. */
API CUresult cuGetProcAddress_v2(const char *name, void **call, int version, cuuint64_t flags,
    CUdriverProcAddressQueryResult *result)
{
    (void)version;
    enum cudaDriverEntryPointQueryResult found;
    CUresult error = driver_result(cudaGetDriverEntryPoint(name, call, flags, &found));
    if (error) return error;
    if (result)
        *result = *call ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *call ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
API CUresult cuGetProcAddress(const char *name, void **call, int version, cuuint64_t flags,
    CUdriverProcAddressQueryResult *result)
{
    return cuGetProcAddress_v2(name, call, version, flags, result);
}
