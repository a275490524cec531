/* problem.h - what a kernel computes: its parameters, its inputs from a seed, the answer the CPU finds for them.
 *
 *     problem ── dims ──> instance: inputs filled, output sized ──> expected: the answer in double, with the error
 *                                                                   that a correct float kernel may have
 * The table of problems and their results is in lab.h.
 */
#ifndef LOCKSTEP_LAB_PROBLEM_H
#define LOCKSTEP_LAB_PROBLEM_H

#include "lab/lab.h"

enum element { ELEMENT_F32, ELEMENT_F64, ELEMENT_I32 };
size_t element_bytes(enum element e);

enum { BUFFERS = 4, COEFS = 8 };

struct instance;
struct expected;

struct problem_buffer {
    const char *name; /* of the parameter; NULL after the last */
    enum element element;
};

struct problem {
    const char *name;
    const char *signature;                /* the parameter list, as a learner would write it */
    struct problem_buffer buffers[BUFFERS + 1];
    int output;                           /* the index of the one buffer that the kernel writes */
    const char *dim_names[DIMS + 1];      /* ends at NULL */
    int parameter_dim;                    /* this dimension shapes the pattern (an offset, a stride), it is no size; 0: none */
    int two_dimensional;
    const char *unit;                     /* of its rate: "GB/s" or "GFLOPS" */

    /* elements of each buffer */
    void (*counts)(const int *dims, size_t *count);
    /* the output as rows x columns, row-major; one-dimensional results are 1 x n */
    void (*result)(const int *dims, size_t *rows, size_t *columns);
    /* the grid's extents, x and y */
    void (*extents)(const int *dims, long *x, long *y);
    /* useful bytes (GB/s) or floating-point operations (GFLOPS) */
    double (*useful)(const int *dims);
    void (*answer)(const struct instance *in, struct expected *out);
};

const struct problem *problem_find(const char *name); /* NULL when there is none */
const struct problem *problem_at(int i);              /* 0, 1, ...; NULL after the last */
int problem_buffers(const struct problem *p);
int problem_dims(const struct problem *p);
/* "37 x 101" or "n = 1000, offset = 3". The caller frees it. */
char *problem_size(const struct problem *p, const int *dims);
/* GB/s or GFLOPS (p->unit) of a run that took ms. */
double problem_rate(const struct problem *p, const int *dims, double ms);

/* One problem at one size. Inputs are drawn from a seed; data[output] is left to whoever runs it (zeros). */
struct instance {
    const struct problem *problem;
    int dims[DIMS];
    size_t count[BUFFERS]; /* elements */
    void *data[BUFFERS];
    float coef[COEFS];     /* for polynomial: what __constant__ coef holds */
};
void instance_make(struct instance *in, const struct problem *p, const int *dims, uint64_t seed);
void instance_free(struct instance *in);
size_t instance_bytes(const struct instance *in, int buffer);

/* The answer: value in double and the largest error that is accepted at each element.
 *
 * A product's element is a sum over K terms. Summed in float in any order, its error stays, for signed random terms,
 * within a few units of u |a_row| |b_column| (u = 2^-24, Euclidean norms, so K is inside: the norms grow with it);
 * the slack is 12 of them. Terms rounded to half precision are off by some 2^13 / sqrt(K) of them, zeros by 2^24 / sqrt(K). */
struct expected {
    size_t count;
    double *value;
    float *slack; /* NULL: the answer must be equal */
};
void expected_make(struct expected *x, const struct instance *in);
void expected_free(struct expected *x);

/* Sizes on which a step is checked: simple ones first, then non-square, odd and size 1, each within the step's limits.
 * Returns how many of shapes[] were filled. */
enum { SHAPES = 8 };
int problem_shapes(const struct problem *p, const struct step *step, struct rng *rng, int shapes[SHAPES][DIMS]);

#endif
