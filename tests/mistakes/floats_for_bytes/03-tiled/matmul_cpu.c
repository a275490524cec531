/* matmul_cpu: C = A B on the CPU, tile by tile
 *   Given:   A is m x k, B is k x n, C is m x n, all row-major, any shape; C holds garbage at first.
 *            matmul_cpu_naive is the product of lab 01, for comparison
 *   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
 *   Budget:  at most twice the reference's time on this machine
 */
#include <string.h>

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

static const int tile_rows = 32, tile_depth = 32, tile_cols = 128;

/* crow[0..len) += x * brow[0..len) */
static void add_scaled(float *restrict crow, const float *restrict brow, float x, int len)
{
    for (int j = 0; j < len; j++)
        crow[j] += x * brow[j];
}

void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
    memset(c, 0, m * n);
    for (int r0 = 0; r0 < m; r0 += tile_rows)
        for (int d0 = 0; d0 < k; d0 += tile_depth)
            for (int c0 = 0; c0 < n; c0 += tile_cols) {
                int len = n - c0 < tile_cols ? n - c0 : tile_cols;
                for (int r = r0; r < r0 + tile_rows && r < m; r++)
                    for (int d = d0; d < d0 + tile_depth && d < k; d++)
                        add_scaled(&c[r * n + c0], &b[d * n + c0], a[r * k + d], len);
            }
}
