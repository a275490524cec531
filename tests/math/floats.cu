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

#define TWO(f) \
    extern "C" __global__ void k_##f(const float *x, const float *z, float *y, int n) \
    { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) \
            y[i] = f(x[i], z[i]); \
    }
TWO(powf) TWO(atan2f) TWO(hypotf) TWO(fmodf) TWO(remainderf) TWO(fdimf) TWO(copysignf)
