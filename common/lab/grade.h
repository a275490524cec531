/* grade.h - one exercise of a student against the reference, and everything that was found out on the way.
 *
 *     compile ── bind ──> random shapes: right? ──> at the step's size: right? counted, timed ──> reference timed ──> points
 *
 * Status: passed         all points
 *         failed         attempted, points missing; message says which and why
 *         not_attempted  no file; or no points, and either no output was written at all or all predictions are UNKNOWN
 *         error          does not compile, or has not the kernel, parameters or launch shape that the exercise asks for
 * A step that is wrong, faults, or does not end makes the exercise 0 (failed).
 */
#ifndef LOCKSTEP_LAB_GRADE_H
#define LOCKSTEP_LAB_GRADE_H

#include "lab/compile.h"
#include "lab/problem.h"
#include "lab/timing.h"

/* What a whole run has in common. */
struct session {
    struct kit kit;
    struct front front;
    char *name;             /* the device where kernels run and are timed, as device_open takes it */
    char *title;            /* "NVIDIA H200" */
    struct device *device;  /* that device; NULL where each exercise opens it in a process of its own */
    char *counter;          /* the simulated device that counts: the same, or another where the device counts nothing */
    char *student;          /* directory of the submission, laid out as labs/ */
    uint64_t seed;
    struct answers *answers;
};
/* device, front: NULL for the default. student: NULL for the kit's own labs. seed: NULL for a secret one. */
int session_open(struct session *s, const char *device, const char *front, const char *student, const uint64_t *seed, struct err *e);
void session_close(struct session *s);

enum status { STATUS_PASSED, STATUS_FAILED, STATUS_NOT_ATTEMPTED, STATUS_ERROR };
extern const char *const status_names[];

/* What a measured time is good for. */
enum timing_verdict {
    TIMING_JUDGED,
    TIMING_TOO_SHORT,  /* mostly the launch itself: no points are lost by it */
    TIMING_IMPOSSIBLE, /* faster than the GPU can be: a defect somewhere, no score */
};

enum { STEPS_MAX = 16, BUDGETS_MAX = 8, PREDICTIONS_MAX = 16 };

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

#endif
