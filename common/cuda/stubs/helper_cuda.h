/* helper_cuda.h - stands in for that of CUDA's samples, where it is not beside the file: the checks that
 * their host code calls. */
#ifndef LOCKSTEP_STANDIN_HELPER_CUDA_H
#define LOCKSTEP_STANDIN_HELPER_CUDA_H

#include "cuda_runtime.h"

#define checkCudaErrors(call) ((void)(call))
#define getLastCudaError(text) ((void)cudaGetLastError())
int findCudaDevice(int, const char **);
int gpuGetMaxGflopsDeviceId(void);
int _ConvertSMVer2Cores(int, int);
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

#endif
