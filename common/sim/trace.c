/* trace.c - what global accesses find in the caches: a sample of lines, followed exactly.
 *
 *     warp's sectors ── first-level cache of its multiprocessor ── log ── second-level cache ── DRAM
 *
 * Generations differ (struct model_profile): an L1 that fetches sectors, or whole lines (2.x), or none for global loads
 * (3.x); and no cache at all (1.x), where nothing is followed and every transaction goes to DRAM (counters.c).
 *
 * Only lines that a hash picks are followed, one in 2^sample, in caches as many times smaller; sampling whole sets of a
 * cache keeps its behaviour. Each multiprocessor's misses are logged in its own order; afterwards the logs are dealt
 * in turns into the second-level cache, as if the multiprocessors had run side by side. Everything is deterministic. */
#include "sim/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SHIFT = 7, SECTOR_SHIFT = 5, L1_WAYS = 16, L2_WAYS = 16, TURNS = 512, MOST_L1_SAMPLE = 4, ARRIVALS = 256 };

struct segment { /* the log of one multiprocessor */
    int sm;
    size_t first, count;
};

struct trace {
    int l1_sample, log_sample; /* powers of two; log_sample counts on top of l1_sample */
    int off;                   /* there are no caches */
    int read_shift;            /* log2 of the bytes that a load's miss fetches */
    struct model_cache *l1;    /* NULL: global loads pass it by */
    uint64_t *log;             /* sector number << 1 | write */
    size_t count, cap;
    struct segment *segments;
    size_t segment_count, segment_cap;
    uint64_t reads, hits, misses; /* of what a miss fetches, sampled */
    struct sim_step_counts *step; /* whose access this is */
    uint64_t instant;             /* counts accesses of the convoy: what it does at once */
    uint64_t last_reads, last_late; /* the sums before the last warp's access */
    uint64_t alone;               /* the last access's late sectors that no other warp has waited for */
    struct arrival { uint64_t sector, instant; int alone; } arrivals[ARRIVALS]; /* what is on its way from L2, by sector */
};

/* Small problems are followed whole. */
static int l1_sample_of(uint64_t bytes)
{
    int s = 0;
    while (s < MOST_L1_SAMPLE && bytes >> 20 >> s)
        s++;
    return s;
}

static int log_sample_of(uint64_t bytes)
{
    int s = 0;
    while (bytes >> 24 >> s)
        s++;
    return s;
}

static int l1_bytes_of(const struct launch *l)
{
    const struct model_profile *p = l->profile;
    struct model_occupancy o = model_occupancy(p, l->block_threads, l->kernel->program->registers, l->shared_bytes);
    int bytes = p->l1_bytes;
    if (p->l1_shared_together)
        bytes -= (int)((size_t)(o.blocks > 0 ? o.blocks : 1) * l->shared_bytes);
    return bytes > 16384 ? bytes : 16384;
}

/* A sampled cache may have fewer lines than ways. */
static struct model_cache *cache_new(int64_t bytes, int ways, int sector_bytes)
{
    int64_t lines = bytes >> LINE_SHIFT > 1 ? bytes >> LINE_SHIFT : 1;
    return model_cache_new(lines << LINE_SHIFT, lines < ways ? (int)lines : ways, 1 << LINE_SHIFT, sector_bytes);
}

struct trace *trace_new(const struct launch *l)
{
    struct trace *t = xcalloc(1, sizeof *t);
    uint64_t bytes = sim_memory_bytes(l->memory);
    t->l1_sample = l1_sample_of(bytes);
    t->log_sample = log_sample_of(bytes);
    t->off = !l->profile->l2_bytes;
    t->read_shift = l->profile->l1_fetch == 1 << LINE_SHIFT ? LINE_SHIFT : SECTOR_SHIFT;
    if (l->profile->l1_fetch)
        t->l1 = cache_new(l1_bytes_of(l) >> t->l1_sample, L1_WAYS, 1 << t->read_shift);
    return t;
}

void trace_free(struct trace *t)
{
    if (!t)
        return;
    model_cache_free(t->l1);
    free(t->log);
    free(t->segments);
    free(t);
}

void trace_start_sm(struct trace *t, int sm)
{
    if (t->l1)
        model_cache_clear(t->l1);
    if (t->segment_count)
        t->segments[t->segment_count - 1].count = t->count - t->segments[t->segment_count - 1].first;
    *VEC_PUSH(t->segments, t->segment_count, t->segment_cap) = (struct segment){sm, t->count, 0};
}

static inline uint32_t hash_line(uint32_t line)
{
    line ^= line >> 13;
    line *= 0x9e3779b1u;
    line ^= line >> 15;
    line *= 0x85ebca77u;
    return line ^ line >> 16;
}

static inline int picked(uint32_t line, int sample)
{
    return (hash_line(line) & ((1u << sample) - 1)) == 0;
}

/* A line's address in a sampled cache: hash bits above those that picked it, so that all sets are used. The hash maps
 * 32 bits one to one, so different lines keep different addresses. */
static uint64_t renumber(uint64_t sector, int sample)
{
    uint32_t line = (uint32_t)(sector >> (LINE_SHIFT - SECTOR_SHIFT));
    return (uint64_t)(hash_line(line) >> sample) << LINE_SHIFT | (sector & 3) << SECTOR_SHIFT;
}

static void add_log(struct trace *t, uint64_t sector, int write)
{
    if (t->count == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 4096;
        t->log = xrealloc(t->log, t->cap * sizeof *t->log);
    }
    t->log[t->count++] = sector << 1 | (uint64_t)write;
}

/* A store to the sector, or a load of all that a miss there would fetch: sector is the first of it. A hit on what another warp
 * of the convoy misses at the same instant is a hit to the counters, but waits as long. */
static void follow(struct trace *t, uint64_t sector, int write)
{
    uint64_t line = sector >> (LINE_SHIFT - SECTOR_SHIFT);
    int fetched = write ? 1 : 1 << (t->read_shift - SECTOR_SHIFT);
    if (!write) {
        struct arrival *a = &t->arrivals[sector % ARRIVALS];
        t->reads++;
        t->step->followed++;
        if (t->l1 && model_cache_access(t->l1, renumber(sector, t->l1_sample), 0, 1) & CACHE_HIT) {
            t->hits++;
            if (a->sector == sector && a->instant == t->instant) {
                t->step->late++;
                t->step->together += 1 + (uint64_t)a->alone;
                a->alone = 0;
            }
            return;
        }
        t->misses++;
        t->step->late++;
        *a = (struct arrival){sector, t->instant, 1};
        t->alone++;
    }
    if (picked((uint32_t)line, t->l1_sample + t->log_sample))
        for (int i = 0; i < fetched; i++)
            add_log(t, sector + (uint64_t)i, write);
}

void trace_instant(struct trace *t, struct sim_step_counts *step)
{
    t->step = step;
    t->instant++;
}

static void mark(struct trace *t)
{
    t->last_reads = t->reads;
    t->last_late = t->step->late;
    t->alone = 0;
}

void trace_again(struct trace *t)
{
    uint64_t n = t->reads - t->last_reads, late = t->step->late - t->last_late;
    t->step->together += late + t->alone;
    mark(t);
    t->reads += n;
    t->hits += n;
    t->step->followed += n;
    t->step->late += late;
}

uint32_t trace_picks(const struct trace *t, const uint64_t base[CONVOY_WARPS], uint64_t first, uint64_t last)
{
    uint32_t low = (1u << t->l1_sample) - 1, missed[CONVOY_WARPS], picks = 0;
    for (int w = 0; w < CONVOY_WARPS; w++) {
        uint32_t a = hash_line((uint32_t)((base[w] + first) >> LINE_SHIFT)) & low;
        uint32_t b = hash_line((uint32_t)((base[w] + last) >> LINE_SHIFT)) & low;
        missed[w] = a < b ? a : b;
    }
    for (int w = 0; w < CONVOY_WARPS; w++)
        picks |= (uint32_t)(missed[w] == 0) << w;
    return t->off ? 0 : picks;
}

void trace_range(struct trace *t, uint64_t lo, uint64_t hi, int write)
{
    int shift = write ? SECTOR_SHIFT : t->read_shift;
    if (t->off)
        return;
    mark(t);
    for (uint64_t line = lo >> LINE_SHIFT; line <= (hi - 1) >> LINE_SHIFT; line++) {
        if (!picked((uint32_t)line, t->l1_sample))
            continue;
        uint64_t first = line << LINE_SHIFT > lo ? line << LINE_SHIFT : lo;
        uint64_t last = (line + 1) << LINE_SHIFT < hi ? (line + 1) << LINE_SHIFT : hi;
        for (uint64_t s = first >> shift; s <= (last - 1) >> shift; s++)
            follow(t, s << (shift - SECTOR_SHIFT), write);
    }
}

void trace_access(struct trace *t, uint64_t base, const uint32_t off[32], uint32_t mask, unsigned bytes, int write)
{
    uint32_t in_sample = 0, low = (1u << t->l1_sample) - 1;
    int shift = write ? SECTOR_SHIFT : t->read_shift;
    if (t->off)
        return;
    mark(t);
    uint32_t hit[32], base_line = (uint32_t)(base >> LINE_SHIFT), rest = (uint32_t)base & 127;
    for (int l = 0; l < 32; l++) /* one loop the compiler makes vectors of */
        hit[l] = hash_line(base_line + ((rest + off[l]) >> LINE_SHIFT)) & low;
    for (int l = 0; l < 32; l++)
        in_sample |= (uint32_t)(hit[l] == 0) << l;
    uint64_t before = ~(uint64_t)0;
    for (uint32_t m = in_sample & mask; m; m &= m - 1) {
        uint64_t addr = base + off[__builtin_ctz(m)];
        for (uint64_t s = addr >> shift; s <= (addr + bytes - 1) >> shift; s++) {
            if (s == before)
                continue;
            before = s;
            follow(t, s << (shift - SECTOR_SHIFT), write);
        }
    }
}

/* ---- the second level ---- */

struct deal { /* one multiprocessor's log while it is dealt out */
    const uint64_t *at, *end;
    size_t turn;
    int sm;
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
                                                        (s->count + TURNS - 1) / TURNS, s->sm};
        }
    }
    if (count)
        qsort(d, count, sizeof *d, by_sm);
    *out = d;
    return count;
}

void trace_finish(struct trace **traces, int n, const struct launch *l, struct trace_totals *out)
{
    struct deal *d;
    *out = (struct trace_totals){0};
    if (traces[0]->off)
        return;
    size_t count = collect(traces, n, &d);
    int sample = traces[0]->l1_sample + traces[0]->log_sample;
    struct model_cache *l2 = cache_new(l->profile->l2_bytes >> sample, L2_WAYS, 1 << SECTOR_SHIFT);
    uint64_t read_misses = 0, written_back = 0;
    for (int turn = 0; turn < TURNS; turn++)
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < d[i].turn && d[i].at < d[i].end; k++) {
                uint64_t x = *d[i].at++, sector = x >> 1;
                int write = (int)(x & 1), flags = model_cache_access(l2, renumber(sector, sample), write, 1);
                read_misses += !write && !(flags & CACHE_HIT);
                if (flags & CACHE_WROTE_BACK)
                    written_back += model_cache_evicted_dirty(l2);
            }
    written_back += model_cache_dirty(l2);
    double scale = ldexp(32, sample), l1_misses = 0;
    for (int i = 0; i < n; i++) {
        l1_misses += (double)traces[i]->misses;
        out->l1_hits += ldexp((double)traces[i]->hits, traces[i]->l1_sample);
        out->l1_accesses += ldexp((double)traces[i]->reads, traces[i]->l1_sample);
    }
    out->l2_read_sectors = ldexp(l1_misses, traces[0]->l1_sample + traces[0]->read_shift - SECTOR_SHIFT);
    out->dram_read_bytes = scale * (double)read_misses;
    out->dram_write_bytes = scale * (double)written_back;
    model_cache_free(l2);
    free(d);
}
