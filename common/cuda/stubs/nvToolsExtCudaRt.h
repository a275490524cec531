/* nvToolsExtCudaRt.h - names of the runtime's devices, streams and events for NVIDIA's profilers, which are
 * not used here. */
#ifndef LOCKSTEP_STANDIN_NVTOOLSEXTCUDART_H
#define LOCKSTEP_STANDIN_NVTOOLSEXTCUDART_H

#include "cuda_runtime_api.h"
#include "nvToolsExt.h"

#define nvtxNameCudaDevice(device, name) ((void)(device), (void)(name))
#define nvtxNameCudaStream(stream, name) ((void)(stream), (void)(name))
#define nvtxNameCudaEvent(event, name) ((void)(event), (void)(name))
#define nvtxNameCudaDeviceA nvtxNameCudaDevice
#define nvtxNameCudaStreamA nvtxNameCudaStream
#define nvtxNameCudaEventA nvtxNameCudaEvent

#endif
