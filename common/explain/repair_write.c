/* repair_write.c - write the file with its slots, for the compiler.
 *
 *     items as they are ── a function that the kernel uses: its statements, each with
 *
 *         switch (pick[4]) { case 1: __syncthreads(); break; ... }   what may be inserted before it
 *         if (!pick[5] || (pick[5] == 1 ? (row < m) : ...)) { ... }  whether it is executed
 *         itself, with the slots of its expressions
 *         switch (pick[6]) { ... }                                   what may be inserted after it
 *
 * Each choice is on a line of its own, so that a compiler error tells which choice it is about. */
#include "explain/repair.h"

#include <string.h>

struct writer {
    struct slots *slots;
    struct buf *out;
    int line;       /* number of the line to which the next character is added */
    size_t counted; /* how many bytes of out have been searched for newlines */
};

static void put(struct writer *w, const char *text) { buf_add(w->out, text, strlen(text)); }

/* The number of the line to which the next character is added. */
static int line_now(struct writer *w)
{
    for (; w->counted < w->out->len; w->counted++) w->line += w->out->data[w->counted] == '\n';
    return w->line;
}

static struct slot *find(struct writer *w, enum slot_kind kind, int statement)
{
    for (size_t i = 0; i < w->slots->count; i++)
        if (w->slots->list[i].kind == kind && w->slots->list[i].statement == statement)
            return &w->slots->list[i];
    return NULL;
}

static int number(const struct writer *w, const struct slot *x)
{
    return (int)(x - w->slots->list);
}

/* Append the source's bytes from `first` to end - 1. */
static void put_source(struct writer *w, size_t first, size_t end)
{
    buf_add(w->out, w->slots->code->text + first, end - first);
}

/* Append an expression that selects one of a slot's choices: (pick == 1 ? (...) : pick == 2 ? (...)
 * : (own text)). before: a cast before each choice, "" or "(void)". */
static void put_value(struct writer *w, struct slot *x, const char *before)
{
    int n = number(w, x);
    x->from = line_now(w);
    if (x->count) buf_printf(w->out, "(!lockstep_pick[%d] ? %s(", n, before);
    put_source(w, start_of(w->slots->code, x->first), end_of(w->slots->code, x->last));
    if (!x->count) return;
    put(w, ")\n");
    for (size_t i = 0; i < x->count; i++) {
        x->choices[i].line = x->choices[i].refused ? 0 : line_now(w);
        if (!x->choices[i].refused)
            buf_printf(w->out, ": lockstep_pick[%d] == %zu ? %s(%s)\n", n, i + 1, before,
                x->choices[i].text);
    }
    buf_printf(w->out, ": %s(", before);
    put_source(w, start_of(w->slots->code, x->first), end_of(w->slots->code, x->last));
    put(w, "))");
    x->to = line_now(w);
}

/* Append a slot's choices as if (pick) switch (pick) { case 1: ...; break; ... }. own: append else
 * and the slot's own text. */
static void put_switch(struct writer *w, struct slot *x, int own)
{
    int n = x ? number(w, x) : 0;
    if (!x || !x->count) {
        if (own && x)
            put_source(w, start_of(w->slots->code, x->first), end_of(w->slots->code, x->last)),
                put(w, ";");
        return;
    }
    x->from = line_now(w);
    buf_printf(w->out, "if (lockstep_pick[%d]) switch (lockstep_pick[%d]) {\n", n, n);
    for (size_t i = 0; i < x->count; i++) {
        x->choices[i].line = x->choices[i].refused ? 0 : line_now(w);
        if (!x->choices[i].refused)
            buf_printf(w->out, "case %zu: { %s; break; }\n", i + 1, x->choices[i].text);
    }
    put(w, "}");
    if (own)
        put(w, " else { "),
            put_source(w, start_of(w->slots->code, x->first), end_of(w->slots->code, x->last)),
            put(w, "; }");
    x->to = line_now(w);
    put(w, "\n");
}

/* Append tokens first to last, with choices where a slot of an expression lies in them. */
static void put_tokens(struct writer *w, int first, int last)
{
    const struct code *c = w->slots->code;
    size_t at = start_of(c, first);
    for (int i = first; i <= last; i++)
        for (size_t k = 0; k < w->slots->count; k++) {
            struct slot *x = &w->slots->list[k];
            if (x->first != i || x->last > last || (x->kind != SLOT_VALUE && x->kind != SLOT_STEP))
                continue;
            put_source(w, at, start_of(c, i));
            put_value(w, x, x->kind == SLOT_STEP ? "(void)" : "");
            at = end_of(c, x->last);
            i = x->last;
            break;
        }
    put_source(w, at, end_of(c, last));
}

static void put_statement(struct writer *w, int me);

/* Append statement `me`, with choices in the slots of its expressions. */
static void put_itself(struct writer *w, int me)
{
    const struct code *c = w->slots->code;
    const struct statement *s = &c->statements[me];
    if (s->kind == STATEMENT_BLOCK) {
        put(w, "{\n");
        for (int i = me + 1; i < c->statement_count; i++)
            if (c->statements[i].parent == me) put_statement(w, i);
        put(w, "}\n");
    } else if (s->kind == STATEMENT_EXPRESSION) {
        struct slot *x = find(w, SLOT_STATEMENT, me);
        if (x)
            put_switch(w, x, 1);
        else
            put_tokens(w, s->first, s->last);
    } else if (s->body >= 0) {
        int lambda = s->kind == STATEMENT_DECLARATION;
        put_tokens(w, s->first, lambda ? s->open : c->tokens[s->open].pair);
        put(w, "\n");
        put_statement(w, s->body);
        if (lambda) put(w, ";");
        if (s->other >= 0) put(w, "else "), put_statement(w, s->other);
    } else {
        put_tokens(w, s->first, s->last);
    }
}

static void put_statement(struct writer *w, int me)
{
    const struct code *c = w->slots->code;
    const struct statement *s = &c->statements[me];
    struct slot *before = find(w, SLOT_BEFORE, me), *after = find(w, SLOT_AFTER, me),
                *guard = find(w, SLOT_GUARD, me);
    int alone = s->parent >= 0 && c->statements[s->parent].kind != STATEMENT_BLOCK;
    if (alone) put(w, "{ ");
    put_switch(w, before, 0);
    if (guard && guard->count) {
        int n = number(w, guard);
        buf_printf(w->out, "if (!lockstep_pick[%d]\n", n);
        for (size_t i = 0; i < guard->count; i++) {
            guard->choices[i].line = guard->choices[i].refused ? 0 : line_now(w);
            if (!guard->choices[i].refused)
                buf_printf(w->out, "|| (lockstep_pick[%d] == %zu && (%s))\n", n, i + 1,
                    guard->choices[i].text);
        }
        put(w, ") {\n");
    }
    if (s->lead < s->first)
        put(w, "\n"), put_source(w, start_of(c, s->lead), end_of(c, s->first - 1)), put(w, "\n");
    put_itself(w, me);
    if (guard && guard->count) put(w, "}\n");
    put_switch(w, after, 0);
    put(w, alone ? "}\n" : "\n");
}

void slots_write(struct slots *s, const char *kernel, struct buf *out)
{
    const struct code *c = s->code;
    struct writer w = {s, out, 1, out->len};
    int declared = 0;
    (void)kernel;
    for (int i = 0; i < c->item_count; i++) {
        const struct item *x = &c->items[i];
        if (x->kind == ITEM_PREDICT || (x->kind == ITEM_FUNCTION && !x->used)) continue;
        if (x->kind == ITEM_LAUNCH && !code_is(c, x->name, kernel)) continue;
        if (x->kind == ITEM_FUNCTION && !declared++)
            buf_printf(out, "__constant__ int lockstep_pick[%zu];\n", s->count + 1);
        if (x->kind == ITEM_FUNCTION) {
            put_source(&w, start_of(c, x->first), start_of(c, x->body));
            for (int k = 0; k < c->statement_count; k++)
                if (c->statements[k].parent < 0 && c->statements[k].function == i)
                    put_statement(&w, k);
        } else {
            put_source(&w, start_of(c, x->first), end_of(c, x->last));
        }
        put(&w, "\n");
    }
}
