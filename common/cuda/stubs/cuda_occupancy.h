/* cuda_occupancy.h - stands in for CUDA's: what it computes on paper, cudaOccupancyMaxActiveBlocksPerMultiprocessor and
 * its kin answer. */
#include "cuda_runtime_api.h"
