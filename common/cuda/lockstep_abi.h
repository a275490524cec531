/* lockstep_abi.h - included by NVIDIA's nvcc if lockstep-nvcc runs it, since clang is not installed: calls
 * whose structures differ between versions of CUDA. They are compiled with the structures of the installed
 * version, and ask the kit's runtime for one member after the other, by name. */
#ifndef LOCKSTEP_ABI_H
#define LOCKSTEP_ABI_H

#ifdef __cplusplus
#include <cuda_runtime_api.h>
#include <string.h>

extern "C" int lockstepProperty(int device, const char *name, void *to, size_t bytes);

static inline cudaError_t lockstep_properties(cudaDeviceProp *p, int device)
{
    memset(p, 0, sizeof *p);
    if (lockstepProperty(device, "name", p->name, sizeof p->name)) return cudaErrorInvalidDevice;
#define MEMBER(name) lockstepProperty(device, #name, &p->name, sizeof p->name);
    MEMBER(totalGlobalMem) MEMBER(sharedMemPerBlock) MEMBER(sharedMemPerBlockOptin)
    MEMBER(sharedMemPerMultiprocessor) MEMBER(reservedSharedMemPerBlock) MEMBER(totalConstMem)
    MEMBER(memPitch)
    MEMBER(textureAlignment) MEMBER(texturePitchAlignment) MEMBER(surfaceAlignment) MEMBER(regsPerBlock)
    MEMBER(regsPerMultiprocessor) MEMBER(warpSize) MEMBER(maxThreadsPerBlock) MEMBER(maxThreadsDim)
    MEMBER(maxGridSize) MEMBER(major) MEMBER(minor) MEMBER(multiProcessorCount) MEMBER(memoryBusWidth)
    MEMBER(l2CacheSize) MEMBER(maxThreadsPerMultiProcessor) MEMBER(maxBlocksPerMultiProcessor)
    MEMBER(concurrentKernels) MEMBER(asyncEngineCount) MEMBER(canMapHostMemory) MEMBER(unifiedAddressing)
    MEMBER(managedMemory) MEMBER(memoryPoolsSupported) MEMBER(cooperativeLaunch)
    MEMBER(globalL1CacheSupported)
    MEMBER(localL1CacheSupported) MEMBER(streamPrioritiesSupported) MEMBER(maxTexture1D) MEMBER(maxTexture2D)
    MEMBER(maxTexture3D)
#if CUDART_VERSION < 13000
    MEMBER(clockRate) MEMBER(memoryClockRate) MEMBER(deviceOverlap) MEMBER(singleToDoublePrecisionPerfRatio)
    MEMBER(maxTexture1DLinear)
#endif
#undef MEMBER
    return cudaSuccess;
}

#undef cudaGetDeviceProperties
#define cudaGetDeviceProperties lockstep_properties
#endif

#endif
