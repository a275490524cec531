/* lanes.c - draw the 32 lanes of a warp to show what a counter counts.
 *
 *     lanes  0-7     0   0   0   0   1   1   1   1     the sector of each lane: four lanes share one
 *     lanes  0-7     0   4   8  12  16  20  24  28     the bank of each lane
 *     lanes  8-15   0b  4b  8b 12b 16b 20b 24b 28b     a second word of the same bank: a conflict
 *     line 24 |################................|       active lanes, on average */
#include "view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 32, WORD = 4, A_ROW = 8, LINES = 8 };

/* The kinds of accesses that metrics count. */
enum kind {
    KIND_LOADS,
    KIND_STORES,
    KIND_SHARED_LOADS,
    KIND_SHARED_STORES,
    KIND_DIVERGENCE,
    KIND_NONE
};
static enum kind kind_of(enum metric m)
{
    switch (m) {
    case METRIC_GLD_SECTORS_PER_REQUEST: return KIND_LOADS;
    case METRIC_GST_SECTORS_PER_REQUEST: return KIND_STORES;
    case METRIC_SLD_PER_REQUEST:
    case METRIC_SLD_CONFLICTS: return KIND_SHARED_LOADS;
    case METRIC_SST_PER_REQUEST:
    case METRIC_SST_CONFLICTS: return KIND_SHARED_STORES;
    case METRIC_BRANCH_DIVERGENT:
    case METRIC_WARP_EFFICIENCY: return KIND_DIVERGENCE;
    default: return KIND_NONE;
    }
}

/* The first lane that accesses the same sector or word as lane l. unit: size of a sector or word in
 * bytes. */
static int first_with(const struct line_access *a, int l, uint64_t unit)
{
    for (int k = 0; k < l; k++)
        if (a->mask >> k & 1 && a->addr[k] / unit == a->addr[l] / unit) return k;
    return l;
}

/* How many different sectors or words the lanes touch. unit: size of a sector or word in bytes. */
static int different(const struct line_access *a, uint64_t unit)
{
    int count = 0;
    for (int l = 0; l < WARP_SIZE; l++) count += a->mask >> l & 1 && first_with(a, l, unit) == l;
    return count;
}

/* How many different words of the bank in which lane l's word lies are served before that word. */
static int words_before(const struct line_access *a, int l, unsigned banks)
{
    int before = 0, own = first_with(a, l, WORD);
    for (int k = 0; k < own; k++)
        before += a->mask >> k & 1 && a->addr[k] / WORD % banks == a->addr[l] / WORD % banks &&
                  first_with(a, k, WORD) == k;
    return before;
}

static int most_words(const struct line_access *a, unsigned banks)
{
    int most = 0;
    for (int l = 0; l < WARP_SIZE; l++) {
        int n = a->mask >> l & 1 ? 1 + words_before(a, l, banks) : 0;
        most = n > most ? n : most;
    }
    return most;
}

static void put_lane(
    struct buf *out, const struct line_access *a, int l, uint64_t base, unsigned banks)
{
    if (!(a->mask >> l & 1)) {
        buf_printf(out, "   .");
    } else if (!a->shared) {
        buf_printf(out, " %3llu", (unsigned long long)(a->addr[l] / SECTOR - base));
    } else {
        int before = words_before(a, l, banks);
        unsigned bank = (unsigned)(a->addr[l] / WORD % banks);
        if (before)
            buf_printf(out, " %2u%c", bank, before < 26 ? 'a' + before : '+');
        else
            buf_printf(out, " %3u", bank);
    }
}

static void draw(struct buf *out, const struct line_access *a, unsigned banks, const char *source)
{
    char *text = source_line(source, a->line);
    uint64_t base = UINT64_MAX;
    for (int l = 0; l < WARP_SIZE; l++)
        if (a->mask >> l & 1 && a->addr[l] / SECTOR < base) base = a->addr[l] / SECTOR;
    buf_printf(out, "    line %d: %s\n", a->line, text);
    buf_printf(out,
        a->shared ? "    the bank of each lane of the first warp (8b: a second word of bank 8):\n"
                  : "    the sector of 32 bytes of each lane of the first warp:\n");
    for (int row = 0; row < WARP_SIZE; row += A_ROW) {
        buf_printf(out, "      lanes %2d-%-2d ", row, row + A_ROW - 1);
        for (int l = row; l < row + A_ROW; l++) put_lane(out, a, l, base, banks);
        buf_printf(out, "\n");
    }
    if (a->bytes > WORD && a->shared)
        buf_printf(out, "    a lane takes %u bytes, 32 lanes %u; one wavefront delivers 128\n",
            a->bytes, 32 * a->bytes);
    free(text);
}

/* Draw the most expensive of a launch's accesses of one kind. */
static void draw_access(struct buf *out, const struct model_profile *gpu,
    const struct measurement *m, enum kind kind, const char *source)
{
    const struct line_access *worst = NULL;
    unsigned banks = gpu ? (unsigned)gpu->banks : 32;
    int most = 0;
    for (size_t i = 0; i < m->access_count; i++) {
        const struct line_access *a = &m->accesses[i];
        int shared = kind == KIND_SHARED_LOADS || kind == KIND_SHARED_STORES;
        int write = kind == KIND_STORES || kind == KIND_SHARED_STORES;
        if (!a->shared != !shared || !a->write != !write) continue;
        int n = shared ? most_words(a, banks) : different(a, SECTOR);
        if (n > most) most = n, worst = a;
    }
    if (worst) draw(out, worst, banks, source);
}

/* Draw how many lanes are active, for lines that only some lanes execute. */
static void draw_active(struct buf *out, const struct measurement *m, const char *source)
{
    static const char full[] = "################################",
                      empty[] = "................................";
    int shown = 0;
    for (size_t i = 0; i < m->line_count && shown < LINES; i++) {
        const double *v = m->lines[i].metrics.v;
        double mean = v[METRIC_THREAD_INST] / v[METRIC_INST];
        if (!(mean < WARP_SIZE - 0.5)) continue;
        if (!shown++)
            buf_printf(out, "    lanes that are active in a line, in the mean of all warps:\n");
        int on = (int)lround(mean);
        char *text = source_line(source, m->lines[i].line);
        buf_printf(out, "      line %3d |%.*s%.*s| %.28s\n", m->lines[i].line, on, full,
            WARP_SIZE - on, empty, text);
        free(text);
    }
}

void lanes_text(struct buf *out, const struct model_profile *gpu, const struct measurement *m,
    enum metric metric, const char *source)
{
    enum kind kind = kind_of(metric);
    if (!source || kind == KIND_NONE) return;
    if (kind == KIND_DIVERGENCE)
        draw_active(out, m, source);
    else
        draw_access(out, gpu, m, kind, source);
}
