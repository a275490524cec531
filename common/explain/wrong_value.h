/* wrong_value.h - private to explain/: which usual mistake would give the wrong output of a
 * kernel. */
#ifndef LOCKSTEP_EXPLAIN_WRONG_VALUE_H
#define LOCKSTEP_EXPLAIN_WRONG_VALUE_H

#include "judge/judge.h"

/* An output and its answer. wrong: indices of a sample of at most SAMPLE elements, and at least
 * one, that were written and are wrong. */
enum { SAMPLE = 12 };
struct suspicion {
    const struct instance *in;
    const struct expected *want;
    const void *data;
    struct finding *found; /* is filled in with what a matching mistake implies */
    size_t rows, columns;
    size_t wrong[SAMPLE];
    int count;
};

/* The value of element i if the kernel had a certain mistake, with parameters `rule`; NAN: it
 * would read outside of an input. */
typedef double suspect(const struct suspicion *s, const void *rule, size_t i);
/* Would the mistake give the value of every element of the sample? */
int wrong_value_fit(const struct suspicion *s, suspect *value, const void *rule);
/* Are the values of the sample nearly factor * answer? (wrong_value.c) */
int wrong_value_near(const struct suspicion *s, double factor);

/* Append which usual mistake would give the wrong output, if one does. Returns whether one does. */
int wrong_value_name(const struct suspicion *s, struct buf *why); /* tries all tables of mistakes */
/* The mistakes of matmul and aat (wrong_value_product.c). */
int wrong_value_product(const struct suspicion *s, struct buf *why);
/* The mistakes of matmul with mma instructions (wrong_value_fragments.c). */
int wrong_value_fragments(const struct suspicion *s, struct buf *why);
/* The mistakes of problems on vectors, and of copies (wrong_value_vector.c). */
int wrong_value_vector(const struct suspicion *s, struct buf *why);
/* Append which part of the output was written, if not all of it was: "; written are ..."
 * (wrong_value.c). */
void wrong_value_written(const struct instance *in, const void *data, size_t rows, size_t columns,
    struct finding *found, struct buf *why);
/* If each block writes the same part of the elements that COVERS declares for it: append which
 * part. */
void wrong_value_blocks(const struct bound_kernel *b, const struct instance *in, const void *data,
    struct finding *found, struct buf *why);
/* Does element i of the output still have the value that the kit wrote everywhere before the
 * launch? */
int wrong_value_poison(const struct instance *in, const void *data, size_t i);

#endif
