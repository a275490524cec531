/* cuda_toolkit.h - stands before CCCL's file of this name: see compiler.h. CCCL refuses a toolkit that is not
 * of the compiler's version. */
#include <cuda_runtime_api.h>
#pragma push_macro("CUDART_VERSION")
#undef CUDART_VERSION
#define CUDART_VERSION 12000
#include_next <cuda/std/__cccl/cuda_toolkit.h>
#pragma pop_macro("CUDART_VERSION")
#undef _CCCL_CTK
#define _CCCL_CTK() (12, 0)
