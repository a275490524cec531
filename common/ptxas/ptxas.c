/* ptxas.c - runs the passes on a program, in the order of the table.
 *
 * Dead code comes first, because later passes skip unused steps. Sharing comes last, because it
 * renames the virtual registers that the other passes read. */
#include "ptxas/passes.h"

#include <stdlib.h>

static void read_once_more(void *readers, int reg) { ((int *)readers)[reg]++; }

int *ptxas_readers(const struct ptx_program *p)
{
    int *readers = xcalloc(p->vreg_count + 1, sizeof *readers);
    for (size_t i = 0; i < p->step_count; i++)
        if (!(p->steps[i].flags & FLAG_UNUSED))
            live_effects(&p->steps[i], read_once_more, live_ignore, readers);
    return readers;
}

/* The table of passes. does: a description for the reader, never printed. runs: the pass is needed
 * to run the program; passes without it only change what is counted. */
static const struct {
    const char *does;
    ptxas_pass *run;
    int runs;
} passes[] = {
    {"leave out what nothing needs", ptxas_dead_code, 1},
    {"find where lanes reconverge", ptxas_reconverge, 1},
    {"let one lane do the atomics of its warp on one word", ptxas_combine, 0},
    {"convert small whole numbers to floats by their own instruction", ptxas_narrow, 0},
    {"merge shared loads that lie next to each other", ptxas_merge_loads, 0},
    {"make a product and a sum one multiply-add", ptxas_contract, 0},
    {"find steps that are a part of another instruction", ptxas_fuse, 0},
    {"guard short blocks instead of jumping over them", ptxas_guard, 0},
    {"estimate registers a thread", ptxas_registers, 0},
    {"let virtual registers that are never live together share a place", ptxas_share, 1},
};

void ptxas_assemble(struct ptx_program *p, const struct ptxas_target *t)
{
    for (unsigned i = 0; i < sizeof passes / sizeof *passes; i++)
        if (passes[i].runs || !t->uncounted) passes[i].run(p, t);
}
