/* host.h - exercises in host C: the learner's functions run in a process of their own, and are
 * checked from outside.
 *
 *     kit -- arrays in shared memory, one request --> child: statically linked, under a seccomp filter
 *         <-- nonce when the function has returned --
 *
 * The child has an empty environment, /dev/null as its standard descriptors, and limits on
 * memory and time. It cannot make system calls that open, name or start anything. Its output is
 * discarded. The kit reads the arrays and its own clock; of what the child reports only the lines
 * that a counted program brings into a cache decide a grade. */
#ifndef LOCKSTEP_EXERCISE_HOST_H
#define LOCKSTEP_EXERCISE_HOST_H

#include "exercise/compile.h"

/* The content of memory around the arrays: a signalling NaN other than that of outputs (run.c). */
extern const uint32_t POISON_BAND;

/* Compile the file with gcc -O2. Fills in c as compile_kernel does, but without PTX. Returns
 * NULL unless c->status is COMPILE_OK. The caller frees the program with host_program_free. */
struct host_program *host_build(
    const struct kit *k, const struct exercise *x, const char *file, struct compiled *c);
void host_program_free(struct host_program *p); /* p may be NULL; nothing is done then */

/* Start a linked program as a child process. The caller stops the process with host_stop. */
int host_start(const struct host_program *p, struct host_process **out, struct err *e);
void host_stop(struct host_process *h);
/* Run a step's function on `in`. The output is copied to in->data[output]; *seconds: how long the
 * call took. limit: seconds until the function is stopped, as timeout.c counts them. -1 with
 * ERR_LEARNER: the function crashed, was stopped, changed an input or wrote outside its arrays; the
 * process then cannot be used again. */
int host_run(struct host_process *h, int step, struct instance *in, double limit, double *seconds,
    struct err *e);
/* Run a step's function on `in` in a new process that counts the lines of memory which the function
 * brings into a cache of 256 KiB: the same number on every machine with the same gcc. Only for an
 * exercise of which a step has budgets; else as host_run. */
int host_count(const struct host_program *p, int step, struct instance *in, double limit,
    double *lines, struct err *e);

#endif
