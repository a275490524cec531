/* ptxas.c - the passes over a program, in their order. */
#include "ptxas/passes.h"

static const struct {
    const char *does;
    ptxas_pass *run;
} passes[] = {
    {"leave out what nothing needs", ptxas_dead_code},
    {"find where lanes reconverge", ptxas_reconverge},
    {"merge shared loads that lie next to each other", ptxas_merge_loads},
    {"estimate registers a thread", ptxas_registers},
    {"let virtual registers that are never live together share a place", ptxas_share},
};

void ptxas_assemble(struct ptx_program *p, const struct ptxas_target *t)
{
    for (unsigned i = 0; i < sizeof passes / sizeof *passes; i++)
        passes[i].run(p, t);
}
