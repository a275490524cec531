/* product.c - the naive CPU product that `lockstep-hardware bench` compares the simulator with: three loops,
 * nothing thought of. */
void product(const float *a, const float *b, float *c, int m, int k, int n);

void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}
