/* compiler.h - stands before CCCL's file of this name, which asks for the compiler. lockstep-nvcc defines
 * __NVCC__ for programs. CCCL is told that this is clang, so that it uses clang's builtins and pragmas, and
 * that CUDA is the oldest that it takes, whose driver has few calls that ours has not. */
/* with arrays and algorithms, as Thrust of CUDA 13 brings them */
#include <functional>
#include <iostream>
#pragma push_macro("__NVCC__")
#undef __NVCC__
#define CCCL_IGNORE_DEPRECATED_CUDA_BELOW_12
#define CCCL_DISABLE_CTK_COMPATIBILITY_CHECK
#define CCCL_DISABLE_NVFP8_SUPPORT /* the scales E8M0 are not there */
#include_next <cuda/std/__cccl/compiler.h>
#undef _CCCL_CUDACC
#define _CCCL_CUDACC() (12, 0)
#pragma pop_macro("__NVCC__")
