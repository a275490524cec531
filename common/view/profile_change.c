/* profile_change.c - how two profiles differ, and why their modelled times do.
 *
 *     time = start + the longest part + delays         each of the three, before -> now
 *              part: how much it was used              "shared wavefronts 4.33M -> 262k"
 *                    the line that used it most        "most of it in line 21: bank conflicts 4063k -> 0" */
#include "judge/judge.h"
#include "view/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- counters ---- */

#define BIT(part) (1u << PART_##part)
#define GLOBAL (BIT(L1) | BIT(L2) | BIT(DRAM))

/* A quantity that is reported if it changed: the sum of one to three counters; parts: one bit for
 * each part of the time that the quantity affects. */
struct number {
    const char *name;
    enum metric metric[3];
    int metrics;
    unsigned parts;
};
static const struct number numbers[] = {
    {"bank conflicts", {METRIC_SLD_CONFLICTS, METRIC_SST_CONFLICTS}, 2, BIT(L1)},
    {"bytes by the copy engine", {METRIC_BULK_LD_BYTES, METRIC_BULK_ST_BYTES}, 2, BIT(DRAM)},
    {"shared wavefronts", {METRIC_SLD_WAVEFRONTS, METRIC_SST_WAVEFRONTS}, 2, BIT(L1)},
    {"sectors", {METRIC_GLD_SECTORS, METRIC_GST_SECTORS, METRIC_GATOM_SECTORS}, 3,
        GLOBAL | BIT(ATOMICS)},
    {"requests", {METRIC_GLD_REQUESTS, METRIC_GST_REQUESTS, METRIC_GATOM_REQUESTS}, 3,
        BIT(L1) | BIT(LATENCY) | BIT(ATOMICS)},
    {"bytes moved", {METRIC_GLD_MOVED, METRIC_GST_MOVED}, 2, 0},
    {"bytes wanted", {METRIC_GLD_BYTES, METRIC_GST_BYTES}, 2, 0},
    {"shared accesses", {METRIC_SLD_INST, METRIC_SST_INST, METRIC_SATOM_INST}, 3, BIT(LATENCY)},
    {"local accesses", {METRIC_LOCAL_LD, METRIC_LOCAL_ST}, 2, BIT(L1)},
    {"instructions", {METRIC_INST}, 1, BIT(ISSUE) | BIT(LATENCY)},
    {"instructions on floats", {METRIC_MIX_FP32}, 1, BIT(FLOAT)},
    {"instructions on halves", {METRIC_MIX_FP16}, 1, BIT(FLOAT)},
    {"instructions on integers", {METRIC_MIX_INTEGER}, 1, BIT(INTEGER)},
    {"instructions on doubles", {METRIC_MIX_FP64}, 1, BIT(DOUBLE)},
    {"special functions", {METRIC_MIX_SPECIAL}, 1, BIT(SPECIAL)},
};
/* Quantities below BESIDE are also shown beside a source line; the others would add nothing
 * there. */
enum { BESIDE = 10, NUMBERS = sizeof numbers / sizeof *numbers };

/* Quantities that are only counted for a whole launch. */
static const struct number totals[] = {
    {"sectors read from L2", {METRIC_L2_READ_SECTORS}, 1, BIT(L2)},
    {"sectors written to L2", {METRIC_L2_WRITE_SECTORS}, 1, BIT(L2)},
    {"bytes read from DRAM", {METRIC_DRAM_READ_BYTES}, 1, BIT(DRAM)},
    {"bytes written to DRAM", {METRIC_DRAM_WRITE_BYTES}, 1, BIT(DRAM)},
};
enum { TOTALS = sizeof totals / sizeof *totals };

static double value(const struct number *n, const struct metrics *m)
{
    double sum = 0;
    for (int i = 0; m && i < n->metrics; i++) sum += counted(m, n->metric[i]);
    return sum;
}

/* Append "NAME before -> now", with ", " before it unless it is the first. *count: how many were
 * appended so far. */
static void arrow(struct buf *out, int *count, const char *name, double before, double now)
{
    char a[16], b[16];
    const char *left = profile_number(before, a), *right = profile_number(now, b);
    buf_printf(out, "%s%s %s -> %s", (*count)++ ? ", " : "", name, left, right);
}

/* Is a change too small to be reported: below 1% of the whole launch's value? */
static int alike(double before, double now, double whole)
{
    return fabs(now - before) <= 0.01 * whole;
}

void profile_line_change(const struct profile *now, const struct line_pair *pair,
    enum model_part part, int most, struct buf *out)
{
    const struct profile *before = now->before;
    const struct metrics *a = pair->before ? profile_line(before, pair->before) : NULL;
    const struct metrics *b = pair->now ? profile_line(now, pair->now) : NULL;
    int count = 0;
    for (int i = 0; i < NUMBERS && count < most; i++) {
        const struct number *n = &numbers[i];
        double whole = fmax(value(n, &before->m.metrics), value(n, &now->m.metrics));
        if (part == PART_NONE ? i >= BESIDE : !(n->parts >> part & 1)) continue;
        if (!alike(value(n, a), value(n, b), whole))
            arrow(out, &count, n->name, value(n, a), value(n, b));
    }
}

/* ---- why the time changed ---- */

/* Append the times of both profiles: "0.0209 -> 0.012 ms (-43%)". */
static void times(struct buf *out, double before, double now)
{
    buf_rounded(out, before);
    buf_printf(out, " -> ");
    buf_rounded(out, now);
    buf_printf(out, " ms");
    if (fabs(now - before) <= 0.005 * before) return;
    if (before > 0 && now < 10 * before)
        buf_printf(out, " (%+.0f%%)", 100 * (now / before - 1));
    else if (before > 0)
        buf_printf(out, " (%.3g times)", now / before);
}

/* Append the line that causes most of a part's change, if one line causes at least half of it. */
static void most_in(const struct profile *now, const struct line_pair *pairs, int count,
    enum model_part part, struct buf *out)
{
    const struct profile *before = now->before;
    double sum = 0, most = 0;
    const struct line_pair *where = NULL;
    for (int i = 0; i < count; i++) {
        const struct metrics *a = pairs[i].before ? profile_line(before, pairs[i].before) : NULL;
        const struct metrics *b = pairs[i].now ? profile_line(now, pairs[i].now) : NULL;
        double by = profile_asks(now, b, part) - profile_asks(before, a, part);
        sum += by;
        if (fabs(by) > fabs(most)) most = by, where = &pairs[i];
    }
    if (!where || most * sum <= 0 || fabs(most) < 0.5 * fabs(sum)) return;
    struct buf what = {0};
    profile_line_change(now, where, part, 2, &what);
    if (where->now)
        buf_printf(out, "; most of it in line %d", where->now);
    else
        buf_printf(out, "; most of it in what was line %d", where->before);
    if (what.len) buf_printf(out, ": %s", what.data);
    buf_free(&what);
}

/* Append how one part of the time changed: both times, how much the part was used, and the line
 * that causes most of that. Nothing is appended unless the part is or was the bottleneck, or has
 * changed and is or was a third of the time. */
static void part_reason(const struct profile *now, const struct line_pair *pairs, int count,
    enum model_part part, struct buf *out)
{
    const struct profile *before = now->before;
    double a = before->m.part_ms[part], b = now->m.part_ms[part];
    int limit = (before->m.bottleneck == part) + (now->m.bottleneck == part), named = 0;
    int same = fabs(b - a) <= 0.02 * fmax(before->m.ms, now->m.ms);
    int large = a >= 0.3 * before->m.ms || b >= 0.3 * now->m.ms;
    if (!limit && (!large || fabs(b - a) < 0.05 * fmax(before->m.ms, now->m.ms))) return;
    /* a bottleneck that stayed the same is reported by profile_why */
    if (same && limit == 2) return;
    buf_printf(out, "%s ", part_name(part));
    if (same) {
        buf_rounded(out, b);
        buf_printf(
            out, " ms, as before: the limit %s\n", now->m.bottleneck == part ? "now" : "then");
        return;
    }
    times(out, a, b);
    for (int i = 0; i < TOTALS + NUMBERS && named < 2; i++) {
        const struct number *n = i < TOTALS ? &totals[i] : &numbers[i - TOTALS];
        double from = value(n, &before->m.metrics), to = value(n, &now->m.metrics);
        if (!(n->parts >> part & 1) || alike(from, to, fmax(from, to))) continue;
        buf_printf(out, "%s", named ? "" : ": ");
        arrow(out, &named, n->name, from, to);
    }
    most_in(now, pairs, count, part, out);
    buf_printf(out, "\n");
}

/* Append how the start changed, which overlaps with nothing, and how the delays changed, which are
 * caused by parts that wait for one another. */
static void rest_reasons(const struct profile *now, struct buf *out)
{
    struct profile_time a[PROFILE_TIMES], b[PROFILE_TIMES];
    double most = fmax(now->before->m.ms, now->m.ms);
    profile_times(now->before, a);
    profile_times(now, b);
    for (int i = 0; i < TIME_PARTS; i++) {
        if (i == TIME_LONGEST || fabs(b[i].ms - a[i].ms) < 0.03 * most) continue;
        buf_printf(out, "%s ", b[i].name);
        times(out, a[i].ms, b[i].ms);
        buf_printf(out, ": %s\n", b[i].note);
    }
}

static void occupancy_reason(const struct profile *now, struct buf *out)
{
    const struct profile *before = now->before;
    double a = model_resident(before->gpu, &before->m.occupancy, profile_blocks(before)).warps;
    double b = model_resident(now->gpu, &now->m.occupancy, profile_blocks(now)).warps;
    if (fabs(a - b) < 0.005) return;
    buf_printf(out, "warps of a multiprocessor: %.3g resident -> ", a);
    warps_text(out, now->gpu, &now->m.occupancy, profile_blocks(now));
    buf_printf(out, "\n");
}

static void doubts(const struct profile *p, const char *which, struct buf *out)
{
    struct buf why = {0};
    profile_doubts(p, &why);
    if (why.len) buf_printf(out, "%s: %s\n", which, why.data);
    buf_free(&why);
}

void profile_why(
    const struct profile *now, const struct line_pair *pairs, int count, struct buf *out)
{
    const struct profile *before = now->before;
    double ratio = before->m.ms / now->m.ms;
    buf_printf(out, "modelled time ");
    times(out, before->m.ms, now->m.ms);
    if (ratio > 1.005 || ratio < 0.995)
        buf_printf(out, ": %.3g times as %s\n", ratio > 1 ? ratio : 1 / ratio,
            ratio > 1 ? "fast" : "slow");
    else
        buf_printf(out, ": the same speed\n");
    if (strcmp(before->device, now->device))
        buf_printf(out, "the device is another one: %s -> %s\n", before->device, now->device);
    doubts(before, "before", out);
    doubts(now, "now", out);
    if (before->m.bottleneck != now->m.bottleneck)
        buf_printf(out, "limited by %s -> %s\n", part_name(before->m.bottleneck),
            part_name(now->m.bottleneck));
    else
        buf_printf(out, "limited by %s, as before\n", part_name(now->m.bottleneck));
    for (int k = PART_NONE + 1; k < MODEL_PARTS; k++)
        part_reason(now, pairs, count, (enum model_part)k, out);
    rest_reasons(now, out);
    occupancy_reason(now, out);
}
