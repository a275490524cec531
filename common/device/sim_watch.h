/* sim_watch.h - between the simulator as a device and who watches a block of a launch. */
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
