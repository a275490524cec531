/* profiles.h - the two files of device profiles, private to this folder: model.h has what finds a row of either. */
#ifndef LOCKSTEP_MODEL_PROFILES_H
#define LOCKSTEP_MODEL_PROFILES_H

#include "model/model.h"

enum { PROFILES_OLD = 4 }; /* 1.x to 3.x, the oldest first: before those of profiles.c */
extern const struct model_profile model_profiles_old[PROFILES_OLD];

/* What GPUs from compute capability 3.0 on have in common, but for 7.5: CUDA C++ Programming Guide, technical specifications. */
#define LIMITS_SINCE_3_0                                                                                    \
    .max_threads = 2048, .max_warps = 64, .max_block_threads = 1024, .max_block_dim = {1024, 1024, 64},     \
    .max_grid_dim = {2147483647, 65535, 65535}, .registers = 65536, .register_unit = 256,                   \
    .thread_registers = 255
/* What writes cost the L2, where only the H200's was measured. */
#define L2_COSTS_AS_H200 .l2_write_cost = 2, .l2_partial_cost = 2.28, .l2_line_cost = 3.67

#endif
