/* rows.c - DRAM's rows: does the launch go through memory in pieces so small that a row is hardly open before the next one is needed?
 *
 *      byte       0      256    512         1536           A channel moves data of an open row, and opens rows no oftener than
 *      channel  | 0    | 1    | 2    | ... | 0    | ...    it could have moved dram_open_bytes in between: smaller pieces of a
 *      row      | a    | b    | c    | ... | a    | ...    row cost as much. Its queue of dram_queue requests is sorted by rows.
 *
 * The rule: blocks that are resident together go through the kernel in step, as in partitions.c, a block after the other and a warp
 * after the other; a line that one of them touches first is a request, later ones find it in L2. Of as many requests in a row as all
 * channels' queues hold, those to one row of one channel are served together. The ratio is what all openings cost over the bytes.
 *
 * Copies and transposes are what this is about: 128 bytes in each of many rows for a store, or for a load as well if blocks follow
 * each other along a diagonal. Banks are not looked at: a row is opened in one while others work.
 *
 * Sources: tRRD of a GDDR5 datasheet, pieces, rows, the queue and its order: GPGPU-Sim (profiles_old.c). NVIDIA's own mapping
 * of addresses is not published. */
#include "sim/memory/waves.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SHIFT = 7, PIECE = 256, MOST_LINES = 1 << 16 /* of a wave: more is no matter of small pieces */ };

struct request {
    uint32_t line, turn; /* accesses that the warp made before */
    uint32_t warp;       /* of the wave: its block's and its own number */
};

struct wave {
    struct request *requests;  /* a line once a worker */
    size_t count, cap;
    uint32_t *slot;            /* open hash of lines: index + 1 into requests */
    size_t slots;              /* a power of two, or 0 */
    uint32_t *turn;            /* by warp of the wave */
};

struct rows {
    const struct model_profile *profile;
    struct waves waves;
    uint32_t warps; /* a block */
    struct wave wave[WAVES];
};

struct rows *rows_new(const struct launch *l)
{
    if (!l->profile->dram_open_bytes || !l->record || l->picked < l->sms) /* a sample of multiprocessors leaves gaps between blocks */
        return NULL;
    struct rows *r = xcalloc(1, sizeof *r);
    r->profile = l->profile;
    r->waves = waves_of(l);
    r->warps = (uint32_t)l->block_warps;
    for (int i = 0; i < WAVES; i++)
        r->wave[i].turn = xcalloc(r->waves.at_once * r->warps, sizeof *r->wave[i].turn);
    return r;
}

void rows_free(struct rows *r)
{
    for (int i = 0; r && i < WAVES; i++) {
        free(r->wave[i].requests);
        free(r->wave[i].slot);
        free(r->wave[i].turn);
    }
    free(r);
}

/* Where the line's slot is: its own, or the free one that it would take. */
static uint32_t *slot_of(const struct wave *w, uint32_t line)
{
    size_t at = line * 0x9e3779b1u;
    for (at &= w->slots - 1; w->slot[at] && w->requests[w->slot[at] - 1].line != line; at = (at + 1) & (w->slots - 1))
        continue;
    return &w->slot[at];
}

static void make_room(struct wave *w)
{
    if (2 * w->count < w->slots)
        return;
    free(w->slot);
    w->slots = w->slots ? 2 * w->slots : 1024;
    w->slot = xcalloc(w->slots, sizeof *w->slot);
    for (size_t i = 0; i < w->count; i++)
        *slot_of(w, w->requests[i].line) = (uint32_t)i + 1;
}

static int earlier(const struct request *a, const struct request *b)
{
    return a->turn != b->turn ? a->turn < b->turn : a->warp < b->warp;
}

static void touch(struct wave *w, struct request now)
{
    if (w->count >= MOST_LINES)
        return;
    make_room(w);
    uint32_t *slot = slot_of(w, now.line);
    if (*slot) {
        struct request *first = &w->requests[*slot - 1];
        *first = earlier(&now, first) ? now : *first;
        return;
    }
    *VEC_PUSH(w->requests, w->count, w->cap) = now;
    *slot = (uint32_t)w->count;
}

void rows_access(struct rows *r, uint64_t block, int warp, uint64_t base, const uint32_t off[32], uint32_t mask)
{
    int index = waves_index(&r->waves, block);
    if (index < 0 || !mask)
        return;
    struct wave *w = &r->wave[index];
    uint32_t in_wave = (uint32_t)(block % r->waves.at_once) * r->warps + (uint32_t)warp, turn = w->turn[in_wave]++;
    uint32_t last = (uint32_t)((base + off[__builtin_ctz(mask)]) >> LINE_SHIFT) + 1;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t line = (uint32_t)((base + off[__builtin_ctz(m)]) >> LINE_SHIFT);
        if (line != last)
            touch(w, (struct request){line, turn, in_wave});
        last = line;
    }
}

/* ---- all workers' requests of a wave ---- */

static int by_line(const void *a, const void *b)
{
    const struct request *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line) : earlier(y, x) - earlier(x, y);
}

static int by_time(const void *a, const void *b)
{
    const struct request *x = a, *y = b;
    return earlier(x, y) || earlier(y, x) ? earlier(y, x) - earlier(x, y) : (x->line > y->line) - (x->line < y->line);
}

static size_t collect(struct rows **all, int n, int wave, struct request **out)
{
    struct request *q = NULL;
    size_t count = 0, cap = 0, kept = 0;
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < all[i]->wave[wave].count; k++)
            *VEC_PUSH(q, count, cap) = all[i]->wave[wave].requests[k];
    if (count)
        qsort(q, count, sizeof *q, by_line);
    for (size_t k = 0; k < count; k++)
        if (!k || q[k].line != q[kept - 1].line)
            q[kept++] = q[k];
    if (kept)
        qsort(q, kept, sizeof *q, by_time);
    *out = q;
    return kept;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* What it costs to serve count requests, sorted by rows, in bytes that could have been moved meanwhile. */
static uint64_t cost(const struct model_profile *p, const struct request *q, size_t count, uint64_t *row)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t piece = ((uint64_t)q[i].line << LINE_SHIFT) / PIECE, channel = piece % (uint64_t)p->dram_channels;
        row[i] = piece / (uint64_t)p->dram_channels * PIECE / (uint64_t)p->dram_row_bytes * (uint64_t)p->dram_channels + channel;
    }
    qsort(row, count, sizeof *row, by_number);
    for (size_t i = 0, same; i < count; i += same) {
        for (same = 1; i + same < count && row[i + same] == row[i];)
            same++;
        uint64_t bytes = (uint64_t)same << LINE_SHIFT;
        sum += bytes > (uint64_t)p->dram_open_bytes ? bytes : (uint64_t)p->dram_open_bytes;
    }
    return sum;
}

double rows_ratio(struct rows **all, int n)
{
    uint64_t moved = 0, paid = 0;
    if (!all[0])
        return 1;
    const struct model_profile *p = all[0]->profile;
    size_t window = (size_t)p->dram_queue * (size_t)p->dram_channels;
    uint64_t *row = xcalloc(window, sizeof *row);
    for (int wave = 0; wave < WAVES; wave++) {
        struct request *q;
        size_t count = collect(all, n, wave, &q);
        for (size_t i = 0; i < count; i += window)
            paid += cost(p, q + i, count - i < window ? count - i : window, row);
        moved += (uint64_t)count << LINE_SHIFT;
        free(q);
    }
    free(row);
    return moved ? (double)paid / (double)moved : 1;
}
