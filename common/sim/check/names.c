/* names.c - describes a byte of shared or local memory in terms of the learner's source.
 *
 *     shared byte 4116, from an address that starts at a_tile:    a_tile[32][5]
 *         a_tile  bytes 0 .. 4095      offset 4116 = 32 rows of 128 bytes + 5 elements of 4
 *         b_tile  bytes 4096 .. 8191
 *
 * If the instruction's address was computed from a single array, the byte is described as an
 * element of it; else as an element of the array that contains it. The dimensions come from the
 * source (declared.c). Dynamic shared memory has no declared dimensions, so there the message
 * states the byte. */
#include "sim/check/names.h"
#include "sim/check/declared.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The source name of a function's variable, from its mangled name: _ZZ6matmulPKfS0_PfiiiE6a_tile is
 * a_tile. */
static void plain_name(const char *symbol, char *out, size_t size)
{
    const char *name = symbol;
    size_t n = strlen(symbol);
    for (const char *at = symbol; !strncmp(symbol, "_ZZ", 3) && (at = strchr(at, 'E')); at++) {
        char *end;
        unsigned long length = strtoul(at + 1, &end, 10);
        if (end == at + 1 || length > strlen(end) || (end[length] && end[length] != '_')) continue;
        name = end;
        n = length;
    }
    snprintf(out, size, "%.*s", (int)n, name);
}

/* ---- which array an address was computed from ---- */

static int reads_from(const struct ptx_step *s, const unsigned char *set)
{
    for (int i = 0; i < s->dst_count; i++)
        if (s->dst[i] >= 0 && set[s->dst[i]])
            return s->op != OP_LD && s->op != OP_ST && s->op != OP_ATOM;
    return 0;
}

/* Add the register of a source operand to the set of registers that the address depends on. Returns
 * 1 if the register was not in the set. If the operand is an array's address, *object becomes that
 * array, or -2 if the address depends on several arrays. */
static int follow(
    const struct ptx_program *p, const struct ptx_src *s, unsigned char *set, int *object)
{
    if (s->kind == SRC_ADDRESS && p->objects[s->reg].space == SPACE_SHARED)
        *object = *object == -1 || *object == s->reg ? s->reg : -2;
    if (s->kind != SRC_REG || set[s->reg]) return 0;
    return set[s->reg] = 1;
}

/* The only shared array that a step's address can be computed from; negative: none or several. */
static int origin_of(const struct ptx_program *p, int step)
{
    unsigned char *set = xcalloc(p->vreg_count + 1, 1);
    int object = -1, grows = 1;
    follow(p, &p->steps[step].src[0], set, &object);
    while (grows) {
        grows = 0;
        for (size_t i = 0; i < p->step_count; i++)
            if (reads_from(&p->steps[i], set))
                for (int k = 0; k < p->steps[i].src_count; k++)
                    grows |= follow(p, &p->steps[i].src[k], set, &object);
    }
    free(set);
    return object;
}

static int holder_of(const struct ptx_program *p, uint64_t addr)
{
    for (size_t i = 0; i < p->object_count; i++)
        if (p->objects[i].space == SPACE_SHARED && addr >= p->objects[i].offset &&
            addr - p->objects[i].offset < p->objects[i].var->bytes)
            return (int)i;
    return -1;
}

int names_array(const struct worker *w, int step, uint64_t addr, struct named *out)
{
    const struct ptx_program *p = w->kernel->program;
    int object = step >= 0 ? origin_of(p, step) : -1;
    if (object < 0) object = holder_of(p, addr);
    for (size_t i = 0; object < 0 && addr >= w->shared_bytes && i < p->object_count;
         i++) /* an address at the end of all shared memory belongs to the last array */
        if (p->objects[i].space == SPACE_SHARED && !w->launch->shape.dynamic_shared &&
            p->objects[i].offset + p->objects[i].var->bytes == w->shared_bytes)
            object = (int)i;
    if (object < 0 || !p->objects[object].var->bytes) return 0;
    size_t length;
    const char *kernel = ptx_source_name(p->kernel->name, &length);
    char function[128];
    snprintf(function, sizeof function, "%.*s", (int)length, kernel);
    *out =
        (struct named){.start = p->objects[object].offset, .bytes = p->objects[object].var->bytes};
    plain_name(p->objects[object].var->name, out->name, sizeof out->name);
    return declared_array(p->module->source, out->name, function, out->bytes, &out->shape);
}

/* ---- from an address to an element of an array ---- */

/* Writes the subscripts of the element at this byte offset, such as [32][5]. They are rounded down,
 * so that the byte before the start lies in element -1. */
static void subscripts(const struct declared *d, int64_t offset, char *out, size_t size)
{
    int64_t element = offset >= 0 ? offset / (int64_t)d->element
                                  : -((-offset + (int64_t)d->element - 1) / (int64_t)d->element);
    long below = (long)d->elements;
    size_t at = 0;
    for (int i = 0; i < d->count; i++) {
        below /= d->dim[i];
        int64_t index = element >= 0 ? element / below : -((-element + below - 1) / below);
        element -= index * below;
        at += (size_t)snprintf(out + at, at < size ? size - at : 0, "[%lld]", (long long)index);
        if (at >= size) return;
    }
}

void names_element(const struct named *n, uint64_t addr, char *out, size_t size)
{
    size_t at = (size_t)snprintf(out, size, "%s", n->name);
    if (n->shape.scalar && addr - n->start < n->bytes) return;
    if (at < size) subscripts(&n->shape, (int64_t)(addr - n->start), out + at, size - at);
}

struct finding names_finding(enum finding_kind kind, const struct named *n, uint64_t addr)
{
    const struct declared *d = &n->shape;
    int64_t row = (int64_t)(d->element * d->elements) / d->dim[0],
            offset = (int64_t)(addr - n->start);
    int64_t index = offset >= 0 ? offset / row : -((-offset + row - 1) / row);
    return sim_element(kind, n->name, index, (long long)d->elements);
}

void names_shared(const struct worker *w, int step, uint64_t addr, char *out, size_t size)
{
    struct named n;
    if (names_array(w, step, addr, &n))
        names_element(&n, addr, out, size);
    else
        snprintf(out, size, "byte %llu of shared memory", (unsigned long long)addr);
}

void names_shape(const struct named *n, char *out, size_t size)
{
    size_t at = 0;
    *out = 0;
    for (int i = 0; i < n->shape.count && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%ld", i ? " x " : "", n->shape.dim[i]);
}

int names_own(const struct worker *w, struct named *out)
{
    const struct ptx_program *p = w->kernel->program;
    size_t length;
    const char *kernel = ptx_source_name(p->kernel->name, &length);
    char function[128];
    snprintf(function, sizeof function, "%.*s", (int)length, kernel);
    *out = (struct named){.bytes = w->local_bytes};
    return declared_own(p->module->source, function, &out->shape, out->name, sizeof out->name);
}

const char *names_place(const struct ptx_program *p, int step, size_t *length)
{
    const struct ptx_loc *loc = &p->steps[step].loc;
    const char *text = p->module->source;
    for (int i = 1; text && i < loc->line; i++)
        text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
    if (!text || loc->col < 1 || strcspn(text, "\n") < (size_t)loc->col) text = "";
    text += *text ? loc->col - 1 : 0;
    *length = strcspn(text, ";\n");
    return text;
}

int names_argument(const struct ptx_program *p, int step, char *out, size_t size)
{
    size_t length, n = 0;
    const char *text = names_place(p, step, &length);
    while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
    if (!n || text[n] != '(') return 0;
    text += n + 1 + strspn(text + n + 1, " &");
    n = strcspn(text, " ,+()\";\n");
    snprintf(out, size, "%.*s", (int)n, text);
    return n > 0 && n < size;
}
