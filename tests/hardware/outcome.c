/* outcome.c - run a random kernel in one way, and compare two such runs.
 *
 *     buffers: filled from the seed --> copied in --> launch --> copied out --> compared bit for bit
 */
#include "hardware/outcome.h"

#include <stdlib.h>
#include <string.h>

void outcome_free(struct outcome *o)
{
    for (int i = 0; i < RANDOM_BUFFERS; i++) free(o->data[i]);
    *o = (struct outcome){0};
}

/* Launch the kernel on buffers that are already on the device: pointers first, then the scalars. */
static int launch(const struct random_kernel *k, struct way *w, const dev_ptr *at,
    struct outcome *o, struct err *e)
{
    unsigned char scalars[RANDOM_SCALARS][RANDOM_SCALAR_BYTES];
    const void *args[RANDOM_BUFFERS + RANDOM_SCALARS];
    struct kernel *kernel = module_kernel(w->module, k->name);
    struct measurement m = {0};
    if (!kernel) return err_set(e, ERR_ENV, "the kernel is not in the module");
    random_scalars(k, scalars);
    for (int i = 0; i < RANDOM_BUFFERS; i++) args[i] = &at[i];
    for (int i = 0; i < RANDOM_SCALARS; i++) args[RANDOM_BUFFERS + i] = scalars[i];
    device_settings(w->device)->threads = w->threads;
    device_settings(w->device)->masked = w->masked;
    int bad = device_launch(w->device, kernel, &k->shape, args, &m, e);
    o->metrics = m.metrics;
    o->ms = m.ms;
    measurement_free(&m);
    return bad;
}

/* The host copy of each buffer is used twice: as the input, then for what the launch left there. */
int outcome_take(const struct random_kernel *k, struct way *w, struct outcome *o, struct err *e)
{
    dev_ptr at[RANDOM_BUFFERS] = {0};
    int bad = 0;
    for (int i = 0; !bad && i < RANDOM_BUFFERS; i++) {
        size_t bytes = random_bytes(k, i);
        o->data[i] = xcalloc(bytes, 1);
        random_fill(k, i, o->data[i]);
        bad = device_alloc(
                  w->device, bytes, random_buffers[i].name, random_buffers[i].element, &at[i], e) ||
              device_copy_in(w->device, at[i], o->data[i], bytes, e);
    }
    bad = bad || launch(k, w, at, o, e);
    for (int i = 0; i < RANDOM_BUFFERS; i++) {
        bad = bad || device_copy_out(w->device, o->data[i], at[i], random_bytes(k, i), e);
        if (at[i]) device_free(w->device, at[i], NULL);
    }
    return bad ? -1 : 0;
}

/* A little-endian value in hexadecimal. */
static void hex(struct buf *out, const unsigned char *p, unsigned bytes)
{
    buf_printf(out, "0x");
    while (bytes--) buf_printf(out, "%02x", p[bytes]);
}

/* Only the first different element is described. */
int outcome_data_differ(const struct random_kernel *k, const struct outcome *want,
    const struct outcome *got, struct buf *why)
{
    size_t differ = 0;
    for (int i = 0; i < RANDOM_BUFFERS; i++) {
        unsigned size = random_buffers[i].element;
        for (size_t at = 0; at < random_bytes(k, i); at += size) {
            if (!memcmp(want->data[i] + at, got->data[i] + at, size) || differ++) continue;
            buf_printf(why, "%s[%zu] is ", random_buffers[i].name, at / size);
            hex(why, got->data[i] + at, size);
            buf_printf(why, ", and ");
            hex(why, want->data[i] + at, size);
        }
    }
    return differ > 0;
}

/* Counters must be the same to the last bit. NAN is equal to NAN here, hence memcmp. */
int outcome_counts_differ(
    const struct outcome *want, const struct outcome *got, int same_time, struct buf *why)
{
    for (int i = 0; i < METRIC_COUNT; i++)
        if (memcmp(&want->metrics.v[i], &got->metrics.v[i], sizeof(double))) {
            buf_printf(why, "%s is %.17g, and %.17g", model_metrics[i].ncu, got->metrics.v[i],
                want->metrics.v[i]);
            return 1;
        }
    if (!same_time || want->ms == got->ms) return 0;
    buf_printf(why, "the time is %.17g ms, and %.17g ms", got->ms, want->ms);
    return 1;
}
