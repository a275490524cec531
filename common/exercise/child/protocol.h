/* protocol.h - the messages between the kit and the process that runs a learner's C.
 *
 *     kit ── struct child_request, on descriptor 4 ──> child: calls the function on the arrays in the
 *                                                             memory of descriptor 3
 *         <── struct child_answer, on descriptor 5 ──         after the function has returned
 *
 * The child has these three descriptors. All others are closed or refer to /dev/null. */
#ifndef LOCKSTEP_EXERCISE_PROTOCOL_H
#define LOCKSTEP_EXERCISE_PROTOCOL_H

#include <stdint.h>

enum { CHILD_MEMORY = 3, CHILD_REQUESTS = 4, CHILD_ANSWERS = 5 };
/* How many buffers and int parameters a problem can have: BUFFERS and DIMS of exercise.h, which is
 * not included here since the child is built without the kit. */
enum { CHILD_BUFFERS = 4, CHILD_DIMS = 3 };

/* Sent as the bytes of the struct: both ends are built on the same machine. */
struct child_request {
    /* random; the answer repeats it, so that the learner's code cannot answer in advance */
    uint64_t nonce;
    uint64_t memory_bytes;          /* size of the shared memory, which is descriptor 3 */
    uint64_t offset[CHILD_BUFFERS]; /* offset of each array in the shared memory */
    int32_t dims[CHILD_DIMS];
    int32_t function; /* index into the table child_functions */
};

struct child_answer {
    uint64_t nonce; /* the nonce of the request */
    /* in a counted program: the lines that all calls brought into a cache (cache.c) */
    uint64_t lines;
};

/* One function for each step, which calls the learner's function. The file with them is generated
 * for each exercise (host.c, write_glue). */
typedef void child_function(void *const *buffers, const int32_t *dims);
extern child_function *const child_functions[];

#endif
