/* probe_apart.c - how multiprocessors that read the same come apart, and warps that do not.
 *
 *      GPC 0   |  . ...  .  |        |  .  . .   .  .|      One clock for all multiprocessors of a GPC, other ones for others', which
 *      GPC 1                | .. ...                        began at another time: so clocks tell who is together.
 *               begun                 done: further apart
 */
#include "hardware/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAITS = 32, TIMES = 3, OTHER_GPC = 2000 /* clocks */, LEAST = 4 /* multiprocessors of a GPC */ };

static int by_begun(const void *a, const void *b)
{
    double x = ((const struct probe_way *)a)->begun, y = ((const struct probe_way *)b)->begun;
    return (x > y) - (x < y);
}

double probe_median(double *v, int count)
{
    qsort(v, (size_t)count, sizeof *v, compare_doubles);
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
