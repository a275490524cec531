/* declared.h - private to sim/: the shape of an array as the learner's source declares it
 * (declared.c). */
#ifndef LOCKSTEP_SIM_DECLARED_H
#define LOCKSTEP_SIM_DECLARED_H

#include "base/base.h"

enum { DECLARED_DIMS = 4 };
/* float tile[32][33]: count 2, dim {32, 33}, elements 1056, element 4 bytes, in this line of the
 * source. */
struct declared {
    int count, line;
    long dim[DECLARED_DIMS];
    size_t elements, element;
};
/* Find the shared array of that name and size; the first one after the text of function, if there
 * is one. text may be NULL. Returns 1, or 0: there is none that is understood. */
int declared_array(
    const char *text, const char *name, const char *function, size_t bytes, struct declared *out);
/* The arrays that the function declares for each thread, without __shared__. Returns how many; the
 * first one and its name go to *out and name. */
int declared_own(
    const char *text, const char *function, struct declared *out, char *name, size_t size);

#endif
