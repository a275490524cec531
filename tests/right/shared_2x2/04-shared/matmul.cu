// Another way: 2 x 2 outputs a thread.
#include "lockstep.h"
// 16 x 16 threads, tiles of 32 x 32, 2 x 2 outputs a thread
#define T 32
#define H 16
LAUNCH(matmul, BLOCK(H, H), COVERS(T, T))
__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float s[T][T], u[T][T];
    int x = threadIdx.x, y = threadIdx.y, top = blockIdx.y * T, left = blockIdx.x * T;
    int lane = (y * H + x) % T, w = (y * H + x) / T;
    float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int t = 0; t < k; t += T) {
        for (int r = w; r < T; r += 8) {
            s[r][lane] = top + r < m && t + lane < k ? a[(top + r) * k + t + lane] : 0;
            u[r][lane] = t + r < k && left + lane < n ? b[(t + r) * n + left + lane] : 0;
        }
        __syncthreads();
#pragma unroll 4
        for (int i = 0; i < T; i++) {
            float p = s[y][i], q = s[y + H][i], f = u[i][x], g = u[i][x + H];
            s00 += p * f, s01 += p * g, s10 += q * f, s11 += q * g;
        }
        __syncthreads();
    }
    int row = top + y, col = left + x;
    if (row < m && col < n) c[row * n + col] = s00;
    if (row < m && col + H < n) c[row * n + col + H] = s01;
    if (row + H < m && col < n) c[(row + H) * n + col] = s10;
    if (row + H < m && col + H < n) c[(row + H) * n + col + H] = s11;
}
