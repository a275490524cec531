// What exists on the machine, asked one name at a time.
#include "lockstep.h"
#if __has_include("/etc/passwd")
#error "there is such a file"
#endif
