/* cufftXt.h - stands in for cuFFT's header of this name: plans and transforms whose types are arguments,
 * single and double precision. Source: cuFFT Library, documentation. */
#ifndef LOCKSTEP_STANDIN_CUFFTXT_H
#define LOCKSTEP_STANDIN_CUFFTXT_H

#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed,
    long long istride, long long idist, cudaDataType in, long long *onembed, long long ostride,
    long long odist, cudaDataType out, long long batch, size_t *bytes, cudaDataType execution);
cufftResult cufftXtExec(cufftHandle plan, void *in, void *out, int direction);

#ifdef __cplusplus
}
#endif

#endif
