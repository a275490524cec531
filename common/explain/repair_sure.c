/* repair_sure.c - edits of what looks wrong in any file, whatever the exercise. They are tried
 * first, with those toward the solution.
 *
 *     P(i + 1) P(i + 2) P(i + 2) P(i + 4)      the next number of the list: P(i + 3)
 *     int now = 0; for (...) ... stage[now]    now = 1 - now; at the end of the loop
 *     #define P(i) sum += ...; __syncthreads() no barrier in a macro */
#include "explain/repair.h"

#include <stdlib.h>

/* ---- lists ---- */

/* The next number after one. */
static int next_number(const struct code *c, int i)
{
    enum { NEAR = 12 };
    for (int k = i + 1; k < c->count && k <= i + NEAR; k++) {
        if (c->tokens[k].define != c->tokens[i].define) return -1;
        if (c->tokens[k].kind == TOKEN_NUMBER) return k;
    }
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

/* Of numbers as far apart as each other one is not. from: the one that is taken to be right, from
 * which the step leads to the others. Returns its index, and what it should be; -1: none, or
 * many. */
static int out_of_order(const long *is, int count, int from, long step, long *want)
{
    int wrong = -1, many = 0;
    for (int i = 0; i < count; i++)
        if (is[i] != is[from] + step * (i - from)) wrong = i, many++;
    *want = is[from] + step * (wrong - from);
    return many == 1 && step ? wrong : -1;
}

/* P(i + 1) P(i + 2) P(i + 2) P(i + 4): numbers in a list. first: of them. Returns the last. */
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
    for (int ends = 0; ends < 2 && count >= LEAST; ends++) {
        int from = ends ? count - 1 : 0;
        long want, step = ends ? is[count - 1] - is[count - 2] : is[1] - is[0];
        int wrong = out_of_order(is, count, from, step, &want);
        if (wrong < 0) continue;
        edits_replace(l, EDIT_ORDER, 0.5, at[wrong], at[wrong], "%ld", want);
        break;
    }
    return count > 1 ? at[count - 2] : first;
}

/* ---- what never changes ---- */

/* Is anything assigned to the variable, or may that be? */
static int changes(const struct code *c, const struct symbol *v)
{
    static const char *const ways[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "++", "--"};
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

/* The last statement of a loop's body; -1: none. */
static int last_of(const struct code *c, int body)
{
    int last = -1;
    for (int k = body + 1; k < c->statement_count; k++)
        if (c->statements[k].parent == body) last = k;
    return last;
}

/* Is the variable an int of the kernel that begins as a number? */
static int begins_as_number(const struct code *c, const struct symbol *v)
{
    return v->kind == SYMBOL_INT && !v->constant && !v->parameter && v->statement >= 0 &&
           c->statements[v->statement].kind == STATEMENT_DECLARATION && v->init[0] >= 0 &&
           v->init[0] == v->init[1] && c->tokens[v->init[0]].kind == TOKEN_NUMBER;
}

/* int now = 0; for (...) { ... stage[now] ... }: its turn, or its count, at the end of the loop. */
static void stays(struct edits *l, const struct symbol *v)
{
    const struct code *c = l->code;
    if (!begins_as_number(c, v) || changes(c, v)) return;
    for (int i = v->statement + 1; i < c->statement_count; i++) {
        const struct statement *loop = &c->statements[i];
        int loops = loop->kind == STATEMENT_FOR || loop->kind == STATEMENT_WHILE;
        int last = loops && loop->body >= 0 ? last_of(c, loop->body) : -1;
        if (last < 0 || loop->last > v->to || !is_used_in(c, v, loop)) continue;
        struct edit *turn = edits_begin(l, EDIT_STAYS, 0.9, v->name);
        edit_after(l, turn, c->statements[last].last, " %.*s = 1 - %.*s;", WORD(c, v->name),
            WORD(c, v->name));
        struct edit *count = edits_begin(l, EDIT_STAYS, 1, v->name);
        edit_after(l, count, c->statements[last].last, " %.*s++;", WORD(c, v->name));
    }
}

/* ---- barriers in macros ---- */

static void barrier(struct edits *l, int i)
{
    const struct code *c = l->code;
    if (!code_is(c, i, "__syncthreads") || c->tokens[i].define < 0) return;
    struct edit *e = edits_begin(l, EDIT_BARRIER_EXTRA, 0.6, i);
    edit_replace(l, e, i, i + 2 + code_is(c, i + 3, ";"), "%s", "");
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
