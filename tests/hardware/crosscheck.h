/* crosscheck.h - the simulator's counters against the hardware's, as ncu reads them, for every kernel of the solutions.
 *
 *     ncu ── lockstep-hardware run --device cuda ──> a line of CSV a launch ──┐
 *     sim:h200, the same kernels at the same sizes ──────────────────┴──> record ──> errors by metric
 *
 * A record has "metrics", a list of names (ncu's), and "kernels": rows with "simulated" and "measured", in their order; null
 * where a number was not counted.
 */
#ifndef LOCKSTEP_LAB_CROSSCHECK_H
#define LOCKSTEP_LAB_CROSSCHECK_H

#include "hardware/record.h"

/* The time's name among the metrics: nanoseconds of the GPU's own clock. */
#define CROSSCHECK_TIME "gpu__time_duration.sum"

/* ncu's CSV (--csv --page raw --print-units base): values[launch][metric], NAN where a launch has none; the caller frees
 * *values. A name with an opcode, "sass__inst_executed_per_opcode:LDG", is the opcode's part of that metric. Returns the number of
 * launches, or -1: the text names what is missing. */
int crosscheck_parse(const char *csv, const char *const *names, int count, double **values, struct err *e);

/* How far simulated is from measured, 0 for equal. Relative to measured; bank conflicts relative to the same access's
 * passes, since a launch without any still reads a few that arbitration makes. NAN where either is not known. */
double crosscheck_error(const json_t *record, const json_t *kernel, int metric);

/* A table in Markdown: a row a metric, the worst first. */
void crosscheck_table(const json_t *record, struct buf *out);
/* What the L2 was read and written, a row a kernel, in their order. */
void crosscheck_l2(const json_t *record, struct buf *out);
/* The modelled time beside the measured one of each kernel, the worst first. */
void crosscheck_times(const json_t *record, struct buf *out);

#endif
