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

/* LINES_MOST: each lane's first and last byte can lie in different lines. LINE_SLOTS: slots of the
 * hash table (open addressing), at most half full. */
enum { LINES_MOST = 2 * WARP_SIZE, LINE_SLOTS = 2 * LINES_MOST };

struct lines {
    unsigned count;
    uint8_t slot[LINES_MOST + 1]; /* each line's slot, in order of arrival */
    uint64_t number[LINE_SLOTS];
    uint32_t words[LINE_SLOTS]; /* a bit each; 0: the slot is free */
};

/* No lines so far. */
static inline void lines_start(struct lines *l)
{
    l->count = 0;
    for (int i = 0; i < LINE_SLOTS; i++) l->words[i] = 0;
}

/* Add the words of the lanes in mask. A line has 1 << shift of them, at most 32. Returns the lanes
 * whose word was already added, by a lower lane or an earlier call. */
static inline uint32_t lines_add(
    struct lines *l, const uint64_t word[WARP_SIZE], uint32_t mask, unsigned shift)
{
    uint32_t again = 0;
    for (; mask; mask &= mask - 1) {
        uint64_t w = word[__builtin_ctz(mask)], number = w >> shift;
        uint32_t bit = 1u << (w & ((1u << shift) - 1)), words;
        /* multiplicative hash: its top 7 bits */
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

/* How many different words there are. */
static inline unsigned lines_words(const struct lines *l)
{
    unsigned n = 0;
    for (unsigned i = 0; i < l->count; i++) n += (unsigned)__builtin_popcount(l->words[l->slot[i]]);
    return n;
}

/* How many groups of "together" neighbouring words of a line, a power of two, have a word. */
static inline unsigned lines_grouped(uint32_t words, unsigned together)
{
    /* the first bit of each group */
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

/* The most words in one bank: word w of every line is in bank w. count[b] is bit b of 32 sums. */
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
