/* repair.h - private to explain/: the small edit of a wrong kernel that makes every result right.
 *
 *     source -- code.h --> edits, likeliest first --> slots: all edits in one kernel, chosen at run time
 *               mutate.h, repair_reference            │ repair_slots.c, repair_run.c
 *                                                     v
 *                                the edit with which every shape is right --> "x.cu:12: `i <= k` ..."
 *
 * What is reported is proven: the kernel was run with the edit. */
#ifndef LOCKSTEP_EXPLAIN_REPAIR_H
#define LOCKSTEP_EXPLAIN_REPAIR_H

#include "explain/align.h"
#include "explain/code.h"
#include "judge/judge.h"

#include <stdatomic.h>

/* ---- what a search is about ---- */

/* The effort a search has spent, and may spend. Effort is computed from what is compiled and
 * executed, not read from a clock, so that a file gets the same answer on every machine, busy or
 * not. The unit is a microsecond of a processor of 2022. */
struct effort {
    atomic_ullong done;
    unsigned long long most;
};

/* A step whose kernel is wrong or misses a budget, and the shapes on which edits of the kernel are
 * checked. */
struct repair_case {
    struct workbench *workbench;
    const struct compiled *compiled;
    const struct bound_kernel *bound;
    const struct step *step;
    /* the first `count` shapes are those of the search; the `borders` shapes after them are border
     * shapes of the check, which the search uses if the kernel is right on the others */
    int shapes[SHAPES][DIMS], borders;
    /* seeds of random numbers. seeds: for the inputs of each shape; seed: for the shapes of the
     * whole check */
    uint64_t seeds[SHAPES], seed;
    int count;
    /* what was found wrong; for a missed budget only the line to blame */
    struct finding found;
    /* the reference's counts, to which edits are compared; NULL: budgets and speed do not matter */
    struct goal *goal;
    /* for host C, which is run as a kernel: that kernel, to which step and compiled then belong;
     * else NULL */
    const struct host_kernel *host;
    /* the counts of a kernel that is right but misses a budget; else NULL */
    const struct metrics *now;
    struct effort *effort;
    int partly; /* the kernel is right on some of the shapes */
    int whole;  /* the kernel fails only at the step's own size, so edits are proven at it, too */
};
/* Host C as a kernel of one thread (repair_host.c). */
struct host_kernel {
    char *text;         /* source text of the kernel; the caller frees it */
    size_t own_end;     /* offset in text at which the learner's own text ends */
    int lines;          /* how many lines precede the learner's text */
    const char *kernel; /* name of the learner's function, which the kernel calls */
    struct step step;
};
/* Write host C as a kernel of one thread. -1: the source is not understood. The caller frees
 * out->text in either case. */
int host_text(const char *source, const struct step *step, struct host_kernel *out);
/* After a failed run of host C: if it leaves an array there, append to t->why the line and the
 * index, and set t->found. */
void host_fault_tell(const struct build *b, int step, const int *dims, struct run_outcome *t);

/* Set t->cause, the cause of a wrong step, and drop the guesses in t->why, such as ": is blockIdx
 * missing in an index?", which the cause answers. seed: that of the check that failed. If no
 * learner waits for the answer, or no cause is proven within the allowed effort, set t->see, the
 * line that computes the wrong output, instead (output_line.h). */
void repair_explain(
    struct session *s, const struct build *b, int step, uint64_t seed, struct run_outcome *t);
/* For a step that is right but misses a budget: set *cause to the edit that meets all budgets, if
 * there is one and *cause has no place yet. Nothing is set unless the step earns points already,
 * so that a given skeleton that runs reveals nothing. m: the step's counts. */
void repair_budget(struct session *s, const struct lab *lab, const struct build *b, int step,
    uint64_t seed, const struct measurement *m, struct cause *cause);

/* ---- edits: changes of the source ---- */

/* A kind of mistake: a row of mutations.def. */
struct mutation {
    /* how likely the mistake is, 0 to 3; edits for mistakes with 0 are tried first */
    int likely;
    const char *pattern, *becomes;
    /* what is wrong with the code as written; after "!" a whole sentence; NULL: the message says
     * how the texts before and after the edit differ (repair_say.c) */
    const char *says;
};

/* A replacement of len bytes at offset `at` of the source by a text. */
struct splice {
    size_t at, len;
    char *text;
};
enum { SPLICES = 24 };
struct edit {
    const struct mutation *is;
    /* how unlikely it is that this edit is what was meant; edits are tried in ascending order of
     * cost */
    double cost;
    size_t made; /* the edit's place in its list when it was added; the order of equal costs */
    int token;   /* the token whose line is reported */
    struct splice splices[SPLICES];
    int count; /* how many splices the edit has; -1: the edit is invalid and is never tried */
    /* 1 if the edit makes an expression of the kernel equal to the solution's */
    int solves;
    /* The slots in which the edit's splices lie, and which choice the edit selects in each.
     * place_count -1: a splice fits in no slot. */
    struct {
        int slot, choice;
    } places[SPLICES];
    int place_count;
};
struct edits {
    const struct code *code;
    const struct repair_case *of;
    struct edit *list;
    size_t count, cap;
};
/* Add an edit without splices. The pointer is valid until the next edit is added. */
struct edit *edits_begin(struct edits *l, const struct mutation *is, double cost, int token);
/* Add a splice that replaces len bytes at offset `at` by text. The edit takes ownership of text. */
void edit_put(struct edit *e, size_t at, size_t len, char *text);
/* Add a splice. edit_replace: replaces tokens first to last; edit_before and edit_after insert a
 * text before or after a token. The text is formatted as by printf. */
#define edit_replace(l, e, first, last, ...) \
    edit_put(e, start_of((l)->code, first), end_of((l)->code, last) - start_of((l)->code, first), \
        xasprintf(__VA_ARGS__))
#define edit_before(l, e, token, ...) \
    edit_put(e, start_of((l)->code, token), 0, xasprintf(__VA_ARGS__))
#define edit_after(l, e, token, ...) \
    edit_put(e, end_of((l)->code, token), 0, xasprintf(__VA_ARGS__))
/* Add an edit with one splice that replaces tokens first to last. */
#define edits_replace(l, is, cost, first, last, ...) \
    edit_replace(l, edits_begin(l, is, cost, first), first, last, __VA_ARGS__)
void edit_free(struct edit *e);
void edit_drop(struct edit *e); /* free the edit's splices and mark the edit as invalid */
/* Sort by cost and keep at most `most` edits. Of edits that make the same change, only the first
 * is kept. */
void edits_sort(struct edits *l, size_t most);
/* Where similar edits exist in the same statement, or the same function, add an edit that makes all
 * of them at once. numbers: within a function, edits of numbers are combined, too. */
void edits_repeat(struct edits *l, int numbers);
void edits_free(struct edits *l);
/* Append bytes first to end - 1 of the source, as they are after the edit. e NULL: unchanged. */
void edit_apply(const char *text, const struct edit *e, size_t first, size_t end, struct buf *out);

/* Add all edits by rows of mutations.def, and those that exchange names (mutate.c, mutate_swap.c). */
void mutate_all(struct edits *l);
/* edit_adds: does the edit only insert whole statements? edit_is_guard: does it insert a test
 * before a statement? edit_is_barrier: does it insert a __syncthreads()? */
int edit_adds(const struct edit *e);
int edit_is_guard(const struct edit *e);
int edit_is_barrier(const struct edit *e);
/* Add edits that change expressions to those of the solution with which a has paired them. */
void repair_reference(struct edits *l, const struct align *a);
/* Raise the cost of edits of text that equals the solution's, and lower that of edits of text
 * that differs from it. */
void repair_prefer(struct edits *l, const struct align *a);
/* If an edit toward the solution results in the same text as an edit of `all`, the edit toward the
 * solution gets that edit's message. */
void edits_name(struct edits *solved, const struct edits *all);

/* ---- the search (repair_search.c) ---- */

/* The two lists of edits that a search tries. SOLVED: edits that make the file more like the
 * solution; OTHERS: all other edits. */
enum { SOLVED, OTHERS, LISTS };
/* Fill the lists for a file and its solution, with costs that fit the case's finding. solved: the
 * solution's text; NULL: it is not known. Returns -1 if the file is not understood or is an
 * unfinished skeleton. Both texts must outlive code and solution, and these two must outlive the
 * lists; the caller frees code, solution and lists in either case. */
int repair_edits(const struct repair_case *c, const char *source, const char *solved,
    struct code *code, struct code *solution, struct edits lists[LISTS]);
/* Find the edit, or the few edits, that make every result right, and add a place of the cause for
 * each. Sorts the lists; the caller frees them. Returns 1 if places were added; 0 if there is no
 * such edit; -1 if no shape fails without an edit, or nothing compiled. */
int repair_search(const struct repair_case *c, struct edits lists[LISTS], struct cause *cause);
/* Begin to count the effort of a search. budget: 1 if the search is for a missed budget, and may
 * spend more effort. */
void effort_begin(struct effort *e, int budget);
/* effort_done: the effort spent so far, in seconds; effort_left: what remains, negative if too much
 * was spent. */
double effort_done(const struct repair_case *c);
double effort_left(const struct repair_case *c);
/* effort_compiled: add the effort of compiling and loading a text of that many bytes. effort_ran:
 * add the effort of a run on a device; before: the device's count of executed instructions before
 * the run; counted: the run had counters. */
void effort_compiled(const struct repair_case *c, size_t bytes);
void effort_ran(const struct repair_case *c, struct device *d, uint64_t before, int counted);

/* ---- slots: places of the kernel where one of several texts is chosen at run time ---- */

enum slot_kind {
    SLOT_STATEMENT, /* an expression that is a statement */
    SLOT_VALUE,     /* an initializer, a condition, a returned expression */
    SLOT_STEP,      /* the step of a for */
    SLOT_BEFORE,
    SLOT_AFTER, /* SLOT_BEFORE, SLOT_AFTER: statements inserted before or after a statement */
    SLOT_GUARD  /* a condition under which a statement is executed */
};
struct choice {
    char *text;
    int line; /* line of the choice in the text that is compiled; 0: the choice was not written */
    int refused; /* 1: the compiler rejected this choice */
};
struct slot {
    enum slot_kind kind;
    int first, last; /* first and last token that the slot replaces */
    int statement;
    int from, to; /* first and last line of the slot in the text that is compiled */
    /* choice 0 is the learner's own text and is not stored: choices[0] is choice 1 */
    struct choice *choices;
    size_t count, cap;
};
struct slots {
    const struct code *code;
    struct slot *list;
    size_t count, cap;
};
void slots_find(struct slots *s, const struct code *c);
/* Find the places of an edit: its slots and its choices in them. Both are added where they do not
 * exist yet. */
void slots_place(struct slots *s, struct edit *e);
/* Write the whole file, with all choices that were not refused. The kernel reads the number of
 * the choice of each slot from the array lockstep_pick. */
void slots_write(struct slots *s, const char *kernel, struct buf *out);
void slots_free(struct slots *s);

/* ---- running edits ---- */

struct bench;
/* most edits that fit in no slot; each is compiled as a copy of the kernel */
enum { VARIANTS = 80 };
/* Compile a kernel with the choices of all slots, and copies of it for the edits that fit in no
 * slot. NULL: that failed. */
struct bench *bench_open(
    const struct repair_case *c, const struct code *code, struct slots *slots, struct edits *l);
void bench_close(struct bench *b);
/* Is the kernel without an edit wrong on one of the shapes? Always 1 for host C. Sets c->partly if
 * the kernel is right on another shape. */
int bench_fails(struct repair_case *c);
/* Run edits on two threads, until one makes every result right or effort_done reaches `until`.
 * Returns the index in `which` of the first edit that made every result right; -1: none did. */
int bench_try(struct bench *b, const struct edit *const *which, int count, double until);

/* ---- budgets (repair_goal.c) ---- */

/* The counts and time of the reference kernel at the step's size. */
struct goal {
    /* the reference's source, owned. The reference is run with counters when its counts are first
     * needed; NULL: that was done, or there is no reference */
    char *solution;
    int known;
    struct metrics metrics;
    double ms;
    /* own: the counts of the learner's unedited kernel. own_is: whether they are known, or the
     * kernel faults */
    enum { OWN_UNKNOWN, OWN_COUNTED, OWN_FAULTS } own_is;
    struct metrics own;
};

/* For each budget that the kernel misses (c->now): are the counts m, with an edit, better than the
 * counts `base`, without it, by as much as the budget requires? */
int goal_nearer(const struct repair_case *c, const struct metrics *m, const struct metrics *base);
/* Run a kernel with counters, at the step's size or, if `small` is set, at a smaller one. -1: the
 * kernel faults or exceeds b->budget instructions. *right, unless NULL: 1 if the output is right;
 * for a matrix product always 1, since its output is not checked here. */
int goal_count(
    struct bound_kernel *b, const struct step *s, int small, struct measurement *out, int *right);
/* How good a file with an edit is.
 *
 *   GOAL_NOT        wrong, or far slower than the reference, or it misses a budget that is met
 *                   without the edit
 *   GOAL_RIGHT      right on every shape, but it misses a budget or is too slow for full marks
 *   GOAL_UNCOUNTED  right on every shape; too little effort was left to run it with counters
 *   GOAL_MET        right on every shape, meets all budgets and, unless a budget was the goal
 *                   (c->now), is fast enough for full marks */
enum goal_is { GOAL_NOT, GOAL_RIGHT, GOAL_UNCOUNTED, GOAL_MET };
/* Compile the file with the edit, and run it as the check does. counts: 1 to run it with counters
 * at the step's size as well, on a sample of the blocks if the launch is large; 0: not, so the
 * result is GOAL_NOT or GOAL_UNCOUNTED. */
enum goal_is goal_meets(
    const struct repair_case *c, const struct code *code, const struct edit *x, int counts);

/* ---- what is said of an edit (repair_say.c) ---- */

/* Add the place of the edit to the cause, if fewer than CAUSE_PLACES are there. */
void repair_say(const struct code *code, const struct edit *e, struct cause *out);

#endif
