/* ptxas.c - the passes over a program, in their order.
 *
 * Dead code comes first, because later passes skip unused steps. Sharing comes last, because it renames the
 * virtual registers that the other passes look at. */
#include "ptxas/passes.h"

/* does: for the reader; nothing prints it. */
static const struct {
    const char *does;
    ptxas_pass *run;
} passes[] = {
    {"leave out what nothing needs", ptxas_dead_code},
    {"find where lanes reconverge", ptxas_reconverge},
    {"let one lane do the atomics of its warp on one word", ptxas_combine},
    {"convert small whole numbers to floats by their own instruction", ptxas_narrow},
    {"merge shared loads that lie next to each other", ptxas_merge_loads},
    {"find steps that are a part of another instruction", ptxas_fuse},
    {"guard short blocks instead of jumping over them", ptxas_guard},
    {"estimate registers a thread", ptxas_registers},
    {"let virtual registers that are never live together share a place", ptxas_share},
};

void ptxas_assemble(struct ptx_program *p, const struct ptxas_target *t)
{
    for (unsigned i = 0; i < sizeof passes / sizeof *passes; i++) passes[i].run(p, t);
}
