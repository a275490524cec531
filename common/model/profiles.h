/* profiles.h - what profiles.c and profiles_old.c share. Private to this folder: other folders find a profile
 * by model_profile_find and model_profile_at of model.h. */
#ifndef LOCKSTEP_MODEL_PROFILES_H
#define LOCKSTEP_MODEL_PROFILES_H

#include "model/model.h"

/* 1.x to 3.x, oldest first; model_profile_at counts them before those of profiles.c */
enum { PROFILES_OLD = 4 };
extern const struct model_profile model_profiles_old[PROFILES_OLD];

/* Limits of every GPU here from compute capability 3.0 on, except 7.5.
 * Source: CUDA C++ Programming Guide, technical specifications. */
#define LIMITS_SINCE_3_0                                                                                    \
    .max_threads = 2048, .max_warps = 64, .max_block_threads = 1024, .max_block_dim = {1024, 1024, 64},     \
    .max_grid_dim = {2147483647, 65535, 65535}, .registers = 65536, .register_unit = 256,                   \
    .thread_registers = 255
/* The cost of writes to the L2, for GPUs without a measurement of their own: about that of an H200. */
#define L2_COSTS_AS_H200 .l2_write_cost = 2, .l2_partial_cost = 2.28, .l2_line_cost = 3.67

#endif
