/* repair_alike.c - edits that write a place as another one of the file has it.
 *
 *     int row = block.y * 32 + y    row: block.y * 32 + threadIdx.x   its own value, of the other axis
 *     tile[j][x ^ j] = ...          tile[x][j]: tile[x][j ^ x]        as the other access has it
 *     col + 4 * y + e               left + y: left + 4 * y            the factor that a name has elsewhere
 *     t / 32 % 2                    t / 32: t / 32 % 2                the remainder, too */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

/* The axis of threadIdx.x at a token, or of a variable that begins as it: 'x', 'y'; 0: none. */
static char axis_at(const struct code *c, int i)
{
    int s = code_symbol(c, i), first = s < 0 ? i : c->symbols[s].init[0];
    int is = code_is(c, first, "threadIdx") && (s < 0 || c->symbols[s].init[1] == first + 2);
    return is ? c->text[c->tokens[first + 2].at] : 0;
}

/* The value of the variable at i, of the thread's other axis. */
static void other_axis(struct edits *l, int i)
{
    const struct code *c = l->code;
    int s = code_symbol(c, i), turned = 0;
    const int *init = s < 0 ? NULL : c->symbols[s].init;
    if (!init || c->symbols[s].kind != SYMBOL_INT || c->symbols[s].statement < 0 ||
        init[1] < init[0] + 4 || c->symbols[s].name == i ||
        c->statements[c->symbols[s].statement].kind != STATEMENT_DECLARATION)
        return;
    struct buf b = {0};
    for (int k = init[0]; k <= init[1]; k++) {
        char axis = axis_at(c, k);
        if (k > init[0] && c->tokens[k].at > c->tokens[k - 1].at + c->tokens[k - 1].len)
            buf_add(&b, " ", 1);
        if (axis)
            buf_printf(&b, "threadIdx.%c", axis == 'x' ? 'y' : 'x'), turned = 1;
        else
            buf_add(&b, c->text + c->tokens[k].at, c->tokens[k].len);
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
    if (s < 0 || c->symbols[s].kind != SYMBOL_INT || c->symbols[s].name == i ||
        code_is(c, i - 1, "*") || code_is(c, i - 1, "/") || code_is(c, i - 1, "%") ||
        code_is(c, i + 1, "*") || code_is(c, i + 1, "="))
        return;
    for (int k = c->symbols[s].from; k < c->symbols[s].to; k++) {
        int before = code_is(c, k - 1, "*"), by = before ? k - 2 : k + 2;
        if (k == i || code_symbol(c, k) != s || c->tokens[by].kind != TOKEN_NUMBER) continue;
        if (before || code_is(c, k + 1, "*"))
            edits_replace(l, EDIT_TERM_MISSING, 1.5, i, i, "%.*s * %.*s", WORD(c, before ? by : i),
                WORD(c, before ? i : by));
    }
}

/* t / 32 % 2: one of the two is missing, or too many. i: the operator */
static void remainders(struct edits *l, int i)
{
    const struct code *c = l->code;
    int quotient = code_is(c, i, "/"), last = i + 1;
    if (!quotient && !code_is(c, i, "%")) return;
    if (c->tokens[last].kind == TOKEN_MARK || code_is(c, last + 1, ".")) return;
    edits_replace(l, EDIT_TERM_EXTRA, 2.2, i, last, "%s", "");
    for (int by = 2; by <= 8 && !quotient && !code_is(c, i - 2, "/"); by *= 2)
        edit_before(l, edits_begin(l, EDIT_TERM_MISSING, 1.75, i), i, "/ %d ", by);
    for (int by = 2; by <= 32; by *= 2) /* row / 4: row % 8 */
        edits_replace(l, EDIT_PART, 1.9, i, last, "%c %d", quotient ? '%' : '/', by);
    for (int k = 0; k < c->count && quotient && !code_is(c, last + 1, "%"); k++)
        if (code_is(c, k, "%") && c->tokens[k + 1].kind != TOKEN_MARK)
            edit_after(
                l, edits_begin(l, EDIT_TERM_MISSING, 1.8, i), last, " %% %.*s", WORD(c, k + 1));
}

/* The token of an exclusive or between two brackets; -1: there is none. */
static int exclusive_or(const struct code *c, int open)
{
    for (int i = open + 1; i < c->tokens[open].pair; i++)
        if (code_is(c, i, "^")) return i;
    return -1;
}

/* tile[x][j], where another access of the array has an exclusive or. open: of its first
 * subscript. */
static void swizzled(struct edits *l, int open)
{
    const struct code *c = l->code;
    int second = c->tokens[open].pair + 1, elsewhere = 0;
    if (!code_is(c, second, "[") || c->tokens[open - 1].kind != TOKEN_NAME) return;
    for (int k = 0; k + 1 < c->count; k++) {
        int other = k != open - 1 && code_same(c, k, open - 1) && code_is(c, k + 1, "[")
                        ? c->tokens[k + 1].pair + 1
                        : -1;
        elsewhere |= other > 0 && code_is(c, other, "[") && exclusive_or(c, other) > 0;
    }
    int end = c->tokens[second].pair, at = exclusive_or(c, second);
    if (!elsewhere && at < 0) return;
    int last = at < 0 ? end - 1 : at - 1, alone = second == open + 3;
    edits_replace(l, EDIT_PLACE, 1.2, second + 1, end - 1, alone ? "%.*s ^ %.*s" : "%.*s ^ (%.*s)",
        SPAN(c, second + 1, last), SPAN(c, open + 1, second - 2));
    if (at > 0) edits_replace(l, EDIT_PLACE, 2.1, at, end - 1, "%s", "");
}

void repair_alike(struct edits *l)
{
    const struct code *c = l->code;
    for (int k = 0; k < c->item_count; k++) {
        const struct item *x = &c->items[k];
        for (int i = x->body; x->kind == ITEM_FUNCTION && x->used && i < x->last; i++) {
            other_axis(l, i);
            scaled(l, i);
            remainders(l, i);
            if (code_is(c, i, "[")) swizzled(l, i);
        }
    }
}
