/* cuda_occupancy.h - stands in for CUDA's: what it computes,
 * cudaOccupancyMaxActiveBlocksPerMultiprocessor answers. */
#include "cuda_runtime_api.h"
