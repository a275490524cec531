/* outcome.h - what a random kernel leaves behind when it is run in one way, and how two outcomes compare (outcome.c). */
#ifndef LOCKSTEP_LAB_OUTCOME_H
#define LOCKSTEP_LAB_OUTCOME_H

#include "device/device.h"
#include "hardware/random_kernel.h"

/* One way to run a kernel; the first is what the others are compared with. */
struct way {
    const char *spec;
    int front;
    int threads, masked;     /* of a simulated device */
    int same_counts;         /* as the way before it: only how the simulator runs differs */
    struct device *device;
    struct module *module;
    int borrowed;            /* device: an earlier way's */
    int unoptimised;         /* by the driver of a GPU; the way before it is the same one otherwise */
};

struct outcome {
    unsigned char *data[RANDOM_BUFFERS]; /* what each buffer held afterwards */
    struct metrics metrics;
    double ms;
};

/* Run the kernel in its way, whose device is open and whose module is loaded. outcome_free it in every case. */
int outcome_take(const struct random_kernel *k, struct way *w, struct outcome *o, struct err *e);
void outcome_free(struct outcome *o);
/* What differs between the two is said in why; returns whether anything does. */
int outcome_data_differ(const struct random_kernel *k, const struct outcome *want, const struct outcome *got, struct buf *why);
int outcome_counts_differ(const struct outcome *want, const struct outcome *got, int same_time, struct buf *why);

#endif
