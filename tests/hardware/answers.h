/* answers.h - the figures in the prose of labs, solutions and slides. */
#ifndef LOCKSTEP_HARDWARE_ANSWERS_H
#define LOCKSTEP_HARDWARE_ANSWERS_H

#include "judge/judge.h"

/* Make the figures of a lab's documents anew (its README.md and hints.md, its solutions', its
 * deck), and write the files that changed. check: only say that one is out of date; a file whose
 * kernels are by another compiler stays as it is. *stale counts the files that were. Returns 0, or
 * -1 with e set. */
int answers_update(struct session *s, const struct lab *lab, int check, int *stale, struct err *e);

/* The text with its figures made anew, into out. file: for messages. */
int answers_text(
    struct session *s, const char *file, const char *text, struct buf *out, struct err *e);

#endif
