/* shadow_lines.h - private to shadow.c: a hash table of the lines of global memory that a block has
 * accessed. */
#ifndef LOCKSTEP_SIM_SHADOW_LINES_H
#define LOCKSTEP_SIM_SHADOW_LINES_H

#include "sim/check/shadow.h"

#include <stdlib.h>
#include <string.h>

/* LINE: bytes of a line; WORDS: 4-byte words of a line; MIXED: the value of `owner` if no warp, or
 * several, have touched the line. */
enum { LINE = 128, WORDS = 32, MIXED = 255 };
/* A "toucher" identifies an access in 32 bits: the thread of the block (low bits) and the step of
 * the program (high bits). */
enum { THREAD_BITS = 10, MOST_STEPS = 1 << (32 - THREAD_BITS) };

/* The arrays in which the accesses to a line are recorded, as touchers (thread and step). For each
 * word: its first reader, the first reader from another warp than that one, and its first writer.
 * Two readers are enough: a later writer belongs to another warp than at least one of them. */
enum { READERS, READERS_TOO, WRITERS, ARRAYS };

/* What a block did to one line. written is valid for the whole block. mask and owner are cleared at
 * the first access after a barrier (line_at). */
struct line {
    uint64_t number; /* number of the line: address / 128 */
    const struct region *region;
    uint64_t written[2];   /* bytes written since the block began, one bit each */
    uint32_t epoch;        /* the epoch for which mask and owner are valid */
    uint32_t slot;         /* index of the line in the table */
    uint32_t mask[ARRAYS]; /* for each array of recorded accesses: the words that have an entry */
    /* for each array of recorded accesses: its index in shadow.arrays; 0: none yet */
    uint32_t who[ARRAYS];
    /* words that the block has read, updated and written since it began (by enum touch_kind); kept
     * where blocks are compared */
    uint32_t all[TOUCH_KINDS];
    uint8_t owner; /* the only warp that has accessed the line in this epoch, or MIXED */
};

/* A warp's last access of one kind that was no error. Repeating it in the same epoch is no error
 * either, and changes nothing that is recorded. */
struct last {
    uint64_t base;
    uint32_t epoch, mask, off[32];
    unsigned each; /* bytes of each lane; 0: the old value was not used */
};

/* All lines that the current block has accessed. The memory of the arrays lines and arrays is kept
 * from block to block. */
struct shadow {
    struct line *lines;
    size_t count, cap;
    /* hash table with open addressing; an entry is the index of a line + 1; 0: free */
    uint32_t *table;
    unsigned table_bits;
    /* arrays of recorded accesses (thread and step), one entry for each word of a line */
    uint32_t (*arrays)[WORDS];
    size_t array_count, array_cap;
    /* incremented at each barrier, at each block's start, and when an atomic operation after a
     * fence synchronizes */
    uint32_t epoch;
    int races;  /* the block has several warps, so they can race, or blocks are compared */
    int across; /* accesses of different blocks are compared */
    /* sm: number of the multiprocessor; meets: it has accessed a word that another multiprocessor
     * owns */
    int sm, meets;
    uint32_t fenced; /* warps that have executed a fence since the last barrier, one bit each */
    struct last last[32][TOUCH_KINDS]; /* the last access by each warp, of each kind */
};

/* Fibonacci hashing of the line number. */
static inline size_t first_slot(const struct shadow *f, uint64_t number)
{
    return (size_t)(number * 0x9e3779b97f4a7c15u >> (64 - f->table_bits));
}

/* The slot of a line; if the line is not in the table, the free slot where it would go. */
static inline size_t find_slot(const struct shadow *f, uint64_t number)
{
    size_t most = ((size_t)1 << f->table_bits) - 1, i = first_slot(f, number);
    while (f->table[i] && f->lines[f->table[i] - 1].number != number) i = (i + 1) & most;
    return i;
}

/* Double the table and insert all lines again. */
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

/* Add a line; the table grows so that it stays at most half full. The line gets an outdated epoch,
 * so that line_at clears it at first use. */
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

/* The entry of line "number"; the entry is added if the line is new, and cleared if its epoch is
 * over. The pointer is valid until the next line is added. */
static inline struct line *line_at(struct shadow *f, const struct region *r, uint64_t number)
{
    size_t slot = find_slot(f, number);
    struct line *l = f->table[slot] ? &f->lines[f->table[slot] - 1] : new_line(f, r, number, slot);
    if (l->epoch != f->epoch) {
        l->epoch = f->epoch;
        /* no warp has accessed the line in this epoch; the first access sets the owner */
        l->owner = MIXED;
        memset(l->mask, 0, sizeof l->mask);
    }
    return l;
}

/* Packs the thread and the step of an access into 32 bits. Steps that need more bits are all stored
 * as the largest number. */
static inline uint32_t toucher(int thread, int step)
{
    return (uint32_t)thread | (uint32_t)(step < MOST_STEPS ? step : MOST_STEPS - 1) << THREAD_BITS;
}

static inline int thread_of(uint32_t who) { return (int)(who & ((1 << THREAD_BITS) - 1)); }

/* One of the arrays in which the accesses to a line are recorded; it is allocated at first use. The
 * pointer is valid until the next array is allocated. */
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
