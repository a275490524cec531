#include "../lockstep_half.h"
