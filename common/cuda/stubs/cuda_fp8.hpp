#include "../lockstep_fp8.h"
