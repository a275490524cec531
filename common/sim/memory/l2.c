/* l2.c - what the second-level cache makes of the first-level ones' misses and of all stores.
 *
 *     multiprocessor ──┐ one read, if one            near side ── home on the far side ──> far side ──> DRAM
 *     multiprocessor ──┘ asks while the other waits ──>  └─────── home here ──────────────────────────> DRAM
 *
 * Large GPUs' L2 has two sides (8.0 and 9.0). A line has its home on one of them, by its address; a
 * multiprocessor asks the side that is near it. What has its home on the far side is fetched from there
 * and stays on the near side as a copy: both sides count it. Stores go through to the home. Sides and
 * DRAM deal in l2_fetch bytes. Sources: NVIDIA A100 whitepaper (each partition caches for the GPCs next
 * to it); an H200's counters: streaming reads and all writes count 1.5 times, reads of a sector in 32
 * words twice.
 *
 * The multiprocessors' logs (trace.c) are dealt in turns, as if they had run side by side; arrival.c says
 * when each asks. Reads of one sector by multiprocessors of one GPC become one, up to read_joins (4) at a
 * time, while the first is under way:
 *
 *      |-- 56 clocks, if the near side has it -->|             |-- 250, if it has to be fetched -->|
 *      read   joins   joins   joins   another read  ..         read    joins    joins    joins   another
 *
 * Source: an H200's lts__t_sectors_srcunit_tex_op_read, with multiprocessors of a cluster that its
 * barrier lets go; Nsight Compute's guide names the unit that merges reads, the L2 request coalescer.
 *
 * If only some multiprocessors ran (a sample), they have their share of the L2. */
#include "sim/memory/trace.h"

#include <math.h>
#include <stdlib.h>

enum { WAYS = 16, SIDES = 2, TPC_SMS = 2, RECENT = 1 << 15, LEAST_TURNS = 512, TURN = 512 /* instants */ };

struct deal { /* one multiprocessor's log while it is dealt out */
    const uint64_t *at, *end;
    const uint32_t *when;
    int sm;
};

struct l2 {
    const struct model_profile *profile;
    const struct pace *pace;
    struct model_cache *side[SIDES];
    int sides, sample;
    struct recent {               /* a sector's last read in a GPC that joined no other; RECENT a GPC */
        uint64_t sector;          /* plus one */
        double clocks, under_way; /* when; for so long */
        int sm, as_one;           /* so many reads */
    } *recent;                    /* NULL: it has no GPCs, or they are not known */
    uint64_t reads, merged, far_reads, fetched; /* sectors; fetched from DRAM */
    uint64_t writes, far_writes, written_back;
};

static int by_sm(const void *a, const void *b)
{
    return ((const struct deal *)a)->sm - ((const struct deal *)b)->sm;
}

static size_t collect(struct trace **traces, int n, struct deal **out)
{
    struct deal *d = NULL;
    size_t count = 0, cap = 0;
    for (int i = 0; i < n; i++) {
        struct trace *t = traces[i];
        if (t->segment_count)
            t->segments[t->segment_count - 1].count = t->count - t->segments[t->segment_count - 1].first;
        for (size_t k = 0; k < t->segment_count; k++) {
            const struct segment *s = &t->segments[k];
            if (s->count)
                *VEC_PUSH(d, count, cap) = (struct deal){t->log + s->first, t->log + s->first + s->count,
                                                        t->when + s->first, s->sm};
        }
    }
    if (count)
        qsort(d, count, sizeof *d, by_sm);
    *out = d;
    return count;
}

/* Where the last read of a sector is noted: by its place in its buffer, not by where buffers lie. */
static struct recent *recent_of(const struct l2 *c, int sm, uint64_t sector)
{
    uint64_t per_unit = SIM_ALIGN >> SECTOR_SHIFT, unit = sector / per_unit;
    uint64_t slot = trace_hash((uint32_t)(sector % per_unit)) + unit * 97;
    return &c->recent[arrival_gpc(c->profile, sm) * RECENT + (int)(slot % RECENT)];
}

/* NULL: the read becomes one with a read that another multiprocessor of the GPC has under way. Otherwise it
 * is noted, for others to join. A sector fetched together with another is under way as long as that. */
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
    *r = (struct recent){sector + 1, clocks, paired ? pair->under_way : p->under_way_near, d->sm, 1};
    return r;
}

static int touch(struct l2 *c, int side, uint64_t sector, int write)
{
    int flags = model_cache_access(c->side[side], trace_renumber(sector, c->sample), write, 1);
    if (flags & CACHE_WROTE_BACK)
        c->written_back += model_cache_evicted_dirty(c->side[side]);
    return flags & CACHE_HIT;
}

/* Rows, columns and diagonals all have half of their lines on each side. The hardware's hash is not published.
 * This one is by the line's place in its buffer: a kernel counts the same wherever its buffers lie. */
static int home_of(const struct l2 *c, uint64_t sector)
{
    uint64_t in_buffer = sector & ((SIM_ALIGN >> SECTOR_SHIFT) - 1);
    return __builtin_parityll(in_buffer >> (LINE_SHIFT - SECTOR_SHIFT)) & (c->sides - 1);
}

/* Did the near side have it? */
static int read_sector(struct l2 *c, uint64_t sector, int near)
{
    int home = home_of(c, sector), together = c->profile->l2_fetch >> SECTOR_SHIFT, fetched = 0;
    uint64_t first = sector - sector % (uint64_t)together;
    if (touch(c, near, sector, 0))
        return 1;
    for (int i = 0; i < together; i++)
        fetched += home == near ? first + (uint64_t)i == sector || !touch(c, home, first + (uint64_t)i, 0)
                                : !touch(c, home, first + (uint64_t)i, 0);
    c->fetched += (uint64_t)fetched;
    if (home == near)
        return 0;
    c->far_reads += (uint64_t)together;
    for (int i = 0; i < together; i++)
        touch(c, near, first + (uint64_t)i, 0);
    return 0;
}

static void write_sector(struct l2 *c, uint64_t sector, int near)
{
    int home = home_of(c, sector);
    c->writes++;
    touch(c, home, sector, 1);
    if (home != near) {
        touch(c, near, sector, 0);
        c->far_writes++;
    }
}

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

static void deal_out(struct l2 *c, struct deal *d, size_t count, uint32_t last)
{
    uint64_t turns = last / TURN > LEAST_TURNS ? last / TURN : LEAST_TURNS;
    for (uint64_t turn = 1; turn <= turns; turn++)
        for (size_t i = 0; i < count; i++)
            while (d[i].at < d[i].end && *d[i].when <= last * turn / turns)
                deal_one(c, &d[i]);
}

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

void trace_finish(struct trace **traces, int n, const struct launch *l, const struct pace *pace,
                  struct trace_totals *out)
{
    const struct model_profile *p = l->profile;
    struct deal *logs;
    uint32_t last;
    *out = (struct trace_totals){0};
    if (traces[0]->off)
        return;
    out->asked_sectors = trace_asked(traces, n, &last);
    size_t count = collect(traces, n, &logs);
    struct l2 c = {.profile = p, .pace = pace, .sides = p->l2_sides,
                   .sample = traces[0]->l1_sample + traces[0]->log_sample};
    for (int i = 0; i < c.sides; i++)
        c.side[i] = trace_cache(p->l2_bytes * l->picked / l->sms / c.sides >> c.sample, WAYS,
                                1 << SECTOR_SHIFT);
    if (p->gpcs)
        c.recent = xcalloc((size_t)p->gpcs * RECENT, sizeof *c.recent);
    deal_out(&c, logs, count, last);
    double sectors = ldexp(32, c.sample), reads = c.reads ? (double)c.reads : 1;
    for (int i = 0; i < n; i++) {
        out->l1_hits += ldexp((double)traces[i]->hits, traces[i]->l1_sample);
        out->l1_accesses += ldexp((double)traces[i]->reads, traces[i]->l1_sample);
    }
    out->l2_read_sectors = out->asked_sectors * (double)(c.reads - c.merged + c.far_reads) / reads;
    out->far_writes = c.writes ? (double)c.far_writes / (double)c.writes : 0;
    out->missed = fmin((double)c.fetched / reads, 1); /* who comes second waits as well */
    out->dram_read_bytes = sectors * (double)c.fetched;
    out->dram_write_bytes = sectors * (double)c.written_back;
    for (int i = 0; i < c.sides; i++) {
        out->dirty_bytes += sectors * (double)model_cache_dirty(c.side[i]);
        model_cache_free(c.side[i]);
    }
    free(c.recent);
    free(logs);
}
