/* alu.c - the table of the handlers that the files alu_*.c define. */
#include "sim/exec/alu.h"

/* Operations that are missing here have handlers elsewhere: see set_handlers in decode.c. */
const struct handlers sim_alu[OP_COUNT] = {
#define OP1(id, keys, D, A, class, expr) [OP_##id] = {run_##id, masked_##id},
#define OP2(id, keys, D, A, B, class, expr) [OP_##id] = {run_##id, masked_##id},
#define OP3(id, keys, D, A, B, C, class, expr) [OP_##id] = {run_##id, masked_##id},
#define OP4(id, keys, D, A, B, C, E, class, expr) [OP_##id] = {run_##id, masked_##id},
#define OPP(id, keys, arity, expr) [OP_##id] = {run_##id, masked_##id},
#include "ptx/ops.h"
};
