/* slips.h - private to judge/: usual slips in the text of a file whose result is wrong (slips.c). */
#ifndef LOCKSTEP_JUDGE_SLIPS_H
#define LOCKSTEP_JUDGE_SLIPS_H

#include "judge/judge.h"

/* Append "; look at FILE:12: a row of out has rows elements, and this index multiplies by cols" for the first
 * slip that the source holds, or "; see FILE:24" for the line that makes the output, if why names none yet.
 * b: the kernel that is wrong; of a host exercise its step is enough. source NULL: nothing is appended. */
void slips_tell(const struct bound *b, const char *file, const char *source, struct buf *why);
/* Do blocks of one of its kernels start further apart than COVERS says, so that some have nothing to do?
 * Append that as a warning, with a newline. */
void slips_idle(const struct build *b, struct buf *warnings);

/* ---- for the rules ---- */

/* The file with blanks for its comments, cut into lines; line is the one that a rule looks at, from 0. */
struct slips {
    const struct bound *bound;
    const struct problem *p;
    const char *source;
    char *text, **lines;
    int count, line;
    int first, last; /* lines of the kernel; -1: it is not found */
    int shared;      /* the file has shared memory */
};
int slips_is_dim(struct slips *s, const char *name);
/* Is the line a loop that starts at a constant other than 0? (slips_loop.c) */
int slips_starts_late(const char *line);

/* Say what is odd about the line and return 1, with s->line at the line that is to be shown. */
int slips_line(struct slips *s, const char *line, struct buf *says); /* slips_line.c */
int slips_loop(struct slips *s, const char *line, struct buf *says); /* slips_loop.c */

#endif
