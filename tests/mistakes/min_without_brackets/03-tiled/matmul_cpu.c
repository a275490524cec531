/* matmul_cpu in tiles */
#define T 48
#define MIN(x, y) x < y ? x : y

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
    for (int r = 0; r < m; r++)
        for (int s = 0; s < n; s++)
            c[r * n + s] = 0;
    for (int r0 = 0; r0 < m; r0 += T)
        for (int k0 = 0; k0 < k; k0 += T)
            for (int s0 = 0; s0 < n; s0 += T) {
                int r1 = r0 + MIN(T, m - r0), k1 = k0 + MIN(T, k - k0), s1 = s0 + MIN(T, n - s0);
                for (int r = r0; r < r1; r++)
                    for (int i = k0; i < k1; i++) {
                        float f = a[r * k + i];
                        const float *from = b + i * n;
                        float *to = c + r * n;
                        for (int s = s0; s < s1; s++)
                            to[s] += f * from[s];
                    }
            }
}
