/* learn_private.h - what the files of this room share: terminal, child, files of an exercise, screens. */
#ifndef LOCKSTEP_LEARN_PRIVATE_H
#define LOCKSTEP_LEARN_PRIVATE_H

#include "learn/learn.h"

#include <sys/types.h>

/* ---- terminal.c: keys one at a time, and the terminal as it was whatever happens ---- */

int terminal_open(struct err *e); /* -1 with ERR_ENV: stdin or stdout is no terminal */
void terminal_close(void);
/* 1: as it was before, for another program; 0: keys again */
void terminal_lend(int lent);
void terminal_forked(void); /* in a child: leave the parent's terminal alone */
int terminal_ended(void);   /* a signal asked for the end */
int terminal_changed(void); /* another size, or continued after a stop; once */
/* The key after an escape character belongs to a sequence (an arrow): take all of it. 0: Escape
 * alone. */
int terminal_sequence(void);
/* Write text page by page: as much as fits now, the rest by terminal_more. Lines are counted as the
 * terminal breaks them; one that begins with a form feed begins a page. */
void terminal_clear(void);
void terminal_page(struct buf *text);
int terminal_more(void); /* show the next page; 0: there is none */
/* a line, at once */
void terminal_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- question.c: a line that is written key by key, so that a save is answered meanwhile ---- */

struct question {
    const char *prompt; /* the caller's, until the line is there */
    char line[128];
    int length;
};
/* LEAVE: Escape, or q or n on an empty line */
enum pressed { PRESSED_MORE, PRESSED_LINE, PRESSED_LEAVE };
void question_ask(struct question *q, const char *prompt);
/* prompt and line, after something else was printed */
void question_again(const struct question *q);
enum pressed question_key(struct question *q, int key);

/* ---- child.c: judging and drawing run in a child process that can be ended at any time ---- */

struct child {
    pid_t pid; /* 0: none runs */
    int out;   /* its stdout and stderr */
    double began;
};
typedef int child_work(void *context, struct err *e);
int child_start(struct child *c, child_work *work, void *context, struct err *e);
/* Take what there is to read. 1: more may come. 0: it has ended, and *result is what work returned,
 * or -1. */
int child_take(struct child *c, struct buf *text, int *result);
void child_end(struct child *c); /* at once */
/* Run it to its end; the text is appended. Returns what work returned. */
int child_run(child_work *work, void *context, struct buf *text, struct err *e);

/* Run it with the terminal as its own. Returns what work returned. */
int child_attend(child_work *work, void *context, struct err *e);

/* ---- files.c: the files of an exercise ---- */

/* Append the first count hints for an exercise. Returns how many there are. */
int files_hints(const struct kit *k, const struct exercise_progress *x, int count, struct buf *out);
/* The deck and the title of the slide that the exercise's head names; title "" if it names none. */
void files_slide(
    const struct kit *k, const struct exercise_progress *x, char **deck, char *title, size_t size);
/* Append the text of a deck without the speaker's notes, from the slide with that title on; all
 * if there is none. */
void files_deck(const char *deck, const char *title, struct buf *out);
/* Remove the comments of a page (<!-- ... -->) from its text, in place: they are for make
 * tables. */
void files_uncomment(char *text);
/* What PREDICT(name, ...) holds now. The caller frees it; NULL: there is no such line. */
char *files_predicted(const char *file, const char *name);
/* Replace it. -1 with ERR_LEARNER or ERR_ENV. */
int files_predict(const char *file, const char *name, const char *value, struct err *e);
/* Keep the skeletons of the kit's own labs/ beside them, when learning first begins there. */
int files_keep(const struct kit *k, const char *directory, struct err *e);
/* Restore the skeleton; *backup: the path of the old file, which the caller frees. */
int files_reset(const struct kit *k, const char *directory, const struct exercise_progress *x,
    char **backup, struct err *e);

/* ---- screens.c ---- */

/* back: not for the first time */
void screen_welcome(struct buf *out, const struct progress *p, int back);
void screen_exercise(struct buf *out, const struct learn *l, const struct progress *p);
void screen_list(struct buf *out, const struct progress *p);
void screen_help(struct buf *out, const struct exercise_progress *x);
void screen_end(struct buf *out, const struct progress *p);
int screen_passed(const struct progress *p, const struct lab *lab); /* lab NULL: all */

#endif
