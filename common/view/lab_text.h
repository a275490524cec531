/* lab_text.h - private to view/: sentences about a result that the terminal's text and its JSON share.
 * Each is appended without a newline. */
#ifndef LOCKSTEP_VIEW_LAB_TEXT_H
#define LOCKSTEP_VIEW_LAB_TEXT_H

#include "view/view.h"

/* Append the time and rate of a step: "0.0323 ms modelled, 8302 GFLOPS". */
void lab_time(struct buf *out, const struct step_result *s);
/* Append the points: "7 of 10 points; missing: 2 for budgets, 1 for time". */
void lab_points(struct buf *out, const struct result *r);
/* The text about one place of the cause, up to `told`, without its file and line. */
void lab_place(
    struct buf *out, const struct result *r, const struct cause_place *p, enum told told);
/* The beginning of the text about a cause that has several places; nothing if there is one
 * place. */
void lab_places(struct buf *out, const struct result *r, enum told told);
/* By how much the learner is faster than the previous technique and the first one: "3.5 times as
 * fast as "tiled", 7.1 times "naive"". Nothing if the learner is not faster. */
void lab_gain(struct buf *out, const struct step_result *s);
/* The name of an earlier technique. */
const char *lab_earlier(const struct earlier *x);
/* Does the learner write this kernel? A kernel that is given earns no points. */
int lab_own(const struct step_result *s);

#endif
