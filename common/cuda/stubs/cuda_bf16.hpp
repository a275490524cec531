#include "../lockstep_bfloat.h"
