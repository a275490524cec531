/* cuda_toolkit.h - found before CCCL's file of this name: see compiler.h. */
#include_next <cuda/std/__cccl/cuda_toolkit.h>
#undef _CCCL_CTK
#define _CCCL_CTK() (12, 0)
