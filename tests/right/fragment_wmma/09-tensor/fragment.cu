#include "lockstep.h"
#include "lockstep_mma.h"
// a library's fragments: who holds what is not known; inner sizes only, all others by the naive loop
LAUNCH(fragment, BLOCK(32, 1), COVERS(16, 16))
__global__ void fragment(const float *a, const float *b, float *c, int m, int k, int n)
{
    using namespace nvcuda;
    int top = blockIdx.y * 16, left = blockIdx.x * 16;
    if (m % 16 || n % 16 || k % 8) {
        for (int e = threadIdx.x; e < 256; e += 32) {
            int r = top + e / 16, q = left + e % 16;
            if (r >= m || q >= n) continue;
            float s = 0;
            for (int i = 0; i < k; i++) s += a[r * k + i] * b[i * n + q];
            c[r * n + q] = s;
        }
        return;
    }
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> d;
    wmma::fill_fragment(d, 0.0f);
    for (int i = 0; i < k; i += 8) {
        wmma::load_matrix_sync(x, a + top * k + i, k);
        wmma::load_matrix_sync(y, b + i * n + left, n);
        for (int e = 0; e < x.num_elements; e++) x.x[e] = wmma::__float_to_tf32(x.x[e]);
        for (int e = 0; e < y.num_elements; e++) y.x[e] = wmma::__float_to_tf32(y.x[e]);
        wmma::mma_sync(d, x, y, d);
    }
    wmma::store_matrix_sync(c + top * n + left, d, n, wmma::mem_row_major);
}
