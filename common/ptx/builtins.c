/* builtins.c - calls to functions that the simulator executes as one operation. CUDA provides the
 * functions behind printf and assert to device code, without PTX; they become PRINT and ASSERT.
 * lockstep_grid_sync is the grid-wide barrier in the kit's cooperative_groups.h; its PTX, a loop
 * that polls a counter, is for real GPUs only.
 *
 *     call (result), vprintf, (format, arguments)  ->  ld format; ld arguments; print; st 0, result
 *
 * All steps but print itself are quiet, that is, not counted, since the call is one instruction.
 *
 * Source: CUDA C++ Programming Guide, formatted output and assertion; PTX Interoperability, system
 * calls. */
#include "ptx/resolve.h"

#include <string.h>

/* The functions that the simulator executes as one operation: vprintf, __assertfail and others. A
 * call that uses the function's result gets 0. */
static const struct provided {
    const char *name;
    enum ptx_op op;
    size_t params; /* number of arguments in a call of the function */
    /* how many of the arguments, from the first on, are sources of the step; all are addresses */
    int sources;
    int detail; /* value for the step's field detail */
} table[] = {
    {"vprintf", OP_PRINT, 2, 2, 0},
    {"__assertfail", OP_ASSERT, 5, 1, 0},
    {"lockstep_grid_sync", OP_BAR, 0, 0, BAR_GRID},
};

/* The .param object of the caller that an operand names; an error unless the object has room for
 * this many bytes. Since calls are inlined, such objects are in local memory. */
static int object_of(struct flatten *f, struct frame *fr, const struct ptx_operand *o, size_t bytes)
{
    int object = o->kind == OPERAND_SYMBOL ? flatten_object(f, fr, o->symbol) : -1;
    if (object < 0 || f->p->objects[object].space != SPACE_LOCAL ||
        f->p->objects[object].var->bytes < bytes)
        flatten_fail(f, fr, "has an argument that is not a .param of %zu bytes", bytes);
    return object;
}

/* Append an uncounted load or store of an object in local memory. The caller must set dst[0]. */
static struct ptx_step *local_step(
    struct flatten *f, struct frame *fr, enum ptx_op op, enum ptx_type type, int object)
{
    struct ptx_src at = flatten_address(f, fr, object, 0);
    struct ptx_step *s = flatten_step(f, fr, op);
    s->type = type;
    s->space = SPACE_LOCAL;
    s->src[0] = at;
    s->src_count = 1;
    s->dst_count = 1;
    s->flags |= FLAG_QUIET;
    return s;
}

int flatten_provided(struct flatten *f, struct frame *fr, const struct ptx_inst *in,
    const char *name, const struct ptx_operand *const lists[2])
{
    const struct provided *t = table, *end = table + sizeof table / sizeof *table;
    while (t < end && strcmp(t->name, name)) t++;
    if (t == end) return 0;
    size_t first = f->p->step_count;
    int vregs[PTX_MAX_SRC];
    if ((size_t)(lists[1] ? lists[1]->element_count : 0) != t->params ||
        (lists[0] && lists[0]->element_count > 1))
        flatten_fail(f, fr, "has the wrong number of arguments");
    for (int i = 0; i < t->sources; i++) {
        int object = object_of(f, fr, &lists[1]->elements[i], 8);
        vregs[i] = flatten_vreg(f, PTX_B64);
        local_step(f, fr, OP_LD, PTX_B64, object)->dst[0] = vregs[i];
    }
    struct ptx_step *s = flatten_step(f, fr, t->op);
    s->detail = t->detail;
    for (int i = 0; i < t->sources; i++) s->src[s->src_count++] = operand_reg(vregs[i]);
    if (lists[0] && lists[0]->element_count) {
        int object = object_of(f, fr, &lists[0]->elements[0], 4), zero = flatten_vreg(f, PTX_B32);
        struct ptx_src none[PTX_MAX_SRC] = {operand_imm(0)};
        resolve_alu_step(f, fr, OP_mov_b32, zero, none, 0, 0);
        f->p->steps[f->p->step_count - 1].flags |= FLAG_QUIET;
        local_step(f, fr, OP_ST, PTX_B32, object)->dst[0] = zero;
    }
    operand_guard(f, fr, in, first);
    return 1;
}
