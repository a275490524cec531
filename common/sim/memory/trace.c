/* trace.c - what global accesses find in the caches: a sample of lines, followed exactly.
 *
 *     warp's sectors ── first-level cache of its multiprocessor ── log ── second-level cache ── DRAM
 *
 * Generations differ (struct model_profile): an L1 that fetches sectors, or whole lines (2.x), or none for global loads
 * (3.x); and no cache at all (1.x), where nothing is followed and every transaction goes to DRAM (counters.c).
 *
 * Blocks that are on a multiprocessor together share its L1 side by side. They are executed one after the other, some way at a time, and
 * what they ask for meanwhile is followed afterwards, in the order of instants: accesses to global memory that a batch has made.
 *
 * Only one line in 2^sample is followed, in caches as many times smaller (trace.h); sampling whole sets of a
 * cache keeps its behaviour. Each multiprocessor's misses are logged in its own order; what the second-level cache makes of
 * them is found out afterwards (l2.c). Everything is deterministic. */
#include "sim/memory/trace.h"

#include <stdlib.h>
#include <string.h>

enum { L1_WAYS = 16, MOST_L1_SAMPLE = 4, SLICE = 256 };

/* Small problems are followed whole. */
static int l1_sample_of(uint64_t bytes)
{
    int s = 0;
    while (s < MOST_L1_SAMPLE && bytes >> 20 >> s)
        s++;
    return s;
}

/* A sample of multiprocessors has as much smaller a part of the L2: of that more lines are followed, or too few would be left. */
static int log_sample_of(const struct launch *l, uint64_t bytes)
{
    int s = 0;
    while (bytes >> 24 >> s)
        s++;
    for (int k = 2; s && l->picked << (k + 1) <= l->sms; k++)
        s--;
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

struct trace *trace_new(const struct launch *l, struct sim_step_counts *steps)
{
    struct trace *t = xcalloc(1, sizeof *t);
    uint64_t bytes = sim_memory_bytes(l->memory), inputs = sim_memory_inputs(l->memory); /* what L1 can find again */
    t->steps = steps;
    t->l1_sample = l1_sample_of(inputs ? inputs : bytes);
    t->log_sample = log_sample_of(l, bytes);
    t->off = !l->profile->l2_bytes;
    t->batches = (l->block_warps + BATCH_WARPS - 1) / BATCH_WARPS;
    t->read_shift = l->profile->l1_fetch == 1 << LINE_SHIFT ? LINE_SHIFT : SECTOR_SHIFT;
    if (l->profile->l1_fetch)
        t->l1 = trace_cache(l1_bytes_of(l) >> t->l1_sample, L1_WAYS, 1 << t->read_shift);
    return t;
}

void trace_free(struct trace *t)
{
    if (!t)
        return;
    model_cache_free(t->l1);
    free(t->log);
    free(t->when);
    free(t->segments);
    for (size_t i = 0; i < t->stream_count; i++) {
        free(t->streams[i]->at);
        free(t->streams[i]);
    }
    free(t->streams);
    free(t);
}

struct stream *trace_stream(struct trace *t)
{
    struct stream *s = xcalloc(1, sizeof *s);
    return *VEC_PUSH(t->streams, t->stream_count, t->stream_cap) = s;
}

void trace_start_sm(struct trace *t, int sm)
{
    if (t->l1)
        model_cache_clear(t->l1);
    if (t->segment_count)
        t->segments[t->segment_count - 1].count = t->count - t->segments[t->segment_count - 1].first;
    *VEC_PUSH(t->segments, t->segment_count, t->segment_cap) = (struct segment){sm, t->count, 0};
}

static void add_log(struct trace *t, uint64_t sector, int write)
{
    if (t->count == t->cap) {
        t->cap = t->cap ? 2 * t->cap : 4096;
        t->log = xrealloc(t->log, t->cap * sizeof *t->log);
        t->when = xrealloc(t->when, t->cap * sizeof *t->when);
    }
    t->when[t->count] = (uint32_t)t->instant;
    t->last = t->when[t->count] > t->last ? t->when[t->count] : t->last;
    t->log[t->count++] = sector << 1 | (uint64_t)write;
}

/* A warp waits for what is on its way: as the first of its batch, or with others. */
static void wait_for(struct trace *t, struct arrival *a)
{
    t->step->late++;
    if (a->by != t->now) {
        a->by = t->now;
        a->alone = 1;
        t->alone++;
        return;
    }
    t->step->together += 1 + (uint64_t)a->alone;
    a->alone = 0;
}

/* A store to the sector, or a load of all that a miss there would fetch: sector is the first of it. A hit on what another warp
 * of the batch misses at the same instant is a hit to the counters, but waits as long. */
static void follow(struct trace *t, uint64_t sector, int write)
{
    uint64_t line = sector >> (LINE_SHIFT - SECTOR_SHIFT);
    int fetched = write ? 1 : 1 << (t->read_shift - SECTOR_SHIFT);
    if (!write) {
        struct arrival *a = &t->arrivals[sector % ARRIVALS];
        t->reads++;
        t->step->followed++;
        if (t->l1 && model_cache_access(t->l1, trace_renumber(sector, t->l1_sample), 0, 1) & CACHE_HIT) {
            t->hits++;
            if (a->sector == sector && a->instant == t->instant)
                wait_for(t, a);
            return;
        }
        t->misses++;
        *a = (struct arrival){.sector = sector, .instant = t->instant};
        wait_for(t, a);
    }
    if (!trace_missed((uint32_t)line >> t->l1_sample, t->log_sample))
        for (int i = 0; i < fetched; i++)
            add_log(t, sector + (uint64_t)i, write);
}

static void mark(struct trace *t)
{
    t->last_reads = t->reads;
    t->last_late = t->step->late;
    t->alone = 0;
}

static void again(struct trace *t)
{
    uint64_t n = t->reads - t->last_reads, late = t->step->late - t->last_late;
    t->step->together += late + t->alone;
    mark(t);
    t->reads += n;
    t->hits += n;
    t->step->followed += n;
    t->step->late += late;
}

/* ---- what batches ask for: followed at once, or later in the order in which they all asked ----
 *
 *      stream 0    1 1 2 . 4     numbers: instants
 *      stream 1    1 . 2 3 .     followed: 1 1 1 2 2 3 4
 */

static void follow_request(struct trace *t, const struct request *r)
{
    t->step = &t->steps[r->step];
    t->instant = r->instant;
    if (r->first)
        mark(t);
    if (r->ask == ASK_AGAIN)
        again(t);
    else
        follow(t, r->sector, r->ask == ASK_WRITE);
}

static int alone(const struct trace *t)
{
    return t->stream_count == 1;
}

static void ask(struct trace *t, uint64_t sector, enum ask kind)
{
    struct stream *s = t->now;
    struct request r = {sector, (uint32_t)t->instant, (unsigned)(t->step - t->steps), kind, (unsigned)t->first};
    t->first = 0;
    if (alone(t))
        follow_request(t, &r);
    else
        *VEC_PUSH(s->at, s->count, s->cap) = r;
}

void trace_instant(struct trace *t, struct batch *v, int step)
{
    t->now = v->stream;
    t->step = &t->steps[step];
    t->instant = ++v->clock;
}

void trace_again(struct trace *t)
{
    if (!t->first)
        ask(t, 0, ASK_AGAIN);
}

uint64_t trace_slice(const struct trace *t)
{
    return alone(t) || t->off ? UINT64_MAX : (uint64_t)SLICE << t->l1_sample;
}

static uint64_t next_instant(const struct trace *t)
{
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < t->stream_count; i++) {
        const struct stream *s = t->streams[i];
        if (s->done < s->count && s->at[s->done].instant < next)
            next = s->at[s->done].instant;
    }
    return next;
}

/* What batches asked for beyond the horizon stays for the next time. */
static void drop_done(struct stream *s)
{
    s->count -= s->done;
    memmove(s->at, s->at + s->done, s->count * sizeof *s->at);
    s->done = 0;
}

void trace_follow(struct trace *t, uint64_t horizon)
{
    size_t blocks = t->stream_count / (size_t)t->batches;
    for (uint64_t next; (next = next_instant(t)) <= horizon && next != UINT64_MAX;)
        for (size_t i = 0; i < t->stream_count; i++) { /* the first batches of all blocks, then the second ones */
            t->now = t->streams[i % blocks * (size_t)t->batches + i / blocks];
            while (t->now->done < t->now->count && t->now->at[t->now->done].instant == next)
                follow_request(t, &t->now->at[t->now->done++]);
        }
    for (size_t i = 0; i < t->stream_count; i++)
        if (t->streams[i]->done)
            drop_done(t->streams[i]);
}

void trace_forget(struct trace *t)
{
    t->off = 1;
}

uint32_t trace_picks(const struct trace *t, const uint64_t base[BATCH_WARPS], uint64_t first, uint64_t last)
{
    uint32_t missed[BATCH_WARPS], picks = 0;
    for (int w = 0; w < BATCH_WARPS; w++) {
        uint32_t a = trace_missed((uint32_t)((base[w] + first) >> LINE_SHIFT), t->l1_sample);
        uint32_t b = trace_missed((uint32_t)((base[w] + last) >> LINE_SHIFT), t->l1_sample);
        missed[w] = a < b ? a : b;
    }
    for (int w = 0; w < BATCH_WARPS; w++)
        picks |= (uint32_t)(missed[w] == 0) << w;
    return t->off ? 0 : picks;
}

void trace_range(struct trace *t, uint64_t lo, uint64_t hi, int write)
{
    int shift = write ? SECTOR_SHIFT : t->read_shift;
    if (t->off)
        return;
    t->first = 1;
    for (uint64_t line = lo >> LINE_SHIFT; line <= (hi - 1) >> LINE_SHIFT; line++) {
        if (trace_missed((uint32_t)line, t->l1_sample))
            continue;
        uint64_t first = line << LINE_SHIFT > lo ? line << LINE_SHIFT : lo;
        uint64_t last = (line + 1) << LINE_SHIFT < hi ? (line + 1) << LINE_SHIFT : hi;
        for (uint64_t s = first >> shift; s <= (last - 1) >> shift; s++)
            ask(t, s << (shift - SECTOR_SHIFT), write ? ASK_WRITE : ASK_READ);
    }
}

static int is_among(uint64_t s, const uint64_t *seen, int count)
{
    for (int i = count; i-- > 0;)
        if (seen[i] == s)
            return 1;
    return 0;
}

void trace_access(struct trace *t, uint64_t base, const uint32_t off[32], uint32_t mask, unsigned bytes, int write)
{
    uint32_t in_sample = 0;
    int shift = write ? SECTOR_SHIFT : t->read_shift;
    if (t->off)
        return;
    t->first = 1;
    uint32_t hit[32], base_line = (uint32_t)(base >> LINE_SHIFT), rest = (uint32_t)base & 127;
    for (int l = 0; l < 32; l++) /* one loop the compiler makes vectors of */
        hit[l] = trace_missed(base_line + ((rest + off[l]) >> LINE_SHIFT), t->l1_sample);
    for (int l = 0; l < 32; l++)
        in_sample |= (uint32_t)(hit[l] == 0) << l;
    uint64_t seen[64]; /* all of the warp's where no L1 tells that a sector was asked for already, the last one elsewhere */
    int count = 0, keep = !t->l1;
    for (uint32_t m = in_sample & mask; m; m &= m - 1) {
        uint64_t addr = base + off[__builtin_ctz(m)];
        for (uint64_t s = addr >> shift; s <= (addr + bytes - 1) >> shift; s++) {
            if (is_among(s, seen, count))
                continue;
            seen[keep ? count++ : 0] = s;
            count += !keep && !count;
            ask(t, s << (shift - SECTOR_SHIFT), write ? ASK_WRITE : ASK_READ);
        }
    }
}
