/* profile.h - private to the room: what the files of a profile share. */
#ifndef LOCKSTEP_VIEW_PROFILE_H
#define LOCKSTEP_VIEW_PROFILE_H

#include "view/view.h"

#include <math.h>

/* A counter; 0 where it was not counted. */
static inline double counted(const struct metrics *m, enum metric id)
{
    return isnan(m->v[id]) ? 0 : m->v[id];
}

#endif
