/* repair_values.c - edits of what variables begin with, and of what a loop gives to a call.
 *
 *     int col = top + half * TILE + x;      the term belongs to the other half of the index
 *     int row = left + y;
 *     int begin = k / 2;                    steps * DEPTH: whole steps
 *     multiply(sum, a, b, 1);               i > 0: not in the first pass
 *     row & 3                               row & 7 */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

/* A variable of the kernel that begins as a number. */
static int is_made(const struct symbol *s)
{
    return s->kind == SYMBOL_INT && s->init[0] >= 0 && s->statement >= 0;
}

static int in_one_index(const struct code *c, const struct symbol *a, const struct symbol *b)
{
    for (int i = 0; i < c->count; i++) {
        if (!code_is(c, i, "[")) continue;
        int has_a = 0, has_b = 0;
        for (int k = i + 1; k < c->tokens[i].pair; k++) {
            int symbol = code_symbol(c, k);
            has_a |= symbol >= 0 && &c->symbols[symbol] == a;
            has_b |= symbol >= 0 && &c->symbols[symbol] == b;
        }
        if (has_a && has_b) return 1;
    }
    return 0;
}

/* Row and column of an index that begin in different blocks; neighbours are in repair_index.c. */
static void halves(struct edits *l)
{
    const struct code *c = l->code;
    for (int i = 0; i < c->symbol_count; i++)
        for (int k = i + 1; k < c->symbol_count; k++) {
            const struct symbol *a = &c->symbols[i], *b = &c->symbols[k];
            int beside = k == i + 1 && a->to == b->to;
            if (beside || !is_made(a) || !is_made(b) || !in_one_index(c, a, b)) continue;
            repair_moved_terms(l, a->init, b->init, 1.7);
            repair_moved_terms(l, b->init, a->init, 1.7);
        }
}

/* Does the variable count steps of a #define's length: (k + DEPTH - 1) / DEPTH? */
static int counts_steps(const struct code *c, const struct symbol *v, int define)
{
    int divided = 0, named = 0;
    for (int i = v->init[0]; is_made(v) && i <= v->init[1]; i++) {
        divided |= code_is(c, i, "/");
        named |= code_same(c, i, define);
    }
    return divided && named;
}

/* A part, k / 2, that whole steps do not end at. */
static void whole_parts(struct edits *l, const struct symbol *s)
{
    const struct code *c = l->code;
    for (int i = s->init[0] + 1; i < s->init[1]; i++) {
        if (!code_is(c, i, "/") || c->tokens[i - 1].kind != TOKEN_NAME ||
            c->tokens[i + 1].kind == TOKEN_MARK)
            continue;
        for (int k = 0; k < c->symbol_count; k++)
            for (int d = 0; d < c->item_count; d++) {
                const struct symbol *v = &c->symbols[k];
                int define = c->items[d].kind == ITEM_DEFINE ? c->items[d].name : -1;
                if (define >= 0 && i >= v->from && i <= v->to && v != s &&
                    counts_steps(c, v, define))
                    edits_replace(l, EDIT_WHOLE, l->of->partly ? 0.7 : 1.8, i - 1, i + 1,
                        "%.*s * %.*s", WORD(c, v->name), WORD(c, define));
            }
    }
}

/* The number 0 or 1, or a truth, that is given to a call in a loop: in the first pass another than
 * later. */
static void of_the_pass(struct edits *l, int i)
{
    const struct code *c = l->code;
    static const char *const flags[] = {"0", "1", "true", "false"};
    int flag = 0, s = code_statement(c, i);
    int tensor = s >= 0 && !strncmp(c->text + start_of(c, c->statements[s].first), "wgmma_", 6);
    for (int k = 0; k < 4; k++) flag |= code_is(c, i, flags[k]);
    if (!flag || s < 0 || !code_is(c, i - 1, ",")) return;
    if (!code_is(c, i + 1, ")") && !code_is(c, i + 1, ",")) return;
    for (int p = c->statements[s].parent; p >= 0; p = c->statements[p].parent)
        for (int k = 0; k < c->symbol_count && c->statements[p].kind == STATEMENT_FOR; k++)
            if (c->symbols[k].statement == p && c->symbols[k].kind == SYMBOL_INT)
                for (int first = 0; first < 2; first++)
                    edits_replace(l, EDIT_PASS, tensor ? 0.85 : 1.6, i, i,
                        first ? "%.*s == 0" : "%.*s > 0", WORD(c, c->symbols[k].name));
}

/* row & 3: more bits of it, or fewer. */
static void masks(struct edits *l, int i)
{
    const struct code *c = l->code;
    long is = strtol(c->text + start_of(c, i), NULL, 0);
    for (long bits = 1; bits < 64 && code_is(c, i - 1, "&") && (is & (is + 1)) == 0;
         bits = 2 * bits + 1)
        if (bits != is) edits_replace(l, EDIT_NUMBER, 1.4, i, i, "%ld", bits);
}

void repair_values(struct edits *l)
{
    const struct code *c = l->code;
    halves(l);
    for (int i = 0; i < c->symbol_count; i++)
        if (is_made(&c->symbols[i])) whole_parts(l, &c->symbols[i]);
    for (int i = 0; i < c->count; i++) of_the_pass(l, i), masks(l, i);
}
