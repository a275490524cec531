/* test_lab_tensor.c - the tolerance of products by tensor cores: what rounding to TF32 may do. */
#include "cli/cli.h"
#include "explain/explain.h"
#include "exercise/exercise.h"
#include "judge/judge.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x with `bits` bits behind the point of its mantissa: rounded to nearest, or cut off. */
static float short_of(float x, int bits, int cut)
{
    uint32_t u, unit = 1u << (23 - bits);
    memcpy(&u, &x, sizeof u);
    u = (u + (cut ? 0 : unit / 2)) & ~(unit - 1);
    memcpy(&x, &u, sizeof x);
    return x;
}

/* x as a half: as TF32, but below 2^-14 in steps of 2^-24. */
static float half_of(float x)
{
    if (fabsf(x) >= 65520) return INFINITY;
    return fabsf(x) < 0x1p-14f ? (float)(nearbyint(x * 0x1p24) * 0x1p-24) : short_of(x, 10, 0);
}

/* TF32, BFLOAT, HALF: products of factors rounded to the format. TWO_PRODUCTS: factors are split
 * into a big and a small TF32 part, and big big and small big are added; THREE_PRODUCTS: big small
 * as well. CUT: cut off instead of rounded. */
enum how { TF32, BFLOAT, HALF, TF32_CUT, TWO_PRODUCTS, THREE_PRODUCTS, THREE_CUT };

static double term(float a, float b, enum how how)
{
    if (how == BFLOAT) return (double)short_of(a, 7, 0) * short_of(b, 7, 0);
    if (how == HALF) return (double)half_of(a) * half_of(b);
    int cut = how == TF32_CUT || how == THREE_CUT;
    float a_big = short_of(a, 10, cut), b_big = short_of(b, 10, cut);
    float a_small = short_of(a - a_big, 10, cut), b_small = short_of(b - b_big, 10, cut);
    double sum = (double)a_big * b_big;
    if (how >= TWO_PRODUCTS) sum += (double)a_small * b_big;
    if (how >= THREE_PRODUCTS) sum += (double)a_big * b_small;
    return sum;
}

/* Is a product computed as `how` says accepted? small: a is a hundred thousand times smaller. */
static int accepted_of(const char *problem, int k, enum how how, int small)
{
    const int dims[DIMS] = {61, k, 67};
    struct instance in;
    struct expected want;
    struct finding found;
    struct buf why = {0};
    instance_make(&in, problem_find(problem), dims, 20);
    float *a = in.data[0], *b = in.data[1];
    for (int i = 0; small && i < dims[0] * k; i++) a[i] *= 1e-5f;
    for (int i = 0; i < dims[0] * dims[2]; i++) {
        double sum = 0;
        for (int l = 0; l < k; l++)
            sum += term(a[i / dims[2] * k + l], b[l * dims[2] + i % dims[2]], how);
        ((float *)in.data[2])[i] = (float)sum;
    }
    expected_make(&want, &in);
    int ok = !explain_output(&in, &want, in.data[2], &found, &why);
    buf_free(&why);
    expected_free(&want);
    instance_free(&in);
    return ok;
}

static int accepted(const char *problem, int k, enum how how)
{
    return accepted_of(problem, k, how, 0);
}

START_TEST(tf32_has_a_tolerance_of_its_own)
{
    static const int depths[] = {1, 2, 3, 8, 33, 500, 2048};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        int k = depths[i];
        ck_assert_msg(accepted("matmul_tf32", k, TF32), "k = %d", k);
        ck_assert_msg(accepted("matmul_tf32", k, THREE_PRODUCTS), "k = %d", k);
        ck_assert_msg(!accepted("matmul_tf32", k, BFLOAT), "k = %d", k);
        ck_assert_msg(!accepted("matmul", k, TF32), "k = %d", k);
        ck_assert_msg(!accepted("matmul", k, TWO_PRODUCTS), "k = %d", k);
        ck_assert_msg(accepted("matmul", k, THREE_PRODUCTS), "k = %d", k);
    }
    /* if factors are cut off, the errors of all terms have one sign; a big part that is cut off
     * makes small small, which is left out, four times as large */
    ck_assert(!accepted("matmul_tf32", 8, TF32_CUT));
    ck_assert(!accepted("matmul", 1, THREE_CUT));
}
END_TEST

START_TEST(a_half_is_coarse_where_it_is_small)
{
    static const int depths[] = {1, 2, 3, 8, 33, 500, 2048};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        int k = depths[i];
        ck_assert_msg(accepted("matmul_half", k, HALF), "k = %d", k);
        ck_assert_msg(accepted("matmul_half", k, TF32), "k = %d", k);
        ck_assert_msg(!accepted("matmul_half", k, BFLOAT), "k = %d", k);
        ck_assert_msg(!accepted("matmul", k, HALF), "k = %d", k);
        ck_assert_msg(!accepted("matmul_tf32", k, HALF), "k = %d", k);
        ck_assert_msg(accepted_of("matmul_half", k, HALF, 1), "k = %d", k);
        ck_assert_msg(!accepted_of("matmul_tf32", k, HALF, 1), "k = %d", k);
    }
}
END_TEST

/* Factors that are halves by themselves are not rounded: their product is held to the tolerance of
 * floats. */
START_TEST(halves_are_drawn_and_multiplied_exactly)
{
    struct instance in;
    instance_make(&in, problem_find("matmul_halves"), (int[DIMS]){61, 33, 67}, 20);
    for (int b = 0; b < 2; b++) {
        uint16_t *halves = instance_halves(&in, b);
        ck_assert_uint_eq(instance_bytes(&in, b), 2 * in.count[b]);
        for (size_t i = 0; i < in.count[b]; i++) {
            int exponent = halves[i] >> 10 & 31, digits = halves[i] & 1023;
            double value = exponent ? ldexp(1024 + digits, exponent - 25) : ldexp(digits, -24);
            float x = ((float *)in.data[b])[i];
            ck_assert_msg(x == (halves[i] >> 15 ? -value : value), "%a is not %#x", x, halves[i]);
            ck_assert(fabsf(x) <= 1);
        }
        free(halves);
    }
    ck_assert_ptr_null(instance_halves(&in, 2));
    instance_free(&in);
    ck_assert(accepted("matmul_halves", 500, HALF));
    ck_assert(!accepted("matmul_halves", 500, BFLOAT));
}
END_TEST

/* The kernels for tensor cores continue the series of kernels for C = A B: each is compared with
 * the one before it. */
START_TEST(tensor_cores_are_on_the_ladder)
{
    struct err e;
    struct rung before;
    const struct lab *lab = options_lab("09", &e);
    const struct exercise *one = options_exercise(lab, "matmul_tf32", &e),
                          *half = options_exercise(lab, "matmul_half", &e),
                          *three = options_exercise(lab, "matmul_3xtf32", &e);
    ck_assert_int_eq(ladder_before(lab, one, 0, &before), 0);
    ck_assert_str_eq(before.exercise->steps[before.step].problem, "matmul");
    ck_assert_str_lt(before.lab->name, lab->name);
    ck_assert_int_eq(ladder_before(lab, half, 0, &before), 0);
    ck_assert_ptr_eq(before.exercise, one);
    ck_assert_int_eq(ladder_before(lab, three, 0, &before), 0);
    ck_assert_ptr_eq(before.exercise, half);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lab tensor");
    TCase *c = tcase_create("tensor");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, tf32_has_a_tolerance_of_its_own);
    tcase_add_test(c, a_half_is_coarse_where_it_is_small);
    tcase_add_test(c, halves_are_drawn_and_multiplied_exactly);
    tcase_add_test(c, tensor_cores_are_on_the_ladder);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
