/* crew.h - private to sim/: the host threads that run one launch, and the sum of their counts. */
#ifndef LOCKSTEP_SIM_CREW_H
#define LOCKSTEP_SIM_CREW_H

#include "sim/machine.h"

#include <pthread.h>

/* The host threads of a launch and the slots for its resident blocks (struct worker). Slots come in
 * sets; a host thread runs one multiprocessor at a time in its set. If blocks wait for each other,
 * each multiprocessor has its own set, and each block a slot of that set. */
struct crew {
    struct launch *launch;
    struct worker *workers; /* slot s of set i is at index i * seats + s */
    int count, seats;       /* count: number of sets; seats: number of block slots in each */
    int threads;            /* number of host threads */
    /* set when blocks run in parallel (run_apart) and two multiprocessors access the same word */
    _Atomic int met;
    int waited;       /* 1: all blocks have waited at a grid-wide barrier, and now continue */
    uint64_t end;     /* blocks 0 .. end - 1 run: all blocks, or those of a sample */
    uint64_t counted; /* number of blocks that run and are counted */
    _Atomic int next_sm;
    int at;      /* index of the multiprocessor that the first set of slots runs */
    double told; /* when progress was last reported, in seconds (clock_seconds) */
    const struct sim_options *options; /* options of the launch; NULL: the default, all zeros */
    pthread_mutex_t lock;
    struct err err; /* error of the block with the lowest number that failed */
};

/* Run the block in this slot until it ends, waits for other blocks, polls memory, reaches the
 * horizon (the end of the current time slice) or fails. */
void crew_run_seat(struct crew *c, struct worker *w);
/* ---- which shapes can be launched (shape.c). Each returns 0, or -1 with *e filled; name: the
 * kernel's name, for the message ---- */
int shape_check(struct launch *l, const char *name, struct err *e);
/* Checks that all blocks can be resident at once if the kernel has a grid-wide barrier. To be
 * called when l->resident is known. */
int shape_check_grid(const struct launch *l, const char *name, struct err *e);

/* ---- which multiprocessors run, and which of them are counted (sample.c) ---- */

/* The number of the i-th multiprocessor that is counted. A sample takes neighbouring
 * multiprocessors in pairs (on GPUs where the model lets a pair share reads), spreads the pairs
 * evenly over the GPU, and alternates between the sides of the L2. */
int picked_sm(const struct launch *l, int i);
/* Decide which multiprocessors, and how many of their blocks, run and are counted: sets c->end,
 * c->counted and the launch's picked. */
void set_sample(struct crew *c, const struct sim_options *options);
/* The number of block slots that a multiprocessor needs, that is how many blocks it holds at a
 * time. */
int seats_of(const struct crew *c);
static inline int sms_that_run(const struct launch *l) { return l->all_run ? l->sms : l->picked; }
/* Prepare a set of block slots for multiprocessor sm, which may be one that is not counted. Returns
 * how many of the slots it uses. */
int sample_start_sm(struct crew *c, struct worker *seats, int sm);
/* Call when all blocks have ended: makes the workers' counts those of the counted blocks alone. */
void sample_end(struct crew *c);

/* Call when all blocks have ended: adds up the workers' counts and fills *r (merge_results.c). */
void crew_sum(struct crew *c, struct sim_result *r);

#endif
