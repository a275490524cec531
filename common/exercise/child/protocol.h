/* protocol.h - what the kit and the process that runs a learner's C say to each other.
 *
 *     kit ── struct child_request, on descriptor 4 ──> child: calls the function on arrays in the memory of descriptor 3
 *         <── the request's nonce, on descriptor 5 ──        when it has returned
 *
 * The child has these three descriptors and no others that lead anywhere.
 */
#ifndef LOCKSTEP_LAB_CHILD_PROTOCOL_H
#define LOCKSTEP_LAB_CHILD_PROTOCOL_H

#include <stdint.h>

enum { CHILD_MEMORY = 3, CHILD_REQUESTS = 4, CHILD_ANSWERS = 5 };
enum { CHILD_BUFFERS = 4, CHILD_DIMS = 3 };

struct child_request {
    uint64_t nonce;                  /* the answer repeats it, so that none can be given in advance */
    uint64_t memory_bytes;           /* of descriptor 3, all of it */
    uint64_t offset[CHILD_BUFFERS];  /* of each array in that memory */
    int32_t dims[CHILD_DIMS];
    int32_t function;                /* an index into child_functions */
};

/* Generated for each exercise: one call a step. */
typedef void child_function(void *const *buffers, const int32_t *dims);
extern child_function *const child_functions[];

#endif
