/* lockstep_math_double.h - CUDA's mathematical functions on doubles, for clang without the SDK: the methods
 * of lockstep_math.h with more terms. There are no instructions for exponentials of doubles, so polynomials
 * replace ex2.approx. tests/test_math.c measures the largest error of each function beside the one that the
 * CUDA C++ Programming Guide allows. */
#ifndef LOCKSTEP_MATH_DOUBLE_H
#define LOCKSTEP_MATH_DOUBLE_H

#pragma clang system_header

/* ---- whole numbers ---- */

LOCKSTEP_FN_ double nearbyint(double x) { return __builtin_rint(x); }
LOCKSTEP_FN_ double round(double x)
{
    double t = __builtin_trunc(x);
    return __builtin_copysign(__builtin_fabs(x - t) >= 0.5 ? t + __builtin_copysign(1.0, x) : t, x);
}
LOCKSTEP_FN_ long lrint(double x) { return __nvvm_d2ll_rn(x); }
LOCKSTEP_FN_ long lround(double x) { return __nvvm_d2ll_rz(round(x)); }
LOCKSTEP_FN_ long long llrint(double x) { return __nvvm_d2ll_rn(x); }
LOCKSTEP_FN_ long long llround(double x) { return __nvvm_d2ll_rz(round(x)); }
LOCKSTEP_FN_ double modf(double x, double *whole)
{
    *whole = __builtin_trunc(x);
    return __builtin_copysign(lockstep_isinf(x) ? 0.0 : x - *whole, x);
}
LOCKSTEP_FN_ double fdim(double a, double b) { return a > b ? a - b : a != a || b != b ? a + b : 0.0; }
LOCKSTEP_FN_ double ldexp(double x, int n)
{
    n = max(min(n, 2200), -2200);
    for (; n > 1023; n -= 1023) x *= 0x1p1023;
    for (; n < -1022; n += 969) /* a result that may be subnormal is rounded only in the last step */
        x *= 0x1p-969;
    return x * lockstep_pow2d(n);
}
LOCKSTEP_FN_ double scalbn(double x, int n) { return ldexp(x, n); }
LOCKSTEP_FN_ double frexp(double x, int *e)
{
    int tiny = __builtin_fabs(x) < 0x1p-1022;
    long long bits = __double_as_longlong(tiny ? x * 0x1p54 : x);
    int some = x == x && x != 0 && !lockstep_isinf(x);
    *e = some ? (int)(bits >> 52 & 2047) - 1022 - 54 * tiny : 0;
    return some ? __longlong_as_double((bits & 0x800fffffffffffff) | 0x3fe0000000000000) : x;
}
LOCKSTEP_FN_ int ilogb(double x)
{
    int e;
    frexp(x, &e);
    return x == 0 || x != x ? -0x7fffffff - 1 : lockstep_isinf(x) ? 0x7fffffff : e - 1;
}
LOCKSTEP_FN_ double logb(double x)
{
    return x == 0 ? -lockstep_inf() : x != x || lockstep_isinf(x) ? x * x : (double)ilogb(x);
}
LOCKSTEP_FN_ double fmod(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y), c = b;
    if (!(a < lockstep_inf()) || !(b > 0) || b != b) return lockstep_nan();
    if (a < b) return x;
    if (a < b * 0x1p51) {
        a = fma(-__builtin_trunc(a / b), b, a);
        a = a < 0 ? a + b : a;
    } else {
        while (c + c <= a) c += c;
        for (; c >= b; c *= 0.5) a = a >= c ? a - c : a;
    }
    return __builtin_copysign(a, x);
}

/* ---- exponentials ---- */

/* (e^r - 1 - r) + low, for |r| at most log(2) / 2 */
LOCKSTEP_FN_ double lockstep_expm1(double r, double low)
{
    const double c[] = {5.00000000000000555e-01, 1.66666666666666852e-01, 4.16666666665729477e-02,
        8.33333333331445249e-03, 1.38888889326170225e-03, 1.98412699033331135e-04, 2.48015041438484347e-05,
        2.75572276754204078e-06, 2.76264521552332611e-07, 2.51145645866917926e-08};
    return fma(r * r, lockstep_poly(r, c), low);
}
/* 2^(n + k) e^r; x: the argument, for infinity and NaN */
LOCKSTEP_FN_ double lockstep_exp_of(double x, double n, double r, int k)
{
    double d = lockstep_scale(1 + (r + lockstep_expm1(r, 0)), (int)n + k);
    return x != x || lockstep_isinf(x) ? (x < 0 ? 0.0 : x) : d;
}
LOCKSTEP_FN_ double lockstep_exp(double x, int k)
{
    double c = fmin(fmax(x, -760.0), 712.0), n = __builtin_rint(c * 1.44269504088896339);
    return lockstep_exp_of(x, n, fma(n, -2.31904681384629956e-17, fma(n, -6.93147180559945286e-01, c)), k);
}
LOCKSTEP_FN_ double exp(double x) { return lockstep_exp(x, 0); }
LOCKSTEP_FN_ double exp2(double x)
{
    double c = fmin(fmax(x, -1080.0), 1025.0), n = __builtin_rint(c);
    return lockstep_exp_of(x, n, lockstep_times(c - n, 6.93147180559945286e-01, 2.31904681384629956e-17), 0);
}
LOCKSTEP_FN_ double exp10(double x)
{
    double c = fmin(fmax(x, -330.0), 310.0), n = __builtin_rint(c * 3.32192809488736218);
    double r = fma(n, 2.80372812778517039e-18, fma(n, -3.01029995663981198e-01, c));
    return lockstep_exp_of(x, n, lockstep_times(r, 2.30258509299404590, -2.17075622338224935e-16), 0);
}
LOCKSTEP_FN_ double expm1(double x)
{
    double n = __builtin_rint(fmin(fmax(x, -60.0), 712.0) * 1.44269504088896339);
    double high = fma(n, -6.93147180559945286e-01, x), r = fma(n, -2.31904681384629956e-17, high);
    /* with the rounding error of r */
    double p = lockstep_expm1(r, fma(n, -2.31904681384629956e-17, high - r));
    double t = lockstep_pow2d((int)n - 1), d = fma(p, t, fma(r, t, t - 0.5));
    return x > 709.9 ? lockstep_inf() : x < -50 ? -1.0 : x == 0 ? x : n == 0 ? r + p : d + d;
}
LOCKSTEP_FN_ double sinh(double x)
{
    const double c[] = {1.66666666666666685e-01, 8.33333333333313893e-03, 1.98412698414376812e-04,
        2.75573191553369045e-06, 2.50521233985519057e-08, 1.60572403414939740e-10, 7.75931219586451259e-13};
    double a = __builtin_fabs(x), u = x * x, t = lockstep_exp(a, -1);
    return a < 1 ? fma(x * u, lockstep_poly(u, c), x) : __builtin_copysign(t - 0.25 / t, x);
}
LOCKSTEP_FN_ double cosh(double x)
{
    double t = lockstep_exp(__builtin_fabs(x), -1);
    return t + 0.25 / t;
}
LOCKSTEP_FN_ double tanh(double x)
{
    const double c[] = {-3.33333333333333315e-01, 1.33333333333330750e-01, -5.39682539680491694e-02,
        2.18694885280096910e-02, -8.86323533978711567e-03, 3.59212520563342418e-03, -1.45580618764600640e-03,
        5.89834818493138410e-04, -2.38220179573158975e-04, 9.39802627357265582e-05, -3.29818873082737664e-05,
        7.45731209505133368e-06};
    double a = __builtin_fabs(x), u = x * x, d = 1 - 2 / (exp(a + a) + 1);
    return a < 0.55 ? fma(fma(x, u, 0.0), lockstep_poly(u, c), x) : __builtin_copysign(d, x);
}

/* ---- logarithms ---- */

/* f - log(1 + f) - low, by the series in s = f / (2 + f), of which every other term is 0 */
LOCKSTEP_FN_ double lockstep_log_rest(double f, double low)
{
    const double c[] = {6.66666666666665964e-01, 4.00000000000569456e-01, 2.85714285557692349e-01,
        2.22222243027104804e-01, 1.81816655200734839e-01, 1.53911231287013978e-01, 1.31734167804765573e-01,
        1.38442467096676070e-01};
    double s = f / (2 + f), u = s * s, h = 0.5 * f * f, r = u * lockstep_poly(u, c);
    return h - fma(s, h + r, low);
}
/* log(1 + f) + high + low */
LOCKSTEP_FN_ double lockstep_log1p(double f, double high, double low)
{
    return high - (lockstep_log_rest(f, low) - f);
}
/* log(1 + f) times a constant, plus a number of at least its size, or 0: all in two parts, and rounded
 * once */
LOCKSTEP_FN_ double lockstep_log_times(double f, double by, double by_low, double plus, double plus_low)
{
    double t = lockstep_log_rest(f, 0), d = __dadd_rn(f, -t), low = __dadd_rn(__dadd_rn(f, -d), -t);
    double p = __dmul_rn(d, by), plow = fma(d, by, -p) + fma(d, by_low, fma(low, by, plus_low)),
           sum = __dadd_rn(plus, p);
    return sum + (__dadd_rn(p, -__dadd_rn(sum, -plus)) + plow);
}
LOCKSTEP_FN_ double lockstep_log_of(double x, double good)
{
    return x > 0 && x < lockstep_inf() ? good : x == 0 ? -lockstep_inf() : x < 0 ? lockstep_nan() : x + x;
}
LOCKSTEP_FN_ double log(double x)
{
    int n;
    double f = lockstep_split(x, &n) - 1, e = n;
    double d = lockstep_log1p(
        f, e * 6.93147180559208209e-01, e * 7.37100256516779890e-13); /* log(2): 40 bits, and the rest */
    return lockstep_log_of(x, d);
}
LOCKSTEP_FN_ double log2(double x)
{
    int n;
    double f = lockstep_split(x, &n) - 1;
    return lockstep_log_of(x, lockstep_log_times(f, 1.44269504088896339, 2.03552737409310331e-17, n, 0));
}
LOCKSTEP_FN_ double log10(double x)
{
    int n;
    double f = lockstep_split(x, &n) - 1, e = n;
    return lockstep_log_of(x,
        lockstep_log_times(f, 4.34294481903251817e-01, 1.09831965021676507e-17, e * 3.01029995663157024e-01,
            e * 8.24171258602357198e-13));
}
LOCKSTEP_FN_ double log1p(double x)
{
    int n;
    double m = lockstep_split(1 + x, &n), s = lockstep_pow2d(-min(n, 1022)), e = n;
    double f = x < 0x1p200 ? fma(x, s, s - 1) : m - 1;
    double d = lockstep_log1p(f, e * 6.93147180559208209e-01, e * 7.37100256516779890e-13);
    return x == 0 ? x : lockstep_log_of(x < -1 ? x : 1 + x, d);
}
LOCKSTEP_FN_ double asinh(double x)
{
    double a = __builtin_fabs(x), u = a * a;
    double d = a > 0x1p60 ? log(a) + 6.93147180559945286e-01 : log1p(a + u / (1 + sqrt(1 + u)));
    return __builtin_copysign(d, x);
}
LOCKSTEP_FN_ double acosh(double x)
{
    double t = x - 1;
    return x < 1     ? lockstep_nan()
        : x > 0x1p60 ? log(x) + 6.93147180559945286e-01
                     : log1p(t + sqrt(fma(t, t, t + t)));
}
LOCKSTEP_FN_ double atanh(double x)
{
    double a = __builtin_fabs(x);
    return __builtin_copysign(0.5 * log1p((a + a) / (1 - a)), x);
}

/* ---- angles ---- */

/* As the function for floats, with the 128 bits of 2/pi that matter. */
LOCKSTEP_FN_ double lockstep_reduce_large(double x, int *quadrant)
{
    static __constant__ const unsigned long long words[] = {0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0,
        0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
        0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
        0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea,
        0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};
    unsigned long long bits = (unsigned long long)__double_as_longlong(x),
                       m = bits << 11 | 0x8000000000000000;
    unsigned o = ((unsigned)(bits >> 52) & 2047) - 1024, k = min(o >> 6, 16u), n = o & 63;
    unsigned long long a = words[k], b = words[k + 1], c = words[k + 2], d = words[k + 3];
    if (n) a = a << n | b >> (64 - n), b = b << n | c >> (64 - n), c = c << n | d >> (64 - n);
    unsigned long long low = m * b, f = m * a + __umul64hi(m, b),
                       more = __umul64hi(m, c); /* f, low: the product modulo 4 */
    low += more;
    f += low < more;
    int q = (int)(f >> 62), below;
    f = f << 2 | low >> 62, low <<= 2;
    below = (long long)f < 0;
    q += below;
    f = below ? ~f + (low == 0) : f;
    low = below ? 0 - low : low;
    int z = __clzll((long long)f) & 63;
    f = z ? f << z | low >> (64 - z) : f, low <<= z;
    double high = (double)(f >> 11) * 0x1p-53, rest = (double)((f & 2047) << 42 | low >> 22) * 0x1p-106;
    double r =
        fma(high, 1.57079632679489656, fma(high, 6.12323399573676604e-17, rest * 1.57079632679489656)) *
        lockstep_pow2d(-z);
    *quadrant = lockstep_sign(x) ? -q : q;
    return x - x != 0 ? lockstep_nan() : below ^ lockstep_sign(x) ? -r : r;
}
LOCKSTEP_FN_ double lockstep_reduce(double x, int *quadrant)
{
    double n = (double)(*quadrant = __nvvm_d2i_rn(x * 6.36619772367581343e-01));
    double r =
        fma(n, -1.08285667392191389e-32, fma(n, -6.12323399573676480e-17, fma(n, -1.57079632679489656, x)));
    if (!(__builtin_fabs(x) < 1e9)) r = lockstep_reduce_large(x, quadrant);
    return r;
}
LOCKSTEP_FN_ double lockstep_sine(double r, int q)
{
    const double s[] = {-1.66666666666666324e-01, 8.33333333332241313e-03, -1.98412698298078646e-04,
        2.75573136919416993e-06, -2.50507581191798479e-08, 1.58967958753902639e-10};
    const double c[] = {4.16666666666666019e-02, -1.38888888888741248e-03, 2.48015872894823469e-05,
        -2.75573143523780761e-07, 2.08757232791038822e-09, -1.13596480894298213e-11};
    double u = r * r, d;
    if (q & 1)
        d = fma(u * u, lockstep_poly(u, c), fma(u, -0.5, 1.0));
    else
        d = fma(fma(u, r, 0.0), lockstep_poly(u, s), r);
    return q & 2 ? -d : d;
}
LOCKSTEP_FN_ double sin(double x)
{
    int q;
    double r = lockstep_reduce(x, &q);
    return lockstep_sine(r, q);
}
LOCKSTEP_FN_ double cos(double x)
{
    int q;
    double r = lockstep_reduce(x, &q);
    return lockstep_sine(r, q + 1);
}
LOCKSTEP_FN_ void sincos(double x, double *s, double *c)
{
    int q;
    double r = lockstep_reduce(x, &q);
    *s = lockstep_sine(r, q);
    *c = lockstep_sine(r, q + 1);
}
LOCKSTEP_FN_ double tan(double x)
{
    const double c[] = {3.33333333333327153e-01, 1.33333333334227783e-01, 5.39682539230066025e-02,
        2.18694896917715903e-02, 8.86321806078041452e-03, 3.59229852992935372e-03, 1.45470330095867693e-03,
        5.95284342240271023e-04, 2.21759947379360510e-04, 1.37750925142524533e-04, -2.80472750613859514e-05,
        9.09232507159738981e-05, -4.56428789590728238e-05, 2.10413814534554490e-05};
    int q;
    double r = lockstep_reduce(x, &q), u = r * r, t = fma(u * r, lockstep_poly(u, c), r);
    return q & 1 ? -1.0 / t : t;
}
LOCKSTEP_FN_ double lockstep_reduce_pi(double x, int *quadrant)
{
    double turn = fma(-2.0, __builtin_rint(0.5 * x), x), n = __builtin_rint(turn + turn),
           r = fma(n, -0.5, turn);
    *quadrant = (int)n;
    return lockstep_times(r, 3.14159265358979312, 1.22464679914735321e-16);
}
LOCKSTEP_FN_ double sinpi(double x)
{
    int q;
    double r = lockstep_reduce_pi(x, &q);
    return lockstep_isinf(x)      ? lockstep_nan()
        : __builtin_trunc(x) == x ? __builtin_copysign(0.0, x)
                                  : lockstep_sine(r, q);
}
LOCKSTEP_FN_ double cospi(double x)
{
    int q;
    double r = lockstep_reduce_pi(x, &q);
    return lockstep_sine(r, q + 1) + 0.0;
}
LOCKSTEP_FN_ void sincospi(double x, double *s, double *c)
{
    *s = sinpi(x);
    *c = cospi(x);
}
LOCKSTEP_FN_ double lockstep_asin(double s, double u)
{
    const double c[] = {1.66666666666653751e-01, 7.50000000034478642e-02, 4.46428568219806310e-02,
        3.03819593953569313e-02, 2.23717519416200515e-02, 1.73597955574481197e-02, 1.38843515491657542e-02,
        1.21749337804977330e-02, 6.50356178814025070e-03, 1.95942162516461460e-02, -1.63264803912253967e-02,
        3.19815334860976824e-02};
    return fma(s * u, lockstep_poly(u, c), s);
}
LOCKSTEP_FN_ double asin(double x)
{
    double a = __builtin_fabs(x), half = fma(a, -0.5, 0.5),
           p = lockstep_asin(a > 0.5 ? sqrt(half) : a, a > 0.5 ? half : a * a);
    return __builtin_copysign(a > 0.5 ? 1.57079632679489656 + fma(-2.0, p, 6.12323399573676604e-17) : p, x);
}
LOCKSTEP_FN_ double acos(double x)
{
    double a = __builtin_fabs(x), half = fma(a, -0.5, 0.5),
           p = lockstep_asin(a > 0.5 ? sqrt(half) : a, a > 0.5 ? half : a * a);
    p = a > 0.5 ? p + p
        : x < 0 ? 1.57079632679489656 + p
                : 1.57079632679489656 + (6.12323399573676604e-17 - p);
    return a > 0.5 && x < 0 ? 3.14159265358979312 + (1.22464679914735321e-16 - p) : p;
}
LOCKSTEP_FN_ double lockstep_atan(double t) /* t from 0 to 1 */
{
    const double c[] = {-3.33333333333330928e-01, 1.99999999999554368e-01, -1.42857142828022560e-01,
        1.11111110136509303e-01, -9.09090711924104428e-02, 7.69228118639792152e-02, -6.66641499315486635e-02,
        5.88059252235032942e-02, -5.25380538817563081e-02, 4.72329273751060374e-02, -4.22171601137556127e-02,
        3.66934861124740830e-02, -2.99854974732328070e-02, 2.20850524602652538e-02, -1.39948886441572679e-02,
        7.26328612839899270e-03, -2.91930481761686544e-03, 8.43471574401761766e-04, -1.54794265686069047e-04,
        1.34890047735421919e-05};
    double u = t * t;
    return fma(t * u, lockstep_poly(u, c), t);
}
LOCKSTEP_FN_ double atan(double x)
{
    double a = __builtin_fabs(x), p = lockstep_atan(a > 1 ? 1 / a : a);
    return __builtin_copysign(a > 1 ? 1.57079632679489656 + (6.12323399573676604e-17 - p) : p, x);
}
LOCKSTEP_FN_ double atan2(double y, double x)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y), large = a > b ? a : b, small = a > b ? b : a;
    double p = lockstep_atan(small == large ? (small > 0 ? 1.0 : 0.0) : small / large);
    p = b > a ? 1.57079632679489656 + (6.12323399573676604e-17 - p) : p;
    p = lockstep_sign(x) ? 3.14159265358979312 + (1.22464679914735321e-16 - p) : p;
    return x != x || y != y ? x + y : __builtin_copysign(p, y);
}

/* ---- powers and roots ---- */

LOCKSTEP_FN_ double rsqrt(double x) { return 1 / sqrt(x); }
LOCKSTEP_FN_ double cbrt(double x)
{
    int e;
    double m = frexp(__builtin_fabs(x), &e);
    int k = (e + 1200) / 3 - 400, rest = e - 3 * k; /* x = m 2^rest 8^k */
    m *= lockstep_pow2d(rest);
    /* exact to 24 bits; one step of Halley's method triples them */
    double y = cbrtf((float)m), t = y * y * y;
    y = fma(y, (m - t) / fma(2.0, t, m), y);
    return x == 0 || x - x != 0 ? x + x : __builtin_copysign(y * lockstep_pow2d(k), x);
}
LOCKSTEP_FN_ double rcbrt(double x)
{
    double y = 1 / cbrt(x), d = fma(-x * (y * y), y, 1.0); /* one step of Newton's method */
    return x == 0 || x - x != 0 ? y : fma(y * d, 3.33333333333333315e-01, y);
}
LOCKSTEP_FN_ double hypot(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y), large = fmax(a, b), small = fmin(a, b);
    int e = max(min((int)(__double_as_longlong(large) >> 52) - 1023, 1000), -1000);
    double s = lockstep_pow2d(-e), p = large * s, q = small * s,
           d = sqrt(fma(p, p, q * q)) * lockstep_pow2d(e);
    return lockstep_isinf(x) || lockstep_isinf(y) ? lockstep_inf() : x != x || y != y ? x + y : d;
}
LOCKSTEP_FN_ double rhypot(double x, double y) { return 1.0 / hypot(x, y); }

LOCKSTEP_FN_ double lockstep_power(double a, double y)
{
    const double c[] = {1.80336880111120409e-02, 3.22030143055572612e-03, 6.26169722607728741e-04,
        1.28080170546985477e-04, 2.70938818928163346e-05, 5.87034646596257653e-06, 1.29487310426730214e-06,
        2.90026039433621247e-07, 6.39583721042592428e-08, 1.86182964551714416e-08};
    int n;
    double m = lockstep_split(a, &n), e = n, f = m - 1, b = __dadd_rn(m, 1), blow = m - __dadd_rn(b, -1),
           r = 1 / b;
    double q = __dmul_rn(f + f, r), qlow = r * fma(-q, blow, fma(-q, b, f + f)), u = __dmul_rn(q, q),
           ulow = fma(q, q, -u);
    double s = lockstep_poly(u, c);
    double t = fma(u, s, 1.20224586740746944e-01),
           tlow = fma(u, s, __dadd_rn(1.20224586740746944e-01, -t)) + 6.32220208101573834e-18;
    double v = __dmul_rn(u, t), vlow = fma(u, t, -v) + fma(u, tlow, ulow * t);
    double w = __dmul_rn(q, v), wlow = fma(q, v, -w) + fma(q, vlow, qlow * v * 3);
    double p = __dmul_rn(q, 1.44269504088896339), plow = fma(q, 1.44269504088896339, -p);
    plow += fma(q, 2.03552737409310331e-17, qlow * 1.44269504088896339);
    double sum = __dadd_rn(p, w), low = __dadd_rn(w, -__dadd_rn(sum, -p)) + (plow + wlow);
    double whole = __dadd_rn(e, sum);
    low += e == 0 ? 0.0 : __dadd_rn(sum, -__dadd_rn(whole, -e));
    double power = __dmul_rn(y, whole), rest = fma(y, low, fma(y, whole, -power));
    double k = __builtin_rint(fmin(fmax(power, -1080.0), 1026.0)), x = __dadd_rn(power, -k) + rest;
    x = lockstep_times(fmin(fmax(x, -4.0), 4.0), 6.93147180559945286e-01, 2.31904681384629956e-17);
    return power > 1026 ? lockstep_inf()
        : power < -1080 ? 0.0
                        : lockstep_scale(1 + (x + lockstep_expm1(x, 0)), (int)k);
}
LOCKSTEP_FN_ double pow(double x, double y)
{
    double a = __builtin_fabs(x), d = lockstep_power(a, y);
    int whole = __builtin_trunc(y) == y,
        odd = whole && __builtin_fabs(fma(-2.0, __builtin_trunc(0.5 * y), y)) == 1.0;
    if (x == 1 || y == 0) return 1.0;
    if (x != x || y != y) return x + y;
    if (lockstep_isinf(y)) return a == 1 ? 1.0 : (a > 1) == (y > 0) ? lockstep_inf() : 0.0;
    if (a == 0 || lockstep_isinf(a))
        d = (a == 0) == (y > 0) ? 0.0 : lockstep_inf();
    else if (x < 0 && !whole)
        return lockstep_nan();
    return odd ? __builtin_copysign(d, x) : d;
}

/* ---- the error function ---- */

LOCKSTEP_FN_ double lockstep_erfcx(double x) /* x >= 0 */
{
    const double c[] = {1.25300805826972961e+00, -1.35621106124580559e-01, -4.75622943534494969e-02,
        1.29645158702691415e-01, -1.19273663415375042e-01, 6.83080273462705473e-02, -2.37705149171243552e-02,
        2.52939178108764961e-03, 1.88869033926152875e-03, -7.79831976347897531e-04, -1.05159634825277307e-04,
        1.25097831500640651e-04, 4.94859666631977941e-06, -2.00955826524744957e-05, -7.28382452698737981e-07,
        3.46182608597815207e-06, 3.49656973074732658e-07, -6.02245054673830368e-07, -1.31063456732880382e-07,
        8.99000317964658985e-08, 3.24091605935052797e-08, -7.90268416578632088e-09, -3.94875931103697383e-09};
    return lockstep_poly((x - 3) / (x + 3), c) / fma(2.0, x, 1.0);
}
LOCKSTEP_FN_ double erfcx(double x)
{
    double square = __dmul_rn(x, x), u = 1 / square, sum = 1;
    if (x < 0) {
        double d = 2 * exp(square), rest = d < lockstep_inf() ? d * fma(x, x, -square) : 0;
        return d + (rest - lockstep_erfcx(fmin(-x, 27.0)));
    }
    if (x < 27) return lockstep_erfcx(x);
    for (int k = 7; k > 0; k--) sum = fma(-sum, u * (k - 0.5), 1.0); /* x >= 27, or NaN */
    return sum * 0.564189583547756287 / x;
}
LOCKSTEP_FN_ double erfc(double x)
{
    double a = __builtin_fabs(x), b = a > 27.3 ? 27.3 : a, u = __dmul_rn(b, b), low = fma(b, b, -u),
           y = lockstep_erfcx(b);
    double d = a > 27.3 ? 0.0 : lockstep_exp(-u, 60) * fma(-low, y, y) * 0x1p-60;
    return x < 0 ? 2 - d : d;
}
LOCKSTEP_FN_ double erf(double x)
{
    const double c[] = {1.28379167095512586e-01, -3.76126389031837483e-01, 1.12837916709548847e-01,
        -2.68661706450778782e-02, 5.22397762482843583e-03, -8.54832698142536651e-04, 1.20553311329353637e-04,
        -1.49255957714418004e-05, 1.64610084631813361e-06, -1.63503960486599113e-07, 1.46603274741089792e-08,
        -1.13749507642638025e-09, 5.96067687251890719e-11};
    double a = __builtin_fabs(x), u = x * x;
    return a < 1 ? fma(x, lockstep_poly(u, c), x) : __builtin_copysign(1 - erfc(a), x);
}
LOCKSTEP_FN_ double normcdf(double x)
{
    double z = __dmul_rn(x, -7.07106781186547573e-01), low = fma(x, -7.07106781186547573e-01, -z),
           d = 0.5 * erfc(z);
    low = fma(x, 4.83364665672645673e-17, low);
    return x < -1 && x > -38.5 ? fma(d * -2 * z, low, d) : d;
}

#endif
