/* sandbox.h - what a process that runs a learner's host code is left with (sandbox.c). */
#ifndef LOCKSTEP_LAB_SANDBOX_H
#define LOCKSTEP_LAB_SANDBOX_H

#include <stddef.h>

/* Between fork and exec: no new privileges, limits, and a seccomp filter that outlives the exec. Descriptors are the
 * caller's to close. 0, or -1 when the machine does not allow it. Async-signal-safe. */
int sandbox_enter(size_t memory_bytes);

#endif
