/* coalesce.c - the number of memory transactions of one warp's global access. Older GPUs:
 * coalesce_old.c.
 *
 * Compute capability 5.0 and later: an access of a warp takes one transaction for each 32-byte
 * sector that it touches.
 *
 *      lane       0   1   2   3   4   5   6   7   8  ...       32 floats in a row:  4 sectors, 1 tag
 *      byte       0   4   8  12  16  20  24  28  32            offset by a float:   5 sectors, 2 tags
 *               |<------------ sector 0 ----------->|<-- 1     every second float:  8 sectors, 2 tags
 *               |<------------ line 0: sectors 0 to 3, looked up by one tag ...
 *
 * Source: CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory": for devices of
 * compute capability 6.0 or higher, as many transactions as 32-byte units are necessary to serve
 * all threads of the warp. */
#include "model/generations.h"
#include "model/lines.h"

#include <string.h>

enum {
    SECTOR_SHIFT = 5, /* sectors of 32 bytes */
    LINE_SHIFT = 7,   /* lines of 128 bytes: four sectors under one tag */
    WORD_SHIFT = 2,
    WORDS_A_SECTOR = 1 << (SECTOR_SHIFT - WORD_SHIFT),
};

/* The cost of an access to the words recorded in l. aligned: each word has at least 4 bytes, and
 * none crosses a sector boundary; only then the result has the number of different words and, for
 * 4-byte words, the passes through the banks (wavefronts). */
static struct model_global of_lines(const struct lines *l, unsigned bytes, int aligned)
{
    unsigned sectors = lines_groups(l, WORDS_A_SECTOR);
    return (struct model_global){.sectors = sectors,
        .tags = l->count,
        .bytes = sectors << SECTOR_SHIFT,
        .words = aligned ? lines_words(l) : 0,
        .wavefronts = aligned && bytes == 4 ? lines_passes(l) : 0};
}

/* Counts the sectors and lines that the addresses touch, in any order. */
static struct model_global count_unordered(
    const uint64_t addr[WARP_SIZE], uint32_t mask, unsigned bytes)
{
    struct lines l;
    uint64_t word[WARP_SIZE], misaligned = 0;
    for (int i = 0; i < WARP_SIZE; i++) {
        word[i] = addr[i] >> WORD_SHIFT;
        misaligned |= addr[i] & (bytes - 1) & -(uint64_t)(mask >> i & 1);
    }
    lines_start(&l);
    lines_add(&l, word, mask, LINE_SHIFT - WORD_SHIFT);
    if (misaligned) { /* the last byte of a word can be in another sector than the first byte */
        for (int i = 0; i < WARP_SIZE; i++) word[i] = (addr[i] + bytes - 1) >> WORD_SHIFT;
        lines_add(&l, word, mask, LINE_SHIFT - WORD_SHIFT);
    }
    return of_lines(&l, bytes, !misaligned && bytes >= 4);
}

/* Counts n sector numbers (16 or 32) in ascending order, where each change between neighbours is a
 * new sector. If they are not ascending, tags is 0 in the result. The loop has no early exit, so
 * the compiler can vectorize it. */
static inline struct model_global count_rising(const uint64_t *s, int n)
{
    uint64_t backwards = 0;
    unsigned sectors = 1, tags = 1;
    for (int i = 1; i < n; i++) {
        /* sector numbers have 59 bits, so only a decrease sets the sign bit */
        backwards |= s[i] - s[i - 1];
        sectors += s[i] != s[i - 1];
        tags += s[i] >> 2 != s[i - 1] >> 2;
    }
    return backwards >> 63 ? (struct model_global){0}
                           : (struct model_global){.sectors = sectors, .tags = tags};
}

/* Counts the sectors and lines of all 32 lanes, given their sector numbers, if these are ascending
 * in the warp or in each half of it, with equal halves (as in blocks 16 threads wide). If they are
 * in another order, tags is 0 in the result. */
static struct model_global count_warp(const uint64_t s[WARP_SIZE])
{
    struct model_global g = count_rising(s, WARP_SIZE);
    uint64_t differ = 0;
    if (g.tags) return g;
    for (int i = 0; i < WARP_SIZE / 2; i++) differ |= s[i] ^ s[i + WARP_SIZE / 2];
    return differ ? g : count_rising(s, WARP_SIZE / 2);
}

/* The number of pieces of 1 << shift bytes that n aligned words touch, where the first word is at
 * a, and each is `step` bytes after the one before. */
static unsigned units(uint64_t a, uint64_t step, unsigned n, int shift)
{
    return step >> shift ? n
                         : (unsigned)((a + step * (n - 1)) >> shift) - (unsigned)(a >> shift) + 1;
}

/* The number of pieces of 1 << shift bytes that two runs of n aligned words touch, at a and at b >=
 * a, where each word is step bytes after the one before. Pieces that both runs touch count once.
 * Returns 0 if there is no formula and the caller must count. */
static unsigned units_of_two(uint64_t a, uint64_t b, uint64_t step, unsigned n, int shift)
{
    /* number of pieces from the start of the second run to the end of the first */
    int64_t shared = ((a + step * (n - 1)) >> shift) - (b >> shift) + 1;
    if (shared > 0 && step >> shift) return 0;
    return units(a, step, n, shift) + units(b, step, n, shift) - (shared > 0 ? shared : 0);
}

/* Most accesses have a single stride, in the warp or in each half of it (in blocks 16 threads
 * wide). For these, the counts follow from the first and last address of each run. For other
 * accesses, tags is 0 in the result. */
static struct model_global count_even(const uint64_t addr[WARP_SIZE])
{
    enum { HALF = WARP_SIZE / 2 };
    const uint64_t *half = addr + HALF;
    uint64_t step = addr[1] - addr[0], gap = half[0] - addr[0], uneven = 0;
    for (uint64_t i = 0; i < HALF; i++) /* no early exit, so the compiler can vectorize the loop */
        uneven |= ((addr[0] + i * step) ^ addr[i]) | ((half[0] + i * step) ^ half[i]);
    if (uneven || (step | gap) >> 63) /* descending addresses are counted by another function */
        return (struct model_global){0};
    unsigned n = gap == 0 ? HALF : gap == HALF * step ? WARP_SIZE : 0;
    if (n)
        return (struct model_global){.sectors = units(addr[0], step, n, SECTOR_SHIFT),
            .tags = units(addr[0], step, n, LINE_SHIFT)};
    struct model_global g = {.sectors = units_of_two(addr[0], half[0], step, HALF, SECTOR_SHIFT),
        .tags = units_of_two(addr[0], half[0], step, HALF, LINE_SHIFT)};
    return g.sectors && g.tags ? g : (struct model_global){0};
}

/* Rule of 5.x to 9.x: the 32-byte sectors that the access touches. Cheap methods first: the formula
 * for full warps of aligned words, then ascending sectors, then counting. In the result, wavefronts
 * is the passes through the banks if they were counted on the way, else 0. */
static struct model_global sectors_32(const uint64_t addr[WARP_SIZE], uint32_t mask, unsigned bytes)
{
    if (!mask) return (struct model_global){0};
    struct model_global g = {0};
    uint64_t s[2 * WARP_SIZE], misaligned = 0;
    for (int i = 0; i < WARP_SIZE; i++) misaligned |= addr[i];
    misaligned &= bytes - 1;
    if (mask == ~0u && !misaligned) g = count_even(addr);
    if (g.tags) {
        g.bytes = g.sectors << SECTOR_SHIFT;
        return g;
    }
    for (int i = 0; i < WARP_SIZE; i++) s[i] = addr[i] >> SECTOR_SHIFT;
    /* an inactive lane gets the sector of the lane before, which adds no sector */
    if (mask != ~0u) {
        uint64_t last = s[__builtin_ctz(mask)];
        for (int i = 0; i < WARP_SIZE; i++) s[i] = last = mask >> i & 1 ? s[i] : last;
    }
    if (!misaligned) g = count_warp(s);
    if (!g.tags) g = count_unordered(addr, mask, bytes);
    g.bytes = g.sectors << SECTOR_SHIFT;
    return g;
}

/* Rule of 7.x and later: the passes of an access through the L1. The L1 looks up tags_per_clock
 * lines per clock, and moves words through the same banks as shared memory; the slower of the two
 * decides.
 *
 *      32 lines in one bank      32 passes        every second float               2 passes
 *      32 lines in 32 banks       8 passes        one 16-byte word for all lanes   4 passes
 *
 * Source: the clocks of repeated loads that hit, on an H200. */
static unsigned data_passes(const struct model_profile *p, const uint64_t addr[WARP_SIZE],
    uint32_t mask, unsigned bytes, unsigned tags, unsigned banks)
{
    uint32_t low[WARP_SIZE]; /* the low bits of a word's number determine the bank */
    for (int i = 0; i < WARP_SIZE; i++) low[i] = addr[i];
    if (!banks) banks = model_banks_store(p, low, mask, bytes).wavefronts;
    if (tags <= banks * p->tags_per_clock) return banks;
    return (tags + p->tags_per_clock - 1) / p->tags_per_clock;
}

/* Rule of 5.x and 6.x: an access goes to the L1 as requests of 8 threads, or of 4 for 8-byte and 2
 * for 16-byte words. In one clock the L1 finds one line in each of its four sets. Consecutive lines
 * are in consecutive sets. Lines of a request that are in the same set take one clock each.
 *
 *      lines of a request   0   1   2   3   4   5   6   7     8 in a row: 2 clocks; 512 bytes apart: 8
 *      set                  0   1   2   3   0   1   2   3
 *
 * Sources: Greg Smith of NVIDIA on NVIDIA's developer forums, "Pascal L1 cache" (requests; tags per
 * clock as on Volta) and "How does the LSU execute load/store instructions" (four sets per clock);
 * Mei and Chu 2017, texture L1: bits 7 and 8 choose one of four sets. */
static unsigned request_passes(
    const struct model_profile *p, const uint64_t addr[WARP_SIZE], uint32_t mask, unsigned bytes)
{
    int lanes = bytes <= 4 ? 8 : 32 / (int)bytes;
    unsigned passes = 0;
    for (int first = 0; first < WARP_SIZE; first += lanes) {
        uint64_t line[8];
        unsigned lines = 0, most = 0;
        for (int i = first; i < first + lanes; i++) {
            uint64_t here = addr[i] >> LINE_SHIFT;
            unsigned known = !(mask >> i & 1), in_set = 1;
            for (unsigned k = 0; k < lines && !known; k++) {
                known = line[k] == here;
                in_set += (line[k] ^ here) % (unsigned)p->tags_per_clock == 0;
            }
            if (known) continue;
            line[lines++] = here;
            most = in_set > most ? in_set : most;
        }
        passes += most;
    }
    return passes;
}

/* Selects the rule for the GPU's generation. */
static struct model_global access_global(
    const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes, int load)
{
    if (model_has(p, FEATURE_SECTORS)) {
        struct model_global g = sectors_32(addr, mask, bytes);
        g.wavefronts = p->l1_units ? request_passes(p, addr, mask, bytes)
                                   : data_passes(p, addr, mask, bytes, g.tags, g.wavefronts);
        return g;
    }
    if (model_has(p, FEATURE_HALF_WARPS))
        return (model_has(p, FEATURE_ANY_ORDER) ? coalesce_1_2 : coalesce_1_0)(addr, mask, bytes);
    /* 2.x loads through the L1, by whole lines; 3.x uses the L1 for local memory only */
    int lines = model_has(p, FEATURE_LINE_LOADS);
    return coalesce_units(addr, mask, bytes, load && lines ? 128 : 32, lines);
}

struct model_global model_coalesce(
    const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes)
{
    return access_global(p, addr, mask, bytes, 1);
}

/* The lanes of the first request: a group of 8 neighbouring lanes or, for elements of 16 bytes, 4.
 * Source: ncu on an H200 (tests/test_model.c). */
uint32_t model_texel_lanes(uint32_t mask, unsigned bytes)
{
    unsigned lanes = bytes < 16 ? 8 : 4, first = (unsigned)__builtin_ctz(mask) / lanes * lanes;
    return mask & ((1u << lanes) - 1) << first;
}

/* Texture caches have used sectors of 32 bytes in all generations. */
struct model_global model_texels(
    const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes)
{
    return model_has(p, FEATURE_SECTORS) ? model_coalesce(p, addr, mask, bytes)
                                         : coalesce_units(addr, mask, bytes, 32, 0);
}

struct model_global model_coalesce_store(
    const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes)
{
    return access_global(p, addr, mask, bytes, 0);
}

/* The cost of an atomic operation. Each round serves one lane per remaining address, and counts the
 * sectors of that round. When only one address remains, each of its lanes takes a round. once:
 * compute only the first round. Returns the cost of the first round. */
static struct model_global count_turns(
    const uint64_t word[WARP_SIZE], uint32_t mask, unsigned shift, int once, struct model_turns *t)
{
    struct model_global g = {0};
    unsigned turns = 0, together = 1u << SECTOR_SHIFT >> shift;
    for (uint32_t left = mask, again; left; left = once ? 0 : again) {
        struct lines l;
        lines_start(&l);
        again = lines_add(&l, word, left, LINE_SHIFT - WORD_SHIFT);
        if (!g.tags) g = of_lines(&l, 1u << shift, shift == WORD_SHIFT);
        int one = !once && lines_words(&l) == 1;
        for (unsigned i = 0; i < l.count; i++) {
            unsigned slot = l.slot[i], sectors = lines_grouped(l.words[slot], together);
            unsigned n = one ? (unsigned)__builtin_popcount(left) : sectors;
            t->line[t->count++] = (struct model_line){l.number[slot] * WARP_SIZE << shift, n};
            turns += n;
        }
        again = one ? 0 : again;
    }
    g.turns = turns;
    return g;
}

/* A faster count_turns for words within NEAR bytes, as is common in histograms: a table with one
 * byte per word counts the lanes that access each word. The loops over the table have no early
 * exit, so the compiler can vectorize them. */
enum {
    NEAR = 2048,
    NEAR_SECTORS = NEAR >> SECTOR_SHIFT,
    LINE_SECTORS = 1 << (LINE_SHIFT - SECTOR_SHIFT)
};
static struct model_global count_near(
    const uint64_t addr[WARP_SIZE], uint32_t mask, struct model_turns *t)
{
    const uint32_t ones = 0x01010101;
    uint8_t named[WORDS_A_SECTOR * NEAR_SECTORS] = {0}, most[NEAR_SECTORS] = {0}, any[NEAR_SECTORS];
    uint32_t in_bank[WORDS_A_SECTOR] = {0}, four, words = 0;
    struct model_global g = {0};
    uint16_t at[WARP_SIZE];
    for (int i = 0; i < WARP_SIZE; i++)
        at[i] = (uint16_t)((addr[i] >> WORD_SHIFT) % WORDS_A_SECTOR * NEAR_SECTORS +
                           (addr[i] >> SECTOR_SHIFT) % NEAR_SECTORS);
    for (uint32_t m = mask; m; m &= m - 1) named[at[__builtin_ctz(m)]]++;
    /* w: position of a word in its sector. Sectors of a line with a word at the same w use
     * different banks. */
    for (int w = 0; w < WORDS_A_SECTOR; w++) {
        const uint8_t *n = named + w * NEAR_SECTORS;
        for (int s = 0; s < NEAR_SECTORS; s++) most[s] = n[s] > most[s] ? n[s] : most[s];
        for (int s = 0; s < NEAR_SECTORS; s++) any[s] = n[s] > 0;
        for (int s = 0; s < NEAR_SECTORS; s += LINE_SECTORS)
            memcpy(&four, any + s, 4), in_bank[w] += four;
    }
    for (int w = 0; w < WORDS_A_SECTOR; w++) words += in_bank[w];
    g.words = words * ones >> 24;
    for (int i = 0; i < 32; i++) {
        unsigned n = ((const uint8_t *)in_bank)[i];
        g.wavefronts = n > g.wavefronts ? n : g.wavefronts;
    }
    for (int s = 0; s < NEAR_SECTORS; s++) g.sectors += most[s] > 0;
    uint64_t start = addr[__builtin_ctz(mask)] / NEAR * NEAR;
    for (unsigned s = 0; s < NEAR_SECTORS; s += LINE_SECTORS) {
        memcpy(&four, most + s, 4);
        t->line[t->count] = (struct model_line){start + (s << SECTOR_SHIFT), four * ones >> 24};
        g.turns += t->line[t->count].turns;
        t->count += four > 0;
    }
    g.tags = t->count;
    g.bytes = g.sectors << SECTOR_SHIFT;
    return g;
}

/* Lanes that access different words of a sector share a round; lanes that access the same word are
 * serialized, one per round. Before 7.0 the count is that of a store, since no source gives
 * another.
 *
 *      lanes access  A A A B        one sector: 3 rounds, A B, A and A; two sectors: 3 + 1 rounds
 *
 * Source: an H200's counters (l1tex__t_sectors_pipe_lsu_mem_global_op_atom), atomics of 32 and 64
 * bits on 1 to 32 different addresses. */
struct model_global model_atomic(const struct model_profile *p, const uint64_t addr[32],
    uint32_t mask, unsigned bytes, struct model_turns *t)
{
    struct model_global g;
    /* with this shift, each address is a word of its own */
    unsigned shift = bytes < 4 ? bytes / 2 : WORD_SHIFT;
    uint64_t word[WARP_SIZE], differ = 0, some = mask ? addr[__builtin_ctz(mask)] : 0;
    int recent = model_has(p, FEATURE_ATOMIC_TURNS);
    for (int i = 0; i < WARP_SIZE; i++) word[i] = addr[i] >> shift;
    for (int i = 0; i < WARP_SIZE; i++) differ |= mask >> i & 1 ? addr[i] ^ some : 0;
    t->count = 0;
    g = recent && mask && bytes >= 4 && differ < NEAR ? count_near(addr, mask, t)
                                                      : count_turns(word, mask, shift, !recent, t);
    unsigned turns = g.turns, banks = bytes == 4 ? g.wavefronts : 0;
    if (!recent || bytes < 4)
        g = model_coalesce_store(p, addr, mask, bytes);
    else
        g.wavefronts = data_passes(p, addr, mask, bytes, g.tags, banks);
    g.turns = recent ? turns : g.sectors;
    return g;
}

/* The number of slices that must be busy to reach the profile's rate of atomics on whole
 * sectors. */
unsigned model_slices(const struct model_profile *p)
{
    unsigned slices = (unsigned)(p->atomics_per_clock * p->atomic_clocks / WORDS_A_SECTOR);
    return slices < 1 ? 1 : slices < MODEL_SLICES ? slices : MODEL_SLICES;
}

/* Each lane adds a sector, unless a lower lane of its group of 8 accesses the same word of local
 * memory. */
unsigned model_local_sectors(const uint64_t addr[32], uint32_t mask)
{
    enum { WORD = 4, LANES = 8 };
    unsigned sectors = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        int l = __builtin_ctz(m), again = 0;
        for (int k = l / LANES * LANES; k < l && !again; k++)
            again = (mask >> k & 1) && addr[k] / WORD == addr[l] / WORD;
        sectors += !again;
    }
    return sectors;
}
