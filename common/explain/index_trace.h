/* index_trace.h - private to explain/: how the faulting thread computed its index
 * (index_trace.c). */
#ifndef LOCKSTEP_EXPLAIN_INDEX_TRACE_H
#define LOCKSTEP_EXPLAIN_INDEX_TRACE_H

#include "explain/code.h"
#include "judge/judge.h"

/* Append the values of the thread's variables and the dimensions, if they give the index of the
 * fault. source: the text of the file. block: threads in x and y. */
void index_trace_tell(const struct problem *p, const int *dims, const unsigned block[2],
    const char *kernel, const char *source, const struct finding *found, struct buf *why);

/* The greatest value of a variable whose type is narrower than int; 0: the type is not narrower.
 * *type: the type's name (narrow.c). */
long long narrow_most(const struct code *c, const struct symbol *s, const char **type);

/* If a variable in the faulting line has a type too narrow for the array's index, append a sentence
 * about that type (narrow.c). */
void narrow_tell(const char *kernel, const char *file, const char *source, struct run_outcome *t);

/* If a file does not compile because it contains something that no exercise has, such as main:
 * append the number of that line and what to do (misfit.c). */
void misfit_tell(const struct compiled *c, struct buf *out);

#endif
