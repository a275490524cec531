/* print.c - printf in kernels, and assertions that fail.
 *
 *     block 0: warp 0's lanes in order, warp 1's, ...  each worker keeps what its blocks print;
 *     block 1: ...                                     at the end all pieces are sorted by block
 *
 * Hardware prints in whatever order blocks happen to run. The order here is one of those, and the
 * same in each run.
 *
 * Source: CUDA C++ Programming Guide, Formatted Output. Conversions are those of C. Arguments are
 * contiguous in memory, promoted as in C. */
#include "sim/exec/access.h"
#include "sim/exec/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits in bytes. TEXT_MAX: of a format or a %s string; SPEC_MAX: of a conversion; NUMBER_MAX: of
 * the digits of a number. WIDTH_MAX: the largest field width. What is longer is cut. */
enum { TEXT_MAX = 1024, SPEC_MAX = 48, NUMBER_MAX = 13, WIDTH_MAX = 200 };

/* The output of one worker's blocks, in order of time; a block can have several pieces. */
struct printed {
    struct buf text;
    /* output of one block without that of other blocks in between: text[at .. at + length - 1] */
    struct piece {
        uint64_t block;
        size_t at, length;
    } * pieces;
    size_t count, cap;
    uint64_t calls;
    /* text of the current call of printf; kept here, so that a fault, which leaves by longjmp, does
     * not leak it */
    struct buf said;
    int sm;
    size_t kept; /* bytes of text from blocks of the multiprocessor sm, the current one */
};

void printed_free(struct printed *p)
{
    if (!p) return;
    buf_free(&p->text);
    buf_free(&p->said);
    free(p->pieces);
    free(p);
}

/* ---- text and arguments in the kernel's memory ---- */

/* The host address of a lane's generic address; NULL: the address is not valid. *room: how many
 * valid bytes follow. */
static const unsigned char *bytes_at(struct batch *v, int lane, uint64_t addr, size_t *room)
{
    struct worker *w = v->worker;
    const struct region *r;
    switch (access_space(&addr)) {
    case SPACE_LOCAL:
        *room = addr < w->local_bytes ? w->local_bytes - addr : 0;
        return *room ? w->local + (size_t)(v->index * BATCH_LANES + lane) * w->local_bytes + addr
                     : NULL;
    case SPACE_SHARED:
        *room = addr < w->shared_bytes ? w->shared_bytes - addr : 0;
        return *room ? w->shared + addr : NULL;
    default:
        r = sim_region(w->launch->memory, addr);
        *room = r ? r->bytes - (addr - r->addr) : 0;
        return *room ? r->host + (addr - r->addr) : NULL;
    }
}

/* Copies a string from the kernel's memory, cut to TEXT_MAX. The string may end where its
 * allocation ends, without a terminating 0. */
static void string_at(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, char out[TEXT_MAX])
{
    size_t room, n = 0;
    const unsigned char *p =
        addr ? bytes_at(v, lane, addr, &room) : (const unsigned char *)"(null)";
    if (!addr) room = sizeof "(null)";
    if (!p)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_OUTSIDE),
            "prints a string at address 0x%llx; nothing is allocated there",
            (unsigned long long)addr);
    while (n < room && n < TEXT_MAX - 1 && p[n]) n++;
    memcpy(out, p, n);
    out[n] = 0;
}

/* The arguments of a call: contiguous, each aligned to its size. at: position of the next argument;
 * room: bytes of all arguments. */
struct arguments {
    struct batch *v;
    const struct uop *u;
    int lane;
    const unsigned char *from;
    size_t at, room;
};

/* The bits of the next argument, of 4 or 8 bytes; a fault if there is none. */
static uint64_t next_argument(struct arguments *a, size_t bytes)
{
    uint64_t value = 0;
    a->at = (a->at + bytes - 1) / bytes * bytes;
    if (!a->from || a->at + bytes > a->room)
        sim_fault(a->v, a->u, a->lane, FAULT(.kind = FOUND_FAULT),
            "calls printf with fewer arguments than its format names");
    memcpy(&value, a->from + a->at, bytes);
    a->at += bytes;
    return value;
}

/* ---- one call of printf ---- */

/* Read a width or precision at *p: digits, or * for an int argument. The result is at most
 * WIDTH_MAX. */
static int number(const char **p, struct arguments *a)
{
    int n = 0;
    if (**p == '*') {
        ++*p;
        n = (int)(uint32_t)next_argument(a, 4);
    }
    for (; **p >= '0' && **p <= '9'; ++*p) n = n < WIDTH_MAX ? n * 10 + (**p - '0') : n;
    return n > WIDTH_MAX ? WIDTH_MAX : n < -WIDTH_MAX ? -WIDTH_MAX : n;
}

/* Executes one conversion. *p points behind its % and is moved behind the conversion. The host's
 * printf formats the value: spec is rebuilt from checked parts, with length modifiers replaced by
 * ll. Unknown conversions are printed unchanged. */
static void convert(struct buf *out, const char **p, struct arguments *a)
{
    static const char flags[] = "-+ #0", lengths[] = "hlLqjzt";
    char spec[SPEC_MAX] = "%", text[TEXT_MAX];
    const char *start = *p;
    size_t n = strspn(*p, flags), halves = 0;
    int is_long = 0;
    snprintf(spec + 1, SPEC_MAX - 24, "%.*s", (int)(n < 5 ? n : 5), *p);
    *p += n;
    if (**p == '*' || (**p >= '1' && **p <= '9'))
        snprintf(spec + strlen(spec), NUMBER_MAX, "%d", number(p, a));
    if (**p == '.') {
        ++*p;
        int precision = number(p, a);
        if (precision >= 0) snprintf(spec + strlen(spec), NUMBER_MAX, ".%d", precision);
    }
    for (; **p && strchr(lengths, **p); ++*p) {
        halves += **p == 'h';
        is_long |= **p != 'h';
    }
    char c = **p, *end = spec + strlen(spec);
    *p += c != 0;
    if (c && strchr("di", c)) {
        int64_t x = is_long ? (int64_t)next_argument(a, 8) : (int32_t)next_argument(a, 4);
        snprintf(end, 5, "ll%c", c);
        buf_printf(out, spec, (long long)(halves > 1 ? (signed char)x : halves ? (short)x : x));
    } else if (c && strchr("uxXo", c)) {
        uint64_t x = next_argument(a, is_long ? 8 : 4);
        snprintf(end, 5, "ll%c", c);
        buf_printf(out, spec,
            (unsigned long long)(halves > 1 ? (unsigned char)x
                                 : halves   ? (unsigned short)x
                                            : x));
    } else if (c && strchr("fFeEgGaA", c)) {
        uint64_t bits = next_argument(a, 8);
        double x;
        memcpy(&x, &bits, sizeof x);
        snprintf(end, 3, "%c", c);
        buf_printf(out, spec, x);
    } else if (c == 'c') {
        snprintf(end, 3, "c");
        buf_printf(out, spec, (int)(unsigned char)next_argument(a, 4));
    } else if (c == 's') {
        string_at(a->v, a->u, a->lane, next_argument(a, 8), text);
        snprintf(end, 3, "s");
        buf_printf(out, spec, text);
    } else if (c == 'p') {
        buf_printf(out, "0x%llx", (unsigned long long)next_argument(a, 8));
    } else {
        buf_printf(out, "%%%.*s", (int)(*p - start), start);
    }
}

/* Append text to out with its conversions replaced by the arguments. */
static void format(struct buf *out, const char *text, struct arguments *a)
{
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "%");
        buf_add(out, p, n);
        p += n;
        if (p[0] == '%' && p[1] == '%') {
            buf_add(out, "%", 1);
            p += 2;
        } else if (p[0] == '%') {
            p++;
            convert(out, &p, a);
        }
    }
}

/* Keep what the current call has printed. A worker runs a multiprocessor's blocks in order, so if
 * the output is cut, nothing after its first PRINTED_MAX bytes is needed. */
static void keep(struct worker *w)
{
    struct printed *p = w->printed;
    const struct buf *said = &p->said;
    if (p->sm != w->sm) {
        p->sm = w->sm;
        p->kept = 0;
    }
    if ((p->kept >= PRINTED_MAX && !w->launch->print_whole) || !said->len) return;
    struct piece *last = p->count ? &p->pieces[p->count - 1] : NULL;
    if (!last || last->block != w->block) {
        last = VEC_PUSH(p->pieces, p->count, p->cap);
        *last = (struct piece){w->block, p->text.len, 0};
    }
    buf_add(&p->text, said->data, said->len);
    last->length += said->len;
    p->kept += said->len;
}

/* The value in lane i of a 64-bit register. */
static uint64_t lane_of(struct batch *v, int reg, int i)
{
    return ((const uint64_t *)reg_lanes(v, &v->regs[reg]))[i];
}

/* Handler of printf. a: register with the address of the format; b: register with the address of
 * the arguments. The lanes print in order. */
void print_formatted(struct batch *v, const struct uop *u)
{
    struct worker *w = v->worker;
    if (!w->printed) {
        w->printed = xcalloc(1, sizeof *w->printed);
        w->printed->sm = -1;
    }
    for (int k = 0; k < v->warps; k++)
        for (uint32_t m = v->active[k]; m; m &= m - 1) {
            int i = k * 32 + __builtin_ctz(m);
            char text[TEXT_MAX];
            struct arguments a = {v, u, i, NULL, 0, 0};
            string_at(v, u, i, lane_of(v, u->a, i), text);
            a.from = bytes_at(v, i, lane_of(v, u->b, i), &a.room);
            w->printed->calls++;
            w->printed->said.len = 0;
            format(&w->printed->said, text, &a);
            keep(w);
        }
}

/* Handler of a failed assert. a: register with the address of its text. The fault names the first
 * active lane. */
void print_assertion(struct batch *v, const struct uop *u)
{
    for (int k = 0; k < v->warps; k++)
        if (v->active[k]) {
            int i = k * 32 + __builtin_ctz(v->active[k]);
            char text[TEXT_MAX];
            string_at(v, u, i, lane_of(v, u->a, i), text);
            sim_fault(v, u, i, FAULT(.kind = FOUND_ASSERTION), "fails the assertion %s", text);
        }
}

/* ---- the output of the launch ---- */

/* A piece, and the worker's output of which it is a part, for sorting. */
struct place {
    const struct printed *from;
    const struct piece *piece;
};

/* Comparison function for qsort: lower blocks first; pieces of one block in the order in which they
 * were printed. */
static int by_block(const void *a, const void *b)
{
    const struct piece *x = ((const struct place *)a)->piece, *y = ((const struct place *)b)->piece;
    return x->block != y->block ? (x->block < y->block ? -1 : 1)
           : x->at < y->at      ? -1
                                : x->at > y->at;
}

/* Joins the output of all workers; the caller frees it. If the output is too long, it is cut after
 * a line, and a last line states how often printf was called. */
char *printed_join(const struct worker *workers, int count, int whole)
{
    size_t most = whole ? SIZE_MAX : PRINTED_MAX;
    struct place *places = NULL;
    size_t n = 0, cap = 0;
    uint64_t calls = 0;
    struct buf out = {0};
    for (int i = 0; i < count; i++) {
        const struct printed *p = workers[i].printed;
        calls += p ? p->calls : 0;
        for (size_t k = 0; p && k < p->count; k++)
            *VEC_PUSH(places, n, cap) = (struct place){p, &p->pieces[k]};
    }
    if (n) qsort(places, n, sizeof *places, by_block);
    for (size_t i = 0; i < n && out.len < most; i++)
        buf_add(&out, places[i].from->text.data + places[i].piece->at, places[i].piece->length);
    if (out.len > most) {
        size_t end = PRINTED_MAX;
        while (end && out.data[end - 1] != '\n') end--;
        out.len = end ? end : PRINTED_MAX;
        buf_printf(
            &out, "... and so on: printf was called %llu times\n", (unsigned long long)calls);
    } else if (!whole && out.len && out.data[out.len - 1] != '\n') {
        buf_add(&out, "\n", 1);
    }
    free(places);
    return out.data;
}
