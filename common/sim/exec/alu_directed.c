/* alu_directed.c - handlers: float and double arithmetic in rounding modes other than nearest. */
#include "sim/exec/alu_small.h"

#include "ptx/ops_directed.h"
