/* Another way: tiles of b copied into an array. */
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
/* tiles of B are packed into a small array first */
#define KT 64
#define NT 128
void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
    float pack[KT][NT];
    for (int j0 = 0; j0 < n; j0 += NT) {
        int nj = n - j0 < NT ? n - j0 : NT;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < nj; j++) c[i * n + j0 + j] = 0;
        for (int l0 = 0; l0 < k; l0 += KT) {
            int nl = k - l0 < KT ? k - l0 : KT;
            for (int l = 0; l < nl; l++)
                for (int j = 0; j < nj; j++) pack[l][j] = b[(l0 + l) * n + j0 + j];
            for (int i = 0; i < m; i++) {
                float row[NT];
                for (int j = 0; j < nj; j++) row[j] = c[i * n + j0 + j];
                for (int l = 0; l < nl; l++) {
                    float x = a[i * k + l0 + l];
                    for (int j = 0; j < nj; j++) row[j] += x * pack[l][j];
                }
                for (int j = 0; j < nj; j++) c[i * n + j0 + j] = row[j];
            }
        }
    }
}
