/* strangers_half.h - what the kernels on half and bfloat16 in tests/strangers must give. Part of
 * test_strangers.c, whose struct seen and macros it uses. */
#ifndef LOCKSTEP_TESTS_STRANGERS_HALF_H
#define LOCKSTEP_TESTS_STRANGERS_HALF_H

#include "half.h"

static double f16(uint16_t h) { return (double)half_value(h, 10, 15); }
static double bf16(uint16_t h) { return (double)half_value(h, 7, 127); }
static double row_of(const uint16_t *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += f16(x[i]);
    return sum;
}
/* B is all ones: each element is the sum of a row of A. */
static double half_product(const struct seen *s)
{
    WORST(1024, f16(OUT(uint16_t, 2)[i]), row_of(IN(uint16_t, 0) + i / 32 * 32, 32));
}
static double fragments_multiplied(const struct seen *s)
{
    WORST(1024, OUT(float, 2)[i], row_of(IN(uint16_t, 0) + i / 32 * 32, 32));
}
static double half_softmax_of(const uint16_t *row, int k)
{
    double sum = 0;
    for (int i = 0; i < 256; i++) sum += exp(f16(row[i]));
    return exp(f16(row[k])) / sum;
}
static double half_softmaxed(const struct seen *s)
{
    const uint16_t *in = IN(uint16_t, 0);
    WORST(
        1024, 1000 * f16(OUT(uint16_t, 1)[i]), 1000 * half_softmax_of(in + i / 256 * 256, i % 256));
}
static double half_reduced(const struct seen *s)
{
    WORST(1, f16(OUT(uint16_t, 1)[i]), row_of(IN(uint16_t, 0), 1024));
}
static double half_normed(const struct seen *s)
{
    double squares = 0;
    for (int i = 0; i < 64; i++) squares += f16(IN(uint16_t, 0)[i]) * f16(IN(uint16_t, 0)[i]);
    WORST(1, OUT(float, 1)[i], sqrt(squares));
}
static double bfloat_added(const struct seen *s)
{
    WORST(512, bf16(OUT(uint16_t, 1)[i]),
        bf16(half_rounded(2 * bf16(IN(uint16_t, 0)[i]) + 1, 'n', 7, 127)));
}
static double bfloat_scaled(const struct seen *s)
{
    WORST(512, bf16(OUT(uint16_t, 1)[i]), bf16(half_rounded(IN(float, 0)[i] * 0.5L, 'n', 7, 127)));
}
static double layer_of(const uint16_t *row, int k)
{
    double sum = row_of(row, 256), squares = 0;
    for (int i = 0; i < 256; i++) squares += f16(row[i]) * f16(row[i]);
    return 2 * (f16(row[k]) - sum / 256) / sqrt(squares / 256 - sum * sum / 65536 + 1e-5) + 0.5;
}
static double layer_normed(const struct seen *s)
{
    WORST(1024, f16(OUT(uint16_t, 3)[i]), layer_of(IN(uint16_t, 0) + i / 256 * 256, i % 256));
}
static double half_gelu(const struct seen *s)
{
    WORST(1024, f16(OUT(uint16_t, 0)[i]),
        (f16(IN(uint16_t, 0)[i]) + 0.5) * 0.5 *
            (1 + erf((f16(IN(uint16_t, 0)[i]) + 0.5) * M_SQRT1_2)));
}

/* rows of checks: as those in test_strangers.c */
#define STRANGERS_HALF \
    {"half_gemm", "hgemm_naive", half_product, 1e-2}, \
        {"half_gemm", "hgemm_half2", half_product, 1e-2}, \
        {"half_gemm", "hgemm_float_sum<16>", half_product, 1e-3}, \
        {"half_softmax", "softmax_half", half_softmaxed, 5e-3}, \
        {"half_reduce", "reduce_half2", half_reduced, 0}, \
        {"half_reduce", "l2norm_half", half_normed, 1e-5}, \
        {"bfloat_axpy", "axpy_bf16", bfloat_added, 0}, \
        {"bfloat_axpy", "axpy_bf162", bfloat_added, 0}, \
        {"bfloat_axpy", "scale_mixed", bfloat_scaled, 0}, \
        {"half_layernorm", "layernorm<256>", layer_normed, 2e-3}, \
        {"half_layernorm", "add_bias_gelu", half_gelu, 2e-3}, \
        {"wmma_gemm", "wmma_gemm", fragments_multiplied, 1e-6}, \
        {"wmma_gemm", "wmma_gemm_shared", fragments_multiplied, 1e-6},

#endif
