/* relocatable.c - objects of -rdc=true: each registers itself with the runtime, which links the PTX
 * of all when the program starts.
 *
 *     clang -fgpu-rdc: a.o calls __cudaRegisterLinkedBinary<ID>(...), which nvlink would define;
 *                                that is renamed to lockstepRegisterLinked, defined in runtime/registry.c
 *
 * The new name overwrites the old one in the object's string table: it is shorter, and no other
 * name ends like the old one. */
#define _GNU_SOURCE
#include "nvcc/nvcc.h"

#include <stdlib.h>
#include <string.h>

int relocatable_mark(const char *object, struct err *e)
{
    static const char old[] = "__cudaRegisterLinkedBinary", new[] = "lockstepRegisterLinked";
    char *bytes = NULL;
    size_t n = 0;
    if (file_read(object, (size_t)1 << 30, &bytes, &n, e)) return -1;
    char *at = memmem(bytes, n, old, sizeof old - 1);
    if (at) memcpy(at, new, sizeof new);
    int bad = at ? file_write(object, bytes, n, e) : 0;
    free(bytes);
    return bad;
}
