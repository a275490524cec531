// A compiler that crashes leaves a report and its input behind.
#include "lockstep.h"
#pragma clang __debug crash
