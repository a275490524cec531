/* coalesce.c - how many memory transactions one warp's global access takes.
 *
 * Compute capability 5.0 and later: a warp's access becomes the 32-byte sectors that it touches, each counted once.
 *
 *      lane       0   1   2   3   4   5   6   7   8  ...       32 floats in a row:  4 sectors, 1 tag
 *      byte       0   4   8  12  16  20  24  28  32            one float on:        5 sectors, 2 tags
 *               |<------------ sector 0 ----------->|<-- 1     every second float:  8 sectors, 2 tags
 *               |<------------ line 0: sectors 0 to 3, looked up by one tag ...
 *
 * Source: CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory": for devices of compute capability 6.0 or
 * higher, as many transactions as 32-byte units are necessary to serve all threads of the warp.
 */
#include "model/model.h"

enum {
    SECTOR_SHIFT = 5,                          /* 32 bytes */
    LINE_SHIFT = 7,                            /* 128 bytes: four sectors under one tag */
    SECTORS_A_LINE = 1 << (LINE_SHIFT - SECTOR_SHIFT),
    SLOTS = 128,                               /* of the hash table: twice the most keys, 32 lanes with two ends each */
};

/* Different sectors and lines among the n in s, in any order: a small open hash of lines, each with a bit a sector. */
static struct model_global count_unordered(const uint64_t *s, unsigned n)
{
    uint64_t line[SLOTS];
    uint8_t touched[SLOTS] = {0};
    struct model_global g = {0};
    for (unsigned i = 0; i < n; i++) {
        uint64_t key = s[i] >> (LINE_SHIFT - SECTOR_SHIFT);
        unsigned bit = 1u << (s[i] % SECTORS_A_LINE);
        unsigned slot = key * 0x9E3779B97F4A7C15u >> 57; /* multiplicative hash: its top 7 bits */
        while (touched[slot] && line[slot] != key)
            slot = (slot + 1) % SLOTS;
        g.tags += !touched[slot];
        g.sectors += !(touched[slot] & bit);
        line[slot] = key;
        touched[slot] |= bit;
    }
    return g;
}

/* The same for all 32 lanes' sectors. Lanes mostly address upwards or stay: then every change between neighbours is a
 * new sector. The loops have no exits and a fixed length, so that the compiler makes vector code of them. */
static struct model_global count_warp(const uint64_t s[WARP_SIZE])
{
    uint64_t backwards = 0;
    unsigned sectors = 1, tags = 1;
    for (int i = 1; i < WARP_SIZE; i++) {
        backwards |= s[i] - s[i - 1]; /* sector numbers use 59 bits: the sign bit is set by a step down alone */
        sectors += s[i] != s[i - 1];
        tags += s[i] >> 2 != s[i - 1] >> 2;
    }
    if (!(backwards >> 63))
        return (struct model_global){.sectors = sectors, .tags = tags};
    /* A block narrower than a warp repeats its rows: its second half may touch what the first half did. */
    uint64_t differ = 0;
    for (int i = 0; i < WARP_SIZE / 2; i++)
        differ |= s[i] ^ s[i + WARP_SIZE / 2];
    if (differ)
        return count_unordered(s, WARP_SIZE);
    backwards = 0;
    sectors = tags = 1;
    for (int i = 1; i < WARP_SIZE / 2; i++) {
        backwards |= s[i] - s[i - 1];
        sectors += s[i] != s[i - 1];
        tags += s[i] >> 2 != s[i - 1] >> 2;
    }
    return backwards >> 63 ? count_unordered(s, WARP_SIZE / 2)
                           : (struct model_global){.sectors = sectors, .tags = tags};
}

/* 5.x to 9.x: the 32-byte sectors touched. */
static struct model_global sectors_32(const uint64_t addr[WARP_SIZE], uint32_t mask, unsigned bytes)
{
    struct model_global g = {0};
    uint64_t s[2 * WARP_SIZE], crossing = 0;
    for (int i = 0; i < WARP_SIZE; i++) {
        s[i] = addr[i] >> SECTOR_SHIFT;
        crossing |= s[i] ^ (addr[i] + bytes - 1) >> SECTOR_SHIFT;
    }
    if (mask == ~0u && !crossing) {
        g = count_warp(s);
    } else if (mask) {
        /* Lanes that are off, or words that lie in two sectors (never when aligned): both ends of the active ones. */
        unsigned n = 0;
        for (uint32_t left = mask; left; left &= left - 1) {
            uint64_t a = addr[__builtin_ctz(left)];
            s[n++] = a >> SECTOR_SHIFT;
            if (a >> SECTOR_SHIFT != (a + bytes - 1) >> SECTOR_SHIFT)
                s[n++] = (a + bytes - 1) >> SECTOR_SHIFT;
        }
        g = count_unordered(s, n);
    }
    g.bytes = g.sectors << SECTOR_SHIFT;
    return g;
}

/* The L1 returns words through the same banks as shared memory, and looks its tags up a few a clock: whichever takes
 * longer. Measured on an H200 by the clocks that repeated loads take which hit: 32 rows of a power of two 32, 32 lines in
 * different banks 8, every second float 2, one 16-byte word for all lanes 4. */
static unsigned data_passes(const struct model_profile *p, const uint64_t addr[WARP_SIZE], uint32_t mask, unsigned bytes,
                            unsigned tags)
{
    uint32_t low[WARP_SIZE]; /* a word's bank and its neighbours' are told apart by these bits */
    for (int i = 0; i < WARP_SIZE; i++)
        low[i] = addr[i];
    unsigned banks = model_banks_store(p, low, mask, bytes).wavefronts;
    unsigned look_ups = (tags + p->tags_per_clock - 1) / p->tags_per_clock;
    return banks > look_ups ? banks : look_ups;
}

struct model_global model_coalesce(const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes)
{
    struct model_global g = sectors_32(addr, mask, bytes); /* every profile so far is 5.0 or later */
    g.wavefronts = data_passes(p, addr, mask, bytes, g.tags);
    return g;
}
