/* sim_watch.h - pass events from the simulator to the code that watches a block. */
#ifndef LOCKSTEP_SIM_WATCH_H
#define LOCKSTEP_SIM_WATCH_H

#include "device/device.h"
#include "sim/sim.h"

struct watcher {
    const struct sim_memory *memory;
    const struct ptx_program *program;
    const struct watch *to; /* NULL: nobody */
};
/* For struct sim_watch: ctx is a struct watcher. */
int watch_pass(void *ctx, const struct sim_event *from);

#endif
