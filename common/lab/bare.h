/* bare.h - the solutions' kernels without a verdict: for profilers, and for ladders that are measured.
 *
 *     solutions/LAB/EX.cu ── front end, or PTX brought along ──> device ──> bound steps, ready to launch
 */
#ifndef LOCKSTEP_LAB_BARE_H
#define LOCKSTEP_LAB_BARE_H

#include "lab/grade.h"
#include "lab/run.h"

struct bare {
    struct kit kit;
    struct front front;     /* of PTX that was brought along: its name alone */
    const char *ptx;        /* directory of PTX that was brought along: PTX/LAB/EX.ptx, PTX/front; NULL: compiled here */
    char *directory;        /* of the kernels, laid out as labs/ */
    struct device *device;
};
struct bare_options {
    const char *device, *front, *student, *ptx; /* NULL: the default, and the kit's solutions */
};
/* The strings of o stay the caller's and must outlive b. Close it after success. */
int bare_open(struct bare *b, const struct bare_options *o, struct err *e);
void bare_close(struct bare *b);

struct bare_exercise {
    struct compiled compiled;
    struct module *module;
    struct bound bound[STEPS_MAX];
};
/* Load an exercise of kernels and bind its steps. -1: it does not compile or fit, which is told as ERR_ENV, since a solution
 * should. Unload it in every case. */
int bare_load(struct bare *b, const struct lab *lab, const struct exercise *x, struct bare_exercise *out, struct err *e);
void bare_unload(struct bare *b, struct bare_exercise *x);

/* solutions/measured/others.cu: kernels unlike the labs', for crosscheck; they are in no lab_table (others.c). */
extern const struct lab others_lab;

/* Write the PTX of all exercises, and the front end's name, to a directory that bare_options.ptx takes. */
int bare_write_ptx(struct bare *b, const char *directory, struct err *e);

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
