/* ptxas.h - the effects of NVIDIA's assembler (ptxas) on a program, as far as they are visible.
 *
 *     struct ptx_program ── passes ──> the same program, with these fields filled in:
 *
 *         FLAG_UNUSED                     steps whose results are unused: executed, not counted
 *         ipdom, order, diverged, ahead   where lanes reconverge after a divergent branch
 *         FLAG_COMBINED                   atomics that one lane executes for its warp
 *         FLAG_MERGED, merged_bytes       shared loads that the hardware executes as one
 *         registers                       32-bit registers per thread, estimated
 *         vregs                           renumbered, so that the simulator needs less memory
 *
 * No pass changes a result of the kernel. The table of passes is in ptxas.c; the source of each
 * rule is in its file. */
#ifndef LOCKSTEP_PTXAS_H
#define LOCKSTEP_PTXAS_H

#include "model/model.h"
#include "ptx/ptx.h"

/* The properties of the GPU that the passes need. */
struct ptxas_target {
    uint64_t features; /* features of the GPU's profile, one bit per enum model_feature */
    /* most registers that a thread can have while all warps that fit on a multiprocessor are
     * resident */
    int full;
    int unit; /* granularity: a thread gets a multiple of this many registers */
    int all;  /* number of registers of a multiprocessor; 0: ignore __launch_bounds__ */
    int most; /* most registers of a thread; 0: no limit */
    /* neither counts nor a register estimate are wanted, so the passes for these are skipped */
    int uncounted;
};
static inline int ptxas_has(const struct ptxas_target *t, enum model_feature f)
{
    return t->features >> f & 1;
}
/* Run all passes on a program that ptx_flatten has made. Must be called only once for each
 * program. */
void ptxas_assemble(struct ptx_program *p, const struct ptxas_target *t);

/* The machine instructions that a step takes: all of them; of these, integer products and sums, and
 * those in the special function unit; for a float function, also tests, float operations and
 * branches (instructions.c). */
struct ptxas_instructions {
    int all, products, sums, special, tests, floats, branches;
};
struct ptxas_instructions ptxas_instructions(const struct ptx_step *s);

#endif
