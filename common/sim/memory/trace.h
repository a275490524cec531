/* trace.h - the sample of lines that trace.c follows through the L1s and l2.c through the L2. */
#ifndef LOCKSTEP_SIM_TRACE_H
#define LOCKSTEP_SIM_TRACE_H

#include "sim/machine.h"

/* LINE_SHIFT: lines of 128 bytes; SECTOR_SHIFT: sectors of 32 bytes; ARRIVALS: slots for sectors
 * that warps wait for (struct arrival). */
enum { LINE_SHIFT = 7, SECTOR_SHIFT = 5, ARRIVALS = 256 };

/* The part of a worker's log that is from one multiprocessor: `count` entries from index `first`
 * on. */
struct segment {
    int sm;
    size_t first, count;
};

/* Kinds of requests. ASK_AGAIN: another warp repeats the load of the warp before it. ASK_BULK: a
 * read by the copy engine, which bypasses the L1. */
enum ask { ASK_READ, ASK_WRITE, ASK_AGAIN, ASK_BULK };

/* The requests of one batch of warps to the caches. Requests before index `done` have been
 * replayed. */
struct stream {
    struct request {
        /* sector: the first sector of the request; more: number of further sectors in its line */
        uint64_t sector : 62, more : 2;
        /* first: this is the first request of a warp's access */
        uint32_t instant, step : 29, ask : 2, first : 1;
    } * at;
    size_t count, cap, done;
};

/* The trace of a worker, which simulates one multiprocessor after the other. Counts are those of
 * the sampled lines. */
struct trace {
    /* one line in 2^l1_sample is traced; of the traced lines, one in 2^log_sample is logged */
    int l1_sample, log_sample;
    /* 1: nothing is traced, since the GPU has no caches, or accesses are not counted now */
    int off;
    int read_shift;         /* log2 of the bytes that a load's miss fetches */
    struct model_cache *l1; /* the L1; NULL: global loads bypass it */
    uint64_t *log;          /* entries of the log: sector number << 1 | write */
    /* for each entry of the log: its instant, counted from the multiprocessor's start */
    uint32_t *when;
    uint32_t last; /* the largest instant in the array when */
    size_t count, cap;
    struct segment *segments;
    size_t segment_count, segment_cap;
    /* numbers of loads, of hits and of misses, in units of the bytes that a miss fetches */
    uint64_t reads, hits, misses;
    /* lines: number of requests to the L2, one for each line of an access; asked: the line of the
     * last request, plus one */
    uint64_t lines, asked;
    /* steps: counts of each step of the program; step: those of the step that makes the current
     * access */
    struct sim_step_counts *steps, *step;
    struct stream **streams; /* one stream for each batch of warps, block after block */
    int batches;             /* number of batches of warps in a block */
    size_t stream_count, stream_cap;
    struct stream *now; /* stream of the batch that makes the current access */
    int first;          /* 1: the current access has made no request yet */
    /* instant of the current access: how many accesses its batch has made */
    uint64_t instant;
    uint64_t missed_at; /* instant of the last load that missed in the L1 */
    /* values of the counts reads and late before the current warp's access */
    uint64_t last_reads, last_late;
    /* late sectors of the current access that only one warp waits for */
    uint64_t alone;
    /* The last load, if all its sampled lines were in the L1, and nothing has gone through the L1
     * since: the sector of each lane, and how many sectors are in the sample. mask 0: there is no
     * such load. */
    struct {
        uint32_t mask;
        uint64_t sampled, sector[32];
    } held;
    /* Sectors in flight from the L2, by sector number: the batch that waits, and whether only one
     * of its warps does. */
    struct arrival {
        uint64_t sector, instant;
        const struct stream *by;
        int alone;
    } arrivals[ARRIVALS];
};

/* Set the length of the log's last segment. */
static inline void trace_end_segment(struct trace *t)
{
    struct segment *last = t->segment_count ? &t->segments[t->segment_count - 1] : NULL;
    if (last) last->count = t->count - last->first;
}

/* The sector number of an entry of the log. */
static inline uint64_t trace_sector(uint64_t entry) { return entry >> 1; }

/* Mixes the bits of a number; different numbers give different results. */
static inline uint32_t trace_hash(uint32_t line)
{
    line ^= line >> 13;
    line *= 0x9e3779b1u;
    line ^= line >> 15;
    line *= 0x85ebca77u;
    return line ^ line >> 16;
}

/* Returns 0 if the line is in the sample: of each 2^sample consecutive lines one is, chosen by a
 * hash of the group's number, so that arrays are sampled evenly and matrix columns at random. */
static inline uint32_t trace_missed(uint32_t line, int sample)
{
    return (line ^ trace_hash(line >> sample)) & ((1u << sample) - 1);
}

/* The byte address of a sampled sector in the smaller cache: it is the hash of the line's group
 * (line >> sample), so that all sets are used. The hash is bijective, so different lines keep
 * different addresses. */
static inline uint64_t trace_renumber(uint64_t sector, int sample)
{
    uint32_t line = (uint32_t)(sector >> (LINE_SHIFT - SECTOR_SHIFT));
    return (uint64_t)trace_hash(line >> sample) << LINE_SHIFT | (sector & 3) << SECTOR_SHIFT;
}

/* Allocates a cache. The cache of a sample may have fewer lines than ways; then it is fully
 * associative. */
static inline struct model_cache *trace_cache(int64_t bytes, int ways, int sector_bytes)
{
    int64_t lines = bytes >> LINE_SHIFT > 1 ? bytes >> LINE_SHIFT : 1;
    return model_cache_new(
        lines << LINE_SHIFT, lines < ways ? (int)lines : ways, 1 << LINE_SHIFT, sector_bytes);
}

#endif
