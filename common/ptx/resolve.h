/* resolve.h - the parts of resolving an instruction: its opcode (opcode.c), its operands (operand.c), and the families
 * of instructions (resolve.c: rows with a meaning; resolve_mem.c; resolve_warp.c). Inside of ptx only. */
#ifndef LOCKSTEP_PTX_RESOLVE_H
#define LOCKSTEP_PTX_RESOLVE_H

#include "ptx/flatten.h"

/* ---- an opcode in its parts: "ld.global.f32" is ld, global, f32 ---- */

enum { MAX_PARTS = 16 };

struct parts {
    char text[128];
    char *part[MAX_PARTS];
    int count;
};

/* Fails where the opcode is longer than any that exists. */
void opcode_split(struct flatten *f, struct frame *fr, const char *opcode, struct parts *s);
/* Remove a part; tells whether it was there. */
int opcode_take(struct parts *s, const char *name);
/* Remove the one part that is among names; returns its index there, or -1. */
int opcode_take_one_of(struct parts *s, const char *const *names);
void opcode_take_all(struct parts *s, const char *const *names);
/* The row of ops.h for what is left. */
enum ptx_op opcode_find(const struct parts *s);
/* Remove the last part, which must be a type. */
enum ptx_type opcode_last_type(struct flatten *f, struct frame *fr, struct parts *s);
/* Refuse what is left besides the name. */
void opcode_no_more(struct flatten *f, struct frame *fr, const struct parts *s);

/* ---- operands ---- */

static inline enum ptx_type slot_type(const struct flatten *f, int vreg)
{
    return f->p->vregs[vreg].type;
}

static inline int is_wide(enum ptx_type t)
{
    return ptx_type_bytes(t) == 8;
}

struct ptx_src operand_reg(int vreg);
struct ptx_src operand_imm(uint64_t v);
/* A quiet step on one or two sources; returns the vreg of its result. */
int operand_emit(struct flatten *f, struct frame *fr, enum ptx_op op, enum ptx_type type, struct ptx_src a,
    struct ptx_src b);
/* A special register's value, in vreg, or in a vreg of its own where vreg is -1. */
int operand_sreg(struct flatten *f, struct frame *fr, const char *name, enum ptx_type type, int vreg);
/* A source operand as a value of type want: read, narrowed, negated, looked up. */
struct ptx_src operand_source(struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_type want);
const struct ptx_operand *operand_at(struct flatten *f, struct frame *fr, const struct ptx_inst *in, int i);
/* Refuse a vreg that cannot hold type t. */
void operand_check(struct flatten *f, struct frame *fr, int vreg, enum ptx_type t);
int operand_dest(struct flatten *f, struct frame *fr, const struct ptx_operand *o);
/* The vreg a result goes to, -1 for _; it must be able to hold type t. */
int operand_dest_as(struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_type t);
/* The second predicate of p|q, or -1. */
int operand_pair(struct flatten *f, struct frame *fr, const struct ptx_operand *d);
/* Where a result of type t goes when vreg is wider: a temporary, to be widened into vreg afterwards. */
int operand_narrow(struct flatten *f, int vreg, enum ptx_type t);
/* Put the instruction's guard on the steps from first on. */
void operand_guard(struct flatten *f, struct frame *fr, const struct ptx_inst *in, size_t first);
void operand_widen(struct flatten *f, struct frame *fr, int from, int to, enum ptx_type t);

/* ---- families ---- */

/* d = op(sources), with .ftz and .sat around it. */
void resolve_alu_step(struct flatten *f, struct frame *fr, enum ptx_op op, int d, const struct ptx_src *src,
    int ftz, int sat);
/* Append the step that was put together. */
void resolve_finish(struct flatten *f, struct frame *fr, const struct ptx_step *made);
void resolve_ld(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_st(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_atom(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_cvta(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_isspacep(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_shfl(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_vote(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_match(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_bar(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);

#endif
