// Another way: four values in an array.
#include "lockstep.h"
#define THREADS 256
LAUNCH(pass, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(fused, BLOCK(THREADS, 1), COVERS(4 * THREADS, 1))
PREDICT(pass_loads, UNKNOWN)
PREDICT(fused_loads, UNKNOWN)
__global__ void pass(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col];
}
// coefficients by parity, an array of four
__global__ void fused(const float *in, float *out, int n)
{
    int first = (blockIdx.x * THREADS + threadIdx.x) * 4, count = min(4, n - first);
    if (count <= 0) return;
    float x[4] = {};
    if (count == 4) {
        float4 v = *(const float4 *)&in[first];
        x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w;
    } else {
        for (int j = 0; j < count; j++) x[j] = in[first + j];
    }
    const float mul[2] = {0.5f, -0.5f}, plus[2] = {1.0f, 0.25f};
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
        for (int s = 0; s < 16; s++) x[j] = mul[j % 2] * x[j] + plus[j % 2];
    if (count == 4)
        *(float4 *)&out[first] = make_float4(x[0], x[1], x[2], x[3]);
    else
        for (int j = 0; j < count; j++) out[first + j] = x[j];
}
