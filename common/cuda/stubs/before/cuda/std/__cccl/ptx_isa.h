/* ptx_isa.h - found before CCCL's file of this name: the simulator takes PTX that clang 14 does not know. */
#include_next <cuda/std/__cccl/ptx_isa.h>
#undef __cccl_ptx_isa
#define __cccl_ptx_isa 800ULL
