// Needs what is not there: see test_profile.c.
#include <cuda_runtime.h>

__global__ void x(cudaTextureObject_t t, float *out) { *out = tex2D<float>(t, 0.5f, 0.5f); }
