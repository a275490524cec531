/* score.h - how counters and times become points. The one place. */
#ifndef LOCKSTEP_LAB_SCORE_H
#define LOCKSTEP_LAB_SCORE_H

#include "lab/lab.h"

/* ratio: the student's time over the reference's. Full points up to 1.2, points * 1.2 / ratio beyond, none past 10; to a
 * tenth. */
double score_speed(int points, double ratio);
/* Is the budget kept? A value that was not counted (NAN) keeps no budget. */
int score_budget(const struct budget *b, double value);
/* Is the prediction right? counted is rounded to a whole number; -1 (UNKNOWN) is never right. */
int score_prediction(int said, double counted);

/* The line of a launch that costs most against a budget that was missed: its index into m->lines, or -1 when no line is
 * to blame (something is missing, rather than too much). */
int score_blame(const struct budget *b, const struct measurement *m);

#endif
