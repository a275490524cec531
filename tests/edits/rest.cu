#define ROWS 16
#define COLS 32
#define BOTH COLS
__device__ float above(float x) { return fmaxf(x, 0); }
__device__ float below(float x) { return fminf(x, 0); }
__global__ void k(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[ROWS + 1][COLS], u[COLS][ROWS];
    __shared__ float v[ROWS][COLS], w[COLS][ROWS + 1];
    int t = threadIdx.x, top = t / COLS, left = t % COLS, low = t % 8, high = t / 8;
    float sum;
    const float *from = in;
    memset(out, 0, rows);
    memcpy(s, in, sizeof(s[0]));
    if (left > cols) return;
    for (int i = 0; i + 4 <= rows; i += 4) {
        int j = 0;
        sum = 0;
        if (i != 3) continue;
        s[top + i][left] = *from + min(t, 3);
        u[left][top + j] = v[top][left] - in[left + top * cols];
        __syncwarp();
        sum =+ above(in[i * ROWS + left]) + below(w[low][high]);
        sum *= 2, t >>= 1;
        load(&s[top][left], 1);
        if (i > 5) return;
    }
    t <<= 2;
    out[t >> 3] += ((float *)(from + t))[low];
    if (top) out[0] = 1;
    if (left) out[1] = 2;
    out[15 - 2 * t] += sum;
}
