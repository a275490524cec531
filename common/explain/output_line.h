/* output_line.h - private to explain/: which line of a file computes a wrong output
 * (output_line.c). */
#ifndef LOCKSTEP_EXPLAIN_OUTPUT_LINE_H
#define LOCKSTEP_EXPLAIN_OUTPUT_LINE_H

#include "judge/judge.h"

/* Append "; see FILE:24", the line that computes the wrong output, to t->see, unless the
 * finding has a line already. b: the wrong kernel; of a host exercise only b->step is used.
 * source NULL: nothing is appended. */
void output_line_tell(
    const struct bound_kernel *b, const char *file, const char *source, struct run_outcome *t);

#endif
