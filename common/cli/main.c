/* main.c - lockstep: the table of its commands. */
#include "cli/cli.h"

static const struct program_command commands[] = {
    {"lab", command_lab, "NN [EX] [--device D] [--student DIR] [--front clang|nvcc]",
     "run a lab, or one exercise of it, and explain what was counted"},
    {"grade", command_grade,
     "[--student DIR] [--lab NN] [--device D] [--format text|json] [--out FILE] [--seed S] [--front clang|nvcc]",
     "grade a submission that is laid out as labs/"},
    {"profile", command_profile,
     "FILE.cu --kernel NAME --grid X[,Y[,Z]] --block X[,Y[,Z]] [--shared BYTES] [OPTIONS] ARGUMENT...\n"
     "--lab NN --exercise EX [--kernel NAME] [--student DIR] [OPTIONS]\n"
     "OPTIONS: [--device sim:h200] [--front clang|nvcc] [--json] [--map LINE] [--svg FILE] [--html FILE]\n"
     "ARGUMENT: i32:N u64:N f32:X f64:X buf:f32:COUNT[:rand|iota|zero|fill=V|none] struct:{...} bytes:HEX",
     "launch any kernel once on a simulated GPU, and explain what every line of it did"},
    {"compare", command_compare, "NN EX [--devices sim:gtx280,sim:h200] [--kernel NAME] [--student DIR] [--front clang|nvcc]",
     "one exercise on several simulated GPUs, a row each"},
    {"figure", command_figure, "global|shared [--stride N] [--offset N] [--bytes N] [--words N,N,..] [--device NAME] [--store]",
     "an access pattern, drawn from the model, as SVG on stdout"},
    {"transfers", command_transfers, "[--device D] [--mib N]", "how long data takes to the device and back"},
    {"metrics", command_metrics, "", "everything that is counted: ncu's names, nvprof's, the meaning"},
    {"devices", command_devices, "", "the devices that --device can name"},
    {0},
};

int main(int argc, char **argv)
{
    const struct program lockstep = {"lockstep", commands};
    return program_run(&lockstep, argc, argv);
}
