/* compile.h - private to exercise/: read a source file, and check what it may include. */
#ifndef LOCKSTEP_EXERCISE_COMPILE_H
#define LOCKSTEP_EXERCISE_COMPILE_H

#include "exercise/exercise.h"

/* Was the file refused because it uses something that the kit does not have, such as textures or
 * cooperative groups? Then 1, and *e says in one line what it is and what there is instead
 * (unsupported.c). */
int unsupported(const struct compiled *c, struct err *e);

/* Read a source file into out->source. 0, or -1 with status and output set: the file is missing, not a
 * regular file, empty, binary or too large. */
enum { SOURCE_MAX = 256 * 1024 };
int source_read(const char *file, struct compiled *out);
/* Find the first file in deps that a submission may not include. deps is a make rule, as a compiler
 * writes it. Allowed are the file itself, lockstep.h, the system's headers and files in directory
 * (NULL: none). NULL: all are allowed. The caller frees the result. */
char *compile_foreign_include(const struct kit *k, const char *deps, const char *file, const char *directory);

#endif
