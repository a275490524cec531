/* index_trace.h - private to explain/: how the thread at fault came to its index (index_trace.c). */
#ifndef LOCKSTEP_EXPLAIN_INDEX_TRACE_H
#define LOCKSTEP_EXPLAIN_INDEX_TRACE_H

#include "judge/judge.h"

/* Append the thread's variables and the dimensions, if they explain the index of the fault in the
 * file with text source. block: threads in x and y. */
void index_trace_tell(const struct problem *p, const int *dims, const unsigned block[2],
    const char *source, const struct finding *found, struct buf *why);

/* Append the variable in the faulting line whose type is too narrow for the array's index
 * (narrow.c). */
void narrow_tell(const char *kernel, const char *file, const char *source, struct run_outcome *t);

/* For a file that does not compile: the line with something no exercise has, such as main, and what
 * to do (misfit.c). */
void misfit_tell(const struct compiled *c, struct buf *out);

#endif
