/* answers.h - the figures in the prose of labs, solutions and slides. */
#ifndef LOCKSTEP_HARDWARE_ANSWERS_H
#define LOCKSTEP_HARDWARE_ANSWERS_H

#include "judge/judge.h"

/* Make the figures of a lab's documents anew (its README.md and hints.md, those of its solutions,
 * its deck), and write the files that changed. check: write nothing, only say which files are out
 * of date; a file with kernels by another compiler is not checked. *stale is increased by the
 * number of files that were out of date. Returns 0, or -1 with e set. */
int answers_update(struct session *s, const struct lab *lab, int check, int *stale, struct err *e);

/* Append the text to out with its figures made anew. file: its name, for messages. -1 with e
 * set. */
int answers_text(
    struct session *s, const char *file, const char *text, struct buf *out, struct err *e);

#endif
