#include "lockstep.h"
// 4 x 4 floats a thread turned in registers; lanes lie 4 x 8: whole sectors on both sides; no tile
LAUNCH(transpose, BLOCK(32, 1), COVERS(32, 16))
__global__ void transpose(const float *in, float *out, int rows, int cols)
{

    int lane = threadIdx.x, row = blockIdx.y * 16 + lane % 4 * 4, col = blockIdx.x * 32 + lane / 4 * 4;
    float4 v[4];
    bool whole = rows % 4 == 0 && cols % 4 == 0 && row < rows && col < cols;
#pragma unroll
    for (int e = 0; e < 4; e++) {
        if (whole) v[e] = *(const float4 *)&in[(row + e) * cols + col];
        else { float z[4] = {0, 0, 0, 0}; for (int q = 0; q < 4; q++) if (row + e < rows && col + q < cols) z[q] = in[(row + e) * cols + col + q];
            v[e] = make_float4(z[0], z[1], z[2], z[3]); }
    }

    float4 u[4] = {make_float4(v[0].x, v[1].x, v[2].x, v[3].x), make_float4(v[0].y, v[1].y, v[2].y, v[3].y),
        make_float4(v[0].z, v[1].z, v[2].z, v[3].z), make_float4(v[0].w, v[1].w, v[2].w, v[3].w)};
#pragma unroll
    for (int e = 0; e < 4; e++) {
        if (whole) *(float4 *)&out[(col + e) * rows + row] = u[e];
        else for (int q = 0; q < 4; q++) if (row + q < rows && col + e < cols) out[(col + e) * rows + row + q] = (&u[e].x)[q];
    }
}
