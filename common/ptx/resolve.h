/* resolve.h - the parts of resolving an instruction. Inside of ptx only.
 *
 *      opcode.c           its opcode, taken apart
 *      operand.c          its operands, fitted to the types of a row of ops.h
 *      resolve.c          arithmetic: rows with a meaning
 *      resolve_half.c     arithmetic in 16-bit formats
 *      resolve_mem.c      loads, stores, atomics, addresses
 *      resolve_warp.c     shuffles, votes, matches, barriers
 *      resolve_async.c    asynchronous copies, barriers in shared memory
 *      resolve_bulk.c     copies by the copy engine
 *      resolve_matrix.c   matrices held by a warp: loads, stores, products
 *      resolve_named.c    barriers of a part of the block
 *      resolve_wgmma.c    products by four warps, and what goes with them
 *
 * Each function refuses what it cannot handle by flatten_fail, which does not return. */
#ifndef LOCKSTEP_PTX_RESOLVE_H
#define LOCKSTEP_PTX_RESOLVE_H

#include "ptx/flatten.h"

/* ---- an opcode in its parts: "ld.global.f32" is ld, global, f32 ---- */

enum { MAX_PARTS = 16 };

/* part[0] is the name; parts that have been taken are gone. The parts are strings in text. */
struct parts {
    char text[128];
    char *part[MAX_PARTS];
    int count;
};

/* Split an opcode at its dots. Refuses one that is longer than any that exists. */
void opcode_split(struct flatten *f, struct frame *fr, const char *opcode, struct parts *s);
/* Remove a modifier; returns whether it was there. */
int opcode_take(struct parts *s, const char *name);
/* Remove the first of names that is a modifier; returns its index in names, or -1. */
int opcode_take_one_of(struct parts *s, const char *const *names);
/* Remove all modifiers that are among names. */
void opcode_take_all(struct parts *s, const char *const *names);
/* The row of ops.h for the parts that are left, or OP_NONE. */
enum ptx_op opcode_find(const struct parts *s);
/* Remove the last part, which must be a type. */
enum ptx_type opcode_last_type(struct flatten *f, struct frame *fr, struct parts *s);
/* Refuse modifiers that are left. */
void opcode_no_more(struct flatten *f, struct frame *fr, const struct parts *s);

/* ---- operands ---- */

static inline enum ptx_type slot_type(const struct flatten *f, int vreg)
{
    return f->p->vregs[vreg].type;
}

static inline int is_wide(enum ptx_type t) { return ptx_type_bytes(t) == 8; }

struct ptx_src operand_reg(int vreg);
struct ptx_src operand_imm(uint64_t v);
/* Append a quiet step on one or two sources. Returns the vreg of its result, which is new. */
int operand_emit(struct flatten *f, struct frame *fr, enum ptx_op op, enum ptx_type type,
    struct ptx_src a, struct ptx_src b);
/* Append a read of a special register into vreg, or into a new vreg if vreg is -1. Returns the
 * vreg. */
int operand_sreg(
    struct flatten *f, struct frame *fr, const char *name, enum ptx_type type, int vreg);
/* A source operand as a value of type want. Appends the quiet steps that narrow or negate it. */
struct ptx_src operand_source(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_type want);
/* Operand i of the instruction. Refuses the instruction if it has fewer. */
const struct ptx_operand *operand_at(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, int i);
/* Refuse a vreg that cannot hold type t. */
void operand_check(struct flatten *f, struct frame *fr, int vreg, enum ptx_type t);
/* The vreg that a result goes to, or -1 for _. */
int operand_dest(struct flatten *f, struct frame *fr, const struct ptx_operand *o);
/* The same for a result of type t, which the vreg must be able to hold. */
int operand_dest_as(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_type t);
/* The vreg of the second predicate of p|q, or -1. */
int operand_pair(struct flatten *f, struct frame *fr, const struct ptx_operand *d);
/* The vreg to which a step writes a result of type t. If vreg is wider, it is a temporary for
 * operand_widen. */
int operand_narrow(struct flatten *f, int vreg, enum ptx_type t);
/* Give the guard of the instruction to the steps from first on. */
void operand_guard(struct flatten *f, struct frame *fr, const struct ptx_inst *in, size_t first);
/* Append the step that widens a result of type t from the temporary into the vreg; none if they are
 * the same. */
void operand_widen(struct flatten *f, struct frame *fr, int from, int to, enum ptx_type t);

/* ---- families ---- */

/* Append d = op(sources), with the quiet steps of .ftz and .sat and those that fit the result
 * to d. */
void resolve_alu_step(struct flatten *f, struct frame *fr, enum ptx_op op, int d,
    const struct ptx_src *src, int ftz, int sat);
/* Append a copy of a complete step, with the text and source line of the current instruction. */
void resolve_finish(struct flatten *f, struct frame *fr, const struct ptx_step *made);
/* An instruction whose result is in a 16-bit format, or that compares pairs. Returns 0 for others,
 * with s unchanged. */
int resolve_half(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
/* Remove the state space, SPACE_GENERIC if there is none; remove orderings, scopes and hints. */
enum ptx_space resolve_take_space(struct parts *s);
void resolve_take_hints(struct parts *s);
/* The operand [..] as src[0] and offset of a step, whose space is set. */
void resolve_address(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, struct ptx_step *to);
/* The same as one source: the constant part is added to the register. */
struct ptx_src resolve_whole_address(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_space space);
/* What follows "cp.async.bulk". */
void resolve_bulk(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
/* A row with PTX_WARP, op. */
void resolve_warp(struct flatten *f, struct frame *fr, const struct ptx_inst *in, enum ptx_op op,
    struct parts *s);
/* One family each: append the steps of instruction in, whose opcode is s. */
void resolve_ld(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_st(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_atom(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_cvta(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_mapa(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_isspacep(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_cp(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_mbarrier(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_ldmatrix(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_stmatrix(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_movmatrix(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_mma(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_wgmma(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_setmaxnreg(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_elect(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
void resolve_named(struct flatten *f, struct frame *fr, const struct ptx_inst *in, int waits);
void resolve_bar(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);

#endif
