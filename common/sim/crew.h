/* crew.h - private to sim/: the host threads of one launch, and what their sums make of it. */
#ifndef LOCKSTEP_SIM_CREW_H
#define LOCKSTEP_SIM_CREW_H

#include "sim/machine.h"

#include <pthread.h>

/* The workers of a launch. Each host thread has the seats of one multiprocessor at a time. If the kernel has
 * a barrier of all blocks, each multiprocessor has seats of its own, and each block one of them. */
struct crew {
    struct launch *launch;
    struct worker *workers; /* seat s of set i: i * seats + s */
    int count, seats;       /* sets of seats; seats of each */
    int threads;            /* of the host */
    int waited;             /* blocks have waited at a barrier of all blocks, and go on */
    uint64_t end;          /* blocks below this one run: all, or those of a sample */
    uint64_t run;          /* how many blocks run */
    _Atomic int next_sm;
    int at;                /* which multiprocessor the first set of seats runs */
    double told;           /* when progress was told last */
    const struct sim_options *options; /* NULL: all zeros */
    pthread_mutex_t lock;
    struct err err;        /* of the lowest block that failed */
};

/* Run the seat's block until it ends, waits, polls, comes to the horizon or fails. */
void crew_run_seat(struct crew *c, struct worker *w);
/* When all have ended: one result of all their sums (sums.c). */
void crew_sum(struct crew *c, struct sim_result *r);

#endif
