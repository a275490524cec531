/* sim_repeat.h - private to the simulated devices: launches of which the outcome is known are not run. */
#ifndef LOCKSTEP_DEVICE_SIM_REPEAT_H
#define LOCKSTEP_DEVICE_SIM_REPEAT_H

#include "sim/sim.h"

/* What is known of a kernel's latest launches with the same shape and arguments. All 0: nothing. */
struct repeat {
    struct sim_shape shape;
    unsigned char *params;
    size_t param_bytes;
    uint64_t hash; /* of memory before the latest launch that was hashed */
    enum {
        UNHASHED,
        HASHED,
        KNOWN
    } state; /* KNOWN: changes are what a launch does to such memory */
    struct buf changes;
    struct sim_copy *copy;  /* memory before the launch that runs now; NULL: it is not compared */
    int hashing;            /* 1: hash is that of memory before the launch that runs now */
    double began, seconds;  /* when the launch began; how long it took */
    unsigned failed, pause; /* launches in vain that were hashed; launches until the next try */
};

/* Call before a launch. Returns 1 if it need not run: the same launch has found the same memory before,
 * and memory now is as it left it. Else call repeat_end after the launch; quiet: it succeeded, printed
 * nothing, and no check found anything. */
int repeat_begin(struct repeat *r, struct sim_memory *m, const struct sim_shape *shape,
    const unsigned char *params, size_t bytes);
void repeat_end(struct repeat *r, const struct sim_memory *m, int quiet);
void repeat_free(struct repeat *r);

#endif
