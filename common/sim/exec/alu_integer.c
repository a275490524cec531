/* alu_integer.c - handlers: moves, selections and integer arithmetic. */
#include "sim/exec/alu_fast.h"

#include "ptx/ops_integer.h"
