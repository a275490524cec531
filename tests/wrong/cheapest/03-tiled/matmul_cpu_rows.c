/* No tiles: the loops in the order row, i, column, so that all is read along rows. */
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
    for (int row = 0; row < m; row++)
        for (int i = 0; i < k; i++)
            for (int col = 0; col < n; col++)
                c[row * n + col] = (i ? c[row * n + col] : 0) + a[row * k + i] * b[i * n + col];
}
