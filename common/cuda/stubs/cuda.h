/* cuda.h - stands in for the header of CUDA's driver: its types, and CUDA_SUCCESS. Its functions are not
 * there, so a call of one is an error of the compiler with its line. Source: CUDA Driver API, data types. */
#ifndef LOCKSTEP_STANDIN_CUDA_H
#define LOCKSTEP_STANDIN_CUDA_H

#include "cuda_runtime.h"

#define CUDA_VERSION CUDART_VERSION

typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;

#endif
