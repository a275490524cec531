/* transfers.c - lockstep transfers: measure how long it takes to copy data to the device and back.
 *
 *     pageable or pinned host memory; the whole buffer, or pieces of it; one stream or several
 *
 *     1 stream:    in0 kernel0 out0 in1 kernel1 out1 ...
 *     4 streams:   in0 kernel0 out0            copies in, kernels and copies out of different
 *                      in1     kernel1 out1    pieces overlap, if host memory is pinned
 *
 * Source: CUDA C++ Programming Guide, "Asynchronous Concurrent Execution" and "Page-Locked Host
 * Memory". */
#include "cli/cli.h"
#include "os/os.h"

#include <stdio.h>
#include <stdlib.h>

enum { SMALL = 4 << 10, DEFAULT_MIB = 64, MOST_MIB = 4096 };

/* The rows of the table that is printed. plan: the members of struct model_transfer, in order. */
static const struct row {
    const char *title;
    /* if plan.bytes is 0, as many bytes are copied as the option --mib says */
    struct model_transfer plan;
} rows[] = {
    {"in,  pageable", {0, 0, 1, 0, 0, 1, 1}},
    {"in,  pinned", {0, 1, 1, 0, 0, 1, 1}},
    {"out, pageable", {0, 0, 0, 0, 1, 1, 1}},
    {"out, pinned", {0, 1, 0, 0, 1, 1, 1}},
    {"in,  pinned, 4 KiB only", {SMALL, 1, 1, 0, 0, 1, 1}},
    {"the kernel alone", {0, 1, 0, 1, 0, 1, 1}},
    {"in, kernel, out: pageable", {0, 0, 1, 1, 1, 1, 1}},
    {"in, kernel, out: pinned", {0, 1, 1, 1, 1, 1, 1}},
    {"  4 pieces, 1 stream", {0, 1, 1, 1, 1, 4, 1}},
    {"  4 pieces, 4 streams", {0, 1, 1, 1, 1, 4, 4}},
    {"  16 pieces, 4 streams", {0, 1, 1, 1, 1, 16, 4}},
    {"  1024 pieces, 4 streams", {0, 1, 1, 1, 1, 1024, 4}},
};

/* The arguments of take(): the device's name, and the bytes from --mib. */
struct tour {
    const char *device;
    size_t bytes;
};

/* The rate in GB/s: the bytes copied to the device and back, divided by the whole time. */
static double rate(const struct model_transfer *t, double ms)
{
    return (double)t->bytes * (t->in + t->out) / (ms * 1e6);
}

/* Measure every row on the device and append the table. It may run in a child process, so that a
 * driver that hangs or crashes does not end the program. */
static int take(void *context, struct buf *out, struct err *e)
{
    struct tour *tour = context;
    struct device *d;
    int bad = 0;
    if (device_open(tour->device, &d, e)) return -1;
    for (size_t i = 0; !bad && i < sizeof rows / sizeof *rows; i++) {
        struct model_transfer t = rows[i].plan;
        enum time_kind is = TIME_NONE;
        double ms = 0;
        t.bytes = t.bytes ? t.bytes : tour->bytes;
        /* if the process dies, the error names this row */
        isolate_note("%s", rows[i].title);
        bad = device_transfer(d, &t, &ms, &is, e);
        if (!bad && !i)
            buf_printf(out, "%zu MiB each way on %s (%s), %s\n\n%-27s %9s %7s\n", tour->bytes >> 20,
                tour->device, device_title(d), is == TIME_MEASURED ? "measured" : "modelled", "",
                "ms", "GB/s");
        if (!bad && (t.in || t.out))
            buf_printf(out, "%-27s %9.4f %7.2f\n", rows[i].title, ms, rate(&t, ms));
        else if (!bad)
            buf_printf(out, "%-27s %9.4f %7s\n", rows[i].title, ms, "-");
    }
    device_close(d);
    return bad;
}

int command_transfers(int argc, char **argv, struct err *e)
{
    static const double SILENCE = 60;
    const char *device = NULL, *mib = NULL;
    const struct option_spec specs[] = {{"--device", &device}, {"--mib", &mib}, {0}};
    uint64_t number = DEFAULT_MIB;
    struct buf out = {0};
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0 ||
        (mib && options_number("--mib", mib, MOST_MIB, &number, e)))
        return -1;
    if (!number) return err_set(e, ERR_USAGE, "--mib 0: there is nothing to transfer");
    struct tour tour = {device ? device : device_default(), (size_t)number << 20};
    int apart = device_needs_process(tour.device);
    int bad = apart ? isolate_run(take, &tour, SILENCE, &out, e) : take(&tour, &out, e);
    if (bad && e->kind == ERR_LEARNER) /* a row hung or crashed; that is no learner's fault */
        e->kind = ERR_ENV;
    if (!bad) printf("%s", out.data);
    buf_free(&out);
    return bad;
}
