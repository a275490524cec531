// run: dft 2 64 buf:f32:128:iota buf:f32:256:none i32:128
// run: twiddles 2 64 buf:f32:256:none i32:128
// run: waves 2 64 buf:f32:128:none f32:3.5 f32:0.25 i32:128
#include <cmath>
#include <complex>
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

__global__ void dft(const float *x, float2 *X, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    float2 sum = make_float2(0.f, 0.f);
    for (int t = 0; t < n; t++) {
        float angle = -2.0f * (float)M_PI * k * t / n;
        sum.x += x[t] * cosf(angle);
        sum.y += x[t] * sinf(angle);
    }
    X[k] = sum;
}

__global__ void twiddles(float2 *w, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    float s, c;
    sincosf(-2 * M_PI * k / n, &s, &c);
    w[k].x = c;
    w[k].y = s;
}

__global__ void waves(float *y, float frequency, float damping, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float t = i / float(n);
        y[i] = exp(-damping * t) * sin(2 * M_PI * frequency * t) + atan2f(t, 1.0f) + fmodf(t * 7, 2.0f) + pow(t, 3) + std::abs(cos(t)) +
               floor(t * 5) - cbrtf(t) + tan(t) * 1e-3f + asinf(t) * acosf(t) + sinhf(t) / coshf(t) + log10f(1 + t) + exp2f(t);
    }
}
