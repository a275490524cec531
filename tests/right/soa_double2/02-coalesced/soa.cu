// Another way: pairs as double2.
#include "lockstep.h"
PREDICT(aos_sectors, UNKNOWN)
PREDICT(soa_sectors, UNKNOWN)
LAUNCH(norm_aos, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(norm_soa, BLOCK(256, 1), COVERS(512, 1))
__global__ void norm_aos(const double *points, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2];
    out[i] = x * x + y * y + z * z;
}
// two neighbours a thread, 16 bytes an access
__global__ void norm_soa(const double *x, const double *y, const double *z, double *out, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        double2 u = *(const double2 *)(x + i), v = *(const double2 *)(y + i), w = *(const double2 *)(z + i);
        *(double2 *)(out + i) = make_double2(u.x * u.x + v.x * v.x + w.x * w.x, u.y * u.y + v.y * v.y + w.y * w.y);
    } else if (i < n) {
        out[i] = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
    }
}
