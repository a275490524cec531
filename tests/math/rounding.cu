// Float arithmetic rounded down, up and toward zero, for test_math.c: r[21 i + 7 m + k] is operation k of x[i], y[i], z[i] in mode m.
#define MODE(m, s)                                     \
    r[21 * i + 7 * m] = __fadd_##s(x[i], y[i]);        \
    r[21 * i + 7 * m + 1] = __fsub_##s(x[i], y[i]);    \
    r[21 * i + 7 * m + 2] = __fmul_##s(x[i], y[i]);    \
    r[21 * i + 7 * m + 3] = __fdiv_##s(x[i], y[i]);    \
    r[21 * i + 7 * m + 4] = __frcp_##s(x[i]);          \
    r[21 * i + 7 * m + 5] = __fsqrt_##s(x[i]);         \
    r[21 * i + 7 * m + 6] = __fmaf_##s(x[i], y[i], z[i]);

extern "C" __global__ void rounded(const float *x, const float *y, const float *z, float *r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        MODE(0, rd)
        MODE(1, ru)
        MODE(2, rz)
    }
}
