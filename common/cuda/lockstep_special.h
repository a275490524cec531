/* lockstep_special.h - inverses of the error function, norms of vectors and Bessel functions, for clang
 * without the SDK; and functions that CUDA, but not C, has on the host, too.
 *
 *     erfinv     |x| <= 1/2: Newton's steps on erf; beyond that erfcinv(1 - x), and 1 - x is exact
 *     erfcinv    Newton's steps on log(erfc(y)) = log(erfcx(y)) - y y, which is nearly a parabola
 *     norms      sums of squares, scaled by a power of two
 *     I0, I1     x < 6: the power series; x < 20: the recurrence from a high order down; else Hankel's
 *                expansion
 *     J, Y       x < 25: Miller's recurrence from a high order down, Neumann's series for Y; beyond that
 *                Hankel's expansion and the recurrence upwards
 *
 * Near a zero the Bessel functions J and Y have an absolute error of 1e-15. Floats are computed in double.
 * The host has the inverses, too. In a whole program this file follows <math.h>, so that the host's
 * functions are known.
 * Source of the relations: Abramowitz and Stegun, chapters 7 and 9. */
#ifndef LOCKSTEP_SPECIAL_H
#define LOCKSTEP_SPECIAL_H

#pragma clang system_header

/* ---- for the host: what kernels have in lockstep_math.h and lockstep_math_double.h ---- */

#define LOCKSTEP_PI_ 3.14159265358979323846
#ifdef LOCKSTEP_STANDIN_CUDA_RUNTIME_H
#define LOCKSTEP_HOST_ONLY_(T, name) __attribute__((unused)) static inline __host__ T name
#define LOCKSTEP_HOST_FLOAT_(name)                                                             \
    LOCKSTEP_HOST_ONLY_(float, name)(float x) { return (float)name((double)x); }
#define LOCKSTEP_HOST_OF_(name)                                                                \
    LOCKSTEP_HOST_ONLY_(float, name##f)(float x) { return (float)name((double)x); }            \
    LOCKSTEP_HOST_FLOAT_(name)
/* glibc has some of these functions from C23 on, without the overload for floats. */
#if __GLIBC__ * 1000 + __GLIBC_MINOR__ >= 2042
LOCKSTEP_HOST_FLOAT_(rsqrt)
#else
LOCKSTEP_HOST_ONLY_(double, rsqrt)(double x) { return 1 / sqrt(x); }
LOCKSTEP_HOST_OF_(rsqrt)
#endif
LOCKSTEP_HOST_ONLY_(double, rcbrt)(double x) { return 1 / cbrt(x); }
LOCKSTEP_HOST_ONLY_(double, normcdf)(double x) { return erfc(x * -0.70710678118654752440) / 2; }
LOCKSTEP_HOST_ONLY_(double, erfcx)(double x)
{
    double u = 1 / (x * x);
    return x < 26 ? exp(x * x) * erfc(x) : (1 - u * (0.5 - u * 0.75)) / (x * 1.77245385090551602730);
}
#if __GLIBC__ * 1000 + __GLIBC_MINOR__ >= 2041
LOCKSTEP_HOST_FLOAT_(sinpi)
LOCKSTEP_HOST_FLOAT_(cospi)
#else
LOCKSTEP_HOST_ONLY_(double, sinpi)(double x)
{
    double a = fmod(fabs(x), 2), s = sin(LOCKSTEP_PI_ * (a <= 0.5 ? a : a <= 1.5 ? 1 - a : a - 2));
    return copysign(1.0, x) * s;
}
LOCKSTEP_HOST_ONLY_(double, cospi)(double x)
{
    double a = fmod(fabs(x), 2);
    return sin(LOCKSTEP_PI_ * (0.5 - (a > 1 ? 2 - a : a)));
}
LOCKSTEP_HOST_OF_(sinpi)
LOCKSTEP_HOST_OF_(cospi)
#endif
LOCKSTEP_HOST_OF_(rcbrt)
LOCKSTEP_HOST_OF_(normcdf)
LOCKSTEP_HOST_OF_(erfcx)
LOCKSTEP_HOST_ONLY_(void, sincospi)(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
LOCKSTEP_HOST_ONLY_(void, sincospif)(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
#undef LOCKSTEP_HOST_OF_
#undef LOCKSTEP_HOST_FLOAT_
#undef LOCKSTEP_HOST_ONLY_
#endif

/* Define a function of doubles also for floats, under both of its names. */
#define LOCKSTEP_FLOAT_OF_(name)                                                               \
    LOCKSTEP_HOST_FN_ float name##f(float x) { return (float)name((double)x); }                \
    LOCKSTEP_HOST_FN_ float name(float x) { return name##f(x); }

/* ---- inverses ---- */

LOCKSTEP_HOST_FN_ double lockstep_erfinv(double x) /* |x| <= 1/2 */
{
    double u = x * x, y = 0.88622692545275801365 * x * (1 + u * (0.26179938779914943654 + u * 0.1439317));
    for (int i = 0; i < 3; i++) y -= (erf(y) - x) * 0.88622692545275801365 * exp(y * y);
    return x == 0 ? x : y;
}
LOCKSTEP_HOST_FN_ double lockstep_erfcinv(double q) /* q <= 1/2 */
{
    double t = -log(q), y = sqrt(t - 0.5 * log(LOCKSTEP_PI_ * t));
    if (q <= 0) return q == 0 ? __builtin_inf() : __builtin_nan("");
    for (int i = 0; i < 4; i++) {
        double f = erfcx(y);
        y += (log(f) - __builtin_fma(y, y, -t)) * f * 0.88622692545275801365;
    }
    return y;
}
LOCKSTEP_HOST_FN_ double erfinv(double x)
{
    double a = __builtin_fabs(x);
    return a <= 0.5 ? lockstep_erfinv(x) : __builtin_copysign(lockstep_erfcinv(1 - a), x);
}
LOCKSTEP_HOST_FN_ double erfcinv(double q)
{
    return q < 0.5 ? lockstep_erfcinv(q) : q <= 1.5 ? lockstep_erfinv(1 - q) : -lockstep_erfcinv(2 - q);
}
LOCKSTEP_HOST_FN_ double normcdfinv(double p) { return -1.41421356237309504880 * erfcinv(2 * p); }
LOCKSTEP_FLOAT_OF_(erfinv)
LOCKSTEP_FLOAT_OF_(erfcinv)
LOCKSTEP_FLOAT_OF_(normcdfinv)
#undef LOCKSTEP_FLOAT_OF_

/* ---- norms ---- */

/* The sum of the squares, divided by 4^*e, so that it neither overflows nor underflows. *e = 1024: the result
 * is infinite. */
LOCKSTEP_FN_ double lockstep_norm(int n, const double *p, int *e)
{
    double large = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        double a = __builtin_fabs(p[i]);
        large = a > large ? a : large;
    }
    *e = (int)(__builtin_bit_cast(unsigned long long, large) >> 52) - 1023;
    if (*e == 1024) return large;
    *e = *e < -1000 ? -1000 : *e > 1000 ? 1000 : *e;
    double scale = __builtin_bit_cast(double, (unsigned long long)(1023 - *e) << 52);
    for (int i = 0; i < n; i++) sum = __builtin_fma(p[i] * scale, p[i] * scale, sum);
    return sum;
}
LOCKSTEP_FN_ double norm(int n, const double *p)
{
    int e;
    double root = __builtin_sqrt(lockstep_norm(n, p, &e));
    if (e == 1024) return root;
    return root * __builtin_bit_cast(double, (unsigned long long)(e + 1023) << 52);
}
LOCKSTEP_FN_ double rnorm(int n, const double *p)
{
    int e;
    double sum = lockstep_norm(n, p, &e), d = 1 / __builtin_sqrt(sum);
    if (e == 1024 || sum == 0) return d;
    d = __builtin_fma(d / 2, __builtin_fma(-sum * d, d, 1.0), d); /* corrects the rounding of the root */
    return d * __builtin_bit_cast(double, (unsigned long long)(1023 - e) << 52);
}
/* Squares of floats are neither too large nor too small for doubles. */
LOCKSTEP_FN_ double lockstep_norm(int n, const float *p)
{
    double sum = 0, large = 0;
    for (int i = 0; i < n; i++) {
        sum = __builtin_fma((double)p[i], (double)p[i], sum);
        if (__builtin_fabsf(p[i]) == __builtin_inff()) large = __builtin_inf();
    }
    return large > 0 ? large : __builtin_sqrt(sum);
}
LOCKSTEP_FN_ float normf(int n, const float *p) { return (float)lockstep_norm(n, p); }
LOCKSTEP_FN_ float rnormf(int n, const float *p) { return (float)(1 / lockstep_norm(n, p)); }
#define LOCKSTEP_NORM_(T, f)                                                                   \
    LOCKSTEP_FN_ T norm3d##f(T x, T y, T z)                                               \
    {                                                                                          \
        const T p[] = {x, y, z};                                                               \
        return norm##f(3, p);                                                                  \
    }                                                                                          \
    LOCKSTEP_FN_ T rnorm3d##f(T x, T y, T z)                                              \
    {                                                                                          \
        const T p[] = {x, y, z};                                                               \
        return rnorm##f(3, p);                                                                 \
    }                                                                                          \
    LOCKSTEP_FN_ T norm4d##f(T x, T y, T z, T w)                                          \
    {                                                                                          \
        const T p[] = {x, y, z, w};                                                            \
        return norm##f(4, p);                                                                  \
    }                                                                                          \
    LOCKSTEP_FN_ T rnorm4d##f(T x, T y, T z, T w)                                         \
    {                                                                                          \
        const T p[] = {x, y, z, w};                                                            \
        return rnorm##f(4, p);                                                                 \
    }
LOCKSTEP_NORM_(double, )
LOCKSTEP_NORM_(float, f)
#undef LOCKSTEP_NORM_

/* ---- Bessel functions ---- */

/* Hankel's expansion: with a(k) = (m - 1)(m - 9)...(m - (2k-1)^2) / (k! (8x)^k), m = 4 n n, the sums of its
 * even and odd terms up to the smallest one; alternating: the terms of each sum have alternating signs. */
LOCKSTEP_FN_ void lockstep_hankel(int n, double x, int alternating, double *even, double *odd)
{
    double a = 1, m = 4.0 * n * n, sums[2] = {1, 0};
    for (int k = 1; k < 60; k++) {
        double next = a * (m - (2 * k - 1) * (2 * k - 1)) / (8 * x * k);
        if (__builtin_fabs(next) < 1e-18 || (k > n && __builtin_fabs(next) > __builtin_fabs(a))) break;
        a = next;
        sums[k & 1] += alternating && k & 2 ? -a : a;
    }
    *even = sums[0], *odd = sums[1];
}

LOCKSTEP_FN_ double lockstep_bessel_i(int n, double x) /* n: 0 or 1 */
{
    double a = __builtin_fabs(x), half = a / 2, sum = 1, term = 1, odd;
    if (a < 6) {
        for (int k = 1; term > sum * 1e-18; k++) sum += term = term * (half / k) * (half / (k + n));
        return n ? x / 2 * sum : sum;
    }
    if (a < 20) { /* e^x = I0 + 2 I1 + 2 I2 + ... */
        double above = 0, here = 1;
        sum = 0;
        for (int k = 70; k > n; k--) {
            double below = 2 * k / a * here + above;
            sum += 2 * here, above = here, here = below;
        }
        sum = here / (n ? sum + 2 * here + (2 / a * here + above) : sum + here);
    } else {
        lockstep_hankel(n, a, 0, &sum, &odd);
        sum = (sum - odd) / sqrt(2 * LOCKSTEP_PI_ * a);
    }
    return (n && x < 0 ? -1 : 1) *
        (a < 700       ? exp(a) * sum
                : a < 800 ? exp(a - 64) * sum * exp(64.0)
                          : exp(a));
}
LOCKSTEP_FN_ double cyl_bessel_i0(double x) { return lockstep_bessel_i(0, x); }
LOCKSTEP_FN_ double cyl_bessel_i1(double x) { return lockstep_bessel_i(1, x); }
LOCKSTEP_FN_ float cyl_bessel_i0f(float x) { return (float)cyl_bessel_i0((double)x); }
LOCKSTEP_FN_ float cyl_bessel_i1f(float x) { return (float)cyl_bessel_i1((double)x); }
LOCKSTEP_FN_ double fdivide(double a, double b) { return a / b; }
LOCKSTEP_FN_ float fdivide(float a, float b) { return a / b; }

/* Set b to J0, J1, Y0 and Y1 of x > 0, and return Jn. The host's own library has these functions. */
LOCKSTEP_FN_ double lockstep_bessel(int n, double x, double b[4])
{
    if (x < 25 || n > x) {
        int m = 2 * ((max(n, (int)x) + 20 + (int)sqrt(40.0 * max(n, (int)x))) / 2);
        double above = 0, here = 0x1p-800, sum = 0, y0 = 0, y1 = 0, jn = 0;
        double e = 0.57721566490153286061 + log(x / 2);
        for (int k = m; k >= 0; k--) { /* here: J of order k, up to a common factor */
            if (k == n) jn = here;
            if (k & 1) {
                int i = k / 2;
                if (i) y1 += (i & 1 ? -1 : 1) * here * k / ((double)i * (i + 1));
                b[1] = here;
            } else {
                int i = k / 2;
                sum += k ? 2 * here : here;
                if (i) y0 += (i & 1 ? -1 : 1) * here / i;
                b[0] = here;
            }
            double below = 2 * k / x * here - above;
            above = here, here = below;
            if (__builtin_fabs(here) > 1e100) {
                above *= 1e-100, here *= 1e-100, sum *= 1e-100, y0 *= 1e-100, y1 *= 1e-100, jn *= 1e-100;
                b[0] *= 1e-100, b[1] *= 1e-100;
            }
        }
        b[0] /= sum, b[1] /= sum, jn /= sum;
        b[2] = 2 / LOCKSTEP_PI_ * (e * b[0] - 2 * y0 / sum);
        b[3] = 2 / LOCKSTEP_PI_ * ((e - 1) * b[1] - y1 / sum - b[0] / x);
        return jn;
    }
    double p, q, s = sin(x), c = cos(x), scale = 1 / sqrt(LOCKSTEP_PI_ * x);
    if (lockstep_isinf(x)) s = c = 0;
    lockstep_hankel(0, x, 1, &p, &q);
    b[0] = scale * ((c + s) * p - (s - c) * q);
    b[2] = scale * ((s - c) * p + (c + s) * q);
    lockstep_hankel(1, x, 1, &p, &q);
    b[1] = scale * ((s - c) * p + (s + c) * q);
    b[3] = scale * ((s - c) * q - (s + c) * p);
    double below = b[0], here = b[1];
    for (int k = 1; k < n; k++) {
        double above = 2 * k / x * here - below;
        below = here, here = above;
    }
    return n ? here : b[0];
}
LOCKSTEP_FN_ double jn(int n, double x)
{
    double b[4], a = __builtin_fabs(x), d = 1;
    if (n < 0 || x != x) return lockstep_nan();
    if (a < 1e-10) /* the first term of the power series */
        for (int k = 1; k <= n; k++) d *= a / 2 / k;
    else
        d = lockstep_bessel(n, a, b);
    return x < 0 && n & 1 ? -d : d;
}
LOCKSTEP_FN_ double yn(int n, double x)
{
    double b[4];
    if (n < 0 || !(x >= 0)) return lockstep_nan();
    if (x == 0) return -lockstep_inf();
    if (x < 1e-10) {
        b[2] = 2 / LOCKSTEP_PI_ * (0.57721566490153286061 + log(x / 2));
        b[3] = -2 / LOCKSTEP_PI_ / x;
    } else
        lockstep_bessel(0, x, b);
    double below = b[2], here = b[3];
    for (int k = 1; k < n && here > -lockstep_inf(); k++) {
        double above = 2 * k / x * here - below;
        below = here, here = above;
    }
    return n ? here : below;
}
LOCKSTEP_FN_ double j0(double x) { return jn(0, x); }
LOCKSTEP_FN_ double j1(double x) { return jn(1, x); }
LOCKSTEP_FN_ double y0(double x) { return yn(0, x); }
LOCKSTEP_FN_ double y1(double x) { return yn(1, x); }
LOCKSTEP_FN_ float j0f(float x) { return (float)j0((double)x); }
LOCKSTEP_FN_ float j1f(float x) { return (float)j1((double)x); }
LOCKSTEP_FN_ float jnf(int n, float x) { return (float)jn(n, (double)x); }
LOCKSTEP_FN_ float y0f(float x) { return (float)y0((double)x); }
LOCKSTEP_FN_ float y1f(float x) { return (float)y1((double)x); }
LOCKSTEP_FN_ float ynf(int n, float x) { return (float)yn(n, (double)x); }
#undef LOCKSTEP_PI_

/* ---- neighbours, quotients ---- */

LOCKSTEP_FN_ float nextafterf(float x, float y)
{
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return __builtin_copysignf(0x1p-149f, y);
    return __int_as_float(__float_as_int(x) + ((x < y) == (x > 0) ? 1 : -1));
}
LOCKSTEP_FN_ double nextafter(double x, double y)
{
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    if (x == 0) return __builtin_copysign(0x1p-1074, y);
    return __longlong_as_double(__double_as_longlong(x) + ((x < y) == (x > 0) ? 1 : -1));
}
LOCKSTEP_FN_ float nextafter(float x, float y) { return nextafterf(x, y); }
/* The quotient's low three bits follow from the remainder of x by 8 y. */
#define LOCKSTEP_REMQUO_(T, f)                                                                 \
    LOCKSTEP_FN_ T remquo##f(T x, T y, int *quotient)                                          \
    {                                                                                          \
        T a = __builtin_fabs(y), rest = remainder##f(x, y), wide = fmod##f(x, 8 * a);          \
        *quotient = (int)rint##f((wide - rest) / y) % 8;                                       \
        return rest;                                                                           \
    }
LOCKSTEP_REMQUO_(float, f)
LOCKSTEP_REMQUO_(double, )
#undef LOCKSTEP_REMQUO_
LOCKSTEP_FN_ float scalblnf(float x, long n) { return scalbnf(x, (int)max(min(n, 100000l), -100000l)); }
LOCKSTEP_FN_ double scalbln(double x, long n) { return scalbn(x, (int)max(min(n, 100000l), -100000l)); }
LOCKSTEP_FN_ float scalbln(float x, long n) { return scalblnf(x, n); }

#endif
