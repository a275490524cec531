

enum { TILE = 64 };

static int least(int x, int y)
{
    return x < y ? x : y;
}

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

/* One tile of c += one tile of a times one tile of b. col is the innermost loop, so b and c are read along
 * their rows, cache line by cache line. The naive order reads b down its columns. */
static void tile(const float *a, const float *b, float *c, int rows, int depth, int cols, int k, int n)
{
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < depth; i++) {
            float x = a[row * k + i];
            for (int col = 0; col < cols; col++)
                c[row * n + col] += x * b[i * n + col];
        }
}

void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
    for (int row = 0; row < m; row += TILE)
        for (int i = 0; i < k; i += TILE)
            for (int col = 0; col < n; col += TILE)
                tile(a + row * k + i, b + i * n + col, c + row * n + col,
                     least(TILE, m - row), least(TILE, k - i), least(TILE, n - col), k, n);
}
