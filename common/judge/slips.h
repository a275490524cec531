/* slips.h - private to judge/: usual slips in the text of a file whose result is wrong (slips.c). */
#ifndef LOCKSTEP_JUDGE_SLIPS_H
#define LOCKSTEP_JUDGE_SLIPS_H

#include "judge/judge.h"

/* Append "; look at FILE:12: a row of out has rows elements, and this index multiplies by cols" for the first
 * slip that the source holds. Returns 1, or 0: it holds none that is known. b: the kernel that is wrong; of a
 * host exercise its problem and step are enough. source NULL: none. */
int slips_tell(const struct bound *b, const char *file, const char *source, struct buf *why);
/* Do blocks start further apart than COVERS says, so that some have nothing to do? Append that as a warning,
 * with a newline. */
void slips_idle(const struct bound *b, const char *file, const char *source, struct buf *warnings);

#endif
