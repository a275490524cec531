// run: blackScholes 4 128 buf:f32:512:none buf:f32:512:none buf:f32:512:fill=30
//      buf:f32:512:fill=25 buf:f32:512:fill=2 f32:0.02 f32:0.3 i32:512
#include <cuda_runtime.h>
#include <math.h>

__device__ inline float cndGPU(float d)
{
    const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f;
    const float RSQRT2PI = 0.39894228040143267793994605993438f;
    float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
    float cnd = RSQRT2PI * __expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
    if (d > 0)
        cnd = 1.0f - cnd;
    return cnd;
}

__global__ void blackScholes(float *__restrict call, float *__restrict put, const float *__restrict S, const float *__restrict X,
                             const float *__restrict T, float r, float v, int n)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) {
        float sqrtT = sqrtf(T[i]);
        float d1 = (logf(S[i] / X[i]) + (r + 0.5f * v * v) * T[i]) / (v * sqrtT);
        float d2 = d1 - v * sqrtT;
        float expRT = expf(-r * T[i]), c1 = cndGPU(d1), c2 = cndGPU(d2);
        call[i] = S[i] * c1 - X[i] * expRT * c2;
        put[i] = X[i] * expRT * (1.0f - c2) - S[i] * (1.0f - c1);
    }
}
