/* profile_summary.c - the whole launch, for the terminal: the memory with the bytes moved between
 * its levels, the time, efficiencies.
 *
 *     lanes  <== 16.8M ==  L1  <== 16.8M ==  L2  <== 16.8M ==  DRAM
 *            == 16.8M ==>      == 16.8M ==>      == 12.3M ==>
 *             87% of peak       26% of peak       38% of peak
 *
 *     time 0.0209 ms = start 0.0027 + longest part 0.0181 + delays 0.0001
 *     L1 and shared memory  ##############################  0.0181 ms  87%  <- limits */
#include "view/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

enum { LINK = 16 };

/* Append an arrow of LINK characters that contains a number of bytes. Loads point to the left. */
static void arrow(struct buf *out, double bytes, int loads)
{
    char text[16], whole[32];
    profile_number(bytes, text);
    snprintf(whole, sizeof whole, loads ? "<== %s ==" : "== %s ==>", text);
    int room = LINK - (int)strlen(whole);
    buf_printf(out, "%*s%s%*s", room / 2, "", whole, room - room / 2, "");
}

/* Append the levels of the memory in a row, with arrows between them. f: the bytes that flow from
 * level to level. */
static void path(struct buf *out, const struct profile_flow *f, int count)
{
    for (int row = 0; row < 3; row++) {
        struct buf line = {0};
        buf_printf(&line, "  %-6s", row ? "" : f[0].from);
        for (int i = 0; i < count; i++) {
            char busy[32];
            if (row < 2) arrow(&line, row ? f[i].stored : f[i].loaded, !row);
            snprintf(busy, sizeof busy, "%.0f%% of peak", f[i].percent);
            if (row == 2)
                buf_printf(&line, "%*s%*s", (LINK + (int)strlen(busy)) / 2, busy,
                    LINK - (LINK + (int)strlen(busy)) / 2, "");
            if (i + 1 < count || !row)
                buf_printf(&line, "%-*s", (int)strlen(f[i].to), row ? "" : f[i].to);
        }
        while (line.len && line.data[line.len - 1] == ' ') line.data[--line.len] = 0;
        buf_printf(out, "%s\n", line.data);
        buf_free(&line);
    }
}

static void chart(struct buf *out, const struct screen *s, const struct profile *p)
{
    struct profile_flow f[PROFILE_FLOWS];
    int count = profile_flows(p, f), shared = !strcmp(f[0].to, "shared memory");
    const struct profile_flow *l1 = &f[shared];
    char wanted[16], stored[16];
    buf_printf(out, "\nmemory, in bytes: loaded to the left, stored to the right\n");
    if (shared) path(out, f, 1);
    path(out, l1, count - shared);
    if (l1->wanted_loaded + l1->wanted_stored < 0.995 * (l1->loaded + l1->stored))
        buf_printf(out,
            "  of the bytes between lanes and L1, lanes wanted %s loaded and %s stored\n",
            profile_number(l1->wanted_loaded, wanted), profile_number(l1->wanted_stored, stored));
    struct buf notes = {0};
    profile_flow_notes(p, &notes);
    if (notes.len) {
        buf_printf(out, "  ");
        screen_wrapped(s, out, 2, 2, notes.data);
    }
    buf_free(&notes);
}

/* ---- time ---- */

/* Append the three terms whose sum is the modelled time, then a bar for each part of the GPU. Parts
 * overlap, so their bars do not add up to the time. */
static void times(struct buf *out, const struct screen *s, const struct profile *p)
{
    struct profile_time t[PROFILE_TIMES];
    int count = profile_times(p, t);
    buf_printf(out, "\nmodelled time ");
    buf_rounded(out, p->m.ms);
    buf_printf(out, " ms on %s\n", p->gpu->title);
    for (int i = 0; i < TIME_PARTS; i++) {
        buf_printf(out, "  %c %-12s ", i ? '+' : '=', t[i].name);
        struct buf ms = {0};
        buf_rounded(&ms, t[i].ms);
        buf_printf(out, "%-7s %3.0f%%  ", ms.data, t[i].percent);
        screen_wrapped(s, out, 32, 32, t[i].note);
        buf_free(&ms);
    }
    screen_wrapped(s, out, 0, 0, PARTS_OVERLAP);
    for (int i = TIME_PARTS; i < count; i++) {
        int bar = t[TIME_LONGEST].ms > 0 ? (int)rint(24 * t[i].ms / t[TIME_LONGEST].ms) : 0;
        if (!bar) continue;
        buf_printf(out, "  %-26s %-24.*s ", t[i].name, bar, "##############################");
        buf_rounded(out, t[i].ms);
        buf_printf(out, " ms");
        if (t[i].unit) buf_printf(out, " %3.0f%%", t[i].percent);
        buf_printf(out, "%s\n", t[i].limit ? " <- limits" : "");
    }
    if (profile_tail(p) >= LEAST_TAIL)
        buf_printf(out,
            "the last blocks: the busiest multiprocessor has %.0f%% more of them than the mean\n",
            100 * profile_tail(p));
    struct buf why = {0};
    profile_bottleneck(p, &why);
    if (why.len) {
        why.data[why.len - 1] = 0;
        screen_wrapped(s, out, 0, 0, why.data);
    }
    buf_free(&why);
}

/* ---- counters ---- */

/* AFTER_NUMBER: the column at which the unit of a row begins, after its number. */
enum { AFTER_NUMBER = 38 };

/* The rows of the summary: first memory, then lanes, then traffic below L1. */
static const struct {
    const char *label;
    enum metric metric;
    const char *unit;
    int rare; /* 1: the metric is not mentioned if it is 0 */
} rows[] = {
    {"global load efficiency", METRIC_GLD_EFFICIENCY, "%"},
    {"  a load touches", METRIC_GLD_SECTORS_PER_REQUEST, "sectors"},
    {"global store efficiency", METRIC_GST_EFFICIENCY, "%"},
    {"  a store touches", METRIC_GST_SECTORS_PER_REQUEST, "sectors"},
    {"requests of textures", METRIC_TEX_REQUESTS, "requests", 1},
    {"  they touch", METRIC_TEX_SECTORS, "sectors", 1},
    {"shared memory efficiency", METRIC_SHARED_EFFICIENCY, "%"},
    {"  a load takes", METRIC_SLD_PER_REQUEST, "wavefronts"},
    {"  a store takes", METRIC_SST_PER_REQUEST, "wavefronts"},
    {"branch efficiency", METRIC_BRANCH_EFFICIENCY, "%"},
    {"warp execution efficiency", METRIC_WARP_EFFICIENCY, "of 32 threads"},
    {"busiest DRAM partition", METRIC_DRAM_PARTITION_RATIO, "x the mean"},
    {"arithmetic intensity", METRIC_INTENSITY, "flop/byte"},
};

/* Append a row for each metric, with its name by nvprof (if it has none, by ncu) if there is room.
 * A metric that was not counted has no row; metrics that are 0 are listed in one line. */
static void metric_rows(struct buf *out, const struct screen *s, const struct profile *p)
{
    struct buf zeros = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct metric_info *info = &model_metrics[rows[i].metric];
        const char *name = strcmp(info->nvprof, "-") ? info->nvprof : info->ncu,
                   *unit = rows[i].unit;
        double v = p->m.metrics.v[rows[i].metric];
        char text[16];
        if (isnan(v) || (v == 0 && rows[i].rare)) continue;
        if (v == 0) {
            buf_printf(&zeros, "%s%s",
                zeros.len ? ", " : "0: ", rows[i].label + strspn(rows[i].label, " "));
            continue;
        }
        if (!strcmp(unit, "sectors") && !model_has(p->gpu, FEATURE_SECTORS)) unit = "transactions";
        buf_printf(out, "  %-26s %8s ", rows[i].label, profile_number(v, text));
        if (AFTER_NUMBER + 15 + (int)strlen(name) <= s->width)
            buf_printf(out, "%-14s %s\n", unit, name);
        else
            buf_printf(out, "%s\n", unit);
    }
    if (zeros.len) {
        buf_printf(out, "  ");
        screen_wrapped(s, out, 4, 2, zeros.data);
    }
    buf_free(&zeros);
}

/* Append the shares of kinds of instructions. Instructions are counted per thread, since an
 * inactive lane does no work. */
static void mix(struct buf *out, const struct screen *s, const struct profile *p)
{
    static const struct {
        enum metric metric;
        const char *name;
    } kinds[] = {{METRIC_MIX_FP32, "float"}, {METRIC_MIX_FP64, "double"}, {METRIC_MIX_FP16, "half"},
        {METRIC_MIX_INTEGER, "integer"}, {METRIC_MIX_SPECIAL, "special"},
        {METRIC_MIX_MEMORY, "memory"}, {METRIC_MIX_CONTROL, "control"}, {METRIC_MIX_MISC, "moves"}};
    const double *v = p->m.metrics.v;
    char text[16];
    struct buf words = {0};
    buf_printf(out, "  %-26s %8s ", "instructions", profile_number(v[METRIC_INST], text));
    buf_printf(&words, "of warps; of threads:");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (v[kinds[i].metric] > 0)
            buf_printf(&words, " %s %.1f%%", kinds[i].name,
                100 * v[kinds[i].metric] / v[METRIC_THREAD_INST]);
    if (v[METRIC_FFMA_SHARE] > 0)
        buf_printf(&words, "; multiply-adds %.1f%%", v[METRIC_FFMA_SHARE]);
    screen_wrapped(s, out, AFTER_NUMBER, AFTER_NUMBER, words.data);
    buf_free(&words);
}

/* Append the occupancy that the grid reaches, not the one that a block's resources allow. */
static void occupancy(struct buf *out, const struct screen *s, const struct profile *p)
{
    struct buf words = {0};
    buf_printf(&words, "warps: ");
    warps_text(&words, p->gpu, &p->m.occupancy, profile_blocks(p));
    buf_printf(out, "  %-26s %7.3g%% ", "occupancy", p->m.metrics.v[METRIC_OCCUPANCY]);
    screen_wrapped(s, out, AFTER_NUMBER, AFTER_NUMBER, words.data);
    buf_free(&words);
}

void profile_summary(const struct screen *s, const struct profile *p, struct buf *out)
{
    chart(out, s, p);
    times(out, s, p);
    buf_printf(out, "\n");
    metric_rows(out, s, p);
    occupancy(out, s, p);
    mix(out, s, p);
}
