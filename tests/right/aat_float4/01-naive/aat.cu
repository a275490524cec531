// Another way: rows by float4.
#include "lockstep.h"
LAUNCH(aat, BLOCK(64, 4), COVERS(64, 4))

__global__ void aat(const float *a, float *c, int m, int w)
{
    int col = blockIdx.x * 64 + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y;
    if (row >= m || col >= m)
        return;
    const float *p = a + row * w, *q = a + col * w;
    float s = 0;
    if ((w & 3) == 0) {
        for (int i = 0; i < w; i += 4) {
            float4 u = *(const float4 *)(p + i), v = *(const float4 *)(q + i);
            s += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
        }
    } else {
        for (int i = w; i-- > 0;)
            s += p[i] * q[i];
    }
    c[row * m + col] = s;
}
