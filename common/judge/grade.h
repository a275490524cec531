/* grade.h - private to judge/: the state and the steps of grading one exercise. */
#ifndef LOCKSTEP_JUDGE_GRADE_H
#define LOCKSTEP_JUDGE_GRADE_H

#include "judge/judge.h"

/* What grading has found so far, over all steps. */
struct checked {
    int wrong;   /* a step has given a wrong result, has faulted or did not end */
    int written; /* a step that earns points wrote some output */
    int final;   /* messages reveal neither counts nor right predictions, as in struct session */
    double speed;
    /* the reference's counters at each step's size; NAN if the step has no budget and no
     * prediction */
    struct metrics reference[STEPS_MAX];
    /* blocks of the reference's kernel that fit on a multiprocessor; 0: not counted */
    int blocks[STEPS_MAX];
};

/* One exercise while it is graded. */
struct grading {
    struct session *session;
    const struct lab *lab;
    const struct exercise *exercise;
    struct build student;
    /* the reference's build, made only if times are measured; otherwise its member exercise is
     * NULL */
    struct build reference;
    struct result *result;
    struct checked found;
};

/* Grade in this process (grade.c). A file that is missing or does not compile gives a result
 * with that status. -1: an error of the environment. */
int grade_exercise(struct session *s, const struct lab *lab, const struct exercise *x,
    struct result *r, struct err *e);
/* Tell the parent process, if there is one, which kernel and size run now: if a crash follows, the
 * report names both. */
void grade_announce(const struct step *s, const int *dims);
/* Compare an output with the answer. Returns 1 if the output is wrong; a description is appended to
 * t->why. */
int grade_compare(const struct session *s, const struct build *b, int step,
    const struct instance *in, const struct expected *want, struct run_outcome *t);
/* Record in t that a run failed with error e. */
void grade_failed_run(const struct build *b, struct run_outcome *t, const struct err *e);
/* Set the result's message from a wrong run. right: a size at which the step was right before;
 * NULL: there is none. */
void grade_report_wrong(struct grading *g, const struct step *step, const int *dims,
    const int *right, struct run_outcome *t);
/* Time student and reference alternately (paired_timing.c): fills in ratio, times and timing of
 * the step's result, or reports a wrong output. -1: an error of the environment. */
int grade_in_turn(struct grading *g, int step, struct err *e);
/* Examine a suspect, the solution's kernel, at the step's size: sets what was counted for the
 * predictions about it, and r->answer. -1: an error of the environment (suspect.c). */
int suspect_examine(struct grading *g, int step, struct err *e);
/* How many lines further down a given kernel stands in the learner's file than in the kit's. own,
 * kit: the texts of both files; own NULL: not known. Returns 0 if one of them lacks the kernel. */
int suspect_shift(const char *own, const char *kit, const char *kernel);
/* Are all predictions of the result right? */
int predicted_right(const struct result *r);
/* Begin an empty result. alone: the kit has no solution of the exercise. */
void grade_begin(
    struct result *r, const struct session *s, const struct lab *lab, const struct exercise *x);
/* Drop the measurements of all steps, because the exercise is wrong. */
void result_drop_steps(struct result *r);
void grade_no_points(struct result *r, enum status status, const char *why);

/* Append a compiler's output: each message once, without the count of messages (messages.c). */
void messages_once(struct buf *to, const char *output);
/* The line of a file that the first error in a compiler's output names, as FILE:LINE or FILE(LINE);
 * 0: none. */
int messages_line(const char *output, const char *file);

/* The solution's module on the session's device, owned by the session. NULL: it cannot be
 * loaded. */
struct module *reference_module(struct session *s, const struct lab *lab, const struct exercise *x);
/* The solution's build, bound and owned by the session. NULL with ERR_ENV: it cannot be bound. */
struct build *reference_build(
    struct session *s, const struct lab *lab, const struct exercise *x, struct err *e);

/* Fill in score, status, times and message of r, from the measurements in its steps. */
void verdict(struct result *r, const struct checked *f);
/* Can the step earn points: for a right result, for speed or for budgets? */
int step_earns(const struct step *s);

/* What the outputs must depend on for a met budget to count; WITHOUT_NOTHING: on nothing
 * (unused.c). */
enum without unused_need(
    const struct step *s, const struct budget *b, const struct metrics *reference);
/* What the step's budgets need the outputs to depend on, though they do not: one bit, 1 << enum
 * without, for each kind. in: the input and the right output at the step's own size; own: the
 * counters of that run; seed: chooses the blocks that are examined. */
unsigned unused_find(struct build *b, int step, struct instance *in, uint64_t seed,
    const struct metrics *own, const struct metrics *reference);
/* Why a budget that needs this work misses it: one of the bits of unused_find; WITHOUT_NOTHING: it does
 * not. */
enum without unused_reason(enum without needs, unsigned unused);
/* The text "the result does not depend on ..." for this kind of work. */
const char *unused_said(enum without what);

/* Which budgets are met at the step's size, but missed at another, where the kernel works in another
 * way: bits 1 << their index (elsewhere.c). own, reference: counters at the step's size; own_there,
 * reference_there: those at the other size. */
unsigned elsewhere_find(const struct step *s, const struct metrics *own,
    const struct metrics *reference, const struct metrics *own_there,
    const struct metrics *reference_there);

/* About the share of a step's work that early_end runs, for progress reports. */
#define EARLY_PART 0.03
/* Run a sample of the step's blocks with counters (early_stop.c). 1: all blocks would take more
 * than `most` seconds of processor time, *seconds, and the step misses a budget by far or earns no
 * points; *m are the counters, scaled to all blocks, and the caller frees m. 0: no, or unknown. */
int early_end(struct build *b, int step, const struct metrics *reference, uint64_t seed,
    double most, struct measurement *m, double *seconds);

/* Append r as bytes, for a pipe (result_codec.c). The line counts of its steps are left out. */
void wire_put_result(struct buf *out, const struct result *r);
/* The reverse of wire_put_result: read a result from bytes. r->lab and r->exercise are set by the
 * caller, the rest is filled in. -1 with ERR_ENV: the bytes are no result of this exercise. The
 * caller frees r in either case. */
int wire_get_result(const struct buf *in, struct result *r, struct err *e);
/* wire_put_measurement: append a measurement as bytes, for a pipe or the cache.
 * wire_get_measurement reads them: -1 with ERR_ENV if the bytes are no measurement. */
void wire_put_measurement(struct buf *out, const struct measurement *m);
int wire_get_measurement(const struct buf *in, struct measurement *m, struct err *e);

#endif
