/* alu.c - the handlers of all arithmetic as a table. The files alu_*.c make them. */
#include "sim/exec/alu.h"

/* Operations that are not here have a handler of their own: decode.c, set_handlers. */
const struct handlers sim_alu[OP_COUNT] = {
#define OP1(id, keys, D, A, class, expr) [OP_##id] = {run_##id, masked_##id},
#define OP2(id, keys, D, A, B, class, expr) [OP_##id] = {run_##id, masked_##id},
#define OP3(id, keys, D, A, B, C, class, expr) [OP_##id] = {run_##id, masked_##id},
#define OP4(id, keys, D, A, B, C, E, class, expr) [OP_##id] = {run_##id, masked_##id},
#define OPP(id, keys, arity, expr) [OP_##id] = {run_##id, masked_##id},
#include "ptx/ops.h"
};
