/* crew.h - private to sim/: the host threads of one launch, and the result of their sums. */
#ifndef LOCKSTEP_SIM_CREW_H
#define LOCKSTEP_SIM_CREW_H

#include "sim/machine.h"

#include <pthread.h>

/* The workers of a launch. Each host thread has the seats of one multiprocessor at a time. If the
 * kernel has a barrier of all blocks, each multiprocessor has seats of its own, and each block one
 * of them. */
struct crew {
    struct launch *launch;
    struct worker *workers; /* seat s of set i: i * seats + s */
    int count, seats;       /* sets of seats; seats of each */
    int threads;            /* host threads */
    /* blocks run in parallel (run_apart), and two multiprocessors accessed one word */
    _Atomic int met;
    int waited;       /* blocks have waited at a barrier of all blocks, and continue */
    uint64_t end;     /* blocks below this one run: all, or those of a sample */
    uint64_t counted; /* how many blocks run and are counted */
    _Atomic int next_sm;
    int at;                            /* which multiprocessor the first set of seats runs */
    double told;                       /* when progress was last reported */
    const struct sim_options *options; /* NULL: all zeros */
    pthread_mutex_t lock;
    struct err err; /* error of the lowest block that failed */
};

/* Run the seat's block until it ends, waits, polls, comes to the horizon or fails. */
void crew_run_seat(struct crew *c, struct worker *w);
/* ---- what can be launched (shape.c): 0, or -1 with e; name: for the message ---- */
int shape_check(struct launch *l, const char *name, struct err *e);
/* A barrier of all blocks needs all of them on the GPU at once; l->resident is known. */
int shape_check_grid(const struct launch *l, const char *name, struct err *e);

/* ---- which multiprocessors run, and which are counted (sample.c) ---- */

/* The i-th multiprocessor that is counted. A sample takes neighbours that share reads together,
 * spreads them evenly over the GPU, and takes the sides of the L2 in turn. */
int picked_sm(const struct launch *l, int i);
/* Decide which multiprocessors and which of their blocks run and are counted: end, counted,
 * picked. */
void set_sample(struct crew *c, const struct sim_options *options);
/* Blocks that a multiprocessor holds at a time. */
int seats_of(const struct crew *c);
static inline int sms_that_run(const struct launch *l) { return l->all_run ? l->sms : l->picked; }
/* The seats begin a multiprocessor, perhaps one that is not counted. Returns how many of them it
 * uses. */
int sample_start_sm(struct crew *c, struct worker *seats, int sm);
void sample_end(struct crew *c); /* all have ended: the sums are those of the counted ones */

/* When all have ended: one result of all their sums (merge_results.c). */
void crew_sum(struct crew *c, struct sim_result *r);

#endif
