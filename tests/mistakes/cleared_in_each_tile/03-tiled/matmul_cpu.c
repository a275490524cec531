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

#define BLK 64
#define MIN(x, y) ((x) < (y) ? (x) : (y))

static void clear(float *p, int count)
{
    while (count-- > 0)
        *p++ = 0;
}

void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
    for (int r0 = 0; r0 < m; r0 += BLK) {
        const int r1 = MIN(r0 + BLK, m);
        for (int p0 = 0; p0 < k; p0 += BLK) {
            const int p1 = MIN(p0 + BLK, k);
            clear(c + r0 * n, (r1 - r0) * n);
            for (int q0 = 0; q0 < n; q0 += BLK) {
                const int q1 = MIN(q0 + BLK, n);
                for (int r = r0; r < r1; r++)
                    for (int p = p0; p < p1; p++) {
                        const float f = a[r * k + p];
                        const float *bb = b + p * n;
                        float *cc = c + r * n;
                        for (int q = q0; q < q1; q++)
                            cc[q] += f * bb[q];
                    }
            }
        }
    }
}
