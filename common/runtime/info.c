/* info.c - properties, attributes, versions and peers, for programs that query the GPU. There is
 * one device. The figures reported are those of the device's profile (model/profiles.c), except for
 * its memory: 16 GB, clocked at 1.6 GHz. */
#include "runtime/runtime.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The ratio of the FP32 rate to the FP64 rate; 0: the GPU has no FP64. */
static int single_to_double(const struct model_profile *p)
{
    return p->fp64_lanes ? p->fp32_lanes / p->fp64_lanes : 0;
}

/* The size of the simulated GPU's memory, which is allocated on the host as it is used. */
static const size_t TOTAL = (size_t)16 << 30;
enum { MEMORY_CLOCK_KHZ = 1600000 };

static void properties(struct cudaDeviceProp *d)
{
    const struct model_profile *p = runtime.profile;
    *d = (struct cudaDeviceProp){.totalGlobalMem = TOTAL,
        .sharedMemPerBlock =
            p->shared_block_bytes < 48 << 10 ? (size_t)p->shared_block_bytes : 48 << 10,
        .sharedMemPerBlockOptin = (size_t)p->shared_block_bytes,
        .sharedMemPerMultiprocessor = (size_t)p->shared_bytes,
        .reservedSharedMemPerBlock = (size_t)p->shared_reserved,
        .totalConstMem = 64 << 10,
        .memPitch = 0x7fffffff,
        .textureAlignment = 512,
        .texturePitchAlignment = 32,
        .surfaceAlignment = 512,
        .regsPerBlock = p->registers,
        .regsPerMultiprocessor = p->registers,
        .warpSize = WARP_SIZE,
        .maxThreadsPerBlock = p->max_block_threads,
        .clockRate = (int)(p->clock_ghz * 1e6),
        .major = p->cc_major,
        .minor = p->cc_minor,
        .multiProcessorCount = p->sms,
        .memoryClockRate = MEMORY_CLOCK_KHZ,
        .memoryBusWidth = (int)(p->dram_gbps * 1e9 / (2.0 * MEMORY_CLOCK_KHZ * 1e3) * 8),
        .l2CacheSize = (int)p->l2_bytes,
        .maxThreadsPerMultiProcessor = p->max_threads,
        .maxBlocksPerMultiProcessor = p->max_blocks,
        .concurrentKernels = 1,
        .asyncEngineCount = 2,
        .integrated = p->integrated,
        .canMapHostMemory = 1,
        .deviceOverlap = 1,
        .pciBusID = 1,
        .unifiedAddressing = 1,
        .managedMemory = 1,
        .memoryPoolsSupported = 1,
        .cooperativeLaunch = model_has(p, FEATURE_GRID_BARRIERS),
        .globalL1CacheSupported = 1,
        .localL1CacheSupported = 1,
        .streamPrioritiesSupported = 1,
        .singleToDoublePrecisionPerfRatio = single_to_double(p),
        .maxTexture1D = 131072,
        .maxTexture1DLinear = 268435456,
        .maxTexture2D = {131072, 65536},
        .maxTexture3D = {16384, 16384, 16384}};
    snprintf(d->name, sizeof d->name, "%s", device_title(runtime.device));
    for (int i = 0; i < 3; i++) {
        d->maxThreadsDim[i] = (int)p->max_block_dim[i];
        d->maxGridSize[i] = (int)p->max_grid_dim[i];
    }
}

API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    ENTER();
    if (device) return runtime_leave(cudaErrorInvalidDevice);
    properties(p);
    return runtime_leave(cudaSuccess);
}

/* Copy one member of cudaDeviceProp by name, for programs that are compiled with another layout
 * of that struct (cuda/lockstep_abi.h). -1: there is no member of this name and size, or no such
 * device. */
int lockstepProperty(int device, const char *name, void *to, size_t bytes);
API int lockstepProperty(int device, const char *name, void *to, size_t bytes)
{
    struct cudaDeviceProp p;
#define MEMBER(name) \
    { \
#name, &p.name, sizeof p.name \
    }
    const struct {
        const char *name;
        const void *from;
        size_t bytes;
    } members[] = {MEMBER(name), MEMBER(totalGlobalMem), MEMBER(sharedMemPerBlock),
        MEMBER(sharedMemPerBlockOptin), MEMBER(sharedMemPerMultiprocessor),
        MEMBER(reservedSharedMemPerBlock), MEMBER(totalConstMem), MEMBER(memPitch),
        MEMBER(textureAlignment), MEMBER(texturePitchAlignment), MEMBER(surfaceAlignment),
        MEMBER(regsPerBlock), MEMBER(regsPerMultiprocessor), MEMBER(warpSize),
        MEMBER(maxThreadsPerBlock), MEMBER(maxThreadsDim), MEMBER(maxGridSize), MEMBER(major),
        MEMBER(minor), MEMBER(multiProcessorCount), MEMBER(memoryBusWidth), MEMBER(l2CacheSize),
        MEMBER(maxThreadsPerMultiProcessor), MEMBER(maxBlocksPerMultiProcessor),
        MEMBER(concurrentKernels), MEMBER(asyncEngineCount), MEMBER(integrated),
        MEMBER(canMapHostMemory), MEMBER(unifiedAddressing), MEMBER(managedMemory),
        MEMBER(memoryPoolsSupported), MEMBER(cooperativeLaunch), MEMBER(globalL1CacheSupported),
        MEMBER(localL1CacheSupported), MEMBER(streamPrioritiesSupported), MEMBER(maxTexture1D),
        MEMBER(maxTexture2D), MEMBER(maxTexture3D), MEMBER(clockRate), MEMBER(memoryClockRate),
        MEMBER(deviceOverlap), MEMBER(singleToDoublePrecisionPerfRatio),
        MEMBER(maxTexture1DLinear)};
#undef MEMBER
    /* programs that ask for all members begin with `name`: only this query counts as a call */
    if (strcmp(name, "name"))
        properties(&p);
    else if (cudaGetDeviceProperties(&p, device))
        return -1;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (!strcmp(members[i].name, name) && members[i].bytes == bytes)
            return memcpy(to, members[i].from, bytes), 0;
    return -1;
}

API cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    struct cudaDeviceProp d;
    ENTER();
    if (device) return runtime_leave(cudaErrorInvalidDevice);
    properties(&d);
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = d.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = d.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = d.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = d.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = d.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = d.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = d.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = (int)d.sharedMemPerBlock; break;
    case cudaDevAttrTotalConstantMemory: *value = (int)d.totalConstMem; break;
    case cudaDevAttrWarpSize: *value = d.warpSize; break;
    case cudaDevAttrMaxPitch: *value = (int)d.memPitch; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = d.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = d.clockRate; break;
    case cudaDevAttrTextureAlignment: *value = (int)d.textureAlignment; break;
    case cudaDevAttrMultiProcessorCount: *value = d.multiProcessorCount; break;
    case cudaDevAttrMemoryClockRate: *value = d.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = d.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *value = d.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = d.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrAsyncEngineCount: *value = d.asyncEngineCount; break;
    case cudaDevAttrComputeCapabilityMajor: *value = d.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = d.minor; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = (int)d.sharedMemPerMultiprocessor;
        break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = d.regsPerMultiprocessor; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = (int)d.sharedMemPerBlockOptin; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *value = (int)d.reservedSharedMemPerBlock; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = d.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrCooperativeLaunch: *value = d.cooperativeLaunch; break;
    case cudaDevAttrIntegrated: *value = d.integrated; break;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
        *value = d.singleToDoublePrecisionPerfRatio;
        break;
    case cudaDevAttrMaxTexture1DWidth: *value = d.maxTexture1D; break;
    case cudaDevAttrMaxTexture1DLinearWidth: *value = d.maxTexture1DLinear; break;
    case cudaDevAttrMaxTexture2DWidth: *value = d.maxTexture2D[0]; break;
    case cudaDevAttrMaxTexture2DHeight: *value = d.maxTexture2D[1]; break;
    case cudaDevAttrMaxTexture3DWidth: *value = d.maxTexture3D[0]; break;
    case cudaDevAttrMaxTexture3DHeight: *value = d.maxTexture3D[1]; break;
    case cudaDevAttrMaxTexture3DDepth: *value = d.maxTexture3D[2]; break;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrManagedMemory: *value = 1; break;
    default: *value = 0;
    }
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaGetDeviceCount(int *count)
{
    ENTER();
    *count = 1;
    return runtime_leave(cudaSuccess);
}

/* the only device's place on the bus */
static const char BUS_ID[] = "0000:01:00.0";
API cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device)
{
    ENTER();
    if (device) return runtime_leave(cudaErrorInvalidDevice);
    if (!id || size < 1) return runtime_leave(cudaErrorInvalidValue);
    snprintf(id, (size_t)size, "%s", BUS_ID);
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    ENTER();
    if (!device || !id || strcasecmp(id, BUS_ID)) return runtime_leave(cudaErrorInvalidValue);
    *device = 0;
    return runtime_leave(cudaSuccess);
}

CALL(cudaSetDevice, (int device), device ? cudaErrorInvalidDevice : cudaSuccess)

API cudaError_t cudaGetDevice(int *device)
{
    ENTER();
    *device = 0;
    return runtime_leave(cudaSuccess);
}

static size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
enum { LIMITS = sizeof limits / sizeof *limits };
API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    ENTER();
    if ((unsigned)limit >= LIMITS) return runtime_leave(cudaErrorInvalidValue);
    limits[limit] = value;
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    ENTER();
    if ((unsigned)limit >= LIMITS) return runtime_leave(cudaErrorInvalidValue);
    *value = limits[limit];
    return runtime_leave(cudaSuccess);
}

API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cudaSuccess;
}

CALL(cudaDeviceEnablePeerAccess, (int peer, unsigned flags), cudaErrorInvalidDevice)

CALL(cudaDeviceDisablePeerAccess, (int peer), cudaErrorPeerAccessNotEnabled)

API cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    ENTER();
    size_t used = memory_used();
    if (total) *total = TOTAL;
    if (free) *free = used < TOTAL ? TOTAL - used : 0;
    return runtime_leave(cudaSuccess);
}
