/* profiles_recent.c - the GPUs that learners own or rent, from compute capability 7.5 to 12.0, but
 * for those of profiles.c, which explains how to read a row.
 *
 * The multiprocessors of one compute capability are alike, so a macro has what they share; a row has
 * the card. A figure that .assumed names has no source: its comment says where the value is from.
 *
 * "guide": CUDA Programming Guide 13, Compute Capabilities, tables 28 to 33. "GA102": NVIDIA Ampere
 * GA102 whitepaper. "card": the datasheet or specifications of the card. "NvBench": records of
 * nvbench in Programming Massively Parallel Processors. "Ernst": gpu-benches by Dominik Ernst, its
 * records of an A40 (8.6), an L40 (8.9) and an H100 PCIe. "Luo": Luo and others, Benchmarking and
 * Dissecting the Nvidia Hopper GPU Architecture, its logs. "Dewing": AI kernels by Mark Dewing,
 * latency. "Arab": gpu-micro-bench, in nanoseconds. "Feng": gpu-arch-microbenchmark. "Accel":
 * Accel-Sim's RTX 3070 and RTX 2060. "clpeak": its record of an RTX 5060. Latencies in nanoseconds
 * are turned into clocks at the card's boost clock. */
#include "model/profiles.h"

/* ---- what the multiprocessors of a compute capability share ---- */

/* Figures that are the same in all multiprocessors of this file. Source: the guide. */
#define MULTIPROCESSOR \
    .banks = 32, .bank_bytes = 4, .schedulers = 4, .issue_clocks = 1, .sfu_lanes = 16, \
    .max_block_threads = 1024, .max_block_dim = {1024, 1024, 64}, \
    .max_grid_dim = {2147483647, 65535, 65535}, .registers = 65536, .register_unit = 256, \
    .thread_registers = 255, .l1_shared_together = 1, .l1_fetch = 32, .tags_per_clock = 4, \
    .latency_alu = 4, L2_COSTS_AS_H200
/* The multiprocessors of 8.6, 8.9 and 12.0 hold 1536 threads, and 100 KB of shared memory in an L1
 * of 128 KB. Source: the guide. */
#define SMALL_MULTIPROCESSOR \
    MULTIPROCESSOR, .max_threads = 1536, .max_warps = 48, .shared_unit = 128, \
                    .shared_bytes = 100 << 10, .shared_block_bytes = 99 << 10, \
                    .shared_reserved = 1 << 10, .l1_bytes = 128 << 10, .l2_sides = 1, \
                    .l2_fetch = 32, .fp64_lanes = 2
/* Figures for which no source is known on any of the cards that use this list. The L2 costs and
 * dispatch_clocks are those of an H200. */
#define ASSUMED_FOR_ALL \
    "l2_write_cost l2_partial_cost l2_line_cost atomics_per_clock dispatch_clocks launch_us "

/* 7.5. An L1 delivers 64 bytes per clock (GA102). On a GeForce, tensor cores take twice as long for
 * sums of floats as for sums of halves (card). Latencies: Feng; latency_dram: Arab. */
#define TURING \
    MULTIPROCESSOR, .cc_major = 7, .cc_minor = 5, .features = FEATURES_7_5, .tensor = {4, 24}, \
                    .fp32_lanes = 64, .int_lanes = 64, .fp64_lanes = 2, .fp16_lanes = 64, \
                    .lsu_lanes = 16, .tensor_rate = 256, .half_sums = 2, .max_threads = 1024, \
                    .max_warps = 32, .max_blocks = 16, .shared_unit = 256, \
                    .shared_bytes = 64 << 10, .shared_block_bytes = 64 << 10, \
                    .l1_bytes = 96 << 10, .l2_sides = 1, .l2_fetch = 32, .pass_clocks = 2, \
                    .atomic_clocks = 1, .latency_shared = 23, .latency_l1 = 32, .latency_l2 = 236

/* 8.6. A warp's load of floats takes 2 clocks; with conflicts, as many clocks as the words in the
 * fullest bank (Ernst). Halves have the rate of floats (card). Latencies of the L1 and shared
 * memory: Accel. In a nanosecond, all 32 lanes add to one word 1.85 times for integers (NvBench),
 * 0.61 times for floats (an RTX 3080). */
#define AMPERE_86 \
    SMALL_MULTIPROCESSOR, .cc_major = 8, .cc_minor = 6, .features = FEATURES_8_6, \
                          .tensor = {8, 24}, .tensor_tf32 = {4, 24}, .fp32_lanes = 128, \
                          .int_lanes = 64, .fp16_lanes = 64, .lsu_lanes = 16, .max_blocks = 16, \
                          .pass_clocks = 1, .atomic_clocks = 1, .atomic_float_clocks = 2.8, \
                          .latency_shared = 29, .latency_l1 = 39

/* 8.9. Latency of the L1: Ernst, Luo. latency_shared: as on 8.6. */
#define ADA \
    SMALL_MULTIPROCESSOR, .cc_major = 8, .cc_minor = 9, .features = FEATURES_8_6, \
                          .tensor = {8, 24}, .tensor_tf32 = {4, 24}, .fp32_lanes = 128, \
                          .int_lanes = 64, .fp16_lanes = 64, .lsu_lanes = 16, .max_blocks = 24, \
                          .pass_clocks = 1, .atomic_clocks = 1, .atomic_float_clocks = 2.8, \
                          .latency_shared = 29, .latency_l1 = 36
#define ASSUMED_FOR_ADA \
    ASSUMED_FOR_ALL "int_lanes sfu_lanes latency_shared atomic_clocks atomic_float_clocks l2_fetch"

/* 9.0: the multiprocessors of the H200. profiles.c has their figures with the sources. */
#define HOPPER \
    MULTIPROCESSOR, .cc_major = 9, .cc_minor = 0, .features = FEATURES_9_0, .tensor = {16, 25}, \
                    .tensor_tf32 = {16, 25}, .fp32_lanes = 128, .int_lanes = 64, .fp64_lanes = 64, \
                    .fp16_lanes = 128, .lsu_lanes = 32, .max_threads = 2048, .max_warps = 64, \
                    .max_blocks = 32, .shared_unit = 128, .shared_bytes = 228 << 10, \
                    .shared_block_bytes = 227 << 10, .shared_reserved = 1 << 10, \
                    .l1_bytes = 256 << 10, .l2_sides = 2, .l2_fetch = 64, .pass_clocks = 1

/* 12.0. Half pairs, tensor cores and a warp's loads: clpeak. Conversions of floats to integers: CUDA
 * C++ Best Practices Guide 13.4. Latencies: Dewing, an RTX 5090. latency_shared: as on 8.6. How
 * tensor cores add: as on 9.0. */
#define BLACKWELL_120 \
    SMALL_MULTIPROCESSOR, \
        .cc_major = 12, .cc_minor = 0, .features = FEATURES_12_0, .tensor = {16, 25}, \
        .tensor_tf32 = {16, 25}, .fp32_lanes = 128, .int_lanes = 64, .fp16_lanes = 64, \
        .lsu_lanes = 16, .convert_lanes = 2, .tensor_rate = 256, .half_sums = 2, .max_blocks = 24, \
        .pass_clocks = 1, .atomic_clocks = 1.45, .atomic_float_clocks = 3.47, \
        .latency_shared = 29, .latency_l1 = 44, .latency_l2 = 360, .latency_dram = 936
#define ASSUMED_FOR_120 \
    ASSUMED_FOR_ALL "sfu_lanes latency_alu latency_shared atomic_clocks atomic_float_clocks " \
                    "l2_sides l2_fetch l2_bytes_per_clock dram_gbps"

/* ---- the cards ---- */

const struct model_profile model_profiles_recent[PROFILES_RECENT] = {
    {
        .name = "rtx2080",
        .title = "NVIDIA GeForce RTX 2080",
        TURING,
        .sms = 46,                 /* Arab */
        .clock_ghz = 1.71,         /* card: boost clock */
        .l2_bytes = 4 << 20,       /* Arab */
        .dram_peak_gbps = 448,     /* card */
        .dram_gbps = 394,          /* the share of the peak that copies reach on an H200 */
        .l2_bytes_per_clock = 799, /* as for the T4, whose memory is as wide */
        .atomics_per_clock = 250,
        .atomic_float_clocks = 2.8, /* as on 8.6 */
        .dispatch_clocks = 1.2,
        .latency_dram = 405, /* Arab, an RTX 2080 SUPER: 237 ns */
        .launch_us = 2,
        .assumed = ASSUMED_FOR_ALL "l2_fetch dram_gbps l2_bytes_per_clock atomic_float_clocks",
    },
    {
        .name = "rtx3060",
        .title = "NVIDIA GeForce RTX 3060",
        AMPERE_86,
        .sms = 28,          /* NvBench */
        .clock_ghz = 1.777, /* card: boost clock */
        .tensor_rate = 256, /* source of this and the next three figures: card */
        .half_sums = 2,
        .l2_bytes = 3 << 20,
        .dram_peak_gbps = 360,
        .dram_gbps = 338, /* Ernst: the peak times the share of its own that an A40 reaches */
        .l2_bytes_per_clock = 456, /* Ernst: 16.3 for each multiprocessor of an A40 */
        .atomics_per_clock = 250,
        .dispatch_clocks = 1.2,
        .latency_l2 = 233,   /* Arab, an RTX 3090: 131 ns */
        .latency_dram = 478, /* Arab, an RTX 3090: 269 ns */
        .launch_us = 2,
        .assumed = ASSUMED_FOR_ALL "l2_fetch",
    },
    {
        .name = "rtx3080",
        .title = "NVIDIA GeForce RTX 3080",
        AMPERE_86,
        .sms = 68,          /* NvBench */
        .clock_ghz = 1.71,  /* card: boost clock */
        .tensor_rate = 256, /* card: 29.8 TFLOP/s with TF32; of the next three figures, too */
        .half_sums = 2,
        .l2_bytes = 5 << 20,
        .dram_peak_gbps = 760,
        .dram_gbps = 713, /* Ernst: the peak times the share of its own that an A40 reaches */
        .l2_bytes_per_clock = 1108, /* Ernst, as for the RTX 3060 */
        .atomics_per_clock = 250,
        .dispatch_clocks = 1.2,
        .latency_l2 = 224,   /* Arab, an RTX 3090: 131 ns */
        .latency_dram = 460, /* Arab, an RTX 3090: 269 ns */
        .launch_us = 2,
        .assumed = ASSUMED_FOR_ALL "l2_fetch",
    },
    {
        .name = "a10",
        .title = "NVIDIA A10",
        AMPERE_86,
        .sms = 72,          /* card */
        .clock_ghz = 1.695, /* card: boost clock; the limit of 150 W can make it slower */
        .tensor_rate = 512, /* source of this and the next two figures: card */
        .l2_bytes = 6 << 20,
        .dram_peak_gbps = 600,
        .dram_gbps = 564, /* Ernst: the peak times the share of its own that an A40 reaches */
        .l2_bytes_per_clock = 1174, /* Ernst, as for the RTX 3060 */
        .atomics_per_clock = 250,
        .dispatch_clocks = 1.2,
        .latency_l2 = 222,   /* Arab, an RTX 3090: 131 ns */
        .latency_dram = 456, /* Arab, an RTX 3090: 269 ns */
        .launch_us = 2,
        .assumed = ASSUMED_FOR_ALL "l2_fetch",
    },
    {
        .name = "a6000",
        .title = "NVIDIA RTX A6000",
        AMPERE_86,
        .sms = 84,          /* card */
        .clock_ghz = 1.8,   /* card: boost clock */
        .tensor_rate = 512, /* source of this and the next two figures: card */
        .l2_bytes = 6 << 20,
        .dram_peak_gbps = 768,
        .dram_gbps = 722, /* Ernst: the peak times the share of its own that an A40 reaches */
        .l2_bytes_per_clock = 1370, /* Ernst, an A40, which has as many multiprocessors */
        .atomics_per_clock = 250,
        .dispatch_clocks = 1.2,
        .latency_l2 = 236,   /* Arab, an RTX 3090: 131 ns */
        .latency_dram = 484, /* Arab, an RTX 3090: 269 ns */
        .launch_us = 2,
        .assumed = ASSUMED_FOR_ALL "l2_fetch",
    },
    {
        /* A Jetson Orin NX with 16 GB: 8.7, with the multiprocessors of 8.6 and the shared memory of
         * 8.0. The CPU and the GPU share one memory. */
        .name = "orin",
        .title = "Orin",
        MULTIPROCESSOR,
        .cc_major = 8,
        .cc_minor = 7,
        .features = FEATURES_8_6,
        .integrated = 1,
        .tensor = {8, 24},
        .tensor_tf32 = {4, 24},
        .sms = 8, /* source of this and the next figure: reported by the driver */
        .clock_ghz = 0.918,
        .fp32_lanes = 128, /* source of this and the next two figures: guide */
        .int_lanes = 64,
        .fp64_lanes = 2,
        .fp16_lanes = 64, /* source of this and the next two figures: as on 8.6 */
        .tensor_rate = 512,
        .lsu_lanes = 16,
        .max_threads = 1536,
        .max_warps = 48,
        .max_blocks = 16,
        .shared_bytes = 164 << 10,
        .shared_block_bytes = 163 << 10,
        .shared_unit = 128,
        .shared_reserved = 1 << 10,
        .l1_bytes = 192 << 10,
        .l2_bytes = 2 << 20, /* reported by the driver */
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_peak_gbps = 102, /* card */
        .dram_gbps = 82,       /* the peak times the share of its own that an L4 reaches */
        .pass_clocks = 1,
        .l2_bytes_per_clock = 130, /* as much for each multiprocessor as on 8.6 */
        .atomics_per_clock = 64,
        .atomic_clocks = 1,
        .atomic_float_clocks = 2.8,
        .dispatch_clocks = 1.2,
        .latency_shared =
            29, /* source of this and the next three figures: as on 8.6 at its clocks */
        .latency_l1 = 39,
        .latency_l2 = 214,
        .latency_dram = 570,
        .launch_us = 5,
        .assumed = ASSUMED_FOR_ALL "fp16_lanes tensor_rate lsu_lanes l2_sides l2_fetch dram_gbps "
                                   "dram_peak_gbps l2_bytes_per_clock atomic_clocks "
                                   "atomic_float_clocks latency_shared latency_l1 latency_l2 "
                                   "latency_dram",
    },
    {
        .name = "l4",
        .title = "NVIDIA L4",
        ADA,
        .sms = 58,          /* card */
        .clock_ghz = 2.04,  /* card: boost clock; the limit of 72 W makes it slower under load */
        .tensor_rate = 512, /* source of this and the next two figures: card */
        .l2_bytes = 48 << 20,
        .dram_peak_gbps = 300,
        .dram_gbps = 240,          /* published: adding two arrays */
        .l2_bytes_per_clock = 922, /* Ernst: 15.9 for each multiprocessor of an L40 */
        .atomics_per_clock = 250,
        .dispatch_clocks = 1.2,
        .latency_l2 = 277,   /* Ernst, an L40 */
        .latency_dram = 518, /* Ernst, an L40, and Luo, an RTX 4090: 254 ns */
        .launch_us = 2,
        .assumed = ASSUMED_FOR_ADA,
    },
    {
        .name = "rtx4060",
        .title = "NVIDIA GeForce RTX 4060",
        ADA,
        .sms = 24, /* source of this and the next two figures: card */
        .clock_ghz = 2.46,
        .tensor_rate = 256,
        .half_sums = 2,
        .l2_bytes = 24 << 20, /* source of this and the next figure: card */
        .dram_peak_gbps = 272,
        .dram_gbps = 242, /* Ernst: the peak times the share of its own that an L40 reaches */
        .l2_bytes_per_clock = 382, /* Ernst, as for the L4 */
        .atomics_per_clock = 250,
        .dispatch_clocks = 1.2,
        .latency_l2 = 277,   /* Ernst, an L40 */
        .latency_dram = 625, /* as for the L4: 254 ns */
        .launch_us = 2,
        .assumed = ASSUMED_FOR_ADA,
    },
    {
        .name = "rtx4090",
        .title = "NVIDIA GeForce RTX 4090",
        ADA,
        .sms = 128, /* source of this and the next two figures: card */
        .clock_ghz = 2.52,
        .tensor_rate = 256,
        .half_sums = 2,
        .l2_bytes = 72 << 20,   /* Dewing; Luo's latency is flat up to 54 MB */
        .dram_peak_gbps = 1008, /* card */
        .dram_gbps = 897,       /* Ernst: the peak times the share of its own that an L40 reaches */
        .l2_bytes_per_clock = 2020, /* published: 4510 GB/s at 2.23 GHz */
        .atomics_per_clock = 250,
        .dispatch_clocks = 1.2,
        .latency_l2 = 285,   /* Luo */
        .latency_dram = 640, /* Luo: 254 ns */
        .launch_us = 2,
        .assumed = ASSUMED_FOR_ADA,
    },
    {
        /* The SXM board. It has the chip of the H200, whose figures are used where no comment names
         * another source. */
        .name = "h100",
        .title = "NVIDIA H100 80GB HBM3",
        HOPPER,
        .sms = 132, /* source of this and the next figure: card */
        .clock_ghz = 1.98,
        .tensor_rate = 1365,
        .l2_bytes = 50 << 20, /* source of this and the next figure: card */
        .dram_peak_gbps = 3352,
        /* measured by `lockstep-hardware probe`, like all figures below of the L2, DRAM and atomics
         * that differ from the H200's: tests/hardware/records/h100-probes.json */
        .dram_gbps = 3001,
        .gpcs = 8,
        .read_joins = 4,
        .under_way_near = 56,
        .under_way_far = 250,
        .start_apart = 24,
        .sm_drift = 0.000125,
        .l2_bytes_per_clock = 3819,
        .l2_request_cost = 1.93,
        .join_lines = 28,
        .atomics_per_clock = 425,
        .atomic_clocks = 1.45,
        .atomic_float_clocks = 3.47,
        .dispatch_clocks = 1.2,
        .turnaround_clocks = 350,
        .latency_pass = 2,
        .latency_branch = 10,
        .latency_barrier = 12,
        .latency_shared = 23,
        /* as on the H200, as are the next two; Dewing's slower pointer chase gives 40, 291 and
         * 700 */
        .latency_l1 = 33,
        .latency_l2 = 280,
        .latency_dram = 680,
        .launch_us = 1.66,
    },
    {
        /* 10.0, with the guide's tables. A driver and XLA report the card's clock and memory. */
        .name = "b200",
        .title = "NVIDIA B200",
        MULTIPROCESSOR,
        .cc_major = 10,
        .cc_minor = 0,
        .features = FEATURES_10_0,
        .tensor = {16, 25}, /* source of this and the next figure: as on 9.0 */
        .tensor_tf32 = {16, 25},
        .sms = 148,
        .clock_ghz = 1.965,
        .fp32_lanes = 128,
        .int_lanes = 64,
        .fp64_lanes = 64,
        .fp16_lanes = 64,
        /* mma.sync as on 9.0; tcgen05, which the kit does not have, does 4096 */
        .tensor_rate = 1365,
        .lsu_lanes = 32, /* as on 9.0 */
        .max_threads = 2048,
        .max_warps = 64,
        .max_blocks = 32,
        .shared_bytes = 228 << 10,
        .shared_block_bytes = 227 << 10,
        .shared_unit = 128,
        .shared_reserved = 1 << 10,
        .l1_bytes = 256 << 10,
        .l2_bytes = (int64_t)253 << 19, /* 126.5 MB */
        .l2_sides = 2,
        .l2_fetch = 64, /* as on 9.0 */
        .dram_peak_gbps = 7672,
        .dram_gbps = 6750, /* the peak times the share of its own that an H200 reaches */
        .pass_clocks = 1,
        .l2_bytes_per_clock = 4933, /* as much for each multiprocessor as on an H200 */
        .atomics_per_clock = 490,   /* source of this and the next three figures: as on 9.0 */
        .atomic_clocks = 1.45,
        .atomic_float_clocks = 3.47,
        .dispatch_clocks = 1.2,
        .latency_shared = 23, /* as on 9.0 */
        .latency_l1 = 40,     /* source of this and the next two figures: Dewing */
        .latency_l2 = 295,
        .latency_dram = 860,
        .launch_us = 1.66, /* as on 9.0 */
        .assumed = ASSUMED_FOR_ALL "sfu_lanes lsu_lanes tensor_rate l2_fetch dram_gbps "
                                   "l2_bytes_per_clock atomic_clocks atomic_float_clocks "
                                   "latency_alu latency_shared",
    },
    {
        .name = "rtx5070",
        .title = "NVIDIA GeForce RTX 5070",
        BLACKWELL_120,
        .sms = 48, /* source of this and the next three figures: card */
        .clock_ghz = 2.512,
        .l2_bytes = 48 << 20,
        .dram_peak_gbps = 672,
        .dram_gbps = 585, /* the peak times the share of its own that an RTX 5060 Ti reaches */
        .l2_bytes_per_clock = 763, /* as much for each multiprocessor as on 8.9 */
        .atomics_per_clock = 250,
        .dispatch_clocks = 1.2,
        .launch_us = 2,
        .assumed = ASSUMED_FOR_120 " latency_l2 latency_dram",
    },
    {
        .name = "rtx5090",
        .title = "NVIDIA GeForce RTX 5090",
        BLACKWELL_120,
        .sms = 170, /* source of this and the next three figures: card */
        .clock_ghz = 2.407,
        .l2_bytes = 96 << 20,
        .dram_peak_gbps = 1792,
        .dram_gbps = 1559, /* the peak times the share of its own that an RTX 5060 Ti reaches */
        .l2_bytes_per_clock = 2703, /* as much for each multiprocessor as on 8.9 */
        .atomics_per_clock = 250,
        .dispatch_clocks = 1.2,
        .launch_us = 2,
        .assumed = ASSUMED_FOR_120,
    },
};
