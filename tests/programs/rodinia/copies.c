/* copies.c - loaded before a program's libraries (LD_PRELOAD): notes what cudaMemcpy copies to the host. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "note.h"

enum { TO_HOST = 2 };

int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    int (*copy)(void *, const void *, size_t, int);
    *(void **)&copy = dlsym(RTLD_NEXT, "cudaMemcpy");
    int bad = copy(to, from, bytes, kind);
    if (!bad && kind == TO_HOST) note_copy(to, bytes);
    return bad;
}

/* A clock that stands still: programs take it as a seed. */
long time(long *at)
{
    if (at) *at = 1000000;
    return 1000000;
}
