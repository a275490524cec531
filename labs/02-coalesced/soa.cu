// soa: squared lengths of points, stored as an array of structures and as a structure of arrays
//   Given:   n points of three doubles; norm_aos as {x0,y0,z0, x1,y1,z1, ...}, norm_soa as three arrays
//   Example: the point {1,2,3} -> 14
//   Budget:  norm_soa: at most 8 sectors a load request
//   Read:    README.md step 2, slides/02-coalesced.md "Structures"
#include "lockstep.h"

// TODO 1: predict before you run anything: how many 32-byte sectors does ONE load instruction of norm_aos
//     touch for a whole warp (for example points[3 * i]; the other two are similar)? How many does one load
//     of norm_soa touch? Both are counted at n = 1048576.
PREDICT(aos_sectors, UNKNOWN)
PREDICT(soa_sectors, UNKNOWN)

LAUNCH(norm_aos, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(norm_soa, BLOCK(256, 1), COVERS(256, 1))

// Given: do not change it.
__global__ void norm_aos(const double *points, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2];
    out[i] = x * x + y * y + z * z;
}

__global__ void norm_soa(const double *x, const double *y, const double *z, double *out, int n)
{
    // TODO 2: compute the same from three arrays.
}
