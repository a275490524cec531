/* misfit.c - a file that the compiler refuses, since it is written as a program of its own.
 *
 *     int main() { ... add<<<4, 256>>>(...); }         the kit has the main, and launches
 *     float go(float x) { ... }  called by a kernel    __device__ is missing
 *     assert(i < n);                                   not in an exercise
 *
 * The compiler says many things about such a file. The one sentence that helps stands before them. It comes
 * from the file's own words, not from what the compiler says. */
#include "judge/code.h"
#include "judge/grade.h"

#include <string.h>

static int has_word(const struct code *c, const struct item *x, const char *word)
{
    for (int i = x->first; i < x->open; i++)
        if (code_is(c, i, word)) return 1;
    return 0;
}

static int runs_on_device(const struct code *c, const struct item *x)
{
    return x->kind == ITEM_FUNCTION && (has_word(c, x, "__global__") || has_word(c, x, "__device__"));
}

/* Does a function of the device call the function? */
static int is_called(const struct code *c, const struct item *f)
{
    for (int k = 0; k < c->item_count; k++)
        for (int i = c->items[k].body; runs_on_device(c, &c->items[k]) && i <= c->items[k].last; i++)
            if (code_same(c, i, f->name) && code_call(c, i) >= 0) return 1;
    return 0;
}

/* The token that launches a kernel: a < that two more follow; -1: none. */
static int launch_of(const struct code *c)
{
    for (int i = 0; i + 1 < c->count; i++)
        if (code_is(c, i, "<<") && code_is(c, i + 1, "<")) return i;
    return -1;
}

/* The sentence about a function; 0: it is as it should be. */
static int tell_function(const struct compiled *c, const struct code *code, const struct item *x, struct buf *out)
{
    int line = code->tokens[x->name].line;
    if (code_is(code, x->name, "main"))
        buf_printf(out, "%s:%d: an exercise has no main: the kit allocates, and launches as the LAUNCH line "
            "says; delete it. A whole program is run by: build/lockstep run %s\n", c->file, line, c->file);
    else if (!runs_on_device(code, x) && is_called(code, x))
        buf_printf(out, "%s:%d: `%.*s` is called by a kernel: write __device__ before it\n", c->file, line,
            WORD(code, x->name));
    else return 0;
    return 1;
}

void misfit_tell(const struct compiled *c, struct buf *out)
{
    struct code code = {0};
    int told = 0;
    code_read(&code, c->source ? c->source : "", ""); /* of no kernel: its items alone */
    for (int i = 0; i < code.item_count && !told; i++)
        if (code.items[i].kind == ITEM_FUNCTION) told = tell_function(c, &code, &code.items[i], out);
    int launch = told ? -1 : launch_of(&code);
    if (launch >= 0)
        buf_printf(out, "%s:%d: an exercise launches no kernel: the kit does, as the LAUNCH line says\n",
            c->file, code.tokens[launch].line);
    for (int i = 0; i < code.count && !told && launch < 0; i++)
        if (code_is(&code, i, "assert") && code_is(&code, i + 1, "(")) {
            buf_printf(out, "%s:%d: a kernel of an exercise has no assert: write if (...) printf(...)\n", c->file,
                code.tokens[i].line);
            told = 1;
        }
    code_free(&code);
}
