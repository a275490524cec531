/* crosscheck.h - the simulator's counters compared with those of a GPU, read by ncu, for every
 * kernel of the solutions.
 *
 *     ncu -- lockstep-hardware run --device cuda --> a line of CSV per launch --+
 *     sim:h200, the same kernels at the same sizes ----------------------------+--> record --> errors
 *
 * A record has "metrics", a list of ncu's names, and "kernels", rows with the arrays "simulated"
 * and "measured". These have one number per metric, in the same order; null means "not counted".
 */
#ifndef LOCKSTEP_HARDWARE_CROSSCHECK_H
#define LOCKSTEP_HARDWARE_CROSSCHECK_H

#include "hardware/record.h"

/* The name that the time has among the metrics. It is in nanoseconds of the GPU's own clock. */
#define CROSSCHECK_TIME "gpu__time_duration.sum"

/* Read ncu's CSV (--csv --page raw --print-units base) into values[launch][metric]; NAN if a launch
 * has no such value. The caller frees *values. A name with an opcode,
 * "sass__inst_executed_per_opcode:LDG", stands for that opcode's part of the metric. Returns the
 * number of launches, or -1 with what is missing. */
int crosscheck_parse(
    const char *csv, const char *const *names, int count, double **values, struct err *e);

/* The relative error of the simulated value: 0 if both are equal, NAN if one is not known. It is
 * relative to the measured value. For bank conflicts it is relative to the measured wavefronts
 * of the same access, since a GPU counts a few conflicts, caused by arbitration, even in a
 * launch without any. */
double crosscheck_error(const json_t *record, const json_t *kernel, int metric);

/* A table in Markdown with a row per metric, the largest error first. */
void crosscheck_table(const json_t *record, struct buf *out);
/* The sectors that L2 read and wrote, with a row per kernel, in the record's order. */
void crosscheck_l2(const json_t *record, struct buf *out);
/* The modelled and the measured time of each kernel, the largest error first. */
void crosscheck_times(const json_t *record, struct buf *out);

#endif
