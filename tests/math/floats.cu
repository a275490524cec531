// Every function of lockstep_math.h over an array, for test_math.c.
#define ONE(f) \
    extern "C" __global__ void k_##f(const float *x, float *y, int n) \
    { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) \
            y[i] = f(x[i]); \
    }
ONE(expf) ONE(exp2f) ONE(exp10f) ONE(expm1f) ONE(sinhf) ONE(coshf) ONE(tanhf)
ONE(logf) ONE(log2f) ONE(log10f) ONE(log1pf) ONE(asinhf) ONE(acoshf) ONE(atanhf)
ONE(sinf) ONE(cosf) ONE(tanf) ONE(sinpif) ONE(cospif) ONE(asinf) ONE(acosf) ONE(atanf)
ONE(cbrtf) ONE(rcbrtf) ONE(erff) ONE(erfcf) ONE(normcdff) ONE(rsqrtf) ONE(sqrtf) ONE(tgammaf) ONE(lgammaf)
ONE(roundf) ONE(rintf) ONE(truncf) ONE(floorf) ONE(ceilf) ONE(nearbyintf) ONE(logbf)
ONE(erfinvf) ONE(erfcinvf) ONE(normcdfinvf) ONE(erfcxf) ONE(cyl_bessel_i0f) ONE(cyl_bessel_i1f)
ONE(j0f) ONE(j1f) ONE(y0f) ONE(y1f)

#define TWO(f) \
    extern "C" __global__ void k_##f(const float *x, const float *z, float *y, int n) \
    { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) \
            y[i] = f(x[i], z[i]); \
    }
TWO(powf) TWO(atan2f) TWO(hypotf) TWO(fmodf) TWO(remainderf) TWO(fdimf) TWO(copysignf)

static __device__ float norm3f(float x, float y) { return norm3df(x, y, 3); }
static __device__ float norm4f(float x, float y)
{
    const float p[] = {3, x, 4, y};
    return normf(4, p);
}
static __device__ float rnorm4f(float x, float y) { return rnorm4df(3, x, y, 4); }
TWO(norm3f) TWO(norm4f) TWO(rnorm4f) TWO(nextafterf)
