/* learn.h - self-study in a terminal: an exercise at a time, an answer to every save, and what is
 * remembered.
 *
 *     slides ──> predict ──> write ──> save ──> answer ──> compare ──> next
 *                   │                    │
 *                   └──── first guess ───┴──> DIRECTORY/.progress, a line an exercise
 *
 * The room shows and remembers. It judges nothing: what `lockstep lab` prints comes from its
 * caller.
 */
#ifndef LOCKSTEP_LEARN_H
#define LOCKSTEP_LEARN_H

#include "judge/judge.h"

/* ---- what is remembered (progress.c) ---- */

/* DIRECTORY/.progress is text; the learner may edit it. Times are local, to the minute.
 *
 *     # a comment
 *     at 02-coalesced stride
 *     01-naive copy passed 8/8 2026-11-22T22:40 copy=0.0143ms@sim:h200
 *     02-coalesced stride failed 6/10 2026-11-22T22:51 offset_1=5@2026-11-22T22:49
 *
 * After lab, exercise and status all words are optional: points; the time of the best run;
 * NAME=GUESS@TIME, the first guess of a prediction; KERNEL=TIMEms@DEVICE, a rung's time when it
 * last passed. */
enum { WHEN = 24, DEVICE_NAME = 24 };
struct dated_guess {
    int said;        /* -1: no guess yet */
    char when[WHEN]; /* "": not written down */
};
struct rung_time {
    double ms; /* 0: not taken */
    char device[DEVICE_NAME];
};
struct exercise_progress {
    const struct lab *lab;
    const struct exercise *exercise;
    enum status status; /* of the best run; passed stays passed */
    double score;
    char when[WHEN]; /* of the best run; "": none */
    struct dated_guess first[PREDICTIONS_MAX];
    struct rung_time rung[STEPS_MAX];
};
struct progress {
    char *file;                     /* its path */
    struct buf comments;            /* lines that begin with #, kept as they are */
    struct exercise_progress *past; /* of every exercise, in the order of lab_table */
    int count;
    int at; /* where the learner was last; -1: nowhere yet */
};
/* Read DIRECTORY/.progress. There need not be one. -1 with ERR_LEARNER: a line that cannot be read;
 * the text names it. -1 with ERR_ENV. The caller frees p whether this succeeds or not. */
int progress_read(struct progress *p, const char *directory, struct err *e);
int progress_write(const struct progress *p, struct err *e); /* -1 with ERR_ENV */
void progress_free(struct progress *p);
/* The index of an exercise in p->past. */
int progress_find(const struct progress *p, const struct lab *lab, const struct exercise *x);
/* Take over what a run of lockstep lab found: first guesses, points, times. device: where it ran.
 * Nothing is written. Returns whether anything has changed. */
int progress_note(struct progress *p, const struct result *r, const char *device);
/* The first guesses, for struct session. At most max of them; returns how many. */
int progress_first(const struct progress *p, struct first_guess *out, int max);
enum { FIRST_MAX = 256 };
/* May this folder hold a progress file? Not one in the kit's solutions/ or tests/, which nobody
 * learns in. */
int progress_kept(const struct kit *k, const char *directory);

/* ---- the loop (loop.c) ---- */

/* The outcome of a run, as values: its text is for the learner alone. */
/* OPEN: none was made, or nothing was counted */
enum guess { GUESS_OPEN, GUESS_RIGHT, GUESS_WRONG };
struct outcome {
    enum status status;
    struct points points;
    enum guess guess[PREDICTIONS_MAX];
};
/* Lines of the learner's file that access memory, in rising order. */
enum { ACCESS_LINES_MAX = 64 };
struct access_lines {
    int line[ACCESS_LINES_MAX];
    int count;
};

/* What the room asks of its caller. Each function is called in a process of its own and prints to
 * stdout; step has the terminal while it runs. What judge prints up to a form feed is shown at
 * once, and replaced by the rest when it ends. All return 0, or -1 with an error. */
struct learn {
    struct session *session; /* open; its workbench's directory is the learner's */
    int (*judge)(struct session *s, const struct lab *lab, const struct exercise *x,
        struct outcome *out, struct err *e);
    int (*accesses)(struct session *s, const struct lab *lab, const struct exercise *x,
        struct access_lines *out, struct err *e);
    int (*map)(struct session *s, const struct lab *lab, const struct exercise *x, const char *line,
        struct err *e);
    int (*step)(struct session *s, const struct lab *lab, const struct exercise *x, struct err *e);
};
/* Until the learner quits. -1 with ERR_ENV: no terminal, or the machine; ERR_LEARNER: the progress
 * file. The terminal is as before, however it ends. */
int learn_run(const struct learn *l, struct err *e);

#endif
