/* host_access.c - the host reads or writes device memory through its pointer: said before the
 * program ends by SIGSEGV, as it would on a GPU.
 *
 *     float *d; cudaMalloc(&d, n);  d[0] = 1;  --> SIGSEGV --> which memory, what to do --> SIGSEGV again */
#include "runtime/runtime.h"

#include <signal.h>

/* The fault is not of the C library: it happened at the program's own access, or in a function to
 * which it passed the pointer. The access is repeated with the default action. */
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
