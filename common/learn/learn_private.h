/* learn_private.h - shared by the files of learn/: terminal, child process, files of an
 * exercise, screens. */
#ifndef LOCKSTEP_LEARN_PRIVATE_H
#define LOCKSTEP_LEARN_PRIVATE_H

#include "learn/learn.h"

#include <sys/types.h>

/* ---- terminal.c: single keys, and settings that are restored in any case ---- */

int terminal_open(struct err *e); /* -1 with ERR_ENV: stdin or stdout is no terminal */
void terminal_close(void);
/* 1: restore the original settings, for another program; 0: read single keys again. */
void terminal_lend(int lent);
void terminal_forked(void); /* in a child process: do not restore the parent's settings */
int terminal_ended(void);   /* did a signal request the end? */
/* Was the terminal resized, or the program continued after Ctrl-Z, since the last call? */
int terminal_changed(void);
/* After an escape character: if it begins a sequence (an arrow key), read the rest. 0: it was
 * the Escape key. */
int terminal_sequence(void);
/* Write text page by page: as much as fits now, the rest by terminal_more. A line that begins
 * with a form feed begins a page. Rows are counted as the terminal wraps lines. */
void terminal_clear(void);
void terminal_page(struct buf *text);
int terminal_more(void); /* show the next page; 0: there is none */
/* Print a line at once. */
void terminal_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- question.c: a line typed key by key, so that a save can be answered meanwhile ---- */

struct question {
    const char *prompt; /* owned by the caller, who keeps it until the line is complete */
    char line[128];
    int length;
};
/* What a key did: the line goes on, is complete, or was left by Escape, or by q or n while it
 * was empty. */
enum pressed { PRESSED_MORE, PRESSED_LINE, PRESSED_LEAVE };
void question_ask(struct question *q, const char *prompt);
/* Print prompt and line again, after other output. */
void question_again(const struct question *q);
enum pressed question_key(struct question *q, int key);

/* ---- child.c: work in a child process, which can be killed at any time ---- */

struct child {
    pid_t pid; /* 0: none is running */
    int out;   /* pipe from its stdout and stderr */
    double began;
};
typedef int child_work(void *context, struct err *e);
int child_start(struct child *c, child_work *work, void *context, struct err *e);
/* Read what the child has printed. 1: more may come. 0: it has ended; *result is what work
 * returned, or -1. */
int child_take(struct child *c, struct buf *text, int *result);
void child_end(struct child *c); /* kill it */
/* Run work in a child and wait for it; its output is appended. Returns what work returned. */
int child_run(child_work *work, void *context, struct buf *text, struct err *e);

/* Run work in a child that has the terminal, and wait for it. Returns what work returned. */
int child_attend(child_work *work, void *context, struct err *e);

/* ---- files.c: the files of an exercise ---- */

/* Append the first `count` hints for an exercise. Returns how many there are in all. */
int files_hints(const struct kit *k, const struct exercise_progress *x, int count, struct buf *out);
/* The slide that the head of the exercise's file names: path of the deck and title; "" if it
 * names none. */
void files_slide(
    const struct kit *k, const struct exercise_progress *x, char **deck, char *title, size_t size);
/* Append the text of a deck without the speaker's notes, beginning with the slide of that title;
 * all of it if there is none. */
void files_deck(const char *deck, const char *title, struct buf *out);
/* Remove comments (<!-- ... -->), which serve `make tables`, from the text of a page, in place. */
void files_uncomment(char *text);
/* The value in PREDICT(name, ...) of the file. The caller frees it; NULL: there is no such line. */
char *files_predicted(const char *file, const char *name);
/* Replace that value. -1 with ERR_LEARNER or ERR_ENV. */
int files_predict(const char *file, const char *name, const char *value, struct err *e);
/* Save the skeletons of the kit's own labs/ when learning begins there for the first time. */
int files_keep(const struct kit *k, const char *directory, struct err *e);
/* Restore the skeleton. *backup: the path to which the learner's file was moved, which the
 * caller frees. */
int files_reset(const struct kit *k, const char *directory, const struct exercise_progress *x,
    char **backup, struct err *e);

/* ---- screens.c ---- */

/* Append the welcome. back: the learner has been here before. */
void screen_welcome(struct buf *out, const struct progress *p, int back);
void screen_exercise(struct buf *out, const struct learn *l, const struct progress *p);
void screen_list(struct buf *out, const struct progress *p);
void screen_help(struct buf *out, const struct exercise_progress *x);
void screen_end(struct buf *out, const struct progress *p);
int screen_passed(const struct progress *p, const struct lab *lab); /* lab NULL: of all labs */

#endif
