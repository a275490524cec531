// stride: what an offset and a stride cost
//   Given:   copy_offset: out[i] = in[i + offset]; copy_stride: out[i] = in[i * stride]; n outputs, any n.
//            Arrays start at a multiple of 256 bytes
//   Example: n = 3, offset = 1: {5,6,7,8} -> {6,7,8}
//   Budget:  copy_four: at most 4 sectors a request, loads and stores (its offset is 8 then)
//   Read:    README.md step 4, slides/02-coalesced.md "Sectors"
#include "lockstep.h"

// TODO 1: predict on paper: how many 32-byte sectors does one load touch for a whole warp? It is counted at
//     n = 262144.
PREDICT(offset_1, UNKNOWN)  // copy_offset, offset = 1
PREDICT(offset_8, UNKNOWN)  // copy_offset, offset = 8
PREDICT(stride_2, UNKNOWN)  // copy_stride, stride = 2
PREDICT(stride_8, UNKNOWN)  // copy_stride, stride = 8
PREDICT(stride_32, UNKNOWN) // copy_stride, stride = 32

LAUNCH(copy_offset, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(copy_stride, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(copy_four, BLOCK(256, 1), COVERS(1024, 1))

// Given: do not change it.
__global__ void copy_offset(const float *in, float *out, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + offset];
}

// Given: do not change it.
__global__ void copy_stride(const float *in, float *out, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i * stride];
}

// The same as copy_offset with four elements per thread. It is correct, but each thread takes four
// neighbours, as one would assign work to the cores of a CPU.
// TODO 2: a block still copies 1024 elements and a thread four of them. Choose the four so that in each
//     iteration the threads of a warp access neighbouring elements.
__global__ void copy_four(const float *in, float *out, int n, int offset)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    for (int j = 0; j < 4; j++) {
        int i = first + j;
        if (i < n)
            out[i] = in[i + offset];
    }
}
