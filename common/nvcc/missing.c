/* missing.c - after a compiler's error: say which libraries are missing, and what to do.
 *
 *     #include <thrust/sort.h> ──> Debian's package      #include <cudnn.h> ──> not supported */
#include "nvcc/nvcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct library {
    const char *header; /* prefix of the names by which the library's headers are included */
    const char *linked; /* prefix of its names after -l; NULL: it is not linked */
    /* a file that exists if the library is installed; NULL: the library is not supported */
    const char *there;
    const char *says;
} libraries[] = {
    {"thrust/", NULL, "/usr/include/thrust/version.h",
        "it is Debian's package libthrust-dev: apt-get install it"},
    {"cub/", NULL, "/usr/include/cub/version.cuh",
        "it is Debian's package libcub-dev: apt-get install it"},
    {"cusparse", "cusparse", NULL, "cuSPARSE is not there"},
    {"cusolver", "cusolver", NULL, "cuSOLVER is not there"},
    {"cudnn", "cudnn", NULL, "cuDNN is not there"},
    {"nccl", "nccl", NULL, "NCCL is not there: there is one device"},
    {"nvml", "nvidia-ml", NULL, "NVML is not there; nvidia-smi is in the folder of nvcc"},
    {"npp", "npp", NULL, "NPP is not there"},
    {"nvjpeg", "nvjpeg", NULL, "nvJPEG is not there"},
    {"cupti", "cupti", NULL, "CUPTI is not there; LOCKSTEP_JSON=file writes what was measured"},
    {"GL/", NULL, NULL, "OpenGL is not there: keep the part that draws out of the program"},
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

void missing_library(const char *name)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        const struct library *l = &libraries[i];
        if (l->linked && !strncmp(name, l->linked, strlen(l->linked)))
            fprintf(stderr, "lockstep-nvcc: -l%s: %s\n", name, l->says);
    }
}
