/* profiles_old.c - the GPUs of compute capability 1.x to 3.x: GeForce 8800 GTX, GeForce GTX 280,
 * Tesla M2090 and Tesla K40. coalesce_old.c and banks_old.c count their accesses. profiles.c
 * explains how to read a row.
 *
 * The comment of a figure states its source; the full titles are at the top of each row. "assumed"
 * marks a round number of the right size. If a GPU has no L2, its costs and rates are 1. */
#include "model/profiles.h"

const struct model_profile model_profiles_old[PROFILES_OLD] = {
    {
        /* Sources: "guide": CUDA C Programming Guide 4.2, tables 5-1 and F-2 and appendix F.
         * "brief": NVIDIA GeForce 8800 GPU Architecture Overview. "Volkov": Volkov and Demmel,
         * Benchmarking GPUs to Tune Dense Linear Algebra, 2008. */
        .name = "gtx8800",
        .title = "GeForce 8800 GTX",
        .cc_major = 1,
        .cc_minor = 0,
        .features = FEATURES_1_0,
        .banks = 16,
        .bank_bytes = 4,
        .sms = 16,         /* source: architecture brief */
        .clock_ghz = 1.35, /* architecture brief: clock of the shaders */
        /* Programming Guide F.3.1: one scheduler, which issues a warp instruction every 4 clocks */
        .schedulers = 1,
        .issue_clocks = 4,
        .fp32_lanes = 8, /* Programming Guide F.3.1: 8 cores, 2 special function units */
        .int_lanes = 8,
        .fp64_lanes = 0, /* GPUs before 1.3 have no double precision */
        .sfu_lanes = 2,
        .lsu_lanes = 8, /* Programming Guide: a half-warp in two clocks */
        /* source of limits, registers and shared memory: Programming Guide */
        .max_threads = 768,
        .max_warps = 24,
        .max_blocks = 8,
        .max_block_threads = 512,
        .tile = 16,
        .max_block_dim = {512, 512, 64},
        .max_grid_dim = {65535, 65535, 1},
        .registers = 8192,
        .register_unit = 256,
        .registers_by_block = 1,
        .thread_registers = 124,
        .shared_bytes = 16 << 10,
        .shared_block_bytes = (16 << 10) - 16,
        .shared_unit = 512,
        /* Programming Guide: the grid and block sizes; kernel parameters, in addition, are not
         * modelled */
        .shared_reserved = 16,
        /* memory; there is no cache for global memory */
        /* Best Practices Guide 3.0, a copy without offset; the datasheet's peak is 86.4 */
        .dram_gbps = 74,
        /* architecture brief: partitions of 64 bits; Optimizing Matrix Transpose in CUDA: 256 bytes
         * each */
        .dram_partitions = 6,
        .partition_bytes = 256,
        .tags_per_clock = 1,
        .pass_clocks = 2, /* Programming Guide F.3.3: a bank delivers 4 bytes every two clocks */
        .l2_bytes_per_clock = 1, /* there is no L2; also for the next three figures */
        .l2_write_cost = 1,
        .l2_partial_cost = 1,
        .l2_line_cost = 1,
        .atomics_per_clock = 1, /* GPUs before 1.1 have no atomics */
        .dispatch_clocks = 1.2, /* assumed, no source */
        .latency_alu = 24,      /* Volkov and Demmel; Programming Guide 5.2.3: about 22 */
        .latency_shared = 36,   /* source: Volkov and Demmel */
        /* Programming Guide 5.2.3: 400 to 800 clocks; there is no cache, so these three are the
         * same */
        .latency_l1 = 500,
        .latency_l2 = 500,
        .latency_dram = 500,
        .launch_us = 5, /* Volkov and Demmel: 3 to 7 us */
        .assumed = "dispatch_clocks",
    },
    {
        /* Sources: "guide" and "Volkov" as above; "Wong": Wong and others, Demystifying GPU
         * Microarchitecture through Microbenchmarking, 2010; "brief": NVIDIA GeForce GTX 200 GPU
         * Architectural Overview. */
        .name = "gtx280",
        .title = "GeForce GTX 280",
        .cc_major = 1,
        .cc_minor = 3,
        .features = FEATURES_1_3,
        .banks = 16,
        .bank_bytes = 4,
        .sms = 30,          /* source: architecture brief */
        .clock_ghz = 1.296, /* architecture brief: clock of the shaders */
        .schedulers = 1,
        .issue_clocks = 4,
        .fp32_lanes = 8,
        .int_lanes = 8,
        /* Programming Guide F.3.1: one double-precision unit, so 32 clocks per warp */
        .fp64_lanes = 1,
        .sfu_lanes = 2,
        .lsu_lanes = 8,
        .max_threads = 1024,
        .max_warps = 32,
        .max_blocks = 8,
        .max_block_threads = 512,
        .tile = 16,
        .max_block_dim = {512, 512, 64},
        .max_grid_dim = {65535, 65535, 1},
        .registers = 16384,
        .register_unit = 512,
        .registers_by_block = 1,
        .thread_registers = 124,
        .shared_bytes = 16 << 10,
        .shared_block_bytes = (16 << 10) - 16,
        .shared_unit = 512,
        .shared_reserved = 16,
        /* Best Practices Guide 3.0, a copy without offset; the datasheet's peak is 141.7 */
        .dram_gbps = 120,
        /* architecture brief: partitions of 64 bits; Optimizing Matrix Transpose in CUDA: 256 bytes
         * each */
        .dram_partitions = 8,
        .partition_bytes = 256,
        .tags_per_clock = 1,
        .pass_clocks = 2,
        .l2_bytes_per_clock = 1, /* there is no L2; also for the next three figures */
        .l2_write_cost = 1,
        .l2_partial_cost = 1,
        .l2_line_cost = 1,
        .atomics_per_clock = 8, /* assumed: one for each of 8 memory partitions */
        .dispatch_clocks = 1.2, /* assumed, no source */
        .latency_alu = 24,      /* source: Wong et al. */
        .latency_shared = 38,   /* source: Wong et al. */
        /* Wong et al.: 436 to 443; there is no cache, so these three are the same */
        .latency_l1 = 440,
        .latency_l2 = 440,
        .latency_dram = 440,
        .launch_us = 5, /* Volkov and Demmel: 3 to 7 us */
        .assumed = "atomics_per_clock dispatch_clocks",
    },
    {
        /* Sources: "guide": CUDA C Programming Guide 4.2, tables 5-1 and F-2 and F.4; "whitepaper":
         * NVIDIA's Next Generation CUDA Compute Architecture: Fermi; "board": Tesla M2090 Board
         * Specification; "Mei": Mei and Chu, Dissecting GPU Memory Hierarchy through
         * Microbenchmarking, 2017, on a GeForce GTX 560 Ti; "gpumembench": its record of a GTX 480,
         * which is a 2.0 too, at 1.55 GHz. */
        .name = "m2090",
        .title = "Tesla M2090",
        .cc_major = 2,
        .cc_minor = 0,
        .features = FEATURES_2_0,
        .banks = 32,
        .bank_bytes = 4,
        .sms = 16,          /* board specification: 512 cores */
        .clock_ghz = 1.301, /* board specification: clock of the shaders */
        /* Programming Guide F.4.1: two schedulers, each of which issues an instruction over two
         * clocks */
        .schedulers = 2,
        .issue_clocks = 2,
        .fp32_lanes = 32,
        .int_lanes = 32, /* Programming Guide: 32 for sums and logic, 16 for products and shifts */
        .fp64_lanes = 16,
        .sfu_lanes = 4,
        /* NVIDIA whitepaper: 16 load/store units; gpumembench: 14.8 words per clock from the L1,
         * 15.9 from shared memory */
        .lsu_lanes = 16,
        .max_threads = 1536,
        .max_warps = 48,
        .max_blocks = 8,
        .max_block_threads = 1024,
        .max_block_dim = {1024, 1024, 64},
        .max_grid_dim = {65535, 65535, 65535},
        .registers = 32768,
        .register_unit = 64,
        .thread_registers = 63,
        .shared_bytes = 48 << 10,
        .shared_block_bytes = 48 << 10,
        .shared_unit = 128,
        /* Programming Guide F.4.1: 16 of the 64 KB, unless a kernel requests more */
        .l1_bytes = 16 << 10,
        .l1_fetch = 128,       /* Programming Guide F.4.2: a whole line */
        .l2_bytes = 768 << 10, /* Programming Guide F.4.1 */
        .l2_sides = 1,
        .l2_fetch = 32,
        /* Optimizing Matrix Transpose in CUDA: copy of 2048 x 2048; the board's peak is 177.6 */
        .dram_gbps = 125.2,
        /* GPGPU-Sim's GTX 480, whose memory is as fast; also dram_row_bytes and dram_queue */
        .dram_channels = 6,
        .dram_row_bytes = 4096,
        /* 29.6 GB/s of a channel, during tRRD of a Hynix H5GQ1H24AFR: 6 clocks at 0.924 GHz */
        .dram_open_bytes = 192,
        .dram_queue = 64,
        .tags_per_clock = 1,
        .pass_clocks = 2, /* Programming Guide F.4.3: a bank delivers 4 bytes every two clocks */
        /* gpumembench: 273 GB/s from 540 KB, which fit into the L2 but not into L1s */
        .l2_bytes_per_clock = 176,
        .l2_write_cost = 1,
        .l2_partial_cost = 1,
        .l2_line_cost = 1,
        .atomics_per_clock = 48, /* assumed: 8 per memory partition */
        .dispatch_clocks = 1.2,  /* assumed, no source */
        .latency_alu = 22,       /* Programming Guide 5.2.3: about 22 */
        .latency_shared = 50,    /* Mei and Chu; GPGPU-Sim has 52 for a GTX 480 */
        .latency_l1 = 96,        /* source: Mei and Chu */
        .latency_l2 = 371,       /* source: Mei and Chu */
        .latency_dram = 598,     /* Mei and Chu, for hits in the TLB */
        .launch_us = 4,          /* assumed, no source */
        .assumed = "atomics_per_clock dispatch_clocks launch_us l2_write_cost "
                   "l2_partial_cost l2_line_cost",
    },
    {
        /* Sources: "guide": CUDA C Programming Guide 5.5, tables 2 and 12; "whitepaper": Kepler
         * GK110; "board": Tesla K40 GPU Active Accelerator; "Mei" as above, on a GeForce GTX 780,
         * whose memory is the same; "Jia": Jia and others, Dissecting the NVIDIA Volta GPU
         * Architecture via Microbenchmarking, 2018, which includes a K80; "Arafa": Arafa and
         * others, Low Overhead Instruction Latency Characterization for NVIDIA GPGPUs, 2019, its
         * Kepler. */
        .name = "k40",
        .title = "Tesla K40",
        .cc_major = 3,
        .cc_minor = 5,
        .features = FEATURES_3_5,
        .banks = 32,
        .bank_bytes = 8,
        .sms = 15, /* board specification and driver; also the next figure */
        /* board specification: base clock; an application can set up to 0.875 */
        .clock_ghz = 0.745,
        /* NVIDIA whitepaper: each scheduler can issue two independent instructions, which is not
         * modelled */
        .schedulers = 4,
        .issue_clocks = 1,
        .fp32_lanes = 192,
        .int_lanes = 160, /* Programming Guide: 160 for sums, 32 for products */
        .fp64_lanes = 64,
        .sfu_lanes = 32,
        .lsu_lanes = 32,
        LIMITS_SINCE_3_0,
        .max_blocks = 16,
        .shared_bytes = 48 << 10,
        .shared_block_bytes = 48 << 10,
        .shared_unit = 256,
        .l1_bytes = 16 << 10,
        .l1_fetch = 0,          /* Programming Guide F.5.2: global loads bypass the L1 */
        .l2_bytes = 1536 << 10, /* reported by the driver */
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_gbps = 216, /* Mei and Chu; clpeak has 218; the board's peak is 288.4 */
        .tags_per_clock = 1,
        .pass_clocks = 1,
        .l2_bytes_per_clock = 387, /* Jia et al.: 339 GB/s at 0.875 GHz */
        .l2_write_cost = 1,
        .l2_partial_cost = 1,
        .l2_line_cost = 1,
        .atomics_per_clock = 192, /* assumed: one for each core of a multiprocessor */
        .dispatch_clocks = 1.2,   /* assumed, no source */
        /* Arafa et al., like the other latencies; Programming Guide 5.2.3: about 11 */
        .latency_alu = 9,
        .latency_shared = 26, /* Jia et al. have 26 too */
        .latency_l1 = 32,     /* latency of local memory; Jia et al. have 35 */
        .latency_l2 = 188,    /* Jia et al. have 200 */
        .latency_dram = 331,
        .launch_us = 4, /* assumed, no source */
        .assumed = "atomics_per_clock dispatch_clocks launch_us l2_write_cost "
                   "l2_partial_cost l2_line_cost",
    },
};
