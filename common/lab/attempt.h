/* attempt.h - a built exercise, the student's or the reference's, ready to run: kernels on devices or C in a process. */
#ifndef LOCKSTEP_LAB_ATTEMPT_H
#define LOCKSTEP_LAB_ATTEMPT_H

#include "lab/host.h"
#include "lab/run.h"
#include "lab/session.h"

struct attempt {
    struct session *session;
    const struct exercise *exercise;
    struct compiled compiled;
    /* EXERCISE_CUDA */
    struct module *module, *counter_module; /* the same where the device counts itself */
    struct bound bound[STEPS_MAX], counted[STEPS_MAX];
    /* EXERCISE_HOST */
    struct host_program program;
    struct host_process *process;
};

/* Build the exercise from directory/LAB/NAME.cu or .c and bind its steps. compiled.status says how the compiler fared. -1
 * with ERR_LEARNER: it compiles, but does not fit; ERR_ENV: the machine. Close it in every case. */
int attempt_open(struct attempt *a, struct session *s, const char *directory, const struct lab *lab, const struct exercise *x,
                 struct err *e);
void attempt_close(struct attempt *a);
/* The path that attempt_open reads. The caller frees it. */
char *attempt_file(const char *directory, const struct lab *lab, const struct exercise *x);

/* Run a step. m (may be NULL): time, and counters where the exercise has kernels; freed by the caller. */
int attempt_run(struct attempt *a, int step, struct instance *in, struct measurement *m, struct err *e);

int exercise_steps(const struct exercise *x);

#endif
