#include "lockstep_async.h"
