/* published.h - tables that documents print, made again on the simulated GPUs: tests/hardware/published.
 *
 *     published.json: {"tables": [{"table", "document", "gpu", "device", "problem", "dims", "unit",
 *                                  "rungs": [{"rung", "file", "kernel", "figure", COUNTER: n, ...}]}]}
 *
 * unit     "ms", or "GB/s" as published_rate computes it
 * figure   in that unit; missing if the document has none
 * file     LAB/NAME.cu of solutions, or published/NAME.cu of tests/hardware
 *          A rung may also have "problem" and "x_owns_rows", as in struct step.
 * COUNTER  nvprof's name of a counter that the document gives; the table's "counters" lists these names
 * limits   {"figure", "ratio"}: how far a figure, and a ratio of two adjacent rungs, may be off
 * order    why the rungs have another order here; without it they must have the document's order
 * note     what a reader has to know about the table
 */
#ifndef LOCKSTEP_HARDWARE_PUBLISHED_H
#define LOCKSTEP_HARDWARE_PUBLISHED_H

#include "exercise/exercise.h"

#include <jansson.h>

/* Effective bandwidth in GB/s: twice the bytes of the output, over the time. For a copy and a transpose these
 * are the bytes that move.
 *
 * The guide's formula is (bytes read + bytes written) / time. It does not say which bytes it takes for its
 * matrix products, but its figures do. With a tile of A in shared memory, a block of 16 x 16 threads moves
 * 18432 bytes. At the bandwidth of a copy, 74 and 120 GB/s on GeForce 8800 and GTX 280, that is 4.0 and 6.5
 * million blocks a second. Published are 8.2 and 14.3 GB/s, or 2040 and 2200 bytes a block: about twice the
 * 1024 bytes of its tile of C. Source: CUDA C Best Practices Guide, matrix multiplication. */
double published_rate(const struct problem *p, const int *dims, double ms);

/* One table with the modelled figure and the counters of each rung. */
enum { RUNGS_MAX = 12 };
struct published {
    const json_t *table;
    double modelled[RUNGS_MAX]; /* in the table's unit */
    struct metrics metrics[RUNGS_MAX];
};

/* Check a table. Returns -1 with an error that names the file, the table, and what is missing or
 * wrong. */
int published_valid(const char *file, const json_t *table, struct err *e);
/* Append the table as Markdown to out, and to misses a line for each limit, order and counter
 * that does not hold. */
void published_print(const struct published *p, struct buf *out, struct buf *misses);

/* Write the tables of tests/hardware/published/README.md. With check, compare them instead, if
 * the same front end made them. *stale is incremented if they differ. Returns -1 also if an
 * order, a limit or a counter does not hold. front NULL: the default. */
int published_update(const char *front, int check, int *stale, struct err *e);

#endif
