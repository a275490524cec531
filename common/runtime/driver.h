/* driver.h - shared by the files of the driver API. Private to this folder. */
#ifndef LOCKSTEP_RUNTIME_DRIVER_H
#define LOCKSTEP_RUNTIME_DRIVER_H

#include "cuda/stubs/cuda.h"

/* CUDA_SUCCESS once cuInit has been called and a context is current; else the error that a call
 * returns. */
CUresult driver_ready(void);
/* A runtime's error as the driver names it. */
CUresult driver_result(cudaError_t error);

#endif
