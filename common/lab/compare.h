/* compare.h - is an output right? And if not, where is it wrong first, and what does the wrong value look like? */
#ifndef LOCKSTEP_LAB_COMPARE_H
#define LOCKSTEP_LAB_COMPARE_H

#include "lab/problem.h"

/* What outputs and guard bands hold before a launch, by elements of 4 or 8 bytes: signalling NaNs with a payload of their
 * own. None passes for an answer; arithmetic makes a quiet NaN of them; so what is still the same was never written. */
void poison_fill(void *data, size_t bytes, size_t element);
int poison_whole(const void *data, size_t bytes, size_t element); /* is all of it still poison? whole elements */

/* Compare what a kernel wrote with the answer. Returns 0 when every element is right; else -1, and *why (appended, one
 * or two sentences, no newline) tells the first wrong element. */
int compare_output(const struct instance *in, const struct expected *want, const void *got, struct buf *why);

#endif
