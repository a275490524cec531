// paths: a polynomial of degree 7 at points looked up in a table
//   Given:   out[i] = sum over j of coef[j] x^j with x = table[index[i]]; n outputs, a table of length
//            entries, any sizes. The kit fills coef before the launch. The kernel below is correct; it reads
//            everything as ordinary global memory
//   Example: coef = {1,2,0,0,0,0,0,0}, table[index[0]] = 3 -> out[0] = 7
//   Budget:  for n = 1048576, 32768 warps: at most 65536 global load requests, which touch at least 917504
//            sectors through the read-only path; at least 65536 constant requests
//   Read:    README.md step 6, slides/02-coalesced.md "One address for all" and "The read-only path"
#include "lockstep.h"

LAUNCH(polynomial, BLOCK(256, 1), COVERS(256, 1))

// TODO 1: all threads of a warp read the same coefficient at the same time. Put the coefficients into the
//     memory that broadcasts such reads.
__device__ float coef[8];

// TODO 2: table is read at random and never written. Tell the compiler this, and that out does not overlap
//     table.
__global__ void polynomial(const float *table, const int *index, float *out, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = table[index[i]], sum = 0;
    for (int j = 7; j >= 0; j--)
        sum = sum * x + coef[j];
    out[i] = sum;
}
