/* alu.h - what the handlers of all arithmetic share: the types of their operands, and their
 * declarations.
 *
 *     OP2(add_b32, "add.{u32,s32}", U32, U32, U32, INT, a + b)      one row of ops.h
 *       run_add_b32      all lanes are on
 *       masked_add_b32   some lanes are off: they keep their old value
 *
 * A file alu_*.c makes the handlers of one table of rows, which ops.h includes. It chooses how:
 * alu_fast.h makes three loops a row, alu_small.h one. The meaning of a row is a C expression of a,
 * b, c and e; longer ones call functions of meaning.h and half.h. Inactive lanes are computed, too,
 * so a meaning must be defined for any bits. */
#ifndef LOCKSTEP_SIM_ALU_H
#define LOCKSTEP_SIM_ALU_H

#include "sim/exec/half.h"
#include "sim/machine.h"

#define OP1(id, keys, D, A, class, expr) handler run_##id, masked_##id;
#define OP2(id, keys, D, A, B, class, expr) handler run_##id, masked_##id;
#define OP3(id, keys, D, A, B, C, class, expr) handler run_##id, masked_##id;
#define OP4(id, keys, D, A, B, C, E, class, expr) handler run_##id, masked_##id;
#define OPP(id, keys, arity, expr) handler run_##id, masked_##id;
#include "ptx/ops.h"

/* The C type in which an expression sees a value of each type. */
#define TYPE_U8 uint8_t
#define TYPE_S8 int8_t
#define TYPE_U16 uint16_t
#define TYPE_S16 int16_t
#define TYPE_U32 uint32_t
#define TYPE_S32 int32_t
#define TYPE_F32 float
#define TYPE_U64 uint64_t
#define TYPE_S64 int64_t
#define TYPE_F64 double
#define TYPE_PRED uint32_t

/* The C type of a lane in storage: 32 or 64 bits wide. Narrow integers
 * are read from the low bits of a word. */
#define CELL_U8 uint32_t
#define CELL_S8 uint32_t
#define CELL_U16 uint32_t
#define CELL_S16 uint32_t
#define CELL_U32 uint32_t
#define CELL_S32 uint32_t
#define CELL_F32 float
#define CELL_U64 uint64_t
#define CELL_S64 int64_t
#define CELL_F64 double

#endif
