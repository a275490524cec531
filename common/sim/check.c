/* check.c - shared memory as racecheck and initcheck see it, always on.
 *
 *     warp 0   reads   . . # # # . . .        between two barriers, a bit a 4-byte word and warp. Where one warp
 *              writes  # . . . . . . .        writes a word that another one touches, the order of the two decides
 *     warp 1   reads   # . . . . . . .  <─    the result: a race. Words are compared when the barrier comes.
 *              writes  . . . . . . # #
 *
 * Lanes of one warp move together, so among themselves they do not race here. Atomic operations do not race either, nor
 * do accesses narrower than a word, whose neighbours may be another warp's. A read of a word that nothing has written
 * since the block began is an error at once.
 *
 * The bits tell that there was a race, not between which lines. So the block runs a second time, every word remembering
 * who touched it, and stops at the second of the two accesses. */
#include "sim/check.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = -1 };

struct touch { /* who touched a word last, since the last barrier */
    int lane, convoy, step;
};

struct check *check_new(size_t shared_bytes, size_t local_bytes, int warps)
{
    struct check *c = xcalloc(1, sizeof *c);
    c->words = (shared_bytes + 3) / 4;
    c->cells = (c->words + 63) / 64;
    c->warps = warps;
    c->ever = xcalloc(c->cells + 1, sizeof *c->ever);
    c->read = xcalloc(c->cells * (size_t)warps + 1, sizeof *c->read);
    c->wrote = xcalloc(c->cells * (size_t)warps + 1, sizeof *c->wrote);
    c->local_cells = (local_bytes + 255) / 256;
    c->local = xcalloc(c->local_cells * (size_t)warps * 32 + 1, sizeof *c->local);
    return c;
}

void check_free(struct check *c)
{
    if (!c)
        return;
    free(c->ever);
    free(c->local);
    free(c->read);
    free(c->wrote);
    free(c->reader);
    free(c->writer);
    free(c);
}

static void forget_touches(struct check *c)
{
    memset(c->read, 0, c->cells * (size_t)c->warps * sizeof *c->read);
    memset(c->wrote, 0, c->cells * (size_t)c->warps * sizeof *c->wrote);
    c->any_writes = 0;
    for (size_t i = 0; c->reader && i < c->words; i++)
        c->reader[i].lane = c->writer[i].lane = NOBODY;
}

void check_start_block(struct check *c)
{
    memset(c->ever, 0, c->cells * sizeof *c->ever);
    memset(c->local, 0, c->local_cells * (size_t)c->warps * 32 * sizeof *c->local);
    forget_touches(c);
}

void check_remember(struct check *c, int on)
{
    free(c->reader);
    free(c->writer);
    c->reader = on ? xcalloc(c->words + 1, sizeof *c->reader) : NULL;
    c->writer = on ? xcalloc(c->words + 1, sizeof *c->writer) : NULL;
}

/* ---- marking ---- */

/* Bits first .. last (words) of a cell. */
static uint64_t cell_bits(size_t cell, size_t first, size_t last)
{
    uint64_t from = first > cell * 64 ? ~(uint64_t)0 << (first & 63) : ~(uint64_t)0;
    uint64_t to = last < cell * 64 + 63 ? ~(~(uint64_t)0 << ((last & 63) + 1)) : ~(uint64_t)0;
    return from & to;
}

int check_long_range(struct check *c, int warp, size_t first, size_t last, int write)
{
    uint64_t unwritten = 0;
    for (size_t cell = first / 64; cell <= last / 64; cell++)
        unwritten |= check_bits(c, warp, cell, cell_bits(cell, first, last), write);
    return unwritten == 0;
}

void check_written(struct check *c, uint64_t lo, uint64_t hi)
{
    for (size_t word = lo / 4; word <= (hi - 1) / 4; word++)
        c->ever[word / 64] |= (uint64_t)1 << (word & 63);
}

int check_lanes(struct check *c, int warp, uint64_t base, const uint32_t off[32], unsigned bytes, int write)
{
    int good = 1;
    if (bytes > 4) {
        for (int l = 0; l < 32; l++)
            good &= check_range(c, warp, base + off[l], base + off[l] + bytes, write);
        return good;
    }
    uint64_t unwritten = 0;
    for (int l = 0; l < 32; l++) {
        size_t word = (base + off[l]) / 4;
        unwritten |= check_bits(c, warp, word / 64, (uint64_t)1 << (word & 63), write);
    }
    return unwritten == 0;
}

/* ---- lane by lane ---- */

static void race(struct convoy *v, const struct uop *u, int lane, const struct touch *before, const char *does, const char *did)
{
    char other[64];
    int line = v->worker->kernel->program->steps[before->step].loc.line;
    sim_thread_name(&v->worker->convoys[before->convoy], before->lane, other, sizeof other);
    sim_fault(v, u, lane, "%s a word of shared memory that thread %s %s in line %d, with no barrier between the two: a race; "
              "a __syncthreads() belongs between these lines", does, other, did, line);
}

/* Did a lane of another warp leave a mark? */
static int by_another(const struct touch *t, const struct convoy *v, int lane)
{
    return t->lane != NOBODY && (t->convoy != v->index || t->lane / 32 != lane / 32);
}

void check_lane(struct convoy *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes, int write, int atomic)
{
    struct check *c = v->worker->check;
    int warp = v->index * CONVOY_WARPS + lane / 32;
    if (v->worker->check_off)
        return;
    if (bytes < 4) {
        if (write)
            check_written(c, addr, addr + bytes);
        return;
    }
    if (atomic) {
        if (!check_range(c, warp, addr, addr + bytes, 0))
            sim_fault(v, u, lane, "updates shared memory that no thread has written yet; is a __syncthreads() missing before this line?");
        return;
    }
    if (!check_range(c, warp, addr, addr + bytes, write))
        sim_fault(v, u, lane, "reads shared memory that no thread has written yet; is a __syncthreads() missing before this line?");
    if (!c->reader)
        return;
    for (size_t word = addr / 4; word <= (addr + bytes - 1) / 4; word++) {
        if (by_another(&c->writer[word], v, lane))
            race(v, u, lane, &c->writer[word], write ? "writes" : "reads", "wrote");
        if (write && by_another(&c->reader[word], v, lane))
            race(v, u, lane, &c->reader[word], "writes", "read");
        struct touch me = {lane, v->index, u->step};
        if (write)
            c->writer[word] = me;
        else if (c->reader[word].lane == NOBODY || !by_another(&c->reader[word], v, lane))
            c->reader[word] = me;
    }
}

/* ---- local memory ---- */

void check_local(struct convoy *v, const struct uop *u, int lane, uint64_t addr, int write)
{
    struct check *c = v->worker->check;
    uint64_t *cells = c->local + (size_t)(v->index * CONVOY_LANES + lane) * c->local_cells;
    if (v->worker->check_off)
        return;
    for (int e = 0; e < u->vector; e++) {
        uint64_t at = addr + (uint64_t)e * u->bytes;
        for (uint64_t word = at / 4; word <= (at + u->bytes - 1) / 4; word++)
            if (write)
                cells[word / 64] |= (uint64_t)1 << word % 64;
            else if (!(cells[word / 64] >> word % 64 & 1) && u->r[e] >= 0 && !u->quiet)
                sim_fault(v, u, lane, "reads byte %llu of its local memory, which it has not written: an array or a structure of the "
                          "thread's own holds whatever was there until it is given a value", (unsigned long long)at);
    }
}

/* ---- at a barrier ---- */

int check_barrier_passed(struct check *c)
{
    uint64_t clash = 0;
    for (size_t cell = 0; c->any_writes && cell < c->cells; cell++) {
        uint64_t read = 0, wrote = 0;
        for (int w = 0; w < c->warps; w++) {
            uint64_t r = c->read[cell * (size_t)c->warps + (size_t)w], x = c->wrote[cell * (size_t)c->warps + (size_t)w];
            clash |= (x & (read | wrote)) | (r & wrote);
            read |= r;
            wrote |= x;
        }
    }
    forget_touches(c);
    return clash == 0;
}
