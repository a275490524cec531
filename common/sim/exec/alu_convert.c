/* alu_convert.c - handlers: conversions between integers, to floats, and between floats. */
#include "sim/exec/alu_fast.h"

#include "ptx/ops_convert.h"
