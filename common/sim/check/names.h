/* names.h - private to sim/: a byte of shared or local memory as the learner wrote it (names.c). */
#ifndef LOCKSTEP_SIM_NAMES_H
#define LOCKSTEP_SIM_NAMES_H

#include "sim/check/declared.h"
#include "sim/machine.h"

/* An array: where it starts in its space, how many bytes it has, and how the source declares it. */
struct named {
    char name[64];
    uint64_t start, bytes;
    struct declared shape;
};
/* The shared array that a step's access is meant for; step -1: the one that holds the byte. 0: not
 * known. */
int names_array(const struct worker *w, int step, uint64_t addr, struct named *out);
/* Write "tile[32][5]", which may lie outside of the array. */
void names_element(const struct named *n, uint64_t addr, char *out, size_t size);
/* The same of whatever lies there; "byte 4116 of shared memory" if no array is known. */
void names_shared(const struct worker *w, int step, uint64_t addr, char *out, size_t size);
/* The same as a value, with the first subscript. */
struct finding names_finding(enum finding_kind kind, const struct named *n, uint64_t addr);
void names_shape(const struct named *n, char *out, size_t size); /* "32 x 33" */
/* The arrays that the kernel's source declares without __shared__: how many; the first goes to
 * *out. */
int names_own(const struct worker *w, struct named *out);

#endif
