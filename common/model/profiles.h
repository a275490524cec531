/* profiles.h - the two files of device profiles, private to this folder: model.h has what finds a row of either. */
#ifndef LOCKSTEP_MODEL_PROFILES_H
#define LOCKSTEP_MODEL_PROFILES_H

#include "model/model.h"

enum { PROFILES_OLD = 4 }; /* 1.x to 3.x, the oldest first: before those of profiles.c */
extern const struct model_profile model_profiles_old[PROFILES_OLD];

#endif
