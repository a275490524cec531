/* trace.c - global accesses in the caches: a sample of lines, simulated exactly.
 *
 *     sectors of a warp ── L1 of its multiprocessor ── log ── L2 ── DRAM
 *
 * Generations differ (struct model_profile): the L1 may fetch sectors, or whole lines (2.x), or not
 * cache global loads (3.x). On 1.x there is no cache; then nothing is traced, and every transaction
 * goes to DRAM (counters.c).
 *
 * Resident blocks of a multiprocessor share its L1 at the same time. The simulator runs them one
 * after the other, slice by slice. Their requests wait in streams, and then go through the L1 in
 * the order of instants. An instant is the number of global accesses that a batch of warps has
 * made.
 *
 * Only one line in 2^sample is traced, in a cache that is smaller by the same factor (trace.h).
 * Each multiprocessor's misses are logged in order; l2.c replays them later. The result is
 * deterministic. */
#include "sim/memory/trace.h"

#include <stdlib.h>
#include <string.h>

/* SLICE: in a launch without sampling, how many accesses a batch makes before they are replayed
 * through the caches. */
enum { L1_WAYS = 16, MOST_L1_SAMPLE = 4, SLICE = 256 };

/* Returns n, where one of 2^n lines goes through the modelled L1. n is 0 for buffers below 1
 * MiB, and grows by 1 with each doubling of their bytes. */
static int l1_sample_of(uint64_t bytes)
{
    int s = 0;
    while (s < MOST_L1_SAMPLE && bytes >> 20 >> s) s++;
    return s;
}

/* Returns n, where one of 2^n lines of the L1 sample is logged. n is 0 for up to 16 MiB of buffers.
 * If few multiprocessors are simulated, their share of the L2 is small, so more lines are
 * logged. */
static int log_sample_of(const struct launch *l, uint64_t bytes)
{
    int s = 0;
    while (bytes >> 24 >> s) s++;
    for (int k = 2; s && l->picked << (k + 1) <= l->sms; k++) s--;
    return s;
}

/* Bytes of the L1 while blocks are resident: if L1 and shared memory are the same memory, the
 * blocks' shared memory is subtracted. */
static int l1_bytes_of(const struct launch *l)
{
    const struct model_profile *p = l->profile;
    struct model_occupancy o =
        model_occupancy(p, l->block_threads, l->kernel->program->registers, l->shared_bytes);
    int bytes = p->l1_bytes;
    if (p->l1_shared_together)
        bytes -= (int)((size_t)(o.blocks > 0 ? o.blocks : 1) * l->shared_bytes);
    return bytes > 16384 ? bytes : 16384;
}

/* The L1 sample depends on the size of the buffers that the kernel cannot write or, if there are
 * none, of all buffers. */
struct trace *trace_new(const struct launch *l, struct sim_step_counts *steps)
{
    struct trace *t = xcalloc(1, sizeof *t);
    uint64_t bytes = sim_memory_bytes(l->memory), inputs = sim_memory_inputs(l->memory);
    t->steps = steps;
    t->l1_sample = l1_sample_of(inputs ? inputs : bytes);
    t->log_sample = log_sample_of(l, bytes);
    t->off = !l->profile->l2_bytes || !l->record;
    t->batches = (l->block_warps + BATCH_WARPS - 1) / BATCH_WARPS;
    t->read_shift = l->profile->l1_fetch == 1 << LINE_SHIFT ? LINE_SHIFT : SECTOR_SHIFT;
    if (l->profile->l1_fetch)
        t->l1 = trace_cache(l1_bytes_of(l) >> t->l1_sample, L1_WAYS, 1 << t->read_shift);
    return t;
}

void trace_free(struct trace *t)
{
    if (!t) return;
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

/* The new stream is owned by the trace. */
struct stream *trace_stream(struct trace *t)
{
    struct stream *s = xcalloc(1, sizeof *s);
    return *VEC_PUSH(t->streams, t->stream_count, t->stream_cap) = s;
}

/* Each multiprocessor starts with an empty L1, and has a segment of its own in the log. */
void trace_start_sm(struct trace *t, int sm)
{
    if (t->l1) model_cache_clear(t->l1);
    t->held.mask = 0;
    trace_end_segment(t);
    *VEC_PUSH(t->segments, t->segment_count, t->segment_cap) = (struct segment){sm, t->count, 0};
}

/* Append an entry to the arrays log and when, which have the same length and capacity. */
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

/* Called when a warp waits for a sector in flight. If the warp is the first of its batch to do so,
 * the wait is counted as alone. When a second warp of the batch waits for the same sector, both
 * count as waiting together. */
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

/* Count a load of one sector, which hit in the L1 or is fetched by a miss. If the same sector was
 * missed at the same instant, a second load of that sector counts as a hit, but waits as long as
 * the first. Returns whether the load missed. */
static int load(struct trace *t, uint64_t sector, int hit)
{
    struct arrival *a = &t->arrivals[sector % ARRIVALS];
    t->reads++;
    t->step->followed++;
    if (hit) {
        t->hits++;
        if (a->sector == sector && a->instant == t->instant) wait_for(t, a);
        return 0;
    }
    t->misses++;
    t->missed_at = t->instant;
    *a = (struct arrival){.sector = sector, .instant = t->instant};
    wait_for(t, a);
    return 1;
}

/* Pass sectors of one line through the L1, and log those that reach the L2. sector: the first of
 * them (for a load, aligned to what a miss fetches); more: number of further sectors. */
static void follow(struct trace *t, uint64_t sector, unsigned more, int write)
{
    uint64_t line = sector >> (LINE_SHIFT - SECTOR_SHIFT);
    unsigned fetched = write ? 1 : 1u << (t->read_shift - SECTOR_SHIFT), hits = 0;
    /* at: the first sector that is fetched in the line; wanted: bit mask of the sectors */
    unsigned at = fetched > 1 ? 0 : sector & 3, wanted = (2u << more) - 1;
    uint64_t missed = t->misses;
    t->held.mask = 0;
    if (!write && t->l1)
        hits =
            model_cache_line(t->l1, trace_renumber(sector, t->l1_sample), wanted << at, 0, 1) >> at;
    for (uint64_t s = sector; s <= sector + more; s++, hits >>= 1) {
        if (!write && !load(t, s, hits & 1)) continue;
        if (trace_missed((uint32_t)line >> t->l1_sample, t->log_sample)) continue;
        for (unsigned i = 0; i < fetched; i++) add_log(t, s + i, write);
    }
    if (t->misses == missed || t->asked == line + 1) return;
    t->lines++;
    t->asked = line + 1;
}

/* Log the sectors that the copy engine requests from the L2; they bypass the L1. */
static void pass_by(struct trace *t, uint64_t sector, unsigned more)
{
    uint32_t line = (uint32_t)(sector >> (LINE_SHIFT - SECTOR_SHIFT));
    t->misses += 1 + more;
    t->lines++;
    if (trace_missed(line >> t->l1_sample, t->log_sample)) return;
    for (unsigned i = 0; i <= more; i++) add_log(t, sector + i, 0);
}

/* Called when a warp's access begins: save the sums, so that again() can repeat what the access
 * adds. */
static void mark(struct trace *t)
{
    t->last_reads = t->reads;
    t->last_late = t->step->late;
    t->alone = t->asked = 0;
}

/* Another warp of the batch makes the same load: all its sectors are hits, and it waits together
 * with the first warp. */
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

/* ---- requests of batches: replayed at once if there is one stream, else in the order of instants
 * ----
 *
 *      stream 0    1 1 2 . 4     numbers: instants
 *      stream 1    1 . 2 3 .     order: 1 1 1 2 2 3 4 */

static void follow_request(struct trace *t, const struct request *r)
{
    t->step = &t->steps[r->step];
    t->instant = r->instant;
    if (r->first) mark(t);
    if (r->ask == ASK_AGAIN)
        again(t);
    else if (r->ask == ASK_BULK)
        pass_by(t, r->sector, r->more);
    else
        follow(t, r->sector, r->more, r->ask == ASK_WRITE);
}

static int alone(const struct trace *t) { return t->stream_count == 1; }

/* Called when the current warp requests a sector and the next "more" sectors of its line. If there
 * is only one stream, requests are already in order, so they are not queued. */
static void ask(struct trace *t, uint64_t sector, uint64_t more, enum ask kind)
{
    struct stream *s = t->now;
    struct request r = {sector, more & 3, (uint32_t)t->instant, (unsigned)(t->step - t->steps),
        kind, (unsigned)t->first};
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
    if (!t->first) ask(t, 0, 0, ASK_AGAIN);
}

uint64_t trace_slice(const struct trace *t)
{
    return alone(t) || t->off ? UINT64_MAX : (uint64_t)SLICE << t->l1_sample;
}

/* The lowest instant of all requests in streams; UINT64_MAX: there are none. */
static uint64_t next_instant(const struct trace *t)
{
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < t->stream_count; i++) {
        const struct stream *s = t->streams[i];
        if (s->done < s->count && s->at[s->done].instant < next) next = s->at[s->done].instant;
    }
    return next;
}

/* Remove the requests that were replayed. Requests after the horizon (an instant) remain for the
 * next call of trace_follow. */
static void drop_done(struct stream *s)
{
    s->count -= s->done;
    memmove(s->at, s->at + s->done, s->count * sizeof *s->at);
    s->done = 0;
}

/* The replay goes instant by instant. Within an instant, the first batches of all blocks come
 * first, then their second batches, and so on. */
void trace_follow(struct trace *t, uint64_t horizon)
{
    size_t blocks = t->stream_count / (size_t)t->batches;
    for (uint64_t next; (next = next_instant(t)) <= horizon && next != UINT64_MAX;)
        for (size_t i = 0; i < t->stream_count; i++) {
            t->now = t->streams[i % blocks * (size_t)t->batches + i / blocks];
            while (t->now->done < t->now->count && t->now->at[t->now->done].instant == next)
                follow_request(t, &t->now->at[t->now->done++]);
        }
    for (size_t i = 0; i < t->stream_count; i++)
        if (t->streams[i]->done) drop_done(t->streams[i]);
}

void trace_forget(struct trace *t) { t->off = 1; }

void trace_pause(struct trace *t, int pause) { t->off = pause; }

uint32_t trace_picks(const struct trace *t, const uint64_t lo[BATCH_WARPS], uint64_t last)
{
    uint32_t missed[BATCH_WARPS], picks = 0;
    for (int w = 0; w < BATCH_WARPS; w++) {
        uint32_t a = trace_missed((uint32_t)(lo[w] >> LINE_SHIFT), t->l1_sample);
        uint32_t b = trace_missed((uint32_t)((lo[w] + last) >> LINE_SHIFT), t->l1_sample);
        missed[w] = a < b ? a : b;
    }
    for (int w = 0; w < BATCH_WARPS; w++) picks |= (uint32_t)(missed[w] == 0) << w;
    return t->off ? 0 : picks;
}

/* Requests the sectors of bytes lo .. hi - 1. Lines that are not in the sample are skipped before
 * the others are divided into sectors. */
static void ask_range(struct trace *t, uint64_t lo, uint64_t hi, enum ask kind)
{
    int shift = kind != ASK_READ ? SECTOR_SHIFT : t->read_shift;
    if (t->off) return;
    t->first = 1;
    for (uint64_t line = lo >> LINE_SHIFT; line <= (hi - 1) >> LINE_SHIFT; line++) {
        if (trace_missed((uint32_t)line, t->l1_sample)) continue;
        uint64_t first = line << LINE_SHIFT > lo ? line << LINE_SHIFT : lo;
        uint64_t last = (line + 1) << LINE_SHIFT < hi ? (line + 1) << LINE_SHIFT : hi;
        ask(t, first >> shift << (shift - SECTOR_SHIFT), ((last - 1) >> shift) - (first >> shift),
            kind);
    }
}

void trace_range(struct trace *t, uint64_t lo, uint64_t hi, int write)
{
    ask_range(t, lo, hi, write ? ASK_WRITE : ASK_READ);
}

void trace_bulk(struct trace *t, uint64_t lo, uint64_t hi, int write)
{
    ask_range(t, lo, hi, write ? ASK_WRITE : ASK_BULK);
}

/* ---- a warp's scattered access ---- */

/* The requests of a warp's access: runs of consecutive sectors of a line, as the first sector and
 * the number of further ones. */
struct runs {
    int count;
    uint64_t sector[32];
    uint32_t more[32];
};

static int is_among(uint64_t sector, const struct runs *r)
{
    for (int i = r->count; i-- > 0;)
        if (sector - r->sector[i] <= r->more[i]) return 1;
    return 0;
}

/* Sets the runs of a load in which each lane accesses another line than the lane before, such as a
 * matrix column. The loops have no early exit, so the compiler can vectorize them. Returns 0 for
 * any other kind of access. */
static int column(const struct trace *t, uint64_t base, const uint32_t off[32], struct runs *r)
{
    int together = 0, unit = t->read_shift - SECTOR_SHIFT;
    for (int l = 0; l < 32; l++) r->sector[l] = (base + off[l]) >> t->read_shift << unit;
    for (int l = 0; l < 31; l++) together |= r->sector[l] >> 2 == r->sector[l + 1] >> 2;
    memset(r->more, 0, sizeof r->more);
    r->count = together ? 0 : 32;
    return r->count;
}

/* Writes to *r the runs of consecutive sectors that the lanes in mask access, in the order of lanes.
 * A lane's bytes are aligned, so they are in one sector. A sector is left out if the previous active
 * lane accesses it too; without an L1, also if any earlier lane does. */
static void runs_of(const struct trace *t, uint64_t base, const uint32_t off[32], uint32_t mask,
    int write, struct runs *r)
{
    int shift = write ? SECTOR_SHIFT : t->read_shift, unit = shift - SECTOR_SHIFT;
    /* next: the sector that would extend the current run; 0: none would */
    uint64_t next = 0, last = 0;
    r->count = 0;
    if (mask == ~0u && t->l1 && !write && column(t, base, off, r)) return;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t s = (base + off[__builtin_ctz(m)]) >> shift << unit;
        if (s == last || (!t->l1 && is_among(s, r))) continue;
        if (s == next) {
            r->more[r->count - 1]++;
        } else {
            r->sector[r->count] = s;
            r->more[r->count++] = 0;
        }
        next = !unit && (s + 1) % 4 ? s + 1 : 0;
        last = s;
    }
}

static void hit(struct trace *t, uint64_t sectors)
{
    mark(t);
    t->first = 0;
    t->reads += sectors;
    t->hits += sectors;
    t->step->followed += sectors;
}

/* Counts a load whose sectors are all in the L1, none of them just missed by another warp. That is
 * the usual case, so the sectors are looked up together. Returns 0, with nothing counted, in any
 * other case. */
static int all_hit(
    struct trace *t, const struct runs *r, uint64_t base, const uint32_t off[32], uint32_t mask)
{
    uint64_t addr[32], sectors = 0;
    uint8_t wanted[32];
    if (!t->l1 || !alone(t) || t->instant == t->missed_at) return 0;
    for (int i = 0; i < r->count; i++) {
        addr[i] = trace_renumber(r->sector[i], t->l1_sample);
        wanted[i] = (uint8_t)(((2u << r->more[i]) - 1) << (r->sector[i] & 3));
        sectors += 1 + r->more[i];
    }
    if (!model_cache_all_hit(t->l1, addr, wanted, r->count)) return 0;
    hit(t, t->held.sampled = sectors);
    t->held.mask = mask;
    for (int l = 0; l < 32; l++) t->held.sector[l] = (base + off[l]) >> SECTOR_SHIFT;
    return 1;
}

/* Counts a load whose sectors are the same as those in t->held: these are still in the L1, and
 * their LRU order does not change. Returns 0, with nothing counted, in any other case. */
static int hit_again(struct trace *t, uint64_t base, const uint32_t off[32], uint32_t mask)
{
    uint64_t differ = 0;
    if (mask != t->held.mask || !alone(t) || t->instant == t->missed_at) return 0;
    for (int l = 0; l < 32; l++)
        differ |=
            ((base + off[l]) >> SECTOR_SHIFT ^ t->held.sector[l]) & -(uint64_t)(mask >> l & 1);
    if (!differ) hit(t, t->held.sampled);
    return !differ;
}

void trace_access(struct trace *t, uint64_t base, const uint32_t off[32], uint32_t mask,
    unsigned bytes, int write)
{
    uint32_t in_sample = 0;
    if (t->off) return;
    if (!(mask & (mask - 1))) { /* only one lane accesses memory */
        uint64_t lo = base + off[__builtin_ctz(mask)];
        trace_range(t, lo, lo + bytes, write);
        return;
    }
    if (!write && hit_again(t, base, off, mask)) return;
    t->first = 1;
    uint32_t missed[32], base_line = (uint32_t)(base >> LINE_SHIFT), rest = (uint32_t)base & 127;
    /* no branches, so the compiler can vectorize the loop */
    for (int l = 0; l < 32; l++)
        missed[l] = trace_missed(base_line + ((rest + off[l]) >> LINE_SHIFT), t->l1_sample);
    for (int l = 0; l < 32; l++) in_sample |= (uint32_t)(missed[l] == 0) << l;
    struct runs r;
    runs_of(t, base, off, in_sample & mask, write, &r);
    if (!r.count || (!write && all_hit(t, &r, base, off, mask))) return;
    for (int i = 0; i < r.count; i++) ask(t, r.sector[i], r.more[i], write ? ASK_WRITE : ASK_READ);
}
