/* test_model_tensor.c - sums of tensor cores: addends are cut off relative to the largest exponent,
 * and whole products of matrices give what single sums give. */
#include "base/base.h"
#include "model/model.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* c + a0 b0 + a1 b1 + ..., factors in TF32. */
static float sum(struct model_tensor rule, float c, const float *a, const float *b, int count)
{
    struct model_number x[16], y[16];
    for (int i = 0; i < count; i++) {
        model_number(&x[i], 8, 10, bits_of(a[i]) >> 13);
        model_number(&y[i], 8, 10, bits_of(b[i]) >> 13);
    }
    return float_of(model_tensor_sum(rule, x, y, count, bits_of(c), 0));
}

START_TEST(sums_are_cut_off)
{
    struct model_tensor hopper = model_profile_find("h200")->tensor_tf32,
                        ampere = model_profile_find("a100")->tensor_tf32;
    ck_assert_int_eq(hopper.products, 16);
    ck_assert_int_eq(ampere.products, 4);
    const float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    /* 1 plus 3/4 of its last bit is cut off to 1; an addition of floats rounds it up */
    const float little[1] = {3 * 0x1p-25f};
    ck_assert_float_eq(sum(hopper, 1, little, ones, 1), 1);
    ck_assert_float_eq(1 + 3 * 0x1p-25f, 1 + 0x1p-23f);
    /* negative sums are cut off towards 0, too */
    const float less[1] = {-3 * 0x1p-25f};
    ck_assert_float_eq(sum(hopper, -1, less, ones, 1), -1);
    /* 8 times 2^-26 together exceed the last bit of 1, but each is cut off before it is added */
    float eighths[8];
    for (int i = 0; i < 8; i++) eighths[i] = 0x1p-26f;
    ck_assert_float_eq(sum(hopper, 1, eighths, ones, 8), 1);
    /* 8 times 2^-25: an H200 keeps bit 25 behind the point of each addend, and four of these make
     * up the last bit of the sum, 2^-23 */
    for (int i = 0; i < 8; i++) eighths[i] = 0x1p-25f;
    ck_assert_float_eq(sum(hopper, 1, eighths, ones, 8), 1 + 2 * 0x1p-23f);
    ck_assert_float_eq(sum(ampere, 1, eighths, ones, 8), 1); /* an A100 keeps 24 bits */
    /* a TF32 factor has 10 bits behind the point: further bits are ignored */
    const float fine[1] = {1 + 0x1p-10f + 0x1p-11f};
    ck_assert_float_eq(sum(hopper, 0, fine, ones, 1), 1 + 0x1p-10f);
}
END_TEST

/* Random bits of a format: numbers of similar size; wild: any bits, with zeros, subnormal numbers,
 * infinities, NaN. */
static uint32_t draw(struct rng *rng, int exponent_bits, int mantissa_bits, int wild)
{
    uint32_t any = (uint32_t)rng_u64(rng) & ((2u << (exponent_bits + mantissa_bits)) - 1);
    uint32_t most = (1u << exponent_bits) - 1, field = any >> mantissa_bits & most;
    if (wild) return rng_below(rng, 3) ? any : any & ~(most << mantissa_bits);
    uint32_t near = (most >> 1) - 6 + field % 12;
    return (any & ~(most << mantissa_bits)) | near << mantissa_bits;
}

START_TEST(tiles_are_as_one_by_one)
{
    static const int formats[][2] = {{8, 10}, {8, 7}, {5, 10}};
    static const struct model_tensor rules[] = {{16, 25}, {8, 24}, {4, 24}, {4, 23}};
    struct rng rng;
    rng_seed(&rng, 9);
    for (int trial = 0; trial < 600; trial++) {
        enum { STRIDE = 32, TILES = 2, N = 8 * TILES };
        uint32_t a[16][STRIDE], b[N][STRIDE], c[16 * TILES][8], d[16 * TILES][8];
        const int *f = formats[trial % 3], k = 4 << trial % 4, wild = trial % 5 == 0;
        struct model_tensor rule = rules[trial / 3 % 4];
        int sparse = trial % 11 == 0; /* mostly zeros, whose signs count */
        for (int i = 0; i < (16 + N) * k; i++)
            (i < 16 * k ? a[i / k] : b[i / k - 16])[i % k] =
                sparse && rng_below(&rng, 4) ? 0
                                             : draw(&rng, f[0], f[1], wild && !rng_below(&rng, 9));
        for (int i = 0; i < 128 * TILES; i++)
            c[i / 8][i % 8] = trial % 7 && !sparse ? draw(&rng, 8, 23, wild && !rng_below(&rng, 9))
                              : rng_below(&rng, 2) ? 0x80000000u
                                                   : 0;
        memcpy(d, c, sizeof d);
        model_tensor_tiles(rule, f[0], f[1], a[0], b[0], STRIDE, k, TILES, d);
        for (int i = 0; i < 16 * TILES; i++)
            for (int j = 0; j < 8; j++) {
                struct model_number x[STRIDE], y[STRIDE];
                for (int l = 0; l < k; l++) {
                    model_number(&x[l], f[0], f[1], a[i % 16][l]);
                    model_number(&y[l], f[0], f[1], b[i / 16 * 8 + j][l]);
                }
                uint32_t want = model_tensor_sum(rule, x, y, k, c[i][j], 0);
                ck_assert_msg(d[i][j] == want, "trial %d, %d, %d: %08x, not %08x", trial, i, j,
                    d[i][j], want);
            }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tensor");
    TCase *c = tcase_create("sums");
    tcase_add_test(c, sums_are_cut_off);
    tcase_add_test(c, tiles_are_as_one_by_one);
    suite_add_tcase(s, c);
    return suite_run(s);
}
