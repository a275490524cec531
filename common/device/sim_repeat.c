/* sim_repeat.c - a program that times a kernel launches it many times with the same arguments. A launch
 * is a function of its arguments and of all memory. So it need not run again where it has found the
 * same memory before: what it changed then is changed again.
 *
 *     launch 1     sum is 0, then 4096                 run
 *     launch 2     sum was set to 0, then 4096         run: memory is hashed before it
 *     launch 3     sum was set to 0, then 4096         run: memory had that hash, so what changes is kept
 *     launch 4 ..  sum was set to 0                    not run: sum becomes 4096
 *
 * A launch that changes nothing is known after the second, since memory has the same hash after it.
 */
#include "device/sim_repeat.h"

#include <stdlib.h>
#include <string.h>

/* Hashing is worth while for a launch that takes longer than this for each byte of memory. */
static const double SECONDS_A_BYTE = 1e-9;
/* bytes of memory of which a copy is made */
static const size_t COPIED = (size_t)1 << 30;

static int same(const struct repeat *r, const struct sim_shape *shape, const unsigned char *params)
{
    return r->params && !memcmp(&r->shape, shape, sizeof *shape) &&
           !memcmp(r->params, params, r->param_bytes);
}

int repeat_begin(struct repeat *r, struct sim_memory *m, const struct sim_shape *shape,
    const unsigned char *params, size_t bytes)
{
    r->hashing = 0;
    r->began = clock_seconds();
    if (!same(r, shape, params)) {
        repeat_free(r);
        *r = (struct repeat){.shape = *shape, .param_bytes = bytes, .began = r->began};
        r->params = xcalloc(bytes + 1, 1);
        memcpy(r->params, params, bytes);
        return 0;
    }
    if (r->pause && r->pause--) return 0;
    if (r->seconds < (double)sim_bytes(m) * SECONDS_A_BYTE) return 0;
    uint64_t hash = sim_hash(m);
    if (r->state == KNOWN && hash == r->hash) {
        sim_change(m, &r->changes);
        return 1;
    }
    if (r->state == HASHED && hash == r->hash && sim_bytes(m) <= COPIED) r->copy = sim_copy_new(m);
    r->hashing = 1, r->state = HASHED, r->hash = hash;
    return 0;
}

void repeat_end(struct repeat *r, const struct sim_memory *m, int quiet)
{
    r->seconds = clock_seconds() - r->began;
    if (!r->hashing) return;
    buf_free(&r->changes);
    if (quiet && r->copy) {
        sim_changes(r->copy, m, &r->changes);
        r->state = KNOWN;
    } else if (quiet && sim_hash(m) == r->hash) {
        r->state = KNOWN;
    } else if (!quiet) {
        r->state = UNHASHED;
    }
    sim_copy_free(r->copy);
    r->copy = NULL;
    if (r->state == KNOWN)
        r->failed = 0;
    else if (r->failed < 10)
        r->failed++;
    r->pause = r->state == KNOWN ? 0 : (1u << r->failed) - 2;
}

void repeat_free(struct repeat *r)
{
    free(r->params);
    buf_free(&r->changes);
    sim_copy_free(r->copy);
}
