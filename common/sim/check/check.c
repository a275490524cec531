/* check.c - detects races and reads of unwritten words in shared memory (like racecheck and
 * initcheck of NVIDIA's Compute Sanitizer), in every launch.
 *
 *     warp 0   reads   . . # # # . . .        One bit for each 4-byte word and warp, kept between two
 *              writes  # . . . . . . .        barriers. If one warp writes a word that another warp reads
 *     warp 1   reads   # . . . . . . .  <─    or writes, the result depends on which comes first: a race.
 *              writes  . . . . . . # #        The warps' bits are compared at the barrier.
 *
 * Two lanes of one warp never race here, because the simulator executes a warp in lockstep. An
 * atomic operation counts as a read, so two atomics do not race. Accesses narrower than a word have
 * one bit for each byte; if there were any, the bytes are compared as well. A read of a word that
 * nothing has written since the block began is an error at once.
 *
 * The bits show that a race happened, but not which lines of code it was between. So the block runs
 * a second time, records a reader and the last writer of each byte, and stops at the second of the
 * two accesses.
 *
 * Source: NVIDIA Compute Sanitizer's racecheck and initcheck; CUDA C++ Programming Guide,
 * __syncthreads(). */
#include "sim/check/async.h"
#include "sim/check/names.h"
#include "sim/exec/access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOBODY = -1 };

/* An access to a byte since the last barrier. lane: index in its batch of warps, or NOBODY (no
 * access). step: index in the program. */
struct touch {
    int lane, batch, step;
};

/* All sets of words start empty. The arrays reader and writer are allocated by check_remember, if
 * at all. */
struct check *check_new(size_t shared_bytes, size_t local_bytes, int warps)
{
    struct check *c = xcalloc(1, sizeof *c);
    c->words = (shared_bytes + 3) / 4;
    c->cells = (c->words + 63) / 64;
    c->warps = warps;
    c->ever = xcalloc(c->cells + 1, sizeof *c->ever);
    c->held = xcalloc(c->cells + 1, sizeof *c->held);
    c->read = xcalloc(c->cells * (size_t)warps + 1, sizeof *c->read);
    c->wrote = xcalloc(c->cells * (size_t)warps + 1, sizeof *c->wrote);
    c->narrow_read = xcalloc(4 * c->cells * (size_t)warps + 1, sizeof *c->narrow_read);
    c->narrow_wrote = xcalloc(4 * c->cells * (size_t)warps + 1, sizeof *c->narrow_wrote);
    c->local_cells = (local_bytes + 255) / 256;
    c->local = xcalloc(c->local_cells * (size_t)warps * 32 + 1, sizeof *c->local);
    return c;
}

void check_free(struct check *c)
{
    if (!c) return;
    free(c->ever);
    free(c->held);
    free(c->local);
    free(c->read);
    free(c->wrote);
    free(c->narrow_read);
    free(c->narrow_wrote);
    free(c->reader);
    free(c->writer);
    async_free(c->async);
    free(c);
}

/* Forget the reads and writes since the last barrier. Which words were ever written is kept. */
static void forget_touches(struct check *c)
{
    memset(c->read, 0, c->cells * (size_t)c->warps * sizeof *c->read);
    memset(c->wrote, 0, c->cells * (size_t)c->warps * sizeof *c->wrote);
    if (c->any_narrow) {
        memset(c->narrow_read, 0, 4 * c->cells * (size_t)c->warps * sizeof *c->narrow_read);
        memset(c->narrow_wrote, 0, 4 * c->cells * (size_t)c->warps * sizeof *c->narrow_wrote);
    }
    c->any_writes = c->any_narrow = 0;
    for (size_t i = 0; c->reader && i < 4 * c->words; i++)
        c->reader[i].lane = c->writer[i].lane = NOBODY;
}

/* At the start of a block nothing is written, neither in shared memory nor in its threads' local
 * memory. */
void check_start_block(struct check *c)
{
    memset(c->ever, 0, c->cells * sizeof *c->ever);
    memset(c->held, 0, c->cells * sizeof *c->held);
    c->any_held = 0;
    memset(c->local, 0, c->local_cells * (size_t)c->warps * 32 * sizeof *c->local);
    c->barriers = 0;
    async_start_block(c->async);
    forget_touches(c);
}

void check_remember(struct check *c, int on)
{
    free(c->reader);
    free(c->writer);
    c->reader = on ? xcalloc(4 * c->words + 1, sizeof *c->reader) : NULL;
    c->writer = on ? xcalloc(4 * c->words + 1, sizeof *c->writer) : NULL;
}

/* ---- recording accesses ---- */

/* The bits of one cell for words first .. last, which may extend into cells before or after it. */
static uint64_t cell_bits(size_t cell, size_t first, size_t last)
{
    uint64_t from = first > cell * 64 ? ~(uint64_t)0 << (first & 63) : ~(uint64_t)0;
    uint64_t to = last < cell * 64 + 63 ? ~(~(uint64_t)0 << ((last & 63) + 1)) : ~(uint64_t)0;
    return from & to;
}

/* The general form of check_range: words first .. last, over several cells. */
int check_long_range(struct check *c, int warp, size_t first, size_t last, int write)
{
    uint64_t unwritten = 0;
    for (size_t cell = first / 64; cell <= last / 64; cell++)
        unwritten |= check_bits(c, warp, cell, cell_bits(cell, first, last), write);
    return unwritten == 0;
}

/* Records an access to part of one word. Returns 0 if the access reads a word that nothing has
 * written, else 1. A write to any byte of a word counts as a write to the whole word. */
static int check_narrow(struct check *c, int warp, uint64_t lo, unsigned bytes, int write)
{
    uint64_t bits = (((uint64_t)1 << bytes) - 1) << (lo & 63), word = (uint64_t)1 << (lo / 4 & 63);
    (write ? c->narrow_wrote : c->narrow_read)[lo / 64 * (size_t)c->warps + (size_t)warp] |= bits;
    c->any_narrow = 1;
    if (!write) return (c->ever[lo / 256] & word) != 0;
    c->ever[lo / 256] |= word;
    c->any_writes = 1;
    return 1;
}

/* An aligned access of a lane lies within one cell (64 words). If the lanes span few cells, the
 * bits of each cell are collected by a loop that the compiler can vectorize; else lanes are
 * recorded one after the other, neighbouring lanes of one cell together. */
int check_lanes(
    struct check *c, int warp, uint64_t base, const uint32_t off[32], unsigned bytes, int write)
{
    enum { FEW = 8 };
    uint64_t unwritten = 0, bits = 0, words = ((uint64_t)1 << (bytes > 4 ? bytes / 4 : 1)) - 1;
    uint32_t word[32], last = 0; /* word indices, counted from the start of the first cell */
    size_t first = base / 256, cell = 0;
    for (int l = 0; l < 32; l++) {
        word[l] = ((uint32_t)(base % 256) + off[l]) / 4;
        last = word[l] > last ? word[l] : last;
    }
    for (; last / 64 < FEW && cell <= last / 64; cell++, bits = 0) {
        for (int l = 0; l < 32; l++) bits |= word[l] / 64 == cell ? words << (word[l] & 63) : 0;
        if (bits) unwritten |= check_bits(c, warp, first + cell, bits, write);
    }
    for (int l = 0; last / 64 >= FEW && l < 32; l++) {
        if (word[l] / 64 != cell) {
            if (bits) unwritten |= check_bits(c, warp, first + cell, bits, write);
            cell = word[l] / 64;
            bits = 0;
        }
        bits |= words << (word[l] & 63);
    }
    if (bits) unwritten |= check_bits(c, warp, first + cell, bits, write);
    return unwritten == 0;
}

/* ---- checks of a single lane ---- */

/* Describes where a barrier is missing between two source lines. If the second access is in an
 * earlier line than the first, the two accesses are in different iterations of a loop. */
static void where_between(int first, int second, char *out, size_t size)
{
    if (second < first)
        snprintf(out, size, "after line %d, before the loop comes round to line %d", first, second);
    else if (second == first)
        snprintf(out, size,
            "between the two: before a loop comes round to line %d, or between what the line "
            "reads and what it writes",
            second);
    else
        snprintf(out, size, "between these lines");
}

/* Reports a race. before: the earlier access; at: the byte that it touched; does, did: verbs for
 * the current access and for the earlier one. */
static void race(struct batch *v, const struct uop *u, int lane, unsigned bytes,
    const struct touch *before, uint64_t addr, uint64_t at, const char *does, const char *did)
{
    const struct ptx_step *steps = v->worker->kernel->program->steps;
    char other[64], word[96], where[160];
    if (sim_known(v, u, FOUND_RACE)) return;
    int line = steps[before->step].loc.line;
    sim_thread_name(&v->worker->batches[before->batch], before->lane, other, sizeof other);
    names_shared(v->worker, u->step, addr, word, sizeof word);
    where_between(line, steps[u->step].loc.line, where, sizeof where);
    if (*does == 'w' && did[0] == 'w' && did[1] == 'r' && line == steps[u->step].loc.line)
        snprintf(where, sizeof where, "between the two, or a word of its own for each thread");
    v->worker->clash = (struct sim_clash){CLASH_RACE, at,
        before->batch * BATCH_WARPS + before->lane / 32, before->lane % 32, before->step};
    sim_warn(v, u, lane, FAULT(.kind = FOUND_RACE, .other_line = line, .hints = HINT_BARRIER),
        "%s %s%s, which thread %s %s in line %d, with no barrier between the two: a race\1; a "
        "__syncthreads() belongs %s",
        does, bytes < 4 ? "bytes of " : "", word, other, did, line, where);
}

/* Is t an access by another warp than the one of this lane? */
static int by_another(const struct touch *t, const struct batch *v, int lane)
{
    return t->lane != NOBODY && (t->batch != v->index || t->lane / 32 != lane / 32);
}

int sim_partly(const struct batch *v, const uint64_t *cells, uint64_t addr, unsigned bytes)
{
    int any = 0;
    for (uint64_t word = addr / 4; word <= (addr + bytes - 1) / 4; word++)
        any |= cells[word / 64] >> word % 64 & 1;
    return v->worker->launch->notes && any;
}

/* 1. An atomic operation only needs its word to have been written before.
 * 2. A plain access sets its bits; a read of an unwritten word is an error.
 * 3. If accesses are recorded, each byte is compared with its last writer and, for a write, its
 *    last reader. A recorded reader of another warp is not replaced. */
void check_lane(struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes,
    int write, int atomic)
{
    struct check *c = v->worker->check;
    int warp = v->index * BATCH_WARPS + lane / 32;
    if (v->worker->check_off) return;
    if (write) bulk_keeps(v, u, lane, addr, bytes);
    if (atomic) {
        if (!check_range(c, warp, addr, addr + bytes, 0) && !async_allows(v, u, lane, addr, bytes))
            unwritten_found(v, u, lane, addr, bytes, 1);
        return;
    }
    if (!(bytes < 4 ? check_narrow(c, warp, addr, bytes, write)
                    : check_range(c, warp, addr, addr + bytes, write)) &&
        !async_allows(v, u, lane, addr, bytes))
        unwritten_found(v, u, lane, addr, bytes, 0);
    for (uint64_t at = addr; c->reader && at < addr + bytes; at++) {
        if (by_another(&c->writer[at], v, lane))
            race(v, u, lane, bytes, &c->writer[at], addr, at, write ? "writes" : "reads", "wrote");
        if (write && by_another(&c->reader[at], v, lane))
            race(v, u, lane, bytes, &c->reader[at], addr, at, "writes", "read");
        struct touch me = {lane, v->index, u->step};
        if (write)
            c->writer[at] = me;
        else if (c->reader[at].lane == NOBODY || !by_another(&c->reader[at], v, lane))
            c->reader[at] = me;
    }
}

/* ---- local memory ---- */

/* Reports a read of an unwritten element of local memory. The array is named if the source declares
 * only one. If threads of the block synchronize, the message suggests that the array was meant to
 * be shared. */
static void local_unwritten(struct batch *v, const struct uop *u, int lane, uint64_t at)
{
    const struct worker *w = v->worker;
    struct named n;
    char word[96];
    int arrays = names_own(w, &n), barriers = 0;
    if (arrays)
        snprintf(word, sizeof word, "an element of a local array");
    else
        snprintf(word, sizeof word, "byte %llu of its local memory", (unsigned long long)at);
    if (arrays == 1 && n.shape.elements * n.shape.element == w->local_bytes)
        names_element(&n, at, word, sizeof word);
    for (size_t i = 0; i < w->kernel->block_count; i++)
        barriers |= w->kernel->blocks[i].end == END_BARRIER;
    if (arrays && barriers)
        sim_warn(v, u, lane, FAULT(.kind = FOUND_UNFILLED),
            "reads %s, which it has not written: every thread has an array of its own\1; is __shared__ "
            "missing in "
            "line %d?",
            word, n.shape.line);
    else
        sim_warn(v, u, lane, FAULT(.kind = FOUND_UNFILLED),
            "reads %s, which it has not written: an array or a structure of the thread's own holds whatever "
            "was there until it is given a value",
            word);
}

/* Does a read of this unwritten element count as an error? If the launch goes on after findings,
 * only if the program uses the value. */
static int local_counts(const struct batch *v, const struct uop *u, int element)
{
    return !v->worker->launch->notes || sim_used(v, u, element);
}

/* Each lane has its own cells, with one bit for each word of its local memory. It is no error if
 * the result of a vector element is unused (r[e] < 0), or if the simulator itself added the
 * step. */
void check_local(struct batch *v, const struct uop *u, int lane, uint64_t addr, int write)
{
    struct check *c = v->worker->check;
    uint64_t *cells = c->local + (size_t)(v->index * BATCH_LANES + lane) * c->local_cells;
    const struct sim_watch *watch = v->worker->launch->watch;
    if (v->worker->check_off || (watch && watch->unoptimised)) return;
    int told = sim_partly(v, cells, addr, (unsigned)u->bytes * u->vector);
    for (int e = 0; e < u->vector; e++) {
        uint64_t at = addr + (uint64_t)e * u->bytes;
        for (uint64_t word = at / 4; word <= (at + u->bytes - 1) / 4; word++) {
            int unwritten = !write && !(cells[word / 64] >> word % 64 & 1);
            if (unwritten && !told && u->r[e] >= 0 && !u->quiet && local_counts(v, u, e)) {
                local_unwritten(v, u, lane, at);
                told = 1;
            }
            if (write || told) cells[word / 64] |= (uint64_t)1 << word % 64;
        }
    }
}

/* Check reads and record writes of local memory by all lanes. Accesses are aligned, so all words
 * of a lane have their bits in one 64-bit element of cells. */
int check_local_lanes(const struct access *x)
{
    const struct worker *own = x->v->worker;
    struct check *c = own->check;
    uint64_t missing = 0, words = ((uint64_t)1 << (x->bytes + 3) / 4) - 1;
    uint64_t *cells =
        c->local + (size_t)(x->v->index * BATCH_LANES + x->first * 32) * c->local_cells;
    if (own->check_off || (own->launch->watch && own->launch->watch->unoptimised)) return 1;
    for (uint32_t m = x->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        uint64_t word = (x->lo[0] + x->pattern->off[l]) / 4,
                 *cell = &cells[(size_t)l * c->local_cells + word / 64];
        if (x->kind == TOUCH_WRITE)
            *cell |= words << word % 64;
        else
            missing |= words << word % 64 & ~*cell;
    }
    return !missing;
}

/* ---- comparing warps at a barrier ---- */

/* Widen a set of 16 words (the low 16 bits) to the set of their 64 bytes. */
static uint64_t bytes_of(uint64_t words)
{
    uint64_t bytes = 0;
    for (uint64_t m = words & 0xffff; m; m &= m - 1)
        bytes |= (uint64_t)15 << (4 * __builtin_ctzll(m));
    return bytes;
}

/* The words of a cell (64 words) that one warp wrote and another warp read or wrote: each warp is
 * compared with the union of the warps before it. */
static uint64_t words_clash(const struct check *c, size_t cell)
{
    uint64_t read = 0, wrote = 0, clash = 0;
    for (int w = 0; w < c->warps; w++) {
        uint64_t r = c->read[cell * (size_t)c->warps + (size_t)w],
                 x = c->wrote[cell * (size_t)c->warps + (size_t)w];
        clash |= (x & (read | wrote)) | (r & wrote);
        read |= r;
        wrote |= x;
    }
    return clash;
}

/* The bytes of a 64-byte cell that one warp wrote and another warp read or wrote, from narrow
 * accesses together with accesses to whole words. */
static uint64_t bytes_clash(const struct check *c, size_t cell)
{
    uint64_t read = 0, wrote = 0, clash = 0;
    for (int w = 0; w < c->warps; w++) {
        size_t word = cell / 4 * (size_t)c->warps + (size_t)w,
               byte = cell * (size_t)c->warps + (size_t)w;
        uint64_t r = c->narrow_read[byte] | bytes_of(c->read[word] >> cell % 4 * 16);
        uint64_t x = c->narrow_wrote[byte] | bytes_of(c->wrote[word] >> cell % 4 * 16);
        clash |= (x & (read | wrote)) | (r & wrote);
        read |= r;
        wrote |= x;
    }
    return clash;
}

/* Warps are compared only if some warp wrote since the last barrier. */
int check_barrier_passed(struct check *c)
{
    uint64_t clash = 0;
    for (size_t cell = 0; c->any_writes && cell < c->cells; cell++) clash |= words_clash(c, cell);
    for (size_t cell = 0; c->any_writes && c->any_narrow && cell < 4 * c->cells; cell++)
        clash |= bytes_clash(c, cell);
    bulk_barrier(c);
    forget_touches(c);
    async_barrier(c, 0);
    unwritten_barrier(c);
    c->barriers++;
    return clash == 0;
}

void check_mbarrier_passed(struct worker *w)
{
    struct check *c = w->check;
    words_barrier(w);
    bulk_barrier(c);
    if (c->any_writes) forget_touches(c);
    async_barrier(c, 1);
}
