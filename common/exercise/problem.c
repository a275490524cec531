/* problem.c - the table of problems: parameters, sizes, grid extents, and useful bytes or
 * operations.
 *
 * exercise.h says what each problem computes. */
#include "exercise/exercise.h"
#include "exercise/answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t element_bytes(enum element e) { return e == ELEMENT_F64 ? 8 : e == ELEMENT_F16 ? 2 : 4; }

/* ---- sizes; d: the int parameters in their order ---- */

/* counts_...: set n to the number of elements of each buffer. The casts keep products of two
 * ints from overflowing. */

static void counts_matrix(const int *d, size_t *n) { n[0] = n[1] = (size_t)d[0] * d[1]; }
static void counts_matmul(const int *d, size_t *n)
{
    n[0] = (size_t)d[0] * d[1];
    n[1] = (size_t)d[1] * d[2];
    n[2] = (size_t)d[0] * d[2];
}
static void counts_aat(const int *d, size_t *n)
{
    n[0] = (size_t)d[0] * d[1];
    n[1] = (size_t)d[0] * d[0];
}
static void counts_diagonal(const int *d, size_t *n) { n[0] = (size_t)d[0] * d[1], n[1] = d[0]; }
static void counts_aos(const int *d, size_t *n) { n[0] = 3 * (size_t)d[0], n[1] = d[0]; }
static void counts_soa(const int *d, size_t *n) { n[0] = n[1] = n[2] = n[3] = d[0]; }
static void counts_offset(const int *d, size_t *n) { n[0] = (size_t)d[0] + d[1], n[1] = d[0]; }
static void counts_stride(const int *d, size_t *n) { n[0] = (size_t)d[0] * d[1], n[1] = d[0]; }
static void counts_add(const int *d, size_t *n) { n[0] = n[1] = n[2] = d[0]; }
static void counts_vector(const int *d, size_t *n) { n[0] = n[1] = d[0]; }
static void counts_points(const int *d, size_t *n) { n[0] = n[1] = 3 * (size_t)d[0]; }
static void counts_polynomial(const int *d, size_t *n) { n[0] = d[1], n[1] = n[2] = d[0]; }

/* result_...: the rows and columns of the output. */
static void result_matrix(const int *d, size_t *r, size_t *c) { *r = d[0], *c = d[1]; }
static void result_transposed(const int *d, size_t *r, size_t *c) { *r = d[1], *c = d[0]; }
static void result_matmul(const int *d, size_t *r, size_t *c) { *r = d[0], *c = d[2]; }
static void result_aat(const int *d, size_t *r, size_t *c) { *r = *c = d[0]; }
static void result_vector(const int *d, size_t *r, size_t *c) { *r = 1, *c = d[0]; }
static void result_points(const int *d, size_t *r, size_t *c) { *r = d[0], *c = 3; }

/* extents_...: how far the grid has to reach in x and y. */
static void extents_matrix(const int *d, long *x, long *y) { *x = d[1], *y = d[0]; }
static void extents_matmul(const int *d, long *x, long *y) { *x = d[2], *y = d[0]; }
static void extents_aat(const int *d, long *x, long *y) { *x = *y = d[0]; }
static void extents_vector(const int *d, long *x, long *y) { *x = d[0], *y = 1; }

/* ---- useful_...: bytes that a kernel must at least move, or the floating-point operations of the
 * problem ---- */

/* Bytes: four for a float and eight for a double; each element is read once or written once. */

static double useful_matrix(const int *d) { return 2.0 * 4 * d[0] * d[1]; }
/* Operations: a multiplication and an addition for each of m * k * n products. */
static double useful_matmul(const int *d) { return 2.0 * d[0] * d[1] * d[2]; }
/* In bytes: a is read as the left and as the right factor, and c is written. */
static double useful_aat(const int *d) { return 4 * (2.0 * d[0] * d[1] + (double)d[0] * d[0]); }
static double useful_diagonal(const int *d) { return 4 * ((double)d[0] * d[1] + d[0]); }
/* In bytes per element: three doubles are read and one is written. */
static double useful_norm(const int *d) { return 32.0 * d[0]; }
static double useful_vector(const int *d) { return 8.0 * d[0]; }
static double useful_add(const int *d) { return 12.0 * d[0]; }
static double useful_doubles(const int *d) { return 16.0 * d[0]; }
static double useful_points(const int *d) { return 24.0 * d[0]; }
/* In bytes per element: an index and a table entry are read, and a result is written. */
static double useful_polynomial(const int *d) { return 12.0 * d[0]; }

#define F32(n) \
    { \
        n, ELEMENT_F32 \
    }
#define F64(n) \
    { \
        n, ELEMENT_F64 \
    }
#define F16(n) \
    { \
        n, ELEMENT_F16 \
    }
#define I32(n) \
    { \
        n, ELEMENT_I32 \
    }

/* Columns: name, parameters, buffers, index of the output, dims, parameter_dim, two_dimensional,
 * unit, the functions above, the function that computes the answer; perhaps the name of the problem
 * that it is like. */
static const struct problem problems[] = {
    {"add", "const float *a, const float *b, float *out, int n", {F32("a"), F32("b"), F32("out")},
        2, {"n"}, 0, 0, "GB/s", counts_add, result_vector, extents_vector, useful_add, answer_add},
    {"copy", "const float *in, float *out, int rows, int cols", {F32("in"), F32("out")}, 1,
        {"rows", "cols"}, 0, 1, "GB/s", counts_matrix, result_matrix, extents_matrix, useful_matrix,
        answer_copy, NULL, 1},
    {"copy_all", "const float *in, float *out, int n", {F32("in"), F32("out")}, 1, {"n"}, 0, 0,
        "GB/s", counts_vector, result_vector, extents_vector, useful_vector, answer_copy, NULL, 1},
    {"transpose", "const float *in, float *out, int rows, int cols", {F32("in"), F32("out")}, 1,
        {"rows", "cols"}, 0, 1, "GB/s", counts_matrix, result_transposed, extents_matrix,
        useful_matrix, answer_transpose, NULL, 1},
    {"matmul", "const float *a, const float *b, float *c, int m, int k, int n",
        {F32("a"), F32("b"), F32("c")}, 2, {"m", "k", "n"}, 0, 1, "GFLOPS", counts_matmul,
        result_matmul, extents_matmul, useful_matmul, answer_matmul},
    {"matmul_tf32", "const float *a, const float *b, float *c, int m, int k, int n",
        {{"a", ELEMENT_F32, 1}, F32("b"), F32("c")}, 2, {"m", "k", "n"}, 0, 1, "GFLOPS",
        counts_matmul, result_matmul, extents_matmul, useful_matmul, answer_matmul_tf32, "matmul"},
    {"matmul_half", "const float *a, const float *b, float *c, int m, int k, int n",
        {F32("a"), F32("b"), F32("c")}, 2, {"m", "k", "n"}, 0, 1, "GFLOPS", counts_matmul,
        result_matmul, extents_matmul, useful_matmul, answer_matmul_half, "matmul"},
    {"matmul_halves", "const __half *a, const __half *b, float *c, int m, int k, int n",
        {F16("a"), F16("b"), F32("c")}, 2, {"m", "k", "n"}, 0, 1, "GFLOPS", counts_matmul,
        result_matmul, extents_matmul, useful_matmul, answer_matmul, "matmul"},
    {"aat", "const float *a, float *c, int m, int w", {F32("a"), F32("c")}, 1, {"m", "w"}, 0, 1,
        "GB/s", counts_aat, result_aat, extents_aat, useful_aat, answer_aat},
    {"diagonal", "const float *a, float *d, int m, int w", {F32("a"), F32("d")}, 1, {"m", "w"}, 0,
        1, "GB/s", counts_diagonal, result_vector, extents_vector, useful_diagonal,
        answer_diagonal},
    {"norm_aos", "const double *points, double *out, int n", {F64("points"), F64("out")}, 1, {"n"},
        0, 0, "GB/s", counts_aos, result_vector, extents_vector, useful_norm, answer_norm_aos},
    {"norm_soa", "const double *x, const double *y, const double *z, double *out, int n",
        {F64("x"), F64("y"), F64("z"), F64("out")}, 3, {"n"}, 0, 0, "GB/s", counts_soa,
        result_vector, extents_vector, useful_norm, answer_norm_soa},
    {"copy_offset", "const float *in, float *out, int n, int offset", {F32("in"), F32("out")}, 1,
        {"n", "offset"}, 1, 0, "GB/s", counts_offset, result_vector, extents_vector, useful_vector,
        answer_copy_offset, NULL, 1},
    {"copy_stride", "const float *in, float *out, int n, int stride", {F32("in"), F32("out")}, 1,
        {"n", "stride"}, 1, 0, "GB/s", counts_stride, result_vector, extents_vector, useful_vector,
        answer_copy_stride, NULL, 1},
    {"copy_group", "const float *in, float *out, int n, int group", {F32("in"), F32("out")}, 1,
        {"n", "group"}, 1, 0, "GB/s", counts_vector, result_vector, extents_vector, useful_vector,
        answer_copy_group, NULL, 1},
    {"copy_doubles", "const double *in, double *out, int n", {F64("in"), F64("out")}, 1, {"n"}, 0,
        0, "GB/s", counts_vector, result_vector, extents_vector, useful_doubles,
        answer_copy_doubles, NULL, 1},
    {"copy_points", "const float *in, float *out, int n", {F32("in"), F32("out")}, 1, {"n"}, 0, 0,
        "GB/s", counts_points, result_points, extents_vector, useful_points, answer_copy, NULL, 1},
    {"polynomial", "const float *table, const int *index, float *out, int n, int length",
        {F32("table"), I32("index"), F32("out")}, 2, {"n", "length"}, 0, 0, "GB/s",
        counts_polynomial, result_vector, extents_vector, useful_polynomial, answer_polynomial},
    {"parity", "const float *in, float *out, int n", {F32("in"), F32("out")}, 1, {"n"}, 0, 0,
        "GB/s", counts_vector, result_vector, extents_vector, useful_vector, answer_parity},
    {"unequal", "const float *in, float *out, int n", {F32("in"), F32("out")}, 1, {"n"}, 0, 0,
        "GB/s", counts_vector, result_vector, extents_vector, useful_vector, answer_unequal},
};

const struct problem *problem_at(int i)
{
    return i >= 0 && i < (int)(sizeof problems / sizeof *problems) ? &problems[i] : NULL;
}

const struct problem *problem_find(const char *name)
{
    for (int i = 0; problem_at(i); i++)
        if (!strcmp(problems[i].name, name)) return &problems[i];
    return NULL;
}

const char *problem_kind(const struct problem *p) { return p->like ? p->like : p->name; }

int problem_buffers(const struct problem *p)
{
    int n = 0;
    while (p->buffers[n].name) n++;
    return n;
}

int problem_dims(const struct problem *p)
{
    int n = 0;
    while (p->dim_names[n]) n++;
    return n;
}

/* A matrix of inputs has one int parameter as its rows and the next one as its columns. */
void problem_matrix(
    const struct problem *p, const int *dims, int buffer, size_t *rows, size_t *columns)
{
    if (buffer == p->output)
        p->result(dims, rows, columns);
    else
        *rows = (size_t)dims[buffer], *columns = (size_t)dims[buffer + 1];
}

/* A size as text: "m = 37, k = 3, n = 101". The caller frees it. */
char *problem_size(const struct problem *p, const int *dims)
{
    struct buf b = {0};
    for (int i = 0; i < problem_dims(p); i++)
        buf_printf(&b, "%s%s = %d", i ? ", " : "", p->dim_names[i], dims[i]);
    return b.data;
}

/* An int parameter that is an offset or a stride is left out of the size, since the question itself
 * names it. */
char *prediction_question(const struct exercise *x, const struct prediction *p)
{
    const struct step *s = &x->steps[p->step];
    const struct problem *problem = problem_find(s->problem);
    struct buf b = {0};
    for (int i = 0; i < problem_dims(problem); i++)
        if (!i || i != problem->parameter_dim)
            buf_printf(&b, "%s%s = %d", i ? ", " : "at ", problem->dim_names[i], s->dims[i]);
    buf_printf(&b, ": %s", p->asks);
    return b.data;
}

/* The rate in units of 10^9 useful bytes or operations per second. */
double problem_rate(const struct problem *p, const int *dims, double ms)
{
    return p->useful(dims) / (ms * 1e-3) * 1e-9;
}

/* ---- instances ---- */

uint16_t element_half(float *x)
{
    uint32_t bits;
    *x = roundf(*x * 1024) / 1024;
    memcpy(&bits, x, sizeof bits);
    /* a float has an exponent with bias 127 and 23 bits of mantissa; a half has bias 15 and 10
     * bits */
    return (uint16_t)(bits >> 31 << 15 | (*x != 0 ? (bits >> 13 & 0x3ffff) - (112 << 10) : 0));
}

/* Draw the elements of buffer b: floats, doubles and halves from [-1, 1], so that products have
 * terms of both signs. In a `large` buffer some rows are multiplied by a power of two, which rounds
 * nothing. */
static void fill(struct instance *in, int b, struct rng *rng)
{
    const struct problem *p = in->problem;
    size_t n = in->count[b];
    size_t rows, columns;
    float *floats = in->data[b];
    if (p->buffers[b].element == ELEMENT_F32 || p->buffers[b].element == ELEMENT_F16)
        for (size_t i = 0; i < n; i++) floats[i] = (float)(2 * rng_unit(rng) - 1);
    else if (p->buffers[b].element == ELEMENT_F64)
        for (size_t i = 0; i < n; i++) ((double *)in->data[b])[i] = 2 * rng_unit(rng) - 1;
    else /* the only int buffer is polynomial's index: indices of table, buffer 0 */
        for (size_t i = 0; i < n; i++) ((int *)in->data[b])[i] = (int)rng_below(rng, in->count[0]);
    if (!p->buffers[b].large) return;
    problem_matrix(p, in->dims, b, &rows, &columns);
    for (size_t i = 0; i < n; i++)
        if (i / columns % 8 == 7) ((float *)in->data[b])[i] *= 1 << 20;
}

/* The seed's random numbers are drawn in a fixed order: first for the buffers, then for the
 * coefficients. */
void instance_make(struct instance *in, const struct problem *p, const int *dims, uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    *in = (struct instance){.problem = p};
    memcpy(in->dims, dims, sizeof in->dims);
    p->counts(dims, in->count);
    for (int b = 0; b < problem_buffers(p); b++) {
        size_t bytes = element_bytes(p->buffers[b].element);
        in->data[b] = xcalloc(in->count[b], bytes < sizeof(float) ? sizeof(float) : bytes);
        if (b != p->output) fill(in, b, &rng);
        free(instance_halves(in, b)); /* also rounds the elements to halves */
    }
    for (int i = 0; i < COEFS; i++) in->coef[i] = (float)(2 * rng_unit(&rng) - 1);
}

void instance_free(struct instance *in)
{
    for (int b = 0; b < BUFFERS; b++) free(in->data[b]);
    *in = (struct instance){0};
}

void *instance_halves(const struct instance *in, int b)
{
    if (in->problem->buffers[b].element != ELEMENT_F16) return NULL;
    uint16_t *halves = xcalloc(in->count[b], sizeof *halves);
    for (size_t i = 0; i < in->count[b]; i++) halves[i] = element_half((float *)in->data[b] + i);
    return halves;
}

/* The size of a buffer in bytes. */
size_t instance_bytes(const struct instance *in, int b)
{
    return in->count[b] * element_bytes(in->problem->buffers[b].element);
}

void expected_make(struct expected *x, const struct instance *in)
{
    *x = (struct expected){.count = in->count[in->problem->output]};
    x->value = xcalloc(x->count, sizeof *x->value);
    in->problem->answer(in, x);
}

void expected_free(struct expected *x)
{
    free(x->value);
    free(x->slack);
    *x = (struct expected){0};
}
