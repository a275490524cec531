/* hardware.h - what the commands of lockstep-hardware share. The program compares the simulator
 * with GPUs.
 *
 *     ladder, crosscheck, probe, differential
 *         on a GPU:   --out FILE writes a record, such as records/h200-ladder.json
 *         on a simulator: beside what the record holds
 *     measured: records --> the tables of tests/hardware/README.md
 */
#ifndef LOCKSTEP_HARDWARE_H
#define LOCKSTEP_HARDWARE_H

#include "cli/cli.h"

command command_ladder, command_crosscheck, command_probe, command_differential, command_measured,
    command_tables, command_published, command_run, command_bench, command_wgmma, command_bulk,
    command_unrolled, command_seeds;

/* The kernels of tests/hardware/kernels: others.cu for crosscheck, with kernels unlike those of
 * the labs, and probes.cu; and those of tests/hardware/courses and tests/hardware/tuning. These
 * labs are not in lab_table. */
extern const struct lab others_lab, probe_lab, courses_lab, tuning_lab;

/* Like build_open, for a lab of lab_table or one of these. A kernel that does not compile is
 * ERR_ENV, since no learner wrote it. Close b in every case. */
int kernels_open(struct build *b, struct workbench *w, const struct lab *lab,
    const struct exercise *x, struct err *e);
/* Write the PTX of all exercises and the front end's name to a directory, which
 * workbench_options.ptx can name. */
int write_ptx(struct workbench *w, const char *directory, struct err *e);

/* Launch each line of tests/large.txt, and call told for the slowest ten: "FILE KERNEL" and its
 * thread instructions per second. */
enum { BENCH_SLOWEST = 10 };
typedef void bench_told(void *context, const char *name, double rate);
int bench_large(struct workbench *w, bench_told *told, void *context, struct err *e);

/* ---- a problem at a size that is too large to fill and to check element by element ----
 *
 * Inputs repeat one block of random floats, so any element is known without the whole. The output
 * is filled with poison (exercise.h). After the launch some of its elements, drawn at random, are
 * compared with the CPU's values. For copy, transpose, aat, matmul and problems like these. */
struct field {
    struct device *device;
    const struct problem *problem;
    int dims[DIMS];
    dev_ptr data[BUFFERS];
};
/* Allocate and fill the buffers on an open device. field_free frees them; after an error there
 * is nothing to free. */
int field_place(
    struct field *f, struct device *d, const struct problem *p, const int *dims, struct err *e);
void field_free(struct field *f);
int field_poison(struct field *f, struct err *e); /* fill the output with poison again */
/* Which blocks to simulate. blocks: how many per multiprocessor; sms: on how many multiprocessors;
 * 0: all. See struct launch_shape. */
struct sample {
    unsigned blocks, sms;
};
/* Launch once on the field. sample NULL: all blocks run. m NULL: no measurement is wanted. */
int field_launch(const struct field *f, const struct bound_kernel *b, const struct sample *sample,
    struct measurement *m, struct err *e);
/* The time of a product of size dims by a function of lab 03 on this machine: 64 of its rows are
 * timed, since all take equally long; the least of three runs counts. *ms must be NAN before the
 * call. Starts processes. */
int cpu_time(struct workbench *w, const char *function, const int *dims, double *ms, struct err *e);
/* Check sampled elements. Returns -1 with the element if one is wrong; `what` names the kernel
 * in the error. */
int field_check(const struct field *f, const char *what, struct err *e);
/* The norm of the error of as many sampled elements, over the norm of their right values. Negative
 * with e set: the output could not be read. */
double field_error(const struct field *f, struct err *e);

#endif
