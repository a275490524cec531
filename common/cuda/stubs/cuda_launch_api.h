/* cuda_launch_api.h - launches with attributes: cudaLaunchKernelEx. cuda_runtime_api.h includes it.
 *
 * A cluster's size and a cooperative launch change what a launch does; other attributes are accepted and have
 * no effect on a simulated GPU, which runs one launch at a time.
 * Source: CUDA Runtime API, Execution Control. */
#ifndef LOCKSTEP_STANDIN_CUDA_LAUNCH_API_H
#define LOCKSTEP_STANDIN_CUDA_LAUNCH_API_H

typedef enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore = 0,
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative = 2,
    cudaLaunchAttributeSynchronizationPolicy = 3,
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6,
    cudaLaunchAttributeProgrammaticEvent = 7,
    cudaLaunchAttributePriority = 8
} cudaLaunchAttributeID;

typedef union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative, clusterSchedulingPolicyPreference, programmaticStreamSerializationAllowed, priority;
    struct {
        unsigned x, y, z;
    } clusterDim;
} cudaLaunchAttributeValue;

typedef struct cudaLaunchAttribute_st {
    cudaLaunchAttributeID id;
    char pad[8 - sizeof(cudaLaunchAttributeID)];
    cudaLaunchAttributeValue val;
} cudaLaunchAttribute;

typedef struct cudaLaunchConfig_st {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
} cudaLaunchConfig_t;
typedef struct CUfunc_st *cudaFunction_t; /* CUfunction of the driver's calls */

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel, void **args);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *kernel);
/* How many clusters of the launch's size are on the GPU at once; how many blocks a cluster may have. */
cudaError_t cudaOccupancyMaxActiveClusters(
    int *clusters, const void *kernel, const cudaLaunchConfig_t *config);
cudaError_t cudaOccupancyMaxPotentialClusterSize(
    int *blocks, const void *kernel, const cudaLaunchConfig_t *config);
#ifdef __cplusplus
}

template <class... Params, class... Args>
static inline cudaError_t cudaLaunchKernelEx(
    const cudaLaunchConfig_t *config, void (*kernel)(Params...), Args &&...args)
{
    /* Each argument is converted to the type of the kernel's parameter. */
    return [&](Params... as) {
        void *list[] = {(void *)&as..., nullptr};
        return cudaLaunchKernelExC(config, (const void *)kernel, list);
    }(static_cast<Args &&>(args)...);
}
template <class T> static inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, T *kernel)
{
    return cudaGetFuncBySymbol(function, (const void *)kernel);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveClusters(
    int *clusters, T *kernel, const cudaLaunchConfig_t *config)
{
    return cudaOccupancyMaxActiveClusters(clusters, (const void *)kernel, config);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialClusterSize(
    int *blocks, T *kernel, const cudaLaunchConfig_t *config)
{
    return cudaOccupancyMaxPotentialClusterSize(blocks, (const void *)kernel, config);
}
#endif

#endif
