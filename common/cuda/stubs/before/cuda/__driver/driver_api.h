/* driver_api.h - found before CCCL's file of this name, which looks up each call of the driver by
 * cuGetProcAddress when it needs it. Declared here are the calls that CCCL names and cuda.h does not have;
 * the runtime does not have most of them, for which CCCL throws. CCCL opens the driver's library; here the
 * program itself has the driver's calls. */
#ifndef LOCKSTEP_BEFORE_DRIVER_API_H
#define LOCKSTEP_BEFORE_DRIVER_API_H

#include <cuda.h>
#include <dlfcn.h>

typedef cudaGraph_t CUgraph;
typedef cudaGraphNode_t CUgraphNode;
typedef enum cudaStreamCaptureStatus CUstreamCaptureStatus;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef int CUlibraryOption, CUkernelNodeAttrID;
typedef CUlaunchAttributeValue CUkernelNodeAttrValue;
typedef struct CUDA_KERNEL_NODE_PARAMS_st CUDA_KERNEL_NODE_PARAMS;
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef enum CUmemorytype_enum { CU_MEMORYTYPE_HOST = 1, CU_MEMORYTYPE_DEVICE = 2 } CUmemorytype;
typedef enum CUpointer_attribute_enum {
    CU_POINTER_ATTRIBUTE_CONTEXT = 1, CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
    CU_POINTER_ATTRIBUTE_DEVICE_POINTER = 3, CU_POINTER_ATTRIBUTE_HOST_POINTER = 4,
    CU_POINTER_ATTRIBUTE_IS_MANAGED = 8, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
    CU_POINTER_ATTRIBUTE_MAPPED = 13, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE = 17
} CUpointer_attribute;
enum { CU_EVENT_WAIT_DEFAULT = 0 };
constexpr auto CU_STREAM_CAPTURE_STATUS_ACTIVE = cudaStreamCaptureStatusActive;

extern "C" {
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active);
CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t count,
    const CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphKernelNodeSetAttribute(
    CUgraphNode node, CUkernelNodeAttrID attribute, const CUkernelNodeAttrValue *value);
CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device);
CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel);
CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *bytes, CUlibrary library, const char *name);
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name);
CUresult cuLibraryGetManaged(CUdeviceptr *p, size_t *bytes, CUlibrary library, const char *name);
CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *options, void **values,
    unsigned count, CUlibraryOption *library_options, void **library_values, unsigned library_count);
CUresult cuLibraryUnload(CUlibrary library);
CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr p);
CUresult cuPointerGetAttributes(
    unsigned count, CUpointer_attribute *attributes, void **values, CUdeviceptr p);
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data, unsigned flags);
CUresult cuStreamGetId(CUstream stream, unsigned long long *id);
CUresult cuStreamGetPriority(CUstream stream, int *priority);
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status);
}

static inline __attribute__((unused)) void *lockstep_open_driver_(const char *, int mode)
{
    return dlopen(nullptr, mode);
}
#define dlopen lockstep_open_driver_
#include_next <cuda/__driver/driver_api.h>
#undef dlopen

#endif
