#include "lockstep_mma.h"
