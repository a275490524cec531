/* passes.h - private to the room: its passes, in the order of ptxas.c's table. */
#ifndef LOCKSTEP_PTXAS_PASSES_H
#define LOCKSTEP_PTXAS_PASSES_H

#include "ptxas/ptxas.h"

typedef void ptxas_pass(struct ptx_program *p, const struct ptxas_target *t);
ptxas_pass ptxas_dead_code, ptxas_reconverge, ptxas_merge_loads, ptxas_registers, ptxas_share;

/* Of each vreg: is it the same for all lanes of a warp, and can be kept in a uniform register (uniform.c)? The caller frees it. */
char *ptxas_uniform(const struct ptx_program *p);
/* The order of a block's instructions that waits least (schedule.c). order[k]: the step that comes k-th of count. scratch: 2 * vregs
 * ints, of any content. Takes time as count squared. */
void ptxas_schedule(const struct ptx_step *steps, int count, int *scratch, int vregs, int *order);

#endif
