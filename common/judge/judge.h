/* judge.h - grade one exercise of a student against the reference, and keep all that was found on
 * the way.
 *
 *     compile -- bind --> random shapes: right? --> at the step's size: right? counted, timed --> points
 *                                                   the reference timed beside it
 *
 * Status: passed         all points
 *         failed         attempted, points missing; message says which and why
 *         not_attempted  no file; or no points, and either nothing was written or all predictions are UNKNOWN
 *         error          does not compile; or lacks the kernel, parameters or launch shape that is asked for
 * If a step is wrong, faults or does not end, the exercise has 0 points (failed).
 */
#ifndef LOCKSTEP_JUDGE_H
#define LOCKSTEP_JUDGE_H

#include "exercise/exercise.h"

/* ---- is an output right? (compare.c) ---- */

/* Where an output differs from the answer: how many elements, the first of them in memory, the
 * least row and column of all of them, and the shape of the whole. */
struct difference {
    size_t wrong, first, first_row, first_column, rows, columns;
};
/* Compare what a kernel wrote with the answer. 0: every element is right, else -1. */
int compare_output(
    const struct instance *in, const struct expected *want, const void *got, struct difference *d);
/* The share of the elements that are right. */
double compare_share(const struct instance *in, const struct expected *want, const void *got);
/* Element i of an output; compare_right: is got right there? */
double compare_element(const struct instance *in, const void *data, size_t i);
int compare_right(const struct expected *want, size_t i, double got);

/* ---- what measured times prove (timing.c): pure functions ---- */

/* The student's time over the reference's: the median of pairs taken one after the other, and its
 * 95% interval. */
struct timing_ratio {
    double low, median, high;
};
/* From count > 0 pairs of times > 0. It works on the logarithms of the ratios, so that twice as
 * slow and twice as fast weigh the same. The interval is a percentile bootstrap; its seed is fixed,
 * so that the same times always prove the same. With fewer than 6 pairs it is the least and the
 * greatest ratio. */
struct timing_ratio timing_compare(const double *student, const double *reference, int count);

/* Is a time measured by events too short to say anything? It is if what remains without the launch
 * is less than half of the launch, or close to the resolution of events. launch_ms: an empty
 * launch, timed the same way; 0: not known. */
int timing_too_short(double ms, double launch_ms);

/* The least time that the GPU can need at this size, with 20% to spare: to read each input byte
 * that affects the result once (the caches are cold) and write the output beyond the L2's capacity,
 * or to do the operations of a product, whichever takes longer. 0 if p is NULL. */
double timing_least_ms(
    const struct model_profile *p, const struct problem *problem, const int *dims);

double timing_median(double *v, int count); /* count > 0; sorts v */

/* ---- counters and times become points: here alone (score.c) ---- */

/* ratio: the student's time over the reference's. All points up to `full`, points * full / ratio up
 * to 10, rounded to a tenth; none beyond 10. */
double score_speed(int points, double ratio, double full);
extern const double SCORE_SPEED; /* the ratio that is full unless a course says otherwise */
/* The value that a budget limits. Atomics count as the loads and stores that they are. Sectors per
 * request are all sectors over the requests of the reference, so that extra cheap requests do not
 * lower it. Active lanes and multiply-adds count only up to the reference's number, so that filler
 * earns nothing. Bank conflicts and barriers are not counted (NAN) if the kernel makes less than a
 * quarter of the reference's shared loads: without a tile there is no padding to learn. reference:
 * NULL, or not counted: only the student's counts. */
double score_value(enum metric m, const struct metrics *student, const struct metrics *reference);
/* The same for a budget of a step. If the step also limits requests, that budget covers cheap
 * requests, and sectors per request use the student's own requests: one cause costs points once. */
double score_held(const struct step *s, const struct budget *b, const struct metrics *student,
    const struct metrics *reference);
/* The budget on this device: where the reference cannot meet the limit, its value becomes the
 * limit. reference as in score_value. */
struct budget score_here(
    const struct step *s, const struct budget *b, const struct metrics *reference);
/* Is the budget kept? Not if the value was not counted (NAN). */
int score_budget(const struct budget *b, double value);
/* Does this value say that the kernel has another technique? It misses the budget, and by more than
 * its degree allows. */
int score_other_technique(const struct budget *b, double value);
/* The points of a step: at most half if it uses another technique, even if the result is right. A
 * step with points for speed and no budget, as in C, counts as such if it takes more than twice the
 * reference's time. */
double score_kernel(double earned, const struct step *s, int missed, double ratio);
/* Is the prediction right? It must equal the count, rounded to a whole number, or the solution's
 * value, which is right on the GPUs that the labs are written for. -1 (UNKNOWN) is never right. */
struct prediction_result;
int score_prediction(const struct prediction_result *p);

/* The line that contributes most to a missed budget: an index into m->lines. -1: none, because a
 * count is too low rather than too high. */
int score_blame(const struct budget *b, const struct measurement *m);

/* ---- grading (grade.c, reference.c, verdict.c) ---- */

/* The limit of an exercise that is graded apart: several times what the slowest of the labs
 * takes. */
enum { EXERCISE_SECONDS = 100 };
/* session.brief of a learner's own run. */
enum { BRIEF_SECONDS = 4 };

/* The progress of the exercise being graded. */
struct stage {
    const struct exercise *exercise;
    const struct step *step;
    enum {
        PROGRESS_SHAPES, /* the step is run on the small shapes; share of them is done */
        /* a step is wrong, as text reports; the search for its cause has taken share seconds */
        PROGRESS_WRONG,
        PROGRESS_RIGHT,  /* every step gave the right result on each of the small shapes */
        PROGRESS_COUNTS, /* the step is run at its own size; share of it is done */
    } at;
    int shapes;   /* PROGRESS_RIGHT: how many shapes */
    double share; /* 0 to 1; PROGRESS_WRONG: seconds */
    const char *text;
};

/* A prediction as it was first made. */
struct first_guess {
    const struct prediction *prediction;
    int said;
};

/* The outcome of one run on one input. */
enum { NAMED_MOST = 6 };
struct run_outcome {
    int wrong;     /* found and why say how */
    int lost;      /* the device cannot be used any more, so nothing else can be run */
    int untouched; /* the whole output is still poison */
    struct finding found;
    struct buf why;
    int proven;            /* cause is an edit that makes every result right */
    struct buf cause;      /* "; the cause: x.cu:12: ...", or the line to look at */
    int named[NAMED_MOST]; /* the lines that why and cause are about */
};
/* Add a line, unless it is the last one or 0; at most NAMED_MOST are kept. */
void named_add(int named[NAMED_MOST], int line);
void run_outcome_free(struct run_outcome *t);
/* In why, text between \1 and \2 is a guess at the cause: \1: are x and y swapped?\2. Once a cause
 * is proven the guesses are removed, else only the \1 and \2 (result.c). */
void guesses_drop(struct buf *why);
void guesses_unmark(struct buf *why);

struct session;
/* Explains failures: the room explain, or NULL; then a result only reports what failed. b is the
 * student's build, step the wrong one. */
struct explainer {
    /* if a run failed, as t->found says: how the thread came to its index */
    void (*fault)(const struct build *b, int step, const int *dims, struct run_outcome *t);
    /* if an output is wrong: its first wrong element, in t->found and t->why */
    void (*output)(const struct build *b, int step, const struct instance *in,
        const struct expected *want, struct run_outcome *t);
    /* the cause of either, in t->cause. seed: of the shapes on which the step was checked */
    void (*cause)(
        struct session *s, const struct build *b, int step, uint64_t seed, struct run_outcome *t);
    /* if a right step with counts m misses a budget: the edit that meets all budgets */
    void (*budget)(struct session *s, const struct lab *lab, const struct build *b, int step,
        uint64_t seed, const struct measurement *m, struct buf *cause);
    /* if the file does not compile: something that no exercise has, such as main, and what to do */
    void (*refused)(const struct build *b, struct buf *why);
};

/* What the exercises of one run share. */
struct session {
    struct workbench workbench; /* its directory is the submission's */
    uint64_t seed;
    const char *sandbox;     /* what confines compilers and kernels: jail_text of os.h */
    double processor_before; /* seconds that children had used when it began */
    /* grade each exercise in its own process, as other people's work */
    int apart;
    double seconds; /* limit of processor time for an exercise in such a process */
    /* the largest ratio to the reference's time that earns all points for speed */
    double speed;
    /* messages reveal neither counts nor right predictions: they may be handed out while others, or
     * the same student, can still hand in */
    int final;
    const struct first_guess *first; /* count instead of the values in the files; the caller's */
    int first_count;
    int rungs;                        /* also measure the rung before each step */
    const struct explainer *explains; /* NULL: nobody does */
    /* for a learner who waits: a run that needs more processor seconds and misses a budget by far,
     * or earns no points, ends early; 0: never */
    double brief;
    /* Called with context during grading; NULL: nobody watches. */
    void (*watch)(void *context, const struct stage *p);
    void *context;
    struct answers *answers;
    /* for the exercise last asked for; its exercise is NULL before the first */
    struct build reference;
};
/* device, front: NULL for the default. student: NULL for the kit's own labs/. seed: NULL for a
 * secret one. */
int session_open(struct session *s, const char *device, const char *front, const char *student,
    const uint64_t *seed, struct err *e);
void session_close(struct session *s);
/* From now on each exercise is graded in its own process, as other people's work. On a simulated
 * device all of them, and all compilers, share one limit on memory and processes, where there is a
 * cgroup. */
void session_apart(struct session *s);
/* A seed for one purpose of this run. Equal arguments give equal seeds, so two exercises on one
 * problem at one size get the same input, and the CPU computes the answer once. dims may be
 * NULL. */
uint64_t session_seed(const struct session *s, const char *what, const int *dims, int round);
/* The answer to an instance that was made from seed. The session owns it; it is valid until the
 * next call. */
const struct expected *session_answer(struct session *s, const struct instance *in, uint64_t seed);

enum status { STATUS_PASSED, STATUS_FAILED, STATUS_NOT_ATTEMPTED, STATUS_ERROR };
extern const char *const status_names[];

/* Whether a measured time can be judged. */
enum timing_verdict {
    TIMING_JUDGED,    /* it is compared with the reference's */
    TIMING_TOO_SHORT, /* mostly the launch itself: costs no points */
    /* faster than the GPU can be: a defect of the kernel or the kit, and no points */
    TIMING_IMPOSSIBLE,
};

/* The most budgets of a step and predictions of an exercise. */
enum { BUDGETS_MAX = 8, PREDICTIONS_MAX = 16 };

/* One budget of a step, and what was counted for it. */
struct budget_result {
    const struct budget *budget;
    double limit; /* on this device, as score_here */
    double value;
    int met;
    int line;              /* the source line that is most to blame; 0: none is */
    struct metrics blamed; /* what that line counted */
};
/* One step at its own size. times, ratio and points are filled in only if grading got that far. */
struct step_result {
    const struct step *step;
    const struct problem *problem;
    struct measurement m; /* at step->dims; freed with the result */
    double reference_ms;  /* NAN: not taken */
    /* student over reference; points depend on low; NAN: not taken */
    struct timing_ratio ratio;
    double least_ms; /* as timing_least_ms; 0: not known */
    enum timing_verdict timing;
    /* if session.rungs: the rung before this step; its exercise is NULL: none */
    struct rung before;
    double before_ms; /* its time at this size; NAN: not measured */
    /* not 0: the run ended early; the seconds for all blocks. m is of a sample of blocks */
    double early_seconds;
    struct budget_result budgets[BUDGETS_MAX];
    int budget_count;
};
int step_other_technique(const struct step_result *s); /* by any of its budgets */
/* How the value of a budget differs from the counter with its name, in words; NULL: it does not. */
const char *budget_held_against(const struct step_result *s, const struct budget_result *b);

/* One number that the learner wrote down, and what was counted. */
struct prediction_result {
    const struct prediction *prediction;
    int said;       /* -1: UNKNOWN */
    double counted; /* NAN: not counted */
    /* the solution's value; -1: not looked up, since the prediction is right */
    int key;
};
/* The parts of an exercise's points: points are counted only here. They add up to the score. An
 * exercise that is wrong, or was not counted, has no entries. */
struct ledger_entry {
    enum {
        LEDGER_CORRECT,
        LEDGER_BUDGET,
        LEDGER_SPEED,
        /* below 0: a kernel with another technique earns no more than half */
        LEDGER_TECHNIQUE,
        LEDGER_PREDICTION,
    } what;
    int step;      /* number in the exercise; for a prediction: the step that it is about */
    int item;      /* which budget of the step, which prediction of the exercise */
    double points; /* that were earned */
    int of;        /* that it can give */
};
enum { LEDGER_MAX = STEPS_MAX * (BUDGETS_MAX + 3) + PREDICTIONS_MAX };

struct result;
/* Append whose count it is: "the reference counted 8704, your kernel 8192". */
void prediction_counted(struct buf *out, const struct result *r, const struct prediction_result *p);
/* The grade of one exercise. The result owns file, source, warnings, message and what its steps
 * hold. */
struct result {
    const struct lab *lab;
    const struct exercise *exercise;
    char *file, *source; /* the student's; source NULL when it could not be read */
    enum status status;
    double score;
    int max_score;
    /* Sums over the steps whose speed is graded; if there are none, over all steps: */
    double ms, reference_ms; /* NAN: not taken */
    enum time_kind time_is;
    struct metrics metrics;
    struct step_result steps[STEPS_MAX];
    int step_count; /* 0: nothing was counted */
    struct prediction_result predictions[PREDICTIONS_MAX];
    int prediction_count;
    struct ledger_entry ledger[LEDGER_MAX]; /* step by step, then the predictions */
    int ledger_count;
    struct buf printed;   /* by kernels, on the first shape, or the one that failed */
    struct buf warnings;  /* the compiler's, if the file compiles */
    struct buf message;   /* why points are missing, one line for each reason */
    struct finding found; /* for the step that is wrong */
    /* the source lines that message is about, in its order; then 0 */
    int named[NAMED_MOST];
    /* if a budget is missed: the edit that meets it; empty: none is known */
    struct buf cause;
};
/* The points of an exercise. about: approximate, since only some blocks were counted. */
struct points {
    double score;
    int most, about;
};
struct points result_points(const struct result *r);
/* Free what r owns. r is all zeros afterwards. */
void result_free(struct result *r);

/* Grade exercises of lab_table: all, those of one lab (lab is not NULL), or one exercise (neither
 * is NULL). Each result is handed to done, in order, as soon as it is there. An error of an
 * exercise is in its result. -1 with ERR_ENV: the machine stops the run. */
typedef void graded(void *context, const struct result *r);
int grade_labs(struct session *s, const struct lab *lab, const struct exercise *exercise,
    graded *done, void *context, struct err *e);

/* Time and counters of the reference at a size, on an input from a fixed seed. On a simulated
 * device they are kept in the cache. The caller frees m. -1 with ERR_ENV: the reference fails,
 * which is the kit's fault. */
int reference_measure(struct session *s, const struct lab *lab, const struct exercise *exercise,
    int step, const int *dims, struct measurement *m, struct err *e);

/* The name that a report prints for a metric: nvprof's if there is one, else ncu's. */
const char *metric_name(enum metric m);
/* The name that a report prints for a part of the time. */
const char *part_name(enum model_part p);
/* Append a value: whole numbers in full, others with four significant digits, NAN as "-": "131072",
 * "16.51", "-". */
void print_value(struct buf *out, double v);
#endif
