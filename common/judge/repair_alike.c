/* repair_alike.c - edits that write a place as another one of the file has it.
 *
 *     int row = block.y * TILE + y     row: (block.y * TILE + x)    its own value, with the thread's other axis
 *     tile[j][x ^ j] = ...             tile[x][j]: tile[x][j ^ x]   exclusive or, where the other access has it
 *     col + 4 * y + e                  left + y: left + 4 * y       the factor that a name has elsewhere */
#include "judge/repair.h"

#include <stdlib.h>
#include <string.h>

/* The axis of threadIdx.x at a token, or of a variable that begins as it: 'x', 'y'; 0: none. */
static char axis_of(const struct code *c, const int init[2])
{
    if (init[0] < 0 || init[1] != init[0] + 2 || !code_is(c, init[0], "threadIdx")) return 0;
    return c->text[c->tokens[init[1]].at];
}

static char axis_at(const struct code *c, int i)
{
    const int own[2] = {i, i + 2};
    int s = code_symbol(c, i);
    return axis_of(c, s < 0 ? own : c->symbols[s].init);
}

/* What stands for an axis at a token: a variable of the file, or threadIdx.x itself. */
static void put_axis(const struct code *c, int at, char axis, struct buf *out)
{
    for (int k = 0; k < c->symbol_count; k++) {
        const struct symbol *s = &c->symbols[k];
        if (at < s->from || at > s->to || axis_of(c, s->init) != axis) continue;
        buf_add(out, c->text + c->tokens[s->name].at, c->tokens[s->name].len);
        return;
    }
    buf_printf(out, "threadIdx.%c", axis);
}

/* The value of the variable at i, of the thread's other axis. */
static void other_axis(struct edits *l, int i)
{
    const struct code *c = l->code;
    int s = code_symbol(c, i), turned = 0;
    const int *init = s < 0 ? NULL : c->symbols[s].init;
    if (!init || c->symbols[s].kind != SYMBOL_INT || c->symbols[s].statement < 0 || init[1] < init[0] + 4 ||
        c->symbols[s].name == i || c->statements[c->symbols[s].statement].kind != STATEMENT_DECLARATION)
        return;
    struct buf b = {0};
    for (int k = init[0]; k <= init[1]; k++) {
        char axis = axis_at(c, k);
        if (k > init[0] && c->tokens[k].at > c->tokens[k - 1].at + c->tokens[k - 1].len) buf_add(&b, " ", 1);
        if (axis) put_axis(c, i, axis == 'x' ? 'y' : 'x', &b), turned = 1;
        else buf_add(&b, c->text + c->tokens[k].at, c->tokens[k].len);
        if (axis && code_is(c, k, "threadIdx")) k += 2;
    }
    int alone = (code_is(c, i - 1, ",") || code_is(c, i - 1, "(") || code_is(c, i - 1, "[")) &&
        (code_is(c, i + 1, ",") || code_is(c, i + 1, ")") || code_is(c, i + 1, "]"));
    if (turned) edits_replace(l, EDIT_NAME, 1.8, i, i, alone ? "%s" : "(%s)", b.data);
    buf_free(&b);
}

/* The factor that a name has elsewhere in its function. */
static void scaled(struct edits *l, int i)
{
    const struct code *c = l->code;
    int s = code_symbol(c, i);
    if (s < 0 || c->symbols[s].kind != SYMBOL_INT || c->symbols[s].name == i || code_is(c, i - 1, "*") ||
        code_is(c, i - 1, "/") || code_is(c, i - 1, "%") || code_is(c, i + 1, "*") || code_is(c, i + 1, "="))
        return;
    for (int k = c->symbols[s].from; k < c->symbols[s].to; k++) {
        if (k == i || code_symbol(c, k) != s) continue;
        if (code_is(c, k - 1, "*") && c->tokens[k - 2].kind == TOKEN_NUMBER)
            edits_replace(l, EDIT_TERM_MISSING, 1.5, i, i, "%.*s * %.*s", (int)c->tokens[k - 2].len,
                c->text + c->tokens[k - 2].at, (int)c->tokens[i].len, c->text + c->tokens[i].at);
        else if (code_is(c, k + 1, "*") && c->tokens[k + 2].kind == TOKEN_NUMBER)
            edits_replace(l, EDIT_TERM_MISSING, 1.5, i, i, "%.*s * %.*s", (int)c->tokens[i].len,
                c->text + c->tokens[i].at, (int)c->tokens[k + 2].len, c->text + c->tokens[k + 2].at);
    }
}

/* The token of an exclusive or between two brackets; -1: there is none. */
static int exclusive_or(const struct code *c, int open)
{
    for (int i = open + 1; i < c->tokens[open].pair; i++)
        if (code_is(c, i, "^")) return i;
    return -1;
}

/* tile[x][j], where another access of the array has an exclusive or. open: of its first subscript. */
static void swizzled(struct edits *l, int open)
{
    const struct code *c = l->code;
    int second = c->tokens[open].pair + 1, elsewhere = 0;
    if (!code_is(c, second, "[") || c->tokens[open - 1].kind != TOKEN_NAME) return;
    for (int k = 0; k + 1 < c->count; k++) {
        int other = k != open - 1 && code_same(c, k, open - 1) && code_is(c, k + 1, "[")
            ? c->tokens[k + 1].pair + 1 : -1;
        elsewhere |= other > 0 && code_is(c, other, "[") && exclusive_or(c, other) > 0;
    }
    int end = c->tokens[second].pair, at = exclusive_or(c, second);
    if (!elsewhere && at < 0) return;
    char *row = code_text(c, open + 1, second - 2);
    char *own = code_text(c, second + 1, at < 0 ? end - 1 : at - 1);
    int sum = strpbrk(row, "+*/%") != NULL;
    edits_replace(l, EDIT_PLACE, 1.2, second + 1, end - 1, sum ? "%s ^ (%s)" : "%s ^ %s", own, row);
    if (at > 0) edits_replace(l, EDIT_PLACE, 1.6, second + 1, end - 1, "%s", own);
    free(own);
    free(row);
}

void repair_alike(struct edits *l)
{
    const struct code *c = l->code;
    for (int k = 0; k < c->item_count; k++) {
        const struct item *x = &c->items[k];
        for (int i = x->body; x->kind == ITEM_FUNCTION && x->used && i < x->last; i++) {
            other_axis(l, i);
            scaled(l, i);
            if (code_is(c, i, "[")) swizzled(l, i);
        }
    }
}
