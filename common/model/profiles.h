/* profiles.h - private to model/ and tests: definitions shared by profiles.c and profiles_old.c.
 * Other folders find a profile by model_profile_find and model_profile_at of model.h. */
#ifndef LOCKSTEP_MODEL_PROFILES_H
#define LOCKSTEP_MODEL_PROFILES_H

#include "model/model.h"

/* The profiles of 1.x to 3.x, oldest first; model_profile_at returns them before those of
 * profiles.c. */
enum { PROFILES_OLD = 4 };
extern const struct model_profile model_profiles_old[PROFILES_OLD];
/* The profiles of profiles_recent.c; model_profile_at returns them before the H200. */
enum { PROFILES_RECENT = 13 };
extern const struct model_profile model_profiles_recent[PROFILES_RECENT];

/* The features of each generation (features.h), as a set: those of another generation that it
 * shares, and its own. HAS: the bit of a feature. */
#define HAS(id) ((uint64_t)1 << FEATURE_##id)
#define FEATURES_1_0 (HAS(HALF_WARPS) | HAS(LANE_REPLAYS) | HAS(READY_WARPS))
#define FEATURES_1_3 \
    (FEATURES_1_0 | HAS(GLOBAL_ATOMICS) | HAS(SHARED_ATOMICS) | HAS(VOTES) | HAS(DOUBLES) | \
        HAS(ANY_ORDER))
#define FEATURES_2_0 \
    ((FEATURES_1_3 & ~HAS(HALF_WARPS)) | HAS(FLOAT_ATOMICS) | HAS(BARRIER_VOTES) | \
        HAS(SHARED_48K) | HAS(WIDE_ACCESS) | HAS(LINE_REPLAYS) | HAS(LINE_LOADS) | \
        HAS(HALF_WORDS))
#define FEATURES_3_5 \
    ((FEATURES_2_0 & ~(HAS(LINE_LOADS) | HAS(HALF_WORDS))) | HAS(SHUFFLES) | \
        HAS(SPECIAL_CONVERSIONS))
#define FEATURES_6_1 \
    ((FEATURES_3_5 & ~(HAS(LANE_REPLAYS) | HAS(LINE_REPLAYS) | HAS(READY_WARPS))) | HAS(HALVES) | \
        HAS(DOUBLE_ATOMICS) | HAS(PAIR_ATOMICS) | HAS(GRID_BARRIERS) | HAS(SECTORS) | \
        HAS(SAVED_REGISTERS))
#define FEATURES_6_0 (FEATURES_6_1 | HAS(FOUR_SCHEDULERS))
#define FEATURES_7_0 \
    (FEATURES_6_1 | HAS(HALF_ATOMICS) | HAS(MATCHES) | HAS(INDEPENDENT_LANES) | \
        HAS(ATOMIC_TURNS) | HAS(CALL_REGISTERS) | HAS(COMBINED_ATOMICS))
#define FEATURES_7_5 (FEATURES_7_0 | HAS(MATRICES) | HAS(HALF_TENSORS) | HAS(UNIFORM_REGISTERS))
/* 8.6, 8.7 and 8.9; 8.0 is the larger chip of the same generation */
#define FEATURES_8_6 \
    (FEATURES_7_5 | HAS(BFLOATS) | HAS(REDUCTIONS) | HAS(ASYNC) | HAS(TENSORS) | \
        HAS(FUSED_STEPS) | HAS(FLOAT_PRODUCTS))
#define FEATURES_8_0 (FEATURES_8_6 | HAS(DOUBLE_TENSORS))
/* Whether the rules of time that were measured on 9.0 (INTEGER_TO_FLOAT, DIVERGENCE_UNIT,
 * BLOCK_GROUPS) hold for 10.0 and 12.0 is not known. */
#define FEATURES_12_0 \
    (FEATURES_8_6 | HAS(BFLOAT_ATOMICS) | HAS(STORED_MATRICES) | HAS(BULK_COPIES) | \
        HAS(ELECTIONS) | HAS(CLUSTERS) | HAS(REGISTER_SHARES))
#define FEATURES_10_0 (FEATURES_12_0 | HAS(LARGE_CLUSTERS) | HAS(DOUBLE_TENSORS))
#define FEATURES_9_0 \
    (FEATURES_10_0 | HAS(WARPGROUPS) | HAS(INTEGER_TO_FLOAT) | HAS(DIVERGENCE_UNIT) | \
        HAS(BLOCK_GROUPS))

/* Limits of the profiles of 3.x, 6.x, 7.0, 8.0 and 9.0. Source: CUDA C++ Programming Guide,
 * technical specifications. */
#define LIMITS_SINCE_3_0 \
    .max_threads = 2048, .max_warps = 64, .max_block_threads = 1024, \
    .max_block_dim = {1024, 1024, 64}, .max_grid_dim = {2147483647, 65535, 65535}, \
    .registers = 65536, .register_unit = 256, .thread_registers = 255
/* The cost of writes to the L2, for GPUs without a measurement of their own: rounded from the cost
 * measured on an H200. */
#define L2_COSTS_AS_H200 .l2_write_cost = 2, .l2_partial_cost = 2.28, .l2_line_cost = 3.67

#endif
