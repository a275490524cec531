/* answer.h - compute the answer to each problem on the CPU, in double (answer.c).
 *
 * The caller has allocated x->value, of x->count elements. Each function fills in value; if
 * rounding is allowed, it also allocates and fills in x->slack, the tolerance of each element.
 * expected_free frees both. */
#ifndef LOCKSTEP_EXERCISE_ANSWER_H
#define LOCKSTEP_EXERCISE_ANSWER_H

#include "exercise/exercise.h"

void answer_add(const struct instance *in, struct expected *x);
void answer_copy(const struct instance *in, struct expected *x);
void answer_transpose(const struct instance *in, struct expected *x);
void answer_matmul(const struct instance *in, struct expected *x);
void answer_matmul_tf32(const struct instance *in, struct expected *x);
void answer_matmul_half(const struct instance *in, struct expected *x);
void answer_diagonal(const struct instance *in, struct expected *x);
void answer_aat(const struct instance *in, struct expected *x);
void answer_norm_aos(const struct instance *in, struct expected *x);
void answer_norm_soa(const struct instance *in, struct expected *x);
void answer_copy_offset(const struct instance *in, struct expected *x);
void answer_copy_stride(const struct instance *in, struct expected *x);
void answer_copy_group(const struct instance *in, struct expected *x);
void answer_copy_doubles(const struct instance *in, struct expected *x);
void answer_polynomial(const struct instance *in, struct expected *x);
void answer_parity(const struct instance *in, struct expected *x);
void answer_unequal(const struct instance *in, struct expected *x);

#endif
