/* probe.h - measure the latencies and throughputs that a row of the model's device profiles states.
 *
 *     time                                      A kernel of tests/hardware/kernels/probes.cu does one
 *      |                  x  t1                 operation n times. The slope is the cost of one operation.
 *      |        x  t0          (t1 - t0)        The launch, cold caches and the end of the last block are
 *      |   .           clocks = --------- x clock   in both times and cancel out.
 *      +--------n0--------n1    (n1 - n0)
 *
 * On a GPU the time is measured, on a simulated device it is modelled. There each figure must equal
 * the profile's; otherwise the kernel measures something other than the figure's meaning.
 */
#ifndef LOCKSTEP_HARDWARE_PROBE_H
#define LOCKSTEP_HARDWARE_PROBE_H

#include "device/device.h"
#include "exercise/exercise.h"

struct prober {
    struct device *device;
    struct module *module; /* the kernels of probes.cu */
    dev_ptr data;
    size_t bytes; /* size of data */
    int simulated;
    int sms;         /* multiprocessors */
    double ghz;      /* the clock that kernels run at */
    double branch;   /* clocks of the end of a loop's iteration; 0: not known yet */
    double l2_read;  /* bytes read from L2 per clock; 0: not known yet */
    size_t l2_bytes; /* size of L2, or a guess if no profile describes the GPU */
};

struct probe {
    const char *figure;     /* the profile's field; "clock_ghz" */
    const char *unit, *how; /* how: what is timed, for the table */
    /* *value is NAN if the figure cannot be measured on this device. Returns -1 if a launch
     * failed. */
    int (*run)(struct prober *p, double *value, struct err *e);
    double (*row)(const struct model_profile *p); /* the figure in a profile */
};

/* The probes in the order in which they must run, since later probes use what earlier ones found.
 * Ends at figure NULL. */
extern const struct probe probes[];

/* Allocate the data, find the number of multiprocessors and the clock. The caller keeps the
 * module. Call probe_close in every case. */
int probe_open(struct prober *p, struct device *d, struct module *module, struct err *e);
void probe_close(struct prober *p);

#endif
