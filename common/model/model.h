/* model.h - the machine: what a GPU does with a warp's addresses, and how long that takes.
 *
 *      32 addresses, a mask, a width --┬- model_coalesce --> sectors, tags, bytes, wavefronts
 *                                      └- model_banks -----> wavefronts, conflicts
 *      threads, registers, shared -------- model_occupancy --> resident blocks, and their limit
 *      struct model_work ----------------- model_time --> milliseconds, the bottleneck
 *
 * Each function depends on its arguments alone, so a reader can check a rule with pencil and paper.
 * The caches are state machines that their caller owns. Nothing here knows PTX, files or threads.
 *
 * An access is 32 byte addresses (addr[lane]), a mask (bit i: lane i is active) and a width in
 * bytes.
 *
 * Sources: CUDA C++ Programming Guide, compute capabilities (current, and 4.2 appendix F for 1.x to
 * 3.x); CUDA C++ Best Practices Guide, coalesced access. If a rule rests on a measurement, the
 * comment beside it says so.
 */
#ifndef LOCKSTEP_MODEL_H
#define LOCKSTEP_MODEL_H

#include <stddef.h>
#include <stdint.h>

enum { WARP_SIZE = 32 };

/* ---- metrics: the table in metrics.h ---- */

/* An index into model_metrics and into struct metrics, in the order of the rows of metrics.h. */
enum metric {
#define METRIC(id, ncu, nvprof, unit, exact, meaning) METRIC_##id,
#include "model/metrics.h"
    METRIC_COUNT
};

/* One row of metrics.h. nvprof is "-" for a metric that nvprof does not have; id is the row's first
 * word. */
struct metric_info {
    const char *id, *ncu, *nvprof, *unit, *meaning;
    int exact; /* 1: as the hardware counts it, 2: exact for the PTX only, 0: modelled */
};
extern const struct metric_info model_metrics[METRIC_COUNT];

/* The numbers of one launch. If a value was not counted, or a ratio has no divisor, it is NAN and
 * prints as "-". */
struct metrics {
    double v[METRIC_COUNT];
};
void model_metrics_clear(struct metrics *m);  /* all NAN */
void model_metrics_derive(struct metrics *m); /* ratios from sums; leaves OCCUPANCY alone */
/* Floating-point operations, a multiply-add as two. NAN when none was counted. */
double model_flops(const struct metrics *m);
int model_metric_find(const char *name); /* by id, ncu or nvprof name; -1 when there is none */

/* ---- device profiles: a row each in profiles.c or profiles_old.c, with the source of its figures
 * ---- */

/* ---- features: the table in features.h ---- */

enum model_feature {
    FEATURE_NONE, /* every GPU has it */
#define FEATURE(id, name, where) FEATURE_##id,
#include "model/features.h"
    FEATURE_COUNT
};
/* One row of features.h. "where" completes a sentence: GPUs have it ... */
struct model_feature_info {
    const char *name, *where;
};
extern const struct model_feature_info model_features[FEATURE_COUNT];

/* How tensor cores add (tensor.c): the number of products added at a time, and the bits kept below
 * the largest exponent to which they are aligned. */
struct model_tensor {
    int products, bits;
};

/* One GPU. Clocks are periods of clock_ghz. "lanes a clock" is the number of threads for which a
 * multiprocessor starts an operation in each clock. If the comment of a field says "0: not known",
 * 0 switches off the rule that needs the field. */
struct model_profile {
    const char *name;  /* "h200": as in --device sim:h200 */
    const char *title; /* "NVIDIA H200" */
    /* compute capability, to name it and to compile for it; what a GPU can do is in its features */
    int cc_major, cc_minor;
    uint64_t features; /* a bit for each enum model_feature */
    int sms;           /* multiprocessors */
    double clock_ghz;  /* the clock kernels run at */
    /* a multiprocessor: what it issues and executes */
    int schedulers; /* each issues a warp instruction every issue_clocks */
    int issue_clocks;
    /* lanes a clock, a multiprocessor */
    int fp32_lanes, int_lanes, fp64_lanes, sfu_lanes, lsu_lanes;
    struct model_tensor tensor, tensor_tf32; /* how they add; the same for TF32 factors */
    /* half-precision multiply-adds of the tensor cores a clock; 0: none */
    double tensor_rate;
    /* the same for half and bfloat16; a pair is one lane's; 0: none */
    int fp16_lanes;
    /* a multiprocessor: what it holds, and how that is allocated */
    int max_threads, max_warps, max_blocks; /* resident on a multiprocessor */
    int max_block_threads;
    int tile; /* 16: as model_tile; 0: WARP_SIZE */
    unsigned max_block_dim[3], max_grid_dim[3];
    /* 32-bit registers a multiprocessor; a warp gets a multiple of register_unit */
    int registers, register_unit;
    int registers_by_block; /* 1.x: allocated to a block, whose warps count in pairs */
    /* the most that one thread may have; the compiler spills the rest */
    int thread_registers;
    /* a multiprocessor; the most a block may have; granularity */
    int shared_bytes, shared_block_bytes, shared_unit;
    int banks, bank_bytes; /* shared-memory banks; a wavefront takes bank_bytes from each */
    /* shared bytes that the system takes in addition to each block's own */
    int shared_reserved;
    /* the caches */
    /* first-level cache; with l1_shared_together shared memory is a part of it */
    int l1_bytes;
    int l1_shared_together;
    /* bytes that the miss of a global load brings into L1: 32 a sector, 128 a line; 0: global loads
     * bypass L1 */
    int l1_fetch;
    int64_t l2_bytes; /* 0: there is no L2, every transaction goes to DRAM */
    /* 2: a multiprocessor reaches one half of the L2 through the other half */
    int l2_sides;
    /* bytes that a miss brings into the L2, or from one side to the other: 32 or 64 */
    int l2_fetch;
    /* reads of one sector by several multiprocessors (sim/memory/l2.c, sim/memory/arrival.c) */
    /* groups of multiprocessors; a group's reads of one sector join; 0: not known */
    int gpcs;
    int read_joins; /* the most reads that become one */
    /* clocks for which reads can join: the near side of the L2 hits, misses */
    int under_way_near, under_way_far;
    /* clocks between the starts of neighbouring multiprocessors of a GPC */
    int start_apart;
    /* a multiprocessor falls behind its neighbour by this share of the time */
    double sm_drift;
    /* device memory */
    double dram_gbps, dram_peak_gbps; /* reachable by a copy; the datasheet's, 0: not known */
    /* round robin in pieces of partition_bytes; 0 partitions: hashed */
    int dram_partitions, partition_bytes;
    /* round robin in pieces of 256 bytes; the bytes of a channel's open row */
    int dram_channels, dram_row_bytes;
    /* bytes that a channel could move between two openings of a row, 0: not known; requests that it
     * sorts by row */
    int dram_open_bytes, dram_queue;
    /* throughput */
    /* 128-byte lines that a multiprocessor's L1 looks up in a clock */
    int tags_per_clock;
    /* clocks of a pass through the banks of L1 and shared memory */
    int pass_clocks;
    /* 5.x, 6.x: L1s of a multiprocessor, separate from shared memory; 0: one, not separate */
    int l1_units;
    /* bytes a clock that one multiprocessor takes from L2; 0: not known */
    double l2_sm_bytes;
    double l2_bytes_per_clock; /* read, all multiprocessors together */
    /* time of a sector written wholly, in part; a sector read is 1 */
    double l2_write_cost, l2_partial_cost;
    /* the least time of a line that is written in part; a sector read is 1 */
    double l2_line_cost;
    /* the least time of a request to read from a line; a sector read is 1 */
    double l2_request_cost;
    /* lines held for write combining (sim/memory/write_combine.c); 0: none, or not known */
    int join_lines;
    /* lanes' atomics on different words, all multiprocessors together */
    double atomics_per_clock;
    /* clocks of an L2 slice for a round of model_atomic, and for one that only adds floats to one
     * word; 0: not known */
    double atomic_clocks, atomic_float_clocks;
    double dispatch_clocks; /* between two blocks that the launch hands out */
    /* from a block's end until the next block runs in its place */
    double turnaround_clocks;
    /* latency, in clocks */
    /* added to a load by each further pass through the banks; 0: not known */
    int latency_pass;
    int latency_branch; /* from a branch to the instruction after it; 0: not known */
    /* added by a barrier, beside the divergence unit's for each warp; 0: not known */
    int latency_barrier;
    int latency_alu, latency_shared, latency_l1, latency_l2, latency_dram; /* clocks */
    double launch_us; /* duration of an empty kernel, on the device's own clock */
};
static inline int model_has(const struct model_profile *p, enum model_feature f)
{
    return f == FEATURE_NONE || p->features >> f & 1;
}
const struct model_profile *model_profile_find(const char *name); /* NULL when there is none */
/* 0, 1, ...; NULL after the last */
const struct model_profile *model_profile_at(int i);

/* How p counts m, in a sentence, if GPUs from compute capability 5.0 on count it by another rule;
 * else NULL (rules.c). */
const char *model_rule(const struct model_profile *p, enum metric m);
/* The width of a square tile whose rows one access moves, and which has a thread for each
 * element: 32. On compute capability 1.x, where half a warp accesses memory and a block has at
 * most 512 threads: 16. Source: CUDA C Best Practices Guide 4.1, "Shared Memory in Matrix
 * Multiplication". */
int model_tile(const struct model_profile *p);

/* ---- coalescing: one warp's global access (coalesce.c) ----
 *
 *      lane   0   1   2  ...  31          addr[lane] is a byte address, bytes the width of each lane's word
 *             |   |   |        |          (1, 2, 4, 8, 16), mask the active lanes
 *     --+-----------+-----------+--
 *       | 32 bytes  | 32 bytes  |         sectors: how many of these are touched
 *     --+-----------+-----------+--       tags: how many 128-byte lines they lie in
 */
struct model_global {
    /* transactions, in the generation's own sense; 32-byte sectors from 5.x on */
    unsigned sectors;
    unsigned tags;  /* 128-byte lines that they lie in */
    unsigned bytes; /* bytes that the transactions move */
    /* passes through the L1. 7.x on: the larger of the passes through its banks and the clocks of
     * its tags. 5.x and 6.x: the clocks of its requests. Before: see coalesce_old.c. */
    unsigned wavefronts;
    unsigned words; /* different addresses, if they were counted on the way; else 0 */
    unsigned turns; /* atomic operation: sectors summed over all rounds; else 0 */
};
struct model_global model_coalesce(
    const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes);
/* The same for a store, which differs on compute capability 2.x alone. */
struct model_global model_coalesce_store(
    const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes);
/* The texture unit splits a warp's fetch into requests: the lanes of mask (not 0) in the first,
 * for elements of "bytes" bytes. */
uint32_t model_texel_lanes(uint32_t mask, unsigned bytes);
/* What one such request costs. */
struct model_global model_texels(
    const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes);
/* The rounds of an atomic operation at the lines that it accesses, 32 words of at most 4 bytes from
 * addr on. A line may be listed several times. */
struct model_turns {
    unsigned count;
    struct model_line {
        uint64_t addr;
        unsigned turns;
    } line[32];
};
/* The same for an atomic operation on aligned words. From 7.0 on, lanes that access the same
 * address are serialised, and each round counts its sectors again. */
struct model_global model_atomic(const struct model_profile *p, const uint64_t addr[32],
    uint32_t mask, unsigned bytes, struct model_turns *t);
/* The number of L2 slices, which execute atomic operations: 1 to MODEL_SLICES. */
enum { MODEL_SLICES = 128 };
unsigned model_slices(const struct model_profile *p);
/* The slice of an address. Consecutive pieces of 1 KiB go to consecutive pairs of slices; within a
 * piece, every 256 bytes alternate between the two.
 *
 *      byte     0     256   512   768   1024  1280  ...
 *      slice  | 0   | 1   | 0   | 1   | 2   | 3   | ...
 *
 * Source: an H200's clocks for additions to arrays of 4 bytes to 64 MiB: slices that work at
 * once. */
static inline unsigned model_slice(uint64_t addr, unsigned slices)
{
    return (unsigned)((addr >> 10 << 1 | (addr >> 8 & 1)) % slices);
}
/* Sectors of an access to local memory, of at most 4 bytes a lane. addr: byte offsets into each
 * lane's own local memory. Word w of all 32 lanes is one contiguous piece, so 8 neighbouring lanes
 * share a sector. Source: CUDA C++ Programming Guide, "Local Memory". */
unsigned model_local_sectors(const uint64_t addr[32], uint32_t mask);

/* ---- shared-memory banks: one warp's shared access (banks.c) ----
 *
 * addr: byte offsets into shared memory, multiples of bytes. wavefronts: passes taken. conflicts:
 * passes beyond those that the same lanes and width take without a conflict. model_banks is for
 * loads, model_banks_store for stores and atomics; they differ for 8- and 16-byte words alone. */
struct model_shared {
    unsigned wavefronts, conflicts;
    unsigned words; /* as in struct model_global */
};
struct model_shared model_banks(
    const struct model_profile *p, const uint32_t addr[32], uint32_t mask, unsigned bytes);
struct model_shared model_banks_store(
    const struct model_profile *p, const uint32_t addr[32], uint32_t mask, unsigned bytes);

/* ---- a cache: sectored, set-associative, least recently used (cache.c) ---- */

struct model_cache;
/* line_bytes and sector_bytes are powers of two, with at most 8 sectors a line. The number of sets
 * is a power of two, so a set may have more than ways lines. A remainder that does not give every
 * set a line is dropped. The caller frees the cache. Never NULL: bad sizes abort. */
struct model_cache *model_cache_new(int64_t bytes, int ways, int line_bytes, int sector_bytes);
void model_cache_free(struct model_cache *c);
void model_cache_clear(struct model_cache *c);
/* CACHE_WROTE_BACK: a dirty line was replaced; model_cache_evicted_dirty returns how many of its
 * sectors were dirty. */
enum model_cache_flags { CACHE_HIT = 1, CACHE_WROTE_BACK = 2 };
/* Look one sector up. If it misses and allocate is set, it is brought in. write marks it dirty.
 * Returns flags. */
int model_cache_access(struct model_cache *c, uint64_t addr, int write, int allocate);
/* The same for several sectors of addr's line in one look-up. Bit i of sectors is sector i of the
 * line. Returns the sectors that hit. Afterwards evicted_dirty is 0 unless a dirty line was
 * replaced. */
unsigned model_cache_line(
    struct model_cache *c, uint64_t addr, unsigned sectors, int write, int allocate);
/* As n reads by model_cache_line, one after the other, if all of their sectors are there. Else 0,
 * and none has been made. n is at most WARP_SIZE. */
int model_cache_all_hit(struct model_cache *c, const uint64_t *addr, const uint8_t *sectors, int n);
/* dirty sectors that the last look-up replaced */
unsigned model_cache_evicted_dirty(const struct model_cache *c);
uint64_t model_cache_dirty(const struct model_cache *c); /* dirty sectors still inside */

/* ---- occupancy (occupancy.c) ---- */

/* The resource that limits the number of resident blocks. */
enum model_limiter {
    LIMIT_NONE,
    LIMIT_WARPS,
    LIMIT_BLOCKS,
    LIMIT_REGISTERS,
    LIMIT_SHARED,
    LIMIT_THREADS,
    LIMITERS
};
extern const char *const model_limiter_names[LIMITERS]; /* "-" for LIMIT_NONE */
struct model_occupancy {
    /* resident on a multiprocessor; 0 when the block does not fit at all */
    int blocks;
    int warps; /* blocks times warps a block */
    /* warps over the multiprocessor's maximum: the theoretical occupancy, for any grid */
    double share;
    enum model_limiter limiter;
};
struct model_occupancy model_occupancy(
    const struct model_profile *p, int block_threads, int registers, size_t shared_bytes);
/* The largest share that a grid can reach, over the multiprocessors that have a
 * block. It is less than o->share when the grid is too small to fill them. */
double model_occupancy_reached(
    const struct model_profile *p, const struct model_occupancy *o, uint64_t blocks);
/* What a grid puts on the multiprocessors, which may be less than fits. */
struct model_resident {
    /* the most at once on a multiprocessor that has a block, in the mean of these */
    double warps;
    int fills; /* there are as many blocks as the multiprocessors have room for, or more */
    int idle;  /* multiprocessors that get no block */
};
struct model_resident model_resident(
    const struct model_profile *p, const struct model_occupancy *o, uint64_t blocks);

/* ---- asynchronous copies to shared memory (async.c) ---- */

struct model_async {
    unsigned sectors, wavefronts, conflicts;
};
/* One warp copies bytes (4, 8 or 16) a lane from global addresses to places in shared memory.
 * reads: lanes of mask that read; the others fill with zeros. bypass: skip the L1 (.cg). */
struct model_async model_async(const uint64_t from[32], const uint32_t to[32], uint32_t mask,
    uint32_t reads, unsigned bytes, int bypass);

/* ---- tensor maps of the copy engine (tensor_map.c) ---- */

enum { MODEL_TENSOR_RANK = 5, MODEL_TENSOR_MAP_BYTES = 128 };
/* An array in global memory, and the box of it that a copy moves. Dimension 0 is the innermost:
 * that of a row. */
struct model_tensor_map {
    uint64_t data;                    /* the address of its first element */
    uint64_t size[MODEL_TENSOR_RANK]; /* elements */
    /* bytes from one element to the next; stride[0] is not read */
    uint64_t stride[MODEL_TENSOR_RANK];
    unsigned box[MODEL_TENSOR_RANK]; /* elements */
    int rank, element, swizzle;      /* element: bytes; swizzle: 0, or 32, 64 or 128 bytes */
};
/* Why there can be no such map; NULL: there can. */
const char *model_tensor_map_bad(const struct model_tensor_map *m);
/* To and from the bytes of a simulated GPU. Reading returns -1 if they are no map. */
void model_tensor_map_write(
    const struct model_tensor_map *m, unsigned char out[MODEL_TENSOR_MAP_BYTES]);
int model_tensor_map_read(
    const unsigned char in[MODEL_TENSOR_MAP_BYTES], struct model_tensor_map *m);
/* Where in shared memory the byte lies that would be at this address without the swizzle. */
uint32_t model_swizzle(int swizzle, uint32_t address);

/* ---- sums of tensor cores (tensor.c) ---- */

/* A number: digits x 2^exponent; top: the exponent of the digit before the point. */
struct model_number {
    int32_t digits;
    int16_t exponent, top;
    uint8_t negative, kind;
};
enum { NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN };
/* From the bits of a format: half 5 and 10, bfloat16 8 and 7, TF32 8 and 10, float 8 and 23. */
void model_number(struct model_number *x, int exponent_bits, int mantissa_bits, uint32_t bits);
/* The bits of c + a[0] b[0] + a[1] b[1] + ...; c and the sum are floats, or halves. */
uint32_t model_tensor_sum(struct model_tensor rule, const struct model_number *a,
    const struct model_number *b, int count, uint32_t c, int half);
/* The same for all of D = A B + C of 16 x 8 floats, much faster. a: 16 rows, b: 8 columns, of k
 * numbers each, at most 32; rows and columns are stride numbers apart. A number: its bits, of half,
 * bfloat16 or TF32, as model_number takes them. d: the bits of C, which become those of D.
 * (tensor_tile.c) */
void model_tensor_tile(struct model_tensor rule, int exponent_bits, int mantissa_bits,
    const uint32_t *a, const uint32_t *b, int stride, int k, uint32_t (*d)[8]);

/* ---- time (time.c) ---- */

/* What a launch asked of the machine, summed over the grid unless a field says otherwise. */
struct model_work {
    uint64_t blocks;
    /* the share of the work that the busiest multiprocessor has; 0: not known */
    double busiest;
    int block_threads;
    int registers;                              /* a thread */
    size_t shared_bytes;                        /* a block */
    double inst;                                /* warp instructions issued */
    double fp32, fp16, integer, fp64, sfu, lsu; /* warp instructions by pipe */
    /* warp instructions: loads of constants and parameters; barriers */
    double constants, barriers;
    double multiply, add; /* integer products; integer sums and differences */
    /* special functions of integers: they count bits, and begin divisions */
    double bits;
    double to_float; /* 32-bit integers that become floats */
    /* other conversions between integers and floats */
    double convert;
    double tensor;            /* tensor-core multiply-adds, in half-precision equivalents */
    double tags;              /* 128-byte lines that global and local accesses looked up */
    double global_wavefronts; /* the sum of the wavefronts in struct model_global */
    double shared_wavefronts;
    double shared_conflicts; /* those beyond what the access widths need */
    /* lines that global and local accesses looked up beyond one each */
    double replays;
    double atomics;       /* lanes' atomic operations on global memory */
    double atomic_clocks; /* the busiest L2 slice's, for its rounds of model_atomic */
    /* atomic_clocks in which a float addition waits for the previous one to its word */
    double atomic_waits;
    double atomic_sectors; /* in all rounds of model_atomic */
    double atomic_lines;   /* the lines of the first rounds */
    double l2_sectors;     /* read and written, without those of atomics */
    double l2_writes;      /* those of them written */
    double l2_requests;    /* to read the others, each from one line */
    /* sectors read that came from the other half of the L2 */
    double l2_far;
    double l2_partial;       /* l2_writes that no access wrote whole (32 bytes) */
    double l2_partial_lines; /* lines that these lie in */
    double dram_bytes;       /* read and written */
    /* dram_bytes if every DRAM partition were as busy as the busiest, and if a row opened for few
     * bytes cost what it could have moved; 0: the same as dram_bytes */
    double dram_busiest;
    /* The next are means over warps. */
    /* waits for global memory, one after another; without waits: accesses; at least 1 */
    double rounds;
    double asks; /* how often a warp asks for data; without waits: accesses */
    /* rounds in which several warps of the block wait together */
    double rounds_together;
    double rounds_ready; /* rounds that come first after a barrier */
    /* clocks of latency along the longest chain of dependent instructions */
    double critical_path;
    /* its clocks for global memory; the rest is latency between instructions */
    double waiting;
    /* copies by the copy engine that a warp has in flight at once; 0: none */
    double ahead;
};
/* The parts of a launch, which work at the same time. Those up to PART_L1 are in each
 * multiprocessor. PART_LAUNCH is not a part: it is the bottleneck that is named when starting takes
 * longer than running. */
enum model_part {
    PART_NONE,
    PART_ISSUE,
    PART_FLOAT,
    PART_INTEGER,
    PART_DOUBLE,
    PART_SPECIAL,
    PART_TENSOR,
    PART_L1,
    PART_L2,
    PART_ATOMICS,
    PART_DRAM,
    PART_DISPATCH,
    PART_LATENCY,
    PART_LAUNCH,
    MODEL_PARTS = PART_LAUNCH
};
extern const char *const model_part_names[PART_LAUNCH + 1]; /* "-" for PART_NONE */
struct model_time {
    double ms;
    enum model_part bottleneck; /* the slowest part, or PART_LAUNCH */
    /* the part of ms before the units work: launch, first blocks, first data */
    double start_ms;
    double part_ms[MODEL_PARTS]; /* each part alone */
};
struct model_time model_time(const struct model_profile *p, const struct model_work *w);

/* ---- transfers (transfer.c) ----
 *
 *     host memory --[ copy in ]--> device memory --[ kernel ]--> device memory --[ copy out ]--> host memory
 *
 * If the pieces of the data are in different streams, the three engines can work at the same time,
 * each on another piece. */

struct model_transfer {
    size_t bytes; /* in all, each way */
    int pinned;   /* the host memory is page-locked; else pageable */
    /* which to do: copy in, run a kernel that reads and writes each byte, copy out */
    int in, kernel, out;
    /* pieces of bytes / pieces; piece i is in stream i % streams; both at least 1 */
    int pieces, streams;
};

struct model_link {
    const char *name; /* of the profile */
    double gbps;      /* pinned memory, each way, as copies reach it */
    /* pageable memory, which the driver copies through a buffer of its own */
    double pageable_gbps;
    double copy_us; /* fixed cost of each copy */
};
/* The link between host and GPU. NULL: the profile has none. */
const struct model_link *model_link_find(const struct model_profile *p);

/* Milliseconds until the last piece is done. 0 when the profile has no link. */
double model_transfer_ms(const struct model_profile *p, const struct model_transfer *t);

#endif
