/* host.h - exercises in host C: the learner's functions in a process of their own, judged and timed from outside.
 *
 * The process is linked statically and may make no system call that opens, names or starts anything (a seccomp filter
 * set before it starts); it has /dev/null for its standard descriptors, an empty environment, limits on memory and
 * time, and shared memory with the arrays as its only data. What it prints is never seen; nothing it says decides:
 * the kit reads the arrays and its own clock.
 */
#ifndef LOCKSTEP_LAB_HOST_H
#define LOCKSTEP_LAB_HOST_H

#include "exercise/compile.h"

/* Compile the file (gcc -O2). Fills c as compile_kernel does, without PTX. NULL unless COMPILE_OK; host_program_free it. */
struct host_program *host_build(const struct kit *k, const struct exercise *x, const char *file, struct compiled *c);
void host_program_free(struct host_program *p); /* p may be NULL */

/* It, running. */
int host_start(const struct host_program *p, struct host_process **out, struct err *e);
void host_stop(struct host_process *h);
/* Run a step's function on in. The output comes back in in->data[output]; *seconds is what it took. limit:
 * seconds until it is stopped, as patience.c counts them. -1 with ERR_LEARNER: it crashed, was stopped,
 * changed an input or wrote outside its arrays; then it cannot be run again. */
int host_run(struct host_process *h, int step, struct instance *in, double limit, double *seconds, struct err *e);

#endif
