/* schedule.h - the order of a block's instructions that waits least (schedule.c). */
#ifndef LOCKSTEP_PTX_SCHEDULE_H
#define LOCKSTEP_PTX_SCHEDULE_H

#include "ptx/live.h"

/* order[k]: the step that comes k-th of count. scratch: 2 * slots ints, of any content. Takes time as count squared. */
void ptx_schedule(const struct ptx_step *steps, int count, int *scratch, int slots, int *order);

#endif
