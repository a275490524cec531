/* ptxas.h - what NVIDIA's assembler (ptxas) does to a program, as far as a user sees it.
 *
 *     struct ptx_program ── passes ──> the same program, with these fields filled in:
 *
 *         FLAG_UNUSED                     steps whose results nothing needs: executed, not counted
 *         ipdom, order, diverged, ahead   where lanes reconverge after a divergent branch
 *         FLAG_COMBINED                   atomics that one lane does for its warp
 *         FLAG_MERGED, merged_bytes       shared loads that the hardware executes as one
 *         registers                       32-bit registers a thread, estimated
 *         vregs                           renumbered, so that the simulator needs less memory
 *
 * No pass changes a result of the kernel. The table of passes is in ptxas.c; the source of each
 * rule is in its file.
 */
#ifndef LOCKSTEP_PTXAS_H
#define LOCKSTEP_PTXAS_H

#include "model/model.h"
#include "ptx/ptx.h"

/* The properties of the GPU that the passes need. */
struct ptxas_target {
    uint64_t features; /* in its profile, a bit for each enum model_feature */
    /* the most registers a thread can have when all warps of a multiprocessor are resident */
    int full;
    int unit;      /* a thread's registers are allocated in multiples of this */
    int all;       /* the registers of a multiprocessor; 0: __launch_bounds__ limits nothing */
    int uncounted; /* no counts or register estimates are wanted: skip some work */
};
static inline int ptxas_has(const struct ptxas_target *t, enum model_feature f)
{
    return t->features >> f & 1;
}
/* Run all passes over a program that ptx_flatten has just made. Call it once for each program. */
void ptxas_assemble(struct ptx_program *p, const struct ptxas_target *t);

/* What a step takes of the machine: instructions in all; of these, integer products and sums, and
 * those of the special function unit; for a special function, the tests and float operations around
 * it, and whether one of its instructions is a branch (instructions.c). */
struct ptxas_instructions {
    int all, products, sums, special, tests, floats, branches;
};
struct ptxas_instructions ptxas_instructions(const struct ptx_step *s);

#endif
