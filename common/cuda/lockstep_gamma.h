/* lockstep_gamma.h - the gamma function and its logarithm, and remainders, for clang without the SDK.
 *
 *     0 <= z <= 1     1 / gamma(1 + z) and lgamma(1 + z) / (z (z - 1)): polynomials, fitted at Chebyshev's
 *                     points to 20 digits
 *     elsewhere       gamma(x) = (x - 1) gamma(x - 1), in pairs of doubles so that errors do not add up;
 *                     gamma(x) gamma(-x) = -pi / (x sin(pi x)); Stirling's series for large x
 *
 * Floats are computed in double. Source of the relations: Abramowitz and Stegun, chapter 6. */
#ifndef LOCKSTEP_GAMMA_H
#define LOCKSTEP_GAMMA_H

#pragma clang system_header

/* c[0] + c[1] z + ... */
template <int n> LOCKSTEP_FN_ double lockstep_polynomial(const double (&c)[n], double z)
{
    double sum = c[n - 1];
#pragma unroll
    for (int i = n - 2; i >= 0; i--) sum = __nvvm_fma_rn_d(sum, z, c[i]);
    return sum;
}

LOCKSTEP_FN_ double lockstep_gamma_near(double z)
{
    constexpr double c[] = {0.99999999999999999996, 0.57721566490153288185, -0.65587807152025592541,
        -0.042002635034017230019, 0.16653861138072179167, -0.042197734536338841085, -0.0096219716832092871847,
        0.0072189441225496722237, -0.0011651711582134274187, -0.00021523094537767174027,
        0.00012802610331145716347, -0.000020093774740906730015, -1.3030643874115745221e-6,
        1.1832658730843586624e-6, -2.4083612503619524979e-7, 2.3630858794920431431e-8,
        -8.5218204466812072617e-10};
    return 1 / lockstep_polynomial(c, z);
}

LOCKSTEP_FN_ double lockstep_lgamma_near(double z)
{
    constexpr double c[] = {0.57721566490153285555, -0.24525136852257589356, 0.15543426586329282675,
        -0.11514654252510401697, 0.092239007252375836612, -0.077318145176504636077, 0.066731426188268918921,
        -0.05877516383097031156, 0.052537419190277454862, -0.047445036625298663213, 0.043014155426004632851,
        -0.038670424418322469635, 0.033705371375113579325, -0.027534187815233193625, 0.020215502781759946019,
        -0.012742266956440251606, 0.0065687780057111626779, -0.0026202979485050315359,
        0.00075109446209063347311, -0.00013673749845170441352, 0.000011820969445467145217};
    return z * (z - 1) * lockstep_polynomial(c, z) + 0.0; /* turns -0 into 0 */
}

/* gamma(x) for x > 1: from the argument between 1 and 2 upwards, one factor at a time. */
LOCKSTEP_FN_ double lockstep_gamma_above(double x)
{
    int count = x > 2 ? (int)ceil(x) - 2 : 0;
    double high = lockstep_gamma_near(x - count - 1), low = 0;
    for (; count > 0; count--) {
        double f = x - count, p = high * f, e = __nvvm_fma_rn_d(high, f, -p);
        low = __nvvm_fma_rn_d(low, f, e);
        high = p;
    }
    return high + low;
}

LOCKSTEP_FN_ double tgamma(double x)
{
    if (x != x || (x > 0 && x - x != 0)) return x;
    if (x == 0) return 1 / x;
    if (x < 0 && (x == floor(x) || x - x != 0)) return lockstep_nan();
    if (x > 171.6243769563027) return 1 / 0.0;
    if (x > 1) return lockstep_gamma_above(x);
    if (x > 0) return lockstep_gamma_near(x) / x;
    if (x > -1) return lockstep_gamma_near(x + 1) / ((x + 1) * x);
    if (x < -184) return floor(x * 0.5) * 2 == floor(x) ? 0.0 : -0.0;
    double y = -x; /* gamma(y) overflows beyond 170: 20 of its factors are then multiplied one by one */
    int last = y > 170 ? 20 : 0;
    double r = -3.141592653589793 / (y * sinpi(y)) / lockstep_gamma_above(y - last);
    for (int i = 1; i <= last; i++) r /= y - i;
    return r;
}

LOCKSTEP_FN_ double lgamma(double x)
{
    if (x != x) return x;
    if (x - x != 0) return 1 / 0.0;
    if (x <= 0) {
        if (x == floor(x)) return 1 / 0.0;
        if (x > -1e-19) return -log(-x);
        double s = sinpi(x);
        return log(3.141592653589793 / fabs(x * s)) - lgamma(-x);
    }
    if (x < 1) return lockstep_lgamma_near(x) - log(x);
    if (x <= 2) return lockstep_lgamma_near(x - 1);
    if (x < 10) {
        double p = 1;
        while (x > 2) p *= x -= 1;
        return lockstep_lgamma_near(x - 1) + log(p);
    }
    double w = 1 / (x * x);
    double series = 1.0 / 12 - w * (1.0 / 360 - w * (1.0 / 1260 - w * (1.0 / 1680 - w * (1.0 / 1188 -
        w * (691.0 / 360360 - w * (1.0 / 156))))));
    if (x > 1e17) return x * (log(x) - 1);
    return (x - 0.5) * (log(x) - 1) + (0.4189385332046727 + series / x);
}

LOCKSTEP_FN_ float tgammaf(float x) { return (float)tgamma((double)x); }
LOCKSTEP_FN_ float lgammaf(float x) { return (float)lgamma((double)x); }

/* x - n y, where n is x / y rounded to the nearest integer. Exact. */
LOCKSTEP_FN_ double remainder(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y);
    if (x != x || y != y || a - a != 0 || b == 0) return lockstep_nan();
    if (b - b != 0) return x;
    if (b < 0x1p1022) a = fmod(a, 2 * b);
    for (int i = 0; i < 2; i++) {
        double half = a - b * 0.5, twice = a + a;
        int more = b < 0x1p-1000 ? (i ? twice >= b : twice > b) : (i ? half >= 0 : half > 0);
        if (!more) break;
        a -= b;
    }
    return lockstep_sign(x) ? -a : a;
}
LOCKSTEP_FN_ float remainderf(float x, float y) { return (float)remainder((double)x, (double)y); }
LOCKSTEP_FN_ float nanf(const char *) { return __builtin_nanf(""); }
LOCKSTEP_FN_ double nan(const char *) { return lockstep_nan(); }

#endif
