/* l2.c - what the second-level cache makes of the first-level ones' misses and of all stores.
 *
 *     multiprocessor ──┐ one read, where both         near side ── its home is the far side ──> far side ──> DRAM
 *     multiprocessor ──┘ ask at the same time ──────>     └──────── its home is here ──────────────────────> DRAM
 *
 * Large GPUs' L2 has two sides (8.0 and 9.0). A line has its home on one of them, by its address; a multiprocessor asks the
 * side that is near it. What has its home on the far side is fetched from there, and stays on the near side as a copy, too:
 * both sides count it, and so hardware counts a half more than the multiprocessors asked for. Stores go through to the home.
 * Sources: NVIDIA A100 whitepaper (each partition caches for the GPCs next to it); an H200's counters: streaming reads and
 * all writes count 1.5 times, srcunit_ltcfabric is the difference; reads of a sector in 32 words count twice, since the
 * sides and DRAM deal in 64 bytes; Nsight Compute's guide names the unit that merges reads, the L2 request coalescer.
 *
 * The multiprocessors' logs (trace.c) are dealt in turns, as if they had run side by side. */
#include "sim/trace.h"

#include <math.h>
#include <stdlib.h>

enum { WAYS = 16, TURNS = 512, SIDES = 2, RECENT = 1024 };

struct deal { /* one multiprocessor's log while it is dealt out */
    const uint64_t *at, *end;
    const uint32_t *when;
    int sm;
};

struct l2 {
    const struct model_profile *profile;
    struct model_cache *side[SIDES];
    int sides, sample;
    struct recent { uint64_t sector; uint32_t when; int sm; } *recent; /* RECENT of each group of multiprocessors that share reads */
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

/* A sector's place among those lately read: by its place in its buffer, and its buffer's order, not by where buffers lie. */
static int slot_of(uint64_t sector)
{
    uint64_t per_unit = SIM_ALIGN >> SECTOR_SHIFT;
    return (int)((trace_hash((uint32_t)(sector % per_unit)) + sector / per_unit * 97) % RECENT);
}

/* Has the multiprocessor's neighbour asked for the same, as far along in its work? */
static int merges(struct l2 *c, uint64_t sector, uint32_t when, int sm)
{
    int together = c->profile->l2_merged_sms;
    if (together < 2)
        return 0;
    struct recent *r = &c->recent[sm / together * RECENT + slot_of(sector)];
    int same = r->sector == sector && r->sm != sm && r->when == when;
    if (!same)
        *r = (struct recent){sector, when, sm};
    return same;
}

static int touch(struct l2 *c, int side, uint64_t sector, int write)
{
    int flags = model_cache_access(c->side[side], trace_renumber(sector, c->sample), write, 1);
    if (flags & CACHE_WROTE_BACK)
        c->written_back += model_cache_evicted_dirty(c->side[side]);
    return flags & CACHE_HIT;
}

/* Rows, columns and diagonals all have half of their lines on each side. Hardware's own hash is not published; this one is by the
 * line's place in its buffer alone, so that a kernel counts the same wherever its buffers lie. */
static int home_of(const struct l2 *c, uint64_t sector)
{
    return __builtin_parityll((sector & ((SIM_ALIGN >> SECTOR_SHIFT) - 1)) >> (LINE_SHIFT - SECTOR_SHIFT)) & (c->sides - 1);
}

static void read_sector(struct l2 *c, uint64_t sector, int near)
{
    int home = home_of(c, sector), together = c->profile->l2_fetch >> SECTOR_SHIFT, fetched = 0;
    uint64_t first = sector - sector % (uint64_t)together;
    if (touch(c, near, sector, 0))
        return;
    for (int i = 0; i < together; i++)
        fetched += home == near ? first + (uint64_t)i == sector || !touch(c, home, first + (uint64_t)i, 0)
                                : !touch(c, home, first + (uint64_t)i, 0);
    c->fetched += (uint64_t)fetched;
    if (home == near)
        return;
    c->far_reads += (uint64_t)together;
    for (int i = 0; i < together; i++)
        touch(c, near, first + (uint64_t)i, 0);
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
    int near = d->sm / c->profile->l2_merged_sms % c->sides;
    uint64_t x = *d->at++, sector = x >> 1;
    uint32_t when = *d->when++;
    if (x & 1) {
        write_sector(c, sector, near);
        return;
    }
    c->reads++;
    if (merges(c, sector, when, d->sm))
        c->merged++;
    else
        read_sector(c, sector, near);
}

static void deal_out(struct l2 *c, struct deal *d, size_t count)
{
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++)
        last = d[i].when[d[i].end - d[i].at - 1] > last ? d[i].when[d[i].end - d[i].at - 1] : last;
    for (uint64_t turn = 1; turn <= TURNS; turn++)
        for (size_t i = 0; i < count; i++)
            while (d[i].at < d[i].end && *d[i].when <= last * turn / TURNS)
                deal_one(c, &d[i]);
}

static void l2_open(struct l2 *c, const struct model_profile *p, int sample)
{
    *c = (struct l2){.profile = p, .sides = p->l2_sides, .sample = sample};
    for (int i = 0; i < c->sides; i++)
        c->side[i] = trace_cache(p->l2_bytes / c->sides >> sample, WAYS, 1 << SECTOR_SHIFT);
    if (p->l2_merged_sms > 1)
        c->recent = xcalloc((size_t)(p->sms / p->l2_merged_sms + 1) * RECENT, sizeof *c->recent);
    for (int i = 0; p->l2_merged_sms > 1 && i < (p->sms / p->l2_merged_sms + 1) * RECENT; i++)
        c->recent[i].sector = ~(uint64_t)0; /* none has this number */
}

static void l2_close(struct l2 *c)
{
    for (int i = 0; i < c->sides; i++)
        model_cache_free(c->side[i]);
    free(c->recent);
}

void trace_finish(struct trace **traces, int n, const struct launch *l, struct trace_totals *out)
{
    struct deal *d;
    struct l2 c;
    *out = (struct trace_totals){0};
    if (traces[0]->off)
        return;
    size_t count = collect(traces, n, &d);
    l2_open(&c, l->profile, traces[0]->l1_sample + traces[0]->log_sample);
    deal_out(&c, d, count);
    double scale = ldexp(1, c.sample), l1_misses = 0;
    uint64_t left = 0;
    for (int i = 0; i < c.sides; i++)
        left += model_cache_dirty(c.side[i]);
    for (int i = 0; i < n; i++) {
        l1_misses += (double)traces[i]->misses;
        out->l1_hits += ldexp((double)traces[i]->hits, traces[i]->l1_sample);
        out->l1_accesses += ldexp((double)traces[i]->reads, traces[i]->l1_sample);
    }
    out->asked_sectors = ldexp(l1_misses, traces[0]->l1_sample + traces[0]->read_shift - SECTOR_SHIFT);
    out->l2_read_sectors = c.reads ? out->asked_sectors * (double)(c.reads - c.merged + c.far_reads) / (double)c.reads : 0;
    out->far_writes = c.writes ? (double)c.far_writes / (double)c.writes : 0;
    out->missed = c.fetched < c.reads ? (double)c.fetched / (double)c.reads : c.reads > 0; /* who comes second waits as well */
    out->dram_read_bytes = scale * 32 * (double)c.fetched;
    out->dram_write_bytes = scale * 32 * (double)c.written_back;
    out->dirty_bytes = scale * 32 * (double)left;
    l2_close(&c);
    free(d);
}
