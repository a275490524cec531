/* profiles.c - the GPUs that the kit can be, from 6.x on: a row each, figures with their source beside them.
 *
 *      grid -> [ multiprocessor: schedulers, lanes, registers, shared memory, L1 ] x sms -> L2 -> DRAM
 *
 * What a block, a warp and a thread may have (threads, warps, blocks, registers, shared memory, grids) is the row's
 * "guide"; the units in which registers and shared memory are given out are the CUDA Occupancy Calculator's, from 3.x on
 * also in the toolkit's cuda_occupancy.h. Figures that a GPU's own sources lack are marked: "as on the H200" carries over
 * what was measured there; "assumed" is a round number of the right size, and so is what follows from it.
 * 1.x to 3.x are in profiles_old.c.
 *
 * Looked up once more: the records of gpumembench and clpeak, GPGPU-Sim's configurations (which have Jia's 82 and 24 clocks for L1 and
 * shared memory of 6.1 as well), the forum answers. Of Jia, Arafa, Mei, Volkov and Wong only the abstracts could be: what stands
 * here from their tables is as it was first noted.
 */
#include "model/profiles.h"

#include <string.h>

static const struct model_profile profiles[] = {
    {
        /* "guide": CUDA C Programming Guide 8.0, tables 2 and 13; "tuning": Pascal Tuning Guide; "card": GeForce GTX 1050
         * Ti specifications; "Jia" as above, which has a P4 (6.1 too, 8 memory channels where this has 4) beside it;
         * "Arafa" as above, its Pascal; "GPGPU-Sim": its TITAN X of 2016 (6.1), which its authors hold against hardware. */
        .name = "gtx1050ti", .title = "GeForce GTX 1050 Ti",
        .cc_major = 6, .cc_minor = 1,
        .sms = 6,            /* card: 768 cores */
        .clock_ghz = 1.392,  /* card: boost */
        .schedulers = 4, .issue_clocks = 1, .fp32_lanes = 128,
        .int_lanes = 128,    /* guide: sums */
        .fp64_lanes = 4, .sfu_lanes = 32, .lsu_lanes = 32,
        LIMITS_SINCE_3_0,
        .max_blocks = 32,
        .shared_bytes = 96 << 10,
        .shared_block_bytes = 48 << 10,
        .shared_unit = 256,
        .l1_bytes = 48 << 10,
        .l1_fetch = 0,           /* tuning: global loads pass it by unless the compiler is told otherwise */
        .l2_bytes = 1 << 20,     /* card */
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_gbps = 85,         /* the P4's share of its peak in Jia, 162 of 192; here the peak is 112.1 */
        .tags_per_clock = 4,     /* coalesce.c */
        .pass_clocks = 1,
        .l1_units = 2,           /* GTX 980 whitepaper, this and 6.1: one for two of the four schedulers */
        .l2_sm_bytes = 32,       /* GPGPU-Sim: a flit of 40 bytes, a sector and its header, a clock */
        .l2_bytes_per_clock = 320, /* Jia: half of the P4's 979 GB/s, taken as at its highest clock, 1.531 GHz */
        L2_COSTS_AS_H200,
        .atomics_per_clock = 64, /* assumed */
        .dispatch_clocks = 1.2,  /* assumed */
        .latency_alu = 6,        /* Arafa */
        .latency_shared = 23,    /* Jia, this and the next two: P4 */
        .latency_l1 = 82,
        .latency_l2 = 216,
        .latency_dram = 482,     /* Arafa: of a P100 */
        .launch_us = 3,          /* assumed */
    },
    {
        /* "guide", "tuning", "Jia", "Arafa", "GPGPU-Sim" as above; "card": NVIDIA GeForce GTX 1080 whitepaper; "clpeak": its record
         * of this card. The chip is the P4's. */
        .name = "gtx1080", .title = "GeForce GTX 1080",
        .cc_major = 6, .cc_minor = 1,
        .sms = 20,           /* card: 2560 cores */
        .clock_ghz = 1.733,  /* card: boost; clpeak reaches 9.26 TFLOPS, which takes 1.81 */
        .schedulers = 4, .issue_clocks = 1, .fp32_lanes = 128,
        .int_lanes = 128,    /* guide: sums */
        .fp64_lanes = 4, .sfu_lanes = 32, .lsu_lanes = 32,
        LIMITS_SINCE_3_0,
        .max_blocks = 32,
        .shared_bytes = 96 << 10,
        .shared_block_bytes = 48 << 10,
        .shared_unit = 256,
        .l1_bytes = 48 << 10,
        .l1_fetch = 0,           /* tuning: global loads pass it by unless the compiler is told otherwise */
        .l2_bytes = 2 << 20,     /* card */
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_gbps = 237,        /* clpeak; the card says 320 */
        .tags_per_clock = 4,     /* coalesce.c */
        .pass_clocks = 1,
        .l1_units = 2,           /* as on the GTX 1050 Ti, this and the next */
        .l2_sm_bytes = 32,
        .l2_bytes_per_clock = 640, /* Jia, P4: 979 GB/s, which at its highest clock, 1.531 GHz, is what 20 multiprocessors take */
        L2_COSTS_AS_H200,
        .atomics_per_clock = 128, /* assumed */
        .dispatch_clocks = 1.2,  /* assumed */
        .latency_alu = 6,        /* Arafa */
        .latency_shared = 23,    /* Jia, this and the next two: P4 */
        .latency_l1 = 82,
        .latency_l2 = 216,
        .latency_dram = 482,     /* Arafa: of a P100 */
        .launch_us = 3,          /* assumed */
    },
    {
        /* "guide", "tuning", "Jia", "Arafa" as above; "whitepaper": NVIDIA Tesla P100. The SXM2 board. */
        .name = "p100", .title = "Tesla P100",
        .cc_major = 6, .cc_minor = 0,
        .sms = 56,           /* whitepaper */
        .clock_ghz = 1.48,   /* whitepaper: boost */
        .schedulers = 2, .issue_clocks = 1, .fp32_lanes = 64, .int_lanes = 64, .fp64_lanes = 32, .sfu_lanes = 16,
        .lsu_lanes = 16,     /* whitepaper: 16 load/store units */
        LIMITS_SINCE_3_0,
        .max_blocks = 32,
        .shared_bytes = 64 << 10,
        .shared_block_bytes = 48 << 10,
        .shared_unit = 256,
        .l1_bytes = 24 << 10,    /* whitepaper */
        .l1_fetch = 32,          /* tuning: holds global loads, by sectors */
        .l2_bytes = 4 << 20,     /* whitepaper */
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_gbps = 510,        /* Jia; the whitepaper says 732 */
        .tags_per_clock = 4,     /* coalesce.c */
        .pass_clocks = 1,
        .l1_units = 1,           /* whitepaper; 32 bytes a clock: Jia, 31.3 */
        .l2_bytes_per_clock = 1223, /* Jia: 1624 GB/s at 1.328 GHz */
        L2_COSTS_AS_H200,
        .atomics_per_clock = 250, /* as on the H200 */
        .dispatch_clocks = 1.2,  /* assumed */
        .latency_alu = 6,        /* Arafa */
        .latency_shared = 24,    /* Jia, this and the next two */
        .latency_l1 = 82,
        .latency_l2 = 234,
        .latency_dram = 482,     /* Arafa, who has 252 for L2 */
        .launch_us = 3,          /* assumed */
    },
    {
        /* "guide": CUDA C Programming Guide 10, tables 3 and 14; "whitepaper": NVIDIA Tesla V100; "Jia" as above. The SXM2
         * board. */
        .name = "v100", .title = "Tesla V100",
        .cc_major = 7, .cc_minor = 0,
        .sms = 80,           /* whitepaper */
        .clock_ghz = 1.53,   /* whitepaper: boost */
        .schedulers = 4, .issue_clocks = 1, .fp32_lanes = 64, .int_lanes = 64, .fp64_lanes = 32, .sfu_lanes = 16, .lsu_lanes = 32,
        LIMITS_SINCE_3_0,
        .max_blocks = 32,
        .shared_bytes = 96 << 10,
        .shared_block_bytes = 96 << 10,
        .shared_unit = 256,
        .l1_bytes = 128 << 10,   /* whitepaper: L1 and shared memory together */
        .l1_shared_together = 1,
        .l1_fetch = 32,
        .l2_bytes = 6 << 20,     /* whitepaper */
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_gbps = 750,        /* Jia; clpeak's PCIe board has 716 to 810; the whitepaper says 900 */
        .tags_per_clock = 4,     /* as on the H200 */
        .pass_clocks = 1,
        .l2_bytes_per_clock = 1562, /* Jia: 2155 GB/s at 1.38 GHz */
        L2_COSTS_AS_H200,
        .atomics_per_clock = 250,
        .dispatch_clocks = 1.2,  /* assumed */
        .latency_alu = 4,        /* Jia, this and the next four; Arafa and Ernst are within 15% */
        .latency_shared = 19,
        .latency_l1 = 28,
        .latency_l2 = 193,
        .latency_dram = 375,
        .launch_us = 2,          /* assumed */
    },
    {
        /* "guide" as above; "whitepaper": NVIDIA Turing GPU Architecture; "Jia": Dissecting the NVIDIA Turing T4 GPU via
         * Microbenchmarking, 2019; "Arafa" as above, its Turing: a TITAN RTX. */
        .name = "t4", .title = "Tesla T4",
        .cc_major = 7, .cc_minor = 5,
        .sms = 40,           /* whitepaper */
        .clock_ghz = 1.59,   /* whitepaper: boost; under long load its 70 W hold it lower */
        .schedulers = 4, .issue_clocks = 1, .fp32_lanes = 64, .int_lanes = 64, .fp64_lanes = 2, .sfu_lanes = 16,
        .lsu_lanes = 16,     /* whitepaper: 16 load/store units */
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
        .l1_bytes = 96 << 10,    /* whitepaper: L1 and shared memory together */
        .l1_shared_together = 1,
        .l1_fetch = 32,
        .l2_bytes = 4 << 20,     /* whitepaper */
        .l2_sides = 1,
        .l2_fetch = 32,
        .dram_gbps = 220,        /* Jia; the whitepaper says 320 */
        .tags_per_clock = 4,     /* as on the H200 */
        .pass_clocks = 1,
        .l2_bytes_per_clock = 799, /* Jia: 1270 GB/s at 1.59 GHz */
        L2_COSTS_AS_H200,
        .atomics_per_clock = 250,
        .dispatch_clocks = 1.2,  /* assumed */
        .latency_alu = 4,        /* Jia, this and the next three */
        .latency_shared = 19,
        .latency_l1 = 32,
        .latency_l2 = 188,
        .latency_dram = 424,     /* Arafa */
        .launch_us = 2,          /* assumed */
    },
    {
        /* "guide": CUDA C++ Programming Guide, compute capability 8.0; "whitepaper": NVIDIA A100 Tensor Core GPU
         * Architecture; "Ernst": gpu-benches by Dominik Ernst, its records of an A100 at 1.41 GHz; "Luo": Luo and others,
         * Benchmarking and Dissecting the Nvidia Hopper GPU Architecture, 2024. The 40 GB SXM board. */
        .name = "a100", .title = "NVIDIA A100",
        .cc_major = 8, .cc_minor = 0,
        .sms = 108,          /* whitepaper */
        .clock_ghz = 1.41,   /* whitepaper: boost */
        .schedulers = 4, .issue_clocks = 1, .fp32_lanes = 64, .int_lanes = 64, .fp64_lanes = 32, .sfu_lanes = 16, .lsu_lanes = 32,
        LIMITS_SINCE_3_0,
        .max_blocks = 32,
        .shared_bytes = 164 << 10,
        .shared_block_bytes = 163 << 10,
        .shared_unit = 128,
        .shared_reserved = 1 << 10,
        .l1_bytes = 192 << 10,   /* whitepaper: L1 and shared memory together */
        .l1_shared_together = 1,
        .l1_fetch = 32,
        .l2_bytes = 40 << 20,    /* whitepaper */
        .l2_sides = 2,       /* whitepaper */
        .l2_fetch = 64,      /* as on the H200 */
        .dram_gbps = 1381,       /* Ernst, the scale kernel; the whitepaper says 1555 */
        .tags_per_clock = 4,     /* as on the H200 */
        .pass_clocks = 1,
        .l2_bytes_per_clock = 3850, /* Ernst: 5430 GB/s; the whitepaper says 5120 bytes */
        L2_COSTS_AS_H200,
        .atomics_per_clock = 250,
        .dispatch_clocks = 1.2,  /* as on the H200 */
        .latency_alu = 4,        /* Accel-Sim's A100 */
        .latency_shared = 29,    /* Luo; Accel-Sim: 28 */
        .latency_l1 = 36,        /* Ernst, this and the next two */
        .latency_l2 = 213,       /* of up to 20 MB, the nearer half */
        .latency_dram = 574,
        .launch_us = 1.7,        /* as on the H200 */
    },
    {
        /* Programming Guide, technical specifications of compute capability 9.0, unless a line names another source:
         * "whitepaper": NVIDIA H100 Tensor Core GPU Architecture; "driver": attributes that a card reports;
         * "measured": on one H200; those that lockstep probe finds, again in solutions/measured. */
        .name = "h200", .title = "NVIDIA H200",
        .cc_major = 9, .cc_minor = 0,
        .sms = 132,         /* driver */
        .clock_ghz = 1.98,  /* driver: the boost clock, which these kernels hold */
        .schedulers = 4, .issue_clocks = 1, .fp32_lanes = 128, .int_lanes = 64, .fp64_lanes = 64, .sfu_lanes = 16,
        .lsu_lanes = 32,    /* whitepaper: 32 load/store units */
        LIMITS_SINCE_3_0,
        .max_blocks = 32,
        .shared_bytes = 228 << 10,
        .shared_block_bytes = 227 << 10,
        .shared_unit = 128,
        .shared_reserved = 1 << 10,
        .l1_bytes = 256 << 10, /* whitepaper: L1 and shared memory together */
        .l1_shared_together = 1,
        .l1_fetch = 32,
        .l2_bytes = (int64_t)60 << 20, /* driver */
        .l2_sides = 2,       /* measured: streaming reads and all writes count 1.5 times */
        .l2_fetch = 64,      /* measured: a sector in 32 words reads twice as much from DRAM */
        .gpcs = 8,           /* measured: where clusters run, and whose %clock is the same */
        .read_joins = 4,     /* measured, as in l2.c, these three */
        .under_way_near = 56,
        .under_way_far = 250,
        .start_apart = 24,   /* chosen by counts, as in arrival.c, these two */
        .sm_drift = 0.000125,
        .dram_gbps = 4232,  /* measured: copy of 1 GiB, reads and writes; the datasheet says 4800 */
        .tags_per_clock = 4,         /* measured: 8 clocks a load of 32 lines in 32 banks, 2 of 8 lines, 1 of 4 */
        .pass_clocks = 1,
        .l2_bytes_per_clock = 4400,  /* measured, as all that `make probe` measures: 16-byte loads past L1, 8.7 TB/s */
        .l2_write_cost = 1.8,        /* measured: the same with stores */
        .l2_partial_cost = 2.28,     /* measured: the same with a word a sector */
        .l2_line_cost = 3.67,      /* measured: the same to one sector of each line */
        .join_lines = 28,            /* measured, as in write_combine.c: 28 join, 32 do not */
        .atomics_per_clock = 490,    /* measured: additions to each of its words; a sector each is slower, not modelled */
        .dispatch_clocks = 1.2,      /* measured: 132000 empty blocks of 256 threads in 81 us */
        .turnaround_clocks = 350,    /* measured: 135168 empty blocks of 1024 threads, 2 at a time, in 91 us */
        .latency_pass = 2,    /* measured: a chain of loads, 8 and 32 words in a bank, 15 and 69 clocks more than without conflicts */
        .latency_branch = 10, /* measured: a loop of 8 multiply-adds that follow each other, 39; of one, 29 with its comparison */
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
        .name = "tiny", .title = "tiny (invented)",
        .cc_major = 9, .cc_minor = 0,
        .sms = 2,
        .clock_ghz = 1,
        .schedulers = 1, .issue_clocks = 1, .fp32_lanes = 32, .int_lanes = 32, .fp64_lanes = 16, .sfu_lanes = 8, .lsu_lanes = 32,
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
        .dispatch_clocks = 1,
        .turnaround_clocks = 0,
        .latency_branch = 0,
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
    if (i >= 0 && i < PROFILES_OLD)
        return &model_profiles_old[i];
    return i >= PROFILES_OLD && i < PROFILES_OLD + PROFILES ? &profiles[i - PROFILES_OLD] : NULL;
}

const struct model_profile *model_profile_find(const char *name)
{
    const struct model_profile *p;
    for (int i = 0; (p = model_profile_at(i)); i++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}
