/* profile.h - private to view/: declarations that the profile's files share.
 *
 *     counters -- columns --------------> profile_text.c (terminal), page_*.c (page)
 *     two profiles -- pairs of lines ---> differences, reasons --> the same two */
#ifndef LOCKSTEP_VIEW_PROFILE_H
#define LOCKSTEP_VIEW_PROFILE_H

#include "view/view.h"

#include <math.h>

/* The value of a counter, or 0 if it was not counted (NAN): for sums that must be finite. */
static inline double counted(const struct metrics *m, enum metric id)
{
    return isnan(m->v[id]) ? 0 : m->v[id];
}

/* How much a line uses one part of the GPU, in units of that part. 0 if m is NULL, and for parts
 * that no single line uses (profile_advice.c). */
double profile_asks(const struct profile *p, const struct metrics *m, enum model_part part);

/* ---- the columns beside a line (profile_columns.c) ---- */

/* The columns beside a line. A value that was not counted is NAN, and its cell is empty. */
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
/* A line's share of the launch's total in a column, 0 to 1. Returns 0 if a share has no meaning in
 * that column, or the launch has only one line. */
double profile_heat(const struct profile *p, const struct metrics *m, enum column c);
/* Has any line of the launch a number in this column? Columns without any number are left out. */
int profile_has(const struct profile *p, enum column c);
/* Marks for large numbers, by percent of the column: from HEAT_HALF on a number is marked with *,
 * from HEAT_FIFTH on with +. */
enum { HEAT_HALF = 50, HEAT_FIFTH = 20 };
char profile_mark(double heat); /* The mark for a share of the column: '*', '+' or ' '. */

/* Is a line shown in the report? Yes if it was executed, or is close to one that was. */
int profile_near(const struct profile *p, int line);
/* Does a line have an access that can be drawn? */
int profile_pictured(const struct profile *p, int line);
/* Append why the launch's time is meaningless: it stored no result, or a wrong one. If neither is
 * known to be so, nothing is appended. */
void profile_doubts(const struct profile *p, struct buf *out);

/* ---- where the time goes (profile_time.c) ---- */

struct profile_time {
    const char *name, *note;
    /* ms: in milliseconds; percent: share of the modelled time or, for a unit of the GPU, of its
     * peak */
    double ms, percent;
    int limit; /* 1: this is the launch's bottleneck */
    int unit;  /* 1: this is a unit of the GPU, so percent is that of its peak */
};
enum {
    TIME_START,
    TIME_LONGEST,
    TIME_DELAYS,
    TIME_PARTS,
    PROFILE_TIMES = TIME_PARTS + MODEL_PARTS
};
/* Fill in the three terms whose sum is the modelled time, then the parts that take any time.
 * Returns how many entries of out are filled in. */
int profile_times(const struct profile *p, struct profile_time out[PROFILE_TIMES]);
/* By what share the busiest multiprocessor has more blocks than the average, from 0 on; a share
 * below LEAST_TAIL is not reported. */
double profile_tail(const struct profile *p);
#define LEAST_TAIL 0.02

#define PARTS_OVERLAP \
    "Each part alone, and how much of its peak is used. They work at the same time, so their bars do not " \
    "add up to the time."

/* The bytes moved between two levels of memory. wanted_loaded, wanted_stored: the bytes that the
 * lanes requested, if these are fewer than were moved; else NAN. */
struct profile_flow {
    const char *from, *to;
    /* loaded to wanted_stored: bytes; percent: share of the peak of this connection */
    double loaded, stored, wanted_loaded, wanted_stored, percent;
};
enum { PROFILE_FLOWS = 4 };
int profile_flows(const struct profile *p, struct profile_flow out[PROFILE_FLOWS]);
/* Append sentences that a reader of these flows needs; there may be none. */
void profile_flow_notes(const struct profile *p, struct buf *out);
/* Append "FILE: kernel NAME<<<grid, block>>>" (profile_text.c). */
void profile_launch(const struct profile *p, struct buf *out);
/* Append for the terminal: the memory chart, the parts of the time, the launch's counters
 * (profile_summary.c). */
void profile_summary(const struct screen *s, const struct profile *p, struct buf *out);

/* ---- PTX beside the source (profile_ptx.c) ---- */

/* Append the PTX instructions of a line, each with a newline after it. If the line has none,
 * nothing is appended. */
void profile_ptx(const struct profile *p, int line, struct buf *out);

/* ---- two profiles, line by line (profile_pairs.c) ---- */

/* A line of one source and the corresponding line of another; 0: there is none. */
struct line_pair {
    int before, now;
    int same; /* 1: the texts of the two lines are equal, except for white space and comments */
};
/* Match the lines of two kernels; the pairs are in the order of both kernels and, where these
 * differ, in that of `now`. Only lines near executed ones are listed. Returns how many pairs there
 * are; the caller frees *out. */
int profile_pairs(const struct profile *before, const struct profile *now, struct line_pair **out);

/* ---- what changed (profile_change.c) ---- */

/* Append how a line's counters changed: "bank conflicts 4063k -> 0, ...", at most `most` of
 * them. Changes below 1% of the launch's total are left out. part: only counters that affect
 * this part of the time; PART_NONE: all. */
void profile_line_change(const struct profile *now, const struct line_pair *pair,
    enum model_part part, int most, struct buf *out);
enum { LINE_CHANGES = 6 }; /* the most changed counters per line of a report */
/* Append why the time changed, one line for each reason; the first line has both times. */
void profile_why(
    const struct profile *now, const struct line_pair *pairs, int count, struct buf *out);
/* Append reasons and changed lines for the terminal (profile_change_text.c). */
void profile_change_text(const struct screen *s, const struct profile *now, struct buf *out);

#endif
