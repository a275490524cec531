/* Another way: four rows at a time within a tile. */
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
/* 64 x 64 x 64 tiles; inside 4 rows at a time share each row of B (register blocking) */
#define B 64
void matmul_cpu(const float *a, const float *b, float *c, int m, int k, int n)
{
    for (int r = 0; r < m; r++) {
        float *p = c + r * n;
        for (int q = 0; q < n; q++) p[q] = 0;
    }
    for (int l0 = 0; l0 < k; l0 += B) {
        int l1 = l0 + B < k ? l0 + B : k;
        for (int i0 = 0; i0 < m; i0 += B) {
            int i1 = i0 + B < m ? i0 + B : m;
            for (int j0 = 0; j0 < n; j0 += B) {
                int j1 = j0 + B < n ? j0 + B : n;
                int i = i0;
                for (; i + 3 < i1; i += 4) {
                    const float *a0 = a + i * k, *a1 = a0 + k, *a2 = a1 + k, *a3 = a2 + k;
                    float *c0 = c + i * n, *c1 = c0 + n, *c2 = c1 + n, *c3 = c2 + n;
                    for (int l = l0; l < l1; l++) {
                        const float *row = b + l * n;
                        float x0 = a0[l], x1 = a1[l], x2 = a2[l], x3 = a3[l];
                        for (int j = j0; j < j1; j++) {
                            float y = row[j];
                            c0[j] += x0 * y;
                            c1[j] += x1 * y;
                            c2[j] += x2 * y;
                            c3[j] += x3 * y;
                        }
                    }
                }
                for (; i < i1; i++)
                    for (int l = l0; l < l1; l++) {
                        float x = a[i * k + l];
                        for (int j = j0; j < j1; j++) c[i * n + j] += x * b[l * n + j];
                    }
            }
        }
    }
}
