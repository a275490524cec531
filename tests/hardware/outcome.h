/* outcome.h - what a random kernel leaves behind when it is run in one way, and how two outcomes
 * compare. */
#ifndef LOCKSTEP_HARDWARE_OUTCOME_H
#define LOCKSTEP_HARDWARE_OUTCOME_H

#include "device/device.h"
#include "hardware/random_kernel.h"

/* One way to run a kernel. The first way is what the others are compared with. */
struct way {
    const char *spec;
    int front;
    /* settings of a simulated device: host threads (0: default), masked handlers */
    int threads, masked;
    int same_counts; /* its counters must equal those of the way before it */
    struct device *device;
    struct module *module;
    int borrowed;    /* the device belongs to an earlier way */
    int unoptimised; /* the GPU's driver compiles without optimisation */
};

struct outcome {
    unsigned char *data[RANDOM_BUFFERS]; /* what each buffer held afterwards */
    struct metrics metrics;
    double ms;
};

/* Run the kernel in this way. Its device must be open and its module loaded. Call outcome_free
 * in every case. */
int outcome_take(const struct random_kernel *k, struct way *w, struct outcome *o, struct err *e);
void outcome_free(struct outcome *o);
/* Whether the two outcomes differ. If they do, why says where. */
int outcome_data_differ(const struct random_kernel *k, const struct outcome *want,
    const struct outcome *got, struct buf *why);
int outcome_counts_differ(
    const struct outcome *want, const struct outcome *got, int same_time, struct buf *why);

#endif
