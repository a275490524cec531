/* test_model_old.c - GPUs of compute capability 1.0 to 3.x: transactions and bank passes, counted
 * by hand from the rules. */
#include "model/profiles.h"
#include "suite.h"

#define ALL 0xffffffffu

static struct model_profile generation(int major, int minor)
{
    struct model_profile p = *model_profile_find("tiny");
    p.cc_major = major;
    p.cc_minor = minor;
    p.features = major == 3   ? FEATURES_3_5
                 : major == 2 ? FEATURES_2_0
                 : minor >= 2 ? FEATURES_1_3
                              : FEATURES_1_0;
    p.banks = major == 1 ? 16 : 32;
    p.bank_bytes = major == 3 ? 8 : 4;
    return p;
}

/* Lane i addresses expr. */
#define GLOBAL(major, minor, call, expr, mask, width, want, want_bytes) \
    do { \
        struct model_profile p_ = generation(major, minor); \
        uint64_t addr_[32]; \
        for (int i = 0; i < 32; i++) addr_[i] = 0x10000 + (uint64_t)(expr); \
        struct model_global g_ = call(&p_, addr_, mask, width); \
        ck_assert_msg(g_.sectors == (want) && g_.bytes == (want_bytes), \
            "%d.%d %s: %u transactions, %u bytes", major, minor, #expr, g_.sectors, g_.bytes); \
    } while (0)
#define LOAD(major, minor, ...) GLOBAL(major, minor, model_coalesce, __VA_ARGS__)

/* Figure F-1 of the CUDA C Programming Guide 4.2: a warp loads 4-byte words from byte 128 on.
 * Transactions and bytes on 1.0 and 1.1, on 1.2 and 1.3, through the L1 of 2.x ("cached") and past
 * it ("uncached": 3.x, and stores on 2.x). */
#define FIGURE_F1(expr, n10, b10, n12, b12, cached, uncached) \
    do { \
        LOAD(1, 0, 128 + (expr), ALL, 4, n10, b10); \
        LOAD(1, 1, 128 + (expr), ALL, 4, n10, b10); \
        LOAD(1, 2, 128 + (expr), ALL, 4, n12, b12); \
        LOAD(1, 3, 128 + (expr), ALL, 4, n12, b12); \
        LOAD(2, 0, 128 + (expr), ALL, 4, cached, 128 * cached); \
        GLOBAL(2, 0, model_coalesce_store, 128 + (expr), ALL, 4, uncached, 32 * uncached); \
        LOAD(3, 5, 128 + (expr), ALL, 4, uncached, 32 * uncached); \
    } while (0)

START_TEST(guide_figure_f_1)
{
    /* aligned and sequential: 64 B at address 128 and 64 B at 192 */
    FIGURE_F1(4 * i, 2, 128, 2, 128, 1, 4);
    FIGURE_F1(4 * (i ^ 1), 32, 1024, 2, 128, 1, 4); /* aligned, not in order: 1.0 takes 32 x 32 B */
    FIGURE_F1(
        /* misaligned: 1.2 takes 128 B at address 128, 64 B at 192, 32 B at 256 */
        4 * (i + 1), 32, 1024, 3, 224, 2, 5);
}
END_TEST

/* The figures of half-warps in the Best Practices Guide 3.0, chapter 3.2.1, for 1.2 and 1.3 (1.0
 * and 1.1: 16 transactions). */
START_TEST(best_practices_half_warps)
{
    LOAD(1, 2, 4 * i, 0xffff, 4, 1, 64); /* simple: 64 bytes */
    /* unaligned within one segment of 128 bytes: the whole segment */
    LOAD(1, 2, 4 * (i + 1), 0xffff, 4, 1, 128);
    LOAD(1, 0, 4 * (i + 1), 0xffff, 4, 16, 512);
    /* over two segments: bytes 84 to 127, 128 to 147 */
    LOAD(1, 2, 4 * (i + 21), 0xffff, 4, 2, 64 + 32);
    LOAD(1, 0, 4 * (i + 21), 0xffff, 4, 16, 512);
    /* stride 2: 128 bytes, half of them wanted */
    LOAD(1, 2, 8 * i, 0xffff, 4, 1, 128);
    LOAD(1, 0, 8 * i, 0xffff, 4, 16, 512);
    /* stride 16: two words a segment, one in each half of it */
    LOAD(1, 2, 4 * 16 * i, 0xffff, 4, 8, 1024);
    /* stride 32: a word in each segment, of which 32 bytes are read */
    LOAD(1, 2, 4 * 32 * i, 0xffff, 4, 16, 512);
}
END_TEST

START_TEST(in_order_or_one_by_one)
{
    /* a 64-byte transaction per half-warp */
    LOAD(1, 0, 4 * i, ALL, 4, 2, 128);
    LOAD(1, 1, 4 * i, 0xfff7fffe, 4, 2, 128);  /* inactive threads do not matter */
    LOAD(1, 0, 4 * (i ^ 1), ALL, 4, 32, 1024); /* neighbours swapped: a transaction per thread */
    LOAD(1, 0, 4 * (i + 1), ALL, 4, 32, 1024); /* in order but not aligned */
    LOAD(1, 0, 4 * (i + 16), ALL, 4, 2, 128);  /* alignment to 64 bytes is enough */
    /* each half-warp coalesces by itself */
    LOAD(1, 0, i < 16 ? 4 * i : 4 * (i ^ 1), ALL, 4, 17, 64 + 512);
    LOAD(1, 0, 8 * i, ALL, 8, 2, 256);
    /* alignment to 64 bytes is not enough for transactions of 128 bytes */
    LOAD(1, 0, 8 * i + 64, ALL, 8, 32, 1024);
    /* two transactions of 128 bytes per half-warp */
    LOAD(1, 0, 16 * i, ALL, 16, 4, 512);
    /* one address for all: no broadcast */
    LOAD(1, 0, 0, ALL, 4, 32, 1024);
    LOAD(1, 0, 2 * i, ALL, 2, 32, 1024); /* 2-byte words never coalesce */
    LOAD(1, 0, 4 * i, 0x8000, 4, 1, 64);
    LOAD(1, 0, 4 * i, 0, 4, 0, 0);
}
END_TEST

START_TEST(smallest_segments)
{
    /* each half-warp uses 64 bytes, so its 128-byte segment is reduced to 64 */
    LOAD(1, 3, 4 * i, ALL, 4, 2, 128);
    LOAD(1, 2, 4 * (i ^ 1), ALL, 4, 2, 128); /* order does not matter */
    /* bytes 4..67: a segment of 128 bytes; 68..127: one of 64; 128..131: one of 32 */
    LOAD(1, 3, 4 * (i + 1), ALL, 4, 3, 128 + 32 + 64);
    /* stride 2: 128 bytes per half-warp */
    LOAD(1, 3, 8 * i, ALL, 4, 2, 256);
    /* a segment of 32 bytes for each thread */
    LOAD(1, 3, 128 * i, ALL, 4, 32, 1024);
    /* one address: 32 bytes per half-warp */
    LOAD(1, 3, 0, ALL, 4, 2, 64);
    LOAD(1, 3, i, ALL, 1, 2, 64);
    LOAD(1, 3, 2 * i, ALL, 2, 2, 64); /* segments of 64 bytes are halved to 32 */
    LOAD(1, 3, 16 * i, ALL, 16, 4, 512);
    /* bytes 96..127 and 128..159: two segments of 32 bytes */
    LOAD(1, 3, 4 * i + 96, 0xffff, 4, 2, 64);
}
END_TEST

START_TEST(lines_and_segments)
{
    LOAD(2, 0, 4 * i, ALL, 4, 1, 128);
    LOAD(2, 0, 4 * (i + 1), ALL, 4, 2, 256);
    LOAD(2, 0, 128 * i, ALL, 4, 32, 4096);
    LOAD(2, 1, 8 * i, ALL, 8, 2, 256);   /* a request per half-warp */
    LOAD(2, 0, 16 * i, ALL, 16, 4, 512); /* a request per quarter-warp */
    /* one address is fetched four times, once per quarter-warp */
    LOAD(2, 0, 0, ALL, 16, 4, 512);
    GLOBAL(2, 0, model_coalesce_store, 4 * i, ALL, 4, 4, 128);
    GLOBAL(2, 0, model_coalesce_store, 128 * i, ALL, 4, 32, 1024);
    GLOBAL(2, 0, model_coalesce_store, 4 * (i + 11), ALL, 4, 5,
        160); /* nvprof's gst_efficiency for this offset: 80% */
    LOAD(3, 5, 4 * i, ALL, 4, 4, 128);
    LOAD(3, 5, 4 * (i + 1), ALL, 4, 5, 160);
    LOAD(3, 5, 128 * i, ALL, 4, 32, 1024);
    GLOBAL(3, 5, model_coalesce_store, 8 * i, ALL, 8, 8, 256);
}
END_TEST

#define BANKS(major, expr, mask, width, want, want_conflicts) \
    do { \
        struct model_profile p_ = generation(major, 0); \
        uint32_t addr_[32]; \
        for (unsigned i = 0; i < 32; i++) addr_[i] = (expr); \
        struct model_shared s_ = model_banks(&p_, addr_, mask, width); \
        ck_assert_msg(s_.wavefronts == (want) && s_.conflicts == (want_conflicts), \
            "%d.x %s: %u wavefronts, %u conflicts", major, #expr, s_.wavefronts, s_.conflicts); \
    } while (0)

/* A clock of 2.x serves 16 threads in one line, and a pass is two clocks; a pass of 3.x serves 32
 * (load/store units of Fermi and Kepler). Stores and loads alike, whatever the size of their
 * transactions. */
START_TEST(passes_through_the_first_level_cache)
{
    static const struct {
        int stride, offset, bytes, passes_2, passes_3, lines;
    } rows[] = {
        {4, 0, 4, 1, 1, 1},  /* a line, read by both half-warps */
        {0, 0, 4, 1, 1, 1},  /* all lanes access one word */
        {4, 64, 4, 1, 2, 2}, /* half a line for each half-warp */
        {4, 4, 4, 2, 2, 2},  /* the second half-warp crosses into the next line: 3 clocks */
        {8, 0, 4, 1, 2, 2},
        {128, 0, 4, 16, 32, 32},
        {8, 0, 8, 2, 2, 2}, /* a request per half-warp: 8 threads per clock */
        {16, 0, 16, 4, 4, 4},
    };
    uint64_t addr[32];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (int lane = 0; lane < 32; lane++)
            addr[lane] = 4096 + (uint64_t)(rows[k].offset + rows[k].stride * lane);
        for (int store = 0; store < 2; store++)
            for (int major = 2; major < 4; major++) {
                const struct model_profile *p = model_profile_find(major == 2 ? "m2090" : "k40");
                struct model_global g = (store ? model_coalesce_store : model_coalesce)(
                    p, addr, ~0u, (unsigned)rows[k].bytes);
                unsigned passes = (unsigned)(major == 2 ? rows[k].passes_2 : rows[k].passes_3);
                ck_assert_msg(g.wavefronts == passes && g.tags == (unsigned)rows[k].lines,
                    "row %zu on %d.x: %u passes, %u lines", k, major, g.wavefronts, g.tags);
            }
    }
}
END_TEST

/* F.3.3.1, F.4.3.1 and figure F-2: a stride of s words meets gcd(s, 16) or gcd(s, 32) different
 * words a bank. 3.x: banks of 8 bytes, so that a stride of 2 is free; the words 0, 96, 192, 288 of
 * stride 12 lie in one bank and in four pieces of 64. */
START_TEST(guide_strides)
{
    static const struct {
        unsigned stride, ways_1, ways_2, ways_3;
    } rows[] = {{1, 1, 1, 1}, {2, 2, 2, 1}, {3, 1, 1, 1}, {4, 4, 4, 2}, {12, 4, 4, 4},
        {16, 16, 16, 8}, {32, 16, 32, 16}, {17, 1, 1, 1}, {33, 1, 1, 1}, {34, 2, 2, 2}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        BANKS(1, 4 * rows[k].stride * i, ALL, 4, 2 * rows[k].ways_1,
            2 * (rows[k].ways_1 - 1)); /* sums over two half-warps */
        BANKS(2, 4 * rows[k].stride * i, ALL, 4, rows[k].ways_2, rows[k].ways_2 - 1);
        BANKS(3, 4 * rows[k].stride * i, ALL, 4, rows[k].ways_3, rows[k].ways_3 - 1);
    }
}
END_TEST

/* Figure F-3: no conflicts on 2.x and 3.x. On 1.x the last pattern takes two steps per half-warp,
 * one for each word (F.3.3.2). */
START_TEST(guide_irregular)
{
    for (int major = 1; major <= 3; major++) {
        unsigned halves = major == 1 ? 2 : 1;
        /* a permutation */
        BANKS(major, 4 * (i * 13 % 32), ALL, 4, halves, 0);
        /* threads 3, 4, 6, 7, 9 in bank 5 */
        BANKS(major, 4 * (0x2d8 >> i & 1 ? 5 : i), ALL, 4, halves, 0);
        BANKS(major, 4 * (i % 2 ? 12 : 20), ALL, 4, major == 1 ? 4u : 1u,
            major == 1 ? 2u : 0u); /* the warp reads two words */
    }
}
END_TEST

/* The guide's structures and narrow types: F.3.3.3 and F.3.3.4 (1.x), F.4.3 and F.4.3.2 (2.x),
 * F.5.3 (3.x). */
START_TEST(guide_elements)
{
    /* char array[tid]: four threads per word, three conflicts per half-warp */
    BANKS(1, i, ALL, 1, 8, 6);
    BANKS(1, 4 * i, ALL, 1, 2, 0); /* char array[4 * tid]: no conflicts */
    BANKS(2, i, ALL, 1, 1, 0);     /* no conflicts: all threads of a word are served */
    BANKS(3, i, ALL, 1, 1, 0);
    /* a member of struct {float x, y, z;}: stride 3, no conflicts */
    BANKS(1, 12 * i + 4, ALL, 4, 2, 0);
    BANKS(2, 12 * i + 4, ALL, 4, 1, 0);
    BANKS(3, 12 * i + 4, ALL, 4, 1, 0);
    /* a member of struct {float x, y;}: stride 2 */
    BANKS(1, 8 * i + 4, ALL, 4, 4, 2);
    BANKS(2, 8 * i + 4, ALL, 4, 2, 1);
    BANKS(3, 8 * i + 4, ALL, 4, 1, 0);
    /* double array[tid]: two requests of stride 2 */
    BANKS(1, 8 * i, ALL, 8, 8, 4);
    BANKS(2, 8 * i, ALL, 8, 2, 0); /* no conflicts: one half-warp after the other */
    BANKS(3, 8 * i, ALL, 8, 1, 0); /* no conflicts, in one wavefront */
    /* four requests of stride 4: 4-way in each half-warp */
    BANKS(1, 16 * i, ALL, 16, 32, 24);
    /* F.4.3.2: each quarter-warp is 2-way */
    BANKS(2, 16 * i, ALL, 16, 8, 4);
    BANKS(3, 16 * i, ALL, 16, 2, 0);
    BANKS(2, 0, ALL, 8, 2, 0); /* all lanes read one double */
    BANKS(3, 0, ALL, 8, 1, 0);
}
END_TEST

START_TEST(sixteen_banks)
{
    BANKS(1, 4 * i, ALL, 4, 2, 0);     /* a half-warp at a time */
    BANKS(1, 8 * i, ALL, 4, 4, 2);     /* 2-way in each half-warp */
    BANKS(1, 4 * 3 * i, ALL, 4, 2, 0); /* odd strides are free */
    BANKS(1, 4 * 16 * i, ALL, 4, 32, 30);
    BANKS(1, 4 * 17 * i, ALL, 4, 2, 0); /* the padded column */
    BANKS(1, 0, ALL, 4, 2, 0);          /* each step broadcasts one word */
    /* two words, each read by eight threads: each step broadcasts one */
    BANKS(1, 4 * (i / 8), ALL, 4, 4, 2);
    BANKS(1, 8 * i, ALL, 8, 8, 4); /* doubles: two requests, each 2-way */
    /* four threads per word: a step broadcasts one word, and serves one thread of each other */
    BANKS(1, i, ALL, 1, 8, 6);
    BANKS(1, 4 * i, 0xffff, 4, 1, 0);
}
END_TEST

START_TEST(thirty_two_banks)
{
    BANKS(2, 4 * i, ALL, 4, 1, 0);
    BANKS(2, 8 * i, ALL, 4, 2, 1);
    BANKS(2, 4 * (i / 8), ALL, 4, 1, 0); /* four words, each broadcast to eight threads */
    BANKS(2, 4 * 32 * i, ALL, 4, 32, 31);
    BANKS(2, 8 * i, ALL, 8, 2, 0); /* conflicts only within half-warps */
    BANKS(2, 16 * i, ALL, 8, 4, 2);
    /* each quarter-warp is 2-way: 2 wavefronts, 1 conflict */
    BANKS(2, 16 * i, ALL, 16, 8, 4);
    BANKS(2, 32 * i, ALL, 16, 12, 8); /* each quarter-warp takes 3 wavefronts */
    BANKS(2, 16 * i, 0xff, 16, 2, 1);
    BANKS(2, 16 * (i / 8), ALL, 16, 4, 0); /* one 16-byte word for each quarter-warp */
    BANKS(2, 16, ALL, 16, 2, 0);           /* one 16-byte word for all lanes */
    uint32_t wide[32];
    for (uint32_t i = 0; i < 32; i++) wide[i] = 16 * i;
    struct model_profile p = generation(2, 0);
    ck_assert_uint_eq(model_banks_store(&p, wide, ALL, 16).wavefronts, 4);
    ck_assert_uint_eq(model_banks_store(&p, wide, ALL, 16).conflicts, 0);
}
END_TEST

START_TEST(eight_byte_banks)
{
    BANKS(3, 4 * i, ALL, 4, 1, 0);
    /* stride 2: words i and i + 32 of an aligned piece of 64 share a wavefront */
    BANKS(3, 8 * i, ALL, 4, 1, 0);
    /* in a piece that is not aligned, words 32 and 64 conflict */
    BANKS(3, 8 * i + 4 * 32, ALL, 4, 2, 1);
    BANKS(3, 4 * 3 * i, ALL, 4, 1, 0);
    BANKS(3, 16 * i, ALL, 4, 2, 1);
    BANKS(3, 4 * 32 * i, ALL, 4, 16, 15); /* a wavefront reads two words of the column */
    BANKS(3, 8 * i, ALL, 8, 1, 0);
    BANKS(3, 16 * i, ALL, 16, 2, 0);
    BANKS(3, 0, ALL, 4, 1, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("model of older GPUs");
    TCase *c = tcase_create("coalescing"), *b = tcase_create("banks");
    tcase_add_test(c, guide_figure_f_1);
    tcase_add_test(c, best_practices_half_warps);
    tcase_add_test(c, in_order_or_one_by_one);
    tcase_add_test(c, smallest_segments);
    tcase_add_test(c, lines_and_segments);
    tcase_add_test(c, passes_through_the_first_level_cache);
    tcase_add_test(b, guide_strides);
    tcase_add_test(b, guide_irregular);
    tcase_add_test(b, guide_elements);
    tcase_add_test(b, sixteen_banks);
    tcase_add_test(b, thirty_two_banks);
    tcase_add_test(b, eight_byte_banks);
    suite_add_tcase(s, c);
    suite_add_tcase(s, b);
    return suite_run(s);
}
