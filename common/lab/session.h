/* session.h - for grading's own files: seeds and answers of a run (session.c). struct session is in grade.h. */
#ifndef LOCKSTEP_LAB_SESSION_H
#define LOCKSTEP_LAB_SESSION_H

#include "lab/grade.h"

int session_simulated(const struct session *s);
/* Open s->device where it is not open yet: in a process of an exercise, which from then on starts no other. */
int session_device(struct session *s, struct err *e);

/* A seed for one purpose of this run. Equal purposes have equal seeds: two exercises on one problem at one size get
 * the same input, so the CPU answers once. */
uint64_t session_seed(const struct session *s, const char *what, const int *dims, int round);

/* Answers at the steps' sizes, kept while there is room. */
struct answers *answers_new(void);
void answers_free(struct answers *a);
/* The answer to in, which was made from seed; valid until three others were asked for. */
const struct expected *answers_get(struct answers *a, const struct instance *in, uint64_t seed);

#endif
