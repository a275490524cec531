/* alu_compare.c - handlers: comparisons of integers, float and double. */
#include "sim/exec/alu_fast.h"

#include "ptx/ops_compare.h"
