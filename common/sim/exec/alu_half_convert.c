/* alu_half_convert.c - handlers: conversions to and from half and bfloat16. */
#include "sim/exec/alu_small.h"

#include "ptx/ops_half_convert.h"
