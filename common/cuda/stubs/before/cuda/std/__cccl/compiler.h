/* compiler.h - found before CCCL's file of this name, which identifies the compiler. lockstep-nvcc defines
 * __NVCC__ for programs. CCCL is told that this is clang, so that it uses clang's builtins and pragmas, and
 * that CUDA is the oldest version that it accepts, whose driver has few calls that the kit lacks. */
/* includes arrays and algorithms, as Thrust of CUDA 13 does */
#include <functional>
#include <iostream>
#pragma push_macro("__NVCC__")
#undef __NVCC__
#define CCCL_IGNORE_DEPRECATED_CUDA_BELOW_12
/* CCCL writes [[deprecated]] behind __device__, where clang applies it to the type. */
#undef CCCL_IGNORE_DEPRECATED_API
#define CCCL_IGNORE_DEPRECATED_API
#undef THRUST_IGNORE_DEPRECATED_API
#define THRUST_IGNORE_DEPRECATED_API
#define CCCL_DISABLE_NVFP8_SUPPORT /* the scales E8M0 are not there */
#include_next <cuda/std/__cccl/compiler.h>
#undef _CCCL_CUDACC
#define _CCCL_CUDACC() (12, 0)
#pragma pop_macro("__NVCC__")
