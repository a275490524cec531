/* random_kernel.h - random CUDA kernels whose outputs are defined to the last bit.
 *
 * A seed always gives the same text, launch shape and inputs, on every machine. By construction:
 *     no access is out of bounds or misaligned
 *     shared memory is written in phases, between barriers that all threads reach; in a phase either each
 *     thread writes its own elements, or threads update elements by one atomic operation
 *     an output element is written by one thread
 *     what threads update together, they update by one operation whose order does not matter and whose result
 *     no thread reads
 */
#ifndef LOCKSTEP_HARDWARE_RANDOM_KERNEL_H
#define LOCKSTEP_HARDWARE_RANDOM_KERNEL_H

#include "base/base.h"
#include "device/device.h"

enum { RANDOM_BUFFERS = 14, RANDOM_SCALARS = 6, RANDOM_SCALAR_BYTES = 24 };

struct random_kernel {
    uint64_t seed;
    char name[32]; /* of the __global__ function */
    struct launch_shape shape;
    unsigned threads; /* of the whole grid */
    /* its buffers are volatile; set only if its text was generated */
    int watched;
};
struct random_buffer {
    const char *name, *type;    /* of the parameter */
    unsigned element;           /* bytes */
    unsigned fixed, per_thread; /* elements: fixed, and per_thread for each thread of the grid */
    /* u, w, f, d: values of that type; 0: a pattern (an output); z: zeros */
    char holds;
    int watched; /* volatile in the kernels that have such buffers */
};
extern const struct random_buffer random_buffers[RANDOM_BUFFERS];

/* Append what every file of random kernels begins with. */
void random_prelude(struct buf *out);
/* Append the seed's kernel to out, and say in k how it is launched. out NULL: only k is filled. */
void random_kernel(uint64_t seed, struct random_kernel *k, struct buf *out);
/* The size of a buffer in bytes. */
size_t random_bytes(const struct random_kernel *k, int buffer);
/* Fill data with what a buffer holds before the launch. */
void random_fill(const struct random_kernel *k, int buffer, void *data);
/* The scalar parameters, which follow the buffers, in order. */
void random_scalars(
    const struct random_kernel *k, unsigned char values[RANDOM_SCALARS][RANDOM_SCALAR_BYTES]);

#endif
