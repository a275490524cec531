/* matmul_cpu: C = A B on the CPU, tile by tile
 *   Given:   A is m x k, B is k x n, C is m x n, all row-major, any shape; C holds garbage at first.
 *            matmul_cpu_naive is the product of lab 01, for comparison
 *   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
 *   Budget:  a cache of 256 KiB takes in B at most 10 times; without tiles, once for each row of A
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

void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
    /* TODO 1: clear C.
     * TODO 2: three loops over tiles: of rows of C, of k, of columns of C.
     * TODO 3: inside, three loops over one tile of each matrix, which stop at the matrices' edges. Which
     *         order of these three walks along rows, and never down a column? */
    (void)a, (void)b, (void)c, (void)m, (void)k, (void)n;
}
