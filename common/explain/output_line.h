/* output_line.h - private to explain/: the line of a file that makes a wrong output (output_line.c). */
#ifndef LOCKSTEP_EXPLAIN_OUTPUT_LINE_H
#define LOCKSTEP_EXPLAIN_OUTPUT_LINE_H

#include "judge/judge.h"

/* Append "; see FILE:24" for the line that makes the output to t->cause, unless the finding has a
 * line. b: the wrong kernel; for a host exercise only its step is needed. source NULL: nothing is
 * appended. */
void output_line_tell(
    const struct bound_kernel *b, const char *file, const char *source, struct run_outcome *t);

#endif
