/* capability.c - what a compute capability lacks.
 *
 * The kit compiles a kernel for a recent GPU, whichever GPU it simulates. So the simulator of an older GPU
 * must refuse what a compiler for that GPU would have refused.
 *
 * Source: CUDA C Programming Guide 4.2, table 9 (feature support per compute capability); CUDA C++
 * Programming Guide, Warp Vote, Match and Shuffle Functions; PTX ISA, Half Precision Floating-Point
 * Instructions, atom. */
#include "sim/machine.h"

#include <string.h>

enum feature {
    DOUBLES, GLOBAL_ATOMICS, SHARED_ATOMICS, FLOAT_ATOMICS, DOUBLE_ATOMICS, HALVES, BFLOATS,
    PAIR_ATOMICS, HALF_ATOMICS, BFLOAT_ATOMICS, VOTES, BARRIER_VOTES, SHUFFLES,
    MATCHES, REDUCTIONS, GRID_BARRIERS, ASYNC, MATRICES, TENSORS, STORED_MATRICES, WARPGROUPS,
    ELECTIONS, BULK_COPIES, CLUSTERS, FEATURES
};

/* By feature: its name in messages, and the first compute capability that has it. */
static const struct {
    const char *what;
    int major, minor;
} features[FEATURES] = {
    [DOUBLES] = {"double precision", 1, 3},
    [GLOBAL_ATOMICS] = {"atomics on global memory", 1, 1},
    [SHARED_ATOMICS] = {"atomics on shared memory", 1, 2},
    [FLOAT_ATOMICS] = {"atomic sums of floats", 2, 0},
    [DOUBLE_ATOMICS] = {"atomic sums of doubles", 6, 0},
    [HALVES] = {"half-precision arithmetic", 5, 3},
    [BFLOATS] = {"bfloat16 arithmetic", 8, 0},
    [PAIR_ATOMICS] = {"atomic sums of half2", 6, 0},
    [HALF_ATOMICS] = {"atomic sums of half", 7, 0},
    [BFLOAT_ATOMICS] = {"atomic sums of bfloat16", 9, 0},
    [VOTES] = {"votes of a warp", 1, 2},
    [BARRIER_VOTES] = {"barriers that count or vote", 2, 0},
    [SHUFFLES] = {"shuffles within a warp", 3, 0},
    [MATCHES] = {"matches within a warp", 7, 0},
    [REDUCTIONS] = {"reductions within a warp (redux)", 8, 0},
    [GRID_BARRIERS] = {"a barrier of all blocks (grid.sync)", 6, 0},
    [ASYNC] = {"asynchronous copies and barriers in shared memory", 8, 0},
    [MATRICES] = {"loads of matrices by a warp (ldmatrix)", 7, 5},
    [TENSORS] = {"products of this shape and type by tensor cores", 8, 0},
    [BULK_COPIES] = {"the copy engine (bulk copies, TMA)", 9, 0},
    [STORED_MATRICES] = {"stores of matrices by a warp (stmatrix)", 9, 0},
    [WARPGROUPS] = {"warpgroups (wgmma, setmaxnreg)", 9, 0},
    [ELECTIONS] = {"elect.sync", 9, 0},
    [CLUSTERS] = {"clusters of blocks", 9, 0},
};

/* The feature that an atomic sum of this type needs, as a bit; 0: none. */
static unsigned atomic_type(enum ptx_type t)
{
    switch (t) {
    case PTX_F32: return 1u << FLOAT_ATOMICS;
    case PTX_F64: return 1u << DOUBLE_ATOMICS;
    case PTX_F16X2: return 1u << PAIR_ATOMICS;
    case PTX_F16: return 1u << HALF_ATOMICS;
    case PTX_BF16: case PTX_BF16X2: return 1u << BFLOAT_ATOMICS;
    default: return 0;
    }
}

/* The features that a step needs, a bit each. An atomic sum of numbers of floating point needs two. */
static unsigned features_of(const struct ptx_step *s)
{
    if (ptx_ops[s->op].class == CLASS_FP64) return 1u << DOUBLES;
    switch (s->op) {
    case OP_VOTE: return 1u << VOTES;
    case OP_BARVOTE: return 1u << BARRIER_VOTES;
    case OP_BAR:
        return s->detail == BAR_GRID ? 1u << GRID_BARRIERS : s->detail == BAR_CLUSTER ? 1u << CLUSTERS : 0;
    case OP_SHFL: return 1u << SHUFFLES;
    case OP_MATCH: return 1u << MATCHES;
    case OP_REDUX: return 1u << REDUCTIONS;
    case OP_CPASYNC: case OP_CPGROUP: return 1u << ASYNC;
    case OP_MBARRIER:
        return 1u << (s->detail == MBARRIER_EXPECT || s->src_count > 2 ? BULK_COPIES : ASYNC);
    case OP_BULK: case OP_BULKGROUP: return 1u << BULK_COPIES;
    case OP_LDMATRIX: case OP_MOVMATRIX: return 1u << MATRICES;
    case OP_STMATRIX: return 1u << STORED_MATRICES;
    case OP_MMA: return 1u << TENSORS;
    case OP_WGMMA: case OP_WGSYNC: case OP_SETMAXNREG: return 1u << WARPGROUPS;
    case OP_ATOM:
        return 1u << (s->space == SPACE_SHARED ? SHARED_ATOMICS : GLOBAL_ATOMICS) |
            atomic_type(s->type);
    default: break;
    }
    if (strstr(ptx_ops[s->op].id, "bf16")) return 1u << BFLOATS;
    return ptx_ops[s->op].class == CLASS_HALF ? 1u << HALVES : 0;
}

/* Reports the first step of the program that needs a missing feature, with its line. */
int capability_check(
    const struct ptx_program *p, const struct model_profile *profile, const char *name, struct err *e)
{
    for (size_t i = 0; i < p->step_count; i++) {
        unsigned used = features_of(&p->steps[i]);
        for (int f = 0; f < FEATURES; f++) {
            int has = profile->cc_major > features[f].major ||
                (profile->cc_major == features[f].major && profile->cc_minor >= features[f].minor);
            if (used >> f & 1 && !has)
                return err_set(e, ERR_LEARNER,
                    "%s: line %d needs %s; %s has compute capability %d.%d, which has none: GPUs have it "
                    "from %d.%d on",
                    name, p->steps[i].loc.line, features[f].what, profile->title, profile->cc_major,
                    profile->cc_minor, features[f].major, features[f].minor);
        }
    }
    return 0;
}
