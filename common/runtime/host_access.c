/* host_access.c - explains an access of the host to device memory, before the program ends by
 * SIGSEGV, as it would with a GPU.
 *
 *     float *d; cudaMalloc(&d, n);  d[0] = 1;  --> SIGSEGV --> which memory, what to do --> SIGSEGV again */
#include "runtime/runtime.h"

#include <signal.h>

/* Prints which device memory was accessed. The fault is in the program, or in a function to which
 * it passed the pointer. Afterwards the access is repeated, and the default action ends the
 * program. */
static void on_fault(int number, siginfo_t *info, void *context)
{
    void *start;
    size_t bytes;
    const char *name;
    (void)context;
    if (!memory_block(info->si_addr, &start, &bytes, &name))
        runtime_say(
            "the host accesses byte %zu of %s, which is device memory: cudaMemcpy copies it to the "
            "host; memory of cudaMallocManaged is reached by both",
            (size_t)((char *)info->si_addr - (char *)start), name);
    signal(number, SIG_DFL);
}

void host_access_watch(void)
{
    struct sigaction old, new = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    if (!sigaction(SIGSEGV, NULL, &old) && old.sa_handler == SIG_DFL)
        sigaction(SIGSEGV, &new, NULL);
}
