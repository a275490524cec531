/* probe_join.c - behind how many loads a store waits in the L1, by what joins it meanwhile.
 *
 *     joined                    Two stores to halves of sectors, so and so many clocks apart. Which of them leave the multiprocessor
 *      1 |----.                 as one only a counter tells, a launch for each distance; how far apart they were the kernel itself. The
 *        |     \               area is how long the first may be joined, on average.
 *      0 +------`----- clocks
 *
 * So beside warps that keep the L1 busy: over the passes of one of their loads, that is so many loads. Where the stores are so far
 * apart already when they are issued at once that most don't join, as where the L1's queue is full, it can't be told, and the
 * setting is left out; so it is where lines would stay as long with no loads beside them. */
#include "hardware/crosscheck.h"
#include "hardware/ncu.h"
#include "hardware/probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 12, LINES = 16, ROUNDS = 64, GAPS_AT = 1 << 20 };
static const char metric[] = "lts__t_sectors_srcunit_tex_op_write.sum";

static const struct setting {
    int passes, warps;
} settings[] = {{1, 0}, {8, 8}, {8, 16}, {8, 28}, {16, 8}, {16, 16}, {16, 28}, {32, 8}, {32, 16}, {32, 28}};
enum { SETTINGS = sizeof settings / sizeof *settings, LAUNCHES = SETTINGS * TIMES };

/* Multiply-adds between the two stores, as probes.cu has them. */
static const int apart[TIMES] = {0, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96};

static int launch_one(struct prober *p, int i, struct err *e)
{
    const struct setting *s = &settings[i / TIMES];
    double ms;
    return probe_launch(p, "stores_beside", (unsigned)p->sms, apart[i % TIMES], s->passes + 64 * s->warps, &ms, e);
}

int probe_join_launches(struct prober *p, struct err *e)
{
    for (int i = 0; i < LAUNCHES; i++)
        if (launch_one(p, i, e))
            return -1;
    return 0;
}

double probe_hold(const double *between, const double *joined, int count)
{
    double x = 0, y = 1, area = 0;
    for (int i = 0; i < count; i++) {
        area += (between[i] - x) * (joined[i] + y) / 2;
        x = between[i];
        y = joined[i];
    }
    return area;
}

static int gaps(struct prober *p, double between[LAUNCHES], struct err *e)
{
    uint64_t *clocks = xcalloc((size_t)p->sms, sizeof *clocks);
    int bad = 0;
    for (int i = 0; i < LAUNCHES && !bad; i++) {
        double sum = 0;
        bad = launch_one(p, i, e) || device_copy_out(p->device, clocks, p->data + GAPS_AT, (size_t)p->sms * sizeof *clocks, e);
        for (int b = 0; b < p->sms; b++)
            sum += (double)clocks[b];
        between[i] = sum / p->sms / ROUNDS;
    }
    free(clocks);
    return bad;
}

/* Sectors that reached the L2, of all launches of a process of its own; what it launched before is not looked at. */
static int count(struct prober *p, double sectors[LAUNCHES], struct err *e)
{
    const char *words[] = {"probe", "--launch", "joins", "--device", p->spec, p->ptx ? "--ptx" : NULL, p->ptx, NULL}, *names[] = {metric};
    struct ncu ncu;
    char *csv = NULL;
    double *values = NULL;
    if (ncu_open(&ncu, p->ncu, e))
        return -1;
    int status = ncu_run(&ncu, metric, 0, words, e), launches = -1;
    if (status > 0)
        err_set(e, ERR_ENV, "ncu ended with status %d; see %s", status, ncu.log);
    if (!status && !file_read(ncu.log, (size_t)64 << 20, &csv, NULL, e))
        launches = crosscheck_parse(csv, names, 1, &values, e);
    if (launches >= 0 && launches < LAUNCHES)
        err_set(e, ERR_ENV, "ncu saw %d launches of %d; see %s", launches, LAUNCHES, ncu.log);
    for (int i = 0; i < LAUNCHES && launches >= LAUNCHES; i++)
        sectors[i] = values[launches - LAUNCHES + i];
    ncu_close(&ncu, launches < LAUNCHES);
    free(values);
    free(csv);
    return launches < LAUNCHES ? -1 : 0;
}

int probe_join_behind(struct prober *p, double *v, struct err *e)
{
    double between[LAUNCHES], joined[LAUNCHES], hold[SETTINGS], loads[SETTINGS];
    int n = 0;
    *v = NAN;
    if (p->simulated || !p->ncu) /* a simulated warp's clock is its instructions */
        return 0;
    if (gaps(p, between, e) || count(p, joined, e))
        return -1;
    for (int i = 0; i < LAUNCHES; i++) /* as many sectors again leave apart */
        joined[i] = 2 - joined[i] / ((double)LINES * ROUNDS * p->sms);
    for (int i = 0; i < SETTINGS; i++)
        hold[i] = probe_hold(between + i * TIMES, joined + i * TIMES, TIMES);
    for (int i = 1; i < SETTINGS; i++)
        if (joined[i * TIMES] > 0.5 && hold[i] > hold[0])
            loads[n++] = hold[i] / settings[i].passes;
    *v = probe_median(loads, n);
    return 0;
}
