/* ptxas.h - what NVIDIA's assembler makes of a program, as far as a user sees it.
 *
 *     struct ptx_program ── passes ──> the same program, with these fields filled in:
 *
 *         FLAG_UNUSED                     steps that nothing needs: executed, not counted
 *         ipdom, order, diverged, ahead   where the lanes of a branch reconverge
 *         FLAG_MERGED, merged_bytes       shared loads that the machine does as one
 *         registers                       32-bit registers of a thread, estimated
 *         vregs                           renumbered, so that the simulator needs less memory
 *
 * No pass changes a result of the kernel. The table of passes is in ptxas.c; the source of each rule is in
 * its file.
 */
#ifndef LOCKSTEP_PTXAS_H
#define LOCKSTEP_PTXAS_H

#include "ptx/ptx.h"

struct ptxas_target {
    int cc_major, cc_minor; /* compute capability */
    int full; /* the most registers a thread can have with a multiprocessor full of warps */
    int unit; /* a thread's registers are allocated in multiples of this */
};
/* Run all passes over a program that was just flattened. To be called once for each program. */
void ptxas_assemble(struct ptx_program *p, const struct ptxas_target *t);

#endif
