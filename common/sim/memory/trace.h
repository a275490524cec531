/* trace.h - what trace.c follows through the first-level caches, and l2.c through the second: a sample of lines. */
#ifndef LOCKSTEP_SIM_TRACE_H
#define LOCKSTEP_SIM_TRACE_H

#include "sim/machine.h"

enum { LINE_SHIFT = 7, SECTOR_SHIFT = 5, ARRIVALS = 256 };

struct segment { /* the log of one multiprocessor */
    int sm;
    size_t first, count;
};

enum ask { ASK_READ, ASK_WRITE, ASK_AGAIN /* what the warp before read, by another */ };

struct stream { /* what a batch asked of the caches and nobody has followed yet */
    struct request {
        uint64_t sector;
        uint32_t instant, step : 29, ask : 2, first : 1; /* first: of a warp's access */
    } *at;
    size_t count, cap, done;
};

struct trace { /* one a worker */
    int l1_sample, log_sample; /* powers of two; log_sample counts on top of l1_sample */
    int off;                   /* there are no caches */
    int read_shift;            /* log2 of the bytes that a load's miss fetches */
    struct model_cache *l1;    /* NULL: global loads pass it by */
    uint64_t *log;             /* sector number << 1 | write */
    uint32_t *when;            /* instants since the multiprocessor's start, an element an entry */
    uint32_t last;             /* the latest of them all */
    size_t count, cap;
    struct segment *segments;
    size_t segment_count, segment_cap;
    uint64_t reads, hits, misses; /* of what a miss fetches, sampled */
    struct sim_step_counts *steps, *step; /* of the launch; whose access this is */
    struct stream **streams;      /* a batch each, block after block */
    int batches;                  /* of a block */
    size_t stream_count, stream_cap;
    struct stream *now;           /* whose access this is */
    int first;                    /* its warp has asked for nothing yet */
    uint64_t instant;             /* counts accesses of the batch: what it does at once */
    uint64_t last_reads, last_late; /* the sums before the last warp's access */
    uint64_t alone;               /* the last access's late sectors that no other warp has waited for */
    struct arrival { uint64_t sector, instant; const struct stream *by; int alone; } arrivals[ARRIVALS]; /* from L2, by sector */
};

/* Of an entry of the log. */
static inline uint64_t trace_sector(uint64_t entry)
{
    return entry >> 1;
}

static inline uint32_t trace_hash(uint32_t line)
{
    line ^= line >> 13;
    line *= 0x9e3779b1u;
    line ^= line >> 15;
    line *= 0x85ebca77u;
    return line ^ line >> 16;
}

/* One line of every 2^sample in a row is picked, at a place that a hash chooses anew for each such group: arrays are sampled
 * evenly, columns at random. 0: it is. */
static inline uint32_t trace_missed(uint32_t line, int sample)
{
    return (line ^ trace_hash(line >> sample)) & ((1u << sample) - 1);
}

/* A picked line's address in a sampled cache: its group's number, hashed so that all sets are used. The hash maps 32 bits one
 * to one, so different lines keep different addresses. */
static inline uint64_t trace_renumber(uint64_t sector, int sample)
{
    uint32_t line = (uint32_t)(sector >> (LINE_SHIFT - SECTOR_SHIFT));
    return (uint64_t)trace_hash(line >> sample) << LINE_SHIFT | (sector & 3) << SECTOR_SHIFT;
}

/* A sampled cache may have fewer lines than ways. */
static inline struct model_cache *trace_cache(int64_t bytes, int ways, int sector_bytes)
{
    int64_t lines = bytes >> LINE_SHIFT > 1 ? bytes >> LINE_SHIFT : 1;
    return model_cache_new(lines << LINE_SHIFT, lines < ways ? (int)lines : ways, 1 << LINE_SHIFT, sector_bytes);
}

#endif
