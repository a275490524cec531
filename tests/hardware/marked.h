/* marked.h - tables in a document that a command writes, between marks:
 *
 *     <!-- ladder matmul -->       KIND and, for some kinds, a NAME
 *     ...                          the table, made anew
 *     <!-- end ladder -->
 */
#ifndef LOCKSTEP_HARDWARE_MARKED_H
#define LOCKSTEP_HARDWARE_MARKED_H

#include "base/base.h"

/* Appends the table NAME ("" if the mark has none) to out. old: the text that stands there now.
 * Returns 0, or -1 with e set. */
typedef int marked_table(
    void *context, const char *name, const char *old, struct buf *out, struct err *e);

/* Make all tables of a kind in a file anew, and write the file if one changed. check: write
 * nothing, only say that the file is out of date. *stale is increased if it is. Returns 0, or -1
 * with e set: the file cannot be read or written, has no such table, a table is not closed, or make
 * failed. */
int marked_update(const char *file, const char *kind, marked_table *make, void *context, int check,
    int *stale, struct err *e);

/* Whether the first line of a table says "kernels by FRONT." with another front end than this. */
int marked_by_another(const char *front, const char *table);

#endif
