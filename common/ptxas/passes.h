/* passes.h - the passes of this folder, for its own files only. Their order is the table in
 * ptxas.c. */
#ifndef LOCKSTEP_PTXAS_PASSES_H
#define LOCKSTEP_PTXAS_PASSES_H

#include "ptxas/ptxas.h"

/* A pass reads the program and fills in its fields in place. */
typedef void ptxas_pass(struct ptx_program *p, const struct ptxas_target *t);
ptxas_pass ptxas_dead_code, ptxas_reconverge, ptxas_combine, ptxas_narrow, ptxas_merge_loads,
    ptxas_registers, ptxas_share, ptxas_fuse, ptxas_guard;

/* For each virtual register, 1 if all lanes of a warp have the same value and a uniform register
 * holds it (uniform.c). scarce: registers are scarce, so every value that can be is in a uniform
 * register. The caller frees the array. */
char *ptxas_uniform(const struct ptx_program *p, int scarce);
/* Order the count steps of a basic block so that they wait least (schedule.c). order[k]: the index
 * of the step that comes k-th. scratch: 2 * vregs ints, of any content. The time grows with count
 * squared. */
void ptxas_schedule(const struct ptx_step *steps, int count, int *scratch, int vregs, int *order);

#endif
