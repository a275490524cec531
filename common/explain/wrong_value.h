/* wrong_value.h - private to explain/: which usual mistake gives the wrong output that a kernel
 * wrote. */
#ifndef LOCKSTEP_EXPLAIN_WRONG_VALUE_H
#define LOCKSTEP_EXPLAIN_WRONG_VALUE_H

#include "judge/judge.h"

/* An output beside its answer. wrong: a sample of elements that were written and are wrong, at
 * least one.  */
enum { SAMPLE = 12 };
struct suspicion {
    const struct instance *in;
    const struct expected *want;
    const void *data;
    struct finding *found; /* what a matching suspect reports */
    size_t rows, columns;
    size_t wrong[SAMPLE];
    int count;
};

/* The value that a mistake would give an element; NAN: it would read outside of an input. */
typedef double suspect(const struct suspicion *s, const void *rule, size_t i);
/* Does the mistake give the value of every element of the sample? */
int wrong_value_fit(const struct suspicion *s, suspect *value, const void *rule);

/* Append what the mistake is, if one fits. Returns 1, or 0: none does. */
int wrong_value_name(const struct suspicion *s, struct buf *why); /* tries the tables below */
/* matmul and aat (wrong_value_product.c) */
int wrong_value_product(const struct suspicion *s, struct buf *why);
/* matmul (wrong_value_fragments.c) */
int wrong_value_fragments(const struct suspicion *s, struct buf *why);
/* vectors, copies (wrong_value_vector.c) */
int wrong_value_vector(const struct suspicion *s, struct buf *why);
/* Append which part of the output was written, if not all of it was: "; written are ..."
 * (wrong_value.c). */
void wrong_value_written(const struct instance *in, const void *data, size_t rows, size_t columns,
    struct finding *found, struct buf *why);
/* Does each block write only a part of what COVERS declares? Append how much. */
void wrong_value_blocks(const struct bound_kernel *b, const struct instance *in, const void *data,
    struct finding *found, struct buf *why);
/* Does element i still hold the poison from before the launch? */
int wrong_value_poison(const struct instance *in, const void *data, size_t i);

#endif
