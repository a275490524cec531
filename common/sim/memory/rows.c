/* rows.c - DRAM rows: does the launch access rows in pieces so small that opening the rows takes
 * longer than moving the data?
 *
 *      byte       0      256    512         1536           A channel moves data of an open row. Between
 *      channel  | 0    | 1    | 2    | ... | 0    | ...    two openings it could move dram_open_bytes, so a
 *      row      | a    | b    | c    | ... | a    | ...    smaller piece of a row costs as much.
 *
 * The rule:
 * - Resident blocks run in step, as in partitions.c: the n-th accesses of all warps come before
 *   the next ones.
 * - A line is one request, at its first access. Later accesses find it in the L2.
 * - A channel's queue sorts dram_queue requests by row. So of every dram_queue x channels
 *   consecutive requests, those to one row are served together.
 * - The ratio is the cost of all pieces, each at least dram_open_bytes, over the bytes that are
 *   moved.
 *
 * This slows down copies and transposes that move 128 bytes in each of many rows. Banks are not
 * modelled: while one bank opens a row, others move data.
 *
 * Sources: tRRD of a GDDR5 datasheet; GPGPU-Sim for pieces, rows and the queue (profiles_old.c).
 * NVIDIA does not publish its address mapping. */
#include "sim/memory/waves.h"

#include <stdlib.h>
#include <string.h>

/* LINE_SHIFT: lines of 128 bytes. PIECE: contiguous bytes that belong to one channel. MOST_LINES:
 * most requests kept for each wave and worker; later requests are dropped. */
enum { LINE_SHIFT = 7, PIECE = 256, MOST_LINES = 1 << 16 };

/* The first access to a line. Requests are ordered by turn, then by warp (see earlier()). */
struct request {
    /* line: number of the line; turn: number of accesses that the warp made before */
    uint32_t line, turn;
    /* index of the warp in the wave: index of the block in the wave x warps per block + index of
     * the warp in the block */
    uint32_t warp;
};

/* What one worker recorded of a wave of blocks. The hash table is at most half full. */
struct wave {
    struct request *requests; /* one request for each line */
    size_t count, cap;
    /* hash table with open addressing: index into requests, plus 1 */
    uint32_t *slot;
    size_t slots;   /* size of the table: a power of two, or 0 */
    uint32_t *turn; /* for each warp of the wave: number of accesses so far */
};

struct rows {
    const struct model_profile *profile;
    struct waves waves;
    uint32_t warps; /* number of warps in each block */
    struct wave wave[WAVES];
};

struct rows *rows_new(const struct launch *l)
{
    /* If only some multiprocessors are simulated, blocks of a wave are missing, so row use cannot
     * be judged. */
    if (!l->profile->dram_open_bytes || !l->record || l->picked < l->sms) return NULL;
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

/* The slot of a line; if the line is not in the table, the free slot where it would go. */
static uint32_t *slot_of(const struct wave *w, uint32_t line)
{
    size_t at = line * 0x9e3779b1u;
    for (at &= w->slots - 1; w->slot[at] && w->requests[w->slot[at] - 1].line != line;
         at = (at + 1) & (w->slots - 1))
        continue;
    return &w->slot[at];
}

/* Double the hash table when it is half full. */
static void make_room(struct wave *w)
{
    if (2 * w->count < w->slots) return;
    free(w->slot);
    w->slots = w->slots ? 2 * w->slots : 1024;
    w->slot = xcalloc(w->slots, sizeof *w->slot);
    for (size_t i = 0; i < w->count; i++) *slot_of(w, w->requests[i].line) = (uint32_t)i + 1;
}

static int earlier(const struct request *a, const struct request *b)
{
    return a->turn != b->turn ? a->turn < b->turn : a->warp < b->warp;
}

/* Add a request; of two requests to the same line, only the earlier one is kept. */
static void touch(struct wave *w, struct request now)
{
    if (w->count >= MOST_LINES) return;
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

/* Adds one request for each line of a warp's access; consecutive lanes usually share a line. */
void rows_access(
    struct rows *r, uint64_t block, int warp, uint64_t base, const uint32_t off[32], uint32_t mask)
{
    int index = waves_index(&r->waves, block);
    if (index < 0 || !mask) return;
    struct wave *w = &r->wave[index];
    uint32_t in_wave = (uint32_t)(block % r->waves.at_once) * r->warps + (uint32_t)warp,
             turn = w->turn[in_wave]++;
    uint32_t last = (uint32_t)((base + off[__builtin_ctz(mask)]) >> LINE_SHIFT) + 1;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t line = (uint32_t)((base + off[__builtin_ctz(m)]) >> LINE_SHIFT);
        if (line != last) touch(w, (struct request){line, turn, in_wave});
        last = line;
    }
}

/* ---- combining all workers' requests of a wave ---- */

static int by_line(const void *a, const void *b)
{
    const struct request *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : earlier(y, x) - earlier(x, y);
}

static int by_time(const void *a, const void *b)
{
    const struct request *x = a, *y = b;
    return earlier(x, y) || earlier(y, x) ? earlier(y, x) - earlier(x, y)
                                          : (x->line > y->line) - (x->line < y->line);
}

/* The requests of all workers in one wave, one for each line, ordered by time. Returns their
 * number; the caller frees *out. */
static size_t collect(struct rows **all, int n, int wave, struct request **out)
{
    struct request *q = NULL;
    size_t count = 0, cap = 0, kept = 0;
    for (int i = 0; i < n; i++)
        for (size_t k = 0; k < all[i]->wave[wave].count; k++)
            *VEC_PUSH(q, count, cap) = all[i]->wave[wave].requests[k];
    if (count) qsort(q, count, sizeof *q, by_line);
    for (size_t k = 0; k < count; k++)
        if (!k || q[k].line != q[kept - 1].line) q[kept++] = q[k];
    if (kept) qsort(q, kept, sizeof *q, by_time);
    *out = q;
    return kept;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The cost of count requests that a channel's queue sorts by row, in bytes that could have been
 * moved in that time. row: scratch space for count row numbers. A row number is unique over all
 * channels. */
static uint64_t cost(
    const struct model_profile *p, const struct request *q, size_t count, uint64_t *row)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t piece = ((uint64_t)q[i].line << LINE_SHIFT) / PIECE,
                 channel = piece % (uint64_t)p->dram_channels;
        row[i] = piece / (uint64_t)p->dram_channels * PIECE / (uint64_t)p->dram_row_bytes *
                     (uint64_t)p->dram_channels +
                 channel;
    }
    qsort(row, count, sizeof *row, by_number);
    for (size_t i = 0, same; i < count; i += same) {
        for (same = 1; i + same < count && row[i + same] == row[i];) same++;
        uint64_t bytes = (uint64_t)same << LINE_SHIFT;
        sum += bytes > (uint64_t)p->dram_open_bytes ? bytes : (uint64_t)p->dram_open_bytes;
    }
    return sum;
}

double rows_ratio(struct rows **all, int n)
{
    uint64_t moved = 0, paid = 0;
    if (!all[0]) return 1;
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
