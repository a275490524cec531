/* matmul_cpu: C = A B on the CPU, tile by tile */

#define BS 64
#define MIN(x, y) ((x) < (y) ? (x) : (y))

/* Given: leave it as it is. */
void matmul_cpu_naive(const float *a, const float *b, float *c, int m, int k, int n)
{
    for (int row = 0; row < m; row++)
        for (int col = 0; col < n; col++) {
            float sum = 0;
            for (int i = 0; i < k; i++)
                sum += a[row * k + i] * b[i * n + col];
            c[row * n + col] = sum;
        }
}

void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            c[i * n + j] = 0.0f;

    for (int ii = 0; ii < m; ii += BS) {
        const int i_end = MIN(ii + BS, m);
        for (int kk = 0; kk < k; kk += BS) {
            const int k_end = MIN(kk + BS, n);
            for (int jj = 0; jj < n; jj += BS) {
                const int j_end = MIN(jj + BS, n);
                for (int i = ii; i < i_end; i++)
                    for (int p = kk; p < k_end; p++) {
                        const float f = a[i * k + p];
                        for (int j = jj; j < j_end; j++)
                            c[i * n + j] += f * b[p * n + j];
                    }
            }
        }
    }
}
