/* declared.h - private to sim/: an array's dimensions as declared in the learner's source
 * (declared.c). */
#ifndef LOCKSTEP_SIM_DECLARED_H
#define LOCKSTEP_SIM_DECLARED_H

#include "base/base.h"

enum { DECLARED_DIMS = 4 };
/* A declaration in the source. For float tile[32][33]: count 2, dim {32, 33}, elements 1056,
 * element 4 (bytes); line: its line number. scalar: 1 for a variable such as float total, which
 * counts as total[1]. */
struct declared {
    int count, line, scalar;
    long dim[DECLARED_DIMS];
    size_t elements, element;
};
/* Find the declaration of the shared array or scalar with this name and size in bytes: the first
 * one after the definition of function if there is one, else the first in text. text may be NULL.
 * Returns 1, or 0 if no declaration was found whose dimensions could be evaluated. */
int declared_array(
    const char *text, const char *name, const char *function, size_t bytes, struct declared *out);
/* Find the arrays that the function declares for each thread (without __shared__). Returns their
 * number; *out and name receive the first one. */
int declared_own(
    const char *text, const char *function, struct declared *out, char *name, size_t size);

#endif
