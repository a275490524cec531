/* async.c - detects reads of shared memory that an asynchronous copy may not have filled yet.
 *
 *      thread 0    copy A, group 1 | copy B, group 2 | wait for all but 1 | barrier
 *      word of A   in flight ..........................| for its warp      | for all
 *      word of B   in flight .............................................. in flight
 *
 * While a word is in flight it counts as never written (check.h), so a read of it is checked here.
 * The word has arrived for the copying thread's warp once that thread has waited for its group, and
 * for other warps after the next barrier. Groups of a thread are numbered from 1. A thread that
 * hands its copies to an mbarrier (cp.async.mbarrier.arrive) does not wait itself: the copies have
 * arrived as soon as any thread passes such a barrier.
 *
 * Source: PTX ISA, asynchronous copy operations, completion mechanisms. */
#include "sim/check/async.h"
#include "sim/check/names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct async *async_new(size_t words, int threads)
{
    struct async *a = xcalloc(1, sizeof *a);
    a->words = words;
    a->threads = threads;
    a->word = xcalloc(words + 1, sizeof *a->word);
    a->held = xcalloc(words + 1, sizeof *a->held);
    a->fenced = xcalloc(words / 32 + 2, sizeof *a->fenced);
    a->unfenced = a->fenced + words / 64 + 1;
    a->waits = xcalloc((size_t)(threads + 31) / 32, sizeof *a->waits);
    a->closed = xcalloc((size_t)threads * 5, sizeof *a->closed);
    a->there = a->closed + threads;
    a->handed = a->there + threads;
    a->for_all = a->handed + threads;
    a->stored = a->for_all + threads;
    return a;
}

void async_free(struct async *a)
{
    if (!a) return;
    free(a->word);
    free(a->held);
    free(a->fenced);
    free(a->closed);
    for (size_t i = 0; i < a->phase_count; i++) free(a->phases[i].seen);
    free(a->phases);
    free(a->begun);
    free(a->waits);
    free(a);
}

void async_start_block(struct async *a)
{
    if (!a) return;
    for (size_t i = 0; i < a->words; i++) a->word[i].step = -1;
    memset(a->closed, 0, (size_t)a->threads * 5 * sizeof *a->closed);
    for (size_t i = 0; i < a->phase_count; i++) free(a->phases[i].seen);
    memset(a->waits, 0, (size_t)(a->threads + 31) / 32 * sizeof *a->waits);
    a->phase_count = a->begun_count = 0;
    a->flying = 0;
    memset(a->fenced, 0, (a->words / 32 + 2) * sizeof *a->fenced);
    a->any = 0;
}

void async_issue(struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes)
{
    struct check *c = v->worker->check;
    struct async *a = c->async;
    int thread = v->index * BATCH_LANES + lane;
    a->any = 1;
    for (size_t w = addr / 4; w < (addr + bytes) / 4; w++) {
        a->word[w] = (struct flight){u->step, thread, a->closed[thread] + 1};
        c->ever[w / 64] &= ~((uint64_t)1 << w % 64);
    }
}

static struct begun *begun_at(const struct async *a, uint64_t barrier)
{
    for (size_t i = 0; a && i < a->begun_count; i++)
        if (a->begun[i].addr == barrier) return &a->begun[i];
    return NULL;
}

void async_begin(struct async *a, int step, int thread, uint64_t barrier)
{
    struct begun *x = begun_at(a, barrier);
    if (!x && a) x = VEC_PUSH(a->begun, a->begun_count, a->begun_cap);
    if (x) *x = (struct begun){.addr = barrier, .step = step, .thread = thread};
}

void async_used(struct batch *v, const struct uop *u, int lane, uint64_t barrier)
{
    struct worker *w = v->worker;
    const struct begun *x = w->check_off ? NULL : begun_at(w->check->async, barrier);
    char name[96], other[64];
    if (!x || x->known || x->thread / 32 == v->index * BATCH_WARPS + lane / 32) return;
    int line = w->kernel->program->steps[x->step].loc.line;
    async_name(w, barrier, name, sizeof name);
    sim_thread_name(
        &w->batches[x->thread / BATCH_LANES], x->thread % BATCH_LANES, other, sizeof other);
    w->clash = (struct sim_clash){CLASH_RACE, barrier, x->thread / 32, x->thread % 32, x->step};
    sim_warn(v, u, lane, FAULT(.kind = FOUND_RACE, .other_line = line, .hints = HINT_BARRIER),
        "uses %s, which thread %s initializes in line %d, with no __syncthreads() between the two: "
        "a race",
        name, other, line);
}

void async_asked(struct async *a, int warp, int step, uint64_t addr, uint32_t asked, uint32_t waits)
{
    struct waiter *x = a ? &a->waits[warp] : NULL;
    if (x) x->lanes &= ~asked;
    if (!waits || !x) return;
    uint32_t before = x->addr == addr && x->step == step ? x->lanes : 0;
    *x = (struct waiter){addr, step, before | waits};
}

/* An mbarrier in dynamic shared memory, or in a struct, is named by the call that initializes it.
 * Those that one call in a loop initializes are numbered from 0:
 *
 *     for (int i = 0; i < 3; i++) barrier_init(&s.done[i], 8);      s.done[0], s.done[1], s.done[2]
 */
void async_name(const struct worker *w, uint64_t addr, char *out, size_t size)
{
    const struct async *a = w->check->async;
    const struct ptx_program *p = w->kernel->program;
    const struct begun *x = begun_at(a, addr);
    struct named n;
    char text[64];
    names_shared(w, -1, addr, out, size);
    if (names_array(w, -1, addr, &n) && n.shape.element == 8) return;
    if (!x || !names_argument(p, x->step, text, sizeof text)) return;
    int same = 0, before = 0;
    for (size_t i = 0; i < a->begun_count; i++) {
        const struct ptx_loc *l = &p->steps[a->begun[i].step].loc, *m = &p->steps[x->step].loc;
        if (l->line != m->line || l->col != m->col) continue;
        same++;
        before += a->begun[i].addr < addr;
    }
    size_t open = strcspn(text, "["), close = strcspn(text, "]");
    if (same == 1 && (!text[open] || isdigit((unsigned char)text[open + 1])))
        snprintf(out, size, "%s", text);
    else
        snprintf(
            out, size, "%.*s[%d]%s", (int)open, text, before, text[close] ? text + close + 1 : "");
}

void async_commit(struct async *a, int thread) { a->closed[thread]++; }

void async_wait(struct async *a, int thread, uint32_t left)
{
    uint32_t n = a->closed[thread] > left ? a->closed[thread] - left : 0;
    a->there[thread] = n > a->there[thread] ? n : a->there[thread];
}

void async_arrive(struct async *a, int thread) { a->handed[thread] = ++a->closed[thread]; }

static int same_copy(const struct flight *f, const struct flight *g)
{
    return f->thread == g->thread && f->group == g->group;
}

/* From now on, words whose copy is complete for all threads count as written. Words that were
 * written since their copy began count so already. */
void async_barrier(struct check *c, int at_wait)
{
    struct async *a = c->async;
    for (size_t i = 0; a && i < a->begun_count; i++) a->begun[i].known = 1;
    if (!a || !a->any) return;
    for (int t = 0; t < a->threads; t++) {
        if (at_wait && a->handed[t] > a->there[t]) a->there[t] = a->handed[t];
        a->for_all[t] = a->there[t];
    }
    a->any = 0;
    const struct flight *last = NULL;
    int there = 0;
    for (size_t cell = 0; cell * 64 < a->words; cell++)
        for (uint64_t open = ~c->ever[cell]; open; open &= open - 1) {
            size_t w = cell * 64 + (size_t)__builtin_ctzll(open);
            if (w >= a->words) break;
            struct flight *f = &a->word[w];
            if (f->step < 0) continue;
            if (!last || !same_copy(last, f))
                there =
                    f->thread < 0 ? bulk_there(a, f, at_wait) : f->group <= a->for_all[f->thread];
            last = f;
            a->any |= !there;
            if (!there) continue;
            c->ever[cell] |= open & -open;
            f->step = -1;
        }
}

static void too_early(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, const struct flight *f)
{
    struct worker *w = v->worker;
    int line = w->kernel->program->steps[f->step].loc.line;
    char word[96], other[64];
    names_shared(w, u->step, addr, word, sizeof word);
    sim_thread_name(
        &w->batches[f->thread / BATCH_LANES], f->thread % BATCH_LANES, other, sizeof other);
    w->clash = (struct sim_clash){CLASH_RACE, addr, f->thread / 32, f->thread % 32, f->step};
    if (f->group <= w->check->async->there[f->thread])
        sim_warn(v, u, lane, FAULT(.kind = FOUND_COPY, .other_line = line, .hints = HINT_BARRIER),
            "reads %s, which thread %s copied asynchronously in line %d and has waited for by itself\1; a "
            "__syncthreads() belongs between its wait and this line",
            word, other, line);
    else if (f->thread / 32 == v->index * BATCH_WARPS + lane / 32)
        sim_warn(v, u, lane, FAULT(.kind = FOUND_COPY, .other_line = line),
            "reads %s before the asynchronous copy in line %d has been waited for\1; a wait, such as "
            "__pipeline_wait_prior(0), belongs between these lines",
            word, line);
    else
        sim_warn(v, u, lane, FAULT(.kind = FOUND_COPY, .other_line = line),
            "reads %s, which thread %s copies asynchronously in line %d\1; its wait, such as "
            "__pipeline_wait_prior(0), and then a __syncthreads() belong between these lines",
            word, other, line);
}

int async_allows(struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes)
{
    struct check *c = v->worker->check;
    int warp = v->index * BATCH_WARPS + lane / 32;
    if (!c->async) return 0;
    const struct flight *last = NULL;
    for (size_t w = addr / 4; w <= (addr + bytes - 1) / 4; w++) {
        const struct flight *f = &c->async->word[w];
        if (c->ever[w / 64] >> w % 64 & 1) continue;
        if (f->step < 0) return 0;
        if (last && same_copy(last, f)) continue;
        last = f;
        if (f->thread < 0)
            bulk_allows(v, u, lane, w * 4 > addr ? w * 4 : addr, f);
        else if (f->group > c->async->there[f->thread] || f->thread / 32 != warp)
            too_early(v, u, lane, w * 4 > addr ? w * 4 : addr, f);
    }
    return 1;
}
