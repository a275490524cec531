/* sim_repeat.h - private to the simulated devices: launches that change nothing are not run again. */
#ifndef LOCKSTEP_DEVICE_SIM_REPEAT_H
#define LOCKSTEP_DEVICE_SIM_REPEAT_H

#include "sim/sim.h"

/* What is known of a kernel's latest launch. All 0: nothing. */
struct repeat {
    struct sim_shape shape;
    unsigned char *params;
    size_t param_bytes;
    int still;  /* 1: that launch began with memory of this hash, and left it so */
    int hashed; /* 1: hash is that of the memory before the launch that runs now */
    uint64_t hash;
    double began, seconds;  /* when the launch began; how long it took */
    unsigned failed, pause; /* launches in vain that were hashed; launches until the next try */
};

/* Call before a launch. Returns 1 if it need not run: the same launch has found the same memory before,
 * and has changed nothing. Else call repeat_end after the launch; quiet: it succeeded, printed
 * nothing, and no check found anything. */
int repeat_begin(struct repeat *r, const struct sim_memory *m, const struct sim_shape *shape,
    const unsigned char *params, size_t bytes);
void repeat_end(struct repeat *r, const struct sim_memory *m, int quiet);
void repeat_free(struct repeat *r);

#endif
