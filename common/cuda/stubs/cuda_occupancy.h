/* cuda_occupancy.h - stands in for CUDA's header of this name. What that computes is returned by
 * cudaOccupancyMaxActiveBlocksPerMultiprocessor. */
#include "cuda_runtime_api.h"
