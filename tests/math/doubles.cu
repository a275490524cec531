// Every function of lockstep_math_double.h over an array, for test_math.c.
#define ONE(f) \
    extern "C" __global__ void k_##f(const double *x, double *y, int n) \
    { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) \
            y[i] = f(x[i]); \
    }
ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(sinh) ONE(cosh) ONE(tanh)
ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(asinh) ONE(acosh) ONE(atanh)
ONE(sin) ONE(cos) ONE(tan) ONE(sinpi) ONE(cospi) ONE(asin) ONE(acos) ONE(atan)
ONE(cbrt) ONE(rcbrt) ONE(erf) ONE(erfc) ONE(normcdf) ONE(rsqrt) ONE(sqrt) ONE(tgamma)
ONE(round) ONE(rint) ONE(trunc) ONE(floor) ONE(ceil) ONE(nearbyint) ONE(logb)
ONE(erfinv) ONE(erfcinv) ONE(normcdfinv) ONE(erfcx) ONE(cyl_bessel_i0) ONE(cyl_bessel_i1)
ONE(j0) ONE(j1) ONE(y0) ONE(y1)

#define TWO(f) \
    extern "C" __global__ void k_##f(const double *x, const double *z, double *y, int n) \
    { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < n) \
            y[i] = f(x[i], z[i]); \
    }
TWO(pow) TWO(atan2) TWO(hypot) TWO(fmod) TWO(remainder) TWO(fdim) TWO(copysign)

static __device__ double norm3(double x, double y) { return norm3d(x, y, 3); }
static __device__ double norm4(double x, double y)
{
    const double p[] = {3, x, 4, y};
    return norm(4, p);
}
static __device__ double rnorm4(double x, double y) { return rnorm4d(3, x, y, 4); }
TWO(norm3) TWO(norm4) TWO(rnorm4) TWO(nextafter)
