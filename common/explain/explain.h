/* explain.h - why a kernel is wrong: from its output, the fault and the source to a cause and the
 * edit that mends it.
 *
 *     output ──> value: what the first wrong element is        ┐
 *     fault ───> trace: how the thread came to its index        ├─> "...; the cause: x.cu:12: ..."
 *     source ──> edits, toward the solution first, each tried ─┘
 */
#ifndef LOCKSTEP_EXPLAIN_H
#define LOCKSTEP_EXPLAIN_H

#include "judge/judge.h"

/* For session.explains (explain.c). A cause is looked for only where a learner waits for it
 * (session.brief, not session.final, a simulated device). It is proven: the kernel was compiled and
 * run with the edit as the check runs it, on every shape of the check. */
extern const struct explainer explainer;

/* Compare an output with the answer. 0: every element is right. -1: one or two sentences about the
 * first wrong element are appended to why, without a newline and with marked guesses (judge.h), and
 * *found is what they say (value.c). */
int explain_output(const struct instance *in, const struct expected *want, const void *got,
    struct finding *found, struct buf *why);

/* The lines of a source text, in their order, where the integers get their values that the
 * subscripts in a line are made of: of the kernel's arrays if shared is set, else of its pointers.
 * Returns how many; 0 also if it cannot tell (index_source.c). */
enum { ORIGIN_LINES = 3 };
int explain_index_lines(
    const char *source, const char *kernel, int line, int shared, int lines[ORIGIN_LINES]);

#endif
