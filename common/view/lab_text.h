/* lab_text.h - private to view/: sentences about a result that the terminal's text and its JSON share.
 * Each is appended without a newline. */
#ifndef LOCKSTEP_VIEW_LAB_TEXT_H
#define LOCKSTEP_VIEW_LAB_TEXT_H

#include "view/view.h"

/* "0.0323 ms modelled, 8302 GFLOPS" */
void lab_time(struct buf *out, const struct step_result *s);
/* "7 of 10 points; missing: 2 for budgets, 1 for time" */
void lab_points(struct buf *out, const struct result *r);
/* A place of the cause, as much as is told of it, without its file and line. */
void lab_place(
    struct buf *out, const struct result *r, const struct cause_place *p, enum told told);
/* What a cause of several places begins with; nothing if there is one place. */
void lab_places(struct buf *out, const struct result *r, enum told told);
/* By how much the learner is faster than the previous technique and the first one: "3.5 times as
 * fast as "tiled", 7.1 times "naive"". Nothing if it is not. */
void lab_gain(struct buf *out, const struct step_result *s);
/* The name of an earlier technique. */
const char *lab_earlier(const struct earlier *x);
/* Does the learner write this kernel? A given one earns nothing. */
int lab_own(const struct step_result *s);
/* Are all predictions of the exercise filled in? A prediction of -1 (UNKNOWN) is not. */
int lab_predicted(const struct result *r);

#endif
