/* profile.h - private to common/view: what profile_advice.c and profile_explain.c share. */
#ifndef LOCKSTEP_VIEW_PROFILE_H
#define LOCKSTEP_VIEW_PROFILE_H

#include "view/view.h"

#include <math.h>

/* The value of a counter, or 0 if it was not counted (NAN). Use it where a sum must stay finite. */
static inline double counted(const struct metrics *m, enum metric id)
{
    return isnan(m->v[id]) ? 0 : m->v[id];
}

#endif
