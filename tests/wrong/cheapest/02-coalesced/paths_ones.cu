// Constants that are ones.
#include "lockstep.h"

LAUNCH(polynomial, BLOCK(1024, 1), COVERS(4096, 1))
// coef stays global and goes through shared memory; constant reads of ones
__device__ float coef[8];
__constant__ float one[8] = {1, 1, 1, 1, 1, 1, 1, 1};
__global__ void polynomial(const float *__restrict__ table, const int *__restrict__ index, float *out, int n, int length)
{
    __shared__ float co[8];
    int t = threadIdx.x;
    if (t < 8) co[t] = coef[t];
    __syncthreads();
    int i = blockIdx.x * 4096 + t * 4;
    float o[8];
    for (int j = 0; j < 8; j++) o[j] = *(volatile const float *)&one[j];
    if (i + 3 < n) {
        int4 at = __ldg((const int4 *)&index[i]);
        float x[4] = {__ldg(&table[at.x]), __ldg(&table[at.y]), __ldg(&table[at.z]), __ldg(&table[at.w])}, s[4] = {};
        for (int j = 7; j >= 0; j--) for (int e = 0; e < 4; e++) s[e] = s[e] * x[e] + co[j] * o[j];
        *(float4 *)&out[i] = make_float4(s[0], s[1], s[2], s[3]);
    } else
        for (; i < n; i++) {
            float x = table[index[i]], s = 0;
            for (int j = 7; j >= 0; j--) s = s * x + co[j];
            out[i] = s;
        }
}
