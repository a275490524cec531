/* shadow_lines.h - private to shadow.c: the table of the lines that a block has touched. */
#ifndef LOCKSTEP_SIM_SHADOW_LINES_H
#define LOCKSTEP_SIM_SHADOW_LINES_H

#include "sim/check/shadow.h"

#include <stdlib.h>
#include <string.h>

/* Bytes and 4-byte words of a line. MIXED: no single warp owns the line. */
enum { LINE = 128, WORDS = 32, MIXED = 255 };
/* A toucher is 32 bits: the thread in its block (low bits), the step of the program (high bits). */
enum { THREAD_BITS = 10, MOST_STEPS = 1 << (32 - THREAD_BITS) };

/* For each word of a line: its first reader, its first reader from another warp than that one, its
 * first writer. Readers of two warps are enough: a later writer is of another warp than at least
 * one of them. */
enum { READERS, READERS_TOO, WRITERS, ARRAYS };

/* What a block did to one line. written lasts for the block. mask and owner are cleared at the
 * first touch after a barrier (line_at). */
struct line {
    uint64_t number; /* address / 128 */
    const struct region *region;
    uint64_t written[2];   /* bytes, since the block began */
    uint32_t epoch;        /* mask and owner are valid in this epoch */
    uint32_t slot;         /* its place in the table */
    uint32_t mask[ARRAYS]; /* words that each array has an entry for */
    uint32_t who[ARRAYS];  /* index in shadow.arrays; 0: none yet */
    uint8_t owner;         /* the only warp that touched it in this epoch, or MIXED */
};

/* A warp's last correct access of a kind. Repeating it in the same epoch is also correct, and
 * leaves nothing to record. */
struct last {
    uint64_t base;
    uint32_t epoch, mask, off[32];
    unsigned each; /* bytes of a lane; 0: an old value that does not matter */
};

/* The lines that the current block has touched. lines and arrays keep their memory from block to
 * block. */
struct shadow {
    struct line *lines;
    size_t count, cap;
    uint32_t *table; /* open addressing: index of a line + 1 */
    unsigned table_bits;
    uint32_t (*arrays)[WORDS]; /* touchers, one for each word of a line */
    size_t array_count, array_cap;
    uint32_t epoch;                    /* counts barriers, starts of blocks and handovers */
    int races;                         /* the block has several warps, so races are possible */
    int sm, meets;                     /* its multiprocessor; did that share a word with another */
    uint32_t fenced;                   /* a bit for each warp with a fence since the last barrier */
    struct last last[32][TOUCH_KINDS]; /* of each warp */
};

/* Fibonacci hashing of the line number. */
static inline size_t first_slot(const struct shadow *f, uint64_t number)
{
    return (size_t)(number * 0x9e3779b97f4a7c15u >> (64 - f->table_bits));
}

/* The slot of a line, or the free slot where it would go. */
static inline size_t find_slot(const struct shadow *f, uint64_t number)
{
    size_t most = ((size_t)1 << f->table_bits) - 1, i = first_slot(f, number);
    while (f->table[i] && f->lines[f->table[i] - 1].number != number) i = (i + 1) & most;
    return i;
}

/* Double the table and enter all lines again. */
static inline void grow(struct shadow *f)
{
    free(f->table);
    f->table_bits++;
    f->table = xcalloc((size_t)1 << f->table_bits, sizeof *f->table);
    for (size_t i = 0; i < f->count; i++) {
        f->lines[i].slot = (uint32_t)find_slot(f, f->lines[i].number);
        f->table[f->lines[i].slot] = (uint32_t)i + 1;
    }
}

/* Add a line, at most half filling the table. Its epoch is an old one, so that line_at clears it at
 * first use. */
static inline struct line *new_line(
    struct shadow *f, const struct region *r, uint64_t number, size_t slot)
{
    if (f->count * 2 >= (size_t)1 << f->table_bits) {
        grow(f);
        slot = find_slot(f, number);
    }
    struct line *l =
        f->count < f->cap ? &f->lines[f->count++] : VEC_PUSH(f->lines, f->count, f->cap);
    *l =
        (struct line){.number = number, .region = r, .slot = (uint32_t)slot, .epoch = f->epoch - 1};
    f->table[slot] = (uint32_t)f->count;
    return l;
}

/* The line of a number, added if it is new and cleared if a barrier has passed. The pointer is
 * valid until the next line is added. */
static inline struct line *line_at(struct shadow *f, const struct region *r, uint64_t number)
{
    size_t slot = find_slot(f, number);
    struct line *l = f->table[slot] ? &f->lines[f->table[slot] - 1] : new_line(f, r, number, slot);
    if (l->epoch != f->epoch) {
        l->epoch = f->epoch;
        l->owner = MIXED; /* nobody has touched it yet: the first touch sets the owner */
        memset(l->mask, 0, sizeof l->mask);
    }
    return l;
}

/* Steps too large for their bits are all given as the largest. */
static inline uint32_t toucher(int thread, int step)
{
    return (uint32_t)thread | (uint32_t)(step < MOST_STEPS ? step : MOST_STEPS - 1) << THREAD_BITS;
}

static inline int thread_of(uint32_t who) { return (int)(who & ((1 << THREAD_BITS) - 1)); }

/* The touchers of a line's words in one of its arrays, which is allocated at first use. The pointer
 * is valid until the next array is allocated. */
static inline uint32_t *who(struct shadow *f, struct line *l, int array)
{
    if (!l->who[array]) {
        if (f->array_count == f->array_cap)
            VEC_PUSH(f->arrays, f->array_count, f->array_cap);
        else
            f->array_count++;
        l->who[array] = (uint32_t)f->array_count - 1;
    }
    return f->arrays[l->who[array]];
}

#endif
