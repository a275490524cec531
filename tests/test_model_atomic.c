/* test_model_atomic.c - atomic operations on global memory: their turns (lanes that name the same
 * address are served one after the other, a turn each), and the slices of the L2. */
#include "base/base.h"
#include "model/model.h"
#include "suite.h"

#define ALL 0xffffffffu

static const struct model_profile *profile(const char *name)
{
    const struct model_profile *p = model_profile_find(name);
    ck_assert_msg(p != NULL, "no profile %s", name);
    return p;
}

#define ATOMIC(device, expr, mask, width, want) \
    do { \
        uint64_t addr_[32]; \
        for (int i = 0; i < 32; i++) addr_[i] = 0x10000 + (uint64_t)(expr); \
        struct model_turns turns_; \
        unsigned got_ = model_atomic(profile(device), addr_, mask, width, &turns_).turns; \
        ck_assert_msg( \
            got_ == want, "%s, mask %x, %d bytes: %u sectors", #expr, mask, width, got_); \
    } while (0)

START_TEST(atomics_take_turns)
{
    /* no two lanes name the same address: one turn for each of 4 sectors */
    ATOMIC("h200", 4 * i, ALL, 4, 4);
    ATOMIC("h200", 0, ALL, 4, 32);               /* all lanes name one address: 32 turns */
    ATOMIC("h200", 4 * (i % 8), ALL, 4, 4);      /* one sector of 8 words, 4 turns */
    ATOMIC("h200", 8 * (i % 8), ALL, 8, 8);      /* two sectors, 4 turns each */
    ATOMIC("h200", 32 * (i % 8), ALL, 4, 32);    /* eight sectors, 4 turns each */
    ATOMIC("h200", i < 31 ? 0 : 64, ALL, 4, 32); /* 31 turns for one sector, one for the other */
    ATOMIC("h200", 4 * (i / 16), ALL, 4, 16);
    ATOMIC("h200", 0, 0x11u, 4, 2);
    ATOMIC("h200", 0, 0, 4, 0);
    ATOMIC("gtx1080", 0, ALL, 4, 1); /* the turns of this GPU are not known */
}
END_TEST

/* Words 2 KiB apart are not taken for the same word, by either way of counting. */
START_TEST(atomics_far_apart_stay_apart)
{
    const struct model_profile *p = profile("h200");
    uint64_t addr[32];
    struct model_turns turns;
    for (int i = 0; i < 32; i++) addr[i] = 0x10000 + (i < 16 ? 0 : 2048);
    struct model_global g = model_atomic(p, addr, ALL, 4, &turns);
    ck_assert_uint_eq(g.sectors, 2);
    ck_assert_uint_eq(g.turns, 32);
    unsigned lines = 0; /* a bit for each of the two lines that has turns */
    for (unsigned i = 0; i < turns.count; i++)
        lines |= 1u << (turns.line[i].addr == 0x10000 ? 0 : 1);
    ck_assert_uint_eq(lines, 3);
    ATOMIC("h200", i < 16 ? 0 : 2052, ALL, 4, 32);
}
END_TEST

/* Additions to 4, 256, 512 ... bytes keep so many slices of an H200 busy: measured up to 4 KiB. */
START_TEST(slices_of_small_arrays)
{
    static const unsigned rows[][2] = {
        {4, 1}, {256, 1}, {512, 2}, {1024, 2}, {4096, 8}, {1 << 20, 88}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        unsigned slices = 0, busy[MODEL_SLICES] = {0};
        for (unsigned at = 0; at < rows[k][0]; at += 4)
            slices += !busy[model_slice(at, model_slices(profile("h200")))]++;
        ck_assert_uint_eq(slices, rows[k][1]);
    }
}
END_TEST

/* Checks the turns, in which lanes that name the same address are served one after the other: a
 * sector takes as many as lanes name its most named address, a line the sum of its sectors, and all
 * lines together `all`. */
static int turns_agree(const uint64_t addr[32], uint32_t mask, unsigned bytes, unsigned all,
    const struct model_turns *t)
{
    uint64_t line = bytes < 4 ? 32 * bytes : 128;
    unsigned sum = 0, wrong = 0, seen = 0;
    for (unsigned i = 0; i < t->count; i++) {
        uint64_t from = t->line[i].addr;
        unsigned turns = 0, got = 0;
        for (unsigned k = 0; k < t->count; k++)
            got += t->line[k].addr == from ? t->line[k].turns : 0;
        for (uint64_t sector = from; sector < from + line; sector += 32) {
            unsigned most = 0;
            for (int k = 0; k < 32; k++) {
                unsigned named = 0;
                if (!(mask >> k & 1) || addr[k] / 32 != sector / 32) continue;
                seen |= 1u << k;
                for (int j = 0; j < 32; j++)
                    named += (mask >> j & 1) && addr[j] / bytes == addr[k] / bytes;
                most = named > most ? named : most;
            }
            turns += most;
        }
        wrong += got != turns;
        sum += t->line[i].turns;
    }
    return !wrong && sum == all && seen == mask;
}

static unsigned different(const uint64_t addr[32], uint32_t mask)
{
    unsigned n = 0;
    for (int l = 0; l < 32; l++) {
        unsigned first = mask >> l & 1;
        for (int k = 0; k < l; k++) first &= !(mask >> k & 1) || addr[k] != addr[l];
        n += first;
    }
    return n;
}

/* By brute force, for words that lie close together or far apart. An atomic operation has the
 * sectors and lines of a store; turns come on top. */
START_TEST(turns_agree_with_the_long_way_round)
{
    struct rng r;
    rng_seed(&r, 1);
    for (int n = 0; n < 20000; n++) {
        static const unsigned ranges[] = {1, 8, 64, 300, 4096, 100000};
        uint64_t addr[32], range = 1 + rng_below(&r, ranges[n % 6]),
                           base = rng_below(&r, 1 << 20) * 256;
        unsigned bytes = 1u << rng_below(&r, 5);
        uint32_t mask = n % 4 ? ALL : rng_u64(&r);
        struct model_turns turns;
        for (int i = 0; i < 32; i++) addr[i] = base + bytes * rng_below(&r, range);
        if (n % 9 == 0) addr[31] = base + (3 << 20); /* one address far from all others */
        struct model_global store = model_coalesce_store(profile("h200"), addr, mask, bytes);
        struct model_global atom = model_atomic(profile("h200"), addr, mask, bytes, &turns);
        ck_assert_msg(atom.sectors == store.sectors && atom.tags == store.tags &&
                          atom.bytes == store.bytes && atom.wavefronts == store.wavefronts &&
                          (!atom.words || atom.words == different(addr, mask)),
            "try %d: %u sectors, not %u; %u passes, not %u; %u words", n, atom.sectors,
            store.sectors, atom.wavefronts, store.wavefronts, atom.words);
        ck_assert_msg(
            turns_agree(addr, mask, bytes, atom.turns, &turns), "try %d: %u turns", n, atom.turns);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("model_atomic");
    TCase *c = tcase_create("atomic");
    tcase_add_test(c, atomics_take_turns);
    tcase_add_test(c, atomics_far_apart_stay_apart);
    tcase_add_test(c, slices_of_small_arrays);
    tcase_add_test(c, turns_agree_with_the_long_way_round);
    suite_add_tcase(s, c);
    return suite_run(s);
}
