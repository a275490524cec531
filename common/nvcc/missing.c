/* missing.c - after a compiler's error: say which libraries are missing, and what to do.
 *
 *     #include <thrust/sort.h> ──> Debian's package      #include <cudnn.h> ──> not supported */
#include "nvcc/nvcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct library {
    const char *header; /* prefix of the names by which the library's headers are included */
    /* a file that exists if the library is installed; NULL: the library is not supported */
    const char *there;
    const char *says;
} libraries[] = {
    {"thrust/", "/usr/include/thrust/version.h",
        "it is Debian's package libthrust-dev: apt-get install it"},
    {"cub/", "/usr/include/cub/version.cuh",
        "it is Debian's package libcub-dev: apt-get install it"},
    {"cusparse", NULL, "cuSPARSE is not there"},
    {"cusolver", NULL, "cuSOLVER is not there"},
    {"cudnn", NULL, "cuDNN is not there"},
    {"nccl", NULL, "NCCL is not there: there is one device"},
    {"GL/", NULL, "OpenGL is not there: keep the part that draws out of the program"},
};

void missing_libraries(const char *file)
{
    struct err e = {0};
    char *text = NULL;
    if (file_read(file, (size_t)64 << 20, &text, NULL, &e)) return;
    int line = 1;
    for (const char *p = text; p; line++, p = strchr(p, '\n'), p += p != NULL) {
        char name[128] = "";
        if (sscanf(p, " # include %*1[<\"]%127[^>\"\n]", name) != 1) continue;
        for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
            const struct library *l = &libraries[i];
            if (strncmp(name, l->header, strlen(l->header)) || (l->there && file_exists(l->there)))
                continue;
            fprintf(stderr, "lockstep-nvcc: %s:%d: %s: %s\n", file, line, name, l->says);
        }
    }
    free(text);
}
