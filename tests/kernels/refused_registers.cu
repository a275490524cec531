// setmaxnreg takes a multiple of 8 from 24 to 256.
#include "lockstep_wgmma.h"

//! refuse "setmaxnreg.dec.sync.aligned.u32 sets 20 registers; 24, 32, ... 256 are possible"

__global__ void give_back(int *out)
{
    registers_down<20>(); // refused
    out[threadIdx.x] = 0;
}
