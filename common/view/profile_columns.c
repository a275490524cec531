/* profile_columns.c - the numbers beside a source line, and the line's share of each column.
 *
 *     line ── counters ──> 16.7%  32  131.1k*  4 ...
 *                                     └ a mark: at least half (*) or a fifth (+) of the launch's total
 *
 * The terminal and the page show the same columns. */
#include "view/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number has at most four significant digits and a suffix, which fit a column of 8
 * characters. */
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

/* The search is linear, since a kernel has few lines. */
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

/* How many blocks all multiprocessors can hold at once: occupancy.blocks on each. */
unsigned long long profile_room(const struct profile *p)
{
    return (unsigned long long)p->gpu->sms * (unsigned long long)p->m.occupancy.blocks;
}

/* The sum of two counters, where NAN counts as 0; NAN if both are NAN. */
static double plus(double a, double b) { return isnan(a) ? b : isnan(b) ? a : a + b; }

/* The sum of a pair of counters, usually one for loads and one for stores. */
static double sum(const struct metrics *m, enum metric a, enum metric b)
{
    return plus(m->v[a], m->v[b]);
}

/* The value of a column for a line; if the column shows a quotient, the numerator. */
static double amount(const struct metrics *m, enum column c)
{
    const double *v = m->v;
    switch (c) {
    case COLUMN_INST: return v[METRIC_INST];
    case COLUMN_REQUESTS:
        return plus(sum(m, METRIC_GLD_REQUESTS, METRIC_GST_REQUESTS), v[METRIC_GATOM_REQUESTS]);
    case COLUMN_SECTORS:
        return plus(sum(m, METRIC_GLD_SECTORS, METRIC_GST_SECTORS), v[METRIC_GATOM_SECTORS]);
    case COLUMN_WANTED: return sum(m, METRIC_GLD_BYTES, METRIC_GST_BYTES);
    case COLUMN_MOVED: return sum(m, METRIC_GLD_MOVED, METRIC_GST_MOVED);
    case COLUMN_SHARED: return plus(sum(m, METRIC_SLD_INST, METRIC_SST_INST), v[METRIC_SATOM_INST]);
    case COLUMN_WAVEFRONTS: return sum(m, METRIC_SLD_WAVEFRONTS, METRIC_SST_WAVEFRONTS);
    case COLUMN_CONFLICTS: return sum(m, METRIC_SLD_CONFLICTS, METRIC_SST_CONFLICTS);
    case COLUMN_BULK: return sum(m, METRIC_BULK_LD_BYTES, METRIC_BULK_ST_BYTES);
    default: return NAN;
    }
}

/* If the divisor of a quotient was not counted, the value is NAN. Atomics count as requests,
 * sectors and shared instructions. */
void profile_columns(const struct profile *p, const struct metrics *m, double v[COLUMNS])
{
    for (int c = 0; c < COLUMNS; c++) v[c] = amount(m, (enum column)c);
    v[COLUMN_INST] = 100 * v[COLUMN_INST] / p->m.metrics.v[METRIC_INST];
    v[COLUMN_LANES] = m->v[METRIC_WARP_EFFICIENCY];
    v[COLUMN_SECTORS] /= v[COLUMN_REQUESTS];
    v[COLUMN_WAVEFRONTS] /= sum(m, METRIC_SLD_INST, METRIC_SST_INST);
}

double profile_heat(const struct profile *p, const struct metrics *m, enum column c)
{
    double all = amount(&p->m.metrics, c), here = amount(m, c);
    return p->m.line_count > 1 && all > 0 && here > 0 ? here / all : 0;
}

int profile_has(const struct profile *p, enum column c)
{
    double v[COLUMNS];
    for (size_t i = 0; i < p->m.line_count; i++) {
        profile_columns(p, &p->m.lines[i].metrics, v);
        if (isfinite(v[c])) return 1;
    }
    return 0;
}

enum { AROUND = 1, GAP = 3 };

/* Is a line shown? Yes for executed lines, AROUND lines before and after them, and up to GAP lines
 * before an executed line that is not the first. Thus short gaps are filled, and long ones are
 * shown as "...". */
int profile_near(const struct profile *p, int line)
{
    for (size_t i = 0; i < p->m.line_count; i++)
        if (abs(p->m.lines[i].line - line) <= (i && p->m.lines[i].line > line ? GAP : AROUND))
            return 1;
    return 0;
}

int profile_pictured(const struct profile *p, int line)
{
    for (size_t i = 0; i < p->m.access_count; i++)
        if (p->m.accesses[i].line == line) return 1;
    return 0;
}

void profile_doubts(const struct profile *p, struct buf *out)
{
    const struct metrics *m = &p->m.metrics;
    double stored = counted(m, METRIC_GST_REQUESTS) + counted(m, METRIC_BULK_ST_BYTES);
    if (stored + counted(m, METRIC_GATOM_REQUESTS) == 0)
        buf_printf(out,
            "The kernel stores nothing, so it has no result: is its body still to be written?");
    else if (p->wrong)
        buf_printf(out, "The result is wrong, so the time means nothing yet: %s", p->wrong);
}

char profile_mark(double heat)
{
    return 100 * heat >= HEAT_HALF ? '*' : 100 * heat >= HEAT_FIFTH ? '+' : ' ';
}
