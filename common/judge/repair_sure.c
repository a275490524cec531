/* repair_sure.c - edits of what looks wrong in any file, whatever the exercise. They are tried first, with
 * those toward the solution.
 *
 *     P(i + 1) P(i + 2) P(i + 2) P(i + 4)      the next number of the list: P(i + 3)
 *     int now = 0; for (...) ... stage[now]    now = 1 - now; at the end of the loop
 *     #define P(i) sum += ...; __syncthreads() no barrier in a macro */
#include "judge/repair.h"

#include <stdlib.h>

/* ---- lists ---- */

/* The next number after one. */
static int next_number(const struct code *c, int i)
{
    enum { NEAR = 12 };
    for (int k = i + 1; k < c->count && k <= i + NEAR && c->tokens[k].define == c->tokens[i].define; k++)
        if (c->tokens[k].kind == TOKEN_NUMBER) return k;
    return -1;
}

/* Are the words between two numbers the same as those between two others? */
static int same_between(const struct code *c, int a, int b, int x, int y)
{
    if (b - a != y - x || b - a < 2) return 0;
    for (int i = a + 1, k = x + 1; i < b; i++, k++)
        if (!code_same(c, i, k)) return 0;
    return 1;
}

/* P(i + 1) P(i + 2) P(i + 2) P(i + 4): of numbers in a list, as far apart as each other, one is not. first: of
 * them. Returns the last. */
static int listed(struct edits *l, int first)
{
    enum { LEAST = 4, MOST = 64 };
    const struct code *c = l->code;
    int at[MOST], count = 0;
    long is[MOST];
    for (int i = first; i >= 0 && count < MOST; i = next_number(c, i)) {
        if (count > 1 && !same_between(c, at[count - 2], at[count - 1], at[count - 1], i)) break;
        is[count] = strtol(c->text + start_of(c, i), NULL, 0);
        at[count++] = i;
    }
    for (int ends = 0; ends < 2 && count >= LEAST; ends++) { /* the step is that of the first two, or the last */
        long step = ends ? is[count - 1] - is[count - 2] : is[1] - is[0];
        int wrong = -1, many = 0;
        for (int i = 0; i < count; i++) {
            long want = ends ? is[count - 1] - step * (count - 1 - i) : is[0] + step * i;
            if (is[i] != want) wrong = i, many++;
        }
        long want = wrong < 0 ? 0 : ends ? is[count - 1] - step * (count - 1 - wrong) : is[0] + step * wrong;
        if (many != 1 || !step) continue;
        edits_replace(l, EDIT_ORDER, 0.5, at[wrong], at[wrong], "%ld", want);
        break;
    }
    return count > 1 ? at[count - 2] : first;
}

/* ---- what never changes ---- */

/* Is anything assigned to the variable, or may that be? */
static int changes(const struct code *c, const struct symbol *v)
{
    static const char *const ways[] = {"=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "++", "--"};
    for (int i = v->init[1] + 1; i <= v->to; i++) {
        int s = code_symbol(c, i);
        if (s < 0 || &c->symbols[s] != v) continue;
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
            if (code_is(c, i + 1, ways[k])) return 1;
        if (code_is(c, i - 1, "++") || code_is(c, i - 1, "--") || code_is(c, i - 1, "&")) return 1;
    }
    return 0;
}

static int is_used_in(const struct code *c, const struct symbol *v, const struct statement *x)
{
    for (int i = x->first; i <= x->last; i++) {
        int s = code_symbol(c, i);
        if (s >= 0 && &c->symbols[s] == v) return 1;
    }
    return 0;
}

/* int now = 0; for (...) { ... stage[now] ... }: its turn, or its count, at the end of the loop. */
static void stays(struct edits *l, const struct symbol *v)
{
    const struct code *c = l->code;
    int number = v->init[0] >= 0 && v->init[0] == v->init[1] && c->tokens[v->init[0]].kind == TOKEN_NUMBER;
    if (v->kind != SYMBOL_INT || v->constant || v->parameter || v->statement < 0 || !number || changes(c, v)) return;
    if (c->statements[v->statement].kind != STATEMENT_DECLARATION) return;
    for (int i = v->statement + 1; i < c->statement_count; i++) {
        const struct statement *loop = &c->statements[i];
        int body = loop->kind == STATEMENT_FOR || loop->kind == STATEMENT_WHILE ? loop->body : -1, last = -1;
        if (body < 0 || loop->last > v->to || !is_used_in(c, v, loop)) continue;
        for (int k = body + 1; k < c->statement_count; k++)
            if (c->statements[k].parent == body) last = k;
        if (last < 0) continue;
        const struct statement *x = &c->statements[last];
        edit_after(l, edits_begin(l, EDIT_STAYS, 0.9, v->name), x->last, " %.*s = 1 - %.*s;", WORD(c, v->name),
            WORD(c, v->name));
        edit_after(l, edits_begin(l, EDIT_STAYS, 1, v->name), x->last, " %.*s++;", WORD(c, v->name));
    }
}

/* ---- barriers in macros ---- */

static void barrier(struct edits *l, int i)
{
    if (code_is(l->code, i, "__syncthreads") && l->code->tokens[i].define >= 0)
        edit_replace(l, edits_begin(l, EDIT_BARRIER_EXTRA, 0.6, i), i, i + 2 + code_is(l->code, i + 3, ";"), "%s", "");
}

void repair_sure(struct edits *l)
{
    const struct code *c = l->code;
    for (int i = 0; i < c->count; i++) {
        barrier(l, i);
        if (c->tokens[i].kind == TOKEN_NUMBER) i = listed(l, i);
    }
    for (int i = 0; i < c->symbol_count; i++) stays(l, &c->symbols[i]);
}
