/* answer.c - compute the answer to each problem on the CPU, in double, and how much a kernel's
 * result may differ from it (x->slack, the tolerance of each element).
 *
 * Copies must be exact: their tolerance is 0. Sums may differ by a few rounding errors of their
 * terms; exercise.h derives the tolerance of products at struct expected. */
#include "exercise/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of rounding errors. All but UNIT_SMALL_HALF are relative to the number. UNIT: of one
 * operation in float; UNIT_TF32: of a number rounded to TF32; UNIT_SMALL_HALF: of a number below
 * 2^-14 rounded to a half, absolute; UNIT_F64: of one operation in double. */
static const double UNIT = 0x1p-24;
static const double UNIT_TF32 = 0x1p-11;
static const double UNIT_SMALL_HALF = 0x1p-25;
static const double UNIT_F64 = 0x1p-53;

/* Allocate x->slack, the tolerance of each element. expected_free frees it. */
static float *slack_of(struct expected *x)
{
    return x->slack = xcalloc(x->count, sizeof *x->slack);
}

/* out = a + b; an element may differ by the rounding of one float addition. */
void answer_add(const struct instance *in, struct expected *x)
{
    const float *a = in->data[0], *b = in->data[1];
    for (size_t i = 0; i < x->count; i++) x->value[i] = a[i] + b[i];
}

void answer_copy(const struct instance *in, struct expected *x)
{
    const float *p = in->data[0];
    for (size_t i = 0; i < x->count; i++) x->value[i] = p[i];
}

/* out, with cols rows of length rows, is the transpose of in. Elements must be equal exactly: the
 * tolerance is 0. */
void answer_transpose(const struct instance *in, struct expected *x)
{
    const float *p = in->data[0];
    size_t rows = in->dims[0], cols = in->dims[1];
    /* side of a square tile, in elements: lines of both matrices stay in the cache while a tile is
     * copied */
    enum { TILE = 32 };
    for (size_t r = 0; r < rows; r += TILE)
        for (size_t c = 0; c < cols; c++)
            for (size_t i = r; i < rows && i < r + TILE; i++)
                x->value[c * rows + i] = p[i * cols + c];
}

/* ---- products ---- */

/* Add a * b to c, for one row of a and of c. b has k rows of length n, stride elements apart.
 * Four rows of b are taken at once, so that c is loaded and stored once for four products. */
static void product_row(const float *a, const double *b, double *c, int k, int n, int stride)
{
    int i = 0;
    for (; i + 4 <= k; i += 4) {
        const double *r0 = b + (size_t)i * stride, *r1 = r0 + stride, *r2 = r1 + stride,
                     *r3 = r2 + stride;
        double a0 = a[i], a1 = a[i + 1], a2 = a[i + 2], a3 = a[i + 3];
        for (int j = 0; j < n; j++) c[j] += (a0 * r0[j] + a1 * r1[j]) + (a2 * r2[j] + a3 * r3[j]);
    }
    for (; i < k; i++)
        for (int j = 0; j < n; j++) c[j] += a[i] * b[(size_t)i * stride + j];
}

/* c = a b, where a is m x k and b is k x n. b is used in panels of 64 rows by 256 columns (128
 * KiB), each of which stays in the second-level cache while all rows of a are multiplied by it.
 * c must be zeros. */
static void product(const float *a, const double *b, double *c, int m, int k, int n)
{
    enum { ROWS = 64, COLUMNS = 256 };
    for (int j = 0; j < n; j += COLUMNS)
        for (int i = 0; i < k; i += ROWS) {
            int w = n - j < COLUMNS ? n - j : COLUMNS, h = k - i < ROWS ? k - i : ROWS;
            for (int r = 0; r < m; r++)
                product_row(
                    a + (size_t)r * k + i, b + (size_t)i * n + j, c + (size_t)r * n + j, h, w, n);
        }
}

/* Set x->slack, the tolerance of each element: 12 u sqrt(|a_row|^2 |b_column|^2 + k S^2 / 12),
 * where S is the element's value. exercise.h derives this at struct expected. */
static void product_slack(const float *a, const double *b, struct expected *x, int m, int k, int n)
{
    double *column = xcalloc(n, sizeof *column);
    float *slack = slack_of(x);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++) column[j] += b[(size_t)i * n + j] * b[(size_t)i * n + j];
    for (int r = 0; r < m; r++) {
        const double *sum = x->value + (size_t)r * n;
        double row = 0;
        for (int i = 0; i < k; i++) row += (double)a[(size_t)r * k + i] * a[(size_t)r * k + i];
        for (int j = 0; j < n; j++)
            slack[(size_t)r * n + j] =
                (float)(12 * UNIT * sqrt(row * column[j] + k / 12.0 * sum[j] * sum[j]));
    }
    free(column);
}

/* b is converted to double once, since each of its elements is used m times. */
void answer_matmul(const struct instance *in, struct expected *x)
{
    int m = in->dims[0], k = in->dims[1], n = in->dims[2];
    const float *bf = in->data[1];
    double *b = xcalloc((size_t)k * n, sizeof *b);
    for (size_t i = 0; i < (size_t)k * n; i++) b[i] = bf[i];
    product(in->data[0], b, x->value, m, k, n);
    product_slack(in->data[0], b, x, m, k, n);
    free(b);
}

/* The factors may be rounded to TF32, whose unit is 2^-11. The tolerance of an element is 4 such
 * units times the root of the sum of the squared terms, as exercise.h explains. */
void answer_matmul_tf32(const struct instance *in, struct expected *x)
{
    int m = in->dims[0], k = in->dims[1], n = in->dims[2];
    const float *a = in->data[0], *b = in->data[1];
    float *a2 = xcalloc((size_t)m * k, sizeof *a2);
    double *b2 = xcalloc((size_t)k * n, sizeof *b2), *squares = xcalloc(x->count, sizeof *squares);
    answer_matmul(in, x);
    for (size_t i = 0; i < (size_t)m * k; i++) a2[i] = a[i] * a[i];
    for (size_t i = 0; i < (size_t)k * n; i++) b2[i] = (double)b[i] * b[i];
    product(a2, b2, squares, m, k, n);
    for (size_t i = 0; i < x->count; i++) x->slack[i] += (float)(4 * UNIT_TF32 * sqrt(squares[i]));
    free(squares);
    free(b2);
    free(a2);
}

/* The factors may be rounded to halves. The tolerance is that for TF32, plus one for factors below
 * 2^-14, whose rounding error does not shrink with them. */
void answer_matmul_half(const struct instance *in, struct expected *x)
{
    int m = in->dims[0], k = in->dims[1], n = in->dims[2];
    const float *a = in->data[0], *b = in->data[1];
    double *column = xcalloc(n, sizeof *column);
    answer_matmul_tf32(in, x);
    for (size_t i = 0; i < (size_t)k * n; i++) column[i % n] += (double)b[i] * b[i];
    for (int r = 0; r < m; r++) {
        double row = 0;
        for (int i = 0; i < k; i++) row += (double)a[(size_t)r * k + i] * a[(size_t)r * k + i];
        for (int j = 0; j < n; j++)
            x->slack[(size_t)r * n + j] += (float)(4 * UNIT_SMALL_HALF * sqrt(row + column[j]));
    }
    free(column);
}

/* With t, the transpose of a, the product a * a^T is the product a * t. */
void answer_aat(const struct instance *in, struct expected *x)
{
    int m = in->dims[0], w = in->dims[1];
    const float *a = in->data[0];
    double *t = xcalloc((size_t)m * w, sizeof *t);
    for (int r = 0; r < m; r++)
        for (int i = 0; i < w; i++) t[(size_t)i * m + r] = a[(size_t)r * w + i];
    product(a, t, x->value, m, w, m);
    product_slack(a, t, x, m, w, m);
    free(t);
}

/* The sum S of the squares of each row. Its tolerance is that of the same element of a a^T, where
 * |a_row| |b_column| is S (exercise.h). */
void answer_diagonal(const struct instance *in, struct expected *x)
{
    const float *a = in->data[0];
    size_t w = in->dims[1];
    float *slack = slack_of(x);
    for (size_t i = 0; i < x->count; i++) {
        for (size_t k = 0; k < w; k++) x->value[i] += (double)a[i * w + k] * a[i * w + k];
        slack[i] = (float)(12 * UNIT * x->value[i] * sqrt(1 + w / 12.0));
    }
}

/* ---- vectors ---- */

/* Element i is the sum of the squares of a, b and c at i * step, with a tolerance of a few
 * roundings. */
static void norms(struct expected *x, const double *a, const double *b, const double *c, int step)
{
    float *slack = slack_of(x);
    for (size_t i = 0; i < x->count; i++) {
        double u = a[i * step], v = b[i * step], w = c[i * step];
        x->value[i] = u * u + v * v + w * w;
        slack[i] = (float)(8 * UNIT_F64 * x->value[i]);
    }
}

void answer_norm_aos(const struct instance *in, struct expected *x)
{
    const double *p = in->data[0];
    norms(x, p, p + 1, p + 2, 3);
}

void answer_norm_soa(const struct instance *in, struct expected *x)
{
    norms(x, in->data[0], in->data[1], in->data[2], 1);
}

void answer_copy_offset(const struct instance *in, struct expected *x)
{
    const float *p = in->data[0];
    for (size_t i = 0; i < x->count; i++) x->value[i] = p[i + in->dims[1]];
}

void answer_copy_stride(const struct instance *in, struct expected *x)
{
    const float *p = in->data[0];
    for (size_t i = 0; i < x->count; i++) x->value[i] = p[i * in->dims[1]];
}

void answer_copy_group(const struct instance *in, struct expected *x)
{
    const float *p = in->data[0];
    size_t group = in->dims[1];
    for (size_t i = 0; i < x->count; i++) x->value[i] = p[i / group * group];
}

void answer_copy_doubles(const struct instance *in, struct expected *x)
{
    memcpy(x->value, in->data[0], x->count * sizeof *x->value);
}

/* Horner's rule, in double. The same rule with absolute values gives `size`, to which the tolerance
 * of the element is proportional. */
void answer_polynomial(const struct instance *in, struct expected *x)
{
    const float *table = in->data[0];
    const int *index = in->data[1];
    float *slack = slack_of(x);
    for (size_t i = 0; i < x->count; i++) {
        double v = table[index[i]], sum = 0, size = 0;
        for (int j = COEFS - 1; j >= 0; j--) {
            sum = sum * v + in->coef[j];
            size = size * fabs(v) + fabs(in->coef[j]);
        }
        x->value[i] = sum;
        slack[i] = (float)(2 * COEFS * UNIT * size);
    }
}

/* Apply v = scale * v + add this many times, in double. The error of a kernel in float stays
 * bounded, since |v| <= 2 and each step halves the error so far (|scale| = 0.5) and adds two
 * roundings. */
static double iterate(double v, int times, double scale, double add)
{
    while (times--) v = scale * v + add;
    return v;
}

void answer_parity(const struct instance *in, struct expected *x)
{
    const float *p = in->data[0];
    float *slack = slack_of(x);
    for (size_t i = 0; i < x->count; i++) {
        x->value[i] = i % 2 ? iterate(p[i], 16, -0.5, 0.25) : iterate(p[i], 16, 0.5, 1);
        slack[i] = (float)(8 * UNIT * 2);
    }
}

void answer_unequal(const struct instance *in, struct expected *x)
{
    const float *p = in->data[0];
    float *slack = slack_of(x);
    for (size_t i = 0; i < x->count; i++) {
        x->value[i] = iterate(p[i], 1 + (int)(i % 32), 0.5, 1);
        slack[i] = (float)(8 * UNIT * 2);
    }
}
