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
    int once;                /* each launch once, also on a GPU: what ncu is put around */
    int warm;                /* launches find in the L2 what those before left there */
    int sms;                 /* multiprocessors */
    double ghz;              /* the clock that kernels run at */
    double branch;           /* clocks of a loop's end, once known; else 0 */
    double l2_read;          /* bytes read of the L2 a clock, once known; else 0 */
    size_t l2_bytes;         /* of the L2, or a guess for a GPU that no profile knows */
    const char *spec, *ptx;  /* the device's, and where PTX was brought along, as on the command line; for the process that ncu looks at */
    const char *ncu;         /* NVIDIA's profiler, for what only counters tell */
};

struct probe {
    const char *figure;      /* the profile's field; "clock_ghz" */
    const char *unit, *how;  /* how: what is timed */
    /* NAN where it cannot be told on this device. -1: a launch failed */
    int (*run)(struct prober *p, double *value, struct err *e);
    double (*row)(const struct model_profile *p); /* the profile's */
};
/* Launch a kernel of probes.cu with its own block. ms: the least of some runs on a GPU. */
int probe_launch(struct prober *p, const char *name, unsigned blocks, int n, int step, double *ms, struct err *e);

/* ---- how far apart (probe_apart.c) ---- */

struct probe_way {
    double begun, done;      /* by a clock that all of a group have */
};
/* By how much the variance between the members of a group is larger when they are done than when they began: the median over the groups,
 * which tell themselves apart by their clocks. Sorts w. */
double probe_come_apart(struct probe_way *w, int count);
double probe_median(double *v, int count); /* sorts v */
int probe_wander(struct prober *p, double *value, struct err *e);
int probe_alone_apart(struct prober *p, double *value, struct err *e);
/* ---- what is counted, not timed (probe_join.c) ---- */

/* Clocks that a stored line may still be joined, by launches at several times between two stores to it: joined[i] is the share that
 * joined at between[i] clocks, in rising order; before the first of them all do. */
double probe_hold(const double *between, const double *joined, int count);
int probe_join_behind(struct prober *p, double *value, struct err *e);
/* Its launches alone, each once, for ncu to count. */
int probe_join_launches(struct prober *p, struct err *e);

extern const struct probe probes[]; /* in their order, as later ones use what earlier ones found; ends at figure NULL */

/* Get ready: data, the number of multiprocessors, the clock. module stays the caller's. Close in every case. */
int probe_open(struct prober *p, struct device *d, struct module *module, struct err *e);
void probe_close(struct prober *p);

#endif
