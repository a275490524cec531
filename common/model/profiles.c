/* profiles.c - the GPUs that the kit can be: a row each, figures with their source beside them.
 *
 *      grid -> [ multiprocessor: schedulers, lanes, registers, shared memory, L1 ] x sms -> L2 -> DRAM
 */
#include "model/model.h"

#include <string.h>

static const struct model_profile profiles[] = {
    {
        /* Programming Guide, technical specifications of compute capability 9.0, unless a line names another source:
         * "whitepaper": NVIDIA H100 Tensor Core GPU Architecture; "driver": attributes that a card reports;
         * "measured": on one H200. */
        .name = "h200",
        .title = "NVIDIA H200",
        .cc_major = 9,
        .cc_minor = 0,
        .sms = 132,         /* driver */
        .clock_ghz = 1.98,  /* driver: the boost clock, which these kernels hold */
        .schedulers = 4,
        .fp32_lanes = 128,
        .int_lanes = 64,
        .fp64_lanes = 64,
        .sfu_lanes = 16,
        .lsu_lanes = 32,    /* whitepaper: 32 load/store units */
        .max_threads = 2048,
        .max_warps = 64,
        .max_blocks = 32,
        .max_block_threads = 1024,
        .max_block_dim = {1024, 1024, 64},
        .max_grid_dim = {2147483647, 65535, 65535},
        .registers = 65536,
        .register_unit = 256,
        .shared_bytes = 228 << 10,
        .shared_block_bytes = 227 << 10,
        .shared_unit = 128,
        .shared_reserved = 1 << 10,
        .l1_bytes = 256 << 10, /* whitepaper: L1 and shared memory together */
        .l1_shared_together = 1,
        .l2_bytes = (int64_t)60 << 20, /* driver */
        .dram_gbps = 4232,  /* measured: copy of 1 GiB, reads and writes; the datasheet says 4800 */
        .tags_per_clock = 4,         /* measured: 8 clocks a load of 32 lines in 32 banks, 2 of 8 lines, 1 of 4 */
        .l2_bytes_per_clock = 4200,  /* measured: 16-byte loads past L1 of 16 to 40 MB, 7.9 to 8.6 TB/s */
        .l2_write_cost = 2,          /* measured: the same with stores, 4.2 to 4.6 TB/s */
        .l2_partial_cost = 4,        /* measured: 4-byte stores to a sector each, 67 G/s */
        .atomics_per_clock = 250,    /* measured: 450 to 530 G/s; a sector each: 98 G/s, not modelled */
        .dispatch_clocks = 1.2,      /* measured: 132000 empty blocks of 256 threads in 81 us */
        .latency_alu = 4,    /* measured: a chain of 1024 multiply-adds, float or integer, 4.2 */
        .latency_shared = 23, /* measured, these four: a chain of loads, each address the value loaded before */
        .latency_l1 = 33,
        .latency_l2 = 280,
        .latency_dram = 680,
        .launch_us = 1.66,   /* measured: gpu__time_duration of an empty kernel of one warp */
    },
    {
        /* Invented, so that hand calculations come out even: a clock is a nanosecond, each full-rate pipe takes a warp
         * instruction a clock, and device memory moves two sectors a clock. Rules as of compute capability 9.0. */
        .name = "tiny",
        .title = "tiny (invented)",
        .cc_major = 9,
        .cc_minor = 0,
        .sms = 2,
        .clock_ghz = 1,
        .schedulers = 1,
        .fp32_lanes = 32,
        .int_lanes = 32,
        .fp64_lanes = 16,
        .sfu_lanes = 8,
        .lsu_lanes = 32,
        .max_threads = 1024,
        .max_warps = 32,
        .max_blocks = 8,
        .max_block_threads = 1024,
        .max_block_dim = {1024, 1024, 64},
        .max_grid_dim = {2147483647, 65535, 65535},
        .registers = 32768,
        .register_unit = 256,
        .shared_bytes = 64 << 10,
        .shared_block_bytes = 48 << 10,
        .shared_unit = 128,
        .shared_reserved = 0,
        .l1_bytes = 32 << 10,
        .l1_shared_together = 0,
        .l2_bytes = 1 << 20,
        .dram_gbps = 64,
        .tags_per_clock = 4,
        .l2_bytes_per_clock = 128,
        .l2_write_cost = 1,
        .l2_partial_cost = 1,
        .atomics_per_clock = 8,
        .dispatch_clocks = 1,
        .latency_alu = 4,
        .latency_shared = 20,
        .latency_l1 = 20,
        .latency_l2 = 100,
        .latency_dram = 400,
        .launch_us = 1,
    },
};

enum { PROFILES = sizeof profiles / sizeof *profiles };

const struct model_profile *model_profile_at(int i)
{
    return i >= 0 && i < PROFILES ? &profiles[i] : NULL;
}

const struct model_profile *model_profile_find(const char *name)
{
    for (int i = 0; i < PROFILES; i++)
        if (strcmp(profiles[i].name, name) == 0)
            return &profiles[i];
    return NULL;
}
