/* Another way: halves, and halves of these. */
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
/* halve the longest side until a tile fits any cache */
static void rec(const float *a, const float *b, float *c, int m, int k, int n, int lda, int ldb)
{
    if (m <= 32 && k <= 32 && n <= 64) {
        for (int i = 0; i < m; i++)
            for (int l = 0; l < k; l++)
                for (int j = 0; j < n; j++) c[i * ldb + j] += a[i * lda + l] * b[l * ldb + j];
    } else if (m >= k && 2 * m >= n) {
        rec(a, b, c, m / 2, k, n, lda, ldb);
        rec(a + m / 2 * lda, b, c + m / 2 * ldb, m - m / 2, k, n, lda, ldb);
    } else if (2 * k >= n) {
        rec(a, b, c, m, k / 2, n, lda, ldb);
        rec(a + k / 2, b + k / 2 * ldb, c, m, k - k / 2, n, lda, ldb);
    } else {
        rec(a, b, c, m, k, n / 2, lda, ldb);
        rec(a, b + n / 2, c + n / 2, m, k, n - n / 2, lda, ldb);
    }
}
void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
    for (int i = 0; i < m * n; i++) c[i] = 0;
    rec(a, b, c, m, k, n, k, n);
}
