/* alu_half.c - handlers: arithmetic on half and bfloat16, and on packed pairs of them. */
#include "sim/exec/alu_small.h"

#include "ptx/ops_half.h"
