/* lockstep_fast.h - what -use_fast_math makes of the functions on floats: each is PTX's approximation.
 * Source: CUDA C++ Programming Guide, functions affected by -use_fast_math.
 *
 * Included twice. Before lockstep_math.h it gives the accurate functions other names, by which they go
 * on calling one another; after it, it defines the usual names. */
#ifndef lockstep_accurate
#define lockstep_accurate
#define sinf lockstep_sinf
#define cosf lockstep_cosf
#define tanf lockstep_tanf
#define sincosf lockstep_sincosf
#define expf lockstep_expf
#define exp10f lockstep_exp10f
#define logf lockstep_logf
#define log2f lockstep_log2f
#define log10f lockstep_log10f
#define powf lockstep_powf
#else
#undef sinf
#undef cosf
#undef tanf
#undef sincosf
#undef expf
#undef exp10f
#undef logf
#undef log2f
#undef log10f
#undef powf
LOCKSTEP_FN_ float sinf(float x) { return __nvvm_sin_approx_ftz_f(x); }
LOCKSTEP_FN_ float cosf(float x) { return __nvvm_cos_approx_ftz_f(x); }
LOCKSTEP_FN_ float tanf(float x) { return __nvvm_div_approx_ftz_f(sinf(x), cosf(x)); }
LOCKSTEP_FN_ void sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}
LOCKSTEP_FN_ float lockstep_exp2f(float x) { return __nvvm_ex2_approx_ftz_f(x); }
LOCKSTEP_FN_ float log2f(float x) { return __nvvm_lg2_approx_ftz_f(x); }
LOCKSTEP_FN_ float expf(float x) { return lockstep_exp2f(x * 1.4426950408889634f); }
LOCKSTEP_FN_ float exp10f(float x) { return lockstep_exp2f(x * 3.32192809f); }
LOCKSTEP_FN_ float logf(float x) { return log2f(x) * 0.6931471805599453f; }
LOCKSTEP_FN_ float log10f(float x) { return log2f(x) * 0.301029996f; }
LOCKSTEP_FN_ float powf(float x, float y) { return lockstep_exp2f(y * log2f(x)); }
#endif
