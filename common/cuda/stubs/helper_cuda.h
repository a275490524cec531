/* helper_cuda.h - stands in for the header of CUDA's samples, if that is not beside the file: the check of a
 * call, and the choice of a device. */
#ifndef LOCKSTEP_STANDIN_HELPER_CUDA_H
#define LOCKSTEP_STANDIN_HELPER_CUDA_H

#include "cuda_runtime.h"
#include "helper_string.h"

template <class T> void check(T result, const char *call, const char *file, int line)
{
    if (!result) return;
    fprintf(stderr, "CUDA error at %s:%d code=%u(%s) \"%s\" \n", file, line, (unsigned)result,
        cudaGetErrorName((cudaError_t)result), call);
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
static inline void lockstep_last_error_(const char *text, const char *file, int line)
{
    cudaError_t error = cudaGetLastError();
    if (!error) return;
    fprintf(stderr, "%s(%d) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, text, (int)error,
        cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}
#define getLastCudaError(text) lockstep_last_error_(text, __FILE__, __LINE__)
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
static inline int ftoi(float value) { return (int)(value >= 0 ? value + 0.5f : value - 0.5f); }
/* The number of FP32 lanes of a multiprocessor. Source: CUDA C++ Programming Guide, arithmetic throughput. */
static inline int _ConvertSMVer2Cores(int major, int minor)
{
    return major == 3 ? 192 : major == 6 && !minor ? 64 : major == 7 || (major == 8 && !minor) ? 64 : 128;
}
static inline int gpuGetMaxGflopsDeviceId() { return 0; }
static inline int gpuDeviceInit(int device)
{
    checkCudaErrors(cudaSetDevice(device));
    return device;
}
static inline int findCudaDevice(int argc, const char **argv)
{
    struct cudaDeviceProp p;
    int device = checkCmdLineFlag(argc, argv, "device") ? getCmdLineArgumentInt(argc, argv, "device") : 0;
    gpuDeviceInit(device);
    checkCudaErrors(cudaGetDeviceProperties(&p, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, p.name, p.major, p.minor);
    return device;
}
static inline bool checkCudaCapabilities(int major, int minor)
{
    struct cudaDeviceProp p;
    checkCudaErrors(cudaGetDeviceProperties(&p, 0));
    return p.major > major || (p.major == major && p.minor >= minor);
}

#endif
