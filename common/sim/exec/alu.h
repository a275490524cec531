/* alu.h - declares the handlers of all arithmetic instructions, and the C types of their operands.
 *
 *     OP2(add_b32, "add.{u32,s32}", U32, U32, U32, INT, a + b)      one row of ops.h
 *       run_add_b32      all lanes are active
 *       masked_add_b32   some lanes are inactive: they keep their old value
 *
 * Each file alu_*.c defines the handlers for one of the tables that ops.h includes. It includes
 * alu_fast.h, which generates three loops per row, or alu_small.h, which generates one. A row
 * defines its result as a C expression of a, b, c and e; longer ones call functions of meaning.h
 * and half.h. Inactive lanes are computed too, so an expression must be defined for any bits. */
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

/* The C type of an operand in a row's expression. */
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

/* The C type of a lane in a register: 32 or 64 bits wide. Narrow integers are in the low bits of a
 * 32-bit word. */
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
