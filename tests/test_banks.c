/* test_banks.c - wavefronts and bank conflicts of shared memory: counted by hand or measured on an
 * H200. */
#include "base/base.h"
#include "model/model.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#define ALL 0xffffffffu

/* ---- banks ---- */

static void expect_banks(
    const char *what, struct model_shared got, unsigned wavefronts, unsigned conflicts)
{
    ck_assert_msg(got.wavefronts == wavefronts && got.conflicts == conflicts,
        "%s: %u wavefronts, %u conflicts; expected %u and %u", what, got.wavefronts, got.conflicts,
        wavefronts, conflicts);
}

START_TEST(banks_as_measured)
{
    const struct model_profile *p = model_profile_find("h200");
    uint32_t addr[32];
#define BANKS(bytes, mask, expr, ldw, ldc, stw, stc) \
    for (unsigned i = 0; i < 32; i++) addr[i] = expr; \
    expect_banks( \
        "load, " #bytes " bytes, " #mask ", " #expr, model_banks(p, addr, mask, bytes), ldw, ldc); \
    expect_banks("store, " #bytes " bytes, " #mask ", " #expr, \
        model_banks_store(p, addr, mask, bytes), stw, stc);
#include "banks_h200.h"
}
END_TEST

/* A stride of s words reaches 32 / gcd(s, 32) banks. */
START_TEST(banks_strides)
{
    for (unsigned s = 1; s <= 33; s++) {
        unsigned gcd = 1;
        while (s % (2 * gcd) == 0 && gcd < 32) gcd *= 2;
        uint32_t up[32], down[32];
        for (unsigned i = 0; i < 32; i++) {
            up[i] = 4 * s * i;
            down[i] = 4 * s * (31 - i);
        }
        expect_banks("upwards", model_banks(model_profile_find("tiny"), up, ALL, 4), gcd, gcd - 1);
        expect_banks(
            "downwards", model_banks(model_profile_find("tiny"), down, ALL, 4), gcd, gcd - 1);
    }
}
END_TEST

/* A column of a tile, as the transposes read it: 32-way bank conflicts without padding, none with
 * rows padded by 1 word, 2-way by 2. */
START_TEST(banks_padding)
{
    const unsigned ways[] = {32, 1, 2, 1, 4};
    for (unsigned pad = 0; pad < 5; pad++) {
        uint32_t addr[32];
        for (unsigned i = 0; i < 32; i++) addr[i] = 4 * (7 + i * (32 + pad));
        expect_banks("a column", model_banks(model_profile_find("h200"), addr, ALL, 4), ways[pad],
            ways[pad] - 1);
    }
}
END_TEST

START_TEST(banks_edges)
{
    const struct model_profile *p = model_profile_find("h200");
    uint32_t addr[32] = {0};
    expect_banks("nobody", model_banks(p, addr, 0, 4), 0, 0);
    expect_banks("nobody, wide", model_banks_store(p, addr, 0, 16), 0, 0);
    for (int i = 0; i < 32; i++) /* four words, two in each of two banks */
        addr[i] = 4 * (i % 2 ? 32 : 0) + i / 2 % 2 * 4;
    expect_banks("multicast of two words a bank", model_banks(p, addr, ALL, 4), 2, 1);
    /* Programming Guide, compute capability 5.x, figure "Irregular Shared Memory Accesses": none of
     * its three patterns, which follow, has a conflict */
    for (int i = 0; i < 32; i++) addr[i] = 4 * (i * 13 % 32);
    expect_banks("a permutation", model_banks(p, addr, ALL, 4), 1, 0);
    for (int i = 0; i < 32; i++) addr[i] = 4 * (0x2d8 >> i & 1 ? 5 : i);
    expect_banks("threads 3, 4, 6, 7, 9 with 5 in bank 5", model_banks(p, addr, ALL, 4), 1, 0);
    for (int i = 0; i < 32; i++) addr[i] = 4 * (i % 2 ? 12 : 20);
    expect_banks("two words for all", model_banks(p, addr, ALL, 4), 1, 0);
    for (int i = 0; i < 32; i++) addr[i] = i / 4 * 4 + i % 4; /* four lanes read each word */
    expect_banks("bytes of one word", model_banks(p, addr, ALL, 1), 1, 0);
    for (int i = 0; i < 32; i++)
        addr[i] = 12 * i; /* the first words of 12-byte elements: stride 3 */
    expect_banks("12-byte elements", model_banks(p, addr, ALL, 4), 1, 0);
}
END_TEST

/* The rule for 4-byte words by brute force: as many wavefronts as the fullest bank has words. */
START_TEST(banks_agree_with_the_long_way_round)
{
    struct rng r;
    rng_seed(&r, 2);
    for (int n = 0; n < 20000; n++) {
        uint32_t addr[32], words[32], range = 1 + rng_below(&r, n % 2 ? 40 : 400);
        uint32_t step = rng_below(&r, 4) - 1, gap = rng_below(&r, 150) - 50,
                 mask = n % 4 ? ALL : rng_u64(&r);
        unsigned distinct = 0, in_bank[32] = {0}, most = 0;
        for (int i = 0; i < 32; i++) {
            addr[i] =
                4 * (n % 3 ? rng_below(&r, range) : 500 + step * (i % 16) + (uint32_t)i / 16 * gap);
            unsigned k = 0;
            while (k < distinct && words[k] != addr[i] / 4) k++;
            if (!(mask >> i & 1) || k < distinct) continue;
            words[distinct++] = addr[i] / 4;
            if (++in_bank[addr[i] / 4 % 32] > most) most = in_bank[addr[i] / 4 % 32];
        }
        expect_banks("random", model_banks(model_profile_find("h200"), addr, mask, 4), most,
            most ? most - 1 : 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("banks");
    TCase *c = tcase_create("banks");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, banks_as_measured);
    tcase_add_test(c, banks_strides);
    tcase_add_test(c, banks_padding);
    tcase_add_test(c, banks_edges);
    tcase_add_test(c, banks_agree_with_the_long_way_round);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
