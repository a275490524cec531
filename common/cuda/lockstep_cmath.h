/* lockstep_cmath.h - the mathematical functions as C++ overloads them, for clang without the SDK: one name
 * for floats, doubles and integers, in the global namespace and in std; and CUDA's intrinsic functions, which
 * are PTX instructions as the CUDA C++ Programming Guide defines them.
 *
 * Declared before <cmath>, so that the host's own functions of these names stay the host's.
 */
#ifndef LOCKSTEP_CMATH_H
#define LOCKSTEP_CMATH_H

#pragma clang system_header

/* ---- overloads that convert to double: for integers, and for two arguments of different types ---- */

template <bool yes, class T> struct lockstep_if {};
template <class T> struct lockstep_if<true, T> { typedef T type; };
template <class T> struct lockstep_is_float { static const bool value = false; };
template <> struct lockstep_is_float<float> { static const bool value = true; };
template <> struct lockstep_is_float<double> { static const bool value = true; };
template <class T> struct lockstep_number {
    static const bool value = __is_integral(T) || lockstep_is_float<T>::value;
};
template <class T, class U> struct lockstep_mixed {
    static const bool value = lockstep_number<T>::value && lockstep_number<U>::value &&
        !(__is_same(T, U) && lockstep_is_float<T>::value);
};
#define LOCKSTEP_WHOLE_(T, R) template <class T> LOCKSTEP_FN_ typename lockstep_if<__is_integral(T), R>::type
#define LOCKSTEP_MIXED_(T, U) \
    template <class T, class U> LOCKSTEP_FN_ typename lockstep_if<lockstep_mixed<T, U>::value, double>::type

#define LOCKSTEP_ONE_(name, R, S)                                                              \
    LOCKSTEP_FN_ R name(float x) { return name##f(x); }                                        \
    LOCKSTEP_WHOLE_(T, S) name(T x) { return name((double)x); }
#define LOCKSTEP_TWO_(name)                                                                    \
    LOCKSTEP_FN_ float name(float x, float y) { return name##f(x, y); }                        \
    LOCKSTEP_MIXED_(T, U) name(T x, U y) { return name((double)x, (double)y); }

#define LOCKSTEP_EACH_(_) \
    _(acos) _(acosh) _(asin) _(asinh) _(atan) _(atanh) _(cbrt) _(ceil) _(cos) _(cosh) _(erf) \
    _(erfc) _(exp) _(exp2) _(expm1) _(fabs) _(floor) _(lgamma) _(log) _(log10) _(log1p) _(log2) _(logb) \
    _(nearbyint) _(rint) _(round) _(sin) _(sinh) _(sqrt) _(tan) _(tanh) \
    _(tgamma) _(trunc)
#define LOCKSTEP_OVERLOAD_(name) LOCKSTEP_ONE_(name, float, double)
LOCKSTEP_EACH_(LOCKSTEP_OVERLOAD_)
LOCKSTEP_OVERLOAD_(rsqrt)
LOCKSTEP_OVERLOAD_(rcbrt)
LOCKSTEP_OVERLOAD_(exp10)
LOCKSTEP_OVERLOAD_(sinpi)
LOCKSTEP_OVERLOAD_(cospi)
LOCKSTEP_OVERLOAD_(normcdf)
LOCKSTEP_ONE_(lrint, long, long)
LOCKSTEP_ONE_(lround, long, long)
LOCKSTEP_ONE_(llrint, long long, long long)
LOCKSTEP_ONE_(llround, long long, long long)
LOCKSTEP_ONE_(ilogb, int, int)
LOCKSTEP_TWO_(atan2)
LOCKSTEP_TWO_(copysign)
LOCKSTEP_TWO_(fdim)
LOCKSTEP_TWO_(fmax)
LOCKSTEP_TWO_(fmin)
LOCKSTEP_TWO_(fmod)
LOCKSTEP_TWO_(hypot)
LOCKSTEP_TWO_(pow)
LOCKSTEP_TWO_(remainder)
LOCKSTEP_FN_ float fma(float x, float y, float z) { return fmaf(x, y, z); }
LOCKSTEP_FN_ float frexp(float x, int *e) { return frexpf(x, e); }
LOCKSTEP_FN_ float ldexp(float x, int n) { return ldexpf(x, n); }
LOCKSTEP_FN_ float scalbn(float x, int n) { return scalbnf(x, n); }
LOCKSTEP_FN_ float modf(float x, float *whole) { return modff(x, whole); }
LOCKSTEP_FN_ void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
LOCKSTEP_FN_ float abs(float x) { return __builtin_fabsf(x); }
LOCKSTEP_FN_ double abs(double x) { return __builtin_fabs(x); }
LOCKSTEP_FN_ long abs(long x) { return x < 0 ? -x : x; }
LOCKSTEP_FN_ long long abs(long long x) { return x < 0 ? -x : x; }
LOCKSTEP_FN_ long labs(long x) { return x < 0 ? -x : x; }

#define LOCKSTEP_IS_(name, expression)                                                         \
    LOCKSTEP_FN_ bool name(float x) { return expression; }                                     \
    LOCKSTEP_FN_ bool name(double x) { return expression; }
LOCKSTEP_IS_(isnan, x != x)
LOCKSTEP_IS_(isinf, lockstep_isinf(x))
LOCKSTEP_IS_(isfinite, x - x == 0)
LOCKSTEP_IS_(signbit, lockstep_sign(x))

/* ---- the same functions in namespace std, declared before those of the host's <cmath> ---- */

namespace std {
#define LOCKSTEP_USING_(name) using ::name;
LOCKSTEP_EACH_(LOCKSTEP_USING_)
LOCKSTEP_USING_(abs)
LOCKSTEP_USING_(atan2)
LOCKSTEP_USING_(copysign)
LOCKSTEP_USING_(fdim)
LOCKSTEP_USING_(fma)
LOCKSTEP_USING_(fmax)
LOCKSTEP_USING_(fmin)
LOCKSTEP_USING_(fmod)
LOCKSTEP_USING_(frexp)
LOCKSTEP_USING_(hypot)
LOCKSTEP_USING_(ilogb)
LOCKSTEP_USING_(isfinite)
LOCKSTEP_USING_(isinf)
LOCKSTEP_USING_(isnan)
LOCKSTEP_USING_(ldexp)
LOCKSTEP_USING_(llrint)
LOCKSTEP_USING_(llround)
LOCKSTEP_USING_(lrint)
LOCKSTEP_USING_(lround)
LOCKSTEP_USING_(modf)
LOCKSTEP_USING_(pow)
LOCKSTEP_USING_(remainder)
LOCKSTEP_USING_(scalbn)
LOCKSTEP_USING_(signbit)
#undef LOCKSTEP_USING_
} // namespace std

/* ---- intrinsic functions, which are faster and less accurate ---- */

LOCKSTEP_FN_ float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.32192809f); }
LOCKSTEP_FN_ float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.301029996f; }
LOCKSTEP_FN_ float __tanf(float x) { return __fdividef(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x)); }
LOCKSTEP_FN_ void __sincosf(float x, float *s, float *c)
{
    *s = __nvvm_sin_approx_f(x);
    *c = __nvvm_cos_approx_f(x);
}
#undef LOCKSTEP_ONE_
#undef LOCKSTEP_TWO_
#undef LOCKSTEP_EACH_
#undef LOCKSTEP_OVERLOAD_
#undef LOCKSTEP_IS_
#undef LOCKSTEP_WHOLE_
#undef LOCKSTEP_MIXED_

#endif
