/* maker.h - private to explain/: the line of a file that makes a wrong output (maker.c). */
#ifndef LOCKSTEP_EXPLAIN_MAKER_H
#define LOCKSTEP_EXPLAIN_MAKER_H

#include "judge/judge.h"

/* The file with blanks for its comments, cut into lines; line is the one that is looked at,
 * from 0. */
struct source {
    const struct bound *bound;
    const struct problem *p;
    const char *source;
    const struct finding *found; /* what is known of the output */
    char *text, **lines;
    int count, line;
    int first, last; /* lines of the kernel; -1: it is not found */
};
/* Say which usual slip the text holds, if any: then 1, with s->line at the line to look at
 * (slips.c). */
int slips_tell(struct source *s, struct buf *says);
/* Is the line in a kernel that is another one? (maker.c) */
int maker_elsewhere(const struct source *s, int line);
/* Is the line a loop that starts at a constant other than 0? */
int slips_starts_late(const char *line);

/* Append "; look at FILE:12: ..." for a usual slip to t->cause, and return 1. b: the kernel that is
 * wrong; of a host exercise its step is enough. source NULL: nothing is appended. */
int maker_slip(const struct bound *b, const char *file, const char *source, struct trial *t);
/* The same; where there is no slip, append "; see FILE:24" for the line that makes the output,
 * unless the finding has a line. */
void maker_tell(const struct bound *b, const char *file, const char *source, struct trial *t);

#endif
