/* repair.h - private to explain/: the small edit of a wrong kernel that makes every result right.
 *
 *     source -- code.h --> edits, likeliest first --> slots: all edits in one kernel, chosen as it runs
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

/* ---- what is asked ---- */

/* The effort a search has spent, and may spend: computed from what is compiled and executed instead
 * of read from a clock, so that a file gets the same answer on every machine, busy or not. A unit
 * is a microsecond of a processor of 2022. */
struct effort {
    atomic_ullong done;
    unsigned long long most;
};

/* The step that is wrong, and the shapes on which it is checked. */
struct repair_case {
    struct workbench *workbench;
    const struct compiled *compiled;
    const struct bound_kernel *bound;
    const struct step *step;
    int shapes[SHAPES][DIMS];
    uint64_t seeds[SHAPES], seed; /* for each shape's inputs; for the whole check */
    int count;
    /* what is wrong; for a missed budget only the line to blame */
    struct finding found;
    /* where the lines of the cause are added (grade.h); or NULL */
    int *named;
    struct goal *goal; /* NULL: budgets and speed do not matter */
    /* for host C: step and compiled belong to it; else NULL */
    const struct host_kernel *host;
    /* counts of a right kernel that misses a budget; else NULL */
    const struct metrics *now;
    struct effort *effort;
    int partly; /* some shapes are right */
};
/* Host C as a kernel of one thread (repair_host.c). */
struct host_kernel {
    char *text;         /* the caller frees it */
    size_t own_end;     /* where the learner's text ends in it */
    int lines;          /* that come before the learner's */
    const char *kernel; /* the learner's function */
    struct step step;
};
/* -1: it is not understood. The caller frees out->text in either case. */
int host_text(const char *source, const struct step *step, struct host_kernel *out);

/* Append the cause of a wrong step, "; the cause: FILE:12: ...", to t->cause, and drop the guesses
 * in t->why. seed: of the shapes on which it was checked. If nobody waits for the answer, or no
 * cause is proven in time: a usual slip, or the line that makes the output (output_line.h). */
void repair_explain(
    struct session *s, const struct build *b, int step, uint64_t seed, struct run_outcome *t);
/* For a right step that misses a budget: append the one edit that meets all budgets, if there is
 * one. Nothing is appended before the step earns a point: a skeleton that runs as given reveals
 * nothing. m: its counts. */
void repair_budget(struct session *s, const struct lab *lab, const struct build *b, int step,
    uint64_t seed, const struct measurement *m, struct buf *cause);
void repair_answer(struct run_outcome *t, const char *cause); /* repair_say.c */

/* ---- edits ---- */

/* A kind of mistake: the code as written, and as it was meant (mutations.def). */
struct mutation {
    int likely; /* 1, 2, 3: the likeliest first */
    const char *pattern, *becomes;
    const char *says; /* about the code as written; after "!" a whole sentence (repair_say.c) */
};

/* Replace len bytes at offset `at` of the source. */
struct splice {
    size_t at, len;
    char *text;
};
enum { SPLICES = 24 };
struct edit {
    const struct mutation *is;
    double cost; /* how unlikely this was meant; the least is tried first */
    int token;   /* where it begins: its line is reported */
    struct splice splices[SPLICES];
    int count; /* -1: invalid, never tried */
    /* with it, a piece of the kernel equals the solution's */
    int solves;
    unsigned launch[4]; /* new numbers of BLOCK and COVERS; 0: unchanged */
    /* The slots of its splices, and its choice in each; place_count -1: it fits in no slot. */
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
/* A new edit without splices; it is valid until the next one is added. */
struct edit *edits_begin(struct edits *l, const struct mutation *is, double cost, int token);
/* Add a splice: replace len bytes at `at` by text, which the edit then owns. */
void edit_put(struct edit *e, size_t at, size_t len, char *text);
/* Replace tokens first to last; insert text before a token, or after it. */
#define edit_replace(l, e, first, last, ...) \
    edit_put(e, start_of((l)->code, first), end_of((l)->code, last) - start_of((l)->code, first), \
        xasprintf(__VA_ARGS__))
#define edit_before(l, e, token, ...) \
    edit_put(e, start_of((l)->code, token), 0, xasprintf(__VA_ARGS__))
#define edit_after(l, e, token, ...) \
    edit_put(e, end_of((l)->code, token), 0, xasprintf(__VA_ARGS__))
/* begin and replace in one. */
#define edits_replace(l, is, cost, first, last, ...) \
    edit_replace(l, edits_begin(l, is, cost, first), first, last, __VA_ARGS__)
void edit_free(struct edit *e);
void edit_drop(struct edit *e); /* free it; it becomes invalid */
/* Sort by cost and keep the first `most`; of edits that change the same text in the same way only
 * the first is kept. */
void edits_sort(struct edits *l, size_t most);
/* Add edits that make the same change of the same words throughout a statement, and throughout a
 * function. numbers: change numbers throughout, too */
void edits_repeat(struct edits *l, int numbers);
void edits_free(struct edits *l);
/* Append the bytes first to end of the source as the edit leaves them. */
void edit_apply(const char *text, const struct edit *e, size_t first, size_t end, struct buf *out);

/* All edits by rows of mutations.def, and those that no row can express (mutate.c,
 * mutate_hooks.c). */
void mutate_all(struct edits *l);
int code_has_shared(const struct code *c); /* does it name shared memory? */
/* Does the edit only insert statements; a test before one; a barrier? */
int edit_adds(const struct edit *e);
int edit_is_guard(const struct edit *e);
int edit_is_barrier(const struct edit *e);
/* Edits that copy places of the solution, with which the learner's file is aligned. */
void repair_reference(struct edits *l, const struct align *a);
/* Make edits of text that equals the solution's less likely, and edits of text that differs from it
 * more likely. */
void repair_prefer(struct edits *l, const struct align *a);
/* edits that replace whole functions by the solution's */
void repair_bodies(struct edits *l, const struct code *solution);
/* An edit toward the solution that equals another edit gets that one's message. */
void edits_name(struct edits *solved, const struct edits *all);

/* ---- the search (repair_search.c) ---- */

/* The edits of a search: those toward the solution and certain ones, any others, whole
 * functions. */
enum { SOLVED, OTHERS, BODIES, LISTS };
/* Append the edit, or edits, that make every result right. The lists are sorted; the caller frees
 * them. 1: appended; 0: there is none; -1: no shape fails, or it does not compile. */
int repair_search(const struct repair_case *c, struct edits lists[LISTS], struct buf *cause);
void effort_begin(struct effort *e);
/* Effort in seconds of a processor: spent; remaining, less than 0 if it is used up. */
double effort_done(const struct repair_case *c);
double effort_left(const struct repair_case *c);
/* Add the effort of compiling and loading a text; of running a kernel on a device that had executed
 * `before`. */
void effort_compiled(const struct repair_case *c, size_t bytes);
void effort_ran(const struct repair_case *c, struct device *d, uint64_t before, int counted);

/* ---- slots: places of the kernel where one of several texts is chosen at run time ---- */

enum slot_kind {
    SLOT_STATEMENT, /* an expression that is a statement */
    SLOT_VALUE,     /* an initializer, a condition, a returned expression */
    SLOT_STEP,      /* of a for */
    SLOT_BEFORE,
    SLOT_AFTER, /* statements that come before or after a statement */
    SLOT_GUARD  /* whether a statement is executed */
};
struct choice {
    char *text;
    int line;    /* its line in the compiled text; 0: not written */
    int refused; /* the compiler rejects it */
};
struct slot {
    enum slot_kind kind;
    int first, last; /* tokens */
    int statement;
    int from, to; /* lines of the compiled text */
    /* choice 0, the learner's own text, is not listed: choices[0] is choice 1 */
    struct choice *choices;
    size_t count, cap;
};
struct slots {
    const struct code *code;
    struct slot *list;
    size_t count, cap;
};
void slots_find(struct slots *s, const struct code *c);
/* Fill in places of an edit. */
void slots_place(struct slots *s, struct edit *e);
/* The whole file with all choices that are not refused, and the number of each slot in
 * lockstep_pick. */
void slots_write(struct slots *s, const char *kernel, struct buf *out);
void slots_free(struct slots *s);

/* ---- trying ---- */

/* The outcome of an edit on the first shape tried, then on the others. */
struct outcome {
    int ran;      /* to its end, without a fault */
    int mends;    /* right on every shape */
    double share; /* of the elements that are right on the first shape tried */
};
struct bench;
enum { VARIANTS = 80 }; /* the most edits that fit in no slot: each is a copy of the kernel */
/* Compile the slots with their choices, and the edits that fit in no slot. NULL: that failed;
 * *late: the compiler took too long. */
struct bench *bench_open(const struct repair_case *c, const struct code *code, struct slots *slots,
    struct edits *l, int *late);
void bench_close(struct bench *b);
/* Is the unedited kernel wrong on one of the shapes? Host C is assumed to be. c->partly: right on
 * another one. */
int bench_fails(struct repair_case *c);
/* The share of elements that are right without an edit, on the shape tried first. */
double bench_share(const struct bench *b);
/* Run edits on two threads; out: one each. Ends early when effort_done is `until`, or an edit makes
 * every result right: *tried is how many of the first are done. */
void bench_try(struct bench *b, const struct edit *const *which, int count, struct outcome *out,
    double until, int *tried);

/* ---- budgets (repair_goal.c) ---- */

/* The reference's counts and time at the step's size. */
struct goal {
    /* its text, until the counts are first needed; NULL: they are known, or unavailable */
    char *solution;
    int known;
    struct metrics metrics;
    double ms;
    /* the learner's unedited kernel */
    enum { OWN_UNKNOWN, OWN_COUNTED, OWN_FAULTS } own_is;
    struct metrics own;
};

/* For budgets that c->now misses: have the counts improved from base to m by as much as they
 * need? */
int goal_nearer(const struct repair_case *c, const struct metrics *m, const struct metrics *base);
/* Count at the step's size, or at a small one. -1: the kernel faults, or exceeds b->budget. */
int goal_count(struct bound_kernel *b, const struct step *s, int small, struct measurement *out);
/* Is the file with the edit right on every shape, compiled and run as in the check, and does it
 * meet all budgets? If none is the goal, is it also as fast as for full marks? It is counted at the
 * step's size, of a large launch a sample of the blocks; of a wrong kernel 1 where too little time
 * is left for that. 0: right, but a budget is missed. -1: wrong, or far slower than the reference,
 * or it loses a budget that is met without the edit: the edit is none. */
int goal_meets(const struct repair_case *c, const struct code *code, const struct edit *x);

/* ---- saying (repair_say.c) ---- */

/* "FILE:12: ...: with ...", and then end. */
void repair_say(const struct repair_case *c, const struct code *code, const struct edit *e,
    const char *end, struct buf *out);

#endif
