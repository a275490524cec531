/* model.h - the machine: what a GPU does with a warp's addresses, and how long that takes.
 *
 * Everything here is a pure function of its arguments (the caches are plain state machines that their caller owns), so
 * that a reader can check a rule with pencil and paper. Nothing here knows PTX, files or threads.
 *
 * Sources: CUDA C++ Programming Guide, compute capabilities (current, and 4.2 appendix F for 1.x to 3.x); CUDA C++
 * Best Practices Guide, coalesced access. Where a rule was measured, its row says so.
 */
#ifndef LOCKSTEP_MODEL_H
#define LOCKSTEP_MODEL_H

#include <stddef.h>
#include <stdint.h>

enum { WARP_SIZE = 32 };

/* ---- metrics: the table in metrics.h ---- */

enum metric {
#define METRIC(id, ncu, nvprof, unit, exact, meaning) METRIC_##id,
#include "model/metrics.h"
    METRIC_COUNT
};

struct metric_info {
    const char *id, *ncu, *nvprof, *unit, *meaning;
    int exact; /* 1: as the hardware counts it, 2: exact for the PTX only, 0: modelled */
};
extern const struct metric_info model_metrics[METRIC_COUNT];

/* One launch's numbers. A value that was not counted, or a ratio without a divisor, is NAN and prints as "-". */
struct metrics {
    double v[METRIC_COUNT];
};
void model_metrics_clear(struct metrics *m);  /* all NAN */
void model_metrics_derive(struct metrics *m); /* ratios from sums; leaves OCCUPANCY alone */
double model_flops(const struct metrics *m); /* floating-point operations, a multiply-add as two; NAN when none was counted */
int model_metric_find(const char *name);      /* by id, ncu or nvprof name; -1 when there is none */

/* ---- device profiles: a row each in profiles.c or profiles_old.c, with the source of its figures ---- */

struct model_profile {
    const char *name;  /* "h200": as in --device sim:h200 */
    const char *title; /* "NVIDIA H200" */
    int cc_major, cc_minor;
    int sms;                      /* multiprocessors */
    double clock_ghz;             /* the clock kernels run at */
    int schedulers;               /* of a multiprocessor; each issues a warp instruction every issue_clocks */
    int issue_clocks;
    int fp32_lanes, int_lanes, fp64_lanes, sfu_lanes, lsu_lanes; /* lanes a clock, a multiprocessor */
    int max_threads, max_warps, max_blocks; /* resident on a multiprocessor */
    int max_block_threads;
    unsigned max_block_dim[3], max_grid_dim[3];
    int registers, register_unit; /* 32-bit registers a multiprocessor; allocated to a warp in units of register_unit */
    int registers_by_block;       /* 1.x: allocated to a block, whose warps count in pairs */
    int thread_registers;         /* the most a thread may have: what is more is spilled */
    int shared_bytes, shared_block_bytes, shared_unit; /* a multiprocessor; the most one block may have; granularity */
    int shared_reserved;          /* shared bytes that the system keeps of each block's share */
    int l1_bytes;                 /* first-level cache, together with shared memory where l1_shared_together */
    int l1_shared_together;
    int l1_fetch;                 /* bytes that a global load's miss brings into L1: 32 a sector, 128 the whole line, 0 global
                                     loads pass it by */
    int64_t l2_bytes;             /* 0: none, every transaction goes to DRAM */
    int l2_sides;                 /* 2: a multiprocessor reaches half of the L2 through the other half */
    int l2_fetch;                 /* bytes that a miss brings into the L2, or from one side to the other: 32 or 64 */
    int gpcs;                     /* groups of multiprocessors whose reads of one sector become one while it is under way; 0: not known */
    int read_joins;               /* so many become one at most */
    int under_way_near, under_way_far; /* for so many clocks, where the nearer side of the L2 has it and where it does not */
    int start_apart;              /* clocks from one multiprocessor of a GPC to the next when their blocks begin */
    double sm_drift;              /* and of the time since, as a share */
    double dram_gbps;             /* reachable by a copy, not the datasheet's peak */
    int dram_partitions, partition_bytes; /* that addresses go round in pieces of partition_bytes; 0: they are hashed */
    int dram_channels, dram_row_bytes; /* a channel's open row; pieces of 256 bytes go round the channels */
    int dram_open_bytes, dram_queue; /* bytes that a channel could move between two openings, 0: not known; requests that it sorts */
    int tags_per_clock;           /* 128-byte lines that a multiprocessor's L1 looks up a clock */
    int pass_clocks;              /* that a pass through the banks of L1 and shared memory takes */
    int l1_units;                 /* 5.x, 6.x: first-level caches, apart from shared memory, that a multiprocessor's warps share
                                     out among themselves; 0: one, together with it */
    double l2_sm_bytes;           /* that one multiprocessor takes from L2 in a clock; 0: not known, L2 is the narrower */
    double l2_bytes_per_clock;    /* read, all multiprocessors together */
    double l2_write_cost, l2_partial_cost; /* a sector written, wholly or in part: as long as so many sectors read */
    double l2_line_cost;          /* and what is written in part of a line together, at least so long */
    int join_lines;               /* lines whose stores may still be joined on their way out of a multiprocessor; 0: none, or not known */
    double atomics_per_clock;     /* lanes' atomics on different words, all multiprocessors together */
    double dispatch_clocks;       /* between two blocks that the launch hands out */
    double turnaround_clocks;     /* from a block's end until the next one runs in its place */
    int latency_pass;             /* that each further pass through the banks adds to a load's latency; 0: not known */
    int latency_branch;           /* from a branch to the instruction after it; 0: not known */
    int latency_alu, latency_shared, latency_l1, latency_l2, latency_dram; /* clocks */
    double launch_us;             /* what a launch of an empty kernel takes on the device's own clock */
};
const struct model_profile *model_profile_find(const char *name); /* NULL when there is none */
const struct model_profile *model_profile_at(int i);              /* 0, 1, ...; NULL after the last */

/* ---- coalescing: one warp's global access (coalesce.c) ----
 *
 *      lane   0   1   2  ...  31          addr[lane] is a byte address, bytes the width of each lane's word
 *             |   |   |        |          (1, 2, 4, 8, 16), mask the active lanes
 *     --+-----------+-----------+--
 *       | 32 bytes  | 32 bytes  |         sectors: how many of these are touched
 *     --+-----------+-----------+--       tags: how many 128-byte lines they lie in
 */
struct model_global {
    unsigned sectors; /* transactions, in the generation's own sense; 32-byte sectors from 5.x on */
    unsigned tags;    /* 128-byte lines that they lie in */
    unsigned bytes;   /* bytes that the transactions move */
    unsigned wavefronts; /* passes through the L1: as shared memory's for a store, or what the tags take; 5.x, 6.x: its requests */
};
struct model_global model_coalesce(const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes);
/* Stores, which differ on compute capability 2.x alone. */
struct model_global model_coalesce_store(const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes);
/* Sectors as an atomic operation's are counted from compute capability 7.0 on: lanes that name one address take turns. */
unsigned model_atomic_sectors(const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes);
/* Sectors of local memory of an access of at most a word. addr: bytes from the start of each lane's own. The words of 32 lanes stand
 * side by side: those of 8 lanes make a sector. Source: CUDA C++ Programming Guide, "Local Memory". */
unsigned model_local_sectors(const uint64_t addr[32], uint32_t mask);

/* ---- shared-memory banks: one warp's shared access (banks.c) ----
 * addr: byte offsets into shared memory, multiples of bytes. wavefronts: passes taken. conflicts: passes beyond those
 * that the same lanes and width take without any conflict. Loads: model_banks; stores and atomics: model_banks_store,
 * which differs for 8- and 16-byte words alone. */
struct model_shared {
    unsigned wavefronts, conflicts;
};
struct model_shared model_banks(const struct model_profile *p, const uint32_t addr[32], uint32_t mask, unsigned bytes);
struct model_shared model_banks_store(const struct model_profile *p, const uint32_t addr[32], uint32_t mask, unsigned bytes);

/* ---- a cache: sectored, set-associative, least recently used (cache.c) ---- */

struct model_cache;
/* line_bytes and sector_bytes are powers of two, at most 8 sectors a line. The number of sets is a power of two, so a set
 * may hold more than ways lines; what fills no line of every set is left out. NULL never (aborts). */
struct model_cache *model_cache_new(int64_t bytes, int ways, int line_bytes, int sector_bytes);
void model_cache_free(struct model_cache *c);
void model_cache_clear(struct model_cache *c);
enum model_cache_flags { CACHE_HIT = 1, CACHE_WROTE_BACK = 2 /* a dirty line left: evicted_dirty tells its sectors */ };
/* Look one sector up; on a miss it is brought in when allocate is set. write marks it dirty. Returns flags. */
int model_cache_access(struct model_cache *c, uint64_t addr, int write, int allocate);
/* The same for several sectors of addr's line in one look-up: bit i of sectors is the line's sector i. Returns those
 * that hit; afterwards evicted_dirty is 0 unless a dirty line left. */
unsigned model_cache_line(struct model_cache *c, uint64_t addr, unsigned sectors, int write, int allocate);
unsigned model_cache_evicted_dirty(const struct model_cache *c); /* dirty sectors of the line that left last */
uint64_t model_cache_dirty(const struct model_cache *c);         /* dirty sectors still inside */

/* ---- occupancy (occupancy.c) ---- */

/* What keeps further blocks out of a multiprocessor. */
enum model_limiter { LIMIT_NONE, LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED, LIMIT_THREADS, LIMITERS };
extern const char *const model_limiter_names[LIMITERS]; /* "-" for LIMIT_NONE */
struct model_occupancy {
    int blocks;          /* resident on a multiprocessor; 0 when the block does not fit at all */
    int warps;           /* blocks times warps a block */
    double share;        /* warps over the most the multiprocessor holds: theoretical, whatever the grid */
    enum model_limiter limiter;
};
struct model_occupancy model_occupancy(const struct model_profile *p, int block_threads, int registers, size_t shared_bytes);
/* The share that a grid of so many blocks reaches at most, over the multiprocessors that have any: less than o->share where
 * the grid is too small to fill them. */
double model_occupancy_reached(const struct model_profile *p, const struct model_occupancy *o, uint64_t blocks);

/* ---- time (time.c) ---- */

/* What a launch asked of the machine, summed over the grid. */
struct model_work {
    uint64_t blocks;
    int block_threads;
    int registers;           /* a thread */
    size_t shared_bytes;     /* a block */
    double inst;             /* warp instructions issued */
    double fp32, integer, fp64, sfu, lsu; /* warp instructions by pipe */
    double tags;             /* 128-byte lines that global and local accesses looked up */
    double global_wavefronts;/* the sum of model_global's wavefronts */
    double shared_wavefronts;
    double shared_conflicts; /* of these: beyond what the accesses' widths need */
    double replays;          /* lines that global and local accesses looked up beyond one each */
    double atomics;          /* lanes' atomic operations on global memory */
    double l2_sectors;       /* read and written, but for atomics' */
    double l2_writes;        /* of these: written */
    double l2_partial;       /* of these: not all 32 bytes written by one access */
    double l2_partial_lines; /* so many lines at a time */
    double dram_bytes;       /* read and written */
    double dram_busiest;     /* the same if every partition of DRAM had what the busiest has, and with rows opened for less
                                than they could give; 0: as dram_bytes */
    double rounds;           /* times that a warp waits for global memory, one after the other, or asks it for something if it
                                never waits; below 1 counts as 1 */
    double rounds_together;  /* of these: in which several warps of the block wait for the same */
    double critical_path;            /* clocks of latency along one warp, the mean over warps: its instructions one after
                                another, loads that follow each other without a use between them overlapping */
    double waiting;          /* of these: for global memory; the others are latency between instructions */
};
/* The parts of a launch that work at the same time; up to PART_L1 they are the multiprocessors' own. PART_LAUNCH is no part of the sum:
 * it is named where starting takes longer than running. */
enum model_part {
    PART_NONE, PART_ISSUE, PART_FLOAT, PART_INTEGER, PART_DOUBLE, PART_SPECIAL, PART_L1, PART_L2, PART_ATOMICS, PART_DRAM, PART_DISPATCH,
    PART_LATENCY, PART_LAUNCH, MODEL_PARTS = PART_LAUNCH
};
extern const char *const model_part_names[PART_LAUNCH + 1]; /* "-" for PART_NONE */
struct model_time {
    double ms;
    enum model_part bottleneck;  /* the slowest part */
    double part_ms[MODEL_PARTS]; /* each part alone */
};
struct model_time model_time(const struct model_profile *p, const struct model_work *w);

/* ---- transfers (transfer.c) ----
 *
 *     host memory ──[ copy in ]──> device memory ──[ kernel ]──> device memory ──[ copy out ]──> host memory
 *
 * Three engines that can work at the same time, each on another piece of the data, if the pieces are in different streams. */

struct model_transfer {
    size_t bytes;          /* in all, each way */
    int pinned;            /* host memory that stays where it is; else pageable */
    int in, kernel, out;   /* what is done: copy in, run a kernel that reads and writes each byte, copy out */
    int pieces, streams;   /* pieces of bytes / pieces; piece i is in stream i % streams; both at least 1 */
};

struct model_link {
    const char *name;      /* of the profile */
    double gbps;           /* pinned memory, each way, as copies reach it */
    double pageable_gbps;  /* pageable memory: through a buffer of the driver's */
    double copy_us;        /* that any copy takes besides */
};
/* The way between host and GPU; NULL for a profile that has none. */
const struct model_link *model_link_find(const struct model_profile *p);

/* Milliseconds until all is done. 0 when the profile has no link. */
double model_transfer_ms(const struct model_profile *p, const struct model_transfer *t);

#endif
