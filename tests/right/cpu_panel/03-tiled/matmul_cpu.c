/* Another way: panels of b. */
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
/* tiles of k and of rows alone: a panel of 16 rows of B stays in the cache */
void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
    enum { DEPTH = 16, ROWS = 8 };
    for (float *p = c; p < c + (long)m * n; p++) *p = 0;
    for (int l0 = 0; l0 < k; l0 += DEPTH)
        for (int i0 = 0; i0 < m; i0 += ROWS)
            for (int i = i0; i < m && i < i0 + ROWS; i++)
                for (int l = l0; l < k && l < l0 + DEPTH; l++) {
                    const float f = a[i * k + l], *q = b + l * n;
                    for (float *p = c + i * n, *end = p + n; p < end;) *p++ += f * *q++;
                }
}
