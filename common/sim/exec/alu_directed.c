/* alu_directed.c - handlers: float and double in the other rounding modes. */
#include "sim/exec/alu_small.h"

#include "ptx/ops_directed.h"
