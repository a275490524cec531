/* learn.h - self-study in a terminal: one exercise at a time, an answer to every save, and the
 * learner's progress.
 *
 *     slides ──> predict ──> write ──> save ──> answer ──> compare ──> next
 *                   │                    │
 *                   └──── first guess ───┴──> DIRECTORY/.progress, a line per exercise
 *
 * Nothing is judged here: the caller passes a function that runs `lockstep lab`. */
#ifndef LOCKSTEP_LEARN_H
#define LOCKSTEP_LEARN_H

#include "judge/judge.h"

/* ---- progress (progress.c) ---- */

/* DIRECTORY/.progress is text that the learner may edit. Times are local, to the minute.
 *
 *     # a comment
 *     at 02-coalesced stride
 *     01-naive copy passed 8/8 2026-11-22T22:40 copy=0.0143ms@sim:h200
 *     02-coalesced stride failed 6/10 2026-11-22T22:51 hints=2 offset_1=5@2026-11-22T22:49
 *
 * After lab, exercise and status all words are optional: points; the time of the best run; how
 * many hints were shown; NAME=GUESS@TIME, the first guess of a prediction; KERNEL=TIMEms@DEVICE,
 * the best time of a step that passed. */
enum { WHEN = 24, DEVICE_NAME = 24 };
struct dated_guess {
    int said;        /* the number that the learner guessed first; -1: no guess yet */
    char when[WHEN]; /* time of the guess; "": not recorded */
};
struct rung_time {
    double ms; /* the best time of the step on the device; 0: not measured */
    char device[DEVICE_NAME];
};
struct exercise_progress {
    const struct lab *lab;
    const struct exercise *exercise;
    enum status status; /* status of the best run; an exercise that has passed once stays passed */
    double score;
    char when[WHEN]; /* time of day of the best run; "": there was none */
    int hints;       /* how many hints were shown */
    struct dated_guess first[PREDICTIONS_MAX];
    struct rung_time rung[STEPS_MAX];
};
struct progress {
    char *file;          /* path of the progress file */
    struct buf comments; /* lines of the file that begin with #, kept as they are */
    /* lines that cannot be read, kept as they are; complaint: the error of the first such line;
     * NULL: there is none */
    struct buf unread;
    char *complaint;
    /* what is known about each exercise, in the order of lab_table */
    struct exercise_progress *past;
    int count;
    int at; /* index of the exercise that the learner worked on last; -1: none yet */
};
/* Read DIRECTORY/.progress, which may be missing. -1 with ERR_LEARNER: a line cannot be read, as
 * the message says, and later lines are not read; with ERR_ENV: an error of the environment. The
 * caller frees p in any case. Gradings use this function. */
int progress_read(struct progress *p, const char *directory, struct err *e);
/* The same for a learner, who may have mistyped: a line that cannot be read is skipped and kept.
 * The only error is ERR_ENV. */
int progress_read_kindly(struct progress *p, const char *directory, struct err *e);
/* Write the progress file. -1 with ERR_ENV. */
int progress_write(const struct progress *p, struct err *e);
void progress_free(struct progress *p);
/* The index of an exercise in p->past. */
int progress_find(const struct progress *p, const struct lab *lab, const struct exercise *x);
/* The step whose time improved most over the learner's own best time; step NULL: none did. */
struct record {
    const struct step *step;
    double ms, before;
};
/* Add the result of a run of `lockstep lab`: first guesses, points, and times if they are the best
 * on the device where it ran. Sets *record. No file is written. Returns whether anything has changed. */
int progress_note(
    struct progress *p, const struct result *r, const char *device, struct record *record);
/* Copy at most max first guesses, for struct session. Returns how many were copied. */
int progress_first(const struct progress *p, struct first_guess *out, int max);
enum { FIRST_MAX = 256 };
/* Is progress recorded for this folder? Yes, unless it is in the kit's solutions/ or tests/. */
int progress_kept(const struct kit *k, const char *directory);

/* ---- what is shown without a run (files.c, screens.c) ---- */

/* Append the first `count` hints for an exercise. Returns how many hints the exercise has. */
int files_hints(const struct kit *k, const struct exercise_progress *x, int count, struct buf *out);
/* The slide that the head of the exercise's file names: path of the slide deck, and title of the
 * slide; "" if it names none. */
void files_slide(
    const struct kit *k, const struct exercise_progress *x, char **deck, char *title, size_t size);
/* Append the text of a slide deck without the speaker's notes, from the slide of that title on; if
 * there is no such slide, the whole deck. figures: for each "[a figure]" in it a line with the words
 * after `lockstep figure`, or an empty one. */
void files_deck(const char *deck, const char *title, struct buf *out, struct buf *figures);
/* Append the list of all exercises, and which of them are passed. */
void screen_list(struct buf *out, const struct progress *p);

/* ---- a learner's own folder (files.c) ---- */

/* If there is nothing at this path, make a folder there with the skeletons of all labs. *made: how
 * many were written; 0: it was there, or no folder is made at such a path. -1 with ERR_ENV: it
 * cannot be written, and nothing is left of it. */
int files_make(const struct kit *k, const char *directory, int *made, struct err *e);

/* ---- the loop (loop.c) ---- */

/* The result of a run, as values for the loop. The text that a run prints is only shown to the
 * learner. */
/* GUESS_OPEN: no prediction was made, or nothing was counted. */
enum guess { GUESS_OPEN, GUESS_RIGHT, GUESS_WRONG };
/* learn.judge prints LEARN_BRIEFS brief answers, each with one part of the cause more (enum told of
 * view.h), and then everything that is known; LEARN_NEXT separates them. */
enum { LEARN_NEXT = '\v', LEARN_BRIEFS = 3 };

struct outcome {
    enum status status;
    struct points points;
    enum guess guess[PREDICTIONS_MAX];
    int cause; /* a cause is known, so that the brief answers differ */
};
/* Numbers of the lines of the learner's file that access memory, in ascending order; at most
 * ACCESS_LINES_MAX. */
enum { ACCESS_LINES_MAX = 64 };
struct access_lines {
    int line[ACCESS_LINES_MAX];
    int count;
};

/* Functions of the caller. Each is called in a child process and prints to stdout; while step runs,
 * it has the terminal. Text that judge prints before a form feed is shown at once, and replaced by
 * the rest when judge ends. Of the parts that LEARN_NEXT separates, the first is shown. All return
 * 0, or -1 with an error. */
struct learn {
    /* an open session; its directory is the one in which the learner writes */
    struct session *session;
    int made; /* how many skeletons were written to that directory, since it was not there before */
    int (*judge)(struct session *s, const struct lab *lab, const struct exercise *x,
        struct outcome *out, struct err *e);
    int (*accesses)(struct session *s, const struct lab *lab, const struct exercise *x,
        struct access_lines *out, struct err *e);
    int (*map)(struct session *s, const struct lab *lab, const struct exercise *x, const char *line,
        struct err *e);
    int (*step)(struct session *s, const struct lab *lab, const struct exercise *x, struct err *e);
};
/* Run the program's loop until the learner quits. -1 with ERR_ENV: there is no terminal, or an
 * error of the environment; with ERR_LEARNER: the progress file cannot be read. The terminal's
 * settings are restored in any case. */
int learn_run(const struct learn *l, struct err *e);

#endif
