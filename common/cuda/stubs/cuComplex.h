/* cuComplex.h - stands in for CUDA's own: complex numbers as pairs. Source: cuComplex.h's published
 * interface. */
#ifndef LOCKSTEP_STANDIN_CUCOMPLEX_H
#define LOCKSTEP_STANDIN_CUCOMPLEX_H

#include "cuda_runtime.h"

#if defined(__clang__) && defined(__CUDA__) && !defined(__CUDACC_VER_MAJOR__)

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

LOCKSTEP_HOST_FN_ cuFloatComplex make_cuFloatComplex(float x, float y) { return {x, y}; }
LOCKSTEP_HOST_FN_ cuDoubleComplex make_cuDoubleComplex(double x, double y) { return {x, y}; }
LOCKSTEP_HOST_FN_ cuComplex make_cuComplex(float x, float y) { return {x, y}; }

/* cuCaddf is on floats, cuCadd on doubles. */
#define LOCKSTEP_COMPLEX_(C, T, f) \
    LOCKSTEP_HOST_FN_ T cuCreal##f(C a) { return a.x; } \
    LOCKSTEP_HOST_FN_ T cuCimag##f(C a) { return a.y; } \
    LOCKSTEP_HOST_FN_ C cuConj##f(C a) { return {a.x, -a.y}; } \
    LOCKSTEP_HOST_FN_ C cuCadd##f(C a, C b) { return {a.x + b.x, a.y + b.y}; } \
    LOCKSTEP_HOST_FN_ C cuCsub##f(C a, C b) { return {a.x - b.x, a.y - b.y}; } \
    LOCKSTEP_HOST_FN_ C cuCmul##f(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
    LOCKSTEP_HOST_FN_ C cuCdiv##f(C a, C b) \
    { \
        T n = b.x * b.x + b.y * b.y; \
        return {(a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n}; \
    } \
    LOCKSTEP_HOST_FN_ T cuCabs##f(C a) { return hypot##f(a.x, a.y); } \
    LOCKSTEP_HOST_FN_ C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }
LOCKSTEP_COMPLEX_(cuFloatComplex, float, f)
LOCKSTEP_COMPLEX_(cuDoubleComplex, double, )
#undef LOCKSTEP_COMPLEX_

#endif
#endif
