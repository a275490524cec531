/* judge.h - one exercise of a student against the reference, and everything that was found out on the way.
 *
 *     compile ── bind ──> random shapes: right? ──> at the step's size: right? counted, timed ──> reference timed ──> points
 *
 * Status: passed         all points
 *         failed         attempted, points missing; message says which and why
 *         not_attempted  no file; or no points, and either no output was written at all or all predictions are UNKNOWN
 *         error          does not compile, or has not the kernel, parameters or launch shape that the exercise asks for
 * A step that is wrong, faults, or does not end makes the exercise 0 (failed).
 */
#ifndef LOCKSTEP_JUDGE_H
#define LOCKSTEP_JUDGE_H

#include "exercise/exercise.h"

/* ---- is an output right? (compare.c) ---- */

/* Compare what a kernel wrote with the answer. Returns 0 when every element is right; else -1, and *why (appended, one
 * or two sentences, no newline) tells the first wrong element. */
int compare_output(const struct instance *in, const struct expected *want, const void *got, struct buf *why);

/* ---- what measured times prove (timing.c) ---- */

/* Pure functions; tests feed them synthetic times. */

/* The student's time over the reference's: the median of pairs taken side by side, and the 95% interval around it. */
struct timing_ratio {
    double low, median, high;
};
/* From count > 0 pairs of times > 0. The ratios' logarithms, so that twice as slow and twice as fast weigh the same; the
 * interval by the percentile bootstrap with a fixed seed, so that the same times always prove the same. With fewer than 6
 * pairs, the least and the greatest ratio. */
struct timing_ratio timing_compare(const double *student, const double *reference, int count);

/* Is a time measured by events too short to say anything: not well above what the launch itself takes of it, or not well
 * above what events can tell apart? launch_ms: an empty launch, timed the same way; 0: not known. */
int timing_too_short(double ms, double launch_ms);

/* The least time that the GPU can need at this size: every input byte that decides the result read from memory once, as
 * the caches are cold, what the L2 can't hold of the output written, and the operations of a product done. 1.2 times
 * as fast as the profile's reachable bandwidth, which no datasheet promises. 0 when p is NULL. */
double timing_least_ms(const struct model_profile *p, const struct problem *problem, const int *dims);

double timing_median(double *v, int count); /* sorts v; count > 0 */

/* ---- counters and times become points (score.c): the one place ---- */

/* ratio: the student's time over the reference's. Full points up to 1.2, points * 1.2 / ratio beyond, none past 10; to a
 * tenth. */
double score_speed(int points, double ratio);
/* Is the budget kept? A value that was not counted (NAN) keeps no budget. */
int score_budget(const struct budget *b, double value);
/* Is the prediction right? counted is rounded to a whole number; -1 (UNKNOWN) is never right. */
int score_prediction(int said, double counted);

/* The line of a launch that costs most against a budget that was missed: its index into m->lines, or -1 when no line is
 * to blame (something is missing, rather than too much). */
int score_blame(const struct budget *b, const struct measurement *m);

/* ---- grading (grade.c, reference.c, verdict.c) ---- */

/* What a whole run has in common. */
struct session {
    struct workbench workbench; /* its directory is the submission's */
    uint64_t seed;
    int rungs;                  /* measure the rung before each step, too */
    struct answers *answers;
    struct build reference;     /* the one last asked for; its exercise is NULL before */
};
/* device, front: NULL for the default. student: NULL for the kit's own labs. seed: NULL for a secret one. */
int session_open(struct session *s, const char *device, const char *front, const char *student, const uint64_t *seed, struct err *e);
void session_close(struct session *s);
/* The answer to in, which was made from seed; valid until three others were asked for. */
const struct expected *session_answer(struct session *s, const struct instance *in, uint64_t seed);

enum status { STATUS_PASSED, STATUS_FAILED, STATUS_NOT_ATTEMPTED, STATUS_ERROR };
extern const char *const status_names[];

/* What a measured time is good for. */
enum timing_verdict {
    TIMING_JUDGED,
    TIMING_TOO_SHORT,  /* mostly the launch itself: no points are lost by it */
    TIMING_IMPOSSIBLE, /* faster than the GPU can be: a defect somewhere, no score */
};

enum { BUDGETS_MAX = 8, PREDICTIONS_MAX = 16 };

struct budget_result {
    const struct budget *budget;
    double value;
    int met;
    int line;      /* the source line that costs most; 0: none is to blame */
};
struct step_result {
    const struct step *step;
    const struct problem *problem;
    struct measurement m;        /* at step->dims; lines are freed with the result */
    double reference_ms;         /* NAN: not taken */
    struct timing_ratio ratio;   /* of the times; low is what counts for points; NAN: not taken */
    double least_ms;             /* what the GPU needs at least; 0: not known */
    enum timing_verdict timing;
    double speed_points;
    struct rung before;          /* the rung before this step on its ladder, where the session asks for it; exercise NULL: none */
    double before_ms;            /* what it takes at this size */
    struct budget_result budgets[BUDGETS_MAX];
    int budget_count;
};
struct prediction_result {
    const struct prediction *prediction;
    int said; /* -1: UNKNOWN */
    double counted;
};
struct result {
    const struct lab *lab;
    const struct exercise *exercise;
    char *file, *source;         /* the student's; source NULL when it could not be read */
    enum status status;
    double score;
    int max_score;
    /* Of the steps whose speed is graded, or of all where none is: */
    double ms, reference_ms;     /* NAN: not taken */
    enum time_kind time_is;
    struct metrics metrics;
    struct step_result steps[STEPS_MAX];
    int step_count;              /* 0: it did not come to counting */
    struct prediction_result predictions[PREDICTIONS_MAX];
    int prediction_count;
    struct buf warnings;         /* what the compiler said although it compiled */
    struct buf message;          /* why points are missing, a line each */
};
void result_free(struct result *r);

/* Grade the exercises lab_table names: all, those of one lab (lab not NULL) or one exercise (both not NULL). Each is handed
 * to done, in order, as soon as it is graded. -1 with ERR_ENV when the machine stops the run; an exercise's own error is its
 * result. */
typedef void graded(void *context, const struct result *r);
int grade_labs(struct session *s, const struct lab *lab, const struct exercise *exercise, graded *done, void *context, struct err *e);

/* The reference's time at a size, counted on its own. Kept in the cache on a simulated device, where the same
 * kernel on the same input always takes the same time. -1: the reference itself fails, which is the kit's fault. */
int reference_measure(struct session *s, const struct lab *lab, const struct exercise *exercise, int step, const int *dims,
                      struct measurement *m, struct err *e);

/* The name a report prints for a metric: nvprof's where it is short and known, else ncu's. */
const char *metric_name(enum metric m);
/* Whole numbers as such, others with three significant digits more than none: "16.5", "131072", "-" for NAN. */
void print_value(struct buf *out, double v);

#endif
