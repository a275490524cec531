/* bulk.c - detects accesses to shared memory that the copy engine still fills, or still reads.
 *
 *      thread 0    load A, barrier b | ... | the phase of b ends, a thread waits for it |
 *      word of A   in flight ................................. | there for its warp     | after a barrier of
 *                                                                                         all: for all
 *      thread 0    store B | commit | wait for the group |
 *      word of B   held: nobody may write it             | free
 *
 * While a word is in flight it counts as never written (check.h), so a read of it is checked by
 * async.c and then here. Each write is checked against the words that are held. The engine sees
 * ordinary stores only after a fence: words that were stored before a barrier without one are
 * "unfenced" from the barrier on.
 *
 * Source: PTX ISA, asynchronous operations, proxies. */
#include "sim/check/async.h"
#include "sim/check/names.h"

#include <stdlib.h>
#include <string.h>

/* ---- mbarriers, which count the bytes of copies ---- */

/* The index in a->phases of the mbarrier at addr, which is added if it is new. */
static int phases_of(struct async *a, uint64_t addr)
{
    for (size_t i = 0; i < a->phase_count; i++)
        if (a->phases[i].addr == addr) return (int)i;
    *VEC_PUSH(a->phases, a->phase_count, a->phase_cap) = (struct phases){.addr = addr};
    struct phases *p = &a->phases[a->phase_count - 1];
    p->seen = xcalloc((size_t)(a->threads + 31) / 32, sizeof *p->seen);
    return (int)a->phase_count - 1;
}

void bulk_issue(struct check *c, int step, uint64_t addr, uint64_t bytes, uint64_t barrier)
{
    struct async *a = c->async;
    int b = phases_of(a, barrier);
    a->any = 1;
    a->flying += !a->phases[b].flies;
    a->phases[b].flies = 1;
    for (size_t w = addr / 4; w < (addr + bytes) / 4; w++) {
        a->word[w] = (struct flight){step, BULK_THREAD(b), a->phases[b].done + 1};
        c->ever[w / 64] &= ~((uint64_t)1 << w % 64);
        a->fenced[w / 64] |= (uint64_t)1 << w % 64;
        a->unfenced[w / 64] &= ~((uint64_t)1 << w % 64);
    }
}

void bulk_phase(struct check *c, uint64_t barrier)
{
    struct async *a = c->async;
    if (!a) return;
    for (size_t i = 0; i < a->phase_count; i++)
        if (a->phases[i].addr == barrier) a->phases[i].done++;
    for (size_t i = 0; i < a->begun_count; i++)
        if (a->begun[i].addr == barrier) a->begun[i].ended++;
}

int bulk_seen(struct check *c, int warp, uint64_t barrier)
{
    struct async *a = c->async;
    for (size_t i = 0; a && i < a->phase_count; i++) {
        struct phases *p = &a->phases[i];
        if (p->addr != barrier) continue;
        if (p->seen[warp] == p->done) return 0;
        p->seen[warp] = p->done;
        if (p->flies) p->ahead = a->flying--;
        p->flies = 0;
        return p->ahead;
    }
    return 0;
}

/* Is the copy visible to all threads? At a barrier of the block, yes if any warp has waited for it.
 * Otherwise (at_wait), only if every warp has. */
int bulk_there(struct async *a, const struct flight *f, int at_wait)
{
    const struct phases *p = &a->phases[BULK_THREAD(f->thread)];
    int warps = (a->threads + 31) / 32, seen = 0;
    for (int w = 0; w < warps; w++) seen += p->seen[w] >= f->group;
    return at_wait ? seen == warps : seen > 0;
}

void bulk_allows(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, const struct flight *f)
{
    struct worker *w = v->worker;
    const struct phases *p = &w->check->async->phases[BULK_THREAD(f->thread)];
    char word[96], barrier[96];
    if (p->seen[v->index * BATCH_WARPS + lane / 32] >= f->group) return;
    names_shared(w, u->step, addr, word, sizeof word);
    async_name(w, p->addr, barrier, sizeof barrier);
    int line = w->kernel->program->steps[f->step].loc.line, more = async_unannounced(w, p->addr);
    if (more)
        sim_warn(v, u, lane, FAULT(.kind = FOUND_COPY, .other_line = line),
            "reads %s before the bulk copy in line %d is known to have come: its barrier (%s) was told of "
            "%d bytes fewer than the copies bring\1; announce them all before the copies",
            word, line, barrier, more);
    else
        sim_warn(v, u, lane, FAULT(.kind = FOUND_COPY, .other_line = line),
            "reads %s before the bulk copy in line %d is known to have come\1; a wait for its barrier "
            "(%s) belongs between these lines",
            word, line, barrier);
}

/* ---- groups of copies from shared to global memory ---- */

void bulk_hold(struct batch *v, const struct uop *u, int lane, uint64_t addr, uint64_t bytes)
{
    struct check *c = v->worker->check;
    struct async *a = c->async;
    int thread = v->index * BATCH_LANES + lane;
    if (v->worker->check_off) return;
    for (size_t w = addr / 4; w < (addr + bytes) / 4; w++) {
        a->held[w] = (struct flight){u->step, thread, a->stored[thread] + 1};
        c->held[w / 64] |= (uint64_t)1 << w % 64;
    }
    c->any_held = 1;
}

void bulk_commit(struct batch *v, int lane)
{
    struct async *a = v->worker->check->async;
    a->stored[v->index * BATCH_LANES + lane]++;
}

void bulk_wait(struct batch *v, int lane, uint32_t left)
{
    struct check *c = v->worker->check;
    struct async *a = c->async;
    int thread = v->index * BATCH_LANES + lane;
    uint32_t read = a->stored[thread] > left ? a->stored[thread] - left : 0;
    int rest = 0;
    for (size_t w = 0; c->any_held && w < a->words; w++) {
        if (!(c->held[w / 64] >> w % 64 & 1)) continue;
        if (a->held[w].thread == thread && a->held[w].group <= read)
            c->held[w / 64] &= ~((uint64_t)1 << w % 64);
        else
            rest = 1;
    }
    c->any_held = rest;
}

/* Reports a write to a word that copy f still reads. */
static void overwritten(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, const struct flight *f)
{
    struct worker *w = v->worker;
    char word[96];
    names_shared(w, u->step, addr, word, sizeof word);
    int line = w->kernel->program->steps[f->step].loc.line;
    sim_warn(v, u, lane, FAULT(.kind = FOUND_COPY, .other_line = line),
        "writes %s, which the bulk copy in line %d may still read\1; a wait for its group, such as "
        "tma_wait_read<0>(), belongs between these lines",
        word, line);
}

void bulk_keeps(struct batch *v, const struct uop *u, int lane, uint64_t addr, uint64_t bytes)
{
    const struct check *c = v->worker->check;
    for (size_t w = addr / 4; c->any_held && bytes && w <= (addr + bytes - 1) / 4; w++)
        if (c->held[w / 64] >> w % 64 & 1)
            overwritten(v, u, lane, w * 4 > addr ? w * 4 : addr, &c->async->held[w]);
}

/* ---- words that threads stored and the copy engine reads ---- */

/* Of the 64 words of a cell, those that any warp has stored since the last barrier. */
static uint64_t stored_in(const struct check *c, size_t cell)
{
    uint64_t stored = 0;
    for (int w = 0; w < c->warps; w++) stored |= c->wrote[cell * (size_t)c->warps + (size_t)w];
    return stored;
}

/* A fence covers the stores of its warp, and other warps' stores before the last barrier. */
void bulk_fence(struct check *c, int warp)
{
    struct async *a = c->async;
    for (size_t i = 0; a && i < c->cells; i++) {
        a->fenced[i] |= c->wrote[i * (size_t)c->warps + (size_t)warp];
        a->unfenced[i] = 0;
    }
}

void bulk_barrier(struct check *c)
{
    struct async *a = c->async;
    for (size_t i = 0; a && c->any_writes && i < c->cells; i++) {
        a->unfenced[i] |= stored_in(c, i) & ~a->fenced[i];
        a->fenced[i] = 0;
    }
}

static void check_fenced(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, uint64_t bytes)
{
    const struct check *c = v->worker->check;
    const struct async *a = c->async;
    char word[96];
    for (size_t w = addr / 4; w < (addr + bytes) / 4; w++) {
        uint64_t bad = a->unfenced[w / 64] | (stored_in(c, w / 64) & ~a->fenced[w / 64]);
        if (!bad) w |= 63; /* skip the other words of the cell, none of which is bad */
        if (!(bad >> w % 64 & 1)) continue;
        names_shared(v->worker, u->step, w * 4, word, sizeof word);
        int product = v->worker->kernel->program->steps[u->step].op == OP_WGMMA;
        sim_warn(v, u, lane, FAULT(.kind = FOUND_COPY),
            "%s %s, which threads have stored without a fence_async() after it: the %s may not see it; each "
            "thread that stores needs the fence, and then a barrier",
            product ? "multiplies with" : "copies", word, product ? "tensor cores" : "copy engine");
    }
}

/* ---- checking the bytes that a copy reads or writes ---- */

void bulk_check(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, uint64_t bytes, int read)
{
    struct check *c = v->worker->check;
    struct uop x = *u;
    x.bytes = 4;
    x.vector = 1;
    if (v->worker->check_off || !bytes) return;
    if (!read)
        bulk_keeps(v, u, lane, addr, bytes);
    else
        check_fenced(v, u, lane, addr, bytes);
    if (!c->reader && check_range(c, v->index * BATCH_WARPS + lane / 32, addr, addr + bytes, !read))
        return;
    if (read && !c->reader && async_allows(v, &x, lane, addr, (unsigned)bytes)) return;
    for (uint64_t i = 0; i < bytes; i += 4) check_lane(v, &x, lane, addr + i, 4, !read, 0);
}

/* Faults if the block ends while copies from its shared memory are not yet read. */
void bulk_end_block(struct worker *w)
{
    struct check *c = w->check;
    for (size_t i = 0; c->async && c->any_held && i < c->async->words; i++) {
        const struct flight *f = &c->async->held[i];
        if (!(c->held[i / 64] >> i % 64 & 1)) continue;
        const struct uop at = {.step = f->step};
        sim_warn(&w->batches[f->thread / BATCH_LANES], &at, f->thread % BATCH_LANES,
            FAULT(.kind = FOUND_COPY),

            "ends while this bulk copy may still read shared memory; before its end the thread must close "
            "the "
            "group and wait for it, as by tma_commit() and tma_wait_read<0>()");
        return;
    }
}
