/* l2.c - how the L2 serves the L1s' misses and all stores.
 *
 *     multiprocessor --┐ one read, if one       near side -- home on the far side -> far side -> DRAM
 *     multiprocessor --┘ reads while the other waits -> └------- home here ----------------> DRAM
 *
 * The L2 of large GPUs (8.0 and 9.0) has two sides. The address of a line decides which side is its
 * home. A multiprocessor's requests go to the side near it. If the home is the far side, the near
 * side fetches the line from there and keeps a copy, so both sides count the read. A store goes
 * through to the home. The two sides and DRAM exchange l2_fetch bytes at a time.
 *
 * Each multiprocessor's misses and stores are in a log (trace.c). The logs are replayed as if the
 * multiprocessors had run side by side; arrival.c estimates when each request is made. Reads of one
 * sector by multiprocessors of one GPC become one read while the first is in flight, at most
 * read_joins of them:
 *
 *     |<- under_way_near: the near side has it ->|    |<- under_way_far: it has to be fetched ->|
 *     read   joins   joins   joins   another read     read    joins    joins   joins  another read
 *
 * If only some multiprocessors were simulated (a sample), they get their share of the L2.
 *
 * Sources: NVIDIA A100 whitepaper (each L2 partition caches for the GPCs next to it); Nsight
 * Compute guide, L2 request coalescer; an H200's counters (lts__t_sectors_srcunit_tex_op_read). */
#include "sim/memory/trace.h"

#include <math.h>
#include <stdlib.h>

/* WAYS: ways of a cache set. SIDES: most sides of an L2. TPC_SMS: number of neighbouring
 * multiprocessors that are near the same side. RECENT: slots for reads in flight, for each GPC. The
 * logs are replayed in rounds of TURN instants (trace.c: a batch's count of accesses to global
 * memory), or in LEAST_TURNS shorter rounds if those would be fewer. */
enum { WAYS = 16, SIDES = 2, TPC_SMS = 2, RECENT = 1 << 15, LEAST_TURNS = 512, TURN = 512 };

/* Position in one multiprocessor's log during the replay. at: the next entry; when: the instant of
 * that entry. The traces own both arrays. */
struct deal {
    const uint64_t *at, *end;
    const uint32_t *when;
    int sm;
};

/* The state of the L2 during the replay, and its counts, in sectors of the sample. */
struct l2 {
    const struct model_profile *profile;
    const struct pace *pace;
    struct model_cache *side[SIDES];
    int sides, sample;
    /* a recent read of a sector by a GPC, which other reads may join */
    struct recent {
        uint64_t sector; /* number of the sector plus one; 0: the slot is free */
        /* clocks: when the read was requested; under_way: clocks for which it is in flight */
        double clocks, under_way;
        /* sm: the multiprocessor that requested the read; as_one: number of reads merged into this
         * one */
        int sm, as_one;
    } * recent; /* RECENT slots for each GPC; NULL: the profile has no GPCs */
    /* numbers of sectors; fetched: those read from DRAM */
    uint64_t reads, merged, far_reads, fetched;
    uint64_t writes, far_writes, written_back;
};

static int by_sm(const void *a, const void *b)
{
    return ((const struct deal *)a)->sm - ((const struct deal *)b)->sm;
}

/* Collect the logs of all workers, sorted by multiprocessor. Returns their number; the caller frees
 * *out. */
static size_t collect(struct trace **traces, int n, struct deal **out)
{
    struct deal *d = NULL;
    size_t count = 0, cap = 0;
    for (int i = 0; i < n; i++) {
        struct trace *t = traces[i];
        trace_end_segment(t);
        for (size_t k = 0; k < t->segment_count; k++) {
            const struct segment *s = &t->segments[k];
            if (s->count)
                *VEC_PUSH(d, count, cap) = (struct deal){
                    t->log + s->first, t->log + s->first + s->count, t->when + s->first, s->sm};
        }
    }
    if (count) qsort(d, count, sizeof *d, by_sm);
    *out = d;
    return count;
}

/* The slot for reads of a sector by this multiprocessor's GPC. The hash depends mainly on the
 * sector's position in its buffer, hardly on the buffer's address. */
static struct recent *recent_of(const struct l2 *c, int sm, uint64_t sector)
{
    uint64_t per_unit = SIM_ALIGN >> SECTOR_SHIFT, unit = sector / per_unit;
    uint64_t slot = trace_hash((uint32_t)(sector % per_unit)) + unit * 97;
    return &c->recent[arrival_gpc(c->profile, sm) * RECENT + (int)(slot % RECENT)];
}

/* Record a read. Returns NULL if it joins a read that another multiprocessor of the GPC has in
 * flight; otherwise the read's slot, so that others can join it. If the other sector of the pair
 * was requested at the same time and both are fetched together, the read is in flight as long as
 * that of the other sector. */
static struct recent *ask(struct l2 *c, const struct deal *d, uint64_t sector, uint32_t instant)
{
    const struct model_profile *p = c->profile;
    double clocks = arrival_clocks(p, c->pace, d->sm, instant);
    struct recent *r = recent_of(c, d->sm, sector), *pair = recent_of(c, d->sm, sector ^ 1);
    if (r->sector == sector + 1 && r->sm != d->sm && fabs(clocks - r->clocks) <= r->under_way &&
        r->as_one < p->read_joins) {
        r->as_one++;
        return NULL;
    }
    int paired = p->l2_fetch > 1 << SECTOR_SHIFT && pair->sector == (sector ^ 1) + 1 &&
                 pair->clocks == clocks;
    *r =
        (struct recent){sector + 1, clocks, paired ? pair->under_way : p->under_way_near, d->sm, 1};
    return r;
}

/* Access one sector in one side of the L2. Returns whether the sector was there; if not, it is
 * allocated. */
static int touch(struct l2 *c, int side, uint64_t sector, int write)
{
    int flags = model_cache_access(c->side[side], trace_renumber(sector, c->sample), write, 1);
    if (flags & CACHE_WROTE_BACK) c->written_back += model_cache_evicted_dirty(c->side[side]);
    return flags & CACHE_HIT;
}

/* The side that is a sector's home: the parity of the line number, so that rows, columns and
 * diagonals have half of their lines on each side. The hardware's hash is not published. This one
 * uses the line's position in its buffer, so a kernel's counts do not depend on the buffers'
 * addresses. */
static int home_of(const struct l2 *c, uint64_t sector)
{
    uint64_t in_buffer = sector & ((SIM_ALIGN >> SECTOR_SHIFT) - 1);
    return __builtin_parityll(in_buffer >> (LINE_SHIFT - SECTOR_SHIFT)) & (c->sides - 1);
}

/* Serve a read that reaches the L2: look in the near side, then in the home if that is the far
 * side, then in DRAM. On a miss, all sectors of the l2_fetch bytes around it are fetched. Returns
 * whether the near side had the sector. */
static int read_sector(struct l2 *c, uint64_t sector, int near)
{
    int home = home_of(c, sector), together = c->profile->l2_fetch >> SECTOR_SHIFT, fetched = 0;
    uint64_t first = sector - sector % (uint64_t)together;
    if (touch(c, near, sector, 0)) return 1;
    for (int i = 0; i < together; i++)
        fetched += (home == near && first + (uint64_t)i == sector) ||
                   !touch(c, home, first + (uint64_t)i, 0);
    c->fetched += (uint64_t)fetched;
    if (home == near) return 0;
    c->far_reads += (uint64_t)together;
    for (int i = 0; i < together; i++) touch(c, near, first + (uint64_t)i, 0);
    return 0;
}

/* Serve a store: the sector becomes dirty in its home. If that is the far side, the near side
 * counts the store as well. */
static void write_sector(struct l2 *c, uint64_t sector, int near)
{
    int home = home_of(c, sector);
    c->writes++;
    touch(c, home, sector, 1);
    if (home == near) return;
    touch(c, near, sector, 0);
    c->far_writes++;
}

/* Replay the next entry of a log. A read that missed the near side is in flight for longer. */
static void deal_one(struct l2 *c, struct deal *d)
{
    int near = d->sm / TPC_SMS % c->sides;
    uint64_t x = *d->at++, sector = trace_sector(x);
    uint32_t instant = *d->when++;
    struct recent *own = NULL;
    if (x & 1) {
        write_sector(c, sector, near);
        return;
    }
    c->reads++;
    if (c->recent && !(own = ask(c, d, sector, instant)))
        c->merged++;
    else if (!read_sector(c, sector, near) && own)
        own->under_way = c->profile->under_way_far;
}

/* Replay all logs. In each round, every multiprocessor advances to the same instant; last: the
 * latest instant in all logs. */
static void deal_out(struct l2 *c, struct deal *d, size_t count, uint32_t last)
{
    uint64_t turns = last / TURN > LEAST_TURNS ? last / TURN : LEAST_TURNS;
    for (uint64_t turn = 1; turn <= turns; turn++)
        for (size_t i = 0; i < count; i++)
            while (d[i].at < d[i].end && *d[i].when <= last * turn / turns) deal_one(c, &d[i]);
}

/* In t->misses, the lines of the sample are counted in units of 2^read_shift bytes; the result is
 * scaled to sectors of the whole launch. */
double trace_asked(struct trace **traces, int n, uint32_t *last)
{
    double misses = 0;
    *last = 1;
    for (int i = 0; i < n; i++) {
        misses += (double)traces[i]->misses;
        *last = traces[i]->last > *last ? traces[i]->last : *last;
    }
    return ldexp(misses, traces[0]->l1_sample + traces[0]->read_shift - SECTOR_SHIFT);
}

/* In this order: collect the logs; allocate caches that are smaller by the factor of the sample;
 * replay the logs; scale the counts of the sample up to the launch. */
void trace_finish(struct trace **traces, int n, const struct launch *l, const struct pace *pace,
    struct trace_totals *out)
{
    const struct model_profile *p = l->profile;
    struct deal *logs;
    uint32_t last;
    *out = (struct trace_totals){0};
    if (traces[0]->off) return;
    out->asked_sectors = trace_asked(traces, n, &last);
    size_t count = collect(traces, n, &logs);
    struct l2 c = {.profile = p,
        .pace = pace,
        .sides = p->l2_sides,
        .sample = traces[0]->l1_sample + traces[0]->log_sample};
    for (int i = 0; i < c.sides; i++)
        c.side[i] = trace_cache(
            p->l2_bytes * l->picked / l->sms / c.sides >> c.sample, WAYS, 1 << SECTOR_SHIFT);
    if (p->gpcs) c.recent = xcalloc((size_t)p->gpcs * RECENT, sizeof *c.recent);
    deal_out(&c, logs, count, last);
    double sectors = ldexp(32, c.sample), reads = c.reads ? (double)c.reads : 1;
    for (int i = 0; i < n; i++) {
        out->asked_lines += ldexp((double)traces[i]->lines, traces[i]->l1_sample);
        out->l1_hits += ldexp((double)traces[i]->hits, traces[i]->l1_sample);
        out->l1_accesses += ldexp((double)traces[i]->reads, traces[i]->l1_sample);
    }
    out->far_reads = out->asked_sectors * (double)c.far_reads / reads;
    out->l2_read_sectors =
        out->asked_sectors * (double)(c.reads - c.merged) / reads + out->far_reads;
    out->far_writes = c.writes ? (double)c.far_writes / (double)c.writes : 0;
    out->missed = fmin((double)c.fetched / reads, 1);
    out->dram_read_bytes = sectors * (double)c.fetched;
    out->dram_write_bytes = sectors * (double)c.written_back;
    for (int i = 0; i < c.sides; i++) {
        out->dirty_bytes += sectors * (double)model_cache_dirty(c.side[i]);
        model_cache_free(c.side[i]);
    }
    free(c.recent);
    free(logs);
}
