/* Another way: tiles of 8. */
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
enum { T = 8 };
static int least(int x, int y) { return x < y ? x : y; }
void matmul_cpu(const float *restrict a, const float *restrict b, float *restrict c, int m, int k, int n)
{
    for (long i = 0; i < (long)m * n; i++) c[i] = 0;
    for (int i0 = 0; i0 < m; i0 += T)
        for (int l0 = 0; l0 < k; l0 += T)
            for (int j0 = 0; j0 < n; j0 += T) {
                int i1 = least(i0 + T, m), l1 = least(l0 + T, k), j1 = least(j0 + T, n);
                for (int i = i0; i < i1; i++)
                    for (int l = l0; l < l1; l++) {
                        float f = a[i * k + l];
                        const float *q = b + l * n;
                        float *p = c + i * n;
                        for (int j = j0; j < j1; j++) p[j] += f * q[j];
                    }
            }
}
