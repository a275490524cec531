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
    struct module *module;
    struct bound bound[STEPS_MAX];
    /* EXERCISE_HOST */
    struct host_program program;
    struct host_process *process;
};

/* Build the exercise from directory/LAB/NAME.cu or .c; compiled.status says how the compiler fared. Then bind its steps, if
 * it compiled: on a GPU, no compiler may be started any more after that. -1 with ERR_LEARNER: it compiles, but does not fit;
 * ERR_ENV: the machine. Close it in every case. */
void attempt_build(struct attempt *a, struct session *s, const char *directory, const struct lab *lab, const struct exercise *x);
int attempt_bind(struct attempt *a, struct err *e);
/* Both. */
int attempt_open(struct attempt *a, struct session *s, const char *directory, const struct lab *lab, const struct exercise *x,
                 struct err *e);
void attempt_close(struct attempt *a);
/* The path that attempt_open reads. The caller frees it. */
char *attempt_file(const char *directory, const struct lab *lab, const struct exercise *x);

/* Run a step.
 *   RUN_PLAIN    for its result alone; m is not touched and may be NULL
 *   RUN_TIMED    and its time on the session's device
 *   RUN_COUNTED  and its counters, where the exercise has kernels: on a simulated device of its own, whose memory nobody has
 *                used, so that they depend on nothing that ran before
 * The caller frees m. */
enum run { RUN_PLAIN, RUN_TIMED, RUN_COUNTED };
int attempt_run(struct attempt *a, int step, struct instance *in, enum run how, struct measurement *m, struct err *e);

/* Run a step on the simulated device beside a GPU, whose checks a GPU has not: what lies out of bounds is an error there even
 * where it did no harm here. Nothing to do on a simulated device. in's output is written again. */
int attempt_check(struct attempt *a, int step, struct instance *in, struct err *e);

int exercise_steps(const struct exercise *x);

#endif
