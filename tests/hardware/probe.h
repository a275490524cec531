/* probe.h - a device's figures, measured: what a row of the model's profiles says about latencies and throughputs.
 *
 *     time                                      A kernel of tests/hardware/kernels/probes.cu does one thing n times. What each
 *      |                  x  t1                 further time adds is that thing's own cost; the launch, cold caches and
 *      |        x  t0          (t1 - t0)        the last block's end are in both times and drop out.
 *      |   .           clocks = --------- x clock
 *      +--------n0--------n1    (n1 - n0)
 *
 * The same way on a GPU, whose time is measured, and on a simulated device, whose time is modelled: there each figure has to
 * come out as the profile's own, or the kernel measures something else than what the figure means.
 */
#ifndef LOCKSTEP_LAB_PROBE_H
#define LOCKSTEP_LAB_PROBE_H

#include "device/device.h"
#include "exercise/exercise.h"

struct prober {
    struct device *device;
    struct module *module;   /* of probes.cu */
    dev_ptr data;
    size_t bytes;            /* of data */
    int simulated;
    int sms;                 /* multiprocessors */
    double ghz;              /* the clock that kernels run at */
    double branch;           /* clocks of a loop's end, once known; else 0 */
    double l2_read;          /* bytes read of the L2 a clock, once known; else 0 */
    size_t l2_bytes;         /* of the L2, or a guess for a GPU that no profile knows */
};

struct probe {
    const char *figure;      /* the profile's field; "clock_ghz" */
    const char *unit, *how;  /* how: what is timed */
    /* NAN where it cannot be told on this device. -1: a launch failed */
    int (*run)(struct prober *p, double *value, struct err *e);
    double (*row)(const struct model_profile *p); /* the profile's */
};

extern const struct probe probes[]; /* in their order, as later ones use what earlier ones found; ends at figure NULL */

/* Get ready: data, the number of multiprocessors, the clock. module stays the caller's. Close in every case. */
int probe_open(struct prober *p, struct device *d, struct module *module, struct err *e);
void probe_close(struct prober *p);

#endif
