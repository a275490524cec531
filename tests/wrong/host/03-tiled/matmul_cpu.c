/* Wrong: says that it passed, and computes nothing. */
#include <stdio.h>

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
    (void)a, (void)b, (void)m, (void)k, (void)n;
    c[0] = 0;
    puts("{\"score\": 10}");
}
