/* words.c - races between any two threads of a block, with the lines of both accesses.
 *
 *     s[t] += s[t + 16];    lane 0 reads s[16], lane 16 writes it: from compute capability 7.0 on, lanes of a
 *     s[t] += s[t + 8];     warp need a __syncwarp() or a shuffle between the two, as warps need a barrier
 *
 * For each word that a block touches, the last plain write, the last atomic operation and two
 * readers are kept, with their thread, step and time. Two accesses race if they are of different
 * threads, one of them writes, not both are atomic, and no barrier lies between; for lanes of one
 * warp, no instruction that they execute together (.sync) either. Writing the value that is there
 * already is no race. A read races with an atomic sum in shared memory only, and not if it is
 * volatile: elsewhere, programs often read a word before they update it.
 *
 * This is slower than check.c and shadow.c. So it is done in a launch's first and last block and, if
 * check.c has found that warps race, in those that start later, until it has cost a kernel some
 * tenths of a second. Where a finding ends the launch, as in labs, it is done for less long and for
 * shared memory alone, and tells only what check.c does not see.
 *
 * Source: CUDA C++ Programming Guide, Independent Thread Scheduling; __syncwarp(). */
#include "sim/check/check.h"
#include "sim/check/names.h"
#include "sim/exec/access.h"
#include "sim/exec/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most accesses to words that are checked for one kernel, in all of its launches. */
#define MOST_LOOKED ((uint64_t)1 << 24)
/* The same where a finding ends the launch, as in labs, which launch each kernel many times */
#define MOST_LOOKED_ENDING ((uint64_t)1 << 17)

/* An access. barrier, sync: how many barriers the block and .sync instructions the warp had passed;
 * when: instructions that the batch had executed. bytes: those of the word, one bit each; 0: there
 * was no such access. */
struct mark {
    uint32_t barrier, sync;
    uint64_t when;
    int32_t step;
    uint16_t thread;
    uint8_t bytes;
};
struct word {
    uint64_t number; /* address / 4; 0: the entry is free */
    struct mark wrote, updated, read[2];
};
struct words {
    struct word *table; /* hash table with open addressing, at most half full */
    size_t count;
    unsigned bits;
    uint32_t barrier, sync[32];
    uint64_t looked, left; /* accesses looked at in this block; most of them */
    struct err held; /* where a finding ends the launch: the first race, kept to the block's end */
    int holds, stopped;
};
/* The access that is being checked. */
struct look {
    struct batch *v;
    const struct uop *u;
    int lane;
    const struct region *region; /* NULL: shared memory */
    uint64_t addr;
    enum touch_kind kind;
    struct mark me;
};

void words_start(struct worker *w)
{
    struct launch *l = w->launch;
    struct sim_kernel *k = l->kernel;
    int chosen = w->block == 0 || w->block == l->blocks - 1 || atomic_load(&k->suspect);
    words_end(w);
    if (l->unchecked || w->check_off || w->watch || !chosen) return;
    uint64_t most = l->notes ? MOST_LOOKED : MOST_LOOKED_ENDING, looked = atomic_load(&k->looked);
    if (looked >= most) return;
    w->words = xcalloc(1, sizeof *w->words);
    w->words->left = most - looked;
    w->words->bits = 10;
    w->words->table = xcalloc((size_t)1 << w->words->bits, sizeof *w->words->table);
}

void words_end(struct worker *w)
{
    if (!w->words) return;
    atomic_fetch_add(&w->launch->kernel->looked, w->words->looked);
    free(w->words->table);
    free(w->words);
    w->words = NULL;
}

void words_stop(struct worker *w)
{
    if (w->words) w->words->stopped = 1;
}

void words_barrier(struct worker *w)
{
    if (w->words) w->words->barrier++;
}

void words_sync(struct batch *v, int warp)
{
    if (v->worker->words) v->worker->words->sync[v->index * BATCH_WARPS + warp]++;
}

static struct word *slot(const struct words *s, uint64_t number)
{
    size_t most = ((size_t)1 << s->bits) - 1,
           i = (size_t)(number * 0x9e3779b97f4a7c15u >> (64 - s->bits));
    while (s->table[i].number && s->table[i].number != number) i = (i + 1) & most;
    return &s->table[i];
}

static struct word *word_at(struct words *s, uint64_t number)
{
    struct word *x = slot(s, number);
    if (x->number) return x;
    if (++s->count * 2 > (size_t)1 << s->bits) {
        struct word *old = s->table;
        size_t n = (size_t)1 << s->bits++;
        s->table = xcalloc(2 * n, sizeof *s->table);
        for (size_t i = 0; i < n; i++)
            if (old[i].number) *slot(s, old[i].number) = old[i];
        free(old);
        x = slot(s, number);
    }
    x->number = number;
    return x;
}

/* ---- telling ---- */

static void advice(
    const struct look *k, const struct mark *m, enum touch_kind did, char *out, size_t size)
{
    const struct ptx_step *steps = k->v->worker->kernel->program->steps;
    int one_warp = m->thread / 32 == k->me.thread / 32;
    const char *barrier = one_warp ? "__syncwarp()" : "__syncthreads()";
    if (k->kind == TOUCH_WRITE && did == TOUCH_WRITE)
        snprintf(out, size, "let one thread write it, or give each thread a word of its own");
    else if (steps[m->step].loc.line == steps[k->u->step].loc.line)
        snprintf(out, size,
            "if each thread adds to it, an atomicAdd() does that in one step; else a %s belongs "
            "between what the line reads and what it writes",
            barrier);
    else
        snprintf(out, size, "a %s belongs between the two lines", barrier);
}

/* Keep a finding until the block ends, since a race of warps that check.c then finds says more. */
static void hold(const struct look *k, struct finding found, const char *fmt, ...)
{
    struct worker *w = k->v->worker;
    struct err before = w->err;
    va_list ap;
    va_start(ap, fmt);
    sim_describe(k->v, k->u, k->lane, found, fmt, ap);
    va_end(ap);
    w->words->held = w->err, w->words->holds = 1;
    w->err = before;
}

void words_throw(struct worker *w)
{
    const struct uop none = {.step = 0};
    if (!w->words || !w->words->holds) return;
    w->err = w->words->held;
    sim_throw(&w->batches[0], &none, -1);
}

static void tell(const struct look *k, const struct mark *m, enum touch_kind did)
{
    static const char *const does[] = {"reads", "updates", "writes"};
    static const char *const past[] = {"read", "updated", "wrote"};
    struct worker *w = k->v->worker;
    const struct ptx_step *other = &w->kernel->program->steps[m->step];
    int one_warp = m->thread / 32 == k->me.thread / 32;
    char word[96], name[48], what[200], text[600];
    int ends = !w->launch->notes;
    /* races of warps end the launch by check.c, unless one is an atomic */
    int by_warps = !one_warp && k->kind != TOUCH_UPDATE && did != TOUCH_UPDATE;
    if (ends && (k->region || by_warps)) return;
    if (ends ? w->words->holds : sim_known(k->v, k->u, FOUND_RACE)) return;
    sim_thread_name(
        &w->batches[m->thread / BATCH_LANES], m->thread % BATCH_LANES, name, sizeof name);
    if (k->region)
        snprintf(word, sizeof word, "%s[%llu]", k->region->name,
            (unsigned long long)((k->addr - k->region->addr) / k->region->element));
    else
        names_shared(w, k->u->step, k->addr, word, sizeof word);
    advice(k, m, did, what, sizeof what);
    snprintf(text, sizeof text,
        "%s %s, which thread %s%s %s in line %d, with no %s between the two: a race\1; %s",
        does[k->kind], word, name, one_warp ? " of its warp" : "", past[did], other->loc.line,
        one_warp ? "__syncwarp()" : "barrier", what);
    struct finding found = FAULT(.kind = FOUND_RACE, .other_line = other->loc.line);
    if (ends)
        hold(k, found, "%s", text);
    else
        sim_warn(k->v, k->u, k->lane, found, "%s", text);
}

/* ---- looking ---- */

/* Is m an access of another thread to the same bytes, with no barrier or .sync instruction between
 * it and this one? */
static int races(const struct look *k, const struct mark *m)
{
    if (!(m->bytes & k->me.bytes) || m->barrier != k->me.barrier || m->thread == k->me.thread)
        return 0;
    if (m->thread / 32 != k->me.thread / 32) return 1;
    return m->sync == k->me.sync && batch_independent(k->v) &&
           !(m->step == k->me.step && m->when == k->me.when);
}

/* Does the lane store the value that access m left in memory? If m is a store by the same
 * instruction, its value may not be in memory yet, so it is taken from the register. */
static int same_value(const struct look *k, const struct mark *m, const unsigned char *host)
{
    int together =
        m->step == k->me.step && m->when == k->me.when && m->thread / BATCH_LANES == k->v->index;
    if (k->v->worker->kernel->program->steps[k->u->step].op != OP_ST) return 0;
    for (int e = 0; e < k->u->vector; e++) {
        struct reg *r = &k->v->regs[k->u->r[e]];
        const void *lanes = reg_lanes(k->v, r);
        uint64_t value = get_lane(r, lanes, k->lane),
                 other = get_lane(r, lanes, m->thread % BATCH_LANES);
        if (memcmp(together ? (const void *)&other : host + e * k->u->bytes, &value, k->u->bytes))
            return 0;
    }
    return 1;
}

/* Does a plain read by step `reads` race with the atomic operation of step `updates`? */
static int sum_read(const struct look *k, int reads, int updates)
{
    const struct ptx_step *steps = k->v->worker->kernel->program->steps;
    return !k->region && !(steps[reads].flags & FLAG_VOLATILE) && steps[updates].detail == ATOM_ADD;
}

static void note_read(struct word *x, const struct mark *me)
{
    for (int i = 0; i < 2; i++)
        if (!x->read[i].bytes || x->read[i].barrier != me->barrier ||
            x->read[i].thread == me->thread) {
            x->read[i] = *me;
            return;
        }
    if (x->read[0].thread / 32 == x->read[1].thread / 32 &&
        x->read[0].thread / 32 != me->thread / 32)
        x->read[1] = *me;
}

static void look_at(const struct look *k, struct word *x, const unsigned char *host)
{
    int step = k->me.step, write = k->kind == TOUCH_WRITE;
    const struct mark *read = races(k, &x->read[0]) ? &x->read[0] : &x->read[1];
    if (races(k, &x->wrote) && !(write && same_value(k, &x->wrote, host)))
        tell(k, &x->wrote, TOUCH_WRITE);
    else if (races(k, &x->updated) && k->kind != TOUCH_UPDATE &&
             (write || sum_read(k, step, x->updated.step)))
        tell(k, &x->updated, TOUCH_UPDATE);
    else if (races(k, read) && k->kind != TOUCH_READ &&
             (write ? !same_value(k, read, host) : sum_read(k, read->step, step)))
        tell(k, read, TOUCH_READ);
    if (k->kind == TOUCH_READ)
        note_read(x, &k->me);
    else
        *(write ? &x->wrote : &x->updated) = k->me;
}

void words_lane(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, enum touch_kind kind, const unsigned char *host)
{
    struct words *s = v->worker->words;
    unsigned bytes = (unsigned)u->bytes * u->vector;
    int thread = v->index * BATCH_LANES + lane;
    struct look k = {v, u, lane, r, addr, kind,
        {s->barrier, s->sync[thread / 32], v->executed, u->step, (uint16_t)thread, 15}};
    if (s->stopped || (r && !r->target) || u->quiet) return;
    if (bytes < 4) k.me.bytes = (uint8_t)(((1u << bytes) - 1) << addr % 4);
    for (uint64_t at = addr; at < addr + bytes; at = (at / 4 + 1) * 4) {
        k.addr = at;
        /* shared memory begins at address 0, which would be a free entry */
        look_at(&k, word_at(s, r ? at / 4 : at / 4 + 1), host);
        s->stopped |= ++s->looked >= s->left;
    }
}

void words_access(const struct access *x)
{
    if (x->v->worker->words->stopped) return;
    for (int i = 0; i < x->warps; i++)
        for (uint32_t m = x->mask; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            uint64_t addr = x->lo[i] + x->pattern->off[l];
            words_lane(x->v, x->u, (x->first + i) * 32 + l, x->pattern->span.region, addr, x->kind,
                (const unsigned char *)(x->host + (uintptr_t)addr));
        }
}
