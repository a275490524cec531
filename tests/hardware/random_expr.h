/* random_expr.h - random expressions of CUDA C, defined to the last bit on every device: what a
 * generator of kernels is made of. Types are letters: u 32 bits, w 64 bits, f float, d double, p a
 * condition. */
#ifndef LOCKSTEP_HARDWARE_RANDOM_EXPR_H
#define LOCKSTEP_HARDWARE_RANDOM_EXPR_H

#include "base/base.h"

/* The generator's state: where it is in the text, and what may be named there. */
struct gen {
    struct rng r;
    struct buf *out;
    int indent;
    int u, w, f, d; /* variables in scope: u0 .. u5 and so on */
    int loops;      /* counters in scope: i0, i1 */
    int apart;      /* above 0: the warp may have diverged here */
    /* buffers, thread indices, scalar parameters and tables can be read */
    int in_kernel;
    int shared;           /* shared memory can be read: no thread writes it in this phase */
    int local;            /* the local array can be read */
    unsigned shared_size; /* elements of each shared array, a power of two */
    int partial_warp;     /* the last warp of a block has fewer than 32 threads */
    const char *watch;    /* "volatile " if the buffers are volatile, otherwise "" */
    uint64_t seed;
};

int gen_below(struct gen *g, int n); /* uniform in [0, n) */
int gen_chance(struct gen *g, int percent);
/* Append an expression of this type, at most depth operations deep. */
void gen_expr(struct gen *g, char type, int depth);
/* Append the functions and tables that expressions call; once per file. */
void gen_prelude(struct buf *out);

/* Random values in which edge cases are as frequent as common ones. */
uint32_t gen_u32(struct rng *r);
uint64_t gen_u64(struct rng *r);
uint32_t gen_f32_bits(struct rng *r);
uint64_t gen_f64_bits(struct rng *r);

#endif
