/* sim_watch.h - passes events of an observed block from the simulator to the observer. */
#ifndef LOCKSTEP_SIM_WATCH_H
#define LOCKSTEP_SIM_WATCH_H

#include "device/device.h"
#include "sim/sim.h"

struct watcher {
    const struct sim_memory *memory;
    const struct ptx_program *program;
    const struct watch *to; /* the observer; NULL: there is none */
};
/* The see function of struct sim_watch; its ctx is a struct watcher. */
int watch_pass(void *ctx, const struct sim_event *from);

#endif
