/* random_kernel.h - random CUDA kernels: a seed's kernel is the same text, launched in the same shape on the same inputs,
 * for ever and everywhere, and its outputs are defined to the last bit.
 *
 * By construction no access is out of bounds or misaligned, shared memory is written in phases between barriers that all
 * threads reach (each thread its own elements), outputs are each written by one thread, and what threads update
 * together they update by one order-independent operation whose result no one reads.
 */
#ifndef LOCKSTEP_HARDWARE_RANDOM_KERNEL_H
#define LOCKSTEP_HARDWARE_RANDOM_KERNEL_H

#include "base/base.h"
#include "device/device.h"

enum { RANDOM_BUFFERS = 14, RANDOM_SCALARS = 6, RANDOM_SCALAR_BYTES = 24 };

struct random_kernel {
    uint64_t seed;
    char name[32];              /* of the __global__ function */
    struct launch_shape shape;
    unsigned threads;           /* of the whole grid */
    int watched;                /* its buffers are volatile; known once its text has been written */
};
struct random_buffer {
    const char *name, *type;    /* of the parameter */
    unsigned element;           /* bytes */
    unsigned fixed, per_thread; /* elements: fixed + per_thread a thread of the grid */
    char holds;                 /* u and w: edge values, f and d: floats' bits, 0: a pattern (an output), z: zeros */
    int watched;                /* volatile in the kernels that have such buffers */
};
extern const struct random_buffer random_buffers[RANDOM_BUFFERS];

/* What every file of random kernels begins with. */
void random_prelude(struct buf *out);
/* The seed's kernel, appended to out (NULL: not written), and how it is launched. */
void random_kernel(uint64_t seed, struct random_kernel *k, struct buf *out);
size_t random_bytes(const struct random_kernel *k, int buffer);
/* What a buffer holds before the launch. */
void random_fill(const struct random_kernel *k, int buffer, void *data);
/* The scalar parameters that follow the buffers, in their order. */
void random_scalars(const struct random_kernel *k, unsigned char values[RANDOM_SCALARS][RANDOM_SCALAR_BYTES]);

#endif
