/* compare.h - is an output right? And if not, where is it wrong first, and what does the wrong value look like? */
#ifndef LOCKSTEP_LAB_COMPARE_H
#define LOCKSTEP_LAB_COMPARE_H

#include "lab/problem.h"

/* What outputs and guard bands hold before a launch: a NaN with a payload of its own, so that it can't pass for an
 * answer, and is known again where nothing was written. */
void poison_fill(void *data, size_t bytes);
int poison_whole(const void *data, size_t bytes); /* is all of it still poison? bytes: a multiple of 4 */

/* Compare what a kernel wrote with the answer. Returns 0 when every element is right; else -1, and *why (appended, one
 * or two sentences, no newline) tells the first wrong element. */
int compare_output(const struct instance *in, const struct expected *want, const void *got, struct buf *why);

#endif
