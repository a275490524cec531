// 4 x 4 floats are turned in registers; each thread loads from the tile what it stored there.
#include "lockstep.h"

LAUNCH(transpose, BLOCK(32, 1), COVERS(32, 16))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ volatile float own[16][32];
    int x = threadIdx.x, row = blockIdx.y * 16 + x % 4 * 4, col = blockIdx.x * 32 + x / 4 * 4;
    bool whole = rows % 4 == 0 && cols % 4 == 0;
    float v[4][4];
    if (row >= rows || col >= cols)
        return;
#pragma unroll
    for (int e = 0; e < 4; e++) {
        if (whole)
            *(float4 *)v[e] = *(const float4 *)&in[(row + e) * cols + col];
        else
            for (int q = 0; q < 4; q++)
                v[e][q] = row + e < rows && col + q < cols ? in[(row + e) * cols + col + q] : 0;
    }
#pragma unroll
    for (int e = 0; e < 4; e++)
        for (int q = 0; q < 4; q++)
            own[e * 4 + q][x] = v[e][q];
#pragma unroll
    for (int e = 0; e < 4; e++)
        for (int q = 0; q < 4; q++)
            v[e][q] = own[e * 4 + q][x];
#pragma unroll
    for (int e = 0; e < 4; e++) {
        float4 turned = {v[0][e], v[1][e], v[2][e], v[3][e]};
        if (whole)
            *(float4 *)&out[(col + e) * rows + row] = turned;
        else
            for (int q = 0; q < 4; q++)
                if (row + q < rows && col + e < cols)
                    out[(col + e) * rows + row + q] = v[q][e];
    }
}
