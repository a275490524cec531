/* l2.c - what the second-level cache makes of the first-level ones' misses and of all stores.
 *
 *     multiprocessor ──┐ one read, where the one       near side ── its home is the far side ──> far side ──> DRAM
 *     multiprocessor ──┘ asks while the other waits ──>    └──────── its home is here ──────────────────────> DRAM
 *
 * Large GPUs' L2 has two sides (8.0 and 9.0). A line has its home on one of them, by its address; a multiprocessor asks the
 * side that is near it. What has its home on the far side is fetched from there, and stays on the near side as a copy, too:
 * both sides count it, and so hardware counts a half more than the multiprocessors asked for. Stores go through to the home.
 * Sources: NVIDIA A100 whitepaper (each partition caches for the GPCs next to it); an H200's counters: streaming reads and
 * all writes count 1.5 times, srcunit_ltcfabric is the difference; reads of a sector in 32 words count twice, since the
 * sides and DRAM deal in 64 bytes; Nsight Compute's guide names the unit that merges reads, the L2 request coalescer.
 *
 * The multiprocessors' logs (trace.c) are dealt in turns, as if they had run side by side; clocks.c says about when each of them asks.
 * Reads of one sector by multiprocessors of one GPC become one, up to four at a time, while the first is under way:
 *
 *      |-- 56 clocks, where the near side has the sector -->|                    |-- 250, where it has to be fetched -->|
 *      read  joins  joins  joins  another read  joins ...   another read         read     joins     joins     joins
 *
 * Measured on an H200, multiprocessors of a cluster let go by its barrier, the second so much later, by
 * lts__t_sectors_srcunit_tex_op_read: 2 that read a line at once are 1 read, 16 are 4.2, 16 of whom one is early 5.1. Of 2 all reads are
 * one up to 45 clocks, half from 60 to 250 on and none at 400, where the L2 had the line, half of the lines on the other side; all up
 * to 250 and half at 400 where DRAM had it. So for 1, 2 or 4 sectors a line, and nearly so with 32 lines at once. With the times of
 * each block in six of the labs' kernels, as the GPU ran them, this rule gives what it counted: 0.34 of the reads of two A A^T join
 * (counted 0.30 and 0.29), 0.32 with a narrow A in shared memory (0.31), 0.27 of the product's through shared memory (0.28), 0.07 of the
 * coalesced one's (0.07), 0.01 of the naive one's (0.01).
 *
 * Of a launch that ran on a few multiprocessors alone the L2 holds what would be theirs among all. Each buffer counts for itself:
 *
 *      C    the 4 of 132 touch  4/132 of it    the others will touch the rest: 33 times as much is fetched, in 33 times the room
 *      A    they touch a half of it            all together at most the whole: twice as much
 *
 * This takes it that multiprocessors share what they share at about the same time. */
#include "sim/memory/trace.h"

#include <math.h>
#include <stdlib.h>

enum { WAYS = 16, LEAST_TURNS = 512, TURN = 512 /* instants at most */, SIDES = 2, MOST_RECENT = 1 << 15, TPC_SMS = 2 };

struct deal { /* one multiprocessor's log while it is dealt out */
    const uint64_t *at, *end;
    const uint32_t *when;
    int sm;
    uint32_t instant;    /* of the last read */
    double after;        /* and how long after the first of that instant it came */
    struct clock *clock; /* a seat each */
};

struct l2 {
    const struct launch *launch;
    const struct model_profile *profile;
    const struct pace *pace;
    struct model_cache *side[SIDES];
    int sides, sample;
    struct recent {           /* the last read of its sector in a GPC that did not join another; per_gpc of each */
        uint64_t sector;      /* plus one */
        double clocks, under_way; /* when; for so long */
        int sm, as_one;       /* so many reads */
    } *recent;
    int per_gpc;
    uint64_t reads, merged, far_reads, fetched; /* sectors; fetched from DRAM */
    uint64_t writes, far_writes, written_back;
    struct buffer *buffers;   /* of a sample of multiprocessors */
    size_t buffer_count, buffer_cap, last;
};

struct buffer {
    const struct region *region;
    uint8_t *touched;         /* a bit a line */
    uint64_t lines;           /* so many of them */
    uint64_t brought, fetched;/* sectors brought into the L2; of these from DRAM */
    double more;              /* times that all multiprocessors touch what the sample does */
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
                                                        t->when + s->first, s->sm, 0, 0, NULL};
        }
    }
    if (count)
        qsort(d, count, sizeof *d, by_sm);
    *out = d;
    return count;
}

/* A sector's place among those lately read: by its place in its buffer, and its buffer's order, not by where buffers lie. */
static int slot_of(const struct l2 *c, uint64_t sector)
{
    uint64_t per_unit = SIM_ALIGN >> SECTOR_SHIFT;
    return (int)((trace_hash((uint32_t)(sector % per_unit)) + sector / per_unit * 97) % (uint64_t)c->per_gpc);
}

static struct recent *recent_of(const struct l2 *c, int sm, uint64_t sector)
{
    return &c->recent[clocks_gpc(c->profile, sm) * c->per_gpc + slot_of(c, sector)];
}

/* When the multiprocessor asks. What it asks for at one instant comes to it one after the other. */
static double clocks_of(const struct l2 *c, struct deal *d, int seat, uint32_t instant)
{
    double sector = 32 * c->profile->sms / c->profile->l2_bytes_per_clock; /* with all multiprocessors at it */
    d->after = d->instant == instant ? d->after + ldexp(sector, c->sample) : 0;
    d->instant = instant;
    return clocks_at(c->launch, c->pace, &d->clock[seat], d->sm, seat, instant) + d->after;
}

/* Does it become one with a read that another multiprocessor of the GPC has under way? If not, it is noted, for others to join. One that
 * comes too late for a full one waits as long as that does. */
static int joins(struct l2 *c, struct deal *d, uint64_t sector, int seat, uint32_t instant, struct recent **own)
{
    const struct model_profile *p = c->profile;
    double clocks = clocks_of(c, d, seat, instant);
    struct recent *r = recent_of(c, d->sm, sector);
    double after = fabs(clocks - r->clocks), left = r->under_way - after;
    int meets = r->sector == sector + 1 && r->sm != d->sm && left >= 0;
    *own = r;
    if (meets && r->under_way > p->under_way_near)
        clocks_together(&d->clock[seat], r->clocks - clocks);
    if (meets && r->as_one < p->read_joins) {
        r->as_one++;
        return 1;
    }
    *r = (struct recent){sector + 1, clocks, meets ? fmax(left, p->under_way_near) : p->under_way_near, d->sm, 1};
    return 0;
}

/* For how long the read that was noted is under way: the near side had its sector, perhaps only since another of the same fetch. */
static void set_under_way(const struct l2 *c, int sm, uint64_t sector, int had, struct recent *own)
{
    const struct recent *r = recent_of(c, sm, sector ^ 1);
    double left = r->under_way - fabs(own->clocks - r->clocks);
    if (!had)
        own->under_way = c->profile->under_way_far;
    else if (c->profile->l2_fetch > 1 << SECTOR_SHIFT && r->sector == (sector ^ 1) + 1 && left > own->under_way)
        own->under_way = left;
}

static struct buffer *buffer_of(struct l2 *c, uint64_t sector)
{
    uint64_t addr = sector << SECTOR_SHIFT;
    for (size_t i = 0; i < c->buffer_count; i++) {
        struct buffer *b = &c->buffers[(c->last + i) % c->buffer_count];
        if (addr - b->region->addr < b->region->bytes) {
            c->last = (size_t)(b - c->buffers);
            return b;
        }
    }
    return NULL;
}

static int touch(struct l2 *c, int side, uint64_t sector, int write)
{
    int flags = model_cache_access(c->side[side], trace_renumber(sector, c->sample), write, 1);
    if (flags & CACHE_WROTE_BACK)
        c->written_back += model_cache_evicted_dirty(c->side[side]);
    if (c->buffer_count && !(flags & CACHE_HIT))
        buffer_of(c, sector)->brought++;
    return flags & CACHE_HIT;
}

/* Rows, columns and diagonals all have half of their lines on each side. Hardware's own hash is not published; this one is by the
 * line's place in its buffer alone, so that a kernel counts the same wherever its buffers lie. */
static int home_of(const struct l2 *c, uint64_t sector)
{
    return __builtin_parityll((sector & ((SIM_ALIGN >> SECTOR_SHIFT) - 1)) >> (LINE_SHIFT - SECTOR_SHIFT)) & (c->sides - 1);
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
    if (c->buffer_count && fetched)
        buffer_of(c, sector)->fetched += (uint64_t)fetched;
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
    int near = d->sm / (c->recent ? TPC_SMS : 1) % c->sides;
    uint64_t x = *d->at++, sector = trace_sector(x);
    uint32_t instant = *d->when++;
    struct recent *own;
    if (x & 1) {
        write_sector(c, sector, near);
        return;
    }
    c->reads++;
    if (!c->recent)
        read_sector(c, sector, near);
    else if (joins(c, d, sector, (int)(x >> LOG_SEAT), instant, &own))
        c->merged++;
    else
        set_under_way(c, d->sm, sector, read_sector(c, sector, near), own);
}

static void deal_out(struct l2 *c, struct deal *d, size_t count)
{
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++)
        last = d[i].when[d[i].end - d[i].at - 1] > last ? d[i].when[d[i].end - d[i].at - 1] : last;
    uint64_t turns = last / TURN > LEAST_TURNS ? last / TURN : LEAST_TURNS;
    for (uint64_t turn = 1; turn <= turns; turn++)
        for (size_t i = 0; i < count; i++)
            while (d[i].at < d[i].end && *d[i].when <= last * turn / turns)
                deal_one(c, &d[i]);
}

/* As many as there are reads, up to a limit: those of a GPC that are under way together are far fewer. */
static void open_recent(struct l2 *c, const struct deal *logs, size_t count)
{
    size_t reads = 0;
    for (size_t i = 0; i < count; i++)
        reads += (size_t)(logs[i].end - logs[i].at);
    for (c->per_gpc = 64; c->per_gpc < MOST_RECENT && (size_t)c->per_gpc < reads; c->per_gpc *= 2)
        ;
    c->recent = xcalloc((size_t)(c->profile->gpcs * c->per_gpc), sizeof *c->recent);
}

/* share: of the whole L2, what this one has. */
static void l2_open(struct l2 *c, const struct launch *l, const struct pace *pace, int sample, double share)
{
    const struct model_profile *p = l->profile;
    int64_t bytes = (int64_t)((double)p->l2_bytes * share);
    struct l2 fresh = {.launch = l, .profile = p, .pace = pace, .sides = p->l2_sides, .sample = sample, .buffers = c->buffers,
                       .buffer_count = c->buffer_count};
    *c = fresh;
    for (size_t i = 0; i < c->buffer_count; i++)
        c->buffers[i].brought = c->buffers[i].fetched = 0;
    for (int i = 0; i < c->sides; i++)
        c->side[i] = trace_cache(bytes / c->sides >> sample, WAYS, 1 << SECTOR_SHIFT);
}

static void l2_close(struct l2 *c)
{
    for (int i = 0; i < c->sides; i++)
        model_cache_free(c->side[i]);
    free(c->recent);
}

/* Deal the logs out to an L2 of that share of the real one's size. */
static void l2_run(struct l2 *c, const struct launch *l, const struct pace *pace, const struct deal *logs, size_t count, int sample,
                   double share)
{
    struct deal *d = xcalloc(count + 1, sizeof *d);
    struct clock *clocks = xcalloc((count + 1) * (size_t)l->resident, sizeof *clocks);
    for (size_t i = 0; i < count; i++) {
        d[i] = logs[i];
        d[i].clock = &clocks[i * (size_t)l->resident];
    }
    l2_open(c, l, pace, sample, share);
    if (l->profile->gpcs)
        open_recent(c, logs, count);
    deal_out(c, d, count);
    free(clocks);
    free(d);
}

/* ---- a sample of multiprocessors ---- */

static void note_buffer(struct l2 *c, const struct launch *l, uint64_t sector)
{
    struct buffer *b = buffer_of(c, sector);
    if (!b) {
        const struct region *r = sim_region(l->memory, sector << SECTOR_SHIFT);
        b = VEC_PUSH(c->buffers, c->buffer_count, c->buffer_cap);
        *b = (struct buffer){.region = r, .touched = xcalloc((r->bytes >> LINE_SHIFT >> 3) + 1, 1)};
    }
    uint64_t line = ((sector << SECTOR_SHIFT) - b->region->addr) >> LINE_SHIFT;
    b->lines += !(b->touched[line / 8] >> line % 8 & 1);
    b->touched[line / 8] |= (uint8_t)(1 << line % 8);
}

static void note_buffers(struct l2 *c, const struct launch *l, const struct deal *logs, size_t count, int sample)
{
    double most = (double)l->sms / l->picked;
    for (size_t i = 0; i < count; i++)
        for (const uint64_t *at = logs[i].at; at < logs[i].end; at++)
            note_buffer(c, l, trace_sector(*at));
    for (size_t i = 0; i < c->buffer_count; i++) {
        struct buffer *b = &c->buffers[i];
        double more = (double)b->region->bytes / ldexp((double)b->lines, sample + LINE_SHIFT);
        b->more = more < 1 ? 1 : more > most ? most : more;
    }
}

/* The room that the sample's multiprocessors would have: what they bring in, over what all do. */
static double share_of_sample(const struct l2 *c)
{
    double sample = 0, all = 0;
    for (size_t i = 0; i < c->buffer_count; i++) {
        sample += (double)c->buffers[i].brought;
        all += (double)c->buffers[i].brought * c->buffers[i].more;
    }
    return all > 0 ? sample / all : 1;
}

/* Twice: who brings in how much is found with the least room that they could have. */
static void run_sample(struct l2 *c, const struct launch *l, const struct pace *pace, const struct deal *logs, size_t count, int sample)
{
    note_buffers(c, l, logs, count, sample);
    l2_run(c, l, pace, logs, count, sample, (double)l->picked / l->sms);
    double share = share_of_sample(c);
    l2_close(c);
    l2_run(c, l, pace, logs, count, sample, share);
}

/* Sectors from DRAM; those of a sample are multiplied as if the others fetched as many each (launch.c), which they don't where all
 * want the same. */
static double fetched(const struct l2 *c, const struct launch *l)
{
    double sum = 0;
    for (size_t i = 0; i < c->buffer_count; i++)
        sum += (double)c->buffers[i].fetched * c->buffers[i].more * l->picked / l->sms;
    return c->buffer_count ? sum : (double)c->fetched;
}

/* Of the multiprocessor that has the most. */
static uint32_t last_instant(struct trace **traces, int n)
{
    uint32_t last = 1;
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < traces[i]->segment_count; k++) {
            const struct segment *s = &traces[i]->segments[k];
            size_t end = k + 1 < traces[i]->segment_count ? s[1].first : traces[i]->count;
            if (end > s->first && traces[i]->when[end - 1] > last)
                last = traces[i]->when[end - 1];
        }
    return last;
}

double trace_asked(struct trace **traces, int n, uint32_t *last)
{
    double misses = 0;
    for (int i = 0; i < n; i++)
        misses += (double)traces[i]->misses;
    *last = last_instant(traces, n);
    return ldexp(misses, traces[0]->l1_sample + traces[0]->read_shift - SECTOR_SHIFT);
}

void trace_finish(struct trace **traces, int n, const struct launch *l, const struct pace *pace, struct trace_totals *out)
{
    struct deal *logs;
    struct l2 c = {0};
    *out = (struct trace_totals){0};
    if (traces[0]->off)
        return;
    size_t count = collect(traces, n, &logs);
    int sample = traces[0]->l1_sample + traces[0]->log_sample;
    if (l->picked < l->sms)
        run_sample(&c, l, pace, logs, count, sample);
    else
        l2_run(&c, l, pace, logs, count, sample, 1);
    double scale = ldexp(1, c.sample), l1_misses = 0, from_dram = fetched(&c, l);
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
    out->missed = from_dram < (double)c.reads ? from_dram / (double)c.reads : c.reads > 0; /* who comes second waits as well */
    out->dram_read_bytes = scale * 32 * from_dram;
    out->dram_write_bytes = scale * 32 * (double)c.written_back;
    out->dirty_bytes = scale * 32 * (double)left;
    l2_close(&c);
    for (size_t i = 0; i < c.buffer_count; i++)
        free(c.buffers[i].touched);
    free(c.buffers);
    free(logs);
}
