/* compile.h - private to the room: reading a source file, and what it may include. */
#ifndef LOCKSTEP_EXERCISE_COMPILE_H
#define LOCKSTEP_EXERCISE_COMPILE_H

#include "exercise/exercise.h"

/* Was it refused for what the kit does not have: textures, cooperative groups and the like? Then 1, and *e says in one line
 * what and what there is instead (unsupported.c). */
int unsupported(const struct compiled *c, struct err *e);

/* Read a source file. 0, or -1 with status and output set (missing, not a file, empty, binary, too large). */
enum { SOURCE_MAX = 256 * 1024 };
int source_read(const char *file, struct compiled *out);
/* The first file named in deps (a make rule, as a compiler writes it) that a submission may not include: anything but
 * itself, lockstep.h, the system's headers and files in directory (NULL: none). NULL when all are allowed. */
char *compile_foreign_include(const struct kit *k, const char *deps, const char *file, const char *directory);

#endif
