/* profiles.c - GPUs from compute capability 6.0 on that the kit can simulate, one row each. 1.x to
 * 3.x are in profiles_old.c, those that learners own or rent in profiles_recent.c. struct
 * model_profile in model.h explains each field.
 *
 *      grid -> [ multiprocessor: schedulers, lanes, registers, shared memory, L1 ] x sms -> L2 -> DRAM
 *
 * The comment of a figure states its source; the full titles are at the top of each row. Figures
 * without a comment: limits of a block, a warp, a thread and a grid are from the row's "guide";
 * allocation units of registers and shared memory are from the CUDA Occupancy Calculator and, from
 * 3.x on, from cuda_occupancy.h of the toolkit.
 *
 * If there is no source for a GPU, "as on the H200" is the figure measured there, and "assumed" is
 * a round number of the right size.
 *
 * "Jia": Jia and others, Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking, 2018.
 * "Arafa": Arafa and others, Low Overhead Instruction Latency Characterization for NVIDIA GPGPUs,
 * 2019. "clpeak", "gpumembench": published records of these benchmarks. The figures from Jia,
 * Arafa, Mei, Volkov and Wong were not checked against the papers' tables a second time. */
#include "model/profiles.h"

#include <string.h>

static const struct model_profile profiles[] = {
    {
        /* Sources: "guide": CUDA C Programming Guide 8.0, tables 2 and 13; "tuning": Pascal Tuning
         * Guide; "card": GeForce GTX 1050 Ti specifications; "Jia": its P4 (6.1 too, with 8 memory
         * channels instead of 4); "Arafa": its Pascal; "GPGPU-Sim": its TITAN X of 2016 (6.1),
         * which its authors compare with hardware. */
        .name = "gtx1050ti",
        .title = "GeForce GTX 1050 Ti",
        .cc_major = 6,
        .cc_minor = 1,
        .features = FEATURES_6_1,
        .banks = 32,
        .bank_bytes = 4,
        .sms = 6,           /* card specifications: 768 cores */
        .clock_ghz = 1.392, /* card specifications: boost clock */
        .schedulers = 4,
        .issue_clocks = 1,
        .fp32_lanes = 128,
        .int_lanes = 128, /* Programming Guide: additions */
        .fp64_lanes = 4,
        .sfu_lanes = 32,
        .lsu_lanes = 32,
        /* Programming Guide, table of throughputs: 2 operations per clock; a lane does a pair */
        .fp16_lanes = 1,
        LIMITS_SINCE_3_0,
        .max_blocks = 32,
        .shared_bytes = 96 << 10,
        .shared_block_bytes = 48 << 10,
        .shared_unit = 256,
        .l1_bytes = 48 << 10,
        /* Pascal Tuning Guide: global loads bypass the L1 unless a compiler option enables it */
        .l1_fetch = 0,
        .l2_bytes = 1 << 20, /* source: card specifications */
        .l2_sides = 1,
        .l2_fetch = 32,
        /* 112.1 GB/s at peak; assumed to reach the same share of its peak as the P4 in Jia et al.
         * (162 of 192) */
        .dram_gbps = 85,
        .tags_per_clock = 4, /* see request_passes in coalesce.c */
        .pass_clocks = 1,
        /* as the GTX 980 (5.2) in its whitepaper: one L1 for every two schedulers */
        .l1_units = 2,
        /* GPGPU-Sim: a 40-byte flit each clock, which carries a sector and its header */
        .l2_sm_bytes = 32,
        /* half of the P4's 979 GB/s in Jia et al., assuming that it ran at its highest clock, 1.531
         * GHz */
        .l2_bytes_per_clock = 320,
        L2_COSTS_AS_H200,
        .atomics_per_clock = 64, /* assumed, no source */
        .dispatch_clocks = 1.2,  /* assumed, no source */
        .latency_alu = 6,        /* source: Arafa et al. */
        .latency_shared = 23,    /* Jia et al., for a P4; also the next two */
        .latency_l1 = 82,
        .latency_l2 = 216,
        .latency_dram = 482, /* Arafa et al., for a P100 */
        .launch_us = 3,      /* assumed, no source */
        .assumed = "atomics_per_clock dispatch_clocks launch_us dram_gbps l2_write_cost "
                   "l2_partial_cost l2_line_cost",
    },
    {
        /* Sources: "guide", "tuning", "Jia", "Arafa", "GPGPU-Sim" as for the GTX 1050 Ti; "card":
         * NVIDIA GeForce GTX 1080 whitepaper; "clpeak": its record of this card. The chip is that
         * of the P4. */
        .name = "gtx1080",
        .title = "GeForce GTX 1080",
        .cc_major = 6,
        .cc_minor = 1,
        .features = FEATURES_6_1,
        .banks = 32,
        .bank_bytes = 4,
        .sms = 20, /* card specifications: 2560 cores */
        /* card specifications: boost clock; the 9.26 TFLOPS of clpeak imply 1.81 */
        .clock_ghz = 1.733,
        .schedulers = 4,
        .issue_clocks = 1,
        .fp32_lanes = 128,
        .int_lanes = 128, /* Programming Guide: additions */
        .fp64_lanes = 4,
        .sfu_lanes = 32,
        .lsu_lanes = 32,
        /* Programming Guide, table of throughputs: 2 operations per clock; a lane does a pair */
        .fp16_lanes = 1,
        LIMITS_SINCE_3_0,
        .max_blocks = 32,
        .shared_bytes = 96 << 10,
        .shared_block_bytes = 48 << 10,
        .shared_unit = 256,
        .l1_bytes = 48 << 10,
        /* Pascal Tuning Guide: global loads bypass the L1 unless a compiler option enables it */
        .l1_fetch = 0,
        .l2_bytes = 2 << 20, /* source: card specifications */
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_gbps = 237,    /* clpeak; the card's specifications say 320 */
        .tags_per_clock = 4, /* see request_passes in coalesce.c */
        .pass_clocks = 1,
        .l1_units = 2, /* as on the GTX 1050 Ti; also the next figure */
        .l2_sm_bytes = 32,
        /* Jia et al., a P4: 979 GB/s at 1.531 GHz, which is 32 bytes for each of 20
         * multiprocessors */
        .l2_bytes_per_clock = 640,
        L2_COSTS_AS_H200,
        .atomics_per_clock = 128, /* assumed, no source */
        .dispatch_clocks = 1.2,   /* assumed, no source */
        .latency_alu = 6,         /* source: Arafa et al. */
        .latency_shared = 23,     /* Jia et al., for a P4; also the next two */
        .latency_l1 = 82,
        .latency_l2 = 216,
        .latency_dram = 482, /* Arafa et al., for a P100 */
        .launch_us = 3,      /* assumed, no source */
        .assumed = "atomics_per_clock dispatch_clocks launch_us l2_write_cost "
                   "l2_partial_cost l2_line_cost",
    },
    {
        /* Sources: "guide", "tuning", "Jia", "Arafa" as for the GTX 1050 Ti; "whitepaper": NVIDIA
         * Tesla P100. This is the SXM2 board. */
        .name = "p100",
        .title = "Tesla P100",
        .cc_major = 6,
        .cc_minor = 0,
        .features = FEATURES_6_0,
        .banks = 32,
        .bank_bytes = 4,
        .sms = 56,         /* source: NVIDIA whitepaper */
        .clock_ghz = 1.48, /* NVIDIA whitepaper: boost clock */
        .schedulers = 2,
        .issue_clocks = 1,
        .fp32_lanes = 64,
        .int_lanes = 64,
        .fp64_lanes = 32,
        /* Programming Guide, table of throughputs: 128 operations per clock; a lane does a pair */
        .fp16_lanes = 64,
        .sfu_lanes = 16,
        .lsu_lanes = 16, /* NVIDIA whitepaper: 16 load/store units */
        LIMITS_SINCE_3_0,
        .max_blocks = 32,
        .shared_bytes = 64 << 10,
        .shared_block_bytes = 48 << 10,
        .shared_unit = 256,
        .l1_bytes = 24 << 10, /* source: NVIDIA whitepaper */
        .l1_fetch = 32,       /* Pascal Tuning Guide: the L1 caches global loads, by sectors */
        .l2_bytes = 4 << 20,  /* source: NVIDIA whitepaper */
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_gbps = 510,    /* Jia et al.; the whitepaper's peak is 732 */
        .tags_per_clock = 4, /* see request_passes in coalesce.c */
        .pass_clocks = 1,
        /* NVIDIA whitepaper; the L1 delivers 32 bytes per clock (31.3 in Jia et al.) */
        .l1_units = 1,
        .l2_bytes_per_clock = 1223, /* Jia et al.: 1624 GB/s at 1.328 GHz */
        L2_COSTS_AS_H200,
        /* as measured on the H200; also the next two */
        .atomics_per_clock = 250,
        .atomic_clocks = 1.45,
        .atomic_float_clocks = 3.47,
        .dispatch_clocks = 1.2, /* assumed, no source */
        .latency_alu = 6,       /* source: Arafa et al. */
        .latency_shared = 24,   /* Jia et al.; also the next two */
        .latency_l1 = 82,
        .latency_l2 = 234,
        .latency_dram = 482, /* Arafa et al., whose L2 latency is 252 */
        .launch_us = 3,      /* assumed, no source */
        .assumed = "dispatch_clocks launch_us atomics_per_clock atomic_clocks "
                   "atomic_float_clocks l2_write_cost l2_partial_cost l2_line_cost",
    },
    {
        /* Sources: "guide": CUDA C Programming Guide 10, tables 3 and 14; "whitepaper": NVIDIA
         * Tesla V100; "Jia", "Arafa" as at the top of this file; "Ernst": as for the A100. This is
         * the SXM2 board. */
        .name = "v100",
        .title = "Tesla V100",
        .cc_major = 7,
        .cc_minor = 0,
        .features = FEATURES_7_0,
        .banks = 32,
        .bank_bytes = 4,
        .tensor = {4, 23}, /* source: tensor.c */
        .sms = 80,         /* source: NVIDIA whitepaper */
        .clock_ghz = 1.53, /* NVIDIA whitepaper: boost clock */
        .schedulers = 4,
        .issue_clocks = 1,
        .fp32_lanes = 64,
        .int_lanes = 64,
        .fp64_lanes = 32,
        /* Programming Guide, table of throughputs: 128 operations per clock; a lane does a pair */
        .fp16_lanes = 64,
        /* NVIDIA whitepaper: 64 multiply-adds per clock for each of 8 tensor cores */
        .tensor_rate = 512,
        .sfu_lanes = 16,
        .lsu_lanes = 32,
        LIMITS_SINCE_3_0,
        .max_blocks = 32,
        .shared_bytes = 96 << 10,
        .shared_block_bytes = 96 << 10,
        .shared_unit = 256,
        .l1_bytes = 128 << 10, /* NVIDIA whitepaper: L1 and shared memory together */
        .l1_shared_together = 1,
        .l1_fetch = 32,
        .l2_bytes = 6 << 20, /* source: NVIDIA whitepaper */
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_gbps = 750,      /* Jia et al.; clpeak has 716 to 810 on a PCIe board */
        .dram_peak_gbps = 900, /* source: NVIDIA whitepaper */
        .tags_per_clock = 4,   /* as measured on the H200 */
        .pass_clocks = 1,
        .l2_bytes_per_clock = 1562, /* Jia et al.: 2155 GB/s at 1.38 GHz */
        L2_COSTS_AS_H200,
        .atomics_per_clock = 250,
        .atomic_clocks = 1.45,
        .atomic_float_clocks = 3.47,
        .dispatch_clocks = 1.2, /* assumed, no source */
        .latency_alu = 4, /* Jia et al., like the other latencies; Arafa and Ernst are within 15% */
        .latency_shared = 19,
        .latency_l1 = 28,
        .latency_l2 = 193,
        .latency_dram = 375,
        .launch_us = 2, /* assumed, no source */
        .assumed = "dispatch_clocks launch_us tags_per_clock atomics_per_clock "
                   "atomic_clocks atomic_float_clocks l2_write_cost l2_partial_cost "
                   "l2_line_cost",
    },
    {
        /* Sources: "guide" as for the V100; "whitepaper": NVIDIA Turing GPU Architecture; "Jia":
         * Dissecting the NVIDIA Turing T4 GPU via Microbenchmarking, 2019; "Arafa": its Turing, a
         * TITAN RTX. */
        .name = "t4",
        .title = "Tesla T4",
        .cc_major = 7,
        .cc_minor = 5,
        .features = FEATURES_7_5,
        .banks = 32,
        .bank_bytes = 4,
        .tensor = {4, 24}, /* source: tensor.c */
        .sms = 40,         /* source: NVIDIA whitepaper */
        /* NVIDIA whitepaper: boost clock; under a long load the limit of 70 W makes it slower */
        .clock_ghz = 1.59,
        .schedulers = 4,
        .issue_clocks = 1,
        .fp32_lanes = 64,
        .int_lanes = 64,
        .fp64_lanes = 2,
        /* Programming Guide, table of throughputs: 128 operations per clock; a lane does a pair */
        .fp16_lanes = 64,
        /* NVIDIA whitepaper: 64 multiply-adds per clock for each of 8 tensor cores */
        .tensor_rate = 512,
        .sfu_lanes = 16,
        .lsu_lanes = 16, /* NVIDIA whitepaper: 16 load/store units */
        .max_threads = 1024,
        .max_warps = 32,
        .max_blocks = 16,
        .max_block_threads = 1024,
        .max_block_dim = {1024, 1024, 64},
        .max_grid_dim = {2147483647, 65535, 65535},
        .registers = 65536,
        .register_unit = 256,
        .thread_registers = 255,
        .shared_bytes = 64 << 10,
        .shared_block_bytes = 64 << 10,
        .shared_unit = 256,
        .l1_bytes = 96 << 10, /* NVIDIA whitepaper: L1 and shared memory together */
        .l1_shared_together = 1,
        .l1_fetch = 32,
        .l2_bytes = 4 << 20, /* source: NVIDIA whitepaper */
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_gbps = 220,
        .dram_peak_gbps = 320, /* dram_gbps: Jia et al.; dram_peak_gbps: NVIDIA whitepaper */
        .tags_per_clock = 4,   /* as measured on the H200 */
        .pass_clocks = 1,
        .l2_bytes_per_clock = 799, /* Jia et al.: 1270 GB/s at 1.59 GHz */
        L2_COSTS_AS_H200,
        .atomics_per_clock = 250,
        .atomic_clocks = 1.45,
        .atomic_float_clocks = 3.47,
        .dispatch_clocks = 1.2, /* assumed, no source */
        .latency_alu = 4,       /* Jia et al.; also the next three */
        .latency_shared = 19,
        .latency_l1 = 32,
        .latency_l2 = 188,
        .latency_dram = 424, /* source: Arafa et al. */
        .launch_us = 2,      /* assumed, no source */
        .assumed = "dispatch_clocks launch_us tags_per_clock atomics_per_clock "
                   "atomic_clocks atomic_float_clocks l2_write_cost l2_partial_cost "
                   "l2_line_cost",
    },
    {
        /* Sources: "guide": CUDA C++ Programming Guide, compute capability 8.0; "whitepaper":
         * NVIDIA A100 Tensor Core GPU Architecture; "Ernst": gpu-benches by Dominik Ernst, its
         * records of an A100 at 1.41 GHz; "Luo": Luo and others, Benchmarking and Dissecting the
         * Nvidia Hopper GPU Architecture, 2024. This is the 40 GB SXM board. */
        .name = "a100",
        .title = "NVIDIA A100",
        .cc_major = 8,
        .cc_minor = 0,
        .features = FEATURES_8_0,
        .banks = 32,
        .bank_bytes = 4,
        .tensor = {8, 24},
        .tensor_tf32 = {4, 24}, /* source of .tensor and .tensor_tf32: tensor.c */
        .sms = 108,             /* source: NVIDIA whitepaper */
        .clock_ghz = 1.41,      /* NVIDIA whitepaper: boost clock */
        .schedulers = 4,
        .issue_clocks = 1,
        .fp32_lanes = 64,
        .int_lanes = 64,
        .fp64_lanes = 32,
        /* Programming Guide, table of throughputs: 256 operations per clock; a lane does a pair */
        .fp16_lanes = 128,
        .tensor_rate = 1024, /* NVIDIA whitepaper: 312 TFLOP/s */
        .sfu_lanes = 16,
        .lsu_lanes = 32,
        LIMITS_SINCE_3_0,
        .max_blocks = 32,
        .shared_bytes = 164 << 10,
        .shared_block_bytes = 163 << 10,
        .shared_unit = 128,
        .shared_reserved = 1 << 10,
        .l1_bytes = 192 << 10, /* NVIDIA whitepaper: L1 and shared memory together */
        .l1_shared_together = 1,
        .l1_fetch = 32,
        .l2_bytes = 40 << 20, /* source: NVIDIA whitepaper */
        .l2_sides = 2,        /* source: NVIDIA whitepaper */
        .l2_fetch = 64,       /* as measured on the H200 */
        .dram_gbps = 1381,
        /* dram_gbps: Ernst's gpu-benches, scale kernel; dram_peak_gbps: NVIDIA whitepaper */
        .dram_peak_gbps = 1555,
        .tags_per_clock = 4, /* as measured on the H200 */
        .pass_clocks = 1,
        /* Ernst's gpu-benches: 5430 GB/s; the whitepaper says 5120 bytes per clock */
        .l2_bytes_per_clock = 3850,
        L2_COSTS_AS_H200,
        .atomics_per_clock = 250,
        .atomic_clocks = 1.45,
        .atomic_float_clocks = 3.47,
        .dispatch_clocks = 1.2, /* as measured on the H200 */
        .latency_alu = 4,       /* Accel-Sim's model of the A100 */
        .latency_shared = 29,   /* Luo et al.; Accel-Sim has 28 */
        .latency_l1 = 36,       /* Ernst's gpu-benches; also the next two */
        .latency_l2 = 213, /* measured there for up to 20 MB, which is the near half of the L2 */
        .latency_dram = 574,
        .launch_us = 1.7, /* as measured on the H200 */
        .assumed = "dispatch_clocks launch_us tags_per_clock l2_fetch atomics_per_clock "
                   "atomic_clocks atomic_float_clocks l2_write_cost l2_partial_cost "
                   "l2_line_cost",
    },
    {
        /* Sources: unless a line names another one, the Programming Guide's technical
         * specifications of compute capability 9.0; "whitepaper": NVIDIA H100 Tensor Core GPU
         * Architecture; "driver": attributes that the card reports; "measured": on one H200;
         * `lockstep-hardware probe` measures some of the figures again. */
        .name = "h200",
        .title = "NVIDIA H200",
        .cc_major = 9,
        .cc_minor = 0,
        .features = FEATURES_9_0,
        .banks = 32,
        .bank_bytes = 4,
        .tensor = {16, 25},
        .tensor_tf32 = {16, 25}, /* source of .tensor and .tensor_tf32: tensor.c */
        .sms = 132,              /* reported by the driver */
        .clock_ghz = 1.98, /* reported by the driver: the boost clock, at which these kernels run */
        .schedulers = 4,
        .issue_clocks = 1,
        .fp32_lanes = 128,
        .int_lanes = 64,
        .fp64_lanes = 64,
        /* Programming Guide, table of throughputs: 256 operations per clock; a lane does a pair */
        .fp16_lanes = 128,
        /* measured: mma.sync takes 6 clocks (ncu) where wgmma takes 4 */
        .tensor_rate = 1365,
        .sfu_lanes = 16,
        .lsu_lanes = 32, /* NVIDIA whitepaper: 32 load/store units */
        LIMITS_SINCE_3_0,
        .max_blocks = 32,
        .shared_bytes = 228 << 10,
        .shared_block_bytes = 227 << 10,
        .shared_unit = 128,
        .shared_reserved = 1 << 10,
        .l1_bytes = 256 << 10, /* NVIDIA whitepaper: L1 and shared memory together */
        .l1_shared_together = 1,
        .l1_fetch = 32,
        .l2_bytes = (int64_t)60 << 20, /* reported by the driver */
        /* measured: streaming reads, and all writes, count 1.5 times in the L2's counters */
        .l2_sides = 2,
        /* measured: if a load uses one sector of a pair (64 bytes), DRAM reads both */
        .l2_fetch = 64,
        /* measured: the groups of multiprocessors that can share a cluster, or that have the same
         * %clock */
        .gpcs = 8,
        .read_joins = 4, /* measured, like the next two: see sim/memory/l2.c */
        .under_way_near = 56,
        .under_way_far = 250,
        /* fitted to counts of reads, like the next one: see sim/memory/arrival.c */
        .start_apart = 24,
        .sm_drift = 0.000125,
        /* dram_gbps: measured by a copy of 1 GiB, reads plus writes; dram_peak_gbps: datasheet */
        .dram_gbps = 4232,
        .dram_peak_gbps = 4800,
        /* measured: a load of 32 lines in 32 banks takes 8 clocks, one of 8 lines 2, one of 4 lines
         * 1 */
        .tags_per_clock = 4,
        .pass_clocks = 1,
        .l2_bytes_per_clock = 4400, /* measured: 16-byte loads that bypass L1, 8.7 TB/s */
        .l2_write_cost = 1.8,       /* measured: 16-byte stores, relative to 16-byte loads */
        /* measured: 4-byte stores, one to each sector: time of the L2 for each sector, relative to
         * that for a sector which 16-byte loads read */
        .l2_partial_cost = 2.28,
        /* measured: 4-byte stores to one of a line's 4 sectors: time for each line, likewise */
        .l2_line_cost = 3.67,
        /* measured: 4-byte loads of one of a line's 4 sectors: time for each line, likewise */
        .l2_request_cost = 1.73,
        /* measured: 28 lines combine, 32 do not; see sim/memory/write_combine.c */
        .join_lines = 28,
        .atomics_per_clock = 490, /* measured: additions to consecutive words */
        /* measured: additions by all lanes to one word; also the next one */
        .atomic_clocks = 1.45,
        .atomic_float_clocks = 3.47,
        .dispatch_clocks = 1.2, /* measured: 132000 empty blocks of 256 threads in 81 us */
        /* measured: 135168 empty blocks of 1024 threads, 2 at a time, in 91 us */
        .turnaround_clocks = 350,
        /* measured: dependent loads with 8 and 32 words in one bank take 15 and 69 clocks more than
         * loads without conflicts */
        .latency_pass = 2,
        /* measured: a loop of 8 dependent multiply-adds takes 39 clocks, a loop of 1 takes 29, both
         * including the comparison */
        .latency_branch = 10,
        /* measured on an H100 with a sequence of barriers, minus 2 clocks for each warp */
        .latency_barrier = 12,
        /* measured: 1024 dependent multiply-adds, of floats or integers, take 4.2 each */
        .latency_alu = 4,
        /* measured, like the next three: dependent loads, each of whose values is the next
         * address */
        .latency_shared = 23,
        .latency_l1 = 33,
        .latency_l2 = 280,
        .latency_dram = 680,
        .launch_us = 1.66, /* measured: gpu__time_duration of an empty kernel of one warp */
    },
    {
        /* An invented GPU, for calculations by hand. A clock is a nanosecond. Each full-rate pipe
         * executes one warp instruction per clock. Device memory moves two sectors per clock. The
         * rules are those of 9.0. */
        .name = "tiny",
        .title = "tiny (invented)",
        .cc_major = 9,
        .cc_minor = 0,
        .features = FEATURES_9_0,
        .banks = 32,
        .bank_bytes = 4,
        .tensor = {16, 25},
        .tensor_tf32 = {16, 25}, /* source of .tensor and .tensor_tf32: tensor.c */
        .sms = 2,
        .clock_ghz = 1,
        .schedulers = 1,
        .issue_clocks = 1,
        .fp32_lanes = 32,
        .int_lanes = 32,
        .fp64_lanes = 16,
        .fp16_lanes = 32,
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
        .thread_registers = 255,
        .shared_bytes = 64 << 10,
        .shared_block_bytes = 48 << 10,
        .shared_unit = 128,
        .shared_reserved = 0,
        .l1_bytes = 32 << 10,
        .l1_shared_together = 0,
        .l1_fetch = 32,
        .l2_bytes = 1 << 20,
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_gbps = 64,
        .tags_per_clock = 4,
        .pass_clocks = 1,
        .l2_bytes_per_clock = 128,
        .l2_write_cost = 1,
        .l2_partial_cost = 1,
        .l2_line_cost = 1,
        .atomics_per_clock = 8,
        .atomic_clocks = 1,
        .atomic_float_clocks = 2,
        .dispatch_clocks = 1,
        .turnaround_clocks = 0,
        .latency_branch = 0,
        .latency_barrier = 12,
        .latency_alu = 4,
        .latency_shared = 20,
        .latency_l1 = 20,
        .latency_l2 = 100,
        .latency_dram = 400,
        .launch_us = 1,
    },
};

const struct model_feature_info model_features[FEATURE_COUNT] = {
#define FEATURE(id, name, where) [FEATURE_##id] = {name, where},
#include "model/features.h"
};

enum { PROFILES = sizeof profiles / sizeof *profiles };

/* Returns profile i of all files: first those of profiles_old.c, then those of profiles.c; those of
 * profiles_recent.c come before the H200. NULL after the last. */
const struct model_profile *model_profile_at(int i)
{
    enum { BEFORE = PROFILES - 2 };
    if (i >= 0 && i < PROFILES_OLD) return &model_profiles_old[i];
    i -= PROFILES_OLD;
    if (i >= BEFORE && i < BEFORE + PROFILES_RECENT) return &model_profiles_recent[i - BEFORE];
    if (i >= BEFORE + PROFILES_RECENT) i -= PROFILES_RECENT;
    return i >= 0 && i < PROFILES ? &profiles[i] : NULL;
}

const struct model_profile *model_profile_find(const char *name)
{
    const struct model_profile *p;
    for (int i = 0; (p = model_profile_at(i)); i++)
        if (strcmp(p->name, name) == 0) return p;
    return NULL;
}
