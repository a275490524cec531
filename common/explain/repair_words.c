/* repair_words.c - edits of a single word: an operator, a name, a number.
 *
 *     i <= k      i < k, i > k, ...          col           row, k, n, TILE, threadIdx.x, 0, ...
 *     &&          ||                         blockIdx.x    blockIdx.y, threadIdx.x, ...
 *     sum = ...   sum += ...                 8             7, 9, TILE, ...
 *
 * A name gives way to one of its own kind: an integer to an integer that can be used there, an
 * array to an array with as many subscripts. */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

/* ---- operators ---- */

/* What a student writes for what; the reverse has an entry of its own. */
static const struct swap {
    enum edit_kind kind;
    const char *is, *becomes;
    double cost;
} swaps[] = {
    {EDIT_COMPARE, "<=", "<", 1},
    {EDIT_COMPARE, "<", "<=", 1},
    {EDIT_COMPARE, ">", ">=", 1},
    {EDIT_COMPARE, ">=", ">", 1},
    {EDIT_COMPARE, "<", ">", 2},
    {EDIT_COMPARE, ">", "<", 1.5},
    {EDIT_COMPARE, "<", ">=", 2},
    {EDIT_COMPARE, ">=", "<", 1.5},
    {EDIT_COMPARE, "<=", ">=", 2},
    {EDIT_COMPARE, ">=", "<=", 2},
    {EDIT_COMPARE, "==", "!=", 1.5},
    {EDIT_COMPARE, "!=", "==", 1.5},
    {EDIT_COMPARE, "==", "<", 2},
    {EDIT_COMPARE, "!=", "<", 2},
    {EDIT_COMPARE, ">", "<=", 2},
    {EDIT_LOGIC, "&&", "||", 1},
    {EDIT_LOGIC, "||", "&&", 1},
    {EDIT_LOGIC, "&", "&&", 2},
    {EDIT_ASSIGN, "=", "+=", 1.2},
    {EDIT_ASSIGN, "+=", "=", 1.2},
    {EDIT_ASSIGN, "-=", "+=", 1.5},
    {EDIT_ASSIGN, "*=", "+=", 1.5},
    {EDIT_ASSIGN, "--", "++", 2},
    {EDIT_ASSIGN, "<<=", ">>=", 2},
    {EDIT_ASSIGN, ">>=", "<<=", 2},
    {EDIT_ARITHMETIC, "+", "*", 2.5},
    {EDIT_ARITHMETIC, "*", "+", 2},
    {EDIT_ARITHMETIC, "-", "+", 1.5},
    {EDIT_ARITHMETIC, "+", "-", 2},
    {EDIT_ARITHMETIC, "/", "%", 1.5},
    {EDIT_ARITHMETIC, "%", "/", 1.5},
    {EDIT_ARITHMETIC, "/", "*", 2.5},
    {EDIT_ARITHMETIC, "*", "/", 2.5},
    {EDIT_ARITHMETIC, "<<", ">>", 2},
    {EDIT_ARITHMETIC, ">>", "<<", 2},
    {EDIT_NAME, "min", "max", 1.5},
    {EDIT_NAME, "max", "min", 1.5},
    {EDIT_NAME, "fminf", "fmaxf", 1.5},
    {EDIT_NAME, "fmaxf", "fminf", 1.5},
};

/* Is it a * that declares or follows a pointer, or a sign? Then it is no operator of two values. */
static int is_unary(const struct code *c, int i)
{
    const struct token *before = i > 0 ? &c->tokens[i - 1] : NULL;
    if (!before || before->kind == TOKEN_DIRECTIVE) return 1;
    if (before->kind == TOKEN_NUMBER) return 0;
    if (before->kind == TOKEN_NAME) {
        int s = code_symbol(c, i - 1);
        return s < 0 && !code_is(c, i - 2, ".") && (code_is(c, i, "*") || code_is(c, i, "&"));
    }
    return !code_is(c, i - 1, ")") && !code_is(c, i - 1, "]");
}

/* The = of a declaration's first value, or of a subscript's own. */
static int is_first_value(const struct code *c, int i)
{
    for (int k = 0; k < c->symbol_count; k++)
        if (c->symbols[k].init[0] == i + 1) return 1;
    return 0;
}

/* Is a name beside the operator an integer, or a number? */
static int near_integer(const struct code *c, int i)
{
    int before = code_is(c, i - 2, ".") ? -1 : code_symbol(c, i - 1), after = code_symbol(c, i + 1);
    int floats = (before >= 0 && c->symbols[before].kind != SYMBOL_INT) ||
                 (after >= 0 && c->symbols[after].kind != SYMBOL_INT) || code_is(c, i - 1, "]");
    return !floats;
}

static void operators(struct edits *l, int i)
{
    const struct code *c = l->code;
    if (code_is_angle(c, i)) return;
    for (size_t k = 0; k < sizeof swaps / sizeof *swaps; k++) {
        const struct swap *s = &swaps[k];
        if (!code_is(c, i, s->is) || (strchr("*&-+", *s->is) && !s->is[1] && is_unary(c, i)))
            continue;
        if (s->kind == EDIT_ASSIGN && *s->is == '=' && c->tokens[i + 1].kind == TOKEN_NUMBER)
            continue;
        if (s->kind == EDIT_ASSIGN && *s->is == '=' && is_first_value(c, i)) continue;
        if (strchr("%&|^", *s->becomes) && !s->becomes[1] && !near_integer(c, i)) continue;
        /* =+ */
        int late = s->kind == EDIT_ASSIGN && code_is(c, i, "=") && code_is(c, i + 1, "+");
        edits_replace(l, s->kind, s->cost, i, i + late, "%s", s->becomes);
    }
}

/* ---- integers ---- */

static const char *const builtins[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};

/* threadIdx.x at i: which builtin; -1: none. */
static int builtin(const struct code *c, int i)
{
    for (int k = 0; builtins[k]; k++)
        if (code_is(c, i, builtins[k]) && code_is(c, i + 1, ".")) return k;
    return -1;
}

static void add_atom(struct atoms *a, char *text)
{
    for (size_t i = 0; i < a->count; i++)
        if (!strcmp(a->text[i], text)) {
            free(text);
            return;
        }
    *VEC_PUSH(a->text, a->count, a->cap) = text;
}

/* Is it written without a point, an exponent and an f? */
static int is_whole(const struct code *c, int i)
{
    return strcspn(c->text + start_of(c, i), ".eEfF") >= c->tokens[i].len;
}

/* Is a #define an integer: 32, (TILE + 1)? */
static int is_integer(const struct code *c, const struct item *x)
{
    if (x->kind != ITEM_DEFINE || x->last < x->first + 2) return 0;
    for (int i = x->name + 1; i <= x->last; i++) {
        int number = c->tokens[i].kind == TOKEN_NUMBER && is_whole(c, i);
        int name = x->last > x->name + 1 && code_named(c, ITEM_DEFINE, i) >= 0;
        int mark = c->tokens[i].kind == TOKEN_MARK && strchr("+-*/()", c->text[start_of(c, i)]);
        if (!number && !name && !mark) return 0;
    }
    return 1;
}

struct atoms repair_atoms(const struct code *c, int token)
{
    struct atoms a = {0};
    for (int i = 0; i < c->symbol_count; i++) {
        const struct symbol *s = &c->symbols[i];
        if (s->kind != SYMBOL_INT || code_is(c, s->type, "bool")) continue;
        if (token < s->from || token > s->to) continue;
        if (code_symbol(c, token) >= 0 && s->init[0] >= 0 && token >= s->init[0] &&
            token <= s->init[1])
            continue;
        add_atom(&a, code_word(c, s->name));
    }
    for (int i = 0; i < c->item_count; i++) {
        if (is_integer(c, &c->items[i])) add_atom(&a, code_word(c, c->items[i].name));
    }
    return a;
}

void atoms_free(struct atoms *a)
{
    for (size_t i = 0; i < a->count; i++) free(a->text[i]);
    free(a->text);
    *a = (struct atoms){0};
}

/* A parameter of the kernel, such as rows, or a variable of its own? */
static int is_dim(const struct code *c, const char *name)
{
    for (int i = 0; i < c->symbol_count; i++)
        if (c->symbols[i].kind == SYMBOL_INT && code_is(c, c->symbols[i].name, name))
            return c->symbols[i].parameter && !c->symbols[i].constant;
    return 0;
}

/* Does a variable of that name begin as a part of the builtin at i: t = threadIdx.x % 128? */
static int is_made_of(const struct code *c, const char *name, int i)
{
    for (int k = 0; k < c->symbol_count; k++) {
        const struct symbol *s = &c->symbols[k];
        if (s->init[0] >= 0 && s->init[1] > s->init[0] + 2 && code_is(c, s->name, name) &&
            code_same(c, s->init[0], i) && code_same(c, s->init[0] + 2, i + 2))
            return 1;
    }
    return 0;
}

/* A builtin's name or its axis is another one. */
static void builtin_edits(struct edits *l, int i)
{
    const struct code *c = l->code;
    int is = builtin(c, i), y = code_is(c, i + 2, "y");
    edits_replace(l, EDIT_AXIS, 1, i + 2, i + 2, y ? "x" : "y");
    for (int k = 0; builtins[k]; k++) {
        if (k == is) continue;
        edits_replace(l, EDIT_BUILTIN, k < 2 && is < 2 ? 1.5 : 1.8, i, i, "%s", builtins[k]);
        edits_replace(l, EDIT_BUILTIN, 3, i, i + 2, "%s.%s", builtins[k], y ? "x" : "y");
    }
    struct atoms a = repair_atoms(c, i);
    for (size_t k = 0; k < a.count; k++)
        edits_replace(l, EDIT_NAME,
            is_dim(c, a.text[k])          ? 2.5
            : is_made_of(c, a.text[k], i) ? 1.2
                                          : 1.9,
            i, i + 2, "%s", a.text[k]);
    atoms_free(&a);
}

/* Is the name at i declared there, or changed by what follows? Then it cannot be a value
 * instead. */
static int is_target(const struct code *c, int i)
{
    static const char *const changes[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "++", "--"};
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
        if (code_is(c, i + 1, changes[k])) return 1;
    if (code_is(c, i - 1, "++") || code_is(c, i - 1, "--")) return 1;
    for (int k = 0; k < c->symbol_count; k++)
        if (c->symbols[k].name == i) return 1;
    return 0;
}

static int is_upper(const char *name) { return *name >= 'A' && *name <= 'Z'; }

int repair_is_padding(const struct code *c, const char *name)
{
    for (int i = 0; i < c->item_count; i++)
        if (c->items[i].kind == ITEM_DEFINE && code_is(c, c->items[i].name, name))
            return strtol(c->text + c->tokens[c->items[i].last].at, NULL, 0) <= 4;
    for (int i = 0; i < c->symbol_count; i++)
        if (c->symbols[i].statement < 0 && c->symbols[i].init[0] >= 0 &&
            code_is(c, c->symbols[i].name, name))
            return strtol(c->text + c->tokens[c->symbols[i].init[0]].at, NULL, 0) <= 4;
    return is_upper(name); /* of a template */
}

/* Is the name a parameter of a function, at token i, that the kernel calls? */
static int is_given(const struct code *c, int i, const char *name)
{
    int f = code_function(c, i);
    for (int k = 0; f >= 0 && k < c->symbol_count; k++)
        if (c->symbols[k].parameter && code_is(c, c->symbols[k].name, name) &&
            c->symbols[k].from <= i && c->symbols[k].to >= i)
            return !code_is(c, c->items[f].first, "__global__");
    return 0;
}

/* Does the variable at i begin as a sum with threadIdx: the place in the grid, not in the block? */
static int is_global(const struct code *c, int i, int axis)
{
    int s = code_symbol(c, i);
    const int *init = s < 0 ? NULL : c->symbols[s].init;
    for (int k = init ? init[0] : 0; init && init[0] >= 0 && k < init[1]; k++)
        if (code_is(c, k, "threadIdx") && code_is(c, k + 2, axis ? "y" : "x") &&
            init[1] > init[0] + 2)
            return 1;
    return 0;
}

static int in_condition(const struct code *c, int i)
{
    int s = code_statement(c, i);
    return s >= 0 && c->statements[s].kind == STATEMENT_IF && i <= c->statements[s].cond[1];
}

/* A variable that another line splits, warp % 2: its other part, warp / 2. One that begins as a
 * remainder, lane = t % 32: the same of another variable. */
static void part_edits(struct edits *l, int i, const char *is, const struct atoms *a)
{
    const struct code *c = l->code;
    int own = code_symbol(c, i), of = own < 0 ? -1 : c->symbols[own].init[0] + 1;
    int inner = code_is(c, i - 1, "*") || code_is(c, i - 1, "/") || code_is(c, i - 1, "%");
    const char *form = inner ? "(%s %c %.*s)" : "%s %c %.*s";
    for (int k = 0;
         own >= 0 && k + 2 < c->count && !code_is(c, i + 1, "%") && !code_is(c, i + 1, "/"); k++)
        if (code_symbol(c, k) == own && (code_is(c, k + 1, "%") || code_is(c, k + 1, "/")) &&
            c->tokens[k + 2].kind != TOKEN_MARK)
            edits_replace(l, EDIT_PART, 1.5, i, i, form, is, code_is(c, k + 1, "%") ? '/' : '%',
                WORD(c, k + 2));
    if (of < 1 || !code_is(c, of, "%") || c->symbols[own].init[1] != of + 1) return;
    for (size_t k = 0; k < a->count; k++)
        if (strcmp(is, a->text[k]) && !is_dim(c, a->text[k]) && !is_upper(a->text[k]))
            edits_replace(l, EDIT_NAME, 1.9, i, i, form, a->text[k], '%', WORD(c, of + 1));
}

static void name_edits(struct edits *l, int i, int last)
{
    const struct code *c = l->code;
    char *is = code_word(c, i);
    int dim = is_dim(c, is),
        bound = code_is(c, i - 1, "<") || code_is(c, i - 1, "<=") || code_is(c, i - 1, ">=");
    struct atoms a = repair_atoms(c, i);
    part_edits(l, i, is, &a);
    int length = code_is(c, i - 1, "*") && code_is(c, i + 1, "+"); /* of a row: y * pitch + x */
    for (size_t k = 0; k < a.count; k++)
        if (strcmp(a.text[k], is) &&
            !(bound && code_is(c, i - 2, a.text[k]))) /* not q < q + TILE */
            edits_replace(l, EDIT_NAME,
                length && !is_upper(is) && is_dim(c, a.text[k]) ? 1.2
                : is_upper(is) && is_given(c, i, a.text[k])     ? 1.5
                : is_upper(is) && is_upper(a.text[k])           ? 1.7
                : dim && is_dim(c, a.text[k])                   ? 1.2
                : dim != is_dim(c, a.text[k])                   ? 2.6
                : in_condition(c, i)                            ? 1.75
                                                                : 1.9,
                i, last, "%s", a.text[k]);
    for (size_t k = 0; k < a.count; k++) /* a padded row */
        if (is_upper(is) && repair_is_padding(c, a.text[k]) && strcmp(is, a.text[k]))
            edits_replace(l, EDIT_TERM_MISSING, 1.6, i, last, "(%s + %s)", is, a.text[k]);
    for (int k = 0; k < 2; k++) {
        edits_replace(
            l, EDIT_BUILTIN, is_global(c, i, k) ? 1.9 : 2.8, i, last, "threadIdx.%c", "xy"[k]);
        edits_replace(
            l, EDIT_BUILTIN, code_is(c, i - 1, "+=") ? 1.7 : 3.2, i, last, "blockDim.%c", "xy"[k]);
    }
    int in = code_statement(c, i);
    const struct statement *s = in < 0 ? NULL : &c->statements[in];
    for (int k = s ? s->first : 0; s && k + 2 < s->last;
         k++) /* another index of the statement has i + 1 */
        if (k != i && code_same(c, k, i) && code_is(c, k + 1, "+") &&
            c->tokens[k + 2].kind == TOKEN_NUMBER)
            edits_replace(l, EDIT_ONE_OFF, 1.5, i, last, "%s + %.*s", is, WORD(c, k + 2));
    int groups = code_is(c, i - 2, "__pipeline_wait_prior"); /* that may be on their way */
    edits_replace(l, EDIT_ONE_OFF, groups ? 1.3 : bound ? 2 : 3.4, i, last, "(%s - 1)", is);
    edits_replace(l, EDIT_ONE_OFF, bound ? 2 : 3, i, last, "(%s + 1)", is);
    edits_replace(l, EDIT_NUMBER, 3.6, i, last, "0");
    atoms_free(&a);
    free(is);
}

/* The first value of a for's variable: that of a for around it. */
static void outer_starts(struct edits *l, int i)
{
    const struct code *c = l->code;
    int own = code_statement(c, i);
    if (own < 0 || c->statements[own].kind != STATEMENT_FOR || i > c->statements[own].cond[0])
        return;
    for (int p = c->statements[own].parent; p >= 0; p = c->statements[p].parent)
        for (int k = 0; k < c->symbol_count; k++)
            if (c->symbols[k].statement == p && c->statements[p].kind == STATEMENT_FOR)
                edits_replace(l, EDIT_NUMBER, 1.4, i, i, "%.*s", WORD(c, c->symbols[k].name));
}

/* MAC(20) MAC(20), or MAC(16) MAC(32): a row of numbers that does not go on evenly. With each
 * number of the function as the step: MAC(24). */
static void copied(struct edits *l, int i, long v)
{
    const struct code *c = l->code;
    int f = code_function(c, i), twice = 0;
    if (f < 0 || (!code_is(c, i - 1, "(") && !code_is(c, i - 1, "["))) return;
    for (int k = c->items[f].body; k < c->items[f].last; k++)
        twice |= k != i && c->tokens[k].kind == TOKEN_NUMBER && code_same(c, k - 1, i - 1) &&
                 code_same(c, k - 2, i - 2) && code_same(c, k + 1, i + 1);
    for (int k = c->items[f].body; k < c->items[f].last && twice; k++) {
        long step =
            c->tokens[k].kind == TOKEN_NUMBER ? strtol(c->text + start_of(c, k), NULL, 0) : 0;
        if (step > 1 && step <= 64) edits_replace(l, EDIT_NUMBER, 1.7, i, i, "%ld", v + step);
        if (step > 1 && step <= v) edits_replace(l, EDIT_NUMBER, 1.7, i, i, "%ld", v - step);
    }
}

/* A whole number: another one near it, one of the file's, or a variable. */
static void number_edits(struct edits *l, int i)
{
    const struct code *c = l->code;
    long v = strtol(c->text + start_of(c, i), NULL, 0);
    if (is_whole(c, i)) {
        outer_starts(l, i);
        copied(l, i, v);
        long near[] = {v + 1, v - 1, 0, 1, 2 * v, v / 2};
        int divides = code_is(c, i - 1, "/") || code_is(c, i - 1, "%");
        int term = code_is(c, i - 1, "+") || code_is(c, i - 1, "-");
        if (term && !code_is(c, i + 1, "*"))
            edits_replace(l, EDIT_TERM_EXTRA, 1.8, i - 1, i, "%s", "");
        for (int k = 0; k < 6; k++)
            if (near[k] != v && near[k] >= !!term)
                edits_replace(l, k < 4 ? EDIT_ONE_OFF : EDIT_NUMBER,
                    k < 4                  ? 1.8
                    : v < 4 || v & (v - 1) ? 2.2
                    : divides              ? 1.7
                                           : 1.45,
                    i, i, "%ld", near[k]);
        struct atoms a = repair_atoms(c, i);
        for (size_t k = 0; k < a.count; k++) {
            double likely = code_is(c, i - 1, "[") && is_dim(c, a.text[k]) ? 1.7 : 2.3;
            edits_replace(l, EDIT_NUMBER, likely, i, i, "%s", a.text[k]);
        }
        atoms_free(&a);
    }
    for (int k = 0; k < c->count; k++)
        if (c->tokens[k].kind == TOKEN_NUMBER && !code_same(c, k, i) &&
            is_whole(c, k) == is_whole(c, i))
            edits_replace(l, EDIT_NUMBER, 2, i, i, "%.*s", WORD(c, k));
}

/* ---- arrays, floats ---- */

/* Does the expression statement that begins with this name store through it? */
static int is_store(const struct code *c, int i)
{
    int s = code_statement(c, i);
    return s >= 0 && c->statements[s].kind == STATEMENT_EXPRESSION && c->statements[s].first == i;
}

/* The word of its declaration that names the type of its elements. */
static int type_word(const struct code *c, const struct symbol *s)
{
    static const char *const qualifiers[] = {
        "const", "static", "__shared__", "extern", "volatile", NULL};
    int i = s->type;
    for (int k = 0; qualifiers[k]; k++)
        if (code_is(c, i, qualifiers[k])) i++, k = -1;
        /* __align__(16) */
        else if (code_is(c, i + 1, "("))
            i = c->tokens[i + 1].pair + 1, k = -1;
    return i;
}

/* Another symbol of the same type that can be used here. */
static void twin_edits(struct edits *l, int i, const struct symbol *s)
{
    const struct code *c = l->code;
    for (int k = 0; k < c->symbol_count; k++) {
        const struct symbol *o = &c->symbols[k];
        int same = o->kind == s->kind && o->dims == s->dims && o->whole == s->whole;
        int near = s->kind != SYMBOL_INT && !code_is(c, s->type, "auto");
        if (is_store(c, i) && o->constant_target) continue;
        if (is_first_value(c, i - 1) && o->constant_target && !s->constant_target) continue;
        if (!code_same(c, type_word(c, s), type_word(c, o))) continue;
        if (same && near && i >= o->from && i <= o->to && !code_same(c, o->name, i))
            edits_replace(
                l, EDIT_ARRAY, code_copied(c, i) ? 1.4 : 1.5, i, i, "%.*s", WORD(c, o->name));
    }
}

/* point.x for point.y */
static void member_edits(struct edits *l, int i)
{
    static const char axes[] = "xyzw";
    const struct code *c = l->code;
    const char *is = strchr(axes, c->text[c->tokens[i].at]);
    if (c->tokens[i].len != 1 || !is || builtin(c, i - 2) >= 0) return;
    for (const char *k = axes; *k; k++)
        if (k != is) edits_replace(l, EDIT_AXIS, 1.8, i, i, "%c", *k);
}

/* Is the word an argument of a template: turn<1>? A copy of the template for each choice costs
 * much. */
static int is_template_argument(const struct code *c, int i)
{
    int open = i - 1;
    while (open > 0 && (code_is(c, open, ",") || c->tokens[open].kind != TOKEN_MARK)) open--;
    return code_is(c, open, "<") && code_named(c, ITEM_FUNCTION, open - 1) >= 0;
}

/* sqrt(x): x. The function takes one value, and is none of the file's. */
static void call_edit(struct edits *l, int i)
{
    const struct code *c = l->code;
    if (code_is(c, i, "__syncwarp")) edits_replace(l, EDIT_LEAVES, 0.5, i, i, "__syncthreads");
    int close = code_is(c, i + 1, "(") ? c->tokens[i + 1].pair : -1;
    if (code_named(c, ITEM_FUNCTION, i) >= 0) return;
    if (close > i + 2 && i > 0 && c->tokens[i - 1].kind == TOKEN_MARK && !code_is(c, i - 1, ";") &&
        !code_is(c, i - 1, "}") && code_expression_end(c, i + 2, close) == close - 1)
        edits_replace(l, EDIT_CALL, 1.8, i, i, "%s", "");
}

/* ---- all of it ---- */

static void define(struct edits *l, int i);

static void word(struct edits *l, int i)
{
    const struct code *c = l->code;
    const struct token *t = &c->tokens[i];
    if (t->kind == TOKEN_MARK)
        operators(l, i);
    else if (t->kind == TOKEN_NUMBER && code_constant_number(c, i))
        define(l, i);
    else if (t->kind == TOKEN_NUMBER)
        number_edits(l, i);
    if (t->kind != TOKEN_NAME) return;
    int s = code_symbol(c, i);
    if (code_is(c, i, "float") && code_is(c, i + 1, "*") &&
        code_is(c, i + 2, ")")) /* it converts nothing */
        edits_replace(l, EDIT_TYPE, 1.6, i, i, "double");
    if (code_is(c, i, "min") || code_is(c, i, "max") || code_is(c, i, "fminf") ||
        code_is(c, i, "fmaxf"))
        operators(l, i);
    else if (builtin(c, i) >= 0)
        builtin_edits(l, i);
    else if (code_is(c, i - 1, "."))
        member_edits(l, i);
    else if (is_target(c, i))
        return;
    else if (s >= 0 && c->symbols[s].kind == SYMBOL_INT)
        name_edits(l, i, i);
    else if (s >= 0)
        twin_edits(l, i, &c->symbols[s]);
    else if (code_is(c, i + 1, "("))
        call_edit(l, i);
    else if (code_named(c, ITEM_DEFINE, i) >= 0)
        name_edits(l, i, i);
}

/* A number of a #define: one off, twice, half, or another one of the file in between. */
static void define(struct edits *l, int i)
{
    const struct code *c = l->code;
    int name = c->tokens[i].kind == TOKEN_NAME && code_named(c, ITEM_DEFINE, i) >= 0;
    for (int k = 1; k <= 4 && name; k *= 2) edits_replace(l, EDIT_NUMBER, 1.8, i, i, "%d", k);
    if (c->tokens[i].kind != TOKEN_NUMBER) return;
    long v = strtol(c->text + c->tokens[i].at, NULL, 0);
    for (long other = 1; other < 3 && v <= 4; other++) /* padding */
        if (other != v) edits_replace(l, EDIT_NUMBER, 1.7, i, i, "%ld", other);
    for (int k = 0; k < 4; k++) {
        long other = k == 0 ? 2 * v : k == 1 ? v / 2 : k == 2 ? v + 1 : v - 1;
        if (other > 1) edits_replace(l, EDIT_NUMBER, k < 2 ? 2.2 : 3, i, i, "%ld", other);
    }
    for (int k = 0; k < c->count; k++) {
        long other =
            c->tokens[k].kind == TOKEN_NUMBER ? strtol(c->text + c->tokens[k].at, NULL, 0) : 0;
        /* a tile of 2 hides much that is wrong with one of 32 */
        if (other > 1 && other != v && 2 * other >= v && other <= 2 * v)
            edits_replace(l, EDIT_NUMBER, 2.2, i, i, "%ld", other);
    }
}

/* Is it in the brackets of an array's declaration? */
static int is_size(const struct code *c, int i)
{
    for (int k = 0; k < c->symbol_count; k++) {
        int at = c->symbols[k].name + 1;
        for (; c->symbols[k].dims && code_is(c, at, "["); at = c->tokens[at].pair + 1)
            if (i > at && i < c->tokens[at].pair) return 1;
    }
    return 0;
}

void repair_words(struct edits *l)
{
    const struct code *c = l->code;
    for (int k = 0; k < c->item_count; k++) {
        const struct item *x = &c->items[k];
        if (x->kind == ITEM_FUNCTION && x->used)
            for (int i = x->body + 1; i < x->last; i++)
                if (!is_size(c, i) && c->tokens[i].define < 0) {
                    size_t before = l->count;
                    word(l, i);
                    for (size_t n = before; n < l->count && is_template_argument(c, i); n++)
                        l->list[n].cost += 1;
                }
        for (int i = x->name + 1; x->kind == ITEM_DEFINE && i <= x->last; i++) define(l, i);
        for (int i = x->body; x->kind == ITEM_MACRO && x->used && i <= x->last; i++) word(l, i);
    }
    for (int k = 0; k < c->symbol_count; k++)
        if (c->symbols[k].statement < 0 && c->symbols[k].init[0] >= 0)
            define(l, c->symbols[k].init[0]);
}
