/* dump.c - LOCKSTEP_DUMP=name: print a buffer after each launch that has its address as an
 * argument; LOCKSTEP_DUMP=name:n: only after the n-th such launch.
 *
 *     lockstep: out after add<<<(4,1,1), (256,1,1)>>>: 1000 of float
 *          0: 0 3 6 9 12 15 18 21
 *
 * The type of the elements is that of the variable's declaration in the source (element.c). */
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PER_LINE = 8, FIRST = 64, LAST = 16 };
static const struct element unknown = {"4 bytes", 4, 'x'};

static void add_value(struct buf *out, const struct element *t, const unsigned char *p)
{
    uint64_t u = 0;
    double d;
    float f;
    memcpy(&u, p, t->bytes);
    memcpy(&d, p, t->bytes == 8 ? 8 : 0);
    memcpy(&f, p, t->bytes >= 4 ? 4 : 0);
    int64_t i = (int64_t)(u << (64 - 8 * t->bytes)) >> (64 - 8 * t->bytes);
    if (t->kind == 'f')
        buf_printf(out, " %.*g", t->bytes == 8 ? 9 : 6, t->bytes == 8 ? d : f);
    else if (t->kind == 'i')
        buf_printf(out, " %lld", (long long)i);
    else
        buf_printf(out, t->kind == 'u' ? " %llu" : " %08llx", (unsigned long long)u);
}

static void dump(const struct function *f, const struct launch_shape *s, const char *name,
    dev_ptr at, size_t bytes)
{
    const struct element *t = element_declared(registry_source(f), name);
    if (!t) t = &unknown;
    size_t count = bytes / t->bytes;
    unsigned char *data = xcalloc(bytes + 8, 1);
    struct err e = {0};
    struct buf out = {0};
    if (device_copy_out(runtime.device, data, at, bytes, &e)) buf_printf(&out, "%s", e.text);
    buf_printf(&out, "%s after %s<<<(%u,%u,%u), (%u,%u,%u)>>>: %zu of %s", name, f->name,
        s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1], s->block[2], count, t->name);
    for (size_t i = 0; i < count; i++) {
        if (i == FIRST && count > FIRST + LAST) {
            buf_printf(&out, "\n       ...");
            i = (count - LAST) / PER_LINE * PER_LINE;
        }
        if (i % PER_LINE == 0) buf_printf(&out, "\n%10zu:", i);
        add_value(&out, t, data + i * t->bytes);
    }
    fflush(stdout);
    fprintf(stderr, "lockstep: %s\n", out.data);
    buf_free(&out);
    free(data);
}

void dump_after(const struct function *f, const struct launch_shape *s, void **args)
{
    static unsigned long launches;
    const char *wanted = getenv("LOCKSTEP_DUMP");
    const struct param *params;
    if (!wanted || !*wanted) return;
    size_t n = strcspn(wanted, ":");
    unsigned long number = wanted[n] ? strtoul(wanted + n + 1, NULL, 10) : 0;
    int count = kernel_params(f->kernel, &params);
    for (int i = 0; i < count; i++) {
        void *p = NULL, *start;
        size_t bytes;
        const char *name;
        if (params[i].bytes != sizeof p) continue;
        memcpy(&p, args[i], sizeof p);
        if (memory_block(p, &start, &bytes, &name) || strlen(name) != n || strncmp(name, wanted, n))
            continue;
        launches++;
        if (!number || launches == number) dump(f, s, name, (dev_ptr)(uintptr_t)start, bytes);
        return;
    }
}
