/* main.c - lockstep-nvcc: builds a CUDA program that runs without a GPU and without the CUDA
 * Toolkit. */
#include "nvcc/nvcc.h"

#include <stdio.h>

static const char help[] =
    "usage: lockstep-nvcc [options] FILE...\n\n"
    "Takes nvcc's options: -o -c -I -D -U -L -l -O -g -G -std -x cu -arch -gencode -Xcompiler\n"
    "-Xlinker -Xptxas -ptx -lib -shared -M -MD -E -run -v -dryrun. The program that it makes runs on\n"
    "a simulated GPU: LOCKSTEP_DEVICE=sim:t4 chooses which, LOCKSTEP_REPORT=1 prints a report at its end.\n";

/* CMake takes a compiler for nvcc if it prints the words of the first line. */
static int show_version(struct err *e)
{
    struct place p;
    int by_nvcc = !place_find(&p, e) && p.nvcc;
    printf("lockstep-nvcc, in place of nvcc: NVIDIA (R) Cuda compiler driver\n"
           "Cuda compilation tools, release 13.0, V13.0.0, by %s and a simulated GPU\n",
        by_nvcc ? "nvcc" : "clang");
    place_free(&p);
    return 0;
}

/* The architectures that nvcc 13.0 lists. Which of them is named has little effect here. */
static int show_architectures(const char *kind)
{
    static const int list[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) printf("%s_%d\n", kind, list[i]);
    return 0;
}

static int build(const struct job *j, struct err *e)
{
    struct place p = {0};
    int status = place_find(&p, e);
    if (!status && j->verbose) place_print(&p);
    if (!status) status = options_inputs(j, e);
    if (!status) status = job_run(j, &p, e);
    place_free(&p);
    return status;
}

int main(int argc, char **argv)
{
    struct job j;
    struct err e = {0};
    os_started_as(argv[0]);
    int status = options_read(argc, argv, &j, &e);
    if (!status) switch (j.show) {
        case SHOW_NOTHING: status = build(&j, &e); break;
        case SHOW_HELP: fputs(help, stdout); break;
        case SHOW_VERSION: status = show_version(&e); break;
        case SHOW_VIRTUAL: status = show_architectures("compute"); break;
        case SHOW_REAL: status = show_architectures("sm"); break;
        }
    if (status < 0) fprintf(stderr, "lockstep-nvcc: %s\n", e.text);
    job_free(&j);
    return status < 0 ? e.kind == ERR_USAGE ? 2 : 1 : status;
}
