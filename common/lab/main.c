/* main.c - lockstep: the table of its commands. Exit codes: 0 done, 1 the machine, 2 the command line (enum err_kind). */
#include "lab/commands.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    command *run;
    const char *arguments, *does;
} commands[] = {
    {"lab", command_lab, "NN [EX] [--device D] [--student DIR] [--front clang|nvcc]",
     "run a lab, or one exercise of it, and explain what was counted"},
    {"grade", command_grade,
     "[--student DIR] [--lab NN] [--device D] [--format text|json] [--out FILE] [--seed S] [--front clang|nvcc]",
     "grade a submission that is laid out as labs/"},
    {"tables", command_tables, "[--check] [--device D] [--front clang|nvcc]", "write the ladder tables of the labs' README files and the published ones, or check them"},
    {"figure", command_figure, "global|shared [--stride N] [--offset N] [--bytes N] [--words N,N,..] [--device NAME] [--store]",
     "an access pattern, drawn from the model, as SVG on stdout"},
    {"bench", command_bench, "[--format text|json]", "how fast the simulator is on this machine"},
    {"run", command_run, "[NN [EX]] [--device D] [--student DIR] [--shapes] [--ptx DIR] [--write-ptx DIR] [--front clang|nvcc]",
     "launch the solutions' kernels once each, for a profiler around this program"},
    {"crosscheck", command_crosscheck, "[--device cuda] [--out FILE] [--ncu PROGRAM] [--ptx DIR] [--front clang|nvcc]",
     "the simulator's counters against the hardware's, which ncu reads, or read before"},
    {"ladder", command_ladder,
     "[--device cuda] [--only matmul|transpose|aat|shape] [--largest N] [--out FILE] [--ptx DIR] [--front clang|nvcc]",
     "every rung at every size, measured on a GPU; without one: modelled, beside what was measured"},
    {"probe", command_probe, "[--device D] [--out FILE] [--ptx DIR] [--front clang|nvcc]",
     "the latencies and throughputs that a device profile states, measured on a GPU, or modelled"},
    {"measured", command_measured, "[NAME] [--check]",
     "write the README's tables of measurements from the recorded data, or check or print them"},
    {"differential", command_differential,
     "[--seed S] [--count N] [--device D] [--front clang|nvcc] [--emit DIR] [--from DIR] [--out FILE]\n"
     "          [--jobs J]",
     "run random kernels on the simulator and on a device, and compare what they leave bit for bit"},
    {"profile", command_profile,
     "FILE.cu --kernel NAME --grid X[,Y[,Z]] --block X[,Y[,Z]] [--shared BYTES] [--device sim:h200] [--front clang|nvcc]\n"
     "          [--json] [--map LINE] [--svg FILE] [--html FILE] ARG...   (i32:N u64:N f32:X f64:X buf:f32:COUNT[:rand|iota|zero|fill=V|none])\n"
     "  lockstep profile --lab NN --exercise EX [--kernel NAME] [--student DIR] [--device sim:h200] ...",
     "launch any kernel once on a simulated GPU, and explain what every line of it did"},
    {"compare", command_compare, "NN EX --devices LIST [--kernel NAME] [--student DIR] [--front clang|nvcc]",
     "one exercise on several simulated GPUs, a row each"},
    {"metrics", command_metrics, "", "everything that is counted: ncu's names, nvprof's, the meaning"},
    {"transfers", command_transfers, "[--device D] [--mib N]", "how long data takes to the device and back"},
    {"devices", command_devices, "", "the devices that --device can name"},
};

static void usage(FILE *to)
{
    fprintf(to, "usage: lockstep COMMAND ...\n\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(to, "  lockstep %s %s\n      %s\n", commands[i].name, commands[i].arguments, commands[i].does);
}

int command_devices(int argc, char **argv, struct err *e)
{
    const struct option_spec none[] = {{0}};
    struct buf out = {0};
    if (options_parse(argc, argv, none, NULL, 0, e) < 0)
        return -1;
    device_list(&out);
    printf("%s", out.data ? out.data : "");
    printf("default: %s\n", device_default());
    buf_free(&out);
    return 0;
}

static int fail(const struct err *e)
{
    fflush(stdout);
    fprintf(stderr, "lockstep: %s\n", e->text);
    return e->kind == ERR_USAGE ? 2 : 1;
}

int main(int argc, char **argv)
{
    struct err e = {0};
    const char *name = argc > 1 ? argv[1] : NULL;
    if (name && (!strcmp(name, "help") || !strcmp(name, "--help") || !strcmp(name, "-h"))) {
        usage(stdout);
        return 0;
    }
    for (size_t i = 0; name && i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(name, commands[i].name)) {
            if (commands[i].run(argc - 2, argv + 2, &e))
                return fail(&e);
            if (fflush(stdout) || ferror(stdout)) {
                err_set(&e, ERR_ENV, "standard output cannot be written: is the disk full?");
                return fail(&e);
            }
            return 0;
        }
    if (name)
        fprintf(stderr, "lockstep: there is no command %s\n", name);
    usage(stderr);
    return 2;
}
