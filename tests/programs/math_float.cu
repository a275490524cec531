// Functions on floats, with so few digits that no library's last bit shows.
#include <cmath>
#include <cstdio>

#define SHOW(f) printf("%-9s %.4g %.4g %.4g\n", #f, f(x), f(y), f(z))
__device__ float pow_of(float v) { return powf(v, 1.7f); }
__device__ float root3(float v) { return cbrtf(v) + hypotf(v, 1) + rsqrtf(v); }
__device__ float near(float v) { return rintf(v * 10) + floorf(-v) + ceilf(v) + truncf(-v) + roundf(v); }
__device__ float mod_of(float v) { return fmodf(100, v) + fmodf(10, v); }
__device__ float sin_cos(float v)
{
    float s, c;
    sincosf(v, &s, &c);
    return s + 10 * c;
}
__device__ float parts(float v)
{
    int e;
    float whole, m = frexpf(v, &e), f = modff(v, &whole);
    return m + 100 * e + f + 10000 * whole;
}

__global__ void functions(float x, float y, float z)
{
    SHOW(sinf); SHOW(cosf); SHOW(tanf); SHOW(asinf); SHOW(acosf); SHOW(atanf);
    SHOW(expf); SHOW(exp2f); SHOW(exp10f); SHOW(expm1f); SHOW(logf); SHOW(log2f); SHOW(log10f); SHOW(log1pf);
    SHOW(sinhf); SHOW(coshf); SHOW(tanhf); SHOW(asinhf); SHOW(atanhf);
    SHOW(erff); SHOW(erfcf); SHOW(sqrtf); SHOW(normcdff);
    SHOW(pow_of); SHOW(root3); SHOW(near); SHOW(mod_of); SHOW(sin_cos); SHOW(parts);
    printf("fast      %.3g %.3g %.3g %.3g\n", __sinf(x), __expf(y), __logf(z), __powf(x, y));
    printf("more      %.4g %.4g %.4g %.4g\n", atan2f(-x, y), fmaf(x, y, z), fdimf(z, x), copysignf(x, -1));
    printf("rounded   %.9g %.9g %.9g\n", __fadd_rn(x, 1e-8f), __fadd_ru(x, 1e-8f), __fdiv_rz(1, 3));
    printf("to int    %d %d %d %d\n", __float2int_rn(2.5f), __float2int_ru(2.1f), __float2int_rd(-2.1f), (int)-2.9f);
    printf("special   %d %d %d %g\n", isnan(x / 0.f - y / 0.f), isinf(x / 0.f), signbit(-0.f) != 0, fmaxf(0.f / (x - x), 2));
}

int main()
{
    functions<<<1, 1>>>(0.3f, 0.55f, 0.9f);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
