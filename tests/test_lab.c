/* test_lab.c - the lab layer without a device: problems, answers, comparison, shapes, points. */
#include "exercise/exercise.h"
#include "explain/explain.h"
#include "cli/cli.h"
#include "judge/grade.h"
#include "suite.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- problems ---- */

static struct instance make(const char *problem, int d0, int d1, int d2, uint64_t seed)
{
    struct instance in;
    int dims[DIMS] = {d0, d1, d2};
    ck_assert_ptr_nonnull(problem_find(problem));
    instance_make(&in, problem_find(problem), dims, seed);
    return in;
}

static double answer_at(struct instance *in, size_t i)
{
    struct expected x;
    expected_make(&x, in);
    double v = x.value[i];
    expected_free(&x);
    return v;
}

START_TEST(every_problem_is_whole)
{
    for (int i = 0; problem_at(i); i++) {
        const struct problem *p = problem_at(i);
        struct instance in = make(p->name, 7, 5, 3, 1);
        size_t rows, columns;
        struct expected x;
        long gx, gy;
        ck_assert_ptr_eq(problem_find(p->name), p);
        expected_make(&x, &in);
        p->result(in.dims, &rows, &columns);
        ck_assert_uint_eq(rows * columns, x.count);
        p->extents(in.dims, &gx, &gy);
        ck_assert_int_ge(gx, 1);
        ck_assert_int_ge(gy, 1);
        ck_assert_double_gt(p->useful(in.dims), 0);
        ck_assert_int_lt(p->output, problem_buffers(p));
        for (int b = 0; b < problem_buffers(p); b++) {
            char *pointer = xasprintf("*%s", p->buffers[b].name);
            ck_assert_ptr_nonnull(strstr(p->signature, pointer));
            free(pointer);
        }
        for (int d = 0; d < problem_dims(p); d++) {
            char *word = xasprintf("int %s", p->dim_names[d]);
            ck_assert_ptr_nonnull(strstr(p->signature, word));
            free(word);
        }
        expected_free(&x);
        instance_free(&in);
    }
}
END_TEST

START_TEST(inputs_come_from_the_seed)
{
    struct instance a = make("matmul", 5, 6, 7, 1), b = make("matmul", 5, 6, 7, 1),
                    c = make("matmul", 5, 6, 7, 2);
    ck_assert_mem_eq(a.data[0], b.data[0], instance_bytes(&a, 0));
    ck_assert_mem_ne(a.data[0], c.data[0], instance_bytes(&a, 0));
    instance_free(&a), instance_free(&b), instance_free(&c);
}
END_TEST

START_TEST(answers_by_hand)
{
    struct instance in = make("matmul", 2, 2, 2, 1);
    memcpy(in.data[0], (float[]){1, 2, 3, 4}, 16);
    memcpy(in.data[1], (float[]){5, 6, 7, 8}, 16);
    ck_assert_double_eq(answer_at(&in, 0), 19);
    ck_assert_double_eq(answer_at(&in, 1), 22);
    ck_assert_double_eq(answer_at(&in, 2), 43);
    ck_assert_double_eq(answer_at(&in, 3), 50);
    instance_free(&in);

    in = make("transpose", 2, 3, 0, 1);
    memcpy(in.data[0], (float[]){1, 2, 3, 4, 5, 6}, 24);
    ck_assert_double_eq(answer_at(&in, 1), 4);
    ck_assert_double_eq(answer_at(&in, 4), 3);
    instance_free(&in);

    in = make("aat", 2, 3, 0, 1);
    memcpy(in.data[0], (float[]){1, 2, 3, 4, 5, 6}, 24);
    ck_assert_double_eq(answer_at(&in, 0), 14);
    ck_assert_double_eq(answer_at(&in, 1), 32);
    ck_assert_double_eq(answer_at(&in, 3), 77);
    instance_free(&in);

    in = make("diagonal", 2, 3, 0, 1);
    memcpy(in.data[0], (float[]){1, 2, 3, 4, 5, 6}, 24);
    ck_assert_double_eq(answer_at(&in, 0), 14);
    ck_assert_double_eq(answer_at(&in, 1), 77);
    instance_free(&in);

    in = make("copy_offset", 3, 1, 0, 1);
    ck_assert_uint_eq(in.count[0], 4);
    ck_assert_double_eq(answer_at(&in, 2), ((float *)in.data[0])[3]);
    instance_free(&in);

    in = make("copy_stride", 3, 5, 0, 1);
    ck_assert_double_eq(answer_at(&in, 2), ((float *)in.data[0])[10]);
    instance_free(&in);

    in = make("copy_group", 9, 4, 0, 1);
    ck_assert_double_eq(answer_at(&in, 7), ((float *)in.data[0])[4]);
    instance_free(&in);

    in = make("norm_aos", 2, 0, 0, 1);
    memcpy(in.data[0], (double[]){1, 2, 3, 4, 5, 6}, 48);
    ck_assert_double_eq(answer_at(&in, 1), 77);
    instance_free(&in);

    in = make("norm_soa", 1, 0, 0, 1);
    *(double *)in.data[0] = 1, *(double *)in.data[1] = 2, *(double *)in.data[2] = 3;
    ck_assert_double_eq(answer_at(&in, 0), 14);
    instance_free(&in);

    in = make("polynomial", 1, 2, 0, 1);
    memset(in.coef, 0, sizeof in.coef);
    in.coef[0] = 1, in.coef[1] = 2;
    ((float *)in.data[0])[1] = 3;
    *(int *)in.data[1] = 1;
    ck_assert_double_eq(answer_at(&in, 0), 7);
    instance_free(&in);

    in = make("unequal", 2, 0, 0, 1);
    memcpy(in.data[0], (float[]){4, 4}, 8);
    ck_assert_double_eq(answer_at(&in, 0), 3);
    ck_assert_double_eq(answer_at(&in, 1), 2.5);
    instance_free(&in);

    in = make("parity", 2, 0, 0, 1);
    /* 2 is the fixed point of 0.5 x + 1, and 1/6 is that of 0.25 - 0.5 x */
    memcpy(in.data[0], (float[]){2, 0}, 8);
    ck_assert_double_eq(answer_at(&in, 0), 2);
    ck_assert_double_eq_tol(answer_at(&in, 1), 1.0 / 6, 1e-4);
    instance_free(&in);
}
END_TEST

START_TEST(rates_are_those_of_the_documents)
{
    int n[DIMS] = {1024, 1024, 1024}, aat[DIMS] = {2048, 32}, square[DIMS] = {2048, 2048};
    ck_assert_double_eq_tol(
        problem_rate(problem_find("matmul"), n, 1.54), 1394, 2); /* published: 1392.8 GFLOPS */
    ck_assert_double_eq_tol(
        problem_rate(problem_find("aat"), aat, 0.562), 30.8, 0.1); /* measured: 30.8 GB/s */
    ck_assert_double_eq_tol(problem_rate(problem_find("transpose"), square, 1), 33.554432, 1e-9);
}
END_TEST

/* ---- comparison ---- */

enum how {
    FORWARD,
    BACKWARD,
    BIG_TERMS_FIRST,
    HALF,
    ZEROS,
    NOT_A_NUMBER,
    INFINITE,
    TRANSPOSED_B,
    LAST_TERM_MISSING
};

static int smaller(const void *a, const void *b)
{
    float x = fabsf(*(const float *)a), y = fabsf(*(const float *)b);
    return (x < y) - (x > y);
}

static float half(float x)
{
    int e;
    float f = frexpf(x, &e);
    return ldexpf(roundf(f * 2048) / 2048, e);
}

/* The product in float, as a kernel might compute it. */
static void product(struct instance *in, enum how how)
{
    int m = in->dims[0], k = in->dims[1], n = in->dims[2];
    float *a = in->data[0], *b = in->data[1], *c = in->data[2], *terms = xcalloc(k, sizeof *terms);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int l = 0; l < k; l++)
                terms[how == BACKWARD ? k - 1 - l : l] =
                    how == HALF ? half(a[i * k + l]) * half(b[l * n + j])
                                : a[i * k + l] * b[how == TRANSPOSED_B ? j * n + l : l * n + j];
            if (how == BIG_TERMS_FIRST) qsort(terms, (size_t)k, sizeof *terms, smaller);
            for (int l = 0; l < k - (how == LAST_TERM_MISSING); l++) sum += terms[l];
            c[i * n + j] = how == ZEROS          ? 0
                           : how == NOT_A_NUMBER ? NAN
                           : how == INFINITE     ? INFINITY
                                                 : sum;
        }
    free(terms);
}

static int accepted(int m, int k, int n, enum how how, struct buf *why)
{
    struct instance in = make("matmul", m, k, n, 42);
    struct expected x;
    struct finding found;
    product(&in, how);
    expected_make(&x, &in);
    int ok = !explain_output(&in, &x, in.data[2], &found, why);
    expected_free(&x);
    instance_free(&in);
    return ok;
}

START_TEST(tolerance_follows_k)
{
    static const int depths[] = {1, 2, 7, 32, 33, 128, 500, 1024, 4096};
    struct buf why = {0};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        int k = depths[i];
        ck_assert_msg(accepted(17, k, 23, FORWARD, &why), "k = %d: %s", k, why.data);
        ck_assert_msg(accepted(17, k, 23, BACKWARD, &why), "k = %d: %s", k, why.data);
        ck_assert_msg(accepted(17, k, 23, BIG_TERMS_FIRST, &why), "k = %d: %s", k, why.data);
        ck_assert(!accepted(17, k, 23, HALF, &why));
        ck_assert(!accepted(17, k, 23, ZEROS, &why));
        ck_assert(!accepted(17, k, 23, NOT_A_NUMBER, &why));
        ck_assert(!accepted(17, k, 23, INFINITE, &why));
        ck_assert(!accepted(17, k, 23, LAST_TERM_MISSING, &why));
        if (k > 1 && k <= 128) ck_assert(!accepted(k, k, k, TRANSPOSED_B, &why));
    }
    buf_free(&why);
}
END_TEST

/* Is an output accepted whose elements all have this relative error? */
static int accepts_error(const char *problem, double relative)
{
    struct instance in = make(problem, 100, 8, 0, 3);
    struct expected x;
    struct buf why = {0};
    void *got = in.data[in.problem->output];
    int doubles = in.problem->buffers[in.problem->output].element == ELEMENT_F64;
    expected_make(&x, &in);
    for (size_t i = 0; i < x.count; i++) {
        double v = x.value[i] * (1 + relative);
        if (doubles)
            ((double *)got)[i] = v;
        else
            ((float *)got)[i] = (float)v;
    }
    int ok = !explain_output(&in, &x, got, &(struct finding){0}, &why);
    buf_free(&why);
    expected_free(&x);
    instance_free(&in);
    return ok;
}

/* A norm is asked for in double: a sum in float is refused, the order of its additions is free. A
 * polynomial is asked for in float: its rounding is accepted, coefficients in half precision are
 * not. */
START_TEST(tolerance_follows_the_type)
{
    static const char *const norms[] = {"norm_aos", "norm_soa"};
    for (int i = 0; i < 2; i++) {
        ck_assert(accepts_error(norms[i], 0));
        ck_assert(accepts_error(norms[i], 0x1p-51));
        ck_assert(!accepts_error(norms[i], 0x1p-49));
        ck_assert(!accepts_error(norms[i], 0x1p-25));
    }
    ck_assert(accepts_error("diagonal", 0));
    ck_assert(accepts_error("diagonal", 0x1p-22));
    ck_assert(!accepts_error("diagonal", 0x1p-19));
    ck_assert(accepts_error("polynomial", 0));
    ck_assert(accepts_error("polynomial", 0x1p-23));
    ck_assert(!accepts_error("polynomial", 0x1p-11));
}
END_TEST

START_TEST(one_wrong_element_is_found_anywhere)
{
    struct instance in = make("matmul", 37, 65, 41, 3);
    struct expected x;
    struct finding found;
    float *c = in.data[2];
    product(&in, FORWARD);
    expected_make(&x, &in);
    for (size_t i = 0; i < x.count; i += 97) {
        float right = c[i];
        struct buf why = {0};
        c[i] = right + 1e-3f;
        ck_assert_int_eq(explain_output(&in, &x, c, &found, &why), -1);
        char *where = xasprintf("row %zu, column %zu is", i / 41, i % 41);
        ck_assert_msg(strstr(why.data, where) != NULL, "%s", why.data);
        free(where);
        buf_free(&why);
        c[i] = right;
    }
    ck_assert_int_eq(explain_output(&in, &x, c, &found, NULL), 0);
    expected_free(&x);
    instance_free(&in);
}
END_TEST

static void expect_remark(struct instance *in, const char *remark)
{
    struct expected x;
    struct finding found;
    struct buf why = {0};
    expected_make(&x, in);
    ck_assert_int_eq(explain_output(in, &x, in->data[in->problem->output], &found, &why), -1);
    guesses_unmark(&why);
    ck_assert_int_gt(found.kind, FOUND_FAULT);
    ck_assert_msg(strstr(why.data, remark) != NULL, "expected \"%s\" in: %s", remark, why.data);
    buf_free(&why);
    expected_free(&x);
}

static void expect_unknown(const struct instance *in)
{
    struct expected x;
    struct finding found;
    struct buf why = {0};
    expected_make(&x, in);
    ck_assert_int_eq(explain_output(in, &x, in->data[in->problem->output], &found, &why), -1);
    ck_assert_msg(found.kind == FOUND_UNKNOWN, "%s", why.data);
    buf_free(&why);
    expected_free(&x);
}

START_TEST(mismatches_are_explained)
{
    struct instance in = make("transpose", 5, 9, 0, 4);
    poison_fill(in.data[1], instance_bytes(&in, 1), 4);
    ck_assert(poison_whole(in.data[1], instance_bytes(&in, 1), 4));
    expect_remark(&in, "nothing was written there");
    memset(in.data[1], 0, instance_bytes(&in, 1));
    expect_remark(&in, "it is zero; all 45 elements are wrong");
    memcpy(in.data[1], in.data[0], instance_bytes(&in, 1));
    expect_remark(&in, "out at row 0, column 1 is");
    expect_remark(&in, "it is in, copied and not transposed");
    instance_free(&in);

    in = make("copy", 4, 8, 0, 4);
    memcpy(in.data[1], (float *)in.data[0] + 1, 31 * sizeof(float));
    expect_remark(
        &in, "every wrong element of out is in[row * cols + column + 1] of its own row and column");
    instance_free(&in);

    in = make("matmul", 9, 33, 8, 4);
    product(&in, LAST_TERM_MISSING);
    expect_remark(&in, "the sum of the first 32 of 33 products");
    /* one element equals such a sum by chance, the others do not */
    float by_chance = ((float *)in.data[2])[0];
    for (int i = 1; i < 9 * 8; i++) ((float *)in.data[2])[i] = (float)(i % 7) + 100;
    ((float *)in.data[2])[0] = by_chance;
    expect_unknown(&in);
    product(&in, HALF);
    expect_remark(&in, "less precision");
    product(&in, NOT_A_NUMBER);
    expect_remark(&in, "not a number: was memory read that nothing had written?");
    poison_fill(in.data[2], instance_bytes(&in, 2), 4);
    for (int i = 0; i < 9 * 8; i++) ((float *)in.data[2])[i] += 1;
    expect_remark(&in, "not a number: c was read before anything had written it");
    instance_free(&in);

    in = make("copy", 8, 70, 0, 4);
    memcpy(in.data[1], in.data[0], instance_bytes(&in, 1));
    for (int r = 0; r < 8; r++)
        for (int c = 64; c < 70; c++) ((float *)in.data[1])[r * 70 + c] = 0;
    expect_remark(&in, "48 of 560 elements are wrong, all in columns from 64 on");
    instance_free(&in);

    in = make("norm_soa", 40, 0, 0, 4);
    poison_fill(in.data[3], instance_bytes(&in, 3), 8);
    ck_assert(isnan(*(double *)in.data[3]));
    volatile float sum;
    poison_fill((void *)&sum, 4, 4);
    ck_assert(isnan(sum));
    sum += 1; /* poison that a kernel has computed with is not recognized any more */
    ck_assert(!poison_whole((void *)&sum, 4, 4));
    expect_remark(&in, "out[0] is NaN, expected");
    instance_free(&in);
}
END_TEST

/* ---- shapes ---- */

START_TEST(shapes_hold_what_breaks_kernels)
{
    static const struct step step = {
        .kernel = "matmul", .problem = "matmul", .dims = {1024, 1024, 1024}};
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct rng rng;
        int shapes[SHAPES][DIMS], one = 0, odd = 0, oblong = 0;
        rng_seed(&rng, seed);
        int n = problem_shapes(problem_find("matmul"), &step, &rng, shapes, NULL);
        ck_assert_int_ge(n, 6);
        for (int i = 0; i < n; i++) {
            int *d = shapes[i];
            one |= d[0] == 1 && d[1] == 1 && d[2] == 1;
            odd |= d[0] % 2 && d[1] % 2 && d[2] % 2 && d[0] > 32 && d[1] > 32 && d[2] > 32;
            oblong |= d[0] != d[1] && d[1] != d[2] && d[0] != d[2];
            for (int j = 0; j < DIMS; j++) {
                ck_assert_int_ge(d[j], 1);
                ck_assert_int_le(d[j], 2500);
            }
        }
        ck_assert(one && odd && oblong);
    }
}
END_TEST

/* For any seed, the shapes include all kinds that break kernels of vectors or matrices. */
START_TEST(shapes_hold_every_kind)
{
    static const struct step vector = {.kernel = "k", .problem = "add", .dims = {1024}},
                             matrix = {.kernel = "k", .problem = "transpose", .dims = {1024, 1024}};
    int other_blocks = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct rng rng;
        int shapes[SHAPES][DIMS], one = 0, below = 0, warp_and_one = 0, blocks = 0, odd = 0,
                                  large = 0;
        rng_seed(&rng, seed);
        for (int i = problem_shapes(problem_find("add"), &vector, &rng, shapes, NULL); i-- > 0;) {
            int n = shapes[i][0];
            one |= n == 1, below |= n > 1 && n < 32, warp_and_one |= n == 33;
            other_blocks += n % 32 == 0 && n != 1024;
            blocks |= n % 32 == 0, odd |= n % 2 && n > 1024, large |= n >= 3000;
        }
        ck_assert_msg(
            one && below && warp_and_one && blocks && odd && large, "vectors, seed %d", (int)seed);
        one = below = blocks = odd = 0;
        int row = 0, column = 0;
        for (int i = problem_shapes(problem_find("transpose"), &matrix, &rng, shapes, NULL);
             i-- > 0;) {
            int r = shapes[i][0], c = shapes[i][1];
            one |= r == 1 && c == 1, below |= r > 1 && r < 32 && c > 1 && c < 32;
            blocks |= r % 32 == 0 && c % 32 == 0 && r != c;
            odd |= r % 2 && c % 2 && r > 32 && c > 32 && r != c;
            row |= r == 1 && c > 32, column |= c > 32 && c < 64 && r > 64;
        }
        ck_assert_msg(
            one && below && blocks && odd && row && column, "matrices, seed %d", (int)seed);
    }
    ck_assert_int_gt(other_blocks, 150);
}
END_TEST

/* The only dimension in which the shape is not whole blocks (128 x 128, and 32 along the depth).
 * -1: there is not exactly one. */
static int only_partial(const int *d)
{
    int whole[] = {d[0] >= 128 && d[0] % 128 == 0, d[1] % 32 == 0, d[2] >= 128 && d[2] % 128 == 0};
    for (int i = 0; i < 3; i++)
        if (!whole[i] && whole[(i + 1) % 3] && whole[(i + 2) % 3]) return i;
    return -1;
}

/* In some shape each dimension alone is not whole blocks: a kernel that does not test it fails. */
START_TEST(each_dimension_alone_is_partly_filled_once)
{
    static const struct step step = {
        .kernel = "matmul", .problem = "matmul", .dims = {1024, 1024, 1024}};
    struct rng rng;
    int shapes[SHAPES][DIMS], borders, seen[3] = {0}, fours = 0, deep = 0;
    rng_seed(&rng, 1);
    int n = problem_shapes(problem_find("matmul"), &step, &rng, shapes, &borders);
    ck_assert_int_eq(borders, 5);
    /* more than eight pipeline stages of 32, and another length for another seed */
    deep = shapes[n - 1][1] >= 640 && shapes[n - 1][1] % 4 == 0;
    int other[SHAPES][DIMS];
    ck_assert_int_eq(problem_shapes(problem_find("matmul"), &step, &rng, other, NULL), n);
    deep &= other[n - 1][1] != shapes[n - 1][1];
    ck_assert_int_eq(problem_shapes(problem_find("transpose"), &step, &rng, other, NULL), n);
    ck_assert_int_ge(other[n - 1][1], 640);
    for (int i = n - borders; i < n - 1; i++) {
        int d = only_partial(shapes[i]);
        ck_assert_int_ge(d, 0);
        seen[d]++;
        fours += d == 2 && shapes[i][2] % 4 == 0;
        /* one whole block and a part of a second one */
        ck_assert_int_gt(shapes[i][d], d == 1 ? 32 : 128);
        ck_assert_int_lt(shapes[i][d], d == 1 ? 64 : 256);
    }
    ck_assert(seen[0] == 1 && seen[1] == 1 && seen[2] == 2 && fours == 1 && deep);
}
END_TEST

START_TEST(shapes_respect_the_step)
{
    static const struct step narrow = {
        .kernel = "k", .problem = "matmul", .dims = {1024, 32, 1024}, .most = {0, 32, 0}};
    static const struct step stride = {
        .kernel = "k", .problem = "copy_stride", .dims = {65536, 8}, .fixed = {0, 8}};
    for (uint64_t seed = 0; seed < 50; seed++) {
        struct rng rng;
        int shapes[SHAPES][DIMS];
        rng_seed(&rng, seed);
        for (int i = problem_shapes(problem_find("matmul"), &narrow, &rng, shapes, NULL); i-- > 0;)
            ck_assert_int_le(shapes[i][1], 32);
        for (int i = problem_shapes(problem_find("copy_stride"), &stride, &rng, shapes, NULL);
             i-- > 0;)
            ck_assert_int_eq(shapes[i][1], 8);
    }
}
END_TEST

/* ---- points ---- */

START_TEST(speed_is_paid_by_ratio)
{
    ck_assert_double_eq(score_speed(10, 1, 1.2), 10);
    ck_assert_double_eq(score_speed(10, 0.1, 1.2), 10);
    ck_assert_double_eq(score_speed(10, 1.2, 1.2), 10);
    ck_assert_double_eq(score_speed(10, 2.4, 1.2), 5);
    ck_assert_double_eq(score_speed(10, 10, 1.2), 1.2);
    ck_assert_double_eq(score_speed(10, 10.01, 1.2), 0);
    ck_assert_double_eq(score_speed(10, NAN, 1.2), 0);
    ck_assert_double_eq(score_speed(10, INFINITY, 1.2), 0);
    ck_assert_double_eq(score_speed(10, 0, 1.2), 0);
    ck_assert_double_eq(score_speed(10, 2, 2), 10);
    ck_assert_double_eq(score_speed(10, 4, 2), 5);
    ck_assert_double_eq(score_speed(10, 1.4, 1.2), 8.6); /* 8.571, rounded to the next tenth */
    ck_assert_double_eq(score_speed(10, 1.3, 1.2), 9.2); /* 9.231, rounded */
}
END_TEST

START_TEST(another_technique_earns_at_most_half)
{
    static const struct budget budgets[] = {{METRIC_GLD_REQUESTS, AT_MOST, 1, 2, "why"}, {0}};
    const struct step step = {.correct_points = 5, .speed_points = 2, .budgets = budgets},
                      host = {.correct_points = 6, .speed_points = 4};
    ck_assert_int_eq(step_max_points(&step), 9);
    ck_assert_double_eq(score_kernel(9, &step, 0, 1), 9);
    ck_assert_double_eq(score_kernel(7, &step, 1, 1), 4.5);
    ck_assert_double_eq(score_kernel(4, &step, 1, 1), 4);
    /* with its budgets met, only a time that is far too long shows another technique */
    ck_assert_double_eq(score_kernel(7, &step, 0, 3), 7);
    ck_assert_double_eq(score_kernel(7, &step, 0, 3.01), 4.5);
    ck_assert_double_eq(score_kernel(8.4, &host, 0, 2), 8.4);
    ck_assert_double_eq(score_kernel(8.3, &host, 0, 2.01), 5);
    ck_assert_double_eq(score_kernel(6, &host, 0, NAN), 6);
}
END_TEST

START_TEST(filler_raises_no_share)
{
    struct metrics own, reference;
    model_metrics_clear(&own);
    model_metrics_clear(&reference);
    own.v[METRIC_INST] = 100, own.v[METRIC_THREAD_INST] = 3000, own.v[METRIC_FFMA] = 900;
    reference.v[METRIC_INST] = 50, reference.v[METRIC_THREAD_INST] = 1600,
    reference.v[METRIC_FFMA] = 300;
    ck_assert_double_eq(score_value(METRIC_WARP_EFFICIENCY, &own, &reference), 16);
    ck_assert_double_eq(score_value(METRIC_FFMA_SHARE, &own, &reference), 10);
    ck_assert_double_eq(score_value(METRIC_FFMA_SHARE, &own, NULL), 30);
    ck_assert_double_eq(score_value(METRIC_WARP_EFFICIENCY, &reference, &own), 32);
}
END_TEST

START_TEST(budgets_and_predictions)
{
    struct budget most = {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 1, ""},
                  least = {METRIC_FFMA_SHARE, AT_LEAST, 30, 1, ""};
    ck_assert(score_budget(&most, 4));
    ck_assert(!score_budget(&most, 4.001));
    ck_assert(!score_budget(&most, NAN));
    ck_assert(score_budget(&least, 30));
    ck_assert(!score_budget(&least, 29.9));
    ck_assert(!score_budget(&least, NAN));
    ck_assert(score_prediction(&(struct prediction_result){.said = 5, .counted = 4.97, .key = -1}));
    ck_assert(
        !score_prediction(&(struct prediction_result){.said = 4, .counted = 4.97, .key = -1}));
    ck_assert(!score_prediction(&(struct prediction_result){.said = -1, .counted = -1, .key = -1}));
    ck_assert(!score_prediction(&(struct prediction_result){.said = 0, .counted = NAN, .key = -1}));
    ck_assert(score_prediction(&(struct prediction_result){.said = 4, .counted = 4.97, .key = 4}));
}
END_TEST

/* A missed budget shows another technique; one with a degree only beyond twice its limit. */
START_TEST(a_degree_is_no_other_technique)
{
    static const struct {
        struct budget b;
        double value;
        int other;
    } rows[] = {{{METRIC_GLD_REQUESTS, AT_MOST, 100, 2, "why"}, 101, 1},
        {{METRIC_GLD_REQUESTS, AT_MOST, 100, 2, "why", .degree = 1}, 200, 0},
        {{METRIC_GLD_REQUESTS, AT_MOST, 100, 2, "why", .degree = 1}, 201, 1},
        {{METRIC_FFMA_SHARE, AT_LEAST, 24, 2, "why", .degree = 1}, 12, 0},
        {{METRIC_FFMA_SHARE, AT_LEAST, 24, 2, "why", .degree = 1}, 11.9, 1},
        {{METRIC_GLD_REQUESTS, AT_MOST, 100, 2, "why", .degree = 1}, NAN, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_int_eq(score_other_technique(&rows[i].b, rows[i].value), rows[i].other);
}
END_TEST

/* Sectors are divided by the kernel's own requests, but by at least those of the reference, if the
 * step also limits requests; otherwise by those of the reference. */
START_TEST(requests_are_counted_against_once)
{
    static const struct budget both[] = {{METRIC_GLD_REQUESTS, AT_MOST, 100, 2, "why"},
        {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 1, "why"}, {0}};
    const struct step limited = {.budgets = both}, alone = {.budgets = both + 1};
    struct metrics own, reference;
    model_metrics_clear(&own);
    model_metrics_clear(&reference);
    reference.v[METRIC_GLD_REQUESTS] = 100;
    own.v[METRIC_GLD_REQUESTS] = 200, own.v[METRIC_GLD_SECTORS] = 800;
    ck_assert_double_eq(score_held(&limited, &both[1], &own, &reference), 4);
    ck_assert_double_eq(score_held(&alone, &both[1], &own, &reference), 8);
    own.v[METRIC_GLD_REQUESTS] = 25, own.v[METRIC_GLD_SECTORS] = 400; /* 16 bytes per lane */
    ck_assert_double_eq(score_held(&limited, &both[1], &own, &reference), 4);
}
END_TEST

/* If all loads together meet a budget of sectors per request, the scattered ones have to, if they
 * touch most of the sectors. */
START_TEST(scattered_loads_count_alone)
{
    static const struct budget budgets[] = {
        {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 1, "why"}, {0}};
    const struct step step = {.budgets = budgets};
    struct metrics own, reference;
    model_metrics_clear(&own);
    model_metrics_clear(&reference);
    reference.v[METRIC_GLD_REQUESTS] = 100;
    own.v[METRIC_GLD_REQUESTS] = 20, own.v[METRIC_GLD_SECTORS] = 360;
    own.v[METRIC_GLD_SCATTERED_REQUESTS] = 10, own.v[METRIC_GLD_SCATTERED_SECTORS] = 320;
    ck_assert_double_eq(score_held(&step, budgets, &own, &reference), 32);
    own.v[METRIC_GLD_SCATTERED_SECTORS] = 170;
    ck_assert_double_eq(score_held(&step, budgets, &own, &reference), 3.6);
}
END_TEST

/* ---- another size ---- */

/* A budget that is met at the step's size is missed at another if the kernel needs more there than
 * 1.5 times what the reference does, times what it needs at the step's size. */
START_TEST(another_size_needs_the_technique_too)
{
    static const struct budget budgets[] = {{METRIC_GLD_REQUESTS, AT_MOST, 100, 2, "why"},
        {METRIC_SLD_CONFLICTS, AT_MOST, 0, 1, "why"}, {METRIC_LDGSTS_INST, AT_LEAST, 100, 1, "why"},
        {0}};
    static const struct {
        double requests, conflicts, copies;
        unsigned missed;
    } rows[] = {{10, 0, 10, 0}, {14, 0, 7, 0}, {16, 0, 10, 1}, {10, 62, 10, 0}, {10, 63, 10, 2},
        {10, 0, 6, 4}, {320, 1000, 0, 7}};
    const struct step step = {.budgets = budgets};
    struct metrics own, there;
    model_metrics_clear(&own);
    own.v[METRIC_GLD_REQUESTS] = own.v[METRIC_LDGSTS_INST] = 100;
    own.v[METRIC_SLD_CONFLICTS] = 0, own.v[METRIC_SLD_INST] = own.v[METRIC_INST] = 1000;
    there = own;
    there.v[METRIC_GLD_REQUESTS] = there.v[METRIC_LDGSTS_INST] = 10;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct metrics student = there;
        student.v[METRIC_GLD_REQUESTS] = rows[i].requests;
        student.v[METRIC_SLD_CONFLICTS] = rows[i].conflicts;
        student.v[METRIC_LDGSTS_INST] = rows[i].copies;
        unsigned missed = elsewhere_find(&step, &own, &own, &student, &there);
        ck_assert_msg(missed == rows[i].missed, "row %zu: %u", i, missed);
    }
}
END_TEST

/* The other size differs from the step's, and tiles that divide the one divide the other. */
START_TEST(another_size_fits_the_same_tiles)
{
    const struct step product = {.dims = {1024, 256, 2048}, .most = {0, 512, 0}},
                      fixed = {.dims = {1 << 20, 8}, .fixed = {0, 8}};
    const struct problem *matmul = problem_find("matmul"), *offset = problem_find("copy_offset");
    for (uint64_t seed = 0; seed < 20; seed++) {
        int dims[DIMS] = {0};
        struct rng rng;
        rng_seed(&rng, seed);
        problem_other_size(matmul, &product, &rng, dims);
        ck_assert(dims[0] < 1024 && dims[0] % 128 == 0 && dims[2] < 2048 && dims[2] % 256 == 0);
        ck_assert_int_eq(dims[1], 512);
        problem_other_size(offset, &fixed, &rng, dims);
        ck_assert(dims[0] < 1 << 20 && dims[0] % (1 << 17) == 0 && dims[1] == 8);
    }
}
END_TEST

/* ---- the size of a prediction ---- */

/* The number in "m = n = 1024" for m and for n. -1: the text says none. */
static long said_of(const char *text, const char *dim)
{
    size_t n = strlen(dim);
    for (const char *at = text; (at = strstr(at, dim)); at++) {
        const char *value = at + n;
        if ((at > text && isalnum((unsigned char)at[-1])) || strncmp(value, " = ", 3)) continue;
        while (!strncmp(value, " = ", 3))
            value += 3 + strspn(value + 3, "abcdefghijklmnopqrstuvwxyz");
        if (isdigit((unsigned char)*value)) return strtol(value, NULL, 10);
    }
    return -1;
}

/* The comment above PREDICT in the skeleton, from the last TODO on, must name the size for which
 * the prediction is counted. */
static void names_its_size(
    const struct lab *lab, const struct exercise *x, const struct prediction *p)
{
    const struct step *s = &x->steps[p->step];
    const struct problem *problem = problem_find(s->problem);
    char *file = workbench_file("labs", lab, x), *text = NULL, both[64];
    struct err e;
    ck_assert_msg(!file_read(file, 1 << 20, &text, NULL, &e), "%s", e.text);
    char *end = strstr(text, "PREDICT("), *todo = text;
    ck_assert_msg(end != NULL, "%s: no PREDICT", file);
    *end = 0;
    for (char *at = text; (at = strstr(at, "// TODO")); at++) todo = at;
    char *question = prediction_question(x, p);
    snprintf(both, sizeof both, " %d x %d", s->dims[0], s->dims[1]);
    for (int i = 0; i < problem_dims(problem); i++) {
        if (i && i == problem->parameter_dim) continue;
        ck_assert_msg(said_of(question, problem->dim_names[i]) == s->dims[i], "%s", question);
        ck_assert_msg(said_of(todo, problem->dim_names[i]) == s->dims[i] ||
                          (!strcmp(problem->dim_names[0], "rows") && strstr(todo, both)),
            "%s: %s is counted %.*s; above PREDICT stands %s", file, p->name,
            (int)strcspn(question, ":"), question, todo);
    }
    free(question);
    free(text);
    free(file);
}

/* Other ways to do the work that a budget limits: what 64 of them add to the count, what they add
 * if the reference has 16, and how a message names them. */
START_TEST(budgets_see_other_ways)
{
    static const struct {
        enum metric of, way;
        double adds, beside;
        const char *said;
    } rows[] = {
        {METRIC_GLD_REQUESTS, METRIC_GATOM_REQUESTS, 64, 64, "with atomics"},
        {METRIC_GST_REQUESTS, METRIC_GATOM_REQUESTS, 64, 64, "with atomics"},
        {METRIC_GLD_REQUESTS, METRIC_BULK_LD_INST, 64, 0, "with bulk copies"},
        {METRIC_GST_REQUESTS, METRIC_BULK_ST_INST, 64, 0, "with bulk copies"},
        {METRIC_GLD_SECTORS_PER_REQUEST, METRIC_BULK_LD_SECTORS, 0.64, 0, "with bulk copies"},
        {METRIC_GST_SECTORS_PER_REQUEST, METRIC_BULK_ST_SECTORS, 0.64, 0, "with bulk copies"},
        {METRIC_FFMA, METRIC_FMUL, 64, 48, "with multiplications"},
        {METRIC_FFMA, METRIC_DFMA, 64, 48, "with products of doubles"},
        {METRIC_FFMA, METRIC_DMUL, 64, 48, "with products of doubles"},
        {METRIC_FFMA, METRIC_DMMA, 64 * 256, 48 * 256, "with products of doubles"},
        {METRIC_FFMA, METRIC_HALF_FLOP, 32, 24, "with products of halves"},
        {METRIC_FFMA, METRIC_TENSOR_FLOP, 32, 0, "with tensor products"},
        {METRIC_SLD_INST, METRIC_LDSM_INST, 64, 48, "with ldmatrix"},
        {METRIC_SLD_INST, METRIC_SATOM_INST, 64, 48, "with atomics"},
        {METRIC_SLD_CONFLICTS, METRIC_SATOM_INST, 64, 48, "with atomics"},
        {METRIC_SLD_CONFLICTS, METRIC_SLD_IDLE, 2, 1.5, "with loads by few threads at a time"},
        {METRIC_SLD_CONFLICTS, METRIC_SHUFFLE_THREADS, 2, 1.5, "with shuffles"},
        {METRIC_SST_CONFLICTS, METRIC_SATOM_INST, 64, 48, "with atomics"},
        {METRIC_SST_CONFLICTS, METRIC_SST_IDLE, 2, 1.5, "with stores by few threads at a time"},
        {METRIC_SST_CONFLICTS, METRIC_SHUFFLE_THREADS, 2, 1.5, "with shuffles"},
        {METRIC_SST_CONFLICTS, METRIC_LDGSTS_CONFLICTS, 64, 48, "with asynchronous copies"},
        {METRIC_BARRIER, METRIC_MBARRIER, 64, 48, "with mbarriers"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct metrics own, reference;
        for (int m = 0; m < METRIC_COUNT; m++) own.v[m] = reference.v[m] = 0;
        own.v[METRIC_GLD_REQUESTS] = reference.v[METRIC_GLD_REQUESTS] = 100;
        own.v[METRIC_GST_REQUESTS] = reference.v[METRIC_GST_REQUESTS] = 100;
        double before = score_value(rows[i].of, &own, &reference);
        ck_assert_int_eq(score_way(rows[i].of, &own, &reference), METRIC_COUNT);
        own.v[rows[i].way] = 64;
        enum metric way = score_way(rows[i].of, &own, &reference);
        ck_assert_int_eq(way, rows[i].way);
        ck_assert_str_eq(score_way_said(rows[i].of, way), rows[i].said);
        ck_assert_double_eq_tol(
            score_value(rows[i].of, &own, &reference) - before, rows[i].adds, 1e-9);
        reference.v[rows[i].way] = 16;
        ck_assert_double_eq_tol(
            score_value(rows[i].of, &own, &reference) - before, rows[i].beside, 1e-9);
    }
}
END_TEST

START_TEST(a_prediction_names_its_size)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++)
            for (const struct prediction *p = x->predictions; p && p->name; p++)
                names_its_size(*l, x, p);
}
END_TEST

/* The value that is compared with a budget's limit, by hand. */
START_TEST(budgets_see_the_technique)
{
    struct metrics own, reference;
    model_metrics_clear(&own);
    model_metrics_clear(&reference);
    own.v[METRIC_GST_REQUESTS] = 100, own.v[METRIC_GST_SECTORS] = 400;
    ck_assert_double_eq(score_value(METRIC_GST_SECTORS_PER_REQUEST, &own, NULL), 4);
    /* atomics count as stores */
    own.v[METRIC_GATOM_REQUESTS] = 100, own.v[METRIC_GATOM_SECTORS] = 3200;
    ck_assert_double_eq(score_value(METRIC_GST_SECTORS_PER_REQUEST, &own, NULL), 18);
    ck_assert_double_eq(score_value(METRIC_GST_REQUESTS, &own, NULL), 200);
    /* many cheap stores lower the mean */
    own.v[METRIC_GST_REQUESTS] = 900, own.v[METRIC_GST_SECTORS] = 1200;
    ck_assert_double_eq(score_value(METRIC_GST_SECTORS_PER_REQUEST, &own, &reference), 4.4);
    reference.v[METRIC_GST_REQUESTS] = 100;
    ck_assert_double_eq(score_value(METRIC_GST_SECTORS_PER_REQUEST, &own, &reference), 44);
    own.v[METRIC_SLD_CONFLICTS] = 0, own.v[METRIC_SLD_INST] = 6;
    /* the reference uses no tile either */
    ck_assert_double_eq(score_value(METRIC_SLD_CONFLICTS, &own, &reference), 0);
    reference.v[METRIC_SLD_INST] = 100;
    static const enum metric tiled[] = {METRIC_SLD_CONFLICTS, METRIC_SST_CONFLICTS, METRIC_BARRIER,
        METRIC_SLD_INST, METRIC_SLD_WAVEFRONTS};
    for (size_t i = 0; i < sizeof tiled / sizeof *tiled; i++) {
        own.v[tiled[i]] = tiled[i] == METRIC_SLD_INST ? 6 : 0;
        ck_assert_double_nan(score_value(tiled[i], &own, &reference));
    }
    own.v[METRIC_SLD_INST] = 7; /* as few as with loads of 16 bytes and 4 x 4 outputs per thread */
    ck_assert_double_eq(score_value(METRIC_SLD_CONFLICTS, &own, &reference), 0);
    /* a tile that does not help the accesses to global memory; own: 1000 requests, 4400 sectors */
    reference.v[METRIC_GST_SECTORS] = 4400;
    ck_assert_int_eq(score_no_tile(METRIC_SLD_CONFLICTS, &own, &reference), TILE_USED);
    reference.v[METRIC_GST_SECTORS] = 2200;
    ck_assert_int_eq(score_no_tile(METRIC_SLD_CONFLICTS, &own, &reference), TILE_SCATTERED);
    ck_assert_int_eq(score_no_tile(METRIC_SLD_INST, &own, &reference), TILE_USED);
    /* where the reference multiplies, other sectors may have other causes */
    reference.v[METRIC_TENSOR_FLOP] = 1;
    ck_assert_int_eq(score_no_tile(METRIC_SLD_CONFLICTS, &own, &reference), TILE_USED);
    reference.v[METRIC_TENSOR_FLOP] = 0;
    /* ldmatrix counts as four loads */
    own.v[METRIC_SLD_INST] = 3;
    ck_assert_int_eq(score_no_tile(METRIC_SLD_INST, &own, &reference), TILE_UNLOADED);
    own.v[METRIC_LDSM_INST] = 1;
    ck_assert_int_eq(score_no_tile(METRIC_SLD_INST, &own, &reference), TILE_USED);
    own.v[METRIC_SLD_INST] = 7, own.v[METRIC_LDSM_INST] = 0;
    /* two additions and one product count as two multiply-adds, additions alone as none */
    own.v[METRIC_FFMA] = 0, own.v[METRIC_FMUL] = 16, own.v[METRIC_FADD] = 32;
    ck_assert_double_eq(score_value(METRIC_FFMA, &own, &reference), 32);
    own.v[METRIC_FMUL] = 0;
    ck_assert_double_eq(score_value(METRIC_FFMA, &own, &reference), 0);
    own.v[METRIC_LOCAL_ST] = 900 * 16;
    ck_assert_double_eq(score_value(METRIC_GST_REQUESTS, &own, &reference), 1000);
    own.v[METRIC_LOCAL_ST] += 50;
    ck_assert_double_eq(score_value(METRIC_GST_REQUESTS, &own, &reference), 1050);
    own.v[METRIC_SATOM_INST] = 7;
    ck_assert_double_eq(score_value(METRIC_GST_REQUESTS, &own, &reference), 1057);
}
END_TEST

START_TEST(the_costliest_line_is_blamed)
{
    struct line_counts lines[3] = {{10, {{0}}}, {11, {{0}}}, {12, {{0}}}};
    struct measurement m = {.lines = lines, .line_count = 3};
    struct budget sectors = {METRIC_GLD_SECTORS_PER_REQUEST, AT_MOST, 4, 1, ""},
                  requests = {METRIC_GLD_REQUESTS, AT_MOST, 10, 1, ""},
                  readonly = {METRIC_GLD_READONLY, AT_LEAST, 10, 1, ""},
                  efficiency = {METRIC_GLD_EFFICIENCY, AT_LEAST, 80, 1, ""};
    for (int i = 0; i < 3; i++) model_metrics_clear(&lines[i].metrics);
    /* line 0 meets the budget of sectors per request */
    lines[0].metrics.v[METRIC_GLD_REQUESTS] = 1000, lines[0].metrics.v[METRIC_GLD_SECTORS] = 4000;
    lines[1].metrics.v[METRIC_GLD_REQUESTS] = 100, lines[1].metrics.v[METRIC_GLD_SECTORS] = 3200;
    ck_assert_int_eq(score_blame(&sectors, &m, NULL), 1);
    ck_assert_int_eq(score_blame(&requests, &m, NULL), 0);
    ck_assert_int_eq(score_blame(&readonly, &m, NULL), -1);
    lines[2].metrics.v[METRIC_GATOM_REQUESTS] = 2000, /* atomics count as requests */
        lines[2].metrics.v[METRIC_GATOM_SECTORS] = 64000;
    m.metrics = lines[2].metrics;
    ck_assert_int_eq(score_blame(&requests, &m, NULL), 2);
    ck_assert_int_eq(score_blame(&sectors, &m, NULL), 2);
    /* Transactions of 128 bytes (2.x): line 0 uses all bytes that it moves, line 1 less than
     * 80%. */
    lines[0].metrics.v[METRIC_GLD_BYTES] = lines[0].metrics.v[METRIC_GLD_MOVED] = 128 * 1000;
    lines[1].metrics.v[METRIC_GLD_BYTES] = 100 * 10,
    lines[1].metrics.v[METRIC_GLD_MOVED] = 128 * 10;
    lines[0].metrics.v[METRIC_GLD_SECTORS] = 1000, lines[1].metrics.v[METRIC_GLD_SECTORS] = 10;
    ck_assert_int_eq(score_blame(&efficiency, &m, NULL), 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab");
    TCase *c = tcase_create("pure");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, every_problem_is_whole);
    tcase_add_test(c, inputs_come_from_the_seed);
    tcase_add_test(c, answers_by_hand);
    tcase_add_test(c, rates_are_those_of_the_documents);
    tcase_add_test(c, tolerance_follows_k);
    tcase_add_test(c, tolerance_follows_the_type);
    tcase_add_test(c, one_wrong_element_is_found_anywhere);
    tcase_add_test(c, mismatches_are_explained);
    tcase_add_test(c, shapes_hold_what_breaks_kernels);
    tcase_add_test(c, shapes_hold_every_kind);
    tcase_add_test(c, each_dimension_alone_is_partly_filled_once);
    tcase_add_test(c, shapes_respect_the_step);
    tcase_add_test(c, speed_is_paid_by_ratio);
    tcase_add_test(c, another_technique_earns_at_most_half);
    tcase_add_test(c, filler_raises_no_share);
    tcase_add_test(c, budgets_and_predictions);
    tcase_add_test(c, budgets_see_the_technique);
    tcase_add_test(c, budgets_see_other_ways);
    tcase_add_test(c, a_prediction_names_its_size);
    tcase_add_test(c, a_degree_is_no_other_technique);
    tcase_add_test(c, requests_are_counted_against_once);
    tcase_add_test(c, scattered_loads_count_alone);
    tcase_add_test(c, another_size_needs_the_technique_too);
    tcase_add_test(c, another_size_fits_the_same_tiles);
    tcase_add_test(c, the_costliest_line_is_blamed);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
