/* judge.h - grade one exercise of a student against the reference, and keep all that was found on
 * the way.
 *
 *     compile -- bind --> random shapes: right? --> the step's size: right? counted, timed --> points
 *                                                   the reference is timed, too
 *
 * Status: passed         no points are missing, except for time and predictions
 *         failed         attempted, but not passed; the message says what is missing and why
 *         not_attempted  no file; or no points, and nothing was written or no prediction was made
 *         error          the file does not compile, or lacks the kernel, parameters or launch shape
 *
 * If a step is wrong, faults or does not end, the exercise has 0 points (failed). */
#ifndef LOCKSTEP_JUDGE_H
#define LOCKSTEP_JUDGE_H

#include "exercise/exercise.h"

/* ---- comparing an output with the answer (compare.c) ---- */

/* How an output differs from the answer. wrong: number of wrong elements; first: index of the first
 * one; first_row, first_column: the smallest row and the smallest column that have a wrong element;
 * rows, columns: the output's shape. */
struct difference {
    size_t wrong, first, first_row, first_column, rows, columns;
};
/* Compare what a kernel wrote with the answer. Returns 0 if every element is right; else -1, and *d
 * says how they differ. */
int compare_output(
    const struct instance *in, const struct expected *want, const void *got, struct difference *d);
/* compare_element: element i of an output, as a double. compare_right: is the value `got` right for
 * element i? */
double compare_element(const struct instance *in, const void *data, size_t i);
int compare_right(const struct expected *want, size_t i, double got);

/* ---- comparing measured times (timing.c): pure functions ---- */

/* The student's time divided by the reference's: the median over pairs of runs, and its 95%
 * confidence interval. */
struct timing_ratio {
    double low, median, high;
};
/* Compute a timing_ratio from count > 0 pairs of times > 0, by a percentile bootstrap of the
 * logarithms of the ratios, so that twice as slow and twice as fast weigh the same. The seed is
 * fixed: the same times give the same interval. With fewer than 6 pairs, low and high are the least
 * and the greatest ratio. */
struct timing_ratio timing_compare(const double *student, const double *reference, int count);

/* Is a time measured by events too short to be judged: is the kernel's part of it less than half of
 * the launch overhead, or close to the resolution of events? launch_ms: the time of an empty
 * launch; 0: not known. */
int timing_too_short(double ms, double launch_ms);

/* A lower bound, less 20%, for the time that the GPU needs at this size: to read each input byte
 * that affects the result once (the caches are cold) and to write the part of the output that
 * exceeds the L2; or for a product to do its operations, whichever takes longer. 0 if p is NULL. */
double timing_least_ms(
    const struct model_profile *p, const struct problem *problem, const int *dims);

double timing_median(double *v, int count); /* The median of count > 0 values; sorts v. */

/* ---- points for counters and times: only these functions decide (score.c) ---- */

/* The points for speed. ratio: the student's time over the reference's. A ratio up to `full` earns
 * all points; a ratio up to 10 earns points * full / ratio, rounded to a tenth; a greater one earns
 * none. */
double score_speed(int points, double ratio, double full);
/* The argument `full` of score_speed, unless a course sets another. */
extern const double SCORE_SPEED;
/* The student's value of a metric, as a budget limits it: with all other ways to do the same work
 * (the table in score.c), such as atomics and bulk copies for loads, multiplications for
 * multiply-adds, or shuffles for accesses to shared memory.
 * Sectors per request are all sectors divided by the reference's requests, so that extra cheap
 * requests do not lower the value. Active lanes and multiply-adds count only up to the reference's
 * number, so that useless work earns nothing. NAN if score_no_tile says that there is no tile.
 * reference: NULL, or with counters NAN: only the student's counters are used. */
double score_value(enum metric m, const struct metrics *student, const struct metrics *reference);
/* Sectors per request of the scattered loads alone (METRIC_GLD_SCATTERED_SECTORS), if they touch
 * more than half of all sectors; else 0. */
double score_scattered_sectors_per_request(const struct metrics *m);
/* Does the kernel have the tile in shared memory that a budget of shared loads, bank conflicts or
 * barriers is about? reference: as in score_value. */
enum no_tile {
    TILE_USED,
    TILE_UNLOADED, /* less than a sixteenth of the reference's shared loads */
    /* for bank conflicts where the reference multiplies nothing: accesses to global memory touch
     * far more sectors than its accesses do, so the tile does not serve to coalesce them */
    TILE_SCATTERED
};
enum no_tile score_no_tile(
    enum metric m, const struct metrics *student, const struct metrics *reference);
/* The student's value of the metric that a budget limits, as score_value computes it, with these
 * exceptions. Sectors per request: if the step also limits requests, extra requests already cost
 * points there, so the student's own requests divide the sectors. At least so many stores: only
 * stores of whole warps count. If all loads together meet a budget of sectors per request, the
 * scattered ones have to meet it alone, so that fewer loads do not make up for them. Shared memory:
 * if the student launches more blocks than the reference, the memory of a block is multiplied by
 * that ratio. At most so many multiply-adds: NAN if they are less than nine tenths of the
 * reference's, since other instructions then do the work. */
double score_held(const struct step *s, const struct budget *b, const struct metrics *student,
    const struct metrics *reference);
/* score_way: the counter of the other way to do the work that adds most to the value of a metric;
 * METRIC_COUNT: no other way was used. score_way_said: that way in words, such as "with atomics";
 * NULL for METRIC_COUNT. */
enum metric score_way(
    enum metric m, const struct metrics *student, const struct metrics *reference);
const char *score_way_said(enum metric m, enum metric way);
/* The budget on this device: if the reference itself misses the limit, the reference's value
 * becomes the limit. reference: as in score_value. */
struct budget score_here(
    const struct step *s, const struct budget *b, const struct metrics *reference);
/* Is the budget met? Not if the value is NAN. */
int score_budget(const struct budget *b, double value);
/* Does this value mean that the kernel uses another technique than the lab's? Yes if the value
 * misses the budget; for a budget with degrees, only if it exceeds twice the limit. */
int score_other_technique(const struct budget *b, double value);
/* The ratio of the student's time to the reference's above which a step's kernel counts as another
 * technique, whatever its counters are. */
double score_slow(const struct step *s);
/* The points that a step keeps of those that it earned: at most half of the step's points if its
 * kernel uses another technique, that is if `missed` is set, or if ratio, the student's time over
 * the reference's, exceeds score_slow(). A ratio of NAN does not count. */
double score_kernel(double earned, const struct step *s, int missed, double ratio);
/* Is the prediction right? The number must equal the count, rounded to an integer, or the
 * solution's number, which is right on the GPUs that the labs are written for. -1 (UNKNOWN) is
 * never right. */
struct prediction_result;
int score_prediction(const struct prediction_result *p);

/* The source line that contributes most to missing a budget: an index into m->lines. -1: none,
 * because a count is too low rather than too high. reference: as in score_value. */
int score_blame(
    const struct budget *b, const struct measurement *m, const struct metrics *reference);

/* Find work of which a kernel does far more than the reference, though no budget limits it. Writes
 * at most EXCESS_MAX elements to out and returns how many. reference: the reference's counts at the
 * same size; a count that is NAN is not compared. */
struct excess;
int score_excess(const struct measurement *m, const struct metrics *reference, struct excess *out);
struct step_result;
/* How a kernel within its budgets differs most from the reference: for an instructor to look at,
 * since budgets see only what they count. */
struct unlike {
    double times;       /* own / reference or its inverse, the larger; 0: none is above 2 */
    enum metric metric; /* METRIC_COUNT: the time in ms */
    double own, reference;
};
/* Find the greatest difference between a step's measurement and the reference's counts. */
struct unlike score_unlike(const struct step_result *s, const struct metrics *reference);

/* ---- grading (grade.c, reference.c, verdict.c) ---- */

/* Limit of processor seconds for an exercise that is graded in its own process: several times
 * what the slowest exercise of the labs needs. */
enum { EXERCISE_SECONDS = 100 };
/* The processor seconds after which a learner's own run is ended early: the value of
 * session.brief. */
enum { BRIEF_SECONDS = 4 };

/* The progress of the exercise that is being graded. */
struct stage {
    const struct exercise *exercise;
    const struct step *step;
    enum {
        PROGRESS_SHAPES, /* a step is run on small shapes; share: the part of them that is done */
        /* a step is wrong, as `text` says; share: how many seconds the search for its cause has
         * taken */
        PROGRESS_WRONG,
        PROGRESS_RIGHT, /* every step was right on each of the small shapes */
        /* a step is run at its own size; share: the part of that run that is done */
        PROGRESS_COUNTS,
    } at;
    int shapes;   /* for PROGRESS_RIGHT: the number of small shapes */
    double share; /* from 0 to 1; for PROGRESS_WRONG a number of seconds */
    const char *text;
};

/* The number that a learner predicted first, before seeing counts. */
struct first_guess {
    const struct prediction *prediction;
    int said;
};

/* Why a kernel is wrong or misses a budget: the edit that was run and corrects it, in three parts
 * that a learner is told one after the other. Where several edits are needed, each is a place. */
enum cause_kind {
    CAUSE_EXPRESSION,
    CAUSE_CONDITION,
    CAUSE_INDEX,
    CAUSE_STEP,     /* the step of a loop */
    CAUSE_INITIAL,  /* the first value of a variable */
    CAUSE_CONSTANT, /* the value of a #define or a constant */
    CAUSE_SIZE,     /* the size of an array */
    CAUSE_LAUNCH,   /* BLOCK or COVERS */
    CAUSE_BARRIER,  /* a __syncthreads() is missing, misplaced or one too many */
    CAUSE_MISSING,  /* a statement or a test is missing */
    CAUSE_STATEMENT,
    CAUSE_FUNCTION,
    CAUSE_KINDS
};
struct cause_place {
    enum cause_kind kind;
    int line; /* in the learner's file, from 1 */
    /* the text in that line that is wrong: its first column, from 1, and its length, in bytes */
    int column, width;
    char *what; /* what is wrong: "`i <= k` goes one too far" */
    char *edit; /* the correction: "with `i < k`" */
};
enum { CAUSE_PLACES = 3 };
struct cause {
    struct cause_place places[CAUSE_PLACES];
    int count;
};
void cause_free(struct cause *c);

/* The outcome of one run on one input. NAMED_MOST: the most source lines that it names. */
enum { NAMED_MOST = 6 };
struct run_outcome {
    /* 1: the run failed or its output is wrong; the members found and why describe how */
    int wrong;
    int lost;  /* the device cannot be used any more, so no further run is possible */
    int whole; /* the run was at the step's own size, and all shapes of the check were right */
    /* nothing was written to the output: it still has the values from before the launch */
    int untouched;
    struct finding found;
    /* the size of the run's inputs, and the seed that they were drawn from */
    int dims[DIMS];
    uint64_t seed;
    struct buf why;
    struct cause cause; /* no places: the cause is not known */
    /* where no cause is known: "; see x.cu:12", the line that computes the output */
    struct buf see;
    /* numbers of the source lines that why and see mention; 0 after the last */
    int named[NAMED_MOST];
};
/* Append a line number to named[], unless it is 0, equals the last number, or named[] is full. */
void named_add(int named[NAMED_MOST], int line);
void run_outcome_free(struct run_outcome *t);
/* In run_outcome.why, text between \1 and \2 is a guess at the cause: "\1: are x and y
 * swapped?\2". guesses_drop removes guesses, once a cause is proven; guesses_unmark keeps their
 * text and removes only \1 and \2 (result.c). */
void guesses_drop(struct buf *why);
void guesses_unmark(struct buf *why);

struct session;
/* Functions that explain failures, given by common/explain; NULL: a result reports only what
 * failed. b: the student's build; step: index of the wrong step. */
struct explainer {
    /* a run failed, as t->found says: append to t->why how the thread computed its index */
    void (*fault)(const struct build *b, int step, const int *dims, struct run_outcome *t);
    /* an output is wrong: describe its first wrong element in t->found and t->why */
    void (*output)(const struct build *b, int step, const struct instance *in,
        const struct expected *want, struct run_outcome *t);
    /* after a fault or a wrong output: set t->cause or t->see. seed: that of the shapes on which
     * the step was checked */
    void (*cause)(
        struct session *s, const struct build *b, int step, uint64_t seed, struct run_outcome *t);
    /* a right step with counts m misses a budget: set *cause to the edit that meets all budgets,
     * unless it is set already */
    void (*budget)(struct session *s, const struct lab *lab, const struct build *b, int step,
        uint64_t seed, const struct measurement *m, struct cause *cause);
    /* the file does not compile: append a line if it contains something that no exercise has,
     * such as main */
    void (*refused)(const struct build *b, struct buf *why);
};

/* What all exercises of one run of the program share. */
struct session {
    /* kit, compiler, device and directory; the directory is the submission */
    struct workbench workbench;
    uint64_t seed;
    const char *sandbox; /* how compilers and kernels are confined, in words (jail_text of os.h) */
    /* processor seconds that child processes had used when the session began */
    double processor_before;
    /* 1: grade each exercise in its own process, because the code may not be the user's own */
    int apart;
    double seconds; /* limit of processor seconds for an exercise that has its own process */
    /* points for speed: the largest ratio to the reference's time that still earns all points */
    double speed;
    /* 1: messages reveal neither counts nor right predictions, so they may be handed out while
     * students can still hand in */
    int final;
    /* predictions that count instead of the values in the files; owned by the caller */
    const struct first_guess *first;
    int first_count;
    /* 1: for each step, also measure the previous reference step in the sequence of techniques,
     * that of the lab before on the same problem */
    int rungs;
    /* functions that explain failures; NULL: failures are not explained */
    const struct explainer *explains;
    /* for a learner who waits: processor seconds after which a run that misses a budget by far,
     * or earns no points, is ended early; 0: never */
    double brief;
    /* Called with context during grading; NULL: nobody watches. */
    void (*watch)(void *context, const struct stage *p);
    void *context;
    struct answers *answers;
    /* the reference of the exercise that was measured last; its member exercise is NULL if there is
     * none */
    struct build reference;
};
/* device, front: NULL for the defaults. student: the submission's directory; NULL for the kit's
 * own labs/. seed: NULL for a secret one. */
int session_open(struct session *s, const char *device, const char *front, const char *student,
    const uint64_t *seed, struct err *e);
void session_close(struct session *s);
/* From now on grade each exercise in its own process. On a simulated device all these processes,
 * and all compilers, share one limit on memory and processes if the system has cgroups. */
void session_apart(struct session *s);
/* A seed for one purpose (`what`) of this run. Equal arguments give equal seeds, so two
 * exercises on one problem at one size get the same input, and the CPU computes the answer once.
 * dims may be NULL. */
uint64_t session_seed(const struct session *s, const char *what, const int *dims, int round);
/* The answer to an instance that was made from seed. It is owned by the session and valid until
 * the next call. */
const struct expected *session_answer(struct session *s, const struct instance *in, uint64_t seed);

enum status { STATUS_PASSED, STATUS_FAILED, STATUS_NOT_ATTEMPTED, STATUS_ERROR };
extern const char *const status_names[];

/* Can a measured time be judged? */
enum timing_verdict {
    TIMING_JUDGED,    /* the time counts: it is compared with the reference's time */
    TIMING_TOO_SHORT, /* the time is mostly launch overhead: costs no points */
    /* the time is less than the GPU can need, because of a defect of the kernel or the kit: earns
     * no points */
    TIMING_IMPOSSIBLE,
};

/* BUDGETS_MAX: the most budgets of a step; PREDICTIONS_MAX: the most predictions of an exercise. */
enum { BUDGETS_MAX = 8, PREDICTIONS_MAX = 16 };

/* One budget of a step, and the value that was counted for it. */
struct budget_result {
    const struct budget *budget;
    double limit; /* the limit that applies on this device, as score_here computes it */
    double value;
    int met;
    enum metric way; /* as score_way finds it */
    /* the kind of work that the counter counts, if the outputs do not depend on it: the value is
     * then NAN; else WITHOUT_NOTHING */
    enum without unused;
    enum no_tile no_tile; /* as score_no_tile finds it; if it is not TILE_USED, the value is NAN */
    int elsewhere;        /* 1: met at the step's size, missed at another: the value is NAN */
    int line; /* number of the source line that contributes most to the value; 0: none does */
    struct metrics blamed; /* counters of that source line */
};
/* A reference step for the same problem with an earlier technique, and its time in ms at the size
 * of the step that is compared with it; NAN: there is none, or it was not measured. */
struct earlier {
    struct rung rung;
    double ms;
};
/* Work of which a kernel does far more than the reference, though no budget limits it: arithmetic
 * on doubles, or barriers. */
struct excess {
    enum metric metric;
    double own, reference;
    int line; /* the line of the learner's file that adds most to the metric */
};
enum { EXCESS_MAX = 2 };
/* The measurements of one step at its own size. If the grading ended before, times, ratio and
 * budgets are unset. */
struct step_result {
    const struct step *step;
    const struct problem *problem;
    struct measurement m; /* at the size step->dims; freed with the result */
    double reference_ms;  /* the reference's time in ms; NAN: not measured */
    /* the student's time over the reference's; points depend on ratio.low; NAN: not measured */
    struct timing_ratio ratio;
    /* the least time that the GPU can need, in ms (timing_least_ms); 0: not known */
    double least_ms;
    enum timing_verdict timing;
    /* if session.rungs is set: the previous reference step for this problem in the sequence of
     * techniques, and, if the exercise is passed, the first one */
    struct earlier before, first;
    /* if the run ended early: the processor seconds that all blocks would need, and m is scaled
     * from a sample of the blocks; else 0 */
    double early_seconds;
    struct budget_result budgets[BUDGETS_MAX];
    int budget_count;
    struct excess excess[EXCESS_MAX];
    int excess_count;
    struct unlike unlike;
    /* the kinds of work that budgets count, but that the outputs do not depend on, as bits 1 <<
     * enum without */
    unsigned unused;
    /* the budgets that are missed at another size (elsewhere_find), as bits 1 << their index */
    unsigned elsewhere;
};
/* Does score_other_technique hold for any budget of the step? */
int step_other_technique(const struct step_result *s);
/* In words, how the value of a budget was computed, if it is not simply the counter of that name;
 * else NULL. */
const char *budget_held_against(const struct step_result *s, const struct budget_result *b);

/* A number that the learner predicted, and what was counted. */
struct prediction_result {
    const struct prediction *prediction;
    int said; /* the learner's number; -1: UNKNOWN */
    /* the number that was counted; NAN: not counted, or not to be told, because it is about a
     * suspect and the prediction is not right */
    double counted;
    /* the solution's number; -1: not needed, because the prediction is right */
    int key;
};
/* One reason for which points are given or taken away. All entries add up to the score; points are
 * added up nowhere else. An exercise that is wrong, or was not counted, has no entries. */
struct ledger_entry {
    enum {
        LEDGER_CORRECT,
        LEDGER_BUDGET,
        LEDGER_SPEED,
        /* a negative entry: a kernel that uses another technique keeps at most half of the step's
         * points */
        LEDGER_TECHNIQUE,
        LEDGER_PREDICTION,
    } what;
    int step;      /* index of the step; for a prediction, of the step that it is about */
    int item;      /* index of the budget in the step, or of the prediction in the exercise */
    double points; /* points earned; negative: taken away */
    int of;        /* the most points of this entry */
};
enum { LEDGER_MAX = STEPS_MAX * (BUDGETS_MAX + 3) + PREDICTIONS_MAX };

struct result;
/* Append who counted what: "the reference counted 8704, your kernel 8192"; without a solution
 * "your kernel counted 8192". */
void prediction_counted(struct buf *out, const struct result *r, const struct prediction_result *p);
/* The grade of one exercise. The struct owns file, source, warnings, message and what the members
 * of steps own. */
struct result {
    const struct lab *lab;
    const struct exercise *exercise;
    /* the student's file. file: its path; source: its text, NULL if it could not be read */
    char *file, *source;
    enum status status;
    /* 1: the kit has no solution of this exercise. Then no time is compared, points for speed are
     * left out of max_score, and predictions are held against the student's own counts. */
    int alone;
    double score;
    int max_score;
    /* sums over the steps that have points for speed or, if none has any, over all steps */
    double ms, reference_ms; /* in ms; NAN: not measured */
    enum time_kind time_is;
    struct metrics metrics;
    struct step_result steps[STEPS_MAX];
    int step_count; /* number of steps that were measured; 0: none */
    struct prediction_result predictions[PREDICTIONS_MAX];
    int prediction_count;
    /* in the order of the steps; then those for predictions */
    struct ledger_entry ledger[LEDGER_MAX];
    int ledger_count;
    struct buf printed;   /* what kernels printed on the first shape, or on the one that failed */
    struct buf warnings;  /* the compiler's warnings, if the file compiles */
    struct buf message;   /* why points are missing, one line per reason */
    struct finding found; /* what was wrong with the step that failed */
    /* numbers of the source lines that message mentions, in this order; 0 after the last */
    int named[NAMED_MOST];
    /* why the step that failed is wrong; if every step is right, why a budget is missed. No
     * places: not known */
    struct cause cause;
    /* if the exercise has a suspect and all predictions are right: what is wrong with it; empty
     * otherwise */
    struct buf answer;
};
/* The points of an exercise. about: they are approximate, since only some blocks were counted. */
struct points {
    double score;
    int most, about;
};
struct points result_points(const struct result *r);
/* The points for speed, which need a solution to compare with. */
int exercise_speed_points(const struct exercise *x);
/* Free what r owns. r is all zeros afterwards. */
void result_free(struct result *r);

/* Grade exercises of lab_table: all of them (lab NULL), one lab's (exercise NULL), or one. Calls
 * done with each result, in order, as soon as it is known. An error of an exercise is in its
 * result. -1 with ERR_ENV: the environment stops the run. */
typedef void graded(void *context, const struct result *r);
int grade_labs(struct session *s, const struct lab *lab, const struct exercise *exercise,
    graded *done, void *context, struct err *e);

/* Time and counters of the reference at a size, on an input from a fixed seed. For a simulated
 * device the measurement is cached. The caller frees m. -1 with ERR_ENV: the reference fails, which
 * is the kit's fault. */
int reference_measure(struct session *s, const struct lab *lab, const struct exercise *exercise,
    int step, const int *dims, struct measurement *m, struct err *e);

/* The name that a report prints for a metric: nvprof's if there is one, else ncu's. */
const char *metric_name(enum metric m);
/* The name that a report prints for a part of the modelled time. */
const char *part_name(enum model_part p);
/* Append a value: integers in full, others with four significant digits, NAN as "-": "131072",
 * "16.51", "-". */
void print_value(struct buf *out, double v);
#endif
