#include "lockstep.h"

PREDICT(aos_sectors, 24)
PREDICT(soa_sectors, 8)

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
    const int p = blockDim.x * blockIdx.x + threadIdx.x;
    if (p < n) {
        double px = x[p];
        double py = y[p];
        double pz = z[p];
        out[p] = sqrt(px * px + py * py + pz * pz);
    }
}
