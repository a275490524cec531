/* crew.h - private to sim/: the host threads of one launch, and what their sums make of it. */
#ifndef LOCKSTEP_SIM_CREW_H
#define LOCKSTEP_SIM_CREW_H

#include "sim/machine.h"

#include <pthread.h>

struct crew { /* the workers of a launch: each host thread has the seats of one multiprocessor */
    struct launch *launch;
    struct worker *workers; /* seat s of thread i: i * seats + s */
    int count, seats;
    uint64_t end;          /* blocks below this one run: all, or those of a sample */
    uint64_t run;          /* how many blocks run */
    _Atomic int next_sm;
    const struct sim_options *options; /* NULL: all zeros */
    pthread_mutex_t lock;
    struct err err;        /* of the lowest block that failed */
};

/* When all have ended: one result of all their sums (sums.c). */
void crew_sum(struct crew *c, struct sim_result *r);

#endif
