/* assembler.c - prints what ptxas would print about a file's kernels: an error for each that has
 * too much static shared memory; with -Xptxas -v or -res-usage, what each uses on an H200.
 * Registers are estimated by ptxas/. */
#include "nvcc/nvcc.h"
#include "ptxas/ptxas.h"

#include <stdio.h>
#include <string.h>

enum {
    STATIC_SHARED = 48 << 10, /* most bytes of static shared memory; more must be dynamic */
    BEFORE_PARAMETERS =
        528 /* bytes of the constant bank before a kernel's parameters, from 9.0 on */
};

static void print_resources(struct ptx_program *p)
{
    const struct model_profile *gpu = model_profile_find("h200");
    int unit = gpu->register_unit / WARP_SIZE;
    const struct ptxas_target t = {gpu->features,
        gpu->registers / (gpu->max_warps * WARP_SIZE) / unit * unit, unit, gpu->registers,
        gpu->thread_registers};
    const char *name = p->kernel->name;
    ptxas_assemble(p, &t);
    fprintf(stderr,
        "ptxas info    : Compiling entry function '%s' for 'sm_90'\n"
        "ptxas info    : Function properties for %s\n"
        "    %zu bytes stack frame\n"
        "ptxas info    : Used %d registers, %zu bytes smem, %zu bytes cmem[0]\n",
        name, name, p->local_bytes, p->registers, p->shared_bytes,
        BEFORE_PARAMETERS + p->param_bytes);
}

/* Kernels that cannot be flattened are skipped: their launch reports the reason. */
int assembler_run(const struct job *j, const char *ptx)
{
    struct ptx_module *m = NULL;
    struct err ignored;
    int bad = 0;
    if (!j->resources && !strstr(ptx, ".shared .")) return 0;
    if (ptx_parse(ptx, "", &m, &ignored)) return 0;
    for (size_t i = 0; i < m->func_count; i++) {
        struct ptx_program *p;
        const struct ptx_func *f = &m->funcs[i];
        if (!f->is_entry || !f->has_body || ptx_flatten(m, f, "", &p, &ignored)) continue;
        if (p->shared_bytes > STATIC_SHARED)
            bad = fprintf(stderr,
                "ptxas error   : Entry function '%s' uses too much shared data (0x%zx bytes, 0x%x max)\n",
                f->name, p->shared_bytes, STATIC_SHARED);
        if (j->resources) print_resources(p);
        ptx_program_free(p);
    }
    ptx_module_free(m);
    return bad != 0;
}
