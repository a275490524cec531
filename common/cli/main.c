/* main.c - lockstep: the table of its commands, in the order in which help lists them. */
#include "cli/cli.h"
#include "os/os.h"

/* Columns: name, function, the ways to call it (one per line), what it does. */
static const struct program_command commands[] = {
    {"lab", command_lab,
        "NN [EX] [--device D] [--student labs] [--front clang|nvcc] [--seed S] "
        "[--why 0|1|2] [--more] [--format text|json]",
        "run a lab or one of its exercises, and explain the counters"},
    {"labs", command_labs, "[--student labs] [--format text|json]",
        "list the exercises, and what was passed of them"},
    {"hint", command_hint, "NN EX [N] [--student labs] [--format text|json]",
        "show the hints of an exercise up to the Nth; without N, one more than before"},
    {"slide", command_slide, "NN EX [--format text|json [--figures]]",
        "show the lab's slides as text, from the one that the exercise names"},
    {"studio", command_studio,
        "[--student labs] [--device D] [--port N] [--listen ADDRESS] [--host NAME,..] [--browser no]",
        "the same in a browser: type, save, see; prints one address"},
    {"learn", command_learn, "[--student labs] [--device D] [--front clang|nvcc]",
        "work through the labs in a terminal: an answer to each save, hints, progress"},
    {"grade", command_grade,
        "[--student labs] [--lab NN] [--device D] [--format text|json] [--out FILE] [--seed S] "
        "[--front clang|nvcc] [--sandbox LEVEL] [--limit SECONDS] "
        "[--final]",
        "grade a submission that has the layout of labs/"},
    {"profile", command_profile,
        "FILE.cu --kernel NAME --grid X[,Y[,Z]] --block X[,Y[,Z]] [--shared BYTES] [OPTIONS] ARGUMENT...\n"
        "--lab NN --exercise EX [--kernel NAME] [--student labs] [OPTIONS]\n"
        "OPTIONS: [-D NAME=VALUE] [--before FILE.cu|RUN.json|NN] [--ptx] [--json [--pictures]] "
        "[--map LINE] [--svg FILE] [--html FILE|-] [--device sim:h200] [--front clang|nvcc]\n"
        "ARGUMENT: i32:N u64:N f32:X f64:X buf:f32:COUNT[:rand|iota|zero|fill=V|none] struct:{...} bytes:HEX",
        "launch any kernel once on a simulated GPU, and explain each of its lines"},
    {"step", command_step,
        "FILE.cu --kernel NAME --grid X[,Y[,Z]] --block X[,Y[,Z]] [--shared BYTES] [OPTIONS] ARGUMENT...\n"
        "--lab NN --exercise EX [--kernel NAME] [--student labs] [--size N,N,..] [OPTIONS]\n"
        "OPTIONS: [-D NAME=VALUE] [--at X,Y,Z] [--warp N] [--optimised] [--steps N] [--from N] "
        "[--html FILE] [--json] [--device sim:h200]",
        "step through one warp of one block, by source line, forwards and backwards"},
    {"run", command_run,
        "FILE.cu.. [-I DIR] [-D NAME] [OPTIONS] [-- ARGUMENT...]\n"
        "PROGRAM [OPTIONS] [-- ARGUMENT...]\n"
        "OPTIONS: [--device sim:h200] [--quiet] [--profile KERNEL[:N] [--html FILE]] [--dump NAME[:N]] "
        "[--check stop|warn|off] [--order random:SEED] [--limit SECONDS] [--count all] [--json FILE] "
        "[--trace FILE]",
        "build and run a whole CUDA program, and report on its kernels and copies"},
    {"compare", command_compare,
        "NN EX [--devices sim:gtx280,sim:h200] [--kernel NAME] "
        "[--student solutions] [--front clang|nvcc] [--format text|json]",
        "run one exercise on several simulated GPUs, one row each"},
    {"figure", command_figure,
        "global|shared [--stride N] [--offset N] [--bytes N] [--words N,N,..] "
        "[--device NAME] [--store]\n"
        "padding [--row N] [--pad N]\n"
        "hide|barrier|fills|tail [--lab NN --exercise EX [--student solutions]] [OPTIONS]\n"
        "stages|roles|phases|fragment|tile [OPTIONS]\nroofline [--lab NN [--size M,K,N]]",
        "draw what the model counts, or a picture of time, as SVG; --dark: for dark paper"},
    {"ncu", command_ncu,
        "NN EX --out FILE.cu [--student labs] [--device D] [--front clang|nvcc] [--format text|json]",
        "write an exercise as a program, and say how ncu counts it on a GPU"},
    {"transfers", command_transfers, "[--device D] [--mib N]",
        "time transfers to the device and back"},
    {"explain", command_explain, "[TERM ...]", "say what a word or a counter of a report means"},
    {"metrics", command_metrics, "", "list all counters: ncu's name, nvprof's name, meaning"},
    {"devices", command_devices, "[GPU] [--format text|json]",
        "list the devices that --device accepts, or show the figures of a GPU"},
    {0},
};

/* For users who do not know the kit. */
static const char about[] =
    "Lockstep runs CUDA kernels without a GPU: warp by warp, and it counts what a GPU\n"
    "would count. To do an exercise:\n"
    "  Read labs/01-naive/README.md, edit labs/01-naive/copy.cu, and type\n"
    "    make lab LAB=01 EX=copy   A word that is new: lockstep explain sector\n"
    "For a file of your own: lockstep profile --help\n";

int main(int argc, char **argv)
{
    const struct program lockstep = {"lockstep", DESCRIBED, commands, about};
    os_started_as(argv[0]);
    int status = tool_main(argc, argv);
    return status < 0 ? program_run(&lockstep, argc, argv) : status;
}
