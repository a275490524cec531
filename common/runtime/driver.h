/* driver.h - shared by the files of the driver API; private to runtime/. */
#ifndef LOCKSTEP_RUNTIME_DRIVER_H
#define LOCKSTEP_RUNTIME_DRIVER_H

#include "cuda/stubs/cuda.h"

/* Returns CUDA_SUCCESS if cuInit was called and a context is current; else the error that a call of
 * the driver API must return. */
CUresult driver_ready(void);
/* The error of the driver API that corresponds to an error of the runtime API. */
CUresult driver_result(cudaError_t error);

#endif
