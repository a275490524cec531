/* device.c - the table of back ends, and the functions that call them.
 *
 *     "sim:h200" ── text before ':' ──> back end ── text after ':' ──> its open() */
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

/* the back ends, in the order in which device_list lists them */
static const struct device_ops *const backs[] = {&device_sim, &device_cuda};
enum { BACKS = sizeof backs / sizeof *backs };

/* The back end whose scheme is the text before the colon. NULL: there is none. */
static const struct device_ops *back_of(const char *spec)
{
    size_t len = strcspn(spec, ":");
    for (int i = 0; i < BACKS; i++)
        if (strlen(backs[i]->scheme) == len && !strncmp(backs[i]->scheme, spec, len))
            return backs[i];
    return NULL;
}

/* On failure nothing remains allocated; a back end whose open fails frees its own state. */
int device_open(const char *spec, struct device **out, struct err *e)
{
    size_t len = strcspn(spec, ":");
    const struct device_ops *back = back_of(spec);
    if (back) {
        struct device *d = xcalloc(1, sizeof *d);
        d->ops = back;
        d->name = xstrdup(spec);
        if (d->ops->open(spec[len] ? spec + len + 1 : "", d, e)) {
            free(d->name);
            free(d);
            return -1;
        }
        *out = d;
        return 0;
    }
    return device_unknown(spec, e);
}

void device_close(struct device *d)
{
    if (!d) return;
    d->ops->close(d);
    free(d->name);
    free(d);
}

const char *device_name(const struct device *d) { return d->name; }

struct device_settings *device_settings(struct device *d) { return &d->settings; }

const struct model_profile *device_profile(const struct device *d) { return d->profile; }

/* A GPU for which the kit has no profile still has the name that its driver reports. */
const char *device_title(const struct device *d)
{
    return d->title ? d->title : d->profile ? d->profile->title : d->name;
}

int device_lost(const struct device *d) { return d->lost; }

int device_needs_process(const char *spec)
{
    const struct device_ops *back = back_of(spec);
    return back && back->needs_process;
}

int device_simulated(const char *spec) { return !strncmp(spec, "sim:", 4); }

/* Slow: looks for a GPU in a child process. */
const char *device_default(void) { return device_cuda.present() ? "cuda" : "sim:h200"; }

void device_list(struct buf *out)
{
    for (int i = 0; i < BACKS; i++) backs[i]->list(out);
}

int device_alloc(
    struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e)
{
    return d->ops->alloc(d, bytes, name, element, out, e);
}

int device_alloc_shared(
    struct device *d, size_t bytes, const char *name, size_t element, dev_ptr *out, struct err *e)
{
    if (d->ops->alloc_shared) return d->ops->alloc_shared(d, bytes, name, element, out, e);
    return err_set(e, ERR_ENV, "%s: has no memory that the host shares", d->name);
}

int device_lend(struct device *d, void *memory, size_t bytes, const char *name, size_t element,
    int input, dev_ptr *out, struct err *e)
{
    if (d->ops->lend) return d->ops->lend(d, memory, bytes, name, element, input, out, e);
    return err_set(e, ERR_ENV, "%s: cannot work in the host's memory", d->name);
}

int device_free(struct device *d, dev_ptr p, struct err *e) { return d->ops->free(d, p, e); }

int device_copy_in(struct device *d, dev_ptr dst, const void *src, size_t bytes, struct err *e)
{
    return d->ops->copy_in(d, dst, src, bytes, e);
}

int device_copy_out(struct device *d, void *dst, dev_ptr src, size_t bytes, struct err *e)
{
    return d->ops->copy_out(d, dst, src, bytes, e);
}

int device_where(const struct device *d, dev_ptr p, char *name, size_t size, dev_ptr *start)
{
    return d->ops->where ? d->ops->where(d, p, name, size, start) : -1;
}

void device_forget(struct device *d, dev_ptr p, size_t bytes)
{
    if (d->ops->forget) d->ops->forget(d, p, bytes);
}

int device_tensor_map(struct device *d, const struct model_tensor_map *map,
    unsigned char out[MODEL_TENSOR_MAP_BYTES], struct err *e)
{
    const char *bad = model_tensor_map_bad(map);
    if (bad) return err_set(e, ERR_LEARNER, "there is no such tensor map: %s", bad);
    if (d->ops->tensor_map) return d->ops->tensor_map(d, map, out, e);
    model_tensor_map_write(map, out);
    return 0;
}

int device_flush(struct device *d, struct err *e) { return d->ops->flush(d, e); }

/* struct module is allocated and freed here; its state belongs to the back end. */
int device_load(struct device *d, const char *ptx, const char *name, const char *main_source,
    struct module **out, struct err *e)
{
    struct module *m = xcalloc(1, sizeof *m);
    m->device = d;
    if (d->ops->load(d, ptx, name, main_source, m, e)) {
        free(m);
        return -1;
    }
    *out = m;
    return 0;
}

void device_unload(struct device *d, struct module *m)
{
    if (!m) return;
    d->ops->unload(d, m);
    free(m);
}

void module_source(struct module *m, const char *text)
{
    if (m->device->ops->source) m->device->ops->source(m, text);
}

int module_fresh(struct module *m, struct err *e)
{
    return m->device->ops->fresh ? m->device->ops->fresh(m, e) : 0;
}

struct kernel *module_kernel(struct module *m, const char *name)
{
    return m->device->ops->kernel(m, name);
}

const char *module_kernel_at(struct module *m, uint64_t address)
{
    return m->device->ops->kernel_at ? m->device->ops->kernel_at(m, address) : NULL;
}

int kernel_params(const struct kernel *k, const struct param **params)
{
    return k->module->device->ops->params(k, params);
}

const char *kernel_symbol(const struct kernel *k)
{
    const struct device_ops *ops = k->module->device->ops;
    return ops->symbol ? ops->symbol(k) : NULL;
}

int kernel_line(const struct kernel *k) { return k->module->device->ops->line(k); }

int kernel_object(const struct kernel *k, const char *symbol, uint64_t *offset)
{
    const struct device_ops *ops = k->module->device->ops;
    return ops->object ? ops->object(k, symbol, offset) : -1;
}

int kernel_needs(const struct kernel *k, struct kernel_needs *out)
{
    const struct device_ops *ops = k->module->device->ops;
    return ops->needs ? ops->needs(k, out) : -1;
}

void kernel_name(const struct kernel *k, struct buf *out)
{
    const struct device_ops *ops = k ? k->module->device->ops : NULL;
    if (ops && ops->name) ops->name(k, out);
}

void module_kernels(const struct module *m, struct buf *out) { m->device->ops->kernels(m, out); }

long module_initial(const struct module *m, const char *variable, void *out, size_t max)
{
    return m->device->ops->initial(m, variable, out, max);
}

dev_ptr module_variable(struct module *m, const char *variable, size_t *bytes)
{
    return m->device->ops->variable(m, variable, bytes);
}

int device_launch(struct device *d, struct kernel *k, const struct launch_shape *shape,
    const void *const *args, struct measurement *out, struct err *e)
{
    if (out) *out = (struct measurement){0};
    return d->ops->launch(d, k, shape, args, out, e);
}

int device_hold(struct device *d, struct err *e)
{
    return d->ops->hold && !d->lost ? d->ops->hold(d, e) : 0;
}

void device_release(struct device *d)
{
    if (d->ops->release && !d->lost) d->ops->release(d);
}

int device_transfer(
    struct device *d, const struct model_transfer *t, double *ms, enum time_kind *is, struct err *e)
{
    return d->ops->transfer(d, t, ms, is, e);
}
