// transpose: 4 x 4 floats are turned in registers; what is done goes to one neighbour by shared memory
#include "lockstep.h"

LAUNCH(transpose, BLOCK(256, 1), COVERS(64, 64))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 handed[8][32];
    int x = threadIdx.x, lane = x % 32, warp = x / 32, down = lane % 8, right = lane / 8;
    int top = blockIdx.y * 64 + warp / 4 * 32, row = top + 4 * down;
    int col = blockIdx.x * 64 + warp % 4 * 16 + 4 * right;
    bool fours = rows % 4 == 0 && cols % 4 == 0;
    float v[4][4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (fours) {
            *(float4 *)v[i] = row < rows && col < cols ? *(const float4 *)&in[(row + i) * cols + col] : float4{};
        } else {
            for (int e = 0; e < 4; e++)
                v[i][e] = row + i < rows && col + e < cols ? in[(row + i) * cols + col + e] : 0;
        }
    row = top + 4 * (down ^ 1);
#pragma unroll
    for (int e = 0; e < 4; e++) {
        handed[warp][lane] = make_float4(v[0][e], v[1][e], v[2][e], v[3][e]);
        __syncwarp();
        float4 got = handed[warp][lane ^ 1];
        __syncwarp();
        float *p = &out[(col + e) * rows + row];
        if (fours) {
            if (row < rows && col < cols) *(float4 *)p = got;
        } else if (col + e < cols) {
            if (row < rows) p[0] = got.x;
            if (row + 1 < rows) p[1] = got.y;
            if (row + 2 < rows) p[2] = got.z;
            if (row + 3 < rows) p[3] = got.w;
        }
    }
}
