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

#define T 64

static int min(int p, int q) { return p < q ? p : q; }

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
    memset(c, 0, m * n);

    for (int r0 = 0; r0 < m; r0 += T) {
        int r1 = min(r0 + T, m);
        for (int i0 = 0; i0 < k; i0 += T) {
            int i1 = min(i0 + T, k);
            for (int s0 = 0; s0 < n; s0 += T) {
                int s1 = min(s0 + T, n);
                for (int r = r0; r < r1; r++)
                    for (int i = i0; i < i1; i++) {
                        float x = a[r * k + i];
                        for (int s = s0; s < s1; s++)
                            c[r * n + s] += x * b[i * n + s];
                    }
            }
        }
    }
}
