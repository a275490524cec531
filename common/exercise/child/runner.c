/* runner.c - main of the process that runs a learner's C.
 *
 * It is linked with the learner's object file and with the generated table of calls. The kit
 * (exercise/host.c) starts it, passes arrays, and checks and times it from outside. The process
 * exits when the kit closes the pipe of requests. */
#include "cache.c"
#include "protocol.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* Did a read() or write() transfer all of the `want` bytes? */
static int whole(ssize_t got, size_t want) { return got >= 0 && (size_t)got == want; }

int main(void)
{
    struct child_request r;
    while (whole(read(CHILD_REQUESTS, &r, sizeof r), sizeof r)) {
        void *buffers[CHILD_BUFFERS];
        /* The kit resizes the memory for each request, so it is mapped anew each time. */
        char *memory =
            mmap(NULL, r.memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, CHILD_MEMORY, 0);
        if (memory == MAP_FAILED) return 1;
        for (int i = 0; i < CHILD_BUFFERS; i++) buffers[i] = memory + r.offset[i];
        child_functions[r.function](buffers, r.dims);
        munmap(memory, r.memory_bytes);
        struct child_answer a = {r.nonce, cache.lines};
        if (!whole(write(CHILD_ANSWERS, &a, sizeof a), sizeof a)) return 1;
    }
    return 0;
}
