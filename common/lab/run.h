/* run.h - one kernel on one problem on one device: bound, its outputs poisoned, launched, its inputs checked. */
#ifndef LOCKSTEP_LAB_RUN_H
#define LOCKSTEP_LAB_RUN_H

#include "lab/problem.h"

/* A kernel that fits its step: found, its parameters those of the problem, its launch shape one that the device takes. */
struct bound {
    struct device *device;
    struct kernel *kernel;
    const struct problem *problem;
    const struct step *step;
    dev_ptr coef; /* polynomial's constant coefficients; 0 elsewhere */
    unsigned block[2], covers[2];
    size_t shared;
};
/* file: for messages. -1 with ERR_LEARNER: the text says what to write. */
int run_bind(struct bound *b, struct device *d, struct module *m, const struct step *step, const char *file, struct err *e);

/* The grid and block that it is launched with at a size. -1 with ERR_LEARNER: more blocks than the device takes. */
int run_shape(const struct bound *b, const int *dims, struct launch_shape *shape, struct err *e);

/* Launch on in->data's inputs; the output comes back in in->data[output]. m may be NULL: nothing is counted then.
 * -1 with ERR_LEARNER: the kernel faulted, changed an input, or wrote beside its buffers. */
int run_kernel(const struct bound *b, struct instance *in, struct measurement *m, struct err *e);

/* The learner's number in PREDICT(name, number); -1 (UNKNOWN) where there is none. */
int run_prediction(struct module *m, const char *name);

#endif
