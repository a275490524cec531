/* alu_float.c - handlers: float and double, rounded to nearest. */
#include "sim/exec/alu_fast.h"

#include "ptx/ops_float.h"
