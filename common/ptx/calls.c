/* calls.c - calls. A function is inlined where it is called; three kinds of calls need more.
 *
 *      through a pointer     each function that the pointer may hold, behind a comparison:
 *
 *                                 p == &f?  f's body       p == &g?  g's body       else trap
 *
 *      recursion             one more body, an instance, with a stack in local memory:
 *
 *          sp   | index of the call site | results | parameters | variables | saved registers |
 *               |<---------------- frame of the instance ------------------>|<-- of a call -->|
 *
 *          call: save registers, copy arguments, branch to the instance; its end branches back to
 *          the call site with that index; then copy results, restore registers
 *
 *      provided functions    printf and others: builtins.c
 *
 * Steps that only serve these purposes are quiet (not counted). A register is saved if it is
 * mentioned before and after the call, where a loop around the call counts as both. Source: PTX
 * ISA, call, .callprototype; function definitions. */
#include "ptx/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MAX_DEPTH: most nested calls; STACK_BYTES: bytes of stack for each thread. FUNCTIONS: start of
 * the addresses of functions, above all other addresses. */
enum { MAX_DEPTH = 32, STACK_BYTES = 8192 };
static const uint64_t FUNCTIONS = (uint64_t)1 << 62;

static const struct ptx_var stack_var = {
    .name = (char *)"stack", .space = SPACE_LOCAL, .bytes = STACK_BYTES, .align = 16};

uint64_t ptx_function_address(const struct ptx_module *m, const char *name)
{
    for (size_t i = 0; i < m->func_count; i++)
        if (m->funcs[i].has_body && !strcmp(m->funcs[i].name, name))
            return FUNCTIONS + 16 * (uint64_t)i;
    return 0;
}

const struct ptx_func *ptx_function_at(const struct ptx_module *m, uint64_t address)
{
    size_t i = (address - FUNCTIONS) / 16;
    return address >= FUNCTIONS && address % 16 == 0 && i < m->func_count ? &m->funcs[i] : NULL;
}

/* ---- appending steps ---- */

static struct ptx_step *quiet_step(struct flatten *f, const struct frame *fr, enum ptx_op op)
{
    struct ptx_step *s = flatten_step(f, fr, op);
    s->flags |= FLAG_QUIET;
    return s;
}

/* Append a load or store of local memory. */
static void local_access(struct flatten *f, const struct frame *fr, enum ptx_op op,
    enum ptx_type type, int vreg, struct ptx_src at, int64_t offset)
{
    struct ptx_step *s = quiet_step(f, fr, op);
    s->type = type;
    s->space = SPACE_LOCAL;
    s->src[0] = at;
    s->src_count = 1;
    s->offset = offset;
    s->dst[0] = vreg;
    s->dst_count = 1;
}

/* Append the step to = a op b, where b may be absent. Returns the index of the step. */
static int set_vreg(struct flatten *f, const struct frame *fr, int to, enum ptx_op op,
    struct ptx_src a, struct ptx_src b)
{
    struct ptx_step *s = quiet_step(f, fr, op);
    s->type = ptx_ops[op].d;
    s->dst[0] = to;
    s->dst_count = 1;
    s->src[0] = a;
    s->src[1] = b;
    s->src_count = ptx_ops[op].arity;
    return (int)f->p->step_count - 1;
}

/* Append a branch, guarded by a predicate if guard is not -1. Returns the index of the branch; the
 * caller must set its target. */
static int go(struct flatten *f, const struct frame *fr, int guard, int negated)
{
    struct ptx_step *s = quiet_step(f, fr, OP_BRA);
    s->guard = guard;
    s->guard_negated = negated;
    return (int)f->p->step_count - 1;
}

/* Append steps that copy a parameter or result within local memory, in pieces of at most 8 bytes.
 * align: alignment of the caller's copy. */
static void copy_local(struct flatten *f, struct frame *fr, struct ptx_src to, int64_t to_offset,
    struct ptx_src from, int64_t from_offset, size_t bytes, size_t align)
{
    for (size_t at = 0; at < bytes;) {
        size_t n = align > 8 ? 8 : align ? align : 1;
        while (n > bytes - at) n /= 2;
        enum ptx_type type = n == 8 ? PTX_B64 : n == 4 ? PTX_B32 : n == 2 ? PTX_B16 : PTX_B8;
        int vreg = flatten_vreg(f, n == 8 ? PTX_B64 : PTX_B32);
        local_access(f, fr, OP_LD, type, vreg, from, from_offset + (int64_t)at);
        local_access(f, fr, OP_ST, type, vreg, to, to_offset + (int64_t)at);
        at += n;
    }
}

/* ---- instances: the bodies of recursive functions ---- */

static struct instance *instance_of(struct flatten *f, struct frame *fr, const struct ptx_func *g)
{
    for (struct instance *x = f->instances; x; x = x->next)
        if (x->func == g) return x;
    struct instance *x = flatten_alloc(f, 1, sizeof *x);
    *x = (struct instance){.func = g, .bytes = 8, .line = fr->line, .start = -1};
    int *objects = flatten_alloc(f, g->return_count + g->param_count + 1, sizeof *objects);
    for (size_t i = 0; i < g->return_count; i++) objects[i] = flatten_stacked(f, &g->returns[i], x);
    for (size_t i = 0; i < g->param_count; i++)
        objects[g->return_count + i] = flatten_stacked(f, &g->params[i], x);
    x->objects = objects;
    if (f->sp < 0) {
        f->sp = flatten_vreg(f, PTX_U64);
        f->stack = flatten_lay_out(f, &stack_var, SPACE_LOCAL);
    }
    struct instance **end = &f->instances;
    while (*end) end = &(*end)->next;
    return *end = x;
}

/* Does the operand mention register `reg` of its function? */
static int mentions(const struct ptx_operand *o, int reg)
{
    int found =
        (o->kind == OPERAND_REG || o->kind == OPERAND_MEM) && (o->reg == reg || o->pair == reg);
    for (int i = 0; i < o->element_count; i++) found |= mentions(&o->elements[i], reg);
    return found;
}

static int label_of(const struct ptx_func *g, const struct ptx_inst *in)
{
    for (size_t i = 0; in->operand_count == 1 && in->operand[0].symbol && i < g->label_count; i++)
        if (!strcmp(g->labels[i].name, in->operand[0].symbol)) return g->labels[i].inst;
    return -1;
}

/* Sets first[] and last[] to the first and last instruction in which each register is live, or to
 * -1 if no instruction mentions it. A register that is mentioned before and in a loop is live until
 * the end of the loop. */
static void spans(const struct ptx_func *g, int *first, int *last)
{
    for (size_t r = 0; r < g->reg_count; r++) {
        first[r] = last[r] = -1;
        for (int i = 0; i < (int)g->inst_count; i++) {
            int found = g->insts[i].guard == (int)r;
            for (int k = 0; k < g->insts[i].operand_count; k++)
                found |= mentions(&g->insts[i].operand[k], (int)r);
            if (found && first[r] < 0) first[r] = i;
            if (found) last[r] = i;
        }
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (int i = 0; i < (int)g->inst_count; i++) {
            int to = strncmp(g->insts[i].opcode, "bra", 3) ? -1 : label_of(g, &g->insts[i]);
            for (size_t r = 0; to >= 0 && to <= i && r < g->reg_count; r++)
                if (first[r] >= 0 && first[r] < to && last[r] >= to && last[r] < i)
                    last[r] = i, changed = 1;
        }
    }
}

/* Append steps that save (OP_ST) or restore (OP_LD) the registers that are live across the call:
 * those of this frame and of the frames into which it is inlined, up to the instance's own frame.
 * They are kept below address ns. OP_NONE: append nothing. count: the number of these registers.
 * Returns that number. */
static int saved(struct flatten *f, struct frame *fr, enum ptx_op op, struct ptx_src ns, int count)
{
    int n = 0;
    for (struct frame *c = fr; c && c->instance; c = c->caller) {
        const struct ptx_func *g = c->func;
        int *first = flatten_alloc(f, 2 * g->reg_count + 1, sizeof *first),
            *last = first + g->reg_count;
        spans(g, first, last);
        for (size_t r = 0; r < g->reg_count; r++) {
            if (first[r] < 0 || first[r] >= c->inst || last[r] <= c->inst) continue;
            int vreg = c->vreg_base + (int)r, pred = g->regs[r].type == PTX_PRED, word = vreg;
            enum ptx_type type = is_wide(g->regs[r].type) ? PTX_B64 : PTX_B32;
            int64_t at = 8 * (n++ - count);
            if (op == OP_NONE) continue;
            if (pred) word = flatten_vreg(f, PTX_B32);
            if (pred && op == OP_ST) {
                set_vreg(f, fr, word, OP_selp_b32, operand_imm(1), operand_imm(0));
                f->p->steps[f->p->step_count - 1].src[2] = operand_reg(vreg);
            }
            local_access(f, fr, op, type, word, ns, at);
            if (pred && op == OP_LD)
                set_vreg(f, fr, vreg, OP_setp_ne_u32, operand_reg(word), operand_imm(0));
        }
    }
    return n;
}

/* Record that the size of an instance's frame must be added to src[1] of this step (sign 1) or
 * subtracted from it (-1) once that size is known. */
static void add_size(struct flatten *f, int step, struct instance *x, int sign)
{
    *VEC_PUSH(f->sizes, f->size_count, f->size_cap) = (struct size_fixup){step, x, sign};
}

static void call_instance(
    struct flatten *f, struct frame *fr, const struct ptx_func *g, int *const bound[2])
{
    struct instance *x = instance_of(f, fr, g), *own = fr->instance;
    int count = own ? saved(f, fr, OP_NONE, (struct ptx_src){0}, 0) : 0,
        back = flatten_vreg(f, PTX_U64);
    struct ptx_src ns = operand_reg(flatten_vreg(f, PTX_U64)), sp = operand_reg(f->sp), none = {0};
    struct ptx_src stack = {.kind = SRC_ADDRESS, .reg = f->stack};
    if (own)
        add_size(
            f, set_vreg(f, fr, ns.reg, OP_add_b64, sp, operand_imm(8 * (uint64_t)count)), own, 1);
    else
        set_vreg(f, fr, ns.reg, OP_mov_b64, stack, none);
    if (own) saved(f, fr, OP_ST, ns, count);
    for (size_t i = 0; i < g->param_count; i++)
        copy_local(f, fr, ns, (int64_t)f->p->objects[x->objects[g->return_count + i]].offset,
            flatten_address(f, fr, bound[1][i], 0), 0, g->params[i].bytes,
            f->p->objects[bound[1][i]].var->align);
    int number = flatten_vreg(f, PTX_B32);
    set_vreg(f, fr, number, OP_mov_b32, operand_imm((uint64_t)x->site_count), none);
    local_access(f, fr, OP_ST, PTX_B32, number, ns, 0);
    set_vreg(f, fr, f->sp, OP_mov_b64, ns, none);
    *VEC_PUSH(f->jumps, f->jump_count, f->jump_cap) = (struct jump){go(f, fr, -1, 0), x};
    *VEC_PUSH(x->sites, x->site_count, x->site_cap) = (int)f->p->step_count;
    set_vreg(f, fr, back, OP_mov_b64, sp, none);
    if (own)
        add_size(f, set_vreg(f, fr, f->sp, OP_add_b64, sp, operand_imm(0 - 8 * (uint64_t)count)),
            own, -1);
    for (size_t i = 0; i < g->return_count; i++)
        copy_local(f, fr, flatten_address(f, fr, bound[0][i], 0), 0, operand_reg(back),
            (int64_t)f->p->objects[x->objects[i]].offset, g->returns[i].bytes,
            f->p->objects[bound[0][i]].var->align);
    if (own) saved(f, fr, OP_LD, operand_reg(back), count);
}

/* Append the bodies of all instances, which may add further instances; then, for each instance, the
 * branches back to its call sites. */
void flatten_instances(struct flatten *f, struct frame *top)
{
    for (struct instance *x = f->instances; x; x = x->next) {
        struct frame root = {.func = x->func,
            .caller = top,
            .instance = x,
            .return_object = x->objects,
            .param_object = x->objects + x->func->return_count,
            .line = x->line};
        x->start = (int)f->p->step_count;
        flatten_inline(f, &root);
        root.inst = (int)x->func->inst_count - 1;
        x->end = go(f, &root, -1, 0);
    }
    for (struct instance *x = f->instances; x; x = x->next) {
        struct frame root = {
            .func = x->func, .inst = (int)x->func->inst_count - 1, .line = x->line};
        int number = flatten_vreg(f, PTX_B32), same = flatten_vreg(f, PTX_PRED);
        f->p->steps[x->end].target = (int)f->p->step_count;
        local_access(f, &root, OP_LD, PTX_B32, number, operand_reg(f->sp), 0);
        for (size_t i = 0; i < x->site_count; i++) {
            int last = i + 1 == x->site_count;
            if (!last)
                set_vreg(
                    f, &root, same, OP_setp_eq_u32, operand_reg(number), operand_imm((uint64_t)i));
            /* appending may move the steps in memory */
            int back = go(f, &root, last ? -1 : same, 0);
            f->p->steps[back].target = x->sites[i];
        }
    }
    for (size_t i = 0; i < f->jump_count; i++)
        f->p->steps[f->jumps[i].step].target = f->jumps[i].to->start;
    for (size_t i = 0; i < f->size_count; i++)
        f->p->steps[f->sizes[i].step].src[1].imm +=
            (uint64_t)f->sizes[i].sign * ((f->sizes[i].of->bytes + 15) / 16 * 16);
}

/* ---- calls ---- */

/* The function definition that a call names; an error if there is none. */
static const struct ptx_func *callee_of(struct flatten *f, const struct frame *fr, const char *name)
{
    for (size_t i = 0; i < f->m->func_count; i++) {
        const struct ptx_func *g = &f->m->funcs[i];
        if (!g->is_entry && g->has_body && !strcmp(g->name, name)) return g;
    }
    size_t len;
    const char *source = ptx_source_name(name, &len);
    flatten_fail(
        f, fr, "calls %.*s, which is not defined in this file and not supported", (int)len, source);
}

static int argument(struct flatten *f, struct frame *fr, const struct ptx_operand *o)
{
    int object = o->kind == OPERAND_SYMBOL ? flatten_object(f, fr, o->symbol) : -1;
    if (object < 0) flatten_fail(f, fr, "has an argument that is not a .param");
    return object;
}

/* The .param objects of the caller that are bound to the results (k = 0) or parameters (k = 1) of
 * g. */
static int *bind(struct flatten *f, struct frame *fr, const struct ptx_func *g, int k,
    const struct ptx_operand *list)
{
    size_t want = k ? g->param_count : g->return_count;
    int *bound = flatten_alloc(f, want + 1, sizeof *bound);
    if ((size_t)(list ? list->element_count : 0) != want)
        flatten_fail(f, fr, "has the wrong number of arguments");
    for (size_t i = 0; i < want; i++) bound[i] = argument(f, fr, &list->elements[i]);
    return bound;
}

/* Append the body of g in place of a call; if g is being inlined already (recursion), call its
 * instance instead. */
static void call_function(struct flatten *f, struct frame *fr, const struct ptx_func *g,
    const struct ptx_operand *const lists[2])
{
    int *const bound[2] = {bind(f, fr, g, 0, lists[0]), bind(f, fr, g, 1, lists[1])};
    int depth = 0, again = 0;
    for (const struct frame *c = fr; c; c = c->caller, depth++) again |= c->func == g;
    if (depth > MAX_DEPTH)
        flatten_fail(f, fr, "is not supported: calls more than %d deep", MAX_DEPTH);
    if (again) {
        call_instance(f, fr, g, bound);
        return;
    }
    struct frame inner = {.func = g,
        .caller = fr,
        .instance = fr->instance,
        .return_object = bound[0],
        .param_object = bound[1],
        .line = fr->line};
    flatten_inline(f, &inner);
}

/* Does the module take the address of this function? */
static int is_taken(const struct ptx_module *m, const char *name)
{
    for (size_t i = 0; i < m->var_count; i++)
        for (int k = 0; k < m->vars[i].reloc_count; k++)
            if (!strcmp(m->vars[i].relocs[k].symbol, name)) return 1;
    for (size_t i = 0; i < m->func_count; i++)
        for (size_t k = 0; k < m->funcs[i].inst_count; k++) {
            const struct ptx_inst *in = &m->funcs[i].insts[k];
            for (int o = 0; o < in->operand_count && strncmp(in->opcode, "call", 4); o++)
                if (in->operand[o].kind == OPERAND_SYMBOL && !strcmp(in->operand[o].symbol, name))
                    return 1;
        }
    return 0;
}

/* Do the numbers and sizes of the arguments match those of g? */
static int fits(struct flatten *f, struct frame *fr, const struct ptx_func *g,
    const struct ptx_operand *const lists[2])
{
    for (int k = 0; k < 2; k++) {
        size_t count = k ? g->param_count : g->return_count;
        const struct ptx_var *vars = k ? g->params : g->returns;
        if ((size_t)(lists[k] ? lists[k]->element_count : 0) != count) return 0;
        int *bound = bind(f, fr, g, k, lists[k]);
        for (size_t i = 0; i < count; i++)
            if (f->p->objects[bound[i]].var->bytes != vars[i].bytes) return 0;
    }
    return 1;
}

/* Append a call through a pointer in a register. If the register holds none of the possible
 * functions, the thread traps. */
static void call_pointer(struct flatten *f, struct frame *fr, const struct ptx_operand *pointer,
    const struct ptx_operand *const lists[2])
{
    struct ptx_src p = operand_source(f, fr, pointer, PTX_U64);
    for (int k = 0; k < 2; k++)
        for (int i = 0; lists[k] && i < lists[k]->element_count; i++)
            argument(f, fr, &lists[k]->elements[i]);
    int *ends = flatten_alloc(f, f->m->func_count + 1, sizeof *ends), count = 0;
    int same = flatten_vreg(f, PTX_PRED);
    for (size_t i = 0; i < f->m->func_count; i++) {
        const struct ptx_func *g = &f->m->funcs[i];
        if (g->is_entry || !g->has_body || !is_taken(f->m, g->name) || !fits(f, fr, g, lists))
            continue;
        set_vreg(f, fr, same, OP_setp_eq_u64, p, operand_imm(FUNCTIONS + 16 * (uint64_t)i));
        int other = go(f, fr, same, 1);
        call_function(f, fr, g, lists);
        ends[count++] = go(f, fr, -1, 0);
        f->p->steps[other].target = (int)f->p->step_count;
    }
    quiet_step(f, fr, OP_TRAP);
    for (int i = 0; i < count; i++) f->p->steps[ends[i]].target = (int)f->p->step_count;
}

/* call{.uni} (results), function or pointer, (arguments){, prototype};  where either list may be
 * missing. If the call has a guard, a branch skips it. */
void flatten_call(struct flatten *f, struct frame *fr, const struct ptx_inst *in)
{
    const struct ptx_operand *lists[2] = {NULL, NULL}, *name = NULL;
    for (int i = 0; i < in->operand_count; i++) {
        const struct ptx_operand *o = &in->operand[i];
        if (o->kind == OPERAND_LIST)
            lists[name != NULL] = o;
        else if ((o->kind == OPERAND_SYMBOL || o->kind == OPERAND_REG) && !name)
            name = o;
        else if (o->kind != OPERAND_SYMBOL)
            flatten_fail(f, fr, "has an operand that does not belong there");
    }
    if (!name) flatten_fail(f, fr, "names no function");
    if (name->kind == OPERAND_SYMBOL && flatten_provided(f, fr, in, name->symbol, lists)) return;
    int around = in->guard >= 0 ? go(f, fr, fr->vreg_base + in->guard, !in->guard_negated) : -1;
    if (name->kind == OPERAND_REG)
        call_pointer(f, fr, name, lists);
    else
        call_function(f, fr, callee_of(f, fr, name->symbol), lists);
    if (around >= 0) f->p->steps[around].target = (int)f->p->step_count;
}
