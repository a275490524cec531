/* learn_private.h - shared by the files of learn/: terminal, child process, files of an
 * exercise, screens. */
#ifndef LOCKSTEP_LEARN_PRIVATE_H
#define LOCKSTEP_LEARN_PRIVATE_H

#include "learn/learn.h"
#include "os/os.h"

#include <sys/types.h>

/* ---- terminal.c: single keys, and settings that are restored in any case ---- */

/* Start reading single keys. -1 with ERR_ENV: stdin or stdout is no terminal. */
int terminal_open(struct err *e);
void terminal_close(void);
/* lent = 1: restore the original settings, for another program; 0: read single keys again. */
void terminal_lend(int lent);
/* To be called in a child process, so that it does not restore the parent's settings. */
void terminal_forked(void);
int terminal_ended(void); /* Did a signal request the end of the program? */
/* Was the terminal resized, or the program continued after Ctrl-Z, since the last call? */
int terminal_changed(void);
/* To be called after an escape character. If that begins a sequence (an arrow key), the rest is
 * read. Returns 0 if it was the Escape key. */
int terminal_sequence(void);
/* Write text page by page: as much as fits is written at once, the rest by terminal_more. A line
 * that begins with a form feed begins a page. Rows are counted as the terminal wraps lines. */
void terminal_clear(void);
void terminal_page(struct buf *text);
int terminal_more(void); /* Show the next page; 0: there is none. */
/* Print a line at once. */
void terminal_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- question.c: a line typed key by key, so that a save can be answered meanwhile ---- */

struct question {
    /* printed before the line; owned by the caller, who keeps it until the line is complete */
    const char *prompt;
    char line[128];
    int length;
};
/* What a key did to the line that is being typed. MORE: the line is not complete yet; LINE: it is
 * complete; LEAVE: the learner left it by Escape, or by q or n while it was empty. */
enum pressed { PRESSED_MORE, PRESSED_LINE, PRESSED_LEAVE };
void question_ask(struct question *q, const char *prompt);
/* Print prompt and line again, after other output. */
void question_again(const struct question *q);
enum pressed question_key(struct question *q, int key);

/* ---- child.c: work in a child process ---- */

/* child_start for a child that knows the terminal's size and colours. */
int learn_start(struct child *c, child_work *work, void *context, struct err *e);
/* Call work in a child process and wait for its end; what it prints is appended to text. Returns
 * what work returned. */
int child_run(child_work *work, void *context, struct buf *text, struct err *e);

/* Call work in a child process that has the terminal, and wait for its end. Returns what work
 * returned. */
int child_attend(child_work *work, void *context, struct err *e);

/* ---- files.c: the files of an exercise ---- */

/* Remove comments (<!-- ... -->), which serve `make tables`, from the text of a page, in place. */
void files_uncomment(char *text);
/* The value in PREDICT(name, ...) of the file. The caller frees it; NULL: there is no such line. */
char *files_predicted(const char *file, const char *name);
/* Replace the value in PREDICT(name, ...) of the file. -1 with ERR_LEARNER or ERR_ENV. */
int files_predict(const char *file, const char *name, const char *value, struct err *e);
/* Save the skeletons of the kit's own labs/ when learning begins there for the first time. */
int files_keep(const struct kit *k, const char *directory, struct err *e);
/* Replace the learner's file by the skeleton. *backup: the path to which the learner's file was
 * moved, which the caller frees. */
int files_reset(const struct kit *k, const char *directory, const struct exercise_progress *x,
    char **backup, struct err *e);

/* ---- screens.c ---- */

/* Append the welcome screen. back: the learner has been here before. */
void screen_welcome(struct buf *out, const struct progress *p, int back);
/* Append a line with the learner's place: a mark for each exercise of the lab, and how many
 * exercises are passed, in this lab and in all labs. */
void screen_bar(struct buf *out, const struct progress *p);
void screen_exercise(struct buf *out, const struct learn *l, const struct progress *p);
/* solutions: the kit has some, to be shown by keys o and a. */
void screen_help(struct buf *out, const struct exercise_progress *x, int solutions);
void screen_end(struct buf *out, const struct progress *p);
/* How many exercises of a lab were passed; lab NULL: of all labs. */
int screen_passed(const struct progress *p, const struct lab *lab);

#endif
