/* probe_apart.c - how multiprocessors that read the same come apart, and warps that do not.
 *
 *      GPC 0   |  . ...  .  |        |  .  . .   .  .|      One clock for all multiprocessors of a GPC, other ones for others', which
 *      GPC 1                | .. ...                        began at another time: so clocks tell who is together.
 *               begun                 done: further apart
 */
#include "lab/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAITS = 32, TIMES = 3, OTHER_GPC = 2000 /* clocks */, LEAST = 4 /* multiprocessors of a GPC */ };

static int by_begun(const void *a, const void *b)
{
    double x = ((const struct probe_way *)a)->begun, y = ((const struct probe_way *)b)->begun;
    return (x > y) - (x < y);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double probe_median(double *v, int count)
{
    qsort(v, (size_t)count, sizeof *v, by_value);
    return count ? (v[(count - 1) / 2] + v[count / 2]) / 2 : NAN;
}

static double variance(const struct probe_way *w, int count, int done)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        double x = (done ? w[i].done : w[i].begun) - w[0].begun;
        sum += x;
        squares += x * x;
    }
    return (squares - sum * sum / count) / (count - 1);
}

double probe_come_apart(struct probe_way *w, int count)
{
    double *more = xcalloc((size_t)count + 1, sizeof *more);
    int groups = 0;
    qsort(w, (size_t)count, sizeof *w, by_begun);
    for (int from = 0, i = 1; i <= count; i++) {
        if (i < count && w[i].begun - w[i - 1].begun < OTHER_GPC)
            continue;
        if (i - from >= LEAST)
            more[groups++] = variance(&w[from], i - from, 1) - variance(&w[from], i - from, 0);
        from = i;
    }
    double found = probe_median(more, groups);
    free(more);
    return found;
}

/* Its warps' clocks at both ends of a walk, two words a warp. way: when the first of each block began and when the first was done. */
static int walked(struct prober *p, const char *name, unsigned blocks, int warps, int n, int step, uint64_t *clocks, struct probe_way *way,
                  struct err *e)
{
    double ms;
    size_t per_block = strcmp(name, "walk_256") ? 32 : 8;
    if (probe_launch(p, name, blocks, n, step, &ms, e) ||
        device_copy_out(p->device, clocks, p->data, blocks * per_block * 2 * sizeof *clocks, e))
        return -1;
    for (unsigned b = 0; b < blocks; b++) {
        way[b] = (struct probe_way){INFINITY, INFINITY};
        for (int w = 0; w < warps; w++) {
            const uint64_t *at = &clocks[2 * (b * per_block + (size_t)w)];
            way[b].begun = fmin(way[b].begun, (double)at[0]);
            way[b].done = fmin(way[b].done, (double)at[1]);
        }
    }
    return 0;
}

/* One kind: TIMES launches of WAITS waits. */
static int wander_of(struct prober *p, int warps, int step, uint64_t *clocks, struct probe_way *way, double *v, struct err *e)
{
    double more = 0, wait = 0;
    for (int i = 0; i < TIMES; i++) {
        if (walked(p, "walk_1024", (unsigned)p->sms, warps, WAITS, step, clocks, way, e))
            return -1;
        for (int b = 0; b < p->sms; b++)
            wait += (way[b].done - way[b].begun) / WAITS / p->sms / TIMES;
        more += probe_come_apart(way, p->sms) / TIMES;
    }
    *v = sqrt(fmax(more, 0) / WAITS) / wait;
    return 0;
}

int probe_wander(struct prober *p, double *v, struct err *e)
{
    static const int warps[] = {1, 8, 32}, loads[] = {1, 4}, work[] = {0, 2, 8};
    double kinds[36];
    int n = 0, bad = 0;
    *v = NAN;
    if (p->simulated) /* its multiprocessors have no clocks */
        return 0;
    uint64_t *clocks = xcalloc((size_t)p->sms * 64, sizeof *clocks);
    struct probe_way *way = xcalloc((size_t)p->sms, sizeof *way);
    p->warm = 1;
    for (int i = 0; i < 36 && !bad; i++) {
        int w = warps[i % 3], step = w + 64 * loads[i / 3 % 2] + 512 * work[i / 6 % 3] + 8192 * (i / 18);
        bad = wander_of(p, w, step, clocks, way, &kinds[n++], e);
    }
    p->warm = 0;
    *v = bad ? NAN : probe_median(kinds, n);
    free(clocks);
    free(way);
    return bad ? -1 : 0;
}

int probe_alone_apart(struct prober *p, double *v, struct err *e)
{
    enum { WARPS = 8, BLOCKS = 8 };
    unsigned blocks = (unsigned)p->sms * BLOCKS;
    *v = NAN;
    if (p->simulated)
        return 0;
    uint64_t *clocks = xcalloc((size_t)blocks * WARPS * 2, sizeof *clocks);
    struct probe_way *way = xcalloc(blocks, sizeof *way);
    double *apart = xcalloc(blocks, sizeof *apart);
    int bad = walked(p, "walk_256", blocks, WARPS, 1, WARPS + 64 + 2 * 8192, clocks, way, e);
    for (unsigned b = 0; b < blocks && !bad; b++) {
        struct probe_way each[WARPS];
        for (unsigned w = 0; w < WARPS; w++)
            each[w] = (struct probe_way){way[b].begun, (double)clocks[2 * (b * WARPS + w) + 1]};
        apart[b] = sqrt(variance(each, WARPS, 1));
    }
    *v = bad ? NAN : probe_median(apart, (int)blocks);
    free(clocks);
    free(way);
    free(apart);
    return bad ? -1 : 0;
}

/* ---- warps of a block ---- */

struct held { /* by a multiprocessor, which serves the blocks that it began with as much at any time */
    double begun, first, last;
    int warps;
};

static double at_once(const struct probe_way *w, const unsigned *sm, int blocks, int warps)
{
    enum { MOST = 1024 };
    struct held *held = xcalloc(MOST, sizeof *held);
    double *found = xcalloc(MOST, sizeof *found);
    int count = 0;
    for (int b = 0; b < blocks; b++) {
        struct held *h = &held[sm[b * warps] % MOST];
        double done = 0;
        for (int i = b * warps; i < (b + 1) * warps; i++) {
            done = fmax(done, w[i].done);
            h->begun = h->warps ? fmin(h->begun, w[i].begun) : w[i].begun;
            h->warps++;
        }
        h->first = h->warps > warps ? fmin(h->first, done) : done;
        h->last = fmax(h->last, done);
    }
    for (int i = 0; i < MOST; i++)
        if (held[i].warps)
            found[count++] = held[i].warps * (held[i].first - held[i].begun) / (held[i].last - held[i].begun);
    double median = probe_median(found, count);
    free(held);
    free(found);
    return median;
}

struct probe_spread probe_spread(const struct probe_way *w, const unsigned *sm, int blocks, int warps)
{
    struct probe_spread s = {.at_once = at_once(w, sm, blocks, warps)};
    double ways = 0;
    int some = warps < 4 ? warps : 4;
    for (int b = 0; b < blocks; b++, w += warps) {
        double begun = INFINITY, mean = 0, squares = 0;
        for (int i = 0; i < warps; i++) {
            begun = fmin(begun, w[i].begun);
            mean += w[i].done / warps;
        }
        for (int i = 0; i < warps; i++)
            squares += (w[i].done - mean) * (w[i].done - mean) / (warps - 1);
        for (int i = 0; i < some; i++)
            s.lead += (w[i].done - w[warps - some + i].done) / some;
        s.deviation += sqrt(squares);
        ways += mean - begun;
    }
    s.deviation /= ways;
    s.lead /= ways;
    return s;
}

/* A kind of warps on full multiprocessors: n turns of so many loads at once, of so many lines each, among lines of their own; then work. */
static int paced(struct prober *p, const char *name, int n, int lines, int own, int work, struct probe_spread *out, struct err *e)
{
    enum { WARPS = 8, BLOCKS = 8 };
    unsigned count = (unsigned)p->sms * BLOCKS * WARPS;
    double ms;
    struct probe_way *way = xcalloc(count, sizeof *way);
    uint64_t *clocks = xcalloc(count, 2 * sizeof *clocks);
    unsigned *sm = xcalloc(count, sizeof *sm);
    int bad = probe_launch(p, name, (unsigned)p->sms * BLOCKS, n, lines + 32 * own + 32768 * work, &ms, e) ||
              device_copy_out(p->device, clocks, p->data, count * 2 * sizeof *clocks, e) ||
              device_copy_out(p->device, sm, p->data + (1 << 19), count * sizeof *sm, e);
    for (unsigned w = 0; w < count && !bad; w++)
        way[w] = (struct probe_way){(double)clocks[2 * w], (double)clocks[2 * w + 1]};
    if (!bad)
        *out = probe_spread(way, sm, (int)count / WARPS, WARPS);
    free(way);
    free(sm);
    free(clocks);
    return bad ? -1 : 0;
}

static const struct pacer {
    const char *near, *far;
    int loads;
} pacers[] = {{"near_1", "far_1", 1}, {"near_4", "far_4", 4}, {"near_16", "far_16", 16}};
enum { PACERS = sizeof pacers / sizeof *pacers, KINDS = 4 * PACERS, FAR_LOADS = 1 << 13, NEAR_LOADS = 1 << 15 };

/* Median over kinds, of what turns out about the warps of a launch. */
int probe_drift(struct prober *p, double *v, struct err *e)
{
    static const int lines[] = {1, 16}, own[] = {16, 512};
    double kinds[KINDS];
    int bad = 0;
    *v = NAN;
    for (int i = 0; i < KINDS && !bad && !p->simulated; i++) { /* there a convoy's warps have no clocks of their own */
        struct probe_spread s = {0};
        const struct pacer *q = &pacers[i / 4];
        bad = paced(p, q->far, FAR_LOADS / q->loads, lines[i % 2], own[i / 2 % 2], 0, &s, e);
        kinds[i] = s.deviation;
    }
    if (!bad && !p->simulated)
        *v = probe_median(kinds, KINDS);
    return bad;
}

static int near(struct prober *p, double *lead, double *at_once, struct err *e)
{
    static const int lines[] = {8, 16}, work[] = {0, 16};
    double leads[KINDS], counts[KINDS];
    int bad = 0;
    *lead = *at_once = NAN;
    for (int i = 0; i < KINDS && !bad && !p->simulated; i++) {
        struct probe_spread s = {0};
        const struct pacer *q = &pacers[i / 4];
        bad = paced(p, q->near, NEAR_LOADS / q->loads, lines[i % 2], 16, work[i / 2 % 2], &s, e);
        leads[i] = s.lead;
        counts[i] = s.at_once;
    }
    if (!bad && !p->simulated) {
        *lead = probe_median(leads, KINDS);
        *at_once = probe_median(counts, KINDS);
    }
    return bad;
}

int probe_lead(struct prober *p, double *v, struct err *e)
{
    double other;
    return near(p, v, &other, e);
}

int probe_at_once(struct prober *p, double *v, struct err *e)
{
    double other;
    return near(p, &other, v, e);
}
