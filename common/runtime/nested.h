/* nested.h - kernels that kernels launch. */
#ifndef LOCKSTEP_RUNTIME_NESTED_H
#define LOCKSTEP_RUNTIME_NESTED_H

#include "runtime/runtime.h"

/* Run the kernels that a launch of f has launched, and those that these launch, one after the
 * other. */
cudaError_t nested_run(struct function *f, cudaStream_t stream);

#endif
