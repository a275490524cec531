/* mutate_hooks.c - mistakes that no row of mutations.def can express.
 *
 *     launch      BLOCK(32, 8)             BLOCK(8, 32); COVERS(64, 8), ...
 *     macros      #define SQUARE(x) x * x  (x) * (x); the whole value in parentheses
 *     lists       P(1) P(2) P(2) P(4)      P(3)
 *     zeros       if (inside) tile = in    tile = 0 before each such if
 *     exchanged   row and col, rows and cols of a statement
 *     returns     if (outside) return;     if a barrier, or several stores, follow it
 *     barriers    for (...) { tile = in; sum += tile; }     a barrier after each statement */
#include "explain/mutate.h"

#include <stdlib.h>
#include <string.h>

/* ---- the launch shape: edits of BLOCK and COVERS are tried without compiling ---- */

static const struct mutation LAUNCH = {2, NULL, NULL, "does not fit what the kernel does"};

static void shape(struct edits *l, int at, int covers, int cost, unsigned x, unsigned y)
{
    const struct bound_kernel *b = l->of->bound;
    const unsigned *now = covers ? b->covers : b->block;
    int one_axis = !problem_find(l->of->step->problem)->two_dimensional;
    if (!x || !y || (one_axis && y != now[1]) || (x == now[0] && y == now[1]) ||
        (covers && x < 8) || (!covers && (x * y > 1024 || x * y < 64)))
        return;
    struct edit *e = edits_begin(l, &LAUNCH, cost, at);
    e->launch[2 * covers] = x, e->launch[2 * covers + 1] = y;
    edit_replace(
        l, e, at, l->code->tokens[at + 1].pair, "%s(%u, %u)", covers ? "COVERS" : "BLOCK", x, y);
}

/* Add edits of BLOCK and COVERS: the two axes of either swapped, BLOCK set equal to COVERS or the
 * reverse, and the axes multiplied or divided by powers of two. None are added if barriers or
 * asynchronous copies are at fault or the kernel never ends (FOUND_ENDLESS), since fewer threads or
 * tiles would only hide that. */
static void launch(struct edits *l)
{
    const struct code *c = l->code;
    const struct bound_kernel *b = l->of->bound;
    const struct finding *f = &l->of->found;
    int fewer = f->kind == FOUND_NOT_WRITTEN, more = l->of->now != NULL;
    if (finding_of_barriers(f) || f->kind == FOUND_ENDLESS) return;
    for (int k = 0; k < c->item_count; k++) {
        const struct item *x = &c->items[k];
        if (x->kind != ITEM_LAUNCH || !code_is(c, x->name, l->of->step->kernel)) continue;
        for (int i = x->first; i < x->last; i++) {
            int covers = code_is(c, i, "COVERS");
            if (!covers && !code_is(c, i, "BLOCK")) continue;
            const unsigned *is = covers ? b->covers : b->block,
                           *other = covers ? b->block : b->covers;
            shape(l, i, covers, 1, is[1], is[0]);
            shape(l, i, covers, 2, other[0], other[1]);
            for (unsigned by = 2; by <= 32; by *= 2)
                for (int axes = 1; axes <= 3; axes++) {
                    unsigned dx = axes & 1 ? by : 1, dy = axes & 2 ? by : 1;
                    shape(l, i, covers, covers && more ? 1 : 3, is[0] * dx, is[1] * dy);
                    if (is[0] % dx == 0 && is[1] % dy == 0)
                        shape(l, i, covers, covers && fewer ? 1 : 3, is[0] / dx, is[1] / dy);
                }
        }
    }
}

/* ---- parentheses in macros ---- */

static const struct mutation ARGUMENT = {
    1, NULL, NULL, "takes an argument without parentheses: an operator in it has lower precedence"};
static const struct mutation ENCLOSED = {
    1, NULL, NULL, "is not in parentheses as a whole: an operator beside it has higher precedence"};

/* Is a macro's replacement, tokens first to last, an expression, without statements or their
 * keywords? */
static int is_value(const struct code *c, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (code_is(c, i, ";") || code_is(c, i, "{") || code_is(c, i, "=") ||
            code_is(c, i, "for") || code_is(c, i, "if") || c->tokens[i].kind == TOKEN_STRING)
            return 0;
    return 1;
}

/* For a macro such as #define AT(y, x) ((y) * N + x) or #define ROW TILE + 1: add edits that put a
 * parameter, or the whole replacement, in parentheses. */
static void macro(struct edits *l, const struct item *x)
{
    const struct code *c = l->code;
    int body = x->kind == ITEM_DEFINE ? x->name + 1 : x->body;
    int enclosed = code_is(c, body, "(") && c->tokens[body].pair == x->last;
    if (x->last > body && !enclosed && is_value(c, body, x->last))
        edits_replace(l, &ENCLOSED, 1, body, x->last, "(%.*s)", SPAN(c, body, x->last));
    for (int p = x->open + 1; x->kind == ITEM_MACRO && p < body - 1; p++) {
        struct edit *e = NULL;
        for (int i = body; i <= x->last && c->tokens[p].kind == TOKEN_NAME; i++) {
            if (!code_same(c, i, p) || (code_is(c, i - 1, "(") && code_is(c, i + 1, ")"))) continue;
            if (!e) e = edits_begin(l, &ARGUMENT, 1, i);
            edit_replace(l, e, i, i, "(%.*s)", WORD(c, p));
        }
    }
}

/* ---- lists of numbers in equal steps ---- */

static const struct mutation ORDER = {1, NULL, NULL, "stands in the list twice, or out of order"};

/* The token of the next number after the number at token i; -1: there is none within a few
 * tokens. */
static int next_number(const struct code *c, int i)
{
    enum { NEAR = 12 };
    for (int k = i + 1; k < c->count && k <= i + NEAR; k++) {
        if (c->tokens[k].define != c->tokens[i].define) return -1;
        if (c->tokens[k].kind == TOKEN_NUMBER) return k;
    }
    return -1;
}

/* Are the tokens between a and b the same as those between x and y? */
static int same_between(const struct code *c, int a, int b, int x, int y)
{
    if (b - a != y - x || b - a < 2) return 0;
    for (int i = a + 1, k = x + 1; i < b; i++, k++)
        if (!code_same(c, i, k)) return 0;
    return 1;
}

/* Find a list of numbers in equal steps with one exception, such as P(i + 1) P(i + 2) P(i + 2) P(i
 * + 4), and add an edit of the number that is the exception. first: the token of the first number.
 * Returns the token of the last number but one. */
static int listed(struct edits *l, int first)
{
    enum { LEAST = 4, MOST = 64 };
    const struct code *c = l->code;
    int at[MOST], count = 0, found = 0;
    long is[MOST];
    for (int i = first; i >= 0 && count < MOST; i = next_number(c, i)) {
        if (count > 1 && !same_between(c, at[count - 2], at[count - 1], at[count - 1], i)) break;
        is[count] = strtol(c->text + start_of(c, i), NULL, 0);
        at[count++] = i;
    }
    for (int ends = 0; ends < 2 && count >= LEAST && !found; ends++) {
        int from = ends ? count - 1 : 0, wrong = -1, many = 0;
        long step = ends ? is[count - 1] - is[count - 2] : is[1] - is[0];
        for (int i = 0; i < count; i++)
            if (is[i] != is[from] + step * (i - from)) wrong = i, many++;
        if (many == 1 && step && ++found)
            edits_replace(
                l, &ORDER, 1, at[wrong], at[wrong], "%ld", is[from] + step * (wrong - from));
    }
    return count > 1 ? at[count - 2] : first;
}

/* ---- elements that nobody sets to 0 ---- */

static const struct mutation ZERO = {2, NULL, NULL, "!what nobody writes must be 0: with %b"};

/* For if (inside) tile[y][x] = in[...]: add an edit that sets each element stored under a
 * condition to 0 before the if, in all such places of the kernel at once. */
static void zeros(struct edits *l)
{
    const struct code *c = l->code;
    struct edit *e = NULL;
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *s = &c->statements[i];
        int symbol = s->kind == STATEMENT_EXPRESSION ? code_symbol(c, s->first) : -1;
        int close = s->first, at = -1;
        if (symbol < 0 || c->symbols[symbol].kind != SYMBOL_ARRAY) continue;
        while (code_is(c, close + 1, "[")) close = c->tokens[close + 1].pair;
        for (int p = s->parent; p >= 0 && c->statements[p].kind != STATEMENT_FOR;
             p = c->statements[p].parent)
            if (c->statements[p].kind == STATEMENT_IF) at = p;
        if (at < 0 || !code_is(c, close + 1, "=")) continue;
        if (!e) e = edits_begin(l, &ZERO, 2, c->statements[at].first);
        edit_before(l, e, c->statements[at].lead, "%.*s = 0; ", SPAN(c, s->first, close));
    }
}

/* ---- names swapped in a statement ---- */

static const struct mutation NAMES = {2, NULL, NULL, "names the wrong variable"};
static const struct mutation XY = {2, NULL, NULL, "has x and y, or two values, swapped"};

/* Add an edit that swaps symbols[0] with symbols[1], symbols[2] with symbols[3], ... in tokens
 * first to last. */
static void exchange(
    struct edits *l, const struct mutation *m, int first, int last, const int *symbols, int count)
{
    const struct code *c = l->code;
    struct edit *e = edits_begin(l, m, m->likely, first);
    for (int i = first; i <= last; i++)
        for (int k = 0; k < count && c->tokens[i].kind == TOKEN_NAME; k++)
            if (code_symbol(c, i) == symbols[k] && c->symbols[symbols[k]].name != i &&
                e->count >= 0)
                edit_replace(l, e, i, i, "%.*s", WORD(c, c->symbols[symbols[k ^ 1]].name));
    if (e->count < 2) edit_drop(e);
}

/* Add edits that swap, in the expression of tokens first to last, its two variables, its two
 * dimensions (rows, cols), or both. */
static void exchanged(struct edits *l, int first, int last)
{
    enum { MOST = 8 };
    const struct code *c = l->code;
    /* index 0: variables; index 1: dimensions of the problem */
    int seen[2][MOST], count[2] = {0, 0};
    for (int i = first; i <= last; i++) {
        int s = code_symbol(c, i), known = 0;
        if (s < 0 || c->symbols[s].kind != SYMBOL_INT || c->symbols[s].constant) continue;
        int dim = c->symbols[s].parameter;
        for (int k = 0; k < count[dim]; k++) known |= seen[dim][k] == s;
        if (!known && count[dim] < MOST) seen[dim][count[dim]++] = s;
    }
    for (int a = 0; a < count[0]; a++)
        for (int b = a + 1; b < count[0]; b++) {
            int swap[4] = {seen[0][a], seen[0][b]};
            exchange(l, &NAMES, first, last, swap, 2);
            for (int p = 0; p < count[1]; p++)
                for (int q = p + 1; q < count[1]; q++) {
                    swap[2] = seen[1][p], swap[3] = seen[1][q];
                    if (!a && b == 1) exchange(l, &NAMES, first, last, swap + 2, 2);
                    exchange(l, &XY, first, last, swap, 4);
                }
        }
}

/* ---- early returns ---- */

static const struct mutation RETURN = {1, NULL, NULL,
    "!threads that return here are missing later, where their block needs them: if none returns, "
    "and loads and stores ask for the opposite,"};
static const struct mutation EACH = {1, NULL, NULL,
    "!a thread that returns here leaves out elements that are inside: if each store asks for its "
    "own index, as in `%i`,"};
static const struct mutation LATER = {1, NULL, NULL,
    "!this is asked before it is known which element the thread takes: with `%i` %w"};

/* The part of a test "row >= m || col >= n" whose variables a statement uses, as text. The
 * caller frees it. */
static char *outside(
    const struct code *c, const struct statement *test, const struct statement *user)
{
    struct buf out = {0};
    buf_add(&out, "", 0);
    for (int first = test->cond[0], last; first <= test->cond[1]; first = last + 2) {
        for (last = first; last < test->cond[1] && !code_is(c, last + 1, "||"); last++) continue;
        int used = 0;
        for (int i = user->first; i <= user->last; i++)
            used |= code_symbol(c, i) >= 0 && code_same(c, i, first);
        if (used) buf_printf(&out, "%s%.*s", out.len ? " || " : "", SPAN(c, first, last));
    }
    return out.data ? out.data : xstrdup("");
}

static void leave_out(struct edits *l, struct edit *e, const struct statement *s)
{
    edit_replace(l, e, s->first, s->last, "%s", "");
}

/* The last barrier after a statement in the same block; -1: none. */
static int barrier_behind(const struct code *c, const struct statement *x)
{
    int last = -1;
    for (int i = 0; i < c->statement_count; i++)
        if (c->statements[i].first > x->last && c->statements[i].parent == x->parent &&
            code_is(c, c->statements[i].first, "__syncthreads"))
            last = i;
    return last;
}

/* For an if (outside) return; before a barrier: add an edit that moves the return behind the
 * barrier, and puts each load and store before the barrier under the opposite condition. Without a
 * barrier (-1), the return is removed, and all later loads and stores get that condition. */
static void early_return(struct edits *l, const struct statement *x, int barrier)
{
    const struct code *c = l->code;
    struct edit *e = edits_begin(l, &RETURN, 1, x->first);
    leave_out(l, e, x);
    if (barrier >= 0)
        edit_after(l, e, c->statements[barrier].last, " %.*s", SPAN(c, x->first, x->last));
    for (int i = 0; i < (barrier < 0 ? c->statement_count : barrier); i++) {
        const struct statement *y = &c->statements[i];
        int global = 0, equals = -1;
        if (y->kind != STATEMENT_EXPRESSION || y->first < x->last || y->function != x->function)
            continue;
        for (int k = y->first; k < y->last; k++) {
            if (equals < 0 && code_is(c, k, "=")) equals = k;
            int symbol = code_is(c, k + 1, "[") ? code_symbol(c, k) : -1;
            if (symbol >= 0 && c->symbols[symbol].kind == SYMBOL_POINTER)
                global |= equals < 0 ? 1 : 2;
        }
        char *own = global ? outside(c, x, y) : NULL;
        if (own && *own && global == 2) {
            edit_before(l, e, equals + 1, " !(%s) ? ", own);
            edit_after(l, e, y->last - 1, " : 0");
        } else if (own && *own) {
            edit_before(l, e, y->first, "if (!(%s)) ", own);
        }
        free(own);
    }
}

/* The [ of a statement that stores through a pointer, out[i] = ...; -1: the statement is not
 * one. */
static int store_of(const struct code *c, const struct statement *x)
{
    int is = x->kind == STATEMENT_EXPRESSION && code_is(c, x->first + 1, "[");
    int symbol = is ? code_symbol(c, x->first) : -1;
    if (symbol < 0 || c->symbols[symbol].kind != SYMBOL_POINTER) return -1;
    int close = c->tokens[x->first + 1].pair;
    return code_is(c, close + 1, "=") || code_is(c, close + 1, "+=") ? x->first + 1 : -1;
}

/* The >= in a condition that consists of one comparison "... >= n"; -1: the condition is not of
 * this form. */
static int only_test(const struct code *c, const struct statement *x)
{
    int at = -1;
    for (int i = x->cond[0]; i <= x->cond[1]; i++) {
        if (code_is(c, i, "||") || code_is(c, i, "&&")) return -1;
        if (code_is(c, i, ">=")) at = i;
    }
    return at;
}

/* For if (i >= n) return; that several stores follow: add edits that test each store's own
 * index, or that move the test to where the index of a store is known. */
static void own_tests(struct edits *l, const struct statement *x)
{
    const struct code *c = l->code;
    int test = only_test(c, x), stores = 0, each = -1;
    for (int i = 0; i < c->statement_count && test >= 0; i++) {
        const struct statement *y = &c->statements[i];
        int open = y->function == x->function && y->first > x->last ? store_of(c, y) : -1;
        if (open < 0) continue;
        if (each < 0) {
            each = (int)l->count;
            leave_out(l, edits_begin(l, &EACH, 1, x->first), x);
        }
        if (stores++ < SPLICES - 2)
            edit_before(l, &l->list[each], y->first, "if (%.*s < %.*s) ",
                SPAN(c, open + 1, c->tokens[open].pair - 1), SPAN(c, test + 1, x->cond[1]));
        int v = c->tokens[open].pair == open + 2 ? code_symbol(c, open + 1) : -1;
        if (v < 0 || c->symbols[v].statement < 0 || c->symbols[v].name < x->last) continue;
        struct edit *e = edits_begin(l, &LATER, 1, x->first);
        edit_after(l, e, c->statements[c->symbols[v].statement].last, " if (%.*s %.*s) return;",
            WORD(c, open + 1), SPAN(c, test, x->cond[1]));
        leave_out(l, e, x);
    }
    if (each >= 0 && stores < 2) edit_drop(&l->list[each]);
}

/* ---- loops without barriers ---- */

static const struct mutation BARRIERS = {1, NULL, NULL,
    "!this loop needs a __syncthreads() before threads read what others have stored, and one before "
    "that is stored anew: with %b"};

/* Does statement s, or a statement in it, store to an array in shared memory? */
static int fills_shared(const struct code *c, const struct statement *s)
{
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *x = &c->statements[i];
        int symbol = x->first >= s->first && x->last <= s->last && x->kind == STATEMENT_EXPRESSION
                         ? code_symbol(c, x->first)
                         : -1;
        if (symbol >= 0 && c->symbols[symbol].kind == SYMBOL_ARRAY &&
            code_is(c, x->first + 1, "[") && code_is(c, c->symbols[symbol].type, "__shared__"))
            return 1;
    }
    return 0;
}

/* For a loop that fills arrays in shared memory, with no barrier in it: add an edit with a barrier
 * behind the last statement that fills them, and one at the loop's end. */
static void loop_barriers(struct edits *l, int loop)
{
    const struct code *c = l->code;
    const struct statement *s = &c->statements[loop];
    int filled = -1, last = -1;
    for (int i = s->first; i < s->last; i++)
        if (code_is(c, i, "__syncthreads")) return;
    for (int i = 0; i < c->statement_count; i++) {
        if (c->statements[i].parent != s->body) continue;
        last = i;
        if (fills_shared(c, &c->statements[i])) filled = i;
    }
    if (filled < 0 || filled == last) return;
    struct edit *e = edits_begin(l, &BARRIERS, 1, s->first);
    edit_after(l, e, c->statements[filled].last, " __syncthreads();");
    edit_after(l, e, c->statements[last].last, " __syncthreads();");
}

/* ---- all hooks ---- */

void mutate_hooks(struct edits *l)
{
    const struct code *c = l->code;
    launch(l);
    zeros(l);
    for (int i = 0; i < c->item_count; i++)
        if (c->items[i].kind == ITEM_DEFINE || (c->items[i].kind == ITEM_MACRO && c->items[i].used))
            macro(l, &c->items[i]);
    for (int i = 0; i < c->count; i++)
        if (c->tokens[i].kind == TOKEN_NUMBER) i = listed(l, i);
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *s = &c->statements[i];
        if (s->cond[0] >= 0) exchanged(l, s->cond[0], s->cond[1]);
        if (s->kind >= STATEMENT_DECLARATION) exchanged(l, s->first, s->last);
        if (s->kind == STATEMENT_FOR && s->body >= 0) loop_barriers(l, i);
        if (s->kind != STATEMENT_IF || s->body < 0 ||
            !code_is(c, c->statements[s->body].first, "return"))
            continue;
        own_tests(l, s);
        if (!code_has_shared(c)) continue;
        early_return(l, s, -1);
        if (barrier_behind(c, s) >= 0) early_return(l, s, barrier_behind(c, s));
    }
}
