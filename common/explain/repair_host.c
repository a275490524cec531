/* repair_host.c - write host C as a kernel of one thread, so that edits of it can be tried as edits
 * of a kernel are.
 *
 *     void product(...) { ... }      __device__ void product(...) { ... }
 *                                    __global__ void lockstep_alone(...) { product(...); }
 *
 * Lines are added before the learner's text; its #includes become empty lines. A function with the
 * name of a CUDA function, such as min, is renamed. The simulator also tells in which line such a
 * kernel leaves its arrays, which the host's processor does not. */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

static const char before[] = "#include \"lockstep.h\"\n"
                             "#define memset __builtin_memset\n"
                             "#define memcpy __builtin_memcpy\n"
                             "#define restrict __restrict__\n";
enum { BEFORE = 4 };
/* names of CUDA's own functions, which a function of the learner must not have */
static const char *const known[] = {"min", "max", "abs", "swap"};

/* Append the learner's text, with __device__ before each function. */
static void put_functions(const struct code *c, struct buf *out)
{
    size_t at = 0;
    for (int i = 0; i < c->count; i++) {
        const struct token *t = &c->tokens[i];
        int include = t->kind == TOKEN_DIRECTIVE && !strncmp(c->text + t->at, "#include", 8),
            function = 0;
        for (int k = 0; k < c->item_count; k++)
            function |= c->items[k].kind == ITEM_FUNCTION && c->items[k].first == i;
        if (!include && !function) continue;
        buf_add(out, c->text + at, t->at - at);
        at = include ? end_of(c, i) : t->at;
        if (function) buf_printf(out, "__device__ ");
    }
    buf_add(out, c->text + at, strlen(c->text) - at);
}

/* Append #defines that rename functions that CUDA has, too. Returns how many lines that is. */
static int put_names(const struct code *c, struct buf *out)
{
    int lines = 0;
    for (int k = 0; k < c->item_count; k++)
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (c->items[k].kind == ITEM_FUNCTION && code_is(c, c->items[k].name, known[i]))
                buf_printf(out, "#define %s own_%s\n", known[i], known[i]), lines++;
    return lines;
}

int host_text(const char *source, const struct step *step, struct host_kernel *out)
{
    const struct problem *p = problem_find(step->problem);
    struct code c;
    struct buf text = {0};
    int bad = code_read(&c, source, step->kernel);
    buf_printf(&text, "%s", before);
    out->lines = BEFORE + (bad ? 0 : put_names(&c, &text));
    if (!bad) put_functions(&c, &text);
    code_free(&c);
    out->own_end = text.len;
    buf_printf(
        &text, "\n__global__ void lockstep_alone(%s)\n{\n    %s(", p->signature, step->kernel);
    for (int i = 0; i < problem_buffers(p); i++) buf_printf(&text, "%s, ", p->buffers[i].name);
    for (int i = 0; i < problem_dims(p); i++)
        buf_printf(&text, "%s%s", i ? ", " : "", p->dim_names[i]);
    buf_printf(&text, ");\n}\nLAUNCH(lockstep_alone, BLOCK(1, 1), COVERS(65535, 65535))\n");
    out->text = text.data;
    out->kernel = step->kernel;
    out->step = *step;
    out->step.kernel = "lockstep_alone";
    out->step.budgets = NULL;
    return bad;
}

/* Run the kernel of one thread on an input. Returns -1 if it faults: *found says how, with the line
 * in the learner's file. 0: it ran to its end, or could not be run. */
static int fault_of(
    const struct build *b, const struct host_kernel *host, const int *dims, struct finding *found)
{
    /* more than any tiled product of a check executes; it stops an endless loop */
    static const uint64_t MOST = 100000000;
    const struct workbench *w = b->workbench;
    const char *file = b->compiled.file;
    struct device *device = NULL;
    struct module *module = NULL;
    struct bound_kernel bound;
    struct compiled compiled = {0};
    struct instance in;
    struct err e = {0};
    int faults = 0;
    compile_text(&w->kit, &w->front, file, host->text, &compiled);
    if (compiled.status == COMPILE_OK && !device_open(w->name, &device, &e) &&
        !device_load(device, compiled.ptx, file, file, &module, &e) &&
        !run_bind(&bound, device, module, &host->step, file, &e)) {
        instance_make(&in, problem_find(host->step.problem), dims, 1);
        bound.budget = MOST;
        faults = run_kernel(&bound, &in, NULL, &e) && e.kind == ERR_LEARNER;
        *found = e.found;
        found->line -= host->lines;
        instance_free(&in);
    }
    if (module) device_unload(device, module);
    if (device) device_close(device);
    compiled_free(&compiled);
    return faults ? -1 : 0;
}

void host_fault_tell(const struct build *b, int step, const int *dims, struct run_outcome *t)
{
    const struct step *s = &b->exercise->steps[step];
    struct host_kernel host = {0};
    struct finding found = {0};
    if (workbench_simulated(b->workbench) && !host_text(b->compiled.source, s, &host) &&
        fault_of(b, &host, dims, &found) && found.kind == FOUND_OUTSIDE && *found.name) {
        t->found = found;
        named_add(t->named, found.line);
        buf_printf(&t->why, "; %s:%d: %s[%lld]; %s has %lld elements", b->compiled.file, found.line,
            found.name, found.index, found.name, found.extent);
    }
    free(host.text);
}
