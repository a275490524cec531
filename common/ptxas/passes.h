/* passes.h - private to ptxas/: the passes over a program. They run in the order of the table in
 * ptxas.c. */
#ifndef LOCKSTEP_PTXAS_PASSES_H
#define LOCKSTEP_PTXAS_PASSES_H

#include "ptxas/ptxas.h"

/* A pass reads the program and modifies it, or fills in some of its fields. */
typedef void ptxas_pass(struct ptx_program *p, const struct ptxas_target *t);
ptxas_pass ptxas_dead_code, ptxas_reconverge, ptxas_combine, ptxas_narrow, ptxas_merge_loads,
    ptxas_registers, ptxas_share, ptxas_contract, ptxas_fuse, ptxas_guard;

/* For each virtual register: how often steps read it, those with FLAG_UNUSED left out (ptxas.c). The
 * caller frees the array. */
int *ptxas_readers(const struct ptx_program *p);
/* For each virtual register: 1 if all lanes of a warp have the same value and that value can be
 * kept in a uniform register (uniform.c). scarce: if set, registers are scarce, so all such values
 * are kept in uniform registers; otherwise long-lived ones are not. The caller frees the array. */
char *ptxas_uniform(const struct ptx_program *p, int scarce);
/* Computes the order in which ptxas would issue the count steps of a basic block to hide latency
 * (schedule.c). order[k]: index of the step that is issued as number k. scratch: 2 * vregs ints,
 * with any content. The time grows with the square of count. */
void ptxas_schedule(const struct ptx_step *steps, int count, int *scratch, int vregs, int *order);

#endif
