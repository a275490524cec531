/* profile_text.c - a profile for the terminal:
 *
 *     the launch       kernel<<<grid, block, shared memory>>>, arguments, device
 *     the source       the executed lines and their neighbours, with each line's counters in columns
 *     the summary      efficiencies, occupancy, instruction mix, modelled time by part
 *     what costs most  the advice of profile_advice.c
 */
#include "exercise/exercise.h"
#include "judge/judge.h"
#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers ---- */

/* At most four significant digits and a suffix, so that a number fits a column of 8. text holds
 * 16 bytes. */
const char *profile_number(double v, char text[16])
{
    static const char suffixes[] = " kMGTP";
    int s = 0;
    if (!isfinite(v)) {
        snprintf(text, 16, "-");
        return text;
    }
    for (; v >= 9999.5 && suffixes[s + 1]; s++) v /= 1000;
    int whole = fabs(v - rint(v)) < 1e-9 && !s;
    snprintf(text, 16, "%.*f%c", whole || v >= 999.5 ? 0 : v >= 9.995 ? 1 : 2, v, suffixes[s]);
    if (!s) text[strlen(text) - 1] = 0;
    return text;
}

/* The counters of one line. The search is linear, since a kernel has few lines. */
const struct metrics *profile_line(const struct profile *p, int line)
{
    for (size_t i = 0; i < p->m.line_count; i++)
        if (p->m.lines[i].line == line) return &p->m.lines[i].metrics;
    return NULL;
}

unsigned long long profile_blocks(const struct profile *p)
{
    return (unsigned long long)p->grid[0] * p->grid[1] * p->grid[2];
}

/* The number of blocks that are resident at once: multiprocessors x blocks on each. */
unsigned long long profile_room(const struct profile *p)
{
    return (unsigned long long)p->gpu->sms * (unsigned long long)p->m.occupancy.blocks;
}

/* The sum of what was counted: NAN only if neither was. */
static double plus(double a, double b) { return isnan(a) ? b : isnan(b) ? a : a + b; }

/* Most counters come in pairs, one for loads and one for stores. */
static double sum(const struct metrics *m, enum metric a, enum metric b) { return plus(m->v[a], m->v[b]); }

/* ---- the source ---- */

/* The columns beside a source line. A column that is NAN is printed as blanks. */
struct columns {
    double share, lanes, requests, sectors, wanted, moved, shared, wavefronts, conflicts;
};

/* A quotient whose divisor was not counted is NAN. Atomics count as requests, sectors and shared
 * instructions. */
static struct columns columns_of(const struct profile *p, const struct metrics *m)
{
    double requests = plus(sum(m, METRIC_GLD_REQUESTS, METRIC_GST_REQUESTS), m->v[METRIC_GATOM_REQUESTS]);
    double shared = sum(m, METRIC_SLD_INST, METRIC_SST_INST);
    return (struct columns){
        .share = 100 * m->v[METRIC_INST] / p->m.metrics.v[METRIC_INST],
        .lanes = m->v[METRIC_WARP_EFFICIENCY],
        .requests = requests,
        .sectors =
            plus(sum(m, METRIC_GLD_SECTORS, METRIC_GST_SECTORS), m->v[METRIC_GATOM_SECTORS]) / requests,
        .wanted = sum(m, METRIC_GLD_BYTES, METRIC_GST_BYTES),
        .moved = sum(m, METRIC_GLD_MOVED, METRIC_GST_MOVED),
        .shared = plus(shared, m->v[METRIC_SATOM_INST]),
        .wavefronts = sum(m, METRIC_SLD_WAVEFRONTS, METRIC_SST_WAVEFRONTS) / shared,
        .conflicts = sum(m, METRIC_SLD_CONFLICTS, METRIC_SST_CONFLICTS),
    };
}

static void column(struct buf *out, int width, double v)
{
    char text[16];
    buf_printf(out, " %*s", width, isnan(v) ? "" : profile_number(v, text));
}

/* One source line. The widths of the columns are those of the header that annotated() prints. */
static void source_row(struct buf *out, const struct profile *p, int line, const char *text, int length)
{
    const struct metrics *m = profile_line(p, line);
    if (m) {
        struct columns c = columns_of(p, m);
        buf_printf(out, " %5.1f%%", c.share);
        column(out, 5, c.lanes);
        column(out, 8, c.requests);
        column(out, 6, c.sectors);
        column(out, 8, c.wanted);
        column(out, 8, c.moved);
        column(out, 8, c.shared);
        column(out, 10, c.wavefronts);
        column(out, 8, c.conflicts);
    } else {
        /* 76 is the width of all columns together. */
        buf_printf(out, "%76s", "");
    }
    buf_printf(out, " |%4d  %.*s\n", line, length, text);
}

enum { AROUND = 2, GAP = 6 };

/* Whether a line is printed: executed lines, AROUND lines before and after them, and up to GAP
 * lines before an executed line that is not the profile's first. So short gaps are closed and
 * long ones become "...". */
static int is_near(const struct profile *p, int line)
{
    for (size_t i = 0; i < p->m.line_count; i++)
        if (abs(p->m.lines[i].line - line) <= (i && p->m.lines[i].line > line ? GAP : AROUND)) return 1;
    return 0;
}

/* The source with its counters. Lines that are left out appear as one "...". */
static void annotated(struct buf *out, const struct profile *p)
{
    const char *unit = p->gpu->cc_major >= 5 ? "sec" : "trans";
    buf_printf(
        out, "%13s  %-32s  %-27s\n", "", "------- global memory ---------", "------ shared memory ------");
    buf_printf(out, " %6s %5s %8s %6s %8s %8s %8s %10s %8s\n", "inst", "lanes", "requests", unit, "wanted",
        "moved", "inst", "wavefronts", "conflict");
    buf_printf(
        out, " %6s %5s %8s %6s %8s %8s %8s %10s\n", "", "of 32", "", "/req", "bytes", "bytes", "", "/inst");
    int line = 1, skipped = 0;
    for (const char *at = p->source; at && *at; line++) {
        int length = (int)strcspn(at, "\r\n");
        if (is_near(p, line)) {
            if (skipped) buf_printf(out, "%76s |      ...\n", "");
            skipped = 0;
            source_row(out, p, line, at, length);
        } else {
            skipped = 1;
        }
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
}

/* ---- the summary ---- */

/* A row of the summary, with the metric's nvprof name or, if it has none, ncu's. No row if it
 * was not counted. */
static void metric_row(
    struct buf *out, const char *label, const struct profile *p, enum metric m, const char *unit)
{
    char text[16];
    const char *name = strcmp(model_metrics[m].nvprof, "-") ? model_metrics[m].nvprof : model_metrics[m].ncu;
    if (!isnan(p->m.metrics.v[m]))
        buf_printf(out, "  %-28s %9s %-14s %s\n", label, profile_number(p->m.metrics.v[m], text), unit, name);
}

/* The rows of the summary: first the use of memory, then of lanes, then the traffic below L1. */
static void efficiencies(struct buf *out, const struct profile *p)
{
    const char *unit = p->gpu->cc_major >= 5 ? "sectors" : "transactions";
    metric_row(out, "global load efficiency", p, METRIC_GLD_EFFICIENCY, "%");
    metric_row(out, "  a load touches", p, METRIC_GLD_SECTORS_PER_REQUEST, unit);
    metric_row(out, "global store efficiency", p, METRIC_GST_EFFICIENCY, "%");
    metric_row(out, "  a store touches", p, METRIC_GST_SECTORS_PER_REQUEST, unit);
    metric_row(out, "shared memory efficiency", p, METRIC_SHARED_EFFICIENCY, "%");
    metric_row(out, "  a load takes", p, METRIC_SLD_PER_REQUEST, "wavefronts");
    metric_row(out, "  a store takes", p, METRIC_SST_PER_REQUEST, "wavefronts");
    metric_row(out, "branch efficiency", p, METRIC_BRANCH_EFFICIENCY, "%");
    metric_row(out, "warp execution efficiency", p, METRIC_WARP_EFFICIENCY, "of 32 threads");
    metric_row(out, "L2 sectors read", p, METRIC_L2_READ_SECTORS, "sectors");
    metric_row(out, "DRAM read", p, METRIC_DRAM_READ_BYTES, "bytes");
    metric_row(out, "DRAM written", p, METRIC_DRAM_WRITE_BYTES, "bytes");
    metric_row(out, "busiest DRAM partition", p, METRIC_DRAM_PARTITION_RATIO, "x the mean");
}

/* Shares of thread instructions, not of warp instructions: an inactive lane does no work. */
static void mix(struct buf *out, const struct profile *p)
{
    static const struct {
        enum metric metric;
        const char *name;
    } rows[] = {{METRIC_MIX_FP32, "float"}, {METRIC_MIX_FP64, "double"}, {METRIC_MIX_FP16, "half"},
        {METRIC_MIX_INTEGER, "integer"}, {METRIC_MIX_SPECIAL, "special"}, {METRIC_MIX_MEMORY, "memory"},
        {METRIC_MIX_CONTROL, "control"}, {METRIC_MIX_MISC, "moves"}};
    const double *v = p->m.metrics.v;
    char text[16];
    buf_printf(out, "  instructions                 %9s warp instructions; thread instructions:",
        profile_number(v[METRIC_INST], text));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (v[rows[i].metric] > 0)
            buf_printf(out, " %s %.1f%%", rows[i].name, 100 * v[rows[i].metric] / v[METRIC_THREAD_INST]);
    buf_printf(out, "; multiply-adds %.1f%%\n", isnan(v[METRIC_FFMA_SHARE]) ? 0 : v[METRIC_FFMA_SHARE]);
    metric_row(out, "arithmetic intensity", p, METRIC_INTENSITY, "flop/byte");
}

/* A bar of 30 characters for the longest part; the others are in proportion. Parts that round to
 * 0 are left out. */
static void times(struct buf *out, const struct profile *p)
{
    double most = 0;
    for (int i = PART_NONE + 1; i < MODEL_PARTS; i++) most = fmax(most, p->m.part_ms[i]);
    buf_printf(out, "\nmodelled time ");
    buf_rounded(out, p->m.ms);
    buf_printf(out, " ms on %s; its parts overlap:\n", p->gpu->title);
    for (int i = PART_NONE + 1; i < MODEL_PARTS; i++) {
        int bar = most > 0 ? (int)rint(30 * p->m.part_ms[i] / most) : 0;
        if (!bar) continue;
        buf_printf(out, "  %-26s %-30.*s ", part_name(i), bar, "##############################");
        buf_rounded(out, p->m.part_ms[i]);
        buf_printf(out, " ms%s\n", (int)p->m.bottleneck == i ? "  <- bottleneck" : "");
    }
    struct buf why = {0};
    profile_bottleneck(p, &why);
    report_wrapped(out, 0, why.data ? why.data : "");
    buf_free(&why);
}

/* If the grid has fewer blocks than the GPU can hold, the occupancy it reaches is printed as
 * well. */
static void summary(struct buf *out, const struct profile *p)
{
    const struct model_occupancy *o = &p->m.occupancy;
    buf_printf(out, "\n");
    efficiencies(out, p);
    buf_printf(out, "  %-28s %8.0f%% %d blocks of %u threads a multiprocessor, limited by %s\n", "occupancy",
        100 * o->share, o->blocks, p->block[0] * p->block[1] * p->block[2], model_limiter_names[o->limiter]);
    if (profile_blocks(p) < profile_room(p))
        buf_printf(out, "  %-28s %8.3g%% %llu blocks; the %d multiprocessors hold %llu at once\n",
            "  reached by this grid", p->m.metrics.v[METRIC_OCCUPANCY], profile_blocks(p), p->gpu->sms,
            profile_room(p));
    mix(out, p);
    times(out, p);
}

/* The lines that cost most, the worst first, with what to try. */
static void advice(struct buf *out, const struct profile *p)
{
    struct advice a[ADVICES];
    int count = profile_advise(p, a);
    if (count) buf_printf(out, "\nwhat costs most:\n");
    for (int i = 0; i < count; i++) {
        char *text = source_line(p->source, a[i].line);
        buf_printf(out, "  %s:%d (%.0f%%): %s\n", p->file, a[i].line, 100 * a[i].share, text);
        report_wrapped(out, 6, a[i].text);
        free(text);
    }
}

/* The <<<...>>> part is written as in CUDA; without dynamic shared memory it has two members. */
void profile_text(const struct profile *p, struct buf *out)
{
    buf_printf(out, "%s: kernel %s<<<(%u,%u,%u), (%u,%u,%u)", p->file, p->kernel, p->grid[0], p->grid[1],
        p->grid[2], p->block[0], p->block[1], p->block[2]);
    if (p->shared) buf_printf(out, ", %zu", p->shared);
    buf_printf(out, ">>> %s\non %s, by %s\n\n", p->what, p->device, p->front);
    annotated(out, p);
    summary(out, p);
    advice(out, p);
    if (p->m.printed) buf_printf(out, "\nprinted by the kernel:\n%s", p->m.printed);
}
