/* hardware.h - what the commands of lockstep-hardware share: the second program, which holds the simulator against GPUs.
 *
 *     ladder, crosscheck, probe, differential ── on a GPU ──> records/h200-*.json ──> measured: tables of tests/hardware/README.md
 *                                             └─ simulated ─> beside the records
 */
#ifndef LOCKSTEP_HARDWARE_H
#define LOCKSTEP_HARDWARE_H

#include "cli/cli.h"

command command_ladder, command_crosscheck, command_probe, command_differential, command_measured, command_tables, command_run,
    command_bench;

/* tests/hardware/kernels: others.cu, unlike the labs', for crosscheck; probes.cu. In no lab_table. */
extern const struct lab others_lab, probe_lab;

/* build_open for a lab of lab_table or of these two. A kernel that does not compile or fit is ERR_ENV, since it should. Close b in
 * every case. */
int kernels_open(struct build *b, struct workbench *w, const struct lab *lab, const struct exercise *x, struct err *e);
/* Write the PTX of all exercises, and the front end's name, to a directory that workbench_options.ptx takes. */
int write_ptx(struct workbench *w, const char *directory, struct err *e);

/* ---- a problem at a size too large to fill and to check element by element ----
 *
 * Inputs repeat one block of random floats, so any element is known without the whole; the output is poisoned, and afterwards
 * some of its elements, drawn at random, are compared with the CPU's. For copy, transpose, matmul and aat. */
struct field {
    struct device *device;
    const struct problem *problem;
    int dims[DIMS];
    dev_ptr data[BUFFERS];
};
int field_place(struct field *f, struct device *d, const struct problem *p, const int *dims, struct err *e);
void field_free(struct field *f);
int field_poison(struct field *f, struct err *e); /* the output, again */
/* Blocks a multiprocessor, on so many multiprocessors, as in struct launch_shape; 0: all. */
struct sample {
    unsigned blocks, sms;
};
/* Launch once on the field; sample may be NULL: all blocks run. m may be NULL. */
int field_launch(const struct field *f, const struct bound *b, const struct sample *sample, struct measurement *m, struct err *e);
/* -1 and the element, where one is wrong; what names the kernel. */
int field_check(const struct field *f, const char *what, struct err *e);

#endif
