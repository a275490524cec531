/* table.c - the labs, in order. labs/NN-idea/lab.c defines each. */
#include "exercise/exercise.h"

extern const struct lab lab_01_naive, lab_02_coalesced, lab_03_tiled, lab_04_shared, lab_05_padded,
    lab_06_unrolled, lab_07_registers, lab_08_pipelined, lab_09_tensor, lab_10_hopper;

const struct lab *const lab_table[] = {
    &lab_01_naive,
    &lab_02_coalesced,
    &lab_03_tiled,
    &lab_04_shared,
    &lab_05_padded,
    &lab_06_unrolled,
    &lab_07_registers,
    &lab_08_pipelined,
    &lab_09_tensor,
    &lab_10_hopper,
    NULL,
};
