/* answers.h - the figures in the answers to the labs' questions. */
#ifndef LOCKSTEP_HARDWARE_ANSWERS_H
#define LOCKSTEP_HARDWARE_ANSWERS_H

#include "judge/judge.h"

/* Make the figures of solutions/LAB/README.md anew, and write the file if one changed. check: only say that
 * it is out of date; a file whose kernels are by another compiler stays as it is. *stale counts the files that
 * were. Returns 0, or -1 with e set. */
int answers_update(struct session *s, const struct lab *lab, int check, int *stale, struct err *e);

/* The text with its figures made anew, into out. file: for messages. */
int answers_text(struct session *s, const char *file, const char *text, struct buf *out, struct err *e);

#endif
