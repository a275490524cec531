enum { TILE = 64 };
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
    for (int i0 = 0; i0 < m; i0 += TILE)
        for (int j0 = 0; j0 < n; j0 += TILE)
            for (int p0 = 0; p0 < k; p0 += TILE)
                for (int i = i0; i < i0 + TILE && i < m; i++)
                    for (int j = j0; j < j0 + TILE && j < n; j++) {
                        float sum = 0;
                        for (int p = p0; p < p0 + TILE && p < k; p++)
                            sum += a[i * k + p] * b[p * n + j];
                        c[i * n + j] = sum;
                    }
}
