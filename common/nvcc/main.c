/* main.c - lockstep-nvcc: builds a CUDA program that runs without a GPU and without the CUDA
 * Toolkit. */
#include "nvcc/nvcc.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: lockstep-nvcc [options] FILE...\n\n"
    "Takes nvcc's options: -o -c -I -D -U -L -l -O -g -G -std -x cu -arch -gencode -Xcompiler\n"
    "-Xlinker -ptx -shared -M -MD -E -v -dryrun. The program that it makes runs on a simulated GPU:\n"
    "LOCKSTEP_DEVICE=sim:t4 chooses which, LOCKSTEP_REPORT=1 prints a report at its end.\n";

int main(int argc, char **argv)
{
    struct job j;
    struct place p = {0};
    struct err e = {0};
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        fputs(help, stdout);
        return 0;
    }
    if (argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))) {
        int by_nvcc = !place_find(&p, &e) && p.nvcc;
        printf(
            "lockstep-nvcc: Cuda compilation tools, release 12.0, V12.0.0, by %s and a simulated GPU\n",
            by_nvcc ? "nvcc" : "clang");
        place_free(&p);
        return 0;
    }
    int status = options_read(argc, argv, &j, &e) || place_find(&p, &e) ? -1 : job_run(&j, &p, &e);
    if (status < 0) fprintf(stderr, "lockstep-nvcc: %s\n", e.text);
    job_free(&j);
    place_free(&p);
    return status < 0 ? e.kind == ERR_USAGE ? 2 : 1 : status;
}
