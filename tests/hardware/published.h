/* published.h - tables that documents print, made again on the simulated GPUs: solutions/published.
 *
 *     published.json: {"documents": [{"doc", "title"}],
 *                      "tables": [{"doc", "table", "document", "gpu", "device", "problem", "dims", "unit",
 *                                  "rungs": [{"rung", "file", "kernel", "figure", COUNTER: n, ...}],
 *                                  "speedups": [{"of", "over", "figure"}]}]}
 *
 * doc      the number of the document; a table without one is of a document that the five refer to
 * unit     "ms"; "GB/s" as published_rate computes it; or nvprof's name of a counter
 * figure   in that unit; missing if the document has none
 * file     LAB/NAME.cu of solutions; published/NAME.cu are the documents' kernels in words of our own
 *          A rung may also have "problem" and "x_owns_rows", as in struct step.
 * cpu      in place of file and kernel: a function of 03-tiled/matmul_cpu.c, timed on this machine
 * gflops   what the document prints beside a time
 * timer    what took the published time: "nvprof", "CPU timer"
 * reason   why the figure here is another, of a rung, a speed-up or the whole table: asked for from 30% on
 * of, over rungs: a speed-up is the time of `over` divided by the time of `of`
 * COUNTER  nvprof's name of a counter that the document gives; the table's "counters" lists these
 * names
 * limits   {"ratio"}: how far a ratio of two neighbouring rungs may be off
 * blocks   how many blocks of each multiprocessor are run; sms: on how many multiprocessors. The other blocks
 *          count as taking as long as these
 * order    why the rungs have another order here; without it they must have the document's order
 * note     what a reader has to know about the table
 */
#ifndef LOCKSTEP_HARDWARE_PUBLISHED_H
#define LOCKSTEP_HARDWARE_PUBLISHED_H

#include "exercise/exercise.h"

#include <jansson.h>

/* Effective bandwidth in GB/s: twice the bytes of the output, over the time. For a copy and a
 * transpose these are the bytes that move.
 *
 * The guide's formula is (bytes read + bytes written) / time. It does not say which bytes it takes
 * for its matrix products, but its figures do. With a tile of A in shared memory, a block of 16 x
 * 16 threads moves 18432 bytes. At the bandwidth of a copy, 74 and 120 GB/s on GeForce 8800 and GTX
 * 280, that is 4.0 and 6.5 million blocks a second. Published are 8.2 and 14.3 GB/s, or 2040 and
 * 2200 bytes a block: about twice the 1024 bytes of its tile of C. Source: CUDA C Best Practices
 * Guide, matrix multiplication. */
double published_rate(const struct problem *p, const int *dims, double ms);

/* One table, and the figure found here for each of its rows (rungs). */
enum { RUNGS_MAX = 12 };
struct published {
    const json_t *table;
    double here[RUNGS_MAX]; /* in the table's unit; NAN: not measured */
    struct metrics metrics[RUNGS_MAX];
};

/* Check a table. Returns -1 with an error that names the file, the table, and what is missing or
 * wrong. */
int published_valid(const char *file, const json_t *table, struct err *e);
/* Append the table to out, and to misses a line for each limit, order and counter that does not
 * hold, and for each figure that is 30% off without a reason. */
enum published_form { PUBLISHED_MARKDOWN, PUBLISHED_TEXT };
void published_print(
    const struct published *p, enum published_form form, struct buf *out, struct buf *misses);

/* Counts of tables and of their figures. far: a line for each figure that is 30% off or more. */
struct published_tally {
    int tables, in_order, whole, figures, near; /* near: within 30%; whole: all figures near */
    struct buf far;
};
/* Add a table to the tally, whose far the caller frees. */
void published_count(const struct published *p, struct published_tally *t);

/* Write the tables of solutions/published/README.md. With check, compare them instead, if the same
 * front end made them. *stale is incremented if they differ. Returns -1 also if published_print
 * reports misses. front NULL: the default. */
int published_update(const char *front, int check, int *stale, struct err *e);

#endif
