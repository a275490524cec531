/* cuComplex.h - stands in for CUDA's own: complex numbers as pairs. Source: cuComplex.h's published
 * interface. */
#ifndef LOCKSTEP_STANDIN_CUCOMPLEX_H
#define LOCKSTEP_STANDIN_CUCOMPLEX_H

#include "cuda_runtime.h"

#ifndef LOCKSTEP_CLANG_H
#include <math.h>
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

LOCKSTEP_HOST_FN_ cuFloatComplex make_cuFloatComplex(float x, float y) { return make_float2(x, y); }
LOCKSTEP_HOST_FN_ cuDoubleComplex make_cuDoubleComplex(double x, double y) { return make_double2(x, y); }
LOCKSTEP_HOST_FN_ cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
LOCKSTEP_HOST_FN_ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return make_float2((float)a.x, (float)a.y);
}
LOCKSTEP_HOST_FN_ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_double2(a.x, a.y); }

/* Names with f, such as cuCaddf, are for floats; those without, such as cuCadd, for doubles. */
#define LOCKSTEP_COMPLEX_(C, V, T, f) \
    LOCKSTEP_HOST_FN_ T cuCreal##f(C a) { return a.x; } \
    LOCKSTEP_HOST_FN_ T cuCimag##f(C a) { return a.y; } \
    LOCKSTEP_HOST_FN_ C cuConj##f(C a) { return make_##V(a.x, -a.y); } \
    LOCKSTEP_HOST_FN_ C cuCadd##f(C a, C b) { return make_##V(a.x + b.x, a.y + b.y); } \
    LOCKSTEP_HOST_FN_ C cuCsub##f(C a, C b) { return make_##V(a.x - b.x, a.y - b.y); } \
    LOCKSTEP_HOST_FN_ C cuCmul##f(C a, C b) \
    { \
        return make_##V(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); \
    } \
    LOCKSTEP_HOST_FN_ C cuCdiv##f(C a, C b) \
    { \
        T n = b.x * b.x + b.y * b.y; \
        return make_##V((a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n); \
    } \
    LOCKSTEP_HOST_FN_ T cuCabs##f(C a) { return hypot##f(a.x, a.y); } \
    LOCKSTEP_HOST_FN_ C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }
LOCKSTEP_COMPLEX_(cuFloatComplex, float2, float, f)
LOCKSTEP_COMPLEX_(cuDoubleComplex, double2, double, )
#undef LOCKSTEP_COMPLEX_

#endif
