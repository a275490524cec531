/* ptxas.h - what NVIDIA's assembler makes of a program, as far as a user sees it.
 *
 *     struct ptx_program ── passes ──> the same, with: steps that nothing needs left out (FLAG_UNUSED), shared loads merged
 *                                      (FLAG_MERGED, merged_bytes), where lanes reconverge (ipdom, diverged), registers a thread
 *
 * The table of passes is in ptxas.c. Source of each rule: stands at its file.
 */
#ifndef LOCKSTEP_PTXAS_H
#define LOCKSTEP_PTXAS_H

#include "ptx/ptx.h"

struct ptxas_target {
    int cc_major, cc_minor;
    int full; /* the most registers that a thread can have with all warps resident */
    int unit; /* in which a thread's registers are given out */
};
/* Assemble a program that was just flattened; once. */
void ptxas_assemble(struct ptx_program *p, const struct ptxas_target *t);

#endif
