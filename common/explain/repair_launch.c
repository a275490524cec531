/* repair_launch.c - edits of what is fixed before a kernel runs: its launch shape, types, arrays
 * and macros.
 *
 *     BLOCK(32, 8)    BLOCK(8, 32)                COVERS(32, 8)    COVERS(32, 32), COVERS(64, 8), ...
 *     int sum = 0;    float sum = 0;              float tile[32];  __shared__ float tile[32];
 *     #define SQUARE(x) x * x                     #define SQUARE(x) (x) * (x)
 *
 * A launch shape needs no compiler; the others do. */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

/* The LAUNCH line of the kernel; NULL: there is none. */
static const struct item *launch_of(const struct edits *l)
{
    const struct code *c = l->code;
    for (int i = 0; i < c->item_count; i++)
        if (c->items[i].kind == ITEM_LAUNCH && code_is(c, c->items[i].name, l->of->step->kernel))
            return &c->items[i];
    return NULL;
}

static void shape(struct edits *l, int at, const char *word, double cost, const unsigned now[4],
    unsigned x, unsigned y)
{
    const struct code *c = l->code;
    int covers = !strcmp(word, "COVERS");
    if (!problem_find(l->of->step->problem)->two_dimensional && y != now[2 * covers + 1]) return;
    if (!x || !y || (covers && x < 8) || (x == now[2 * covers] && y == now[2 * covers + 1]) ||
        (!covers && (x * y > 1024 || x * y < 64)))
        return;
    struct edit *e = edits_begin(l, EDIT_LAUNCH, cost - 0.1 * covers, at);
    e->launch[2 * covers] = x;
    e->launch[2 * covers + 1] = y;
    edit_replace(l, e, at, c->tokens[at + 1].pair, "%s(%u, %u)", word, x, y);
}

static void launch(struct edits *l)
{
    const struct code *c = l->code;
    const struct item *x = launch_of(l);
    const struct bound *b = l->of->bound;
    const unsigned now[4] = {b->block[0], b->block[1], b->covers[0], b->covers[1]};
    int unwritten = l->of->found.kind == FOUND_NOT_WRITTEN; /* too few blocks */
    for (int i = x ? x->first : c->count; x && i < x->last; i++) {
        int covers = code_is(c, i, "COVERS");
        double more = covers && unwritten ? 1.6 : 2.6;
        if (!covers && !code_is(c, i, "BLOCK")) continue;
        const char *word = covers ? "COVERS" : "BLOCK";
        const unsigned *is = now + 2 * covers, *other = now + 2 - 2 * covers;
        shape(l, i, word, 1.5, now, is[1], is[0]);
        shape(l, i, word, 2.3, now, other[0], other[1]);
        shape(l, i, word, 2.4, now, other[0], is[1]);
        shape(l, i, word, 2.4, now, is[0], other[1]);
        for (unsigned k = 2; k <= 32; k *= 2) {
            /* blocks that have nothing to do */
            double fewer = covers && l->of->now ? 1.5 : 2.3;
            shape(l, i, word, fewer, now, k * is[0], is[1]);
            shape(l, i, word, fewer, now, is[0], k * is[1]);
            shape(l, i, word, 2.6, now, k * is[0], k * is[1]);
            if (is[0] % k == 0) shape(l, i, word, more, now, is[0] / k, is[1]);
            if (is[1] % k == 0) shape(l, i, word, more, now, is[0], is[1] / k);
            if (is[0] % k == 0 && is[1] % k == 0)
                shape(l, i, word, more, now, is[0] / k, is[1] / k);
        }
    }
}

/* Both at once: BLOCK and COVERS of one number of the file. */
static void square(struct edits *l)
{
    const struct code *c = l->code;
    const struct item *x = launch_of(l);
    int block = -1, covers = -1;
    for (int i = x ? x->first : c->count; x && i < x->last; i++) {
        if (code_is(c, i, "BLOCK")) block = i;
        if (code_is(c, i, "COVERS")) covers = i;
    }
    for (unsigned n = 8; n <= 32 && block >= 0 && covers >= 0; n *= 2) {
        struct edit *e = edits_begin(l, EDIT_LAUNCH, 2.1, block);
        for (int i = 0; i < 4; i++) e->launch[i] = n;
        edit_replace(l, e, block, c->tokens[block + 1].pair, "BLOCK(%u, %u)", n, n);
        edit_replace(l, e, covers, c->tokens[covers + 1].pair, "COVERS(%u, %u)", n, n);
    }
}

/* A name in an array's size, and another number of the file. */
static void padded(struct edits *l, int i)
{
    const struct code *c = l->code;
    struct atoms a = repair_atoms(c, i);
    for (size_t k = 0; k < a.count; k++)
        if (repair_is_padding(c, a.text[k]) && !code_is(c, i, a.text[k])) {
            edit_before(l, edits_begin(l, EDIT_TERM_MISSING, 1.9, i), i, "(%s + ", a.text[k]);
            edit_after(l, &l->list[l->count - 1], i, ")");
        }
    atoms_free(&a);
}

/* Other padding than the number at i. A row of float4 begins at a multiple of 16 bytes. */
static void paddings(struct edits *l, int i)
{
    const struct code *c = l->code;
    int fours = l->of->found.kind == FOUND_MISALIGNED || l->of->now;
    static const char *const all[] = {"4", "1", "2", "8"};
    for (int k = 0; k < 4; k++)
        if (!code_is(c, i, all[k]))
            edits_replace(l, EDIT_NUMBER, k || !fours ? 1.8 : 0.9, i, i, "%s", all[k]);
}

/* The last ] of an array's declaration. */
static int last_bracket(const struct code *c, const struct symbol *s)
{
    int end = s->name;
    while (code_is(c, end + 1, "[")) end = c->tokens[end + 1].pair;
    return end;
}

/* [TILE][TILE + 1] of one array belongs to another. */
static void padding_of(struct edits *l, const struct symbol *s)
{
    const struct code *c = l->code;
    int end = last_bracket(c, s);
    for (int k = 0; k < c->symbol_count && s->dims && code_is(c, end - 2, "+"); k++) {
        const struct symbol *o = &c->symbols[k];
        int other = last_bracket(c, o);
        if (o == s || o->dims != s->dims || code_is(c, other - 2, "+")) continue;
        struct edit *e = edits_begin(l, EDIT_TERM_MOVED, l->of->now ? 1 : 1.5, end - 1);
        edit_replace(l, e, end - 2, end - 1, "%s", "");
        edit_after(l, e, other - 1, " + %.*s", WORD(c, end - 1));
    }
}

/* Is the kernel given doubles? */
static int has_doubles(const struct code *c)
{
    for (int i = 0; i < c->symbol_count; i++)
        for (int k = c->symbols[i].type; c->symbols[i].parameter && k < c->symbols[i].name; k++)
            if (code_is(c, k, "double")) return 1;
    return 0;
}

/* A promise that nothing else writes what a pointer leads to. */
static void promises(struct edits *l, const struct symbol *s)
{
    const struct code *c = l->code;
    int promised = 0;
    for (int i = s->type; i < s->name; i++) promised |= code_is(c, i, "__restrict__");
    if (!l->of->now || !s->parameter || s->kind != SYMBOL_POINTER || promised) return;
    struct edit *e = edits_begin(l, EDIT_TERM_MISSING, 1, s->name);
    if (!s->constant_target) edit_before(l, e, s->type, "const ");
    edit_before(l, e, s->name, "__restrict__ ");
}

/* Another type, or shared memory, for a variable. */
static void types(struct edits *l, const struct symbol *s)
{
    const struct code *c = l->code;
    const struct statement *d = s->statement >= 0 ? &c->statements[s->statement] : NULL;
    int shared = 0;
    if (!d || d->kind != STATEMENT_DECLARATION || s->parameter) return;
    for (int i = s->type; i < s->name; i++) {
        shared |= code_is(c, i, "__shared__");
        if (code_is(c, i, "int")) edits_replace(l, EDIT_TYPE, s->dims ? 2.4 : 2.3, i, i, "float");
        if (code_is(c, i, "float"))
            edits_replace(l, EDIT_TYPE, has_doubles(c) ? 1 : 2.8, i, i, "double");
        if (code_is(c, i, "unsigned")) edits_replace(l, EDIT_TYPE, 2.8, i, i, "int");
    }
    int end = last_bracket(c, s);
    if (shared) padding_of(l, s);
    if (!shared && s->init[0] < 0 && (code_is(c, end + 1, ";") || code_is(c, end + 1, ","))) {
        struct edit *e = edits_begin(l, EDIT_UNSET, 1.5, s->name);
        if (s->dims) edit_after(l, e, end, " = {}");
        /* a slot has room for it */
        else
            edit_after(l, e, d->last, " %.*s = 0;", WORD(c, s->name));
    }
    if (s->dims && !shared)
        edit_before(l, edits_begin(l, EDIT_SHARED, 1, s->type), s->type, "__shared__ ");
    for (int i = s->name + 1; s->dims && code_is(c, i, "["); i = c->tokens[i].pair + 1) {
        edit_after(l, edits_begin(l, EDIT_ONE_OFF, 2.2, i), c->tokens[i].pair - 1, " + 1");
        edit_after(l, edits_begin(l, EDIT_ONE_OFF, 2.8, i), c->tokens[i].pair - 1, " * 2");
        for (int k = i + 1; k < c->tokens[i].pair; k++)
            if (code_is(c, k, "-")) edits_replace(l, EDIT_ARITHMETIC, 1.6, k, k, "+");
        for (int k = i + 1; k < c->tokens[i].pair; k++) /* [12 * THREADS]: [(12 + PAD) * THREADS] */
            if (c->tokens[k].kind == TOKEN_NAME)
                padded(l, k);
            else if (c->tokens[k].kind == TOKEN_NUMBER && code_is(c, k - 1, "+"))
                paddings(l, k);
        int second = c->tokens[i].pair + 1;
        if (!code_is(c, second, "[")) continue;
        const int one[2] = {i + 1, second - 2}, two[2] = {second + 1, c->tokens[second].pair - 1};
        repair_moved_terms(l, one, two, 1.3);
        repair_moved_terms(l, two, one, 1.3);
    }
}

/* Is the macro's text a value: no statement, and no words of one? */
static int is_value(const struct code *c, const struct item *x)
{
    for (int i = x->body; i <= x->last; i++)
        if (code_is(c, i, ";") || code_is(c, i, "{") || code_is(c, i, "=") ||
            code_is(c, i, "for") || code_is(c, i, "if") || c->tokens[i].kind == TOKEN_STRING)
            return 0;
    return 1;
}

/* #define AT(y, x) ((y) * N + x): each parameter in brackets of its own, and the whole. */
static void arguments_of(struct edits *l, const struct item *x)
{
    const struct code *c = l->code;
    int enclosed = code_is(c, x->body, "(") && c->tokens[x->body].pair == x->last;
    if (x->last > x->body && !enclosed && is_value(c, x))
        edits_replace(l, EDIT_ENCLOSED, 1.3, x->body, x->last, "(%.*s)", SPAN(c, x->body, x->last));
    for (int p = x->open + 1; p < x->body - 1; p++) {
        struct edit *e = NULL;
        for (int i = x->body; i <= x->last && c->tokens[p].kind == TOKEN_NAME; i++) {
            if (!code_same(c, i, p) || (code_is(c, i - 1, "(") && code_is(c, i + 1, ")"))) continue;
            if (!e) e = edits_begin(l, EDIT_ARGUMENT, 1.4, i);
            edit_replace(l, e, i, i, "(%.*s)", WORD(c, p));
        }
    }
}

void repair_launch(struct edits *l)
{
    for (int i = 0; i < l->code->item_count; i++) {
        const struct item *x = &l->code->items[i];
        if (x->kind == ITEM_MACRO && x->used) arguments_of(l, x);
    }
    launch(l);
    square(l);
    for (int i = 0; i < l->code->symbol_count; i++) {
        types(l, &l->code->symbols[i]);
        promises(l, &l->code->symbols[i]);
    }
}
