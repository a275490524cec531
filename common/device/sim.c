/* sim.c - the back end for simulated devices. Only this file and sim_watch include the simulator.
 *
 *     PTX text -- ptx_parse --> struct ptx_module -- ptx_flatten --> steps -- ptxas_assemble --> sim_kernel
 *                                                    (one entry)       (as the assembler orders them)
 *
 * Device memory is host memory behind simulated addresses. For each byte the simulator also records
 * whether it has been written (sim_mark); a kernel that reads an unwritten byte is at fault
 * (initcheck). */
#include "device/sim_repeat.h"
#include "device/sim_watch.h"
#include "ptxas/ptxas.h"

#include <stdlib.h>
#include <string.h>

/* What struct device.state points to. */
struct state {
    struct sim_memory *memory;
};

/* What struct module.state points to. The module owns all members; kernels point into ptx. */
struct sim_module {
    struct ptx_module *ptx;
    char *main_source;
    /* Device addresses by index into ptx->vars. 0: the variable is not in global or constant
     * memory. */
    uint64_t *variables;
    struct kernel *kernels; /* one for each kernel of the module */
    size_t kernel_count;
};

/* What struct kernel.state points to. func belongs to the parsed module. */
struct entry {
    const struct ptx_func *func;
    /* the kernel that can be launched; NULL: it cannot be executed, and `refused` is the reason */
    struct sim_kernel *code;
    struct err refused;
    struct param *params;
    struct repeat latest;
};

/* rest: the name of a profile, such as "h200". */
static int sim_open(const char *rest, struct device *d, struct err *e)
{
    d->profile = model_profile_find(rest);
    if (!d->profile) return device_unknown(d->name, e);
    struct state *s = xcalloc(1, sizeof *s);
    s->memory = sim_memory_new();
    d->state = s;
    return 0;
}

static void sim_close(struct device *d)
{
    struct state *s = d->state;
    sim_memory_free(s->memory);
    free(s);
}

/* New memory counts as unwritten. */
static int sim_alloc_named(
    struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e)
{
    struct state *s = d->state;
    *out = sim_alloc(s->memory, bytes, name, element, 0);
    sim_mark(s->memory, *out, bytes, 0);
    return *out ? 0 : err_set(e, ERR_ENV, "%s: no memory for %zu bytes", name, bytes);
}

/* The memory stays the caller's; all of it counts as written. */
static int lend(struct device *d, void *memory, size_t bytes, const char *name, size_t element,
    int input, dev_ptr *out, struct err *e)
{
    struct state *s = d->state;
    *out = sim_lend(s->memory, memory, bytes, name, element, input ? SIM_INPUT : SIM_WRITABLE);
    (void)e;
    return 0;
}

static int alloc_shared(
    struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e)
{
    struct state *s = d->state;
    *out = sim_alloc_shared(s->memory, bytes, name, element);
    return *out ? 0
                : err_set(
                      e, ERR_ENV, "%s: no memory for %zu bytes that the host shares", name, bytes);
}

/* p must be the start of an allocation. */
static int sim_free_at(struct device *d, dev_ptr p, struct err *e)
{
    struct state *s = d->state;
    return sim_release(s->memory, p)
               ? err_set(e, ERR_ENV, "address 0x%llx was not allocated", (unsigned long long)p)
               : 0;
}

/* Copy to device memory; the bytes count as written from now on. */
static int sim_copy_in(struct device *d, dev_ptr dst, const void *src, size_t bytes, struct err *e)
{
    struct state *s = d->state;
    void *host = sim_host(s->memory, dst, bytes);
    if (!host)
        return err_set(e, ERR_ENV, "copy to 0x%llx reaches outside of what was allocated",
            (unsigned long long)dst);
    memcpy(host, src, bytes);
    sim_mark(s->memory, dst, bytes, 1);
    return 0;
}

static int sim_where(const struct device *d, dev_ptr p, char *name, size_t size, dev_ptr *start)
{
    const struct state *s = d->state;
    *start = sim_buffer(s->memory, p, name, size);
    return *start ? 0 : -1;
}

static void sim_forget(struct device *d, dev_ptr p, size_t bytes)
{
    struct state *s = d->state;
    sim_mark(s->memory, p, bytes, 0);
}

static int sim_copy_out(struct device *d, void *dst, dev_ptr src, size_t bytes, struct err *e)
{
    struct state *s = d->state;
    const void *host = sim_host(s->memory, src, bytes);
    if (!host)
        return err_set(e, ERR_ENV, "copy from 0x%llx reaches outside of what was allocated",
            (unsigned long long)src);
    memcpy(dst, host, bytes);
    return 0;
}

/* Every simulated launch starts with empty caches, so there is nothing to flush. */
static int sim_flush(struct device *d, struct err *e)
{
    (void)d;
    (void)e;
    return 0;
}

/* ---- modules ---- */

/* A variable of the module by its name. NULL: there is none. */
static const struct ptx_var *find_var(const struct ptx_module *m, const char *name)
{
    for (size_t i = 0; i < m->var_count; i++)
        if (!strcmp(m->vars[i].name, name)) return &m->vars[i];
    return NULL;
}

/* Set the variables to the values of their initializers. These may contain the address of another
 * variable (a relocation); all addresses are known by now. Also implements module_fresh. */
static int fill_variables(struct module *module, struct err *e)
{
    struct state *s = module->device->state;
    const struct sim_module *sm = module->state;
    const struct ptx_module *m = sm->ptx;
    for (size_t i = 0; i < m->var_count; i++) {
        const struct ptx_var *v = &m->vars[i];
        unsigned char *host =
            sm->variables[i] ? sim_host(s->memory, sm->variables[i], v->bytes) : NULL;
        if (host && v->init)
            memcpy(host, v->init, v->bytes);
        else if (host)
            memset(host, 0, v->bytes);
        for (int k = 0; host && k < v->reloc_count; k++) {
            const struct ptx_reloc *r = &v->relocs[k];
            const struct ptx_var *to = find_var(m, r->symbol);
            uint64_t function = r->bytes == 8 ? ptx_function_address(m, r->symbol) : 0;
            if (function) memcpy(host + r->offset, &function, 8);
            if (function) continue;
            if (!to || !sm->variables[to - m->vars] || r->bytes != 8)
                return err_set(e, ERR_LEARNER,
                    "%s: variable %s holds the address of %s, which is not supported", m->name,
                    v->name, r->symbol);
            uint64_t addr = sm->variables[to - m->vars] + (uint64_t)r->addend;
            memcpy(host + r->offset, &addr, 8);
        }
    }
    return 0;
}

/* Allocate device memory for the module's __device__ and __constant__ variables, and initialize
 * it. */
static int place_variables(struct module *module, struct err *e)
{
    struct state *s = module->device->state;
    struct sim_module *sm = module->state;
    const struct ptx_module *m = sm->ptx;
    sm->variables = xcalloc(m->var_count, sizeof *sm->variables);
    for (size_t i = 0; i < m->var_count; i++) {
        const struct ptx_var *v = &m->vars[i];
        if ((v->space != SPACE_GLOBAL && v->space != SPACE_CONST) || !v->bytes) continue;
        sm->variables[i] = sim_alloc(s->memory, v->bytes, v->name, ptx_type_bytes(v->type),
            v->space != SPACE_CONST ? SIM_WRITABLE
            : v->init               ? SIM_COMPILED
                                    : SIM_READONLY);
        if (!sm->variables[i])
            return err_set(e, ERR_LEARNER, "%s: no memory for variable %s of %zu bytes", m->name,
                v->name, v->bytes);
    }
    return fill_variables(module, e);
}

/* The parameter's type as far as it is known: PTX has no pointer type, and front ends declare
 * signed integers as .u32 or .b32 too. */
static enum param_type param_type_of(const struct ptx_var *v)
{
    if (v->is_array) return PARAM_BYTES;
    switch (v->type) {
    case PTX_F32: return PARAM_F32;
    case PTX_F64: return PARAM_F64;
    case PTX_B64:
    case PTX_U64: return PARAM_U64;
    case PTX_S64: return PARAM_I64;
    case PTX_B32:
    case PTX_U32: return PARAM_U32;
    case PTX_S32: return PARAM_I32;
    default: return PARAM_BYTES;
    }
}

/* Prepare a kernel: flatten its PTX, then assemble it for this GPU. The assembler needs the most
 * registers per thread with which all warps are resident, and the unit in which registers are
 * allocated. If the kernel cannot be flattened, the error is stored in "refused", and returned by
 * each launch. */
static void make_kernel(struct module *m, struct sim_module *sm, const struct ptx_func *f)
{
    struct ptx_program *p;
    struct entry *x = xcalloc(1, sizeof *x);
    const char *file = ptx_kernel_file(sm->ptx, f, sm->main_source);
    x->func = f;
    if (!ptx_flatten(sm->ptx, f, file, &p, &x->refused)) {
        const struct model_profile *g = device_profile(m->device);
        int unit = g->registers_by_block ? 1 : g->register_unit / WARP_SIZE;
        const struct ptxas_target t = {g->features,
            g->registers / (g->max_warps * WARP_SIZE) / unit * unit, unit, g->registers,
            g->thread_registers, m->device->settings.load_uncounted};
        ptxas_assemble(p, &t);
        x->code = sim_kernel_new(p, sm->variables, file);
    }
    x->params = xcalloc(f->param_count, sizeof *x->params);
    for (size_t i = 0; i < f->param_count; i++)
        x->params[i] = (struct param){param_type_of(&f->params[i]), (unsigned)f->params[i].bytes,
            (unsigned)f->params[i].align};
    sm->kernels[sm->kernel_count++] = (struct kernel){m, x};
}

/* If the module has kernels but none can be executed, the error of the first one; else NULL. */
static const struct err *all_refused(const struct sim_module *sm)
{
    for (size_t i = 0; i < sm->kernel_count; i++)
        if (((const struct entry *)sm->kernels[i].state)->code) return NULL;
    return sm->kernel_count ? &((const struct entry *)sm->kernels[0].state)->refused : NULL;
}

/* Also frees a module that was loaded only in part. */
static void sim_unload(struct device *d, struct module *m)
{
    struct state *s = d->state;
    struct sim_module *sm = m->state;
    for (size_t i = 0; i < sm->kernel_count; i++) {
        struct entry *x = sm->kernels[i].state;
        sim_kernel_free(x->code);
        repeat_free(&x->latest);
        free(x->params);
        free(x);
    }
    for (size_t i = 0; sm->variables && i < sm->ptx->var_count; i++)
        if (sm->variables[i]) sim_release(s->memory, sm->variables[i]);
    free(sm->kernels);
    free(sm->variables);
    free(sm->main_source);
    ptx_module_free(sm->ptx);
    free(sm);
    m->state = NULL;
}

/* Parses the PTX, allocates the variables, and prepares each kernel that has a body. */
static int sim_load(struct device *d, const char *ptx, const char *name, const char *main_source,
    struct module *m, struct err *e)
{
    struct ptx_module *parsed;
    if (ptx_parse(ptx, name, &parsed, e)) return -1;
    struct sim_module *sm = xcalloc(1, sizeof *sm);
    sm->ptx = parsed;
    sm->main_source = xstrdup(main_source);
    sm->kernels = xcalloc(parsed->func_count, sizeof *sm->kernels);
    m->state = sm;
    int bad = place_variables(m, e);
    for (size_t i = 0; !bad && i < parsed->func_count; i++)
        if (parsed->funcs[i].is_entry && parsed->funcs[i].has_body)
            make_kernel(m, sm, &parsed->funcs[i]);
    const struct err *refused = bad ? NULL : all_refused(sm);
    if (refused && e) *e = *refused;
    if (bad || refused) sim_unload(d, m);
    return bad || refused ? -1 : 0;
}

static void sim_source(struct module *m, const char *text)
{
    struct ptx_module *p = ((struct sim_module *)m->state)->ptx;
    free(p->source);
    p->source = xstrdup(text);
}

/* name: the name in the source; ptx_func_find maps it to the name in the PTX. */
static struct kernel *sim_kernel_named(struct module *m, const char *name)
{
    struct sim_module *sm = m->state;
    const struct ptx_func *f = ptx_func_find(sm->ptx, name, 1);
    for (size_t i = 0; f && i < sm->kernel_count; i++)
        if (((struct entry *)sm->kernels[i].state)->func == f) return &sm->kernels[i];
    return NULL;
}

static const char *sim_kernel_at(struct module *m, uint64_t address)
{
    const struct ptx_func *f = ptx_function_at(((struct sim_module *)m->state)->ptx, address);
    return f && f->is_entry ? f->name : NULL;
}

static int sim_params(const struct kernel *k, const struct param **params)
{
    const struct entry *x = k->state;
    *params = x->params;
    return (int)x->func->param_count;
}

static const char *sim_symbol(const struct kernel *k)
{
    return ((const struct entry *)k->state)->func->name;
}

static int sim_needs(const struct kernel *k, struct kernel_needs *out)
{
    const struct entry *x = k->state;
    const struct ptx_program *p = x->code ? sim_program(x->code) : NULL;
    if (!p) return -1;
    *out = (struct kernel_needs){.registers = p->registers,
        .max_threads = (int)p->kernel->max_threads,
        .shared = p->shared_bytes,
        .local = p->local_bytes};
    for (size_t i = 0; i < p->step_count; i++) {
        enum ptx_op op = p->steps[i].op;
        out->grid_sync |= op == OP_BAR && p->steps[i].detail == BAR_GRID;
        out->speaks |= op == OP_PRINT || op == OP_ASSERT || op == OP_TRAP;
    }
    return 0;
}

static void sim_name(const struct kernel *k, struct buf *out) { ptx_full_name(sim_symbol(k), out); }

/* The source line of the first instruction. 0: the kernel has none. */
static int sim_line(const struct kernel *k)
{
    const struct entry *x = k->state;
    return x->func->inst_count ? x->func->insts[0].loc.line : 0;
}

static int sim_object(const struct kernel *k, const char *symbol, uint64_t *offset)
{
    const struct entry *x = k->state;
    const struct ptx_program *p = x->code ? sim_program(x->code) : NULL;
    for (size_t i = 0; p && i < p->object_count; i++)
        if ((p->objects[i].space == SPACE_SHARED || p->objects[i].space == SPACE_LOCAL) &&
            !strcmp(p->objects[i].var->name, symbol)) {
            *offset = p->objects[i].offset;
            return 0;
        }
    return -1;
}

/* Appends the names in the source, separated by commas. */
static void sim_kernels(const struct module *m, struct buf *out)
{
    const struct sim_module *sm = m->state;
    for (size_t i = 0; i < sm->kernel_count; i++) {
        buf_printf(out, "%s", i ? ", " : "");
        ptx_full_name(((struct entry *)sm->kernels[i].state)->func->name, out);
    }
}

/* Variables without an initializer are zeros. */
static long sim_initial(const struct module *m, const char *variable, void *out, size_t max)
{
    const struct sim_module *sm = m->state;
    const struct ptx_var *v = find_var(sm->ptx, variable);
    if (!v) return -1;
    size_t n = v->bytes < max ? v->bytes : max;
    if (v->init)
        memcpy(out, v->init, n);
    else
        memset(out, 0, n);
    return (long)v->bytes;
}

/* *bytes is set only if the variable exists. */
static dev_ptr sim_variable(struct module *m, const char *variable, size_t *bytes)
{
    const struct sim_module *sm = m->state;
    const struct ptx_var *v = find_var(sm->ptx, variable);
    if (!v) return 0;
    *bytes = v->bytes;
    return sm->variables[v - sm->ptx->vars];
}

/* ---- launch ---- */

static int by_line(const void *a, const void *b)
{
    return ((const struct line_access *)a)->line - ((const struct line_access *)b)->line;
}

/* Copy the recorded addresses of each instruction that a warp executed. Global addresses become
 * offsets from the start of the buffer that the lowest active lane accesses. */
static void take_accesses(
    struct device *d, const struct entry *x, const struct sim_result *r, struct measurement *out)
{
    const struct state *s = d->state;
    const struct ptx_program *p = sim_program(x->code);
    size_t cap = 0;
    for (size_t i = 0; i < r->step_count; i++) {
        const struct sim_access *from = &r->accesses[i];
        if (from->block == UINT64_MAX || !from->mask || p->steps[i].loc.line <= 0) continue;
        struct line_access *a = VEC_PUSH(out->accesses, out->access_count, cap);
        *a = (struct line_access){.line = p->steps[i].loc.line,
            .shared = from->space == SPACE_SHARED,
            .write = from->write,
            .atomic = p->steps[i].op == OP_ATOM,
            .bytes = from->bytes,
            .mask = from->mask};
        uint64_t start = 0;
        if (!a->shared)
            start = sim_buffer(
                s->memory, from->addr[__builtin_ctz(from->mask)], a->buffer, sizeof a->buffer);
        for (int l = 0; l < WARP_SIZE; l++)
            a->addr[l] = from->mask >> l & 1 ? from->addr[l] - start : 0;
    }
    if (out->access_count) qsort(out->accesses, out->access_count, sizeof *out->accesses, by_line);
}

/* Move the simulator's result into a measurement, which takes ownership of the printed text. */
static void take_result(struct sim_result *r, struct measurement *out)
{
    out->time_is = TIME_MODELLED;
    out->ms = r->time.ms;
    out->bottleneck = r->time.bottleneck;
    out->start_ms = r->time.start_ms;
    memcpy(out->part_ms, r->time.part_ms, sizeof out->part_ms);
    out->occupancy = r->occupancy;
    out->work = r->work;
    out->metrics = r->metrics;
    out->printed = r->printed;
    r->printed = NULL;
    out->line_count = r->line_count;
    out->lines = xcalloc(r->line_count, sizeof *out->lines);
    for (size_t i = 0; i < r->line_count; i++)
        out->lines[i] = (struct line_counts){r->lines[i].line, r->lines[i].metrics};
}

/* Passes on what a launch prints and what its checks find, and notes that it did. */
struct listener {
    const struct device_settings *to;
    int heard;
};
static void hear_progress(void *context, double share)
{
    const struct listener *l = context;
    l->to->progress(l->to->context, share);
}
static void hear_print(void *context, const char *text)
{
    struct listener *l = context;
    l->heard |= text && *text;
    l->to->print(l->to->context, text);
}
static void hear_note(void *context, const char *file, const struct err *e, unsigned long times)
{
    struct listener *l = context;
    l->heard = 1;
    l->to->note(l->to->context, file, e, times);
}

/* The arguments are packed into one parameter block, each at the offset of its parameter in the
 * PTX. */
static int sim_launch_on(struct device *d, struct kernel *k, const struct launch_shape *shape,
    const void *const *args, struct measurement *out, struct err *e)
{
    struct state *s = d->state;
    struct entry *x = k->state;
    if (!x->code) {
        if (e) *e = x->refused;
        return -1;
    }
    struct sim_shape sh = {.dynamic_shared = shape->dynamic_shared};
    memcpy(sh.grid, shape->grid, sizeof sh.grid);
    memcpy(sh.block, shape->block, sizeof sh.block);
    memcpy(sh.cluster, shape->cluster, sizeof sh.cluster);
    unsigned char *block = xcalloc(sim_program(x->code)->param_bytes + 1, 1);
    for (size_t i = 0; i < x->func->param_count; i++)
        memcpy(block + ptx_param_offset(x->func, i), args[i], x->func->params[i].bytes);
    /* A launch that is counted or watched has to run, and so has one of which only a part runs. */
    int repeats = d->settings.repeats && d->settings.uncounted && !d->settings.watch &&
                  !shape->without && !shape->sample && !shape->sample_sms;
    if (repeats &&
        repeat_begin(&x->latest, s->memory, &sh, block, sim_program(x->code)->param_bytes)) {
        if (out) model_metrics_clear(&out->metrics);
        free(block);
        return 0;
    }
    struct listener listener = {&d->settings, 0};
    struct sim_result r = {0};
    struct watcher watcher = {s->memory, sim_program(x->code), d->settings.watch};
    const struct sim_watch watch = {watcher.to ? watcher.to->block : 0,
        watcher.to ? watcher.to->warps : 0, watcher.to && watcher.to->unoptimised, watch_pass,
        &watcher};
    struct sim_options options = {.threads = d->settings.threads,
        .masked = d->settings.masked,
        .unchecked = d->settings.unchecked,
        .same_value_ok = d->settings.same_value_ok,
        .lenient = d->settings.lenient,
        .order = d->settings.order,
        .uncounted = d->settings.uncounted,
        .unflown = d->settings.load_uncounted,
        .count_sms = d->settings.count_sms,
        .executed = &d->settings.executed,
        .budget = shape->budget,
        .seconds = shape->seconds,
        .progress = d->settings.progress ? hear_progress : NULL,
        .print = d->settings.print ? hear_print : NULL,
        .note = d->settings.note ? hear_note : NULL,
        .context = &listener,
        .sample = shape->sample,
        .sample_sms = (int)shape->sample_sms,
        .first_sm = shape->first_sm,
        .apart = shape->apart,
        .without = shape->without,
        .exchange = shape->exchange,
        .watch = d->settings.watch ? &watch : NULL};
    int status =
        sim_launch(x->code, s->memory, d->profile, &sh, block, &options, out ? &r : NULL, e);
    if (repeats) repeat_end(&x->latest, s->memory, !status && !listener.heard && !r.printed);
    if (!status && out && (watcher.to || options.uncounted))
        model_metrics_clear(&out->metrics);
    else if (!status && out) {
        take_result(&r, out);
        take_accesses(d, x, &r, out);
    }
    if (out && r.printed) out->printed = r.printed, r.printed = NULL;
    sim_result_free(&r);
    free(block);
    return status;
}

/* Uses a model of the link between host and GPU; nothing is copied. */
static int transfer(
    struct device *d, const struct model_transfer *t, double *ms, enum time_kind *is, struct err *e)
{
    *is = TIME_MODELLED;
    *ms = model_transfer_ms(d->profile, t);
    return *ms > 0
               ? 0
               : err_set(e, ERR_ENV, "device '%s': how fast data gets to it is not known", d->name);
}

static void sim_list(struct buf *out)
{
    for (int i = 0; model_profile_at(i); i++)
        buf_printf(out, "sim:%s\n", model_profile_at(i)->name);
}

static int sim_present(void) { return 1; }

const struct device_ops device_sim = {
    .scheme = "sim",
    .open = sim_open,
    .close = sim_close,
    .alloc = sim_alloc_named,
    .alloc_shared = alloc_shared,
    .lend = lend,
    .free = sim_free_at,
    .copy_in = sim_copy_in,
    .copy_out = sim_copy_out,
    .where = sim_where,
    .forget = sim_forget,
    .flush = sim_flush,
    .load = sim_load,
    .unload = sim_unload,
    .source = sim_source,
    .fresh = fill_variables,
    .kernel = sim_kernel_named,
    .kernel_at = sim_kernel_at,
    .symbol = sim_symbol,
    .name = sim_name,
    .needs = sim_needs,
    .params = sim_params,
    .line = sim_line,
    .object = sim_object,
    .kernels = sim_kernels,
    .initial = sim_initial,
    .variable = sim_variable,
    .launch = sim_launch_on,
    .list = sim_list,
    .present = sim_present,
    .transfer = transfer,
};
