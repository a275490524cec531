/* profile.h - private to common/view: what the files on profiles share.
 *
 *     counters -- columns --------------> profile_text.c (terminal), page_*.c (page)
 *     two profiles -- pairs of lines ---> differences, reasons --> the same two
 */
#ifndef LOCKSTEP_VIEW_PROFILE_H
#define LOCKSTEP_VIEW_PROFILE_H

#include "view/view.h"

#include <math.h>

/* The value of a counter, or 0 if it was not counted (NAN). Use it where a sum must stay finite. */
static inline double counted(const struct metrics *m, enum metric id)
{
    return isnan(m->v[id]) ? 0 : m->v[id];
}

/* A line's demand on one part of the time, in the part's own units; 0 for a profile without the
 * line's counters (NULL), and for parts that belong to no line (profile_advice.c). */
double profile_asks(const struct profile *p, const struct metrics *m, enum model_part part);

/* ---- the columns beside a line (profile_columns.c) ---- */

/* A number that was not counted is NAN, and its cell stays empty. */
enum column {
    COLUMN_INST,
    COLUMN_LANES,
    COLUMN_REQUESTS,
    COLUMN_SECTORS,
    COLUMN_WANTED,
    COLUMN_MOVED,
    COLUMN_SHARED,
    COLUMN_WAVEFRONTS,
    COLUMN_CONFLICTS,
    COLUMN_BULK,
    COLUMNS
};
void profile_columns(const struct profile *p, const struct metrics *m, double v[COLUMNS]);
/* A line's share of what the whole launch has in a column, 0 to 1; 0 where a share means nothing,
 * or where the launch has one line or none. */
double profile_heat(const struct profile *p, const struct metrics *m, enum column c);
/* Does a line of the launch have a number in this column? The others are left out. */
int profile_has(const struct profile *p, enum column c);
enum { HEAT_HALF = 50, HEAT_FIFTH = 20 }; /* percent: marked * and + */
char profile_mark(double heat);           /* '*', '+' or ' ' */

/* Is a line shown: one that was executed, or close to one? */
int profile_near(const struct profile *p, int line);
/* has it an access that can be drawn? */
int profile_pictured(const struct profile *p, int line);
/* Append why the launch's time means nothing: no result, or a wrong one. Nothing if neither is
 * known. */
void profile_doubts(const struct profile *p, struct buf *out);

/* ---- where the time goes (profile_time.c) ---- */

struct profile_time {
    const char *name, *note;
    double ms, percent; /* of the modelled time */
    int limit;          /* the launch's bottleneck */
    int unit;           /* a unit of the GPU: percent is of its peak */
};
enum {
    TIME_START,
    TIME_LONGEST,
    TIME_DELAYS,
    TIME_PARTS,
    PROFILE_TIMES = TIME_PARTS + MODEL_PARTS
};
/* The three that add up to the modelled time, then the parts that take any of it. Returns how
 * many. */
int profile_times(const struct profile *p, struct profile_time out[PROFILE_TIMES]);
/* The share by which the busiest multiprocessor has more blocks than the mean; less than LEAST_TAIL
 * is not reported. */
double profile_tail(const struct profile *p);
#define LEAST_TAIL 0.02

#define PARTS_OVERLAP \
    "Each part alone, and how much of its peak is used. They work at the same time, so their bars do not " \
    "add up to the time."

/* Bytes over one boundary of the memory. wanted_*: what the lanes asked for, where that is less
 * than what moves; else NAN. */
struct profile_flow {
    const char *from, *to;
    double loaded, stored, wanted_loaded, wanted_stored, percent; /* of the boundary's peak */
};
enum { PROFILE_FLOWS = 4 };
int profile_flows(const struct profile *p, struct profile_flow out[PROFILE_FLOWS]);
/* Append notes that are needed to read them, as sentences; maybe none. */
void profile_flow_notes(const struct profile *p, struct buf *out);
/* Append "FILE: kernel NAME<<<grid, block>>>" (profile_text.c). */
void profile_launch(const struct profile *p, struct buf *out);
/* Append the memory chart for the terminal, the parts of the time, and the counters of the launch
 * (profile_summary.c). */
void profile_summary(const struct screen *s, const struct profile *p, struct buf *out);

/* ---- PTX beside the source (profile_ptx.c) ---- */

/* Append the instructions of a line, each with a newline after it. Nothing if the line has none. */
void profile_ptx(const struct profile *p, int line, struct buf *out);

/* ---- two profiles, line by line (profile_pairs.c) ---- */

/* A line of two sources; 0: the other source has no such line. */
struct line_pair {
    int before, now;
    int same; /* the same text, but for white space and comments */
};
/* The lines of both kernels in one order, following the order of now. Only lines around executed
 * ones. Returns how many; the caller frees *out. */
int profile_pairs(const struct profile *before, const struct profile *now, struct line_pair **out);

/* ---- what changed (profile_change.c) ---- */

/* Append how a pair's counters changed: "bank conflicts 4063k -> 0, ...". Nothing if none of them
 * changed by as much as 1% of the launch's. part: only counters that affect it; PART_NONE: all.
 * most: how many at most. */
void profile_line_change(const struct profile *now, const struct line_pair *pair,
    enum model_part part, int most, struct buf *out);
enum { LINE_CHANGES = 6 }; /* most, in a report */
/* Append why the time changed: a line for each reason, the first one with both times. */
void profile_why(
    const struct profile *now, const struct line_pair *pairs, int count, struct buf *out);
/* Append both for the terminal (profile_change_text.c). */
void profile_change_text(const struct screen *s, const struct profile *now, struct buf *out);

#endif
