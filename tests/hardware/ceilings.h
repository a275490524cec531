/* ceilings.h - what NVIDIA's own routines reach: the driver's copy and cuBLAS, found at run time, for the ladders alone. */
#ifndef LOCKSTEP_LAB_CEILINGS_H
#define LOCKSTEP_LAB_CEILINGS_H

#include "hardware/hardware.h"

/* Time the routines for the field's problem on a device "cuda" that is open: copy: cudaMemcpy; transpose: cublasSgeam; matmul:
 * cublasSgemm; aat: cublasSgemm, cublasSsyrk (which computes half of C). done gets each one's name and its time in ms. Where
 * cuBLAS is not found its routines are left out, and *missing tells so. */
typedef void ceiling_done(void *context, const char *name, double ms);
int ceilings_measure(struct field *f, ceiling_done *done, void *context, const char **missing, struct err *e);

/* The driver's and cuBLAS's versions, "13.0" and "13.1.0"; "-" where there is none. Static. */
const char *ceilings_cuda_version(void);
const char *ceilings_cublas_version(void);

#endif
