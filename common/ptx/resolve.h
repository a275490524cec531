/* resolve.h - private to ptx/: the functions that convert an instruction to steps.
 *
 *      opcode.c           its opcode, split into parts
 *      operand.c          its operands, fitted to the types of a row of ops.h
 *      resolve.c          arithmetic: rows with a meaning
 *      resolve_half.c     arithmetic in 16-bit formats
 *      resolve_mem.c      loads, stores, atomics, addresses
 *      resolve_warp.c     shuffles, votes, matches, barriers
 *      resolve_async.c    asynchronous copies, mbarriers in shared memory
 *      resolve_bulk.c     copies by the copy engine
 *      resolve_matrix.c   matrices held by a warp: loads, stores, products
 *      resolve_named.c    barriers for part of the block
 *      resolve_wgmma.c    products by four warps, and related instructions
 *
 * If an instruction is not supported, each of these calls flatten_fail, which does not return. */
#ifndef LOCKSTEP_PTX_RESOLVE_H
#define LOCKSTEP_PTX_RESOLVE_H

#include "ptx/flatten.h"

/* ---- the parts of an opcode: "ld.global.f32" is ld, global, f32 ---- */

enum { MAX_PARTS = 16 };

/* The parts of an opcode that are not yet handled. part[0] is the name. The parts point into
 * text. */
struct parts {
    char text[128];
    char *part[MAX_PARTS];
    int count;
};

/* Split an opcode at its dots. An opcode longer than any that exists is an error. */
void opcode_split(struct flatten *f, struct frame *fr, const char *opcode, struct parts *s);
/* Remove a modifier; returns whether the opcode had it. */
int opcode_take(struct parts *s, const char *name);
/* Remove the first of names (terminated by NULL) that is a modifier; returns the modifier's index
 * in names; -1: none of them. */
int opcode_take_one_of(struct parts *s, const char *const *names);
/* Remove all modifiers that are in names. */
void opcode_take_all(struct parts *s, const char *const *names);
/* The row of ops.h for the remaining parts; OP_NONE: there is none. */
enum ptx_op opcode_find(const struct parts *s);
/* Remove the last part and return it as a type; an error if it is not a type. */
enum ptx_type opcode_last_type(struct flatten *f, struct frame *fr, struct parts *s);
/* An error if modifiers remain. */
void opcode_no_more(struct flatten *f, struct frame *fr, const struct parts *s);

/* ---- operands ---- */

static inline enum ptx_type slot_type(const struct flatten *f, int vreg)
{
    return f->p->vregs[vreg].type;
}

static inline int is_wide(enum ptx_type t) { return ptx_type_bytes(t) == 8; }

struct ptx_src operand_reg(int vreg);
struct ptx_src operand_imm(uint64_t v);
/* Append a quiet step, which stands for no instruction of the program and is not counted, with one
 * or two sources. Returns the new vreg that holds its result. */
int operand_emit(struct flatten *f, struct frame *fr, enum ptx_op op, enum ptx_type type,
    struct ptx_src a, struct ptx_src b);
/* Append a read of a special register into vreg, or into a new vreg if vreg is -1. Returns the
 * vreg. */
int operand_sreg(
    struct flatten *f, struct frame *fr, const char *name, enum ptx_type type, int vreg);
/* The value of a source operand as type want. Appends the uncounted steps that narrow or
 * negate it. */
struct ptx_src operand_source(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_type want);
/* Operand i of the instruction; an error if it has fewer. */
const struct ptx_operand *operand_at(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, int i);
/* An error if a vreg cannot hold type t. */
void operand_check(struct flatten *f, struct frame *fr, int vreg, enum ptx_type t);
/* The vreg of a result operand; -1 for the operand _. */
int operand_dest(struct flatten *f, struct frame *fr, const struct ptx_operand *o);
/* The vreg of a result operand; -1 for the operand _. An error if the vreg cannot hold type t. */
int operand_dest_as(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_type t);
/* The vreg of the second predicate of p|q; -1: there is none. */
int operand_pair(struct flatten *f, struct frame *fr, const struct ptx_operand *d);
/* The vreg to which a step writes a result of type t: vreg itself or, if that is wider, a temporary
 * for operand_widen. */
int operand_narrow(struct flatten *f, int vreg, enum ptx_type t);
/* Give the guard of the instruction to the steps from index `first` on. */
void operand_guard(struct flatten *f, struct frame *fr, const struct ptx_inst *in, size_t first);
/* Append the step that extends a result of type t from a temporary to the wider vreg; if both are
 * the same vreg, nothing is appended. */
void operand_widen(struct flatten *f, struct frame *fr, int from, int to, enum ptx_type t);

/* ---- families of instructions ---- */

/* Append d = op(sources), with quiet (uncounted) steps for .ftz and .sat and for a d that is wider
 * than the result. */
void resolve_alu_step(struct flatten *f, struct frame *fr, enum ptx_op op, int d,
    const struct ptx_src *src, int ftz, int sat);
/* Append a copy of *made, with the text and source line of the current instruction. */
void resolve_finish(struct flatten *f, struct frame *fr, const struct ptx_step *made);
/* Handles an instruction whose result is in a 16-bit format, or that compares pairs. Returns 0,
 * with s unchanged, if the instruction is neither. */
int resolve_half(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
/* resolve_take_space: remove the state space and return it; SPACE_GENERIC: there is none.
 * resolve_take_hints: remove memory orderings, scopes and cache hints. */
enum ptx_space resolve_take_space(struct parts *s);
void resolve_take_hints(struct parts *s);
/* Converts an operand [..] to src[0] and offset of a step; to->space must be set. */
void resolve_address(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, struct ptx_step *to);
/* Converts an operand [..] to a single source: a step adds a constant offset to the register. */
struct ptx_src resolve_whole_address(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_space space);
/* Handles instructions that begin with "cp.async.bulk". */
void resolve_bulk(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s);
/* Handles an operation op with the trait PTX_WARP. */
void resolve_warp(struct flatten *f, struct frame *fr, const struct ptx_inst *in, enum ptx_op op,
    struct parts *s);
/* resolve_...: each handles one family of instructions: appends the steps of instruction `in`,
 * whose opcode is split in s. */
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
