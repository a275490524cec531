/* slips.h - private to judge/: usual slips in the text of a file whose result is wrong (slips.c). */
#ifndef LOCKSTEP_JUDGE_SLIPS_H
#define LOCKSTEP_JUDGE_SLIPS_H

#include "judge/judge.h"

/* Append "; look at FILE:12: a row of out has rows elements, and this index counts cols" for the first slip
 * that the source holds. Returns 1, or 0: it holds none that is known. source NULL: none. */
int slips_tell(const struct problem *p, const char *file, const char *source, struct buf *why);

#endif
