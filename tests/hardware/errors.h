/* errors.h - how exact the products of a lab are. */
#ifndef LOCKSTEP_HARDWARE_ERRORS_H
#define LOCKSTEP_HARDWARE_ERRORS_H

#include "hardware/hardware.h"
#include "exercise/exercise.h"

/* Append the table of the kernels of C = A B: the last one before the lab, then those of the lab.
 * It runs the solutions on the workbench's simulated device. -1 with e set if one cannot be run. */
int errors_table(struct workbench *w, const struct lab *lab, struct buf *out, struct err *e);

/* *norm: the error of a step of a file, as in the table: the norm of the difference from the answer
 * in doubles, over the norm of that answer. -1 with e set. */
int errors_norm(struct workbench *w, const char *file, const struct exercise *x, int step,
    const int *dims, double *norm, struct err *e);

#endif
