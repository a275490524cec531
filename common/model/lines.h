/* lines.h - the words that a warp accesses, by line, from which sectors, tags and bank conflicts
 * are counted for irregular addresses.
 *
 *      word      0 1 2 ... 31
 *      line 7    # . # . . . .      number 7, words 0b101
 *      line 2    # . . . . . .      number 2, words 0b001: word 0 of two lines, so bank 0 takes two passes
 */
#ifndef LOCKSTEP_MODEL_LINES_H
#define LOCKSTEP_MODEL_LINES_H

#include "model/model.h"

/* LINES_MOST: the most lines of an access, two per lane, since a lane's first and last byte can lie
 * in different lines. LINE_SLOTS: slots of the hash table (open addressing), at most half full. */
enum { LINES_MOST = 2 * WARP_SIZE, LINE_SLOTS = 2 * LINES_MOST };

struct lines {
    unsigned count;
    /* slots of the lines, in order of arrival; with one spare element */
    uint8_t slot[LINES_MOST + 1];
    uint64_t number[LINE_SLOTS];
    /* words accessed in each line, one bit per word; 0: the slot is free */
    uint32_t words[LINE_SLOTS];
};

/* Start with no lines. */
static inline void lines_start(struct lines *l)
{
    l->count = 0;
    for (int i = 0; i < LINE_SLOTS; i++) l->words[i] = 0;
}

/* Add the words of the lanes in mask. A line has 1 << shift words, at most 32. Returns the lanes
 * whose word had already been added, by a lower lane or an earlier call. */
static inline uint32_t lines_add(
    struct lines *l, const uint64_t word[WARP_SIZE], uint32_t mask, unsigned shift)
{
    uint32_t again = 0;
    for (; mask; mask &= mask - 1) {
        uint64_t w = word[__builtin_ctz(mask)], number = w >> shift;
        uint32_t bit = 1u << (w & ((1u << shift) - 1)), words;
        /* multiplicative hash, of which the top 7 bits are used */
        unsigned slot = number * 0x9E3779B97F4A7C15u >> 57;
        while ((words = l->words[slot]) && l->number[slot] != number)
            slot = (slot + 1) % LINE_SLOTS;
        l->slot[l->count] = (uint8_t)slot;
        l->count += !words;
        l->number[slot] = number;
        l->words[slot] = words | bit;
        again |= words & bit ? mask & -mask : 0;
    }
    return again;
}

/* The number of different words that were added. */
static inline unsigned lines_words(const struct lines *l)
{
    unsigned n = 0;
    for (unsigned i = 0; i < l->count; i++) n += (unsigned)__builtin_popcount(l->words[l->slot[i]]);
    return n;
}

/* lines_grouped: in one line, the number of groups of `together` neighbouring words (a power of
 * two) that contain an accessed word. lines_groups: the same for all lines. */
static inline unsigned lines_grouped(uint32_t words, unsigned together)
{
    /* mask of the first bit of each group */
    uint32_t first = (uint32_t)(~0u / (((uint64_t)1 << together) - 1));
    for (unsigned s = 1; s < together; s *= 2) words |= words >> s;
    return (unsigned)__builtin_popcount(words & first);
}

static inline unsigned lines_groups(const struct lines *l, unsigned together)
{
    unsigned n = 0;
    for (unsigned i = 0; i < l->count; i++) n += lines_grouped(l->words[l->slot[i]], together);
    return n;
}

/* The largest number of words in one bank, where word w of every line is in bank w. The counts of
 * the 32 banks are added bitwise: bit k of count[b] is bit b of the count of bank k. */
static inline unsigned lines_passes(const struct lines *l)
{
    uint32_t count[8] = {0}, best = ~0u;
    unsigned most = 0;
    for (unsigned i = 0; i < l->count; i++)
        for (uint32_t carry = l->words[l->slot[i]], b = 0; carry; b++) {
            uint32_t next = count[b] & carry;
            count[b] ^= carry;
            carry = next;
        }
    for (int b = 7; b >= 0; b--) {
        if (!(count[b] & best)) continue;
        best &= count[b];
        most |= 1u << b;
    }
    return most;
}

#endif
