/* profiles_old.c - the GPUs of compute capability 1.x to 3.x: GeForce 8800 GTX, GeForce GTX 280,
 * Tesla M2090 and Tesla K40. coalesce_old.c and banks_old.c count their accesses. profiles.c says
 * how to read a row.
 *
 * The sources of a row stand at its top, with a short name in quotes. The comment of a figure names
 * its source. "assumed" marks a round number of the right size. If a GPU has no L2, its costs and
 * rates are 1. */
#include "model/profiles.h"

const struct model_profile model_profiles_old[PROFILES_OLD] = {
    {
        /* "guide": CUDA C Programming Guide 4.2, tables 5-1 and F-2 and appendix F. "brief": NVIDIA
         * GeForce 8800 GPU Architecture Overview. "Volkov": Volkov and Demmel, Benchmarking GPUs to
         * Tune Dense Linear Algebra, 2008. */
        .name = "gtx8800",
        .title = "GeForce 8800 GTX",
        .cc_major = 1,
        .cc_minor = 0,
        .features = FEATURES_1_0,
        .banks = 16,
        .bank_bytes = 4,
        .sms = 16,         /* brief */
        .clock_ghz = 1.35, /* brief: the clock of the shaders */
        .schedulers = 1,   /* guide F.3.1: one, a warp instruction every 4 clocks */
        .issue_clocks = 4,
        .fp32_lanes = 8, /* guide F.3.1: 8 cores, 2 special function units */
        .int_lanes = 8,
        .fp64_lanes = 0, /* none before 1.3 */
        .sfu_lanes = 2,
        .lsu_lanes = 8, /* guide: a half-warp in two clocks */
        /* limits, registers and shared memory: guide */
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
        /* guide: the launch's geometry; parameters, which come on top, are not modelled */
        .shared_reserved = 16,
        /* memory; there is no cache for global memory */
        /* Best Practices Guide 3.0, a copy without offset; the datasheet says 86.4 */
        .dram_gbps = 74,
        /* brief: 64 bits each; 256 bytes: Optimizing Matrix Transpose in CUDA */
        .dram_partitions = 6,
        .partition_bytes = 256,
        .tags_per_clock = 1,
        .pass_clocks = 2,        /* guide F.3.3: a bank has 4 bytes every two clocks */
        .l2_bytes_per_clock = 1, /* no such cache */
        .l2_write_cost = 1,
        .l2_partial_cost = 1,
        .l2_line_cost = 1,
        .atomics_per_clock = 1, /* none before 1.1 */
        .dispatch_clocks = 1.2, /* assumed */
        .latency_alu = 24,      /* Volkov; guide 5.2.3: about 22 */
        .latency_shared = 36,   /* Volkov */
        /* guide 5.2.3: 400 to 800 clocks; without a cache these three are the same */
        .latency_l1 = 500,
        .latency_l2 = 500,
        .latency_dram = 500,
        .launch_us = 5, /* Volkov: 3 to 7 */
    },
    {
        /* "guide" and "Volkov" as above; "Wong": Wong and others, Demystifying GPU
         * Microarchitecture through Microbenchmarking, 2010; "brief": NVIDIA GeForce GTX 200 GPU
         * Architectural Overview. */
        .name = "gtx280",
        .title = "GeForce GTX 280",
        .cc_major = 1,
        .cc_minor = 3,
        .features = FEATURES_1_3,
        .banks = 16,
        .bank_bytes = 4,
        .sms = 30,          /* brief */
        .clock_ghz = 1.296, /* brief: the shaders' */
        .schedulers = 1,
        .issue_clocks = 4,
        .fp32_lanes = 8,
        .int_lanes = 8,
        .fp64_lanes = 1, /* guide F.3.1: one double unit, 32 clocks a warp */
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
        /* Best Practices Guide 3.0, a copy without offset; the datasheet says 141.7 */
        .dram_gbps = 120,
        /* brief: 64 bits each; 256 bytes: Optimizing Matrix Transpose in CUDA */
        .dram_partitions = 8,
        .partition_bytes = 256,
        .tags_per_clock = 1,
        .pass_clocks = 2,
        .l2_bytes_per_clock = 1, /* no such cache */
        .l2_write_cost = 1,
        .l2_partial_cost = 1,
        .l2_line_cost = 1,
        .atomics_per_clock = 8, /* assumed: one for each of 8 memory partitions */
        .dispatch_clocks = 1.2, /* assumed */
        .latency_alu = 24,      /* Wong */
        .latency_shared = 38,   /* Wong */
        .latency_l1 = 440,      /* Wong: 436 to 443; without a cache these three are the same */
        .latency_l2 = 440,
        .latency_dram = 440,
        .launch_us = 5, /* Volkov: 3 to 7 */
    },
    {
        /* "guide": CUDA C Programming Guide 4.2, tables 5-1 and F-2 and F.4; "whitepaper": NVIDIA's
         * Next Generation CUDA Compute Architecture: Fermi; "board": Tesla M2090 Board
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
        .sms = 16,          /* board: 512 cores */
        .clock_ghz = 1.301, /* board: the shaders' */
        .schedulers = 2,    /* guide F.4.1: two, each an instruction over two clocks */
        .issue_clocks = 2,
        .fp32_lanes = 32,
        .int_lanes = 32, /* guide: sums and logic; products and shifts 16 */
        .fp64_lanes = 16,
        .sfu_lanes = 4,
        /* whitepaper: 16 load/store units; gpumembench: 14.8 words a clock from L1, 15.9 shared */
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
        /* guide F.4.1: 16 of the 64 KB unless a kernel asks for more */
        .l1_bytes = 16 << 10,
        .l1_fetch = 128,       /* guide F.4.2: a whole line */
        .l2_bytes = 768 << 10, /* guide F.4.1 */
        .l2_sides = 1,
        .l2_fetch = 32,
        /* Optimizing Matrix Transpose in CUDA: copy of 2048 x 2048; the board's peak is 177.6 */
        .dram_gbps = 125.2,
        /* GPGPU-Sim's GTX 480, whose memory is as fast; also the next figure and the queue */
        .dram_channels = 6,
        .dram_row_bytes = 4096,
        /* 29.6 GB/s of a channel, for tRRD of Hynix H5GQ1H24AFR: 6 clocks of 0.924 GHz */
        .dram_open_bytes = 192,
        .dram_queue = 64,
        .tags_per_clock = 1,
        .pass_clocks = 2, /* guide F.4.3: a bank has 4 bytes every two clocks */
        /* gpumembench: 273 GB/s from 540 KB, which fit into L2 alone */
        .l2_bytes_per_clock = 176,
        .l2_write_cost = 1,
        .l2_partial_cost = 1,
        .l2_line_cost = 1,
        .atomics_per_clock = 48, /* assumed: 8 from each partition */
        .dispatch_clocks = 1.2,  /* assumed */
        .latency_alu = 22,       /* guide 5.2.3: about 22 */
        .latency_shared = 50,    /* Mei; GPGPU-Sim has 52 for a GTX 480 */
        .latency_l1 = 96,        /* Mei */
        .latency_l2 = 371,       /* Mei */
        .latency_dram = 598,     /* Mei: the TLB hits */
        .launch_us = 4,          /* assumed */
    },
    {
        /* "guide": CUDA C Programming Guide 5.5, tables 2 and 12; "whitepaper": Kepler GK110;
         * "board": Tesla K40 GPU Active Accelerator; "Mei" as above, on a GeForce GTX 780, whose
         * memory is the same; "Jia": Jia and others, Dissecting the NVIDIA Volta GPU Architecture
         * via Microbenchmarking, 2018, which has a K80 beside it; "Arafa": Arafa and others, Low
         * Overhead Instruction Latency Characterization for NVIDIA GPGPUs, 2019, its Kepler. */
        .name = "k40",
        .title = "Tesla K40",
        .cc_major = 3,
        .cc_minor = 5,
        .features = FEATURES_3_5,
        .banks = 32,
        .bank_bytes = 8,
        .sms = 15,          /* board and driver, as the next figure */
        .clock_ghz = 0.745, /* board: base; an application can ask for up to 0.875 */
        /* whitepaper: each may issue two independent instructions, which is not modelled */
        .schedulers = 4,
        .issue_clocks = 1,
        .fp32_lanes = 192,
        .int_lanes = 160, /* guide: sums; products 32 */
        .fp64_lanes = 64,
        .sfu_lanes = 32,
        .lsu_lanes = 32,
        LIMITS_SINCE_3_0,
        .max_blocks = 16,
        .shared_bytes = 48 << 10,
        .shared_block_bytes = 48 << 10,
        .shared_unit = 256,
        .l1_bytes = 16 << 10,
        .l1_fetch = 0,          /* guide F.5.2: global loads bypass it */
        .l2_bytes = 1536 << 10, /* driver */
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_gbps = 216, /* Mei; clpeak has 218; the board says 288.4 */
        .tags_per_clock = 1,
        .pass_clocks = 1,
        .l2_bytes_per_clock = 387, /* Jia: 339 GB/s at 0.875 GHz */
        .l2_write_cost = 1,
        .l2_partial_cost = 1,
        .l2_line_cost = 1,
        .atomics_per_clock = 192, /* assumed: one for each core of a multiprocessor */
        .dispatch_clocks = 1.2,   /* assumed */
        .latency_alu = 9,         /* Arafa: all latencies; guide 5.2.3: about 11 */
        .latency_shared = 26,     /* Jia: 26 */
        .latency_l1 = 32,         /* for local memory; Jia: 35 */
        .latency_l2 = 188,        /* Jia: 200 */
        .latency_dram = 331,
        .launch_us = 4, /* assumed */
    },
};
