/* nvToolsExtCuda.h - names of the driver's devices, contexts, streams and events for NVIDIA's profilers,
 * which are not used here. */
#ifndef LOCKSTEP_STANDIN_NVTOOLSEXTCUDA_H
#define LOCKSTEP_STANDIN_NVTOOLSEXTCUDA_H

#include "cuda.h"
#include "nvToolsExt.h"

#define nvtxNameCuDevice(device, name) ((void)(device), (void)(name))
#define nvtxNameCuContext(context, name) ((void)(context), (void)(name))
#define nvtxNameCuStream(stream, name) ((void)(stream), (void)(name))
#define nvtxNameCuEvent(event, name) ((void)(event), (void)(name))
#define nvtxNameCuDeviceA nvtxNameCuDevice
#define nvtxNameCuContextA nvtxNameCuContext
#define nvtxNameCuStreamA nvtxNameCuStream
#define nvtxNameCuEventA nvtxNameCuEvent

#endif
