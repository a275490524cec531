/* repair_moves.c - edits of statements: one more, one less, or at another place.
 *
 *     __syncthreads();        before or after any statement; not here; there instead of here
 *     sum = 0;                before a loop, or in it
 *     i++                     i += TILE, and other steps of a for */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

static int in_block(const struct code *c, const struct statement *s)
{
    return s->parent >= 0 && c->statements[s->parent].kind == STATEMENT_BLOCK;
}

int repair_is_barrier(const struct code *c, const struct statement *s)
{
    return s->kind == STATEMENT_EXPRESSION && code_is(c, s->first, "__syncthreads");
}

static int in_loop(const struct code *c, const struct statement *s)
{
    for (int p = s->parent; p >= 0; p = c->statements[p].parent)
        if (c->statements[p].kind == STATEMENT_FOR || c->statements[p].kind == STATEMENT_WHILE)
            return 1;
    return 0;
}

static void remove_statement(struct edits *l, struct edit *e, const struct statement *s)
{
    edit_replace(l, e, s->first, s->last, "%s", "");
}

/* ---- barriers ---- */

int repair_has_shared(const struct code *c)
{
    for (int i = 0; i < c->count; i++)
        if (code_is(c, i, "__shared__")) return 1;
    return 0;
}

/* One more, before a statement and after it. moved: one that is taken away for it; -1: none. */
static void barrier_at(struct edits *l, int s, int moved)
{
    const struct code *c = l->code;
    const struct statement *x = &c->statements[s];
    int branch = moved >= 0 && x->kind == STATEMENT_IF && c->statements[moved].first > x->first &&
                 c->statements[moved].last < x->last; /* it leaves the branch */
    for (int after = 0; after < 2; after++) {
        struct edit *e = edits_begin(l, moved < 0 ? EDIT_BARRIER_MISSING : EDIT_BARRIER_MOVED,
            (branch         ? 1
                : moved < 0 ? 1.2
                            : 1.8) -
                (after && (branch || x->kind == STATEMENT_FOR) ? 0.1 : 0),
            moved >= 0 ? c->statements[moved].first
            : after    ? x->last
                       : x->lead);
        if (after)
            edit_after(l, e, x->last, " __syncthreads();");
        else
            edit_before(l, e, x->lead, "__syncthreads(); ");
        if (moved >= 0) remove_statement(l, e, &c->statements[moved]);
    }
}

static void barriers(struct edits *l)
{
    const struct code *c = l->code;
    if (!repair_has_shared(c) || (l->of->found.kind && !finding_of_barriers(&l->of->found))) return;
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *s = &c->statements[i];
        if (!in_block(c, s)) continue;
        barrier_at(l, i, -1);
        if (!repair_is_barrier(c, s)) continue;
        remove_statement(
            l, edits_begin(l, EDIT_BARRIER_EXTRA, l->of->now ? 0.6 : 1.9, s->first), s);
        for (int k = 0; k < c->statement_count; k++)
            if (k != i && in_block(c, &c->statements[k]) &&
                c->statements[k].function == s->function &&
                !repair_is_barrier(c, &c->statements[k]))
                barrier_at(l, k, i);
    }
}

/* ---- resets, moves, removals ---- */

/* The statement that follows in the same block; -1: none. */
static int next_of(const struct code *c, int s)
{
    for (int i = s + 1; i < c->statement_count; i++)
        if (c->statements[i].parent == c->statements[s].parent) return i;
    return -1;
}

/* Is the symbol declared, with a first value, right before the statement? */
static int is_fresh(const struct code *c, const struct symbol *v, int s)
{
    int d = v->init[0] >= 0 ? v->statement : -1;
    return d >= 0 && d < s && c->statements[d].parent == c->statements[s].parent &&
           next_of(c, d) == s;
}

/* sum = 0; before a statement, for each float of the function. */
static void resets(struct edits *l, int s)
{
    const struct code *c = l->code;
    const struct statement *x = &c->statements[s];
    if (!in_block(c, x)) return;
    for (int i = 0; i < c->symbol_count; i++) {
        const struct symbol *v = &c->symbols[i];
        if (v->kind != SYMBOL_FLOAT || v->parameter || v->constant || x->first < v->from ||
            x->last > v->to)
            continue;
        double cost = (x->kind == STATEMENT_FOR ? 1.5 : 2) + is_fresh(c, v, s);
        edit_before(
            l, edits_begin(l, EDIT_RESET, cost, x->lead), x->lead, "%.*s = 0; ", WORD(c, v->name));
    }
}

/* Can all names of a statement be used at a token, but for one that it declares? */
static int is_free(
    const struct code *c, const struct statement *s, int token, const struct symbol *own)
{
    for (int i = s->first; i <= s->last; i++) {
        int symbol = code_symbol(c, i);
        if (symbol >= 0 && &c->symbols[symbol] != own &&
            (token < c->symbols[symbol].from || token > c->symbols[symbol].to))
            return 0;
    }
    return 1;
}

/* A float that is declared in a loop: declared before the loop; or one of an outer block is
 * meant. */
static void kept(struct edits *l, const struct symbol *v)
{
    const struct code *c = l->code;
    const struct statement *d = v->statement >= 0 ? &c->statements[v->statement] : NULL;
    if (!d || d->kind != STATEMENT_DECLARATION || v->parameter || v->kind != SYMBOL_FLOAT) return;
    for (int i = 0; i < c->symbol_count && v->init[0] >= 0; i++)
        if (&c->symbols[i] != v && code_same(c, c->symbols[i].name, v->name) &&
            c->symbols[i].from < v->from && c->symbols[i].to >= v->to)
            edits_replace(l, EDIT_KEPT, 1.2, d->first, v->name - 1, "%s", "");
    for (int p = d->parent; p >= 0; p = c->statements[p].parent) {
        if (c->statements[p].kind != STATEMENT_FOR && c->statements[p].kind != STATEMENT_WHILE)
            continue;
        if (!is_free(c, d, c->statements[p].first, v)) return;
        struct edit *e = edits_begin(l, EDIT_KEPT, 1.6, d->first);
        remove_statement(l, e, d);
        edit_before(l, e, c->statements[p].lead, "%.*s ", SPAN(c, d->first, d->last));
    }
}

/* How many elements an array of one dimension has, if a number says so; else 0. */
static long elements_of(const struct code *c, const struct symbol *v)
{
    int size = v->dims == 1 && c->tokens[v->name + 2].kind == TOKEN_NUMBER ? v->name + 2 : -1;
    return size > 0 && code_is(c, size + 1, "]") ? strtol(c->text + start_of(c, size), NULL, 0) : 0;
}

/* float d[4] = {}; before a loop that alone uses it is 0 again in each pass. */
static void begins_anew(struct edits *l, const struct symbol *v)
{
    enum { MOST = 16 };
    const struct code *c = l->code;
    long count = elements_of(c, v);
    if (v->kind != SYMBOL_ARRAY || v->init[0] < 0 || v->statement < 0 || count < 1 || count > MOST)
        return;
    struct buf zero = {0};
    for (long i = 0; i < count; i++) buf_printf(&zero, "%.*s[%ld] = ", WORD(c, v->name), i);
    for (int s = v->statement + 1; s < c->statement_count; s++) {
        const struct statement *loop = &c->statements[s];
        int body = loop->kind == STATEMENT_FOR ? loop->body : -1, used = 0;
        if (body < 0 || c->statements[body].kind != STATEMENT_BLOCK || loop->last > v->to) continue;
        for (int i = loop->first; i < loop->last; i++) used |= code_same(c, i, v->name);
        int first = body + 1; /* the first statement of the body */
        if (used && first < c->statement_count && c->statements[first].parent == body)
            edit_before(l, edits_begin(l, EDIT_RESET, 1.3, c->statements[first].lead),
                c->statements[first].lead, "%s0; ", zero.data);
    }
    buf_free(&zero);
}

/* sum = 0; in a loop */
static int is_reset(const struct code *c, const struct statement *x)
{
    return x->kind == STATEMENT_EXPRESSION && x->last == x->first + 3 &&
           code_is(c, x->first + 1, "=") && c->tokens[x->first + 2].kind == TOKEN_NUMBER &&
           in_loop(c, x);
}

/* A statement of a loop belongs before it. */
static void before_loop(struct edits *l, const struct statement *x, const char *own)
{
    const struct code *c = l->code;
    for (int p = x->parent; p >= 0; p = c->statements[p].parent) {
        const struct statement *loop = &c->statements[p];
        if (loop->kind != STATEMENT_FOR || !is_free(c, x, loop->lead, NULL)) continue;
        int again = l->of->found.hints & HINT_ZERO_IN_LOOP;
        struct edit *e = edits_begin(l, EDIT_MOVED, again ? 1.35 : 2, x->first);
        edit_before(l, e, loop->lead, "%s ", own);
        remove_statement(l, e, x);
    }
}

/* It is the last of the if, the for or the while before it, whose braces are perhaps not there. */
static void into_body(struct edits *l, int s, const char *own)
{
    const struct code *c = l->code;
    int before = -1;
    for (int i = 0; i < s; i++)
        if (c->statements[i].parent == c->statements[s].parent) before = i;
    if (before < 0 || c->statements[before].body < 0 || c->statements[before].other >= 0 ||
        c->statements[before].kind == STATEMENT_DECLARATION)
        return;
    const struct statement *x = &c->statements[s],
                           *body = &c->statements[c->statements[before].body];
    int braces = body->kind == STATEMENT_BLOCK;
    struct edit *e = edits_begin(l, EDIT_INTO, braces ? 2.2 : 1.6, x->first);
    if (braces) {
        edit_before(l, e, body->last, "%s ", own);
        remove_statement(l, e, x);
    } else { /* as one piece, since half of a pair of braces is no statement */
        edit_replace(
            l, e, body->lead, x->last, "{ %.*s %s }", SPAN(c, body->lead, body->last), own);
    }
}

static void moves(struct edits *l, int s)
{
    const struct code *c = l->code;
    const struct statement *x = &c->statements[s];
    int next = in_block(c, x) ? next_of(c, s) : -1;
    if (x->kind == STATEMENT_DECLARATION || x->kind == STATEMENT_BLOCK || x->parent < 0) return;
    remove_statement(l, edits_begin(l, EDIT_REMOVED, is_reset(c, x) ? 1.3 : 2.3, x->first), x);
    char *own = code_text(c, x->lead, x->last);
    if (x->kind == STATEMENT_EXPRESSION) before_loop(l, x, own);
    if (x->kind == STATEMENT_EXPRESSION)
        for (int p = x->parent; p >= 0 && c->statements[p].parent >= 0;
             p = c->statements[p].parent) {
            if (c->statements[p].kind == STATEMENT_BLOCK ||
                !is_free(c, x, c->statements[p].last + 1, NULL))
                continue;
            struct edit *e = edits_begin(l, EDIT_MOVED, 1.8, x->first);
            edit_after(l, e, c->statements[p].last, " %s", own);
            remove_statement(l, e, x);
        }
    if (next >= 0 && x->lead == x->first && c->statements[next].kind != STATEMENT_DECLARATION) {
        struct edit *e = edits_begin(l, EDIT_MOVED, 2.2, x->first);
        edit_after(l, e, c->statements[next].last, " %s", own);
        remove_statement(l, e, x);
        const struct statement *loop = &c->statements[next];
        if (loop->kind == STATEMENT_FOR && loop->body >= 0) {
            e = edits_begin(l, EDIT_MOVED, 2.2, x->first);
            edit_before(l, e,
                c->statements[loop->body].first +
                    (c->statements[loop->body].kind == STATEMENT_BLOCK),
                "%s ", own);
            remove_statement(l, e, x);
        }
    }
    if (x->kind == STATEMENT_EXPRESSION) into_body(l, s, own);
    free(own);
}

/* Is it a barrier, or does it wait for copies? */
static int is_wait(const struct code *c, int s)
{
    char *call = code_word(c, c->statements[s].first);
    int is = c->statements[s].kind == STATEMENT_EXPRESSION &&
             (!strncmp(call, "__sync", 6) || strstr(call, "wait"));
    free(call);
    return is;
}

/* A statement behind waits belongs before them, or the reverse. */
static void across_waits(struct edits *l, int s)
{
    const struct code *c = l->code;
    const struct statement *x = &c->statements[s];
    int waits = next_of(c, s), last = -1, before = -1;
    if (!in_block(c, x) || x->kind == STATEMENT_DECLARATION || is_wait(c, s)) return;
    int next = waits;
    for (; waits >= 0 && is_wait(c, waits); waits = next_of(c, waits)) last = waits;
    for (; next >= 0 && last < 0 && !is_wait(c, next);) next = next_of(c, next);
    /* fence(); belongs right before them */
    if (next >= 0 && last < 0 && code_is(c, x->first + 2, ")")) {
        enum finding_kind found = l->of->found.kind;
        int likely = found == FOUND_PRODUCT || found == FOUND_COPY;
        struct edit *e = edits_begin(l, EDIT_MOVED, likely ? 0.5 : 1.4, x->first);
        edit_before(l, e, c->statements[next].lead, "%.*s ", SPAN(c, x->first, x->last));
        remove_statement(l, e, x);
    }
    for (int i = 0; i < s; i++) /* the first of the waits right before it */
        if (c->statements[i].parent == x->parent)
            before = !is_wait(c, i) ? -1 : before < 0 ? i : before;
    for (int k = 0; k < 2; k++) {
        if ((k ? before : last) < 0) continue;
        struct edit *e = edits_begin(l, EDIT_MOVED, 1.4, x->first);
        if (k)
            edit_before(l, e, c->statements[before].lead, "%.*s ", SPAN(c, x->first, x->last));
        else
            edit_after(l, e, c->statements[last].last, " %.*s", SPAN(c, x->first, x->last));
        remove_statement(l, e, x);
    }
}

/* What is set to 0 in each pass of a loop is set in the first alone. */
static void first_pass(struct edits *l, int s)
{
    const struct code *c = l->code;
    const struct statement *x = &c->statements[s];
    int zero = x->kind == STATEMENT_EXPRESSION && code_is(c, x->last - 2, "=") &&
               code_is(c, x->last - 1, "0");
    for (int p = x->parent; zero && p >= 0; p = c->statements[p].parent)
        for (int i = 0; i < c->symbol_count && c->statements[p].kind == STATEMENT_FOR; i++)
            if (c->symbols[i].statement == p)
                edit_before(l, edits_begin(l, EDIT_GUARD, 1.3, x->first), x->first,
                    "if (%.*s == 0) ", WORD(c, c->symbols[i].name));
}

/* Every barrier that stands before a wait for copies belongs after it. */
static void waits_first(struct edits *l)
{
    const struct code *c = l->code;
    struct edit *e = NULL;
    for (int s = 0; s < c->statement_count; s++) {
        const struct statement *x = &c->statements[s];
        int next = x->parent >= 0 && code_is(c, x->first, "__syncthreads") ? next_of(c, s) : -1;
        char *call = next < 0 ? NULL : code_word(c, c->statements[next].first);
        if (call && strstr(call, "wait")) {
            if (!e) e = edits_begin(l, EDIT_BARRIER_MOVED, 0.3, x->first);
            remove_statement(l, e, x);
            edit_after(l, e, c->statements[next].last, " __syncthreads();");
        }
        free(call);
    }
}

/* i++: i += TILE, and the reverse. */
static void step(struct edits *l, const struct statement *s)
{
    const struct code *c = l->code;
    if (s->kind != STATEMENT_FOR || s->step[0] < 0) return;
    int name = code_is(c, s->step[0], "++") ? s->step[1] : s->step[0];
    if (c->tokens[name].kind != TOKEN_NAME) return;
    char *word = code_word(c, name);
    struct atoms a = repair_atoms(c, s->step[0]);
    if (code_is(c, name + 1, "+="))
        edits_replace(l, EDIT_STEP, 2, s->step[0], s->step[1], "%s++", word);
    for (size_t i = 0; i < a.count; i++) {
        int alike = 0; /* another loop of this name has the step */
        for (int k = 0; k + 2 < c->count; k++)
            alike |=
                code_same(c, k, name) && code_is(c, k + 1, "+=") && code_is(c, k + 2, a.text[i]);
        if (strcmp(a.text[i], word))
            edits_replace(l, EDIT_STEP,
                alike                 ? 1.5
                : a.text[i][0] <= 'Z' ? 1.6
                                      : 2.2,
                s->step[0], s->step[1], "%s += %s", word, a.text[i]);
    }
    for (int k = 0; k < 2; k++) {
        edits_replace(l, EDIT_STEP, 2, s->step[0], s->step[1], "%s += blockDim.%c", word, "xy"[k]);
        int of_grid = 0; /* it starts at this thread's place in the grid */
        for (int i = s->first; i < s->cond[0]; i++)
            of_grid |= code_is(c, i, "blockIdx") && code_is(c, i + 2, k ? "y" : "x");
        edits_replace(l, EDIT_STEP, of_grid ? 1.2 : 2.6, s->step[0], s->step[1],
            "%s += blockDim.%c * gridDim.%c", word, "xy"[k], "xy"[k]);
    }
    for (int k = 2; k <= 8; k *= 2)
        edits_replace(l, EDIT_STEP, 2.2, s->step[0], s->step[1], "%s += %d", word, k);
    atoms_free(&a);
    free(word);
}

/* return; of a loop: break; or continue; and each of these for the other. i: the word */
static void leaves(struct edits *l, int i)
{
    static const char *const words[] = {"return", "break", "continue"};
    const struct code *c = l->code;
    int s = code_statement(c, i), is = 0;
    while (is < 3 && !code_is(c, i, words[is])) is++;
    if (is == 3 || s < 0 || !code_is(c, i + 1, ";") || !in_loop(c, &c->statements[s])) return;
    for (int k = 1; k < 3; k++)
        if (k != is) edits_replace(l, EDIT_LEAVES, is ? 1.7 : 1.5 + 0.1 * k, i, i, "%s", words[k]);
}

/* #pragma unroll 4: all steps. */
static void unrolled(struct edits *l, const struct statement *s)
{
    const struct code *c = l->code;
    for (int i = s->lead; i < s->first; i++) {
        const char *at = c->text + start_of(c, i), *end = at + c->tokens[i].len;
        const char *word = c->tokens[i].kind == TOKEN_DIRECTIVE ? strstr(at, "unroll") : NULL;
        if (word && word < end && word + strcspn(word, "123456789") < end)
            edits_replace(l, EDIT_NUMBER, l->of->now ? 0.9 : 2.4, i, i, "#pragma unroll");
    }
}

/* What f(&tile[y][x], v) stores to elements 0, 1, ... goes down a column: tile[y + 1][x]. */
static void down_a_column(struct edits *l, int i)
{
    const struct code *c = l->code;
    int open = code_call(c, i), y = open < 0 ? -1 : c->tokens[open + 3].pair,
        x = y < 0 ? -1 : y + 1;
    int to = -1, value = -1, f = 0;
    if (x < 0 || !code_is(c, open + 1, "&") || !code_is(c, open + 3, "[") || !code_is(c, x, "["))
        return;
    x = c->tokens[x].pair;
    while (c->items[f].kind != ITEM_FUNCTION || !code_same(c, c->items[f].name, i)) f++;
    for (int k = 0; k < c->symbol_count; k++)
        if (c->symbols[k].name > c->items[f].open && c->symbols[k].name < c->items[f].body)
            *(to < 0 ? &to : &value) = c->symbols[k].name;
    struct buf all = {0};
    int at = c->items[f].body + 1;
    for (;
         value >= 0 && at + 4 < c->items[f].last && code_same(c, at, to) && code_is(c, at + 4, "=");
         at++) {
        buf_printf(&all, "%s%.*s + %.*s%.*s = ", all.len ? ", " : "", SPAN(c, open + 2, y - 1),
            WORD(c, at + 2), SPAN(c, y, x));
        for (at += 5; at < c->items[f].last && !code_is(c, at, ";"); at++)
            if (code_same(c, at, value))
                buf_printf(&all, "%.*s", SPAN(c, x + 2, c->tokens[open].pair - 1));
            else
                buf_add(&all, c->text + c->tokens[at].at, c->tokens[at].len);
    }
    if (all.len && at == c->items[f].last)
        edits_replace(l, EDIT_DOWN, 1, i, c->tokens[open].pair, "%s", all.data);
    buf_free(&all);
}

void repair_moves(struct edits *l)
{
    const struct code *c = l->code;
    barriers(l);
    waits_first(l);
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *s = &c->statements[i];
        step(l, s);
        unrolled(l, s);
        if (s->parent >= 0 && (s->kind == STATEMENT_FOR || in_loop(c, s))) resets(l, i);
        moves(l, i);
        across_waits(l, i);
        first_pass(l, i);
    }
    for (int i = 0; i < c->count; i++) down_a_column(l, i), leaves(l, i);
    for (int i = 0; i < c->symbol_count; i++)
        kept(l, &c->symbols[i]), begins_anew(l, &c->symbols[i]);
}
