/* misfit.c - a file that does not compile because it was written as a whole program, or says what the
 * kit's own words do not take.
 *
 *     int main() { ... add<<<4, 256>>>(...); }         the kit has main, and launches the kernel
 *     float go(float x) { ... }  called by a kernel    __device__ is missing
 *     assert(i < n);                                   not available in an exercise
 *     PREDICT(sectors, 8.0)                            a prediction is a whole number
 *
 * The compiler prints many messages about such a file. The one sentence that helps comes first.
 * It is derived from the file itself, not from the compiler's messages. */
#include "explain/code.h"
#include "explain/index_trace.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int has_word(const struct code *c, const struct item *x, const char *word)
{
    for (int i = x->first; i < x->open; i++)
        if (code_is(c, i, word)) return 1;
    return 0;
}

static int runs_on_device(const struct code *c, const struct item *x)
{
    return x->kind == ITEM_FUNCTION &&
           (has_word(c, x, "__global__") || has_word(c, x, "__device__"));
}

/* Does a __global__ or __device__ function call the function f? */
static int is_called(const struct code *c, const struct item *f)
{
    for (int k = 0; k < c->item_count; k++) {
        if (!runs_on_device(c, &c->items[k])) continue;
        for (int i = c->items[k].body; i <= c->items[k].last; i++)
            if (code_same(c, i, f->name) && code_call(c, i) >= 0) return 1;
    }
    return 0;
}

/* Append "FILE:12: ", the place of a token. */
static void put_place(const struct compiled *c, const struct code *code, int token, struct buf *out)
{
    buf_printf(out, "%s:%d: ", c->file, code->tokens[token].line);
}

/* Append a sentence about a function that is main, or that lacks __device__. Returns 0 if the
 * function is neither. */
static int tell_function(
    const struct compiled *c, const struct code *code, const struct item *x, struct buf *out)
{
    int is_main = code_is(code, x->name, "main");
    if (!is_main && (runs_on_device(code, x) || !is_called(code, x))) return 0;
    put_place(c, code, x->name, out);
    if (is_main)
        buf_printf(out,
            "an exercise has no main: the kit allocates, and launches as the LAUNCH "
            "line says; delete it. A whole program is run by: build/lockstep run %s\n",
            c->file);
    else
        buf_printf(
            out, "`%.*s` is called by a kernel: write __device__ before it\n", WORD(code, x->name));
    return 1;
}

/* Append a sentence if a launch <<<...>>> or an assert begins at token i. Returns 0 if neither
 * begins there. */
static int tell_word(const struct compiled *c, const struct code *code, int i, struct buf *out)
{
    int launches = code_is(code, i, "<<") && code_is(code, i + 1, "<");
    int asserts = code_is(code, i, "assert") && code_is(code, i + 1, "(");
    if (!launches && !asserts) return 0;
    put_place(c, code, i, out);
    if (launches)
        buf_printf(out, "an exercise launches no kernel: the kit does, as the LAUNCH line says\n");
    else
        buf_printf(out, "an exercise has no assert: write if (...) printf(...)\n");
    return 1;
}

/* Is the token part of a whole number that an int holds? */
static int is_whole(const struct code *c, int i)
{
    char text[16], *end;
    if (c->tokens[i].kind != TOKEN_NUMBER) return !code_is(c, i, "?");
    if (c->tokens[i].len >= sizeof text) return 0;
    snprintf(text, sizeof text, "%.*s", WORD(c, i));
    long long value = strtoll(text, &end, 0);
    return !*end && value <= INT_MAX;
}

/* Append a sentence if the item is a PREDICT whose value is no whole number. Returns 0 if not. */
static int tell_prediction(
    const struct compiled *c, const struct code *code, const struct item *x, struct buf *out)
{
    enum { OPEN = 1, NAME, COMMA, VALUE };
    if (x->kind != ITEM_PREDICT || x->last < x->first + VALUE) return 0;
    int close = code->tokens[x->first + OPEN].pair, whole = close > x->first + VALUE;
    for (int i = x->first + VALUE; i < close; i++) whole &= is_whole(code, i);
    if (whole) return 0;
    put_place(c, code, x->first, out);
    buf_printf(
        out, "`%.*s` is predicted as a whole number, or as UNKNOWN\n", WORD(code, x->first + NAME));
    return 1;
}

void misfit_tell(const struct compiled *c, struct buf *out)
{
    struct code code = {0};
    int told = 0;
    /* with an empty kernel name, code_read parses only the top-level items */
    code_read(&code, c->source ? c->source : "", "");
    for (int i = 0; i < code.item_count && !told; i++)
        if (code.items[i].kind == ITEM_FUNCTION)
            told = tell_function(c, &code, &code.items[i], out);
        else
            told = tell_prediction(c, &code, &code.items[i], out);
    for (int i = 0; i < code.count && !told; i++) told = tell_word(c, &code, i, out);
    code_free(&code);
}
