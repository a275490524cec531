/* grade.h - private to the room: what grading an exercise finds out on the way to its verdict. */
#ifndef LOCKSTEP_JUDGE_GRADE_H
#define LOCKSTEP_JUDGE_GRADE_H

#include "judge/judge.h"

/* What correctness checks found, over all steps. */
struct findings {
    int wrong;   /* a step gave a wrong result, faulted or did not end; r->message says which */
    int written; /* a step that earns points wrote some output */
};

/* Fill in score, status, times and message of r, whose steps hold their measurements. */
void verdict(struct result *r, const struct findings *f);
int step_earns(const struct step *s);

/* A seed for one purpose of this run. Equal purposes have equal seeds: two exercises on one problem at one size get
 * the same input, so the CPU answers once. */
uint64_t session_seed(const struct session *s, const char *what, const int *dims, int round);

/* Answers at the steps' sizes; session_answer asks them. */
struct answers *answers_new(void);
void answers_free(struct answers *a);

/* Append r, without its steps' lines, to out (wire.c): for the process that reports it, or for the cache. */
void wire_put_result(struct buf *out, const struct result *r);
/* Fill in the rest of r, whose lab and exercise are set already. -1 with ERR_ENV when the bytes are no result of it; r is
 * to be freed all the same. */
int wire_get_result(const struct buf *in, struct result *r, struct err *e);
/* The same for a measurement. */
void wire_put_measurement(struct buf *out, const struct measurement *m);
int wire_get_measurement(const struct buf *in, struct measurement *m, struct err *e);

#endif
