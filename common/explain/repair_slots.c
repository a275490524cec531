/* repair_slots.c - all edits of a kernel in one kernel: in each slot, one of several texts is
 * chosen at run time.
 *
 *     sum += a[i];     switch (lockstep_pick[7]) {        lockstep_pick: in constant
 *                      default: sum += a[i]; break;       memory, one number per slot,
 *                      case 1: sum = a[i]; break; }       written before each launch
 *     i < k            (lockstep_pick[6] == 1 ? (i <= k) : (i < k))
 *
 * One compiler run serves hundreds of edits, and every pair of them. */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

/* ---- finding slots ---- */

static int add_slot(struct slots *s, enum slot_kind kind, int first, int last, int statement)
{
    struct slot *x = VEC_PUSH(s->list, s->count, s->cap);
    *x = (struct slot){.kind = kind, .first = first, .last = last, .statement = statement};
    return (int)s->count - 1;
}

static int is_pinned(const struct code *c, const struct statement *x);

/* May a variable's initializer be computed at run time? No if the variable is a constant that may
 * be an array's size. */
static int is_computed(const struct code *c, const struct symbol *s)
{
    const struct statement *d = s->statement >= 0 ? &c->statements[s->statement] : NULL;
    if (d && is_pinned(c, d)) return 0;
    if (s->parameter || s->statement < 0 || s->init[0] < 0 || code_is(c, s->init[0], "{")) return 0;
    for (int i = s->type; i < s->name; i++)
        if (code_is(c, i, "constexpr") || code_is(c, i, "__shared__") || code_is(c, i, "static") ||
            code_is(c, i, "auto"))
            return 0;
    for (int i = s->init[0]; s->constant && i <= s->init[1]; i++)
        if (code_is(c, i, ".") || code_symbol(c, i) >= 0) return 1;
    return !s->constant && d;
}

/* If the token is the name in a call of a function of the file, or of a lambda: the ( of the
 * call. Else -1. */
static int call_at(const struct code *c, int i)
{
    int open = code_call(c, i);
    for (int k = 0; open < 0 && k < c->statement_count && code_is(c, i + 1, "("); k++) {
        const struct statement *x = &c->statements[k];
        if (x->kind == STATEMENT_DECLARATION && x->body >= 0 && code_same(c, x->first + 1, i))
            return i + 1;
    }
    return open;
}

/* Do tokens first to last call a function of the file? A slot of such tokens would make the
 * compiler copy that function for each choice. */
static int calls(const struct code *c, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (call_at(c, i) >= 0) return 1;
    return 0;
}

static void find_slot(struct slots *s, enum slot_kind kind, int first, int last, int statement)
{
    if (!calls(s->code, first, last)) add_slot(s, kind, first, last, statement);
}

/* Make a slot of each integer argument of the call whose ( is `open`, as in load4(a, top + y, t +
 * x, m, k). pointers: make slots of sums that begin with a pointer, too. */
static void find_arguments(struct slots *s, int open, int pointers)
{
    const struct code *c = s->code;
    for (int first = open + 1, close = c->tokens[open].pair; first < close;) {
        int last = code_expression_end(c, first, close), symbol = code_symbol(c, first), member = 0;
        for (int i = first; i <= last; i++) member |= code_is(c, i, "[") || code_is(c, i, ".");
        int number =
            c->tokens[first].kind == TOKEN_NUMBER && code_named(c, ITEM_FUNCTION, open - 1) < 0;
        enum symbol_kind kind = symbol < 0 ? SYMBOL_OTHER : c->symbols[symbol].kind;
        if (!member &&
            (number || kind == SYMBOL_INT || (pointers && kind == SYMBOL_POINTER && last > first)))
            find_slot(s, SLOT_VALUE, first, last, code_statement(c, first));
        first = last + 2;
    }
}

/* The ( of a call of a wgmma_ function in a statement; -1: none. While the tensor cores use the
 * statement's registers, a branch would copy them, so such a statement is left as it is. */
static int wgmma_call(const struct code *c, const struct statement *x)
{
    for (int i = x->first; i < x->last; i++)
        if (!strncmp(c->text + start_of(c, i), "wgmma_", 6) && code_is(c, i + 1, "(")) return i + 1;
    return -1;
}

/* May only the arguments of a wgmma_ call vary in a statement? Yes for the statement that contains
 * the call, and for an unrolled loop around it. */
static int is_pinned(const struct code *c, const struct statement *x)
{
    int loop = x->kind == STATEMENT_FOR && x->lead < x->first;
    return (loop || x->kind == STATEMENT_EXPRESSION) && wgmma_call(c, x) >= 0;
}

/* Make slots of parts of a statement that calls a function of the file: the subscripts of arrays
 * in global and shared memory, and the condition before a ?. */
static void find_parts(struct slots *s, const struct statement *x, int statement)
{
    const struct code *c = s->code;
    for (int i = x->first, from = x->first; i < x->last; i++) {
        int symbol = code_is(c, i + 1, "[") ? code_symbol(c, i) : -1;
        if (code_is(c, i, "?") && from < i) find_slot(s, SLOT_VALUE, from, i - 1, statement);
        if (code_is(c, i, "=") || code_is(c, i, "return") || code_is(c, i, ";")) from = i + 1;
        if (symbol < 0 || (c->symbols[symbol].kind != SYMBOL_POINTER &&
                              !code_is(c, c->symbols[symbol].type, "__shared__")))
            continue;
        for (i++; code_is(c, i, "["); i = c->tokens[i].pair + 1)
            find_slot(s, SLOT_VALUE, i + 1, c->tokens[i].pair - 1, statement);
        i--;
    }
}

void slots_find(struct slots *s, const struct code *c)
{
    *s = (struct slots){.code = c};
    for (int i = 0; i < c->count; i++) {
        int f = code_function(c, i), open = f >= 0 && c->items[f].used ? call_at(c, i) : -1;
        if (open > 0 && i > c->items[f].body) find_arguments(s, open, 0);
    }
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *x = &c->statements[i];
        if (is_pinned(c, x)) {
            if (x->kind == STATEMENT_EXPRESSION) find_arguments(s, wgmma_call(c, x), 0);
            continue;
        }
        if (x->kind == STATEMENT_EXPRESSION && x->last > x->first)
            find_slot(s, SLOT_STATEMENT, x->first, x->last - 1, i);
        if (x->kind == STATEMENT_RETURN && x->last > x->first + 1 && !code_is(c, x->first + 1, "{"))
            find_slot(s, SLOT_VALUE, x->first + 1, x->last - 1, i);
        if ((x->kind == STATEMENT_EXPRESSION || x->kind == STATEMENT_RETURN) &&
            calls(c, x->first, x->last)) {
            find_parts(s, x, i);
            if (code_is(c, x->first + 1, "(") && call_at(c, x->first) < 0)
                find_arguments(s, x->first + 1, 1);
        }
        if (x->cond[0] >= 0) find_slot(s, SLOT_VALUE, x->cond[0], x->cond[1], i);
        if (x->step[0] >= 0) find_slot(s, SLOT_STEP, x->step[0], x->step[1], i);
    }
    for (int i = 0; i < c->symbol_count; i++)
        if (is_computed(c, &c->symbols[i]))
            find_slot(s, SLOT_VALUE, c->symbols[i].init[0], c->symbols[i].init[1],
                c->symbols[i].statement);
}

/* ---- the slot of an edit ---- */

/* The index of the slot of this kind at a statement; the slot is added if missing. */
static int slot_at(struct slots *s, enum slot_kind kind, int statement)
{
    const struct statement *x = &s->code->statements[statement];
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].kind == kind && s->list[i].statement == statement) return (int)i;
    return add_slot(s, kind, x->first, x->last, statement);
}

/* Does the text consist of whole statements, rather than an expression or an "if (...) " before
 * one? */
static int is_statement(const char *text)
{
    size_t n = strlen(text);
    int depth = 0;
    for (size_t i = 0; i < n; i++) depth += (text[i] == '{') - (text[i] == '}');
    while (n && strchr(" \n", text[n - 1])) n--;
    return n && !depth && strchr(";}", text[n - 1]);
}
static int is_guard(const char *text) { return !strncmp(text, "if (", 4) && !is_statement(text); }

/* The index of the slot that contains a splice; -1: there is none. *text: the slot's text after the
 * splice, owned by the caller; NULL: the splice is to be applied to the slot's own text. */
static int slot_of(struct slots *s, const struct splice *p, char **text)
{
    const struct code *c = s->code;
    *text = NULL;
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *x = &c->statements[i];
        if (x->parent < 0 || x->kind == STATEMENT_DECLARATION || is_pinned(c, x)) continue;
        if (!p->len && p->at == start_of(c, x->first) && is_guard(p->text)) {
            size_t n = strlen(p->text);
            while (n && p->text[n - 1] != ')') n--;
            *text = xstrndup(p->text + 3, n - 3);
            return slot_at(s, SLOT_GUARD, i);
        }
        if (p->at == start_of(c, x->first) && p->at + p->len == end_of(c, x->last) && !*p->text) {
            *text = xstrdup("0");
            return slot_at(s, SLOT_GUARD, i);
        }
    }
    for (int i = 0; !p->len && is_statement(p->text) && i < c->statement_count; i++) {
        const struct statement *x = &c->statements[i];
        if (x->parent < 0 || is_pinned(c, x)) continue;
        if (p->at != start_of(c, x->lead) && p->at != end_of(c, x->last)) continue;
        *text = xstrdup(p->text);
        return slot_at(s, p->at == start_of(c, x->lead) ? SLOT_BEFORE : SLOT_AFTER, i);
    }
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].kind <= SLOT_STEP && p->at >= start_of(c, s->list[i].first) &&
            p->at + p->len <= end_of(c, s->list[i].last))
            return (int)i;
    return -1;
}

/* The number of a text among the slot's choices; the text is added if missing. The slot takes
 * ownership of text. */
static int choice_of(struct slot *x, char *text)
{
    for (size_t i = 0; i < x->count; i++)
        if (!strcmp(x->choices[i].text, text)) {
            free(text);
            return (int)i + 1;
        }
    VEC_PUSH(x->choices, x->count, x->cap)->text = text;
    return (int)x->count;
}

void slots_place(struct slots *s, struct edit *e)
{
    e->place_count = 0;
    for (int i = 0; i < e->count; i++) {
        char *text;
        int slot = slot_of(s, &e->splices[i], &text), known = 0;
        if (slot < 0) {
            e->place_count = -1;
            return;
        }
        for (int k = 0; k < e->place_count; k++) known |= e->places[k].slot == slot;
        /* the choice of this slot already contains all splices that lie in the slot */
        if (known && !text) continue;
        if (!text) {
            struct buf b = {0};
            const struct slot *x = &s->list[slot];
            edit_apply(s->code->text, e, start_of(s->code, x->first), end_of(s->code, x->last), &b);
            text = b.data;
        }
        /* a bracket alone would end the slot's switch, and cost all its choices */
        if (code_open(text, strlen(text))) {
            free(text);
            e->place_count = -1;
            return;
        }
        e->places[e->place_count].slot = slot;
        e->places[e->place_count++].choice = choice_of(&s->list[slot], text);
    }
}

void slots_free(struct slots *s)
{
    for (size_t i = 0; i < s->count; i++) {
        for (size_t k = 0; k < s->list[i].count; k++) free(s->list[i].choices[k].text);
        free(s->list[i].choices);
    }
    free(s->list);
    s->list = NULL;
    s->count = s->cap = 0;
}
