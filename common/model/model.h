/* model.h - the model of the machine: what a GPU does with a warp's addresses, and how long that
 * takes.
 *
 *      32 addresses, a mask, a width --┬- model_coalesce --> sectors, tags, bytes, wavefronts
 *                                      └- model_banks -----> wavefronts, conflicts
 *      threads, registers, shared -------- model_occupancy --> resident blocks, and their limit
 *      struct model_work ----------------- model_time --> milliseconds, the bottleneck
 *
 * Each function depends only on its arguments, so a reader can check a rule with pencil and paper.
 * The caches are state machines that their caller owns. Nothing here depends on PTX, files or
 * threads.
 *
 * An access is 32 byte addresses (addr[lane]), a mask (bit i: lane i is active) and a width in
 * bytes.
 *
 * Sources: CUDA C++ Programming Guide, compute capabilities (current, and 4.2 appendix F for 1.x to
 * 3.x); CUDA C++ Best Practices Guide, coalesced access. If a rule rests on a measurement, its
 * comment says so. */
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

/* A row of metrics.h. nvprof is "-" if nvprof has no such metric; id is the row's first word. */
struct metric_info {
    const char *id, *ncu, *nvprof, *unit, *meaning;
    int exact; /* 1: as the hardware counts it; 2: exact for the PTX only; 0: an estimate */
};
extern const struct metric_info model_metrics[METRIC_COUNT];

/* The metrics of one launch. NAN, which is printed as "-": not counted, or a ratio whose divisor is
 * 0. */
struct metrics {
    double v[METRIC_COUNT];
};
void model_metrics_clear(struct metrics *m); /* Sets all metrics to NAN. */
/* Computes the ratios from the sums; leaves OCCUPANCY unchanged. */
void model_metrics_derive(struct metrics *m);
/* Floating-point operations; a multiply-add counts as two. NAN if none was counted. */
double model_flops(const struct metrics *m);
/* The index of a metric, by its id, ncu name or nvprof name; -1: there is none. */
int model_metric_find(const char *name);

/* ---- device profiles: one row for each GPU, in profiles*.c, with sources ---- */

/* ---- features: the table in features.h ---- */

enum model_feature {
    FEATURE_NONE, /* every GPU has this feature */
#define FEATURE(id, name, where) FEATURE_##id,
#include "model/features.h"
    FEATURE_COUNT
};
/* A row of features.h. "where" completes the sentence "GPUs have it ...". */
struct model_feature_info {
    const char *name, *where;
};
extern const struct model_feature_info model_features[FEATURE_COUNT];

/* How tensor cores add (tensor.c): the number of products that are added at a time, and the number
 * of bits kept below the largest exponent, to which all products are aligned. */
struct model_tensor {
    int products, bits;
};

/* A GPU. Clocks are periods of clock_ghz. "lanes per clock" is the number of threads for which a
 * multiprocessor starts an operation in each clock. If the comment of a field says "0: not known",
 * 0 disables the rule that needs the field. */
struct model_profile {
    const char *name;  /* short name, as in --device sim:h200 */
    const char *title; /* full name, such as "NVIDIA H200" */
    /* compute capability, for messages and for the compiler; what the GPU can do is in features */
    int cc_major, cc_minor;
    uint64_t features; /* one bit for each enum model_feature */
    int integrated;    /* the host and the GPU share one memory */
    int sms;           /* number of multiprocessors */
    double clock_ghz;  /* clock rate at which kernels run */
    /* what a multiprocessor issues and executes */
    int schedulers; /* number of schedulers; each issues a warp instruction every issue_clocks */
    int issue_clocks;
    /* lanes per clock, for each multiprocessor, by kind of unit */
    int fp32_lanes, int_lanes, fp64_lanes, sfu_lanes, lsu_lanes;
    /* lanes per clock for conversions of floats to integers; 0: as sfu_lanes */
    int convert_lanes;
    /* how tensor cores add products of halves; the same for TF32 factors */
    struct model_tensor tensor, tensor_tf32;
    /* half-precision multiply-adds per clock by a multiprocessor's tensor cores, with sums of
     * floats; 0: it has none. half_sums: factor by which sums of halves raise that rate; 0: they do
     * not */
    double tensor_rate, half_sums;
    /* lanes per clock for half and bfloat16; a packed pair takes one lane; 0: none */
    int fp16_lanes;
    /* what a multiprocessor holds, and how that is allocated */
    int max_threads, max_warps, max_blocks; /* the most that can be resident on a multiprocessor */
    int max_block_threads;
    int tile; /* 16: model_tile returns this; 0: model_tile returns WARP_SIZE */
    unsigned max_block_dim[3], max_grid_dim[3];
    /* registers: the 32-bit registers of a multiprocessor; register_unit: a warp gets a multiple of
     * this number */
    int registers, register_unit;
    /* 1.x: registers are allocated to a block, with its warps rounded up to an even number */
    int registers_by_block;
    /* most registers of a thread; the compiler spills the rest */
    int thread_registers;
    /* in bytes. shared_bytes: shared memory of a multiprocessor; shared_block_bytes: the most that
     * a block can have; shared_unit: granularity of allocation */
    int shared_bytes, shared_block_bytes, shared_unit;
    /* banks: number of shared-memory banks; bank_bytes: bytes that a wavefront takes from each
     * bank */
    int banks, bank_bytes;
    /* bytes of shared memory that the system takes per block, in addition to the block's own */
    int shared_reserved;
    /* the caches */
    /* l1_bytes: size of the first-level cache; l1_shared_together: shared memory is a part of it */
    int l1_bytes;
    int l1_shared_together;
    /* bytes that a miss of a global load brings into the L1: 32, a sector, or 128, a line; 0:
     * global loads bypass the L1 */
    int l1_fetch;
    /* size of the second-level cache; 0: there is no L2, so every transaction goes to DRAM */
    int64_t l2_bytes;
    /* 2: the L2 has two halves, and a multiprocessor reaches one half through the other; 1: it has
     * one part */
    int l2_sides;
    /* bytes that a miss brings into the L2, or from one of its sides to the other: 32 or 64 */
    int l2_fetch;
    /* how reads of one sector by several multiprocessors combine (sim/memory/l2.c, arrival.c) */
    /* number of groups of multiprocessors; reads of one sector within a group combine; 0: not
     * known */
    int gpcs;
    int read_joins; /* most reads that combine into one read */
    /* Clocks for which other reads can join a read: under_way_near for a read that hits the near
     * side of the L2, under_way_far for one that has to fetch the sector. */
    int under_way_near, under_way_far;
    /* clocks by which a multiprocessor starts later than its neighbour in the GPC */
    int start_apart;
    /* share of the time by which a multiprocessor falls behind its neighbour */
    double sm_drift;
    /* device memory */
    /* dram_gbps: rate that a copy reaches; dram_peak_gbps: rate according to the datasheet, 0: not
     * known */
    double dram_gbps, dram_peak_gbps;
    /* addresses go round-robin to the partitions in pieces of partition_bytes; 0 partitions:
     * addresses are hashed */
    int dram_partitions, partition_bytes;
    /* addresses go round-robin to the channels in pieces of 256 bytes; dram_row_bytes: bytes of a
     * channel's open row */
    int dram_channels, dram_row_bytes;
    /* dram_open_bytes: bytes that a channel could move between two openings of a row, 0: not known;
     * dram_queue: number of queued requests that a channel sorts by row */
    int dram_open_bytes, dram_queue;
    /* throughput */
    /* 128-byte lines that a multiprocessor's L1 looks up in each clock */
    int tags_per_clock;
    /* clocks of a pass through the banks of the L1 and shared memory */
    int pass_clocks;
    /* 5.x, 6.x: number of L1s in a multiprocessor, which are separate from shared memory; 0: one
     * L1, not separate */
    int l1_units;
    /* bytes per clock from the L2 to one multiprocessor; 0: not known */
    double l2_sm_bytes;
    double l2_bytes_per_clock; /* bytes read per clock, by all multiprocessors together */
    /* L2 time relative to a sector read: l2_write_cost of a sector that is written whole;
     * l2_partial_cost of a sector that is written in part */
    double l2_write_cost, l2_partial_cost;
    /* least L2 time of a line with partly written sectors, relative to a sector read */
    double l2_line_cost;
    /* least L2 time of a read request to a line, relative to a sector read */
    double l2_request_cost;
    /* most lines that a multiprocessor holds for write combining (sim/memory/write_combine.c); 0:
     * none, or not known */
    int join_lines;
    /* atomic operations per clock of lanes on different words, by all multiprocessors together */
    double atomics_per_clock;
    /* clocks of an L2 slice. atomic_clocks: for a round of model_atomic; atomic_float_clocks: for a
     * round of float additions to a single word; 0: not known */
    double atomic_clocks, atomic_float_clocks;
    double dispatch_clocks; /* clocks between the starts of two blocks of a launch */
    /* clocks from a block's end to the start of the next block in its place */
    double turnaround_clocks;
    /* ---- latencies, in clocks */
    /* clocks that each further pass through the banks adds to a load; 0: not known */
    int latency_pass;
    int latency_branch; /* clocks from a branch to the instruction after it; 0: not known */
    /* clocks of a barrier, in addition to those of the divergence unit for each warp; 0:
     * not known */
    int latency_barrier;
    /* clocks from an instruction to one that uses its result */
    int latency_alu, latency_shared, latency_l1, latency_l2, latency_dram;
    double launch_us; /* duration of an empty kernel on the GPU's own clock, in microseconds */
    /* names of figures (figures.h), separated by spaces, for which no source is known: a round
     * number of the right size, or the figure of a similar GPU. NULL: there are none */
    const char *assumed;
};
static inline int model_has(const struct model_profile *p, enum model_feature f)
{
    return f == FEATURE_NONE || p->features >> f & 1;
}
/* The profile of this name; NULL: there is none. */
const struct model_profile *model_profile_find(const char *name);
/* The profile of the GPU to which a driver gives this name, such as "NVIDIA A100-SXM4-40GB". NULL:
 * there is none; a "Ti" or a "Laptop GPU" is another GPU than the one without. */
const struct model_profile *model_profile_titled(const char *name);
/* The profile that a person means by name, title or a part of the title, such as "rtx4060", "RTX
 * 4060" or "4060". If there is none, returns NULL, and *nearest is the profile whose name or title
 * is most like it. */
const struct model_profile *model_profile_meant(
    const char *text, const struct model_profile **nearest);
/* The profile with index i, from 0 on; NULL after the last. */
const struct model_profile *model_profile_at(int i);
/* The profile of this compute capability that is listed first; NULL: there is none. */
const struct model_profile *model_profile_capable(int major, int minor);
/* NVIDIA's name of the GPU's generation, such as "Ampere" (names.c). */
const char *model_generation(const struct model_profile *p);

/* ---- figures of a profile: the table in figures.h ---- */

enum model_figure {
#define FIGURE(field, meaning) FIGURE_##field,
#include "model/figures.h"
    FIGURE_COUNT
};
/* A row of figures.h. name: the field of struct model_profile. */
struct model_figure_info {
    const char *name, *meaning;
};
extern const struct model_figure_info model_figures[FIGURE_COUNT];
double model_figure(const struct model_profile *p, enum model_figure f);
/* Is the figure one for which no source is known? */
int model_figure_assumed(const struct model_profile *p, enum model_figure f);

/* If the GPU counts metric m by another rule than GPUs from compute capability 5.0 on, a sentence
 * that explains it; else NULL (rules.c). */
const char *model_rule(const struct model_profile *p, enum metric m);
/* The width of a square tile with a thread for each element, such that one access moves a row: 32.
 * On compute capability 1.x, where half a warp accesses memory and a block has at most 512 threads:
 * 16. Source: CUDA C Best Practices Guide 4.1, "Shared Memory in Matrix Multiplication". */
int model_tile(const struct model_profile *p);

/* ---- coalescing: one warp's global access (coalesce.c) ----
 *
 *      lane   0   1   2  ...  31          addr[lane]: byte address; bytes: width of a lane's word
 *             |   |   |        |          (1, 2, 4, 8, 16); mask: the active lanes
 *     --+-----------+-----------+--
 *       | 32 bytes  | 32 bytes  |         sectors: how many of these are touched
 *     --+-----------+-----------+--       tags: how many 128-byte lines contain them */
struct model_global {
    /* transactions, as the generation defines them; from 5.x on, 32-byte sectors */
    unsigned sectors;
    unsigned tags;  /* number of 128-byte lines that contain the accessed words */
    unsigned bytes; /* bytes that the transactions move */
    /* Passes through the L1. 7.x on: passes through its banks or clocks of its tag look-ups,
     * whichever are more. 5.x and 6.x: clocks of the requests. Older: see coalesce_old.c. */
    unsigned wavefronts;
    unsigned words; /* different addresses, if known as a by-product; else 0 */
    unsigned turns; /* atomic operations: sectors, summed over all rounds; otherwise 0 */
};
struct model_global model_coalesce(
    const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes);
/* The transactions of a warp's store to global memory. They differ from those of a load only on
 * compute capability 2.x. */
struct model_global model_coalesce_store(
    const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes);
/* The texture unit splits a warp's fetch into requests. Returns the lanes of the first request, out
 * of mask (not 0). bytes: bytes of an element. */
uint32_t model_texel_lanes(uint32_t mask, unsigned bytes);
/* The cost of one request of the texture unit, for the lanes in mask. */
struct model_global model_texels(
    const struct model_profile *p, const uint64_t addr[32], uint32_t mask, unsigned bytes);
/* The rounds of an atomic operation, by line. A line is 32 words (of at most 4 bytes) from addr on.
 * A line may be listed several times; its rounds then add up. */
struct model_turns {
    unsigned count;
    struct model_line {
        uint64_t addr;
        unsigned turns;
    } line[32];
};
/* The cost of a warp's atomic operation on aligned words of global memory; *t receives its rounds.
 * From 7.0 on, lanes that access the same address are serialized, and the sectors of each round are
 * counted. */
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
 * Source: an H200's clocks for additions to arrays of 4 bytes to 64 MiB, which show how many slices
 * work at the same time. */
static inline unsigned model_slice(uint64_t addr, unsigned slices)
{
    return (unsigned)((addr >> 10 << 1 | (addr >> 8 & 1)) % slices);
}
/* Sectors of an access to local memory, of at most 4 bytes per lane. addr: byte offsets into each
 * lane's own local memory. Word w of all 32 lanes is one contiguous piece, so 8 neighbouring lanes
 * share a sector. Source: CUDA C++ Programming Guide, "Local Memory". */
unsigned model_local_sectors(const uint64_t addr[32], uint32_t mask);

/* ---- shared-memory banks: one warp's shared access (banks.c) ----
 *
 * addr: byte offsets into shared memory, multiples of bytes. wavefronts: passes. conflicts: passes
 * beyond those that the same lanes and width take without a conflict. model_banks is for loads,
 * model_banks_store for stores and atomics; they differ only for 8- and 16-byte words. */
struct model_shared {
    unsigned wavefronts, conflicts;
    unsigned words; /* different addresses, if known as a by-product; else 0 */
};
struct model_shared model_banks(
    const struct model_profile *p, const uint32_t addr[32], uint32_t mask, unsigned bytes);
struct model_shared model_banks_store(
    const struct model_profile *p, const uint32_t addr[32], uint32_t mask, unsigned bytes);

/* ---- a cache: sectored, set-associative, least recently used (cache.c) ---- */

struct model_cache;
/* line_bytes and sector_bytes are powers of two, with at most 8 sectors per line. The number of
 * sets is a power of two, so a set may have more lines than `ways`. Bytes that are too few for one
 * more line in every set stay unused. The caller frees the cache. Never NULL: invalid sizes
 * abort. */
struct model_cache *model_cache_new(int64_t bytes, int ways, int line_bytes, int sector_bytes);
void model_cache_free(struct model_cache *c);
void model_cache_clear(struct model_cache *c);
/* CACHE_HIT: the sector was present. CACHE_WROTE_BACK: a dirty line was replaced;
 * model_cache_evicted_dirty returns the number of its dirty sectors. */
enum model_cache_flags { CACHE_HIT = 1, CACHE_WROTE_BACK = 2 };
/* Look up one sector. If it is absent and allocate is set, it is brought in. write: the sector
 * becomes dirty. Returns flags of enum model_cache_flags. */
int model_cache_access(struct model_cache *c, uint64_t addr, int write, int allocate);
/* Look up several sectors of addr's line at once. Bit i of sectors is sector i of the line.
 * allocate and write: as for model_cache_access. Returns the sectors that hit. Afterwards
 * model_cache_evicted_dirty is 0 unless a dirty line was replaced. */
unsigned model_cache_line(
    struct model_cache *c, uint64_t addr, unsigned sectors, int write, int allocate);
/* If all n sectors are present, has the effect of n reads by model_cache_line, one after the other,
 * and returns 1. Else returns 0 and changes nothing. n is at most WARP_SIZE. */
int model_cache_all_hit(struct model_cache *c, const uint64_t *addr, const uint8_t *sectors, int n);
/* The number of dirty sectors that the last look-up replaced. */
unsigned model_cache_evicted_dirty(const struct model_cache *c);
/* The number of dirty sectors in the cache. */
uint64_t model_cache_dirty(const struct model_cache *c);

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
/* names of enum model_limiter; "-" for LIMIT_NONE */
extern const char *const model_limiter_names[LIMITERS];
struct model_occupancy {
    /* blocks that are resident on a multiprocessor; 0: the block does not fit */
    int blocks;
    int warps; /* blocks times warps of a block */
    /* warps divided by the multiprocessor's maximum: the theoretical occupancy, which a small grid
     * does not reach */
    double share;
    enum model_limiter limiter;
};
struct model_occupancy model_occupancy(
    const struct model_profile *p, int block_threads, int registers, size_t shared_bytes);
/* The largest occupancy (a share, as o->share) that this grid can reach, as the mean over the
 * multiprocessors that have a block. It is less than o->share if the grid is too small to fill
 * them. */
double model_occupancy_reached(
    const struct model_profile *p, const struct model_occupancy *o, uint64_t blocks);
/* How many warps of a grid are resident. A small grid may have fewer than fit. */
struct model_resident {
    /* largest number of warps at a time, as the mean over multiprocessors that have a block */
    double warps;
    int fills; /* there are at least as many blocks as the multiprocessors can hold */
    int idle;  /* number of multiprocessors that get no block */
};
struct model_resident model_resident(
    const struct model_profile *p, const struct model_occupancy *o, uint64_t blocks);

/* ---- asynchronous copies to shared memory (async.c) ---- */

struct model_async {
    unsigned sectors, wavefronts, conflicts;
};
/* The cost of one warp's copy of "bytes" bytes (4, 8 or 16) for each lane in mask, from global
 * addresses to offsets in shared memory. reads: the lanes of mask that read; the others fill with
 * zeros. bypass: skip the L1 (.cg). */
struct model_async model_async(const uint64_t from[32], const uint32_t to[32], uint32_t mask,
    uint32_t reads, unsigned bytes, int bypass);

/* ---- tensor maps of the copy engine (tensor_map.c) ---- */

enum { MODEL_TENSOR_RANK = 5, MODEL_TENSOR_MAP_BYTES = 128 };
/* An array in global memory, and the box of it that a copy moves. Dimension 0 is the innermost:
 * along a row. */
struct model_tensor_map {
    uint64_t data;                    /* address of the array's first element */
    uint64_t size[MODEL_TENSOR_RANK]; /* size of the array in elements, by dimension */
    /* bytes between neighbouring elements of each dimension; stride[0] is not used */
    uint64_t stride[MODEL_TENSOR_RANK];
    unsigned box[MODEL_TENSOR_RANK]; /* size of the box in elements, by dimension */
    /* element: bytes of one element; swizzle: 0 for none, or its width of 32, 64 or 128 bytes */
    int rank, element, swizzle;
    int tf32; /* not 0: floats are rounded to TF32 on their way to shared memory */
};
/* Checks a map. Returns why it is not possible; NULL: it is possible. */
const char *model_tensor_map_bad(const struct model_tensor_map *m);
/* model_tensor_map_write converts a map to the bytes that a simulated GPU uses,
 * model_tensor_map_read converts these back. Reading returns -1 if the bytes are no map. */
void model_tensor_map_write(
    const struct model_tensor_map *m, unsigned char out[MODEL_TENSOR_MAP_BYTES]);
int model_tensor_map_read(
    const unsigned char in[MODEL_TENSOR_MAP_BYTES], struct model_tensor_map *m);
/* The address in shared memory, after swizzling, of the byte whose address without swizzle is
 * given. */
uint32_t model_swizzle(int swizzle, uint32_t address);
/* The bits of a float after the rounding that a map with tf32 applies. */
uint32_t model_tf32(uint32_t bits);

/* ---- matrix products of tensor cores (tensor.c) ---- */

/* An unpacked number: digits x 2^exponent. top: exponent of the leading digit, the one before the
 * point; kind: NUMBER_FINITE and so on. */
struct model_number {
    int32_t digits;
    int16_t exponent, top;
    uint8_t negative, kind;
};
enum { NUMBER_FINITE, NUMBER_INFINITE, NUMBER_NAN };
/* Unpacks a number from its bits. Exponent and mantissa bits: half 5 and 10, bfloat16 8 and 7, TF32
 * 8 and 10, float 8 and 23. */
void model_number(struct model_number *x, int exponent_bits, int mantissa_bits, uint32_t bits);
/* The bits of c + a[0] b[0] + a[1] b[1] + ...; c and the result are floats or, if half is set,
 * halves. */
uint32_t model_tensor_sum(struct model_tensor rule, const struct model_number *a,
    const struct model_number *b, int count, uint32_t c, int half);
/* Computes D = A B + C of floats, in tiles of 16 x 8, like model_tensor_sum but much faster
 * (tensor_tile.c). a: 16 rows, b: 8 columns for each tile, each of k numbers (at most 32), stride
 * numbers apart; numbers are the bits of half, bfloat16 or TF32, as for model_number. d: 16 rows of
 * each tile, the bits of C, replaced by those of D. */
void model_tensor_tiles(struct model_tensor rule, int exponent_bits, int mantissa_bits,
    const uint32_t *a, const uint32_t *b, int stride, int k, int tiles, uint32_t (*d)[8]);

/* ---- which lane and register of mma hold which element of a matrix ----
 *
 *      D (m x 8) = A (m x k) B (k x 8) + C      m: 8 or 16; per: elements in a register of A or B
 *
 * The row and the column of element e, from 0 on, of register r of a lane. D is held as C is.
 * Source: PTX ISA, matrix fragments for mma. */
static inline int model_a_row(int m, int lane, int r) { return lane / 4 + 8 * (r % (m / 8)); }
static inline int model_a_column(int m, int lane, int r, int e, int per)
{
    return per * (lane % 4) + 4 * per * (r / (m / 8)) + e;
}
static inline int model_b_row(int lane, int r, int e, int per)
{
    return per * (lane % 4) + 4 * per * r + e;
}
static inline int model_b_column(int lane) { return lane / 4; }
static inline int model_c_row(int lane, int r) { return lane / 4 + 8 * (r >> 1); }
static inline int model_c_column(int lane, int r) { return 2 * (lane % 4) + (r & 1); }
/* row * 8 + column of D */
static inline int model_c_place(int lane, int r) { return 64 * (r >> 1) + 2 * lane + (r & 1); }

/* ---- an mbarrier: arrivals and bytes ---- */

/* The state of an mbarrier. pending: arrivals that the current phase still needs, out of
 * `expected`; bytes: bytes that it still needs, negative if bytes arrived before they were
 * announced; phase: the number of phases that have ended. */
struct model_barrier {
    uint32_t pending, expected;
    int32_t bytes;
    uint32_t phase;
};
/* End the phase if all threads and all bytes have arrived. Returns 1 if it ends. Source: PTX ISA,
 * phase completion of the mbarrier object. */
static inline int model_barrier_end(struct model_barrier *b)
{
    if (b->pending || b->bytes) return 0;
    b->pending = b->expected;
    b->phase++;
    return 1;
}
/* Does a wait for the phase of this parity return? It returns if the current phase has the other
 * parity. */
static inline int model_barrier_passes(const struct model_barrier *b, unsigned parity)
{
    return (b->phase & 1) != (parity & 1);
}

/* ---- asynchronous copies that overlap with a block's arithmetic (pipeline.c) ---- */

/* The times of one step of a block's loop, in clocks. asked, there: the copy of the step's data is
 * issued and has arrived; begun, done: the multiplication of that data begins and ends. */
struct model_step {
    long asked, there, begun, done;
};
/* Computes the times of the steps of a block that has shared memory for the data of `stages` steps.
 * A copy takes `copy` clocks, whatever else is in flight; a multiplication takes `work` clocks.
 * Writes `steps` elements, at least 1, to step. Returns for how many clocks the arithmetic is idle
 * before the last step ends. */
long model_stages(int stages, long copy, long work, int steps, struct model_step *step);

/* The times of one step of a block whose warps have different roles, in clocks. asked, there: the
 * copy is issued and has arrived; split, ready: the warps that split the data begin and end; begun,
 * done: the multiplication begins and ends; freed: the stage may be filled again. */
struct model_roles {
    long asked, there, split, ready, begun, done, freed;
};
/* Computes the times of the steps of such a block. Each role waits only for the other roles.
 * Returns for how many clocks the warps that multiply are idle before the last step ends. */
long model_roles(
    int stages, long copy, long split, long multiply, int steps, struct model_roles *step);

/* ---- time (time.c) ---- */

/* The work of a launch, summed over the grid unless a field says otherwise. */
struct model_work {
    uint64_t blocks;
    /* the busiest multiprocessor's share of the work, from 0 to 1; 0: not known */
    double busiest;
    int block_threads;
    int registers;                              /* registers of each thread */
    size_t shared_bytes;                        /* bytes of shared memory of each block */
    double inst;                                /* total warp instructions issued */
    double fp32, fp16, integer, fp64, sfu, lsu; /* warp instructions, by execution unit */
    /* warp instructions. constants: loads of constants and parameters; barriers: barriers */
    double constants, barriers;
    /* warp instructions. multiply: integer products; add: integer sums and differences */
    double multiply, add;
    /* warp instructions of integers in the special function unit: counting bits, parts of
     * divisions */
    double bits;
    double to_float; /* warp instructions that convert 32-bit integers to floats */
    /* warp instructions of other conversions between integers and floats */
    double convert;
    /* multiply-adds of tensor cores, except those of doubles, in half-precision equivalents */
    double tensor;
    double tensor_halves;     /* the part of tensor whose sums are halves or integers */
    double tensor_doubles;    /* multiply-adds of doubles by mma */
    double tags;              /* look-ups of 128-byte lines by global and local accesses */
    double global_wavefronts; /* wavefronts of struct model_global, summed */
    double shared_wavefronts;
    double shared_conflicts; /* wavefronts beyond those that the access widths need */
    /* look-ups of lines beyond one for each global or local access */
    double replays;
    double atomics;       /* lanes' atomic operations on global memory */
    double atomic_clocks; /* clocks of the busiest L2 slice for its rounds of model_atomic */
    /* the part of atomic_clocks in which a float addition waits for the previous addition to its
     * word */
    double atomic_waits;
    double atomic_sectors; /* sectors of atomics, in all rounds of model_atomic */
    double atomic_lines;   /* lines of atomics, in their first rounds */
    double l2_sectors;     /* sectors read and written, without those of atomics */
    double l2_writes;      /* the part of l2_sectors that is written */
    double l2_requests;    /* requests that read sectors, each from one line */
    /* sectors read that came from the other side of the L2 */
    double l2_far;
    double l2_partial;       /* part of l2_writes: sectors that no access wrote whole (32 bytes) */
    double l2_partial_lines; /* number of lines with partly written sectors */
    double dram_bytes;       /* bytes read from and written to device memory */
    /* what dram_bytes would be if every DRAM partition were as busy as the busiest one, and if a
     * row that is opened for few bytes cost as much as the data it could have moved; 0: the same as
     * dram_bytes */
    double dram_busiest;
    /* The following fields are means over warps. */
    /* number of waits for global memory, one after another; if a warp never waits, the number of
     * its accesses; at least 1 */
    double rounds;
    double asks; /* times that a warp requests data; if it never waits, the number of accesses */
    /* the part of rounds in which several warps of the block wait together */
    double rounds_together;
    double rounds_ready; /* the part of rounds_together that are the first after a barrier */
    /* clocks of latency along the longest chain of dependent instructions */
    double critical_path;
    /* the part of critical_path spent waiting for global memory; the rest is latency between
     * instructions */
    double waiting;
    /* copies by the copy engine that are in flight for a warp at once; 0: none */
    double ahead;
};
/* What a launch on a simulated device can leave out, to show whether outputs depend on it. Values
 * that are left out become NaN. */
enum without {
    WITHOUT_NOTHING,
    WITHOUT_SHARED,    /* words of shared memory that the thread which loads them did not store */
    WITHOUT_COPIES,    /* what asynchronous copies of threads (cp.async) bring */
    WITHOUT_CONSTANTS, /* values in constant memory */
    WITHOUT_STORES,    /* what loads from a buffer that the kernel writes bring */
    WITHOUT_ATOMICS,   /* atomic operations on shared memory */
    /* the smaller operand of each addition of floats, until a warp has multiplied exchange.until
     * times */
    WITHOUT_SUMS,
    WITHOUT_PRODUCTS, /* what products of matrices add to their sums */
    /* what an eighth of the multiply-adds of floats add, drawn for each thread */
    WITHOUT_MULTIPLY_ADDS,
    /* as WITHOUT_SHARED, until a warp has multiplied exchange.until times */
    WITHOUT_EARLY,
    /* for no launch: a thread gets words by shared memory from one other thread only */
    WITHOUT_SEVERAL,
    WITHOUT_COUNT
};
/* The values that loads from shared memory bring in a launch with WITHOUT_SHARED, instead of NaN.
 * again = 0: the values that are loaded are recorded. again = 1: each load brings the value
 * recorded in an earlier launch of the kernel, so outputs that follow the new inputs do not get
 * them by shared memory. Loads beyond EXCHANGE_MOST bring NaN. The caller frees value. */
struct exchange {
    uint64_t *value; /* one value per loaded register of a thread, in the order of execution */
    size_t count, at;
    int again;
    /* set by a launch that records: words that came from the thread, and from the warp, from which
     * the loading thread and warp got their first word; and all other words */
    uint64_t from_first, from_others;
    /* for WITHOUT_EARLY and WITHOUT_SUMS: multiply-adds of floats and mma that a warp executes */
    uint64_t until;
};
enum { EXCHANGE_MOST = 1 << 22 };

/* The parts of the machine that work at the same time. Those up to PART_L1 are in each
 * multiprocessor. PART_LAUNCH is not a part of the machine but the bottleneck that is reported if
 * starting takes longer than running. */
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
/* names of enum model_part; "-" for PART_NONE */
extern const char *const model_part_names[PART_LAUNCH + 1];
struct model_time {
    double ms;
    enum model_part bottleneck; /* the slowest part, or PART_LAUNCH */
    /* the part of ms before the units work: launch, first blocks, first data */
    double start_ms;
    double part_ms[MODEL_PARTS]; /* time that each part alone would take */
};
struct model_time model_time(const struct model_profile *p, const struct model_work *w);

/* ---- transfers (transfer.c) ----
 *
 *     host memory --[ copy in ]--> device memory --[ kernel ]--> device memory --[ copy out ]--> host memory
 *
 * If pieces of the data are in different streams, the three engines can work at the same time, each
 * on another piece. */

struct model_transfer {
    size_t bytes; /* bytes that are copied in each direction */
    int pinned;   /* 1: host memory is page-locked; 0: it is pageable */
    /* which operations are done. in: copy in; kernel: run a kernel that reads and writes each byte;
     * out: copy out */
    int in, kernel, out;
    /* the data is divided into `pieces` equal pieces; piece i is in stream i % streams; both are at
     * least 1 */
    int pieces, streams;
};

struct model_link {
    const char *name; /* name of the GPU's profile */
    double gbps;      /* GB/s that copies of pinned memory reach in each direction */
    /* GB/s of copies of pageable memory, which the driver copies through a buffer of its own */
    double pageable_gbps;
    double copy_us; /* fixed cost of each copy, in microseconds */
};
/* The link between host and GPU. NULL: none is known for this profile. */
const struct model_link *model_link_find(const struct model_profile *p);

/* Milliseconds until the last piece is done; 0 if the profile has no link. */
double model_transfer_ms(const struct model_profile *p, const struct model_transfer *t);

#endif
