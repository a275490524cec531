/* flatten.c - converts a kernel to a flat list of steps: calls inlined, memory laid out, branches
 * resolved.
 *
 *      kernel:  a   call f   b   ret              a  [ x   @%p bra END   y   END: ]  b  exit
 *      f:       x   @%p ret  y   ret      ──>        `-- f, with registers and labels of its own
 *
 * With every call inlined there is one control-flow graph and one set of registers. So divergence
 * in a called function reconverges by the same rule as anywhere else. Calls: calls.c.
 *
 * Source: PTX ISA, state spaces, control flow instructions, function definitions. */
#include "ptx/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MAX_STEPS: most steps of a program, as protection from hostile input; SHARED_ALIGN: alignment of
 * shared arrays in bytes. */
enum { MAX_STEPS = 1 << 20, SHARED_ALIGN = 16 };

/* The end of the error message about an unsupported instruction: what is supported instead, chosen
 * by the start of the opcode. */
static const char *instead_of(const char *opcode)
{
    static const struct {
        const char *starts, *says;
    } rows[] = {
        {"mma.", "m16n8 with k of 4 to 32 is, and m8n8k4 of doubles"},
        {"wmma.", "mma.sync is"},
        {"wgmma.", "mma.sync is"},
        {"tcgen05.", "mma.sync is"},
        {"cp.", "cp.async of 4, 8 and 16 bytes a thread is, and cp.async.bulk of bytes and boxes"},
        {"mbarrier.", "init, inval, expect_tx, arrive, test_wait and try_wait are"},
        {"tex.", "textures are not; ld.global.nc reads through their cache"},
        {"tld4.", "textures are not; ld.global.nc reads through their cache"},
        {"suld.", "surfaces are not; ld.global is"},
        {"sust.", "surfaces are not; st.global is"},
        {"getctarank.", "%cluster_ctarank and mapa are"},
        {"st.async.", "st.shared::cluster and a barrier of the cluster are"},
        {"red.async.", "red.shared::cluster and a barrier of the cluster are"},
        {"multimem.", "several GPUs are not; ld.global and st.global are"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strncmp(opcode, rows[i].starts, strlen(rows[i].starts))) return rows[i].says;
    return "arithmetic, loads, stores, atomics, votes, shuffles and barriers of a block are";
}

/* Reports an error at the learner's line if that is known, else at the line of the PTX text, and
 * leaves by longjmp to flatten_all. If the text is "is not supported", the advice of instead_of is
 * appended. */
void flatten_fail(struct flatten *f, const struct frame *fr, const char *fmt, ...)
{
    va_list ap;
    char what[512];
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    const struct ptx_inst *in = fr->inst >= 0 ? &fr->func->insts[fr->inst] : NULL;
    if (in && !strcmp(what, "is not supported"))
        snprintf(what, sizeof what, "is not supported: %s", instead_of(in->opcode));
    if (fr->line && f->main_index >= 0)
        err_set(f->e, ERR_LEARNER, "%s:%d: instruction %s %s", f->main_file, fr->line,
            in ? in->opcode : "", what);
    else
        err_set(f->e, ERR_LEARNER, "%s:%d: instruction %s %s", f->m->name,
            in ? in->loc.ptx_line : 0, in ? in->opcode : "", what);
    longjmp(f->fail, 1);
}

/* The memory is freed by ptx_flatten at the end, also after an error. */
void *flatten_alloc(struct flatten *f, size_t count, size_t size)
{
    void **p = VEC_PUSH(f->owned, f->owned_count, f->owned_cap);
    return *p = xcalloc(count, size);
}

int flatten_vreg(struct flatten *f, enum ptx_type type)
{
    *VEC_PUSH(f->p->vregs, f->p->vreg_count, f->p->vreg_cap) = (struct ptx_vreg){type};
    return (int)f->p->vreg_count - 1;
}

/* Append an unguarded step for the current instruction. The pointer is valid until the next step is
 * appended. */
struct ptx_step *flatten_step(struct flatten *f, const struct frame *fr, enum ptx_op op)
{
    if (f->p->step_count >= MAX_STEPS)
        flatten_fail(f, fr, "makes the kernel longer than %d instructions", MAX_STEPS);
    struct ptx_step *s = VEC_PUSH(f->p->steps, f->p->step_count, f->p->step_cap);
    s->op = op;
    s->guard = s->target = s->dst_pair = -1;
    s->vector = 1;
    s->text = fr->func->insts[fr->inst].opcode;
    s->loc = fr->func->insts[fr->inst].loc;
    s->loc.line = fr->line;
    return s;
}

/* ---- objects: the program's variables ---- */

/* Adds an object and returns its index. Shared and local variables get their offset here. For other
 * spaces the offset is 0; ptx_flatten sets the offsets of parameters and of dynamic shared memory
 * at the end. */
int flatten_lay_out(struct flatten *f, const struct ptx_var *v, enum ptx_space space)
{
    struct ptx_program *p = f->p;
    uint64_t offset = 0;
    size_t align = v->align ? v->align : 1;
    if (space == SPACE_SHARED && v->bytes) {
        /* Arrays are aligned to 16 bytes, as ptxas does, so that neighbouring loads can be
         * merged. */
        if (align < SHARED_ALIGN && v->bytes >= SHARED_ALIGN) align = SHARED_ALIGN;
        offset = (p->shared_bytes + align - 1) / align * align;
        p->shared_bytes = offset + v->bytes;
    } else if (space == SPACE_LOCAL) {
        offset = (p->local_bytes + align - 1) / align * align;
        p->local_bytes = offset + v->bytes;
    }
    *VEC_PUSH(p->objects, p->object_count, p->object_cap) =
        (struct ptx_object){v, space, offset, 0};
    return (int)p->object_count - 1;
}

int flatten_stacked(struct flatten *f, const struct ptx_var *v, struct instance *x)
{
    size_t align = v->align > 8 ? v->align : 8;
    x->bytes = (x->bytes + align - 1) / align * align;
    *VEC_PUSH(f->p->objects, f->p->object_count, f->p->object_cap) =
        (struct ptx_object){v, SPACE_LOCAL, x->bytes, 1};
    x->bytes += v->bytes;
    return (int)f->p->object_count - 1;
}

struct ptx_src flatten_address(struct flatten *f, struct frame *fr, int object, uint64_t imm)
{
    const struct ptx_object *o = &f->p->objects[object];
    if (!o->stacked) return (struct ptx_src){.kind = SRC_ADDRESS, .reg = object, .imm = imm};
    return operand_reg(
        operand_emit(f, fr, OP_add_b64, PTX_U64, operand_reg(f->sp), operand_imm(o->offset + imm)));
}

/* The object of a variable that exists once in the program; each use of the variable gets the same
 * object. */
static int object_of(struct flatten *f, const struct ptx_var *v, enum ptx_space space)
{
    for (size_t i = 0; i < f->p->object_count; i++)
        if (f->p->objects[i].var == v) return (int)i;
    return flatten_lay_out(f, v, space);
}

/* The index of the function's variable with this name; -1: there is none. If several scopes declare
 * the name, the last declaration before the current instruction is used. */
static int find_local_var(const struct frame *fr, const char *symbol)
{
    int found = -1;
    for (size_t i = 0; i < fr->func->var_count; i++)
        if (!strcmp(fr->func->vars[i].name, symbol) &&
            (found < 0 || fr->func->vars[i].declared_at <= fr->inst))
            found = (int)i;
    return found;
}

/* The name is looked up in the order of PTX's scopes: the body, the parameters, the results, the
 * module. Each inlined call has its own local variables and .param objects; shared variables are
 * the same in all calls. */
int flatten_object(struct flatten *f, struct frame *fr, const char *symbol)
{
    const struct ptx_func *fn = fr->func;
    int i = find_local_var(fr, symbol);
    if (i >= 0) {
        const struct ptx_var *v = &fn->vars[i];
        if (fr->object[i] < 0)
            fr->object[i] = v->space == SPACE_SHARED ? object_of(f, v, SPACE_SHARED)
                            : v->space != SPACE_LOCAL && v->space != SPACE_PARAM
                                ? object_of(f, v, v->space)
                            : fr->instance ? flatten_stacked(f, v, fr->instance)
                                           : flatten_lay_out(f, v, SPACE_LOCAL);
        return fr->object[i];
    }
    for (size_t k = 0; k < fn->param_count; k++)
        if (!strcmp(fn->params[k].name, symbol))
            return fr->param_object ? fr->param_object[k]
                                    : object_of(f, &fn->params[k], SPACE_PARAM);
    for (size_t k = 0; k < fn->return_count; k++)
        if (!strcmp(fn->returns[k].name, symbol))
            return fr->return_object ? fr->return_object[k] : -1;
    for (size_t k = 0; k < f->m->var_count; k++)
        if (!strcmp(f->m->vars[k].name, symbol))
            return object_of(f, &f->m->vars[k], f->m->vars[k].space);
    return -1;
}

/* Reports that a name is unknown, and does not return; functions have a message of their own. */
void flatten_unknown(struct flatten *f, const struct frame *fr, const char *symbol)
{
    for (size_t i = 0; i < f->m->func_count; i++)
        if (!strcmp(f->m->funcs[i].name, symbol))
            flatten_fail(
                f, fr, "takes the address of %s, which is not defined in this file", symbol);
    flatten_fail(f, fr, "names %s, which is not defined here", symbol);
}

/* ---- functions ---- */

/* The index of the instruction after a label of the function; for a label at the function's end,
 * inst_count. */
static int find_label(struct flatten *f, const struct frame *fr, const char *name)
{
    for (size_t i = 0; i < fr->func->label_count; i++)
        if (!strcmp(fr->func->labels[i].name, name)) return fr->func->labels[i].inst;
    flatten_fail(f, fr, "goes to %s, which is not in this function", name);
}

/* Set the guard of a step. The guard in an instruction is a register of the function, so the
 * function's first vreg is added. */
static void set_guard(struct ptx_step *s, const struct frame *fr, const struct ptx_inst *in)
{
    s->guard = in->guard >= 0 ? fr->vreg_base + in->guard : -1;
    s->guard_negated = in->guard_negated;
}

/* Append a branch to instruction "inst" of the function. That instruction may have no step yet, so
 * a fixup sets the target at the end. The branch gets the guard of the instruction `in`; NULL: no
 * guard. */
static void go_to(struct flatten *f, const struct frame *fr, const struct ptx_inst *in, int inst)
{
    struct ptx_step *s = flatten_step(f, fr, OP_BRA);
    if (in) set_guard(s, fr, in);
    *VEC_PUSH(f->fixups, f->fixup_count, f->fixup_cap) =
        (struct fixup){(int)f->p->step_count - 1, inst, fr->start};
}

/* Is the opcode this name, alone or with the only modifier of a jump: "bra", "bra.uni"? */
static int is_jump(const char *opcode, const char *name)
{
    size_t n = strlen(name);
    return !strncmp(opcode, name, n) && (!opcode[n] || !strcmp(opcode + n, ".uni"));
}

/* Remember the last line of the learner's file. Instructions from headers are attributed to that
 * line. */
static void track_line(const struct flatten *f, struct frame *fr, const struct ptx_inst *in)
{
    if (in->loc.line > 0 && in->loc.file == f->main_index) fr->line = in->loc.line;
}

/* Append the steps of one instruction. In an inlined function, ret becomes a branch to the
 * function's end. */
static void one_inst(struct flatten *f, struct frame *fr, const struct ptx_inst *in)
{
    int end = (int)fr->func->inst_count;
    size_t first = f->p->step_count;
    if (is_jump(in->opcode, "bra")) {
        if (in->operand_count != 1 || in->operand[0].kind != OPERAND_SYMBOL)
            flatten_fail(f, fr, "needs a label");
        go_to(f, fr, in, find_label(f, fr, in->operand[0].symbol));
    } else if (!strncmp(in->opcode, "brx.", 4)) {
        flatten_fail(f, fr, "is not supported: branches through a table");
    } else if (is_jump(in->opcode, "call")) {
        flatten_call(f, fr, in);
    } else if (is_jump(in->opcode, "ret") && fr->caller) {
        go_to(f, fr, in, end);
    } else if (is_jump(in->opcode, "ret") || is_jump(in->opcode, "exit")) {
        set_guard(flatten_step(f, fr, OP_EXIT), fr, in);
    } else {
        resolve_inst(f, fr, in);
    }
    if (in->labelled && first < f->p->step_count) f->p->steps[first].flags |= FLAG_LABELLED;
}

/* Append the steps of a function, with new vregs for its registers. start[i] is set to the first
 * step of instruction i; start[inst_count] to the step after the function. */
void flatten_inline(struct flatten *f, struct frame *fr)
{
    const struct ptx_func *g = fr->func;
    fr->start = flatten_alloc(f, g->inst_count + 1, sizeof *fr->start);
    fr->vreg_base = (int)f->p->vreg_count;
    for (size_t i = 0; i < g->reg_count; i++) flatten_vreg(f, g->regs[i].type);
    fr->object = flatten_alloc(f, g->var_count, sizeof *fr->object);
    for (size_t i = 0; i < g->var_count; i++) fr->object[i] = -1;
    for (size_t i = 0; i < g->inst_count; i++) {
        fr->inst = (int)i;
        fr->start[i] = (int)f->p->step_count;
        track_line(f, fr, &g->insts[i]);
        if (g->insts[i].guard >= 0 && g->regs[g->insts[i].guard].type != PTX_PRED)
            flatten_fail(f, fr, "has a guard that is no predicate");
        one_inst(f, fr, &g->insts[i]);
    }
    fr->start[g->inst_count] = (int)f->p->step_count;
    if (!fr->caller && g->inst_count) /* in case the kernel does not end with ret */
        flatten_step(f, fr, OP_EXIT)->flags |= FLAG_QUIET;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The index that a .file directive gives to the learner's file; paths are compared by their last
 * component. -1: none. */
static int main_index(const struct ptx_module *m, const char *main_file)
{
    for (size_t i = 0; i < m->file_count; i++)
        if (!strcmp(base_name(m->files[i].name), base_name(main_file))) return m->files[i].index;
    return -1;
}

const char *ptx_kernel_file(
    const struct ptx_module *m, const struct ptx_func *kernel, const char *main_file)
{
    int index = main_index(m, main_file);
    for (size_t i = 0; i < kernel->inst_count; i++)
        if (kernel->insts[i].loc.line > 0 && kernel->insts[i].loc.file == index) return main_file;
    for (size_t k = 0; kernel->loc.line > 0 && k < m->file_count; k++)
        if (m->files[k].index == kernel->loc.file) return m->files[k].name;
    return main_file;
}

/* The part of ptx_flatten that can fail. Returns -1 after an error (a longjmp of flatten_fail). */
static int flatten_all(struct flatten *f, const struct ptx_func *kernel)
{
    struct frame top = {.func = kernel, .inst = -1};
    if (setjmp(f->fail)) return -1;
    if (!kernel->inst_count) flatten_fail(f, &top, "is missing: the kernel is empty");
    for (size_t i = 0; i < kernel->param_count; i++) object_of(f, &kernel->params[i], SPACE_PARAM);
    flatten_inline(f, &top);
    flatten_instances(f, &top);
    for (size_t i = 0; i < f->fixup_count; i++)
        f->p->steps[f->fixups[i].step].target = f->fixups[i].start[f->fixups[i].inst];
    return 0;
}

/* In this order: append all steps; free the working memory; place parameters, and dynamic shared
 * memory after all static shared memory; find the basic blocks. */
int ptx_flatten(const struct ptx_module *m, const struct ptx_func *kernel, const char *main_file,
    struct ptx_program **out, struct err *e)
{
    struct flatten *f = xcalloc(1, sizeof *f);
    struct ptx_program *p = xcalloc(1, sizeof *p);
    *f = (struct flatten){.m = m, .p = p, .main_file = main_file, .carry = -1, .sp = -1, .e = e};
    f->main_index = main_index(m, main_file);
    p->module = m;
    p->kernel = kernel;
    int status = flatten_all(f, kernel);
    for (struct instance *x = f->instances; x; x = x->next) free(x->sites);
    for (size_t i = 0; i < f->owned_count; i++) free(f->owned[i]);
    free(f->owned);
    free(f->fixups), free(f->jumps), free(f->sizes);
    free(f);
    if (status) {
        ptx_program_free(p);
        return -1;
    }
    if (kernel->param_count)
        p->param_bytes = ptx_param_offset(kernel, kernel->param_count - 1) +
                         kernel->params[kernel->param_count - 1].bytes;
    p->shared_dynamic = (p->shared_bytes + SHARED_ALIGN - 1) / SHARED_ALIGN * SHARED_ALIGN;
    for (size_t i = 0; i < p->object_count; i++)
        if (p->objects[i].space == SPACE_SHARED && !p->objects[i].var->bytes)
            p->objects[i].offset = p->shared_dynamic;
    for (size_t i = 0; i < p->object_count; i++)
        if (p->objects[i].space == SPACE_PARAM)
            for (size_t k = 0; k < kernel->param_count; k++)
                if (p->objects[i].var == &kernel->params[k])
                    p->objects[i].offset = ptx_param_offset(kernel, k);
    ptx_find_blocks(p);
    *out = p;
    return 0;
}

void ptx_program_free(struct ptx_program *p)
{
    if (!p) return;
    for (size_t i = 0; i < p->step_count; i++) free(p->steps[i].more);
    free(p->steps);
    free(p->blocks);
    free(p->ahead);
    free(p->vregs);
    free(p->objects);
    free(p);
}
