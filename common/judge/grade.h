/* grade.h - private to judge/: what grading an exercise finds out on the way to its verdict. */
#ifndef LOCKSTEP_JUDGE_GRADE_H
#define LOCKSTEP_JUDGE_GRADE_H

#include "judge/judge.h"

/* What correctness checks found, over all steps. */
struct checked {
    int wrong;   /* a step gave a wrong result, faulted or did not end; r->message says which */
    int written; /* a step that earns points wrote some output */
    int final;   /* as in struct session */
    double speed;
    /* The reference's counters at the steps' sizes; NAN for steps without budget or prediction. */
    struct metrics reference[STEPS_MAX];
};

/* One exercise while it is graded. found and result collect what is learned. */
struct grading {
    struct session *session;
    const struct lab *lab;
    const struct exercise *exercise;
    struct build student;
    /* Built only if times are measured. Otherwise its exercise is NULL. */
    struct build reference;
    struct result *result;
    struct checked found;
};

/* Grade in this process (grade.c). A file that is missing or does not compile becomes a status of
 * the result. -1: the machine. */
int grade_exercise(struct session *s, const struct lab *lab, const struct exercise *x,
    struct result *r, struct err *e);
/* Tell the watchdog, if there is one, what runs now. */
void grade_announce(const struct step *s, const int *dims);
/* Compare an output, and say in t how it is wrong. Returns 1 if it is. */
int grade_compare(const struct session *s, const struct build *b, int step,
    const struct instance *in, const struct expected *want, struct run_outcome *t);
/* A run failed with error e. */
void grade_failed_run(const struct build *b, struct run_outcome *t, const struct err *e);
/* Set the result's message from a wrong run. right: a size at which the step was right before;
 * NULL: none. */
void grade_report_wrong(struct grading *g, const struct step *step, const int *dims,
    const int *right, struct run_outcome *t);
/* Time student and reference in turn (paired_timing.c): fills in ratio, times and timing of the step's
 * result, or reports a wrong output. -1: the machine. */
int grade_in_turn(struct grading *g, int step, struct err *e);
/* An empty result; one without points, and why. */
void grade_begin(struct result *r, const struct lab *lab, const struct exercise *x);
/* Drop the measurements of its steps. */
void result_drop_steps(struct result *r);
void grade_no_points(struct result *r, enum status status, const char *why);

/* The solution's module, on the session's device. NULL: it does not load. The session owns it. */
struct module *reference_module(struct session *s, const struct lab *lab, const struct exercise *x);

/* Fill in score, status, times and message of r. The steps of r hold their measurements already. */
void verdict(struct result *r, const struct checked *f);
/* Does the step earn points of its own: for being right, for speed or for budgets? */
int step_earns(const struct step *s);

/* Roughly the part of a step that early_end runs, for progress. */
#define EARLY_PART 0.03
/* Would counting this step take long, and does it miss a budget by far or earn no points? Then 1:
 * *m holds counters of a sample of its blocks, scaled, which the caller frees, and *seconds the
 * processor time that all would take. 0: no, or not known (early_stop.c). */
int early_end(struct build *b, int step, const struct metrics *reference, uint64_t seed,
    double most, struct measurement *m, double *seconds);

/* Append r, without the line counts of its steps, to out (result_codec.c). The bytes go through a pipe. */
void wire_put_result(struct buf *out, const struct result *r);
/* The reverse: r->lab and r->exercise are set already, the rest is filled in. -1 with ERR_ENV: the
 * bytes are no result of this exercise. Free r in either case. */
int wire_get_result(const struct buf *in, struct result *r, struct err *e);
/* The same for a measurement. The bytes go through a pipe or into the cache. */
void wire_put_measurement(struct buf *out, const struct measurement *m);
int wire_get_measurement(const struct buf *in, struct measurement *m, struct err *e);

#endif
