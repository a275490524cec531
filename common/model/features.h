/* features.h - capabilities and rules that some GPUs have and others lack, one row each. model.h
 * makes an enum of the rows, profiles.h lists those of each generation. Each GPU states its own
 * set: a newer one need not have the features of older ones.
 *
 * FEATURE(id, name in messages, the GPUs that have it)
 *
 * Source: CUDA C Programming Guide 4.2, table 9 (feature support per compute capability); CUDA C++
 * Programming Guide, Warp Vote, Match and Shuffle Functions; PTX ISA, Half Precision Floating-Point
 * Instructions, atom, and the target notes of each instruction. */
#ifndef FEATURE
#error "define FEATURE before including model/features.h"
#endif
/* features that a kernel can require */
FEATURE(GLOBAL_ATOMICS, "atomics on global memory", "from 1.1 on")
FEATURE(SHARED_ATOMICS, "atomics on shared memory", "from 1.2 on")
FEATURE(VOTES, "votes of a warp", "from 1.2 on")
FEATURE(DOUBLES, "double precision", "from 1.3 on")
FEATURE(FLOAT_ATOMICS, "atomic sums of floats", "from 2.0 on")
FEATURE(BARRIER_VOTES, "barriers that count or vote", "from 2.0 on")
FEATURE(SHARED_48K, "48 KB of shared memory for a block", "from 2.0 on")
FEATURE(SHUFFLES, "shuffles within a warp", "from 3.0 on")
FEATURE(HALVES, "half-precision arithmetic", "from 5.3 on")
FEATURE(DOUBLE_ATOMICS, "atomic sums of doubles", "from 6.0 on")
FEATURE(PAIR_ATOMICS, "atomic sums of half2", "from 6.0 on")
FEATURE(GRID_BARRIERS, "a barrier of all blocks (grid.sync)", "from 6.0 on")
FEATURE(HALF_ATOMICS, "atomic sums of half", "from 7.0 on")
FEATURE(MATCHES, "matches within a warp", "from 7.0 on")
FEATURE(MATRICES, "loads of matrices by a warp (ldmatrix)", "from 7.5 on")
FEATURE(BFLOATS, "bfloat16 arithmetic", "from 8.0 on")
FEATURE(REDUCTIONS, "reductions within a warp (redux)", "from 8.0 on")
FEATURE(ASYNC, "asynchronous copies and barriers in shared memory", "from 8.0 on")
FEATURE(HALF_TENSORS, "products of halves by tensor cores", "from 7.5 on")
FEATURE(TENSORS, "products of this shape and type by tensor cores", "from 8.0 on")
FEATURE(BFLOAT_ATOMICS, "atomic sums of bfloat16", "from 9.0 on")
FEATURE(STORED_MATRICES, "stores of matrices by a warp (stmatrix)", "from 9.0 on")
FEATURE(BULK_COPIES, "the copy engine (bulk copies, TMA)", "from 9.0 on")
FEATURE(ELECTIONS, "elect.sync", "from 9.0 on")
FEATURE(CLUSTERS, "clusters of blocks", "from 9.0 on")
FEATURE(REGISTER_SHARES, "registers that warps give to others (setmaxnreg)", "from 9.0 on")
FEATURE(LARGE_CLUSTERS, "clusters of more than 8 blocks", "with 9.0 and 10.0 only")
FEATURE(WARPGROUPS, "warpgroups (wgmma)", "with 9.0 only")
/* rules for how a warp and its memory accesses work */
FEATURE(HALF_WARPS, "memory accesses by half-warps", "of 1.x")
FEATURE(LINE_LOADS, "loads from global memory by lines of 128 bytes", "of 2.x")
FEATURE(HALF_WORDS, "words of 8 bytes in shared memory by half-warps", "of 2.x")
FEATURE(ANY_ORDER, "transactions for lanes in any order", "from 1.2 on")
FEATURE(SECTORS, "global memory by sectors of 32 bytes", "from 5.0 on")
FEATURE(INDEPENDENT_LANES, "independent thread scheduling", "from 7.0 on")
FEATURE(ATOMIC_TURNS, "turns of the lanes whose atomics name one address", "from 7.0 on")
/* rules for what ptxas does */
FEATURE(WIDE_ACCESS, "addresses of 64 bits, and accesses to shared memory of more than 32",
    "from 2.0 on")
FEATURE(SAVED_REGISTERS, "fewer registers and the order of the PTX where they limit the warps",
    "from 5.0 on")
FEATURE(CALL_REGISTERS, "registers set apart for calls", "from 7.0 on")
FEATURE(COMBINED_ATOMICS, "atomics on one word by one lane of a warp", "from 7.0 on")
FEATURE(UNIFORM_REGISTERS, "registers that a warp's lanes share", "from 7.5 on")
FEATURE(FUSED_STEPS, "instructions for several steps of the PTX (LEA, IADD3, LOP3)", "from 8.0 on")
/* rules of the time model (used in time.c) */
FEATURE(LANE_REPLAYS, "another issue for each pass of a bank conflict", "before 5.0")
FEATURE(LINE_REPLAYS, "another issue for each line of a global access", "of 2.x and 3.x")
FEATURE(READY_WARPS, "latency between instructions that the block's warps hide in each round",
    "before 5.0")
FEATURE(SPECIAL_CONVERSIONS, "conversions by the special functions' unit", "from 3.0 on")
FEATURE(FLOAT_PRODUCTS, "products of integers by the float units", "from 8.0 on")
FEATURE(INTEGER_TO_FLOAT, "floats from integers by the integer units (I2FP)", "from 9.0 on")
FEATURE(DIVERGENCE_UNIT, "a unit for barriers and loads of constants", "from 9.0 on")
FEATURE(BLOCK_GROUPS, "blocks that wait together and go on in two groups", "from 9.0 on")
FEATURE(DOUBLE_TENSORS, "products of doubles by tensor cores", "with 8.0, 9.0 and 10.0 only")
FEATURE(FOUR_SCHEDULERS, "blocks held to what fits on four schedulers", "of 6.0")
#undef FEATURE
