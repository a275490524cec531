/* fuzz_ptx.h - one input of the fuzzer: text to module to program to a launch of a few blocks. */
#ifndef LOCKSTEP_TESTS_FUZZ_PTX_H
#define LOCKSTEP_TESTS_FUZZ_PTX_H

#include "model/profiles.h"
#include "ptxas/ptxas.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

enum { FUZZ_ELEMENTS = 1024, FUZZ_BUDGET = 3000, FUZZ_MOST_LOCAL = 1 << 16 };

/* Parameters as a kernel might have them: pointers to one buffer, small numbers elsewhere. */
static void fuzz_params(const struct ptx_func *f, uint64_t buffer, unsigned char *block)
{
    for (size_t i = 0; i < f->param_count; i++) {
        uint64_t value = f->params[i].bytes == 8 ? buffer : 33;
        memcpy(block + ptx_param_offset(f, i), &value,
            f->params[i].bytes < 8 ? f->params[i].bytes : 8);
    }
}

/* Allocates the module's variables. Returns -1 if one is too large for a test. */
static int fuzz_variables(
    const struct ptx_module *m, struct sim_memory *memory, uint64_t *variables)
{
    for (size_t i = 0; i < m->var_count; i++) {
        const struct ptx_var *v = &m->vars[i];
        if (v->bytes > 1 << 20) return -1;
        if ((v->space == SPACE_GLOBAL || v->space == SPACE_CONST) && v->bytes)
            variables[i] = sim_alloc(memory, v->bytes, v->name, 1, v->space == SPACE_CONST);
    }
    return 0;
}

static void fuzz_kernel(const struct ptx_module *m, const struct ptx_func *f)
{
    struct err e;
    struct ptx_program *p;
    if (ptx_flatten(m, f, "fuzz.cu", &p, &e)) return;
    const struct ptxas_target target = {FEATURES_9_0, 32, 8};
    ptxas_assemble(p, &target);
    struct sim_memory *memory = sim_memory_new();
    uint64_t *variables = calloc(m->var_count + 1, sizeof *variables);
    if (fuzz_variables(m, memory, variables) || p->local_bytes > FUZZ_MOST_LOCAL ||
        p->param_bytes > 4096) {
        ptx_program_free(p);
    } else {
        uint64_t buffer = sim_alloc(memory, FUZZ_ELEMENTS * 4, "buffer", 4, 0);
        sim_mark(memory, buffer + FUZZ_ELEMENTS * 3, FUZZ_ELEMENTS,
            0); /* its last quarter has been written by nobody */
        struct sim_kernel *k = sim_kernel_new(p, variables, "fuzz.cu");
        struct sim_shape shape = {.grid = {2, 1, 1}, .block = {40, 2, 1}};
        struct sim_options options = {.threads = 1, .budget = FUZZ_BUDGET};
        struct sim_result r = {0};
        unsigned char *params = calloc(p->param_bytes + 8, 1);
        fuzz_params(f, buffer, params);
        if (!sim_launch(k, memory, model_profile_find("tiny"), &shape, params, &options, &r, &e))
            sim_result_free(&r);
        free(params);
        sim_kernel_free(k);
    }
    free(variables);
    sim_memory_free(memory);
}

static void fuzz_one(const char *data, size_t size)
{
    struct err e;
    struct ptx_module *m;
    char *text = xstrndup(data, size);
    if (!ptx_parse(text, "fuzz.ptx", &m, &e)) {
        for (size_t i = 0; i < m->func_count && i < 4; i++)
            if (m->funcs[i].is_entry && m->funcs[i].has_body) fuzz_kernel(m, &m->funcs[i]);
        ptx_module_free(m);
    }
    free(text);
}

#endif
