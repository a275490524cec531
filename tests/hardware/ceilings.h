/* ceilings.h - the speed that NVIDIA's own routines reach: the driver's copy and cuBLAS.
 *
 * Both libraries are found at run time, so the program starts without them. Only `ladder` uses
 * them.
 */
#ifndef LOCKSTEP_HARDWARE_CEILINGS_H
#define LOCKSTEP_HARDWARE_CEILINGS_H

#include "hardware/hardware.h"

/* Time the routines for the field's problem. The device must be an open "cuda" device.
 *     copy: cudaMemcpy   transpose: cublasSgeam   matmul: cublasSgemm, and the same in TF32
 *     matmul_halves: cublasGemmEx, sums and outputs in floats
 *     aat:  cublasSgemm, and cublasSsyrk, which computes half of C
 * done gets the name of each routine, its time in ms, and its error as field_error computes it; NAN
 * if it computes only a part of the output. If cuBLAS is not found, its routines are left out and
 * *missing says so; otherwise *missing is NULL. */
typedef void ceiling_done(void *context, const char *name, double ms, double error);
int ceilings_measure(
    struct field *f, ceiling_done *done, void *context, const char **missing, struct err *e);

/* The versions of the driver and of cuBLAS, such as "13.0" and "13.1.0"; "-" if there is none.
 * Static text. */
const char *ceilings_cuda_version(void);
const char *ceilings_cublas_version(void);

#endif
