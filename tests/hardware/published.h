/* published.h - tables that documents print, made again on the simulated GPUs: tests/hardware/published.
 *
 *     published.json: {"tables": [{"table", "document", "gpu", "device", "problem", "dims", "unit",
 *                                  "rungs": [{"rung", "file", "kernel", "figure", COUNTER: n, ...}]}]}
 *
 * unit     "ms", or "GB/s" as published_rate has it; figure is in it, and missing where the document gives none
 * file     under solutions/, with the kernel; a rung may also have "problem" and "x_owns_rows" (as struct step has it)
 * COUNTER  nvprof's name of a counter that the document gives, listed in the table's "counters"
 * limits   {"figure", "ratio"}: how far a figure, and a ratio between neighbouring rungs, may be from the published one
 * order    why the rungs have another order here; without it they must have the document's
 * note     what a reader has to know about the table
 */
#ifndef LOCKSTEP_LAB_PUBLISHED_H
#define LOCKSTEP_LAB_PUBLISHED_H

#include "exercise/exercise.h"

#include <jansson.h>

/* Effective bandwidth in GB/s: the output read once and written once, over the time. For a copy and a transpose that is what moves.
 * The guide's formula is (bytes read + bytes written) / time, its example a copy, 2 x 4 bytes an element; which bytes it takes
 * for its products it does not say. Their own figures do: a tile of A in shared memory leaves one float of B a multiply-add, all of
 * it coalesced, which no cache of a GeForce 8800 or GTX 280 holds back. A block of 16 x 16 moves 16 x (64 + 16 x 64) bytes to
 * load and 1024 to store, 18432 in all. At the bandwidth of a copy in the same guide, 74 and 120 GB/s, those are 4.0 and 6.5
 * million blocks a second; published are 8.2 and 14.3 GB/s, so 2040 and 2200 bytes a block: the tile of C twice, as for a copy.
 * Reading A and B once and writing C would be 3072, all that moves 18432. */
double published_rate(const struct problem *p, const int *dims, double ms);

/* One table with what was modelled for its rungs. */
enum { RUNGS_MAX = 12 };
struct published {
    const json_t *table;
    double modelled[RUNGS_MAX]; /* in the table's unit */
    struct metrics metrics[RUNGS_MAX];
};

/* 0, or -1 and an error that names the file, the table, and what is missing or wrong. */
int published_valid(const char *file, const json_t *table, struct err *e);
/* Append the table as Markdown, and to misses a line for every limit, order and counter that does not hold. */
void published_print(const struct published *p, struct buf *out, struct buf *misses);

/* Write the tables of tests/hardware/published/README.md; with check, compare them instead, where the same front end made them. One line
 * is printed; *stale counts up when they are not what is modelled now. -1 also where the published order, a limit or a counter does
 * not hold. front: NULL for the default. */
int published_update(const char *front, int check, int *stale, struct err *e);

/* Was the table from here to end, which says "kernels by NAME.", made by another compiler than front? Its kernels may well take
 * another time then: it is nothing to check. */
int made_by_another(const char *front, const char *table, const char *end);

#endif
