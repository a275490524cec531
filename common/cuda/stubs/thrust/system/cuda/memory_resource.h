/* memory_resource.h - stands before thrust's own header of this name, which takes the address of cudaMalloc:
 * in CUDA's headers that is one function, in cuda_runtime_api.h a template. */
#ifndef LOCKSTEP_STANDIN_THRUST_MEMORY_RESOURCE_H
#define LOCKSTEP_STANDIN_THRUST_MEMORY_RESOURCE_H

#include "cuda_runtime.h"

namespace thrust { namespace system { namespace cuda {
static inline cudaError_t cudaMalloc(void **p, size_t bytes) { return ::cudaMalloc(p, bytes); }
}}}

#endif

#include_next <thrust/system/cuda/memory_resource.h>
