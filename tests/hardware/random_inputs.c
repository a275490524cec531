/* random_inputs.c - what the buffers and scalars of a random kernel hold before the launch. */
#include "hardware/random_kernel.h"
#include "hardware/random_expr.h"

#include <string.h>

/* Outputs grow with the grid; inputs have a fixed size. */
size_t random_bytes(const struct random_kernel *k, int buffer)
{
    const struct random_buffer *b = &random_buffers[buffer];
    return (size_t)b->element * (b->fixed + (size_t)b->per_thread * k->threads);
}

/* A random value of the type that a buffer holds; its low bytes are stored. */
static uint64_t value(struct rng *r, char holds)
{
    switch (holds) {
    case 'u': return gen_u32(r);
    case 'w': return gen_u64(r);
    case 'f': return gen_f32_bits(r);
    case 'd': return gen_f64_bits(r);
    default: return 0;
    }
}

/* Each buffer has its own sequence of random numbers, so it does not depend on the others. */
void random_fill(const struct random_kernel *k, int buffer, void *data)
{
    const struct random_buffer *b = &random_buffers[buffer];
    size_t bytes = random_bytes(k, buffer);
    struct rng r;
    rng_seed(&r, k->seed * 64 + (uint64_t)buffer);
    if (!b->holds) memset(data, 0xa5, bytes);
    for (size_t i = 0; b->holds && i < bytes; i += b->element) {
        uint64_t v = value(&r, b->holds);
        memcpy((char *)data + i, &v, b->element);
    }
}

/* s0 to s4, then the structure `mixed`: a float at 0, a byte at 4, a double at 8. */
void random_scalars(
    const struct random_kernel *k, unsigned char values[RANDOM_SCALARS][RANDOM_SCALAR_BYTES])
{
    struct rng r;
    rng_seed(&r, ~k->seed);
    uint64_t v[] = {gen_u32(&r), gen_u64(&r), gen_f32_bits(&r), gen_u32(&r), gen_u32(&r)};
    uint32_t x = gen_f32_bits(&r);
    uint64_t y = gen_f64_bits(&r);
    memset(values, 0, RANDOM_SCALARS * RANDOM_SCALAR_BYTES);
    for (int i = 0; i < 5; i++) memcpy(values[i], &v[i], 8);
    memcpy(values[5], &x, 4);
    values[5][4] = (unsigned char)v[4];
    memcpy(values[5] + 8, &y, 8);
}
