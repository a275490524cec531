/* relocatable.c - objects of -rdc=true: each tells the runtime of itself, which links their PTX
 * when the program starts.
 *
 *     clang -fgpu-rdc: a.o calls __cudaRegisterLinkedBinary<ID>(...), which nvlink would define
 *                                lockstepRegisterLinked is what the call is made to mean: runtime/registry.c
 *
 * The new name is written over the old one in the object's table of strings: it is shorter, and no
 * other name ends as the old one does.
 */
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
