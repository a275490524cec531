/* alu_to_integer.c - handlers: conversions from float and double to integers. */
#include "sim/exec/alu_small.h"

#include "ptx/ops_to_integer.h"
