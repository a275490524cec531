/* explain.h - find out why a kernel is wrong: from its output, its fault and its source to a cause
 * and the edit that corrects it.
 *
 *     output ──> value: what the first wrong element looks like  ┐
 *     fault ───> trace: how the thread computed its index        ├─> struct cause
 *     source ──> edits, each tried; toward the solution first    ┘ */
#ifndef LOCKSTEP_EXPLAIN_H
#define LOCKSTEP_EXPLAIN_H

#include "judge/judge.h"

/* The functions by which a session explains a wrong kernel if session.explains points to this table
 * (explain.c). A cause is searched for only while a learner waits for it: session.brief is set,
 * session.final is not, and the device is simulated. A reported cause is proven: the kernel was
 * compiled and run with the edit as the check runs it, on every shape of the check. */
extern const struct explainer explainer;

/* Compare an output with the right answer. 0: every element is right. -1: one or two sentences
 * about the first wrong element are appended to why, without a newline, guesses marked as judge.h
 * says; *found holds the values in those sentences (value.c). */
int explain_output(const struct instance *in, const struct expected *want, const void *got,
    struct finding *found, struct buf *why);

/* The lines of the source that set the integers in the subscripts of a line: subscripts of the
 * kernel's shared or local arrays if `shared` is set, else of its pointers. Writes at most
 * ORIGIN_LINES line numbers in ascending order and returns how many; 0 also if the source is not
 * understood (index_source.c). */
enum { ORIGIN_LINES = 3 };
int explain_index_lines(
    const char *source, const char *kernel, int line, int shared, int lines[ORIGIN_LINES]);

#endif
