/* matmul_cpu: C = A B on the CPU, tile by tile
 *   Given:   A is m x k, B is k x n, C is m x n, all row-major, any shape; C holds garbage at first.
 *            matmul_cpu_naive is the product of lab 01, for comparison
 *   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
 *   Budget:  at most twice the reference's time on this machine
 *   Read:    README.md step 1, slides/03-tiled.md "Tiles on a CPU"
 *
 * Plain C11; matmul_cpu runs in a process of its own that sees nothing but its arrays, and is timed from
 * outside.
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

#define BS 64

void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
    memset(c, 0, m * n);

    for (int ii = 0; ii < m; ii += BS) {
        int iend = ii + BS < m ? ii + BS : m;
        for (int pp = 0; pp < k; pp += BS) {
            int pend = pp + BS < k ? pp + BS : k;
            for (int jj = 0; jj < n; jj += BS) {
                int jend = jj + BS < n ? jj + BS : n;
                for (int i = ii; i < iend; i++)
                    for (int p = pp; p < pend; p++) {
                        float aip = a[i * k + p];
                        for (int j = jj; j < jend; j++)
                            c[i * n + j] += aip * b[p * n + j];
                    }
            }
        }
    }
}
