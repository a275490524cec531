/* names.h - private to sim/: describes a byte of shared or local memory in terms of the learner's
 * source, such as "tile[32][5]" (names.c). */
#ifndef LOCKSTEP_SIM_NAMES_H
#define LOCKSTEP_SIM_NAMES_H

#include "sim/check/declared.h"
#include "sim/machine.h"

/* Is the line in the body of an if or an else (condition.c)? */
int in_condition(const char *text, int line);

/* An array of shared or local memory: name, start address in its space, size in bytes, and
 * declaration in the source. */
struct named {
    char name[64];
    uint64_t start, bytes;
    struct declared shape;
};
/* Finds the shared array that a step's address was computed from. If step is -1, or there is no
 * such array, finds the array that contains addr. Returns 0 if there is none either. */
int names_array(const struct worker *w, int step, uint64_t addr, struct named *out);
/* Write the element at addr, such as "tile[32][5]", to out. The subscripts may lie outside of the
 * array. */
void names_element(const struct named *n, uint64_t addr, char *out, size_t size);
/* Write the element of the array that the step accesses at addr, such as "tile[32][5]", or "byte
 * 4116 of shared memory" if no array is known. */
void names_shared(const struct worker *w, int step, uint64_t addr, char *out, size_t size);
/* A finding about the element of the array at addr, with the array's name and the first
 * subscript. */
struct finding names_finding(enum finding_kind kind, const struct named *n, uint64_t addr);
/* Writes the dimensions of an array, such as "32 x 33". */
void names_shape(const struct named *n, char *out, size_t size);
/* The source text at a step's line and column, up to the end of its statement or line; of length 0
 * if it is not known. A call that was inlined has its own line and column. */
const char *names_place(const struct ptx_program *p, int step, size_t *length);
/* The first argument of the call at a step's place, without &, such as "full[i]" of
 * barrier_init(&full[i], 1). Returns 0 if the argument is missing or is no name. */
int names_argument(const struct ptx_program *p, int step, char *out, size_t size);
/* The number of arrays that the kernel's source declares without __shared__; *out receives the
 * first array. */
int names_own(const struct worker *w, struct named *out);

#endif
