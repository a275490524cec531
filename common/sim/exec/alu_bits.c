/* alu_bits.c - handlers: logic, shifts, bit fields and counting bits. */
#include "sim/exec/alu_fast.h"

#include "ptx/ops_bits.h"
