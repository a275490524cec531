/* main.c - lockstep-hardware: the table of its commands, in the order in which help lists them.
 * The table has the same form as that of lockstep: name, function, ways to call it, what it
 * does. */
#include "hardware/hardware.h"
#include "os/os.h"

static const struct program_command commands[] = {
    {"ladder", command_ladder,
        "[--device cuda] [--only matmul|transpose|aat|shape] [--largest N] [--cpu] [--out FILE] [--ptx DIR] [--front "
        "clang|nvcc]",
        "every rung at every size, measured on a GPU; without one: modelled, beside what was measured"},
    {"crosscheck", command_crosscheck,
        "[--others|--courses [--aside]] [--device cuda] [--out FILE] [--ncu PROGRAM] [--ptx DIR] "
        "[--front clang|nvcc]",
        "the simulator's counters against the hardware's, which ncu reads, or read before"},
    {"probe", command_probe, "[--device D] [--out FILE] [--ptx DIR] [--front clang|nvcc]",
        "the latencies and throughputs that a device profile states, measured on a GPU, or modelled"},
    {"differential", command_differential,
        "[--seed S] [--count N] [--device D] [--front clang|nvcc] [--emit DIR] [--from DIR] [--out FILE] "
        "[--jobs J]",
        "run random kernels on the simulator and on a device, and compare what they leave bit for bit"},
    {"bulk", command_bulk, "[--seed S] [--count N] [--device D]",
        "run random copies of boxes on the simulator and on a device, and compare them bit for bit"},
    {"wgmma", command_wgmma, "[--seed S] [--count N] [--device D]",
        "run random products by warpgroups on the simulator and on a device, and compare them bit for bit"},
    {"unrolled", command_unrolled, "[--aside] [--front clang|nvcc] [--ptxas PROGRAM] [--out FILE]",
        "the registers of 100 unrolled kernels, beside what ptxas counts, or counted before"},
    {"measured", command_measured, "[NAME] [--check] [--dark]",
        "write the tables of tests/hardware/README.md from the records, or check or print them"},
    {"tables", command_tables, "[--check] [--device D] [--front clang|nvcc]",
        "write the ladders of the labs' README files and the published tables, or check them"},
    {"published", command_published, "[DOC] [--front clang|nvcc]",
        "the tables of the documents that the labs follow, with what this kit makes of them"},
    {"seeds", command_seeds, "[--seed S] [--count N] [--exercise NAME] [--jobs J]",
        "add the products of many seeds on the CPU, in right ways and wrong ones: are they told apart?"},
    {"bench", command_bench, "[--format text|json]", "how fast the simulator is on this machine"},
    {"run", command_run,
        "[NN [EX]] [--device D] [--student DIR] [--shapes] [--ptx DIR] [--write-ptx DIR] "
        "[--front clang|nvcc]",
        "launch the solutions' kernels once each, for a profiler around this program"},
    {0},
};

int main(int argc, char **argv)
{
    const struct program hardware = {"lockstep-hardware", DESCRIBED, commands};
    os_started_as(argv[0]);
    return program_run(&hardware, argc, argv);
}
