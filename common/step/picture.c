/* picture.c - what is shown of one stop: lanes, variables, the accesses of its line, counters.
 *
 *     stop k        stop k + 1
 *       |  i  i  i  |                values: before the first of these instructions
 *       └─ the line ┘                accesses: of all of them
 *
 * A variable that has changed since the previous stop is marked. */
#include "step/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MAX = 16, DEPTH_MAX = 3 };

/* ---- lanes ---- */

static void draw_lanes(const struct recording *r, const struct instant *i, struct step_picture *p)
{
    for (int l = 0; l < WARP_SIZE; l++) {
        uint32_t bit = 1u << l;
        p->lanes[l] = !(recording_exist(r) & bit)                         ? ' '
                      : i->exited & bit                                   ? 'x'
                      : i->waits & bit || (p->barrier && i->active & bit) ? 'B'
                      : i->active & bit                                   ? '#'
                                                                          : '.';
    }
    p->active = i->active;
}

/* ---- variables ---- */

static struct step_row *add_row(struct step_picture *p, const char *name)
{
    p->rows = xrealloc(p->rows, sizeof *p->rows * (size_t)(p->row_count + 1));
    struct step_row *row = &p->rows[p->row_count++];
    *row = (struct step_row){.same = 1};
    snprintf(row->name, sizeof row->name, "%s", name);
    return row;
}

/* The place of a variable: an address in each lane's local memory, or in shared memory. */
struct place {
    int shared;
    uint64_t offset;
    int type;
};

/* Read a number of `bytes` bytes for each lane. Returns the lanes in which all of these bytes
 * were written. */
static uint32_t read_lanes(const struct step_session *s, const struct step_state *st,
    const struct place *at, unsigned bytes, uint64_t lane[WARP_SIZE])
{
    uint32_t known = 0;
    size_t size = at->shared ? st->shared_bytes : st->local_bytes;
    for (int l = 0; l < WARP_SIZE; l++) {
        size_t from = at->offset + (at->shared ? 0 : (size_t)l * st->local_bytes);
        lane[l] = 0;
        if (!(recording_exist(s->recording) >> l & 1) || at->offset + bytes > size) continue;
        memcpy(&lane[l], (at->shared ? st->shared : st->local) + from, bytes);
        known |=
            (uint32_t)!memchr((at->shared ? st->shared_known : st->local_known) + from, 0, bytes)
            << l;
    }
    return known;
}

/* The kernel's name for a buffer: if the buffer is "argument 2", the name of the second
 * parameter. */
static const char *name_of(const struct step_session *s, const char *buffer)
{
    int n = 0;
    if (sscanf(buffer, "argument %d", &n) == 1 && n >= 1 && n <= 32 && !strchr(buffer, ',') &&
        s->parameters[n - 1])
        return s->parameters[n - 1];
    return buffer;
}

/* Write pointers as a name and an element, "a + 32"; if lanes point to different buffers, as
 * addresses. */
static void fold_pointer(const struct step_session *s, const struct step_type *t,
    uint64_t lane[WARP_SIZE], uint32_t known, struct step_row *row)
{
    char text[96];
    uint64_t start = 0, first = known ? lane[__builtin_ctz(known)] : 0;
    const struct step_type *of = t->of >= 0 ? &s->names.types[t->of] : NULL;
    unsigned element = of && of->bytes ? of->bytes : 1;
    const char *name = known ? recording_where(s->recording, first, &start) : NULL;
    if (!name) {
        step_fold(KIND_POINTER, 8, lane, known, row->text, sizeof row->text);
        return;
    }
    for (int l = 0; l < WARP_SIZE; l++)
        lane[l] = (uint64_t)((int64_t)(lane[l] - start) / (int64_t)element);
    step_fold(KIND_SIGNED, 8, lane, known, text, sizeof text);
    snprintf(row->text, sizeof row->text, "&%s[%s]", name_of(s, name), text);
}

/* Make the row of a variable that is one number per lane, and set whether it has changed since
 * the previous state. */
static void fold_scalar(const struct step_session *s, const struct step_state *st,
    const struct place *at, struct step_row *row)
{
    const struct step_type *t = &s->names.types[at->type];
    uint64_t lane[WARP_SIZE];
    unsigned bytes = t->bytes < 8 ? t->bytes : 8;
    uint32_t known = read_lanes(s, st, at, bytes, lane);
    uint64_t one = known ? lane[__builtin_ctz(known)] : 0;
    for (int l = 0; l < WARP_SIZE; l++) row->same &= !(known >> l & 1) || lane[l] == one;
    if (t->kind == KIND_POINTER)
        fold_pointer(s, t, lane, known, row);
    else
        step_fold(t->kind, bytes, lane, known, row->text, sizeof row->text);
    row->same &= strlen(row->text) < 24;
}

/* Add the rows of a variable: one for a number, one for each part of a structure or small array. */
static void add_rows(const struct step_session *s, const struct step_state *st, const char *name,
    struct place at, int depth, struct step_picture *p)
{
    const struct step_type *t = at.type >= 0 ? &s->names.types[at.type] : NULL;
    char part[48];
    if (!t || depth > DEPTH_MAX) return;
    if (t->kind == KIND_STRUCT) {
        for (int i = 0; i < t->member_count && i < ELEMENTS_MAX; i++) {
            snprintf(part, sizeof part, "%.22s.%.22s", name, t->members[i].name);
            add_rows(s, st, part,
                (struct place){at.shared, at.offset + t->members[i].offset, t->members[i].type},
                depth + 1, p);
        }
    } else if (t->kind == KIND_ARRAY && t->of >= 0) {
        for (unsigned i = 0; i < t->count && i < ELEMENTS_MAX; i++) {
            snprintf(part, sizeof part, "%.36s[%u]", name, i);
            add_rows(s, st, part,
                (struct place){
                    at.shared, at.offset + (uint64_t)i * s->names.types[t->of].bytes, t->of},
                depth + 1, p);
        }
    } else {
        char self[64];
        fold_scalar(s, st, &at, add_row(p, name));
        /* a parameter that still has its initial value is left out */
        snprintf(self, sizeof self, "&%s[0]", name);
        if (t->kind == KIND_POINTER && !strcmp(p->rows[p->row_count - 1].text, self))
            p->row_count--;
    }
}

/* Add the variables in scope at a PTX line. A function's own variables come before its
 * parameters. Arrays in shared memory are left out, since they are shown elsewhere. */
static void add_variables(
    const struct step_session *s, const struct step_state *st, int ptx_line, struct step_picture *p)
{
    for (int parameters = 0; parameters <= 1; parameters++)
        for (int i = 0; i < s->names.variable_count; i++) {
            const struct step_variable *v = &s->names.variables[i];
            const struct step_type *t = &s->names.types[v->type];
            if (v->parameter != parameters || ptx_line < v->from || ptx_line >= v->to) continue;
            if (v->shared && t->kind == KIND_ARRAY) continue;
            add_rows(s, st, v->name, (struct place){v->shared, v->offset, v->type}, 0, p);
        }
}

/* Find the register that instruction number k of a PTX line writes, which is its first operand. */
static void register_name(const char *ptx, int line, int k, char *out, size_t size)
{
    char *text = source_line(ptx, line);
    const char *at = text;
    if (*at == '@') at += strcspn(at, " \t");
    at += strspn(at, " \t");
    at += strcspn(at, " \t");
    for (; k > 0 && (at = strchr(at, ',')); k--) at++;
    const char *reg = at ? strchr(at, '%') : NULL;
    snprintf(out, size, "%.*s", reg ? (int)strcspn(reg + 1, ", \t;|}") + 1 : 1, reg ? reg : "-");
    free(text);
}

/* If names are unknown: add what the instructions of the stop computed, by PTX register. */
static void add_results(const struct step_session *s, struct step_picture *p)
{
    for (size_t k = p->instant; k < p->end; k++) {
        const struct instant *i = recording_at(s->recording, k);
        for (int n = 0; n < i->values && i->quiet != 1 && i->access != WATCH_WRITE; n++) {
            struct watch_value v;
            char name[48];
            record_value(s->recording, i, n, &v);
            register_name(s->ptx, i->ptx_line, n, name, sizeof name);
            struct step_row *row = add_row(p, name);
            enum step_kind kind = v.type == 'f'   ? KIND_FLOAT
                                  : v.type == 'p' ? KIND_BOOL
                                                  : KIND_SIGNED;
            step_fold(kind, v.bytes ? v.bytes : 1, v.lane, i->mask, row->text, sizeof row->text);
            row->same = 0;
        }
    }
}

/* Mark the rows that have changed since the previous stop. */
static void mark_changes(
    struct step_session *s, size_t before, int ptx_line, struct step_picture *p)
{
    struct step_picture old = {0};
    add_variables(s, recording_state(s->recording, before), ptx_line, &old);
    for (int i = 0; i < p->row_count && i < old.row_count; i++)
        p->rows[i].changed = strcmp(p->rows[i].text, old.rows[i].text) != 0;
    free(old.rows);
}

/* ---- accesses ---- */

/* The simulator's message, with the names of parameters: "reads argument 1[31]" becomes "reads
 * in[31]". */
char *step_fault(const struct step_session *s)
{
    struct buf out = {0};
    for (const char *at = recording_fault(s->recording); at && *at;) {
        int n = 0, len = 0;
        if (sscanf(at, "argument %d%n", &n, &len) == 1 && n >= 1 && n <= 32 && at[len] != ',' &&
            s->parameters[n - 1]) {
            buf_printf(&out, "%s", s->parameters[n - 1]);
            at += len;
        } else {
            buf_add(&out, at++, 1);
        }
    }
    return out.data;
}

/* The array in shared memory that contains this byte; NULL: none. */
const struct step_variable *step_shared_at(const struct step_session *s, uint64_t offset)
{
    for (int i = 0; i < s->names.variable_count; i++) {
        const struct step_variable *v = &s->names.variables[i];
        if (v->shared && offset >= v->offset && offset < v->offset + s->names.types[v->type].bytes)
            return v;
    }
    return NULL;
}

void step_access_at(const struct step_session *s, size_t k, struct step_access *a)
{
    const struct instant *i = recording_at(s->recording, k);
    *a = (struct step_access){.instant = k,
        .write = i->access != WATCH_READ,
        .atomic = i->access == WATCH_ATOMIC,
        .shared = i->space == WATCH_SHARED,
        .constant = i->space == WATCH_CONST,
        .bytes = i->bytes,
        .mask = i->mask,
        .cost = i->cost,
        .extra = i->extra};
    record_addresses(s->recording, i, a->addr);
    const struct step_variable *v =
        a->shared ? step_shared_at(s, a->addr[__builtin_ctz(a->mask)]) : NULL;
    const char *name = v           ? v->name
                       : a->shared ? "shared memory"
                                   : name_of(s, recording_buffer(s->recording, i));
    snprintf(a->what, sizeof a->what, "%s", *name ? name : "no buffer");
}

static void add_access(const struct step_session *s, size_t k, struct step_picture *p)
{
    const struct instant *i = recording_at(s->recording, k);
    if (!i->access || i->space == WATCH_LOCAL || !i->mask || !(i->counts || i->fault >= 0)) return;
    if (p->access_count == PICTURE_ACCESSES)
        p->access_more++;
    else
        step_access_at(s, k, &p->access[p->access_count++]);
}

/* ---- the whole picture ---- */

void picture_make(struct step_session *s, size_t stop, int by_instruction, struct step_picture *p)
{
    struct recording *r = s->recording;
    size_t count = recording_count(r);
    *p = (struct step_picture){.stop = stop, .stops = by_instruction ? count : recording_stops(r)};
    if (!p->stops) return;
    p->instant = by_instruction ? stop : recording_stop(r, stop);
    p->end = stop + 1 == p->stops ? count : by_instruction ? stop + 1 : recording_stop(r, stop + 1);
    const struct instant *i = recording_at(r, p->instant);
    p->line = i->line;
    for (size_t k = p->instant; k < p->end; k++) {
        add_access(s, k, p);
        p->barrier |= recording_at(r, k)->kind == WATCH_BARRIER;
        p->fault |= recording_at(r, k)->fault >= 0;
    }
    draw_lanes(r, i, p);
    const struct step_state *st = recording_state(r, p->instant);
    p->so_far = st->so_far;
    if (!s->debug) {
        add_results(s, p);
        return;
    }
    add_variables(s, st, i->ptx_line, p);
    if (stop)
        mark_changes(s, by_instruction ? stop - 1 : recording_stop(r, stop - 1), i->ptx_line, p);
}

void step_complete(struct step_session *s)
{
    if (s->later) s->later(s);
    s->later = NULL;
}

void picture_free(struct step_picture *p)
{
    free(p->rows);
    *p = (struct step_picture){0};
}
