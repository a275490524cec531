/* repair_say.c - one sentence about the edit that was found.
 *
 *     x.cu:13: `i <= k` lets one too many in: with `i < k` every result is right
 *     │        │        │                          │
 *     │        │        reason: a row of a table   as the edit leaves it
 *     line     what stands there, from operator to operator
 *
 * Edits that insert or remove statements have sentences of their own. */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

/* Why what stands there is wrong, for edits that replace something. */
static const char *const reasons[EDIT_KINDS] = {
    [EDIT_ARITHMETIC] = "has the wrong operator",
    [EDIT_AXIS] = "takes the wrong axis",
    [EDIT_BUILTIN] = "takes the wrong one of threadIdx, blockIdx, blockDim and gridDim",
    [EDIT_NAME] = "names the wrong variable",
    [EDIT_ARRAY] = "uses the wrong variable",
    [EDIT_NUMBER] = "has the wrong number",
    [EDIT_ONE_OFF] = "is one off",
    [EDIT_STEP] = "is the wrong step",
    [EDIT_SUBSCRIPTS] = "has its subscripts swapped",
    [EDIT_INDEX] = "mixes up row, column and the length of a row",
    [EDIT_XY] = "has x and y, or two values, swapped",
    [EDIT_TERM_MISSING] = "leaves a term out",
    [EDIT_TERM_EXTRA] = "has a term too many",
    [EDIT_TERM_MOVED] = "has a term that belongs beside it",
    [EDIT_FOURS] = "counts floats, and an index of a float4 pointer counts fours of them",
    [EDIT_BRACKETS] = "has its brackets in the wrong place",
    [EDIT_ROUND_UP] = "rounds down, so what remains at the end is left out",
    [EDIT_TEST] = "is not the test that is needed",
    [EDIT_ZERO] = "reads or leaves what is outside, where a 0 is needed",
    [EDIT_TYPE] = "has a type that does not keep the value",
    [EDIT_UNSET] = "begins with whatever was there before",
    [EDIT_FUNCTION] = "calls the wrong function",
    [EDIT_SHARED] = "gives every thread an array of its own",
    [EDIT_LAUNCH] = "does not fit what the kernel does",
    [EDIT_CALL] = "calls a function that is one too many",
    [EDIT_ARGUMENT] = "takes an argument without brackets, and an operator in it binds less",
    [EDIT_CAST] = "moves the pointer by elements of the wrong size",
    [EDIT_BYTES] = "counts elements, and bytes are asked for",
    [EDIT_FACTOR] = "multiplies the wrong term",
    [EDIT_PART] = "takes the whole of what another line splits by / and %",
    [EDIT_AT] = "indexes a pointer that stands at its element already",
    [EDIT_FROM] = "takes the first element, where one further on is meant",
    [EDIT_PLACE] = "is not where the element is stored",
    [EDIT_DOWN] = "stores side by side along a row what belongs below each other",
    [EDIT_ARGUMENTS] = "has its arguments swapped",
    [EDIT_ENCLOSED] = "is not in brackets as a whole, and what stands beside it binds more",
    [EDIT_SIZE] = "is a part of what is meant",
    [EDIT_WHOLE] = "is no whole number of steps",
    [EDIT_PASS] = "is the same in every pass of the loop",
    [EDIT_ORDER] = "stands in the list twice, or out of order",
    [EDIT_LEAVES] = "waits or ends at the wrong level",
};

/* The same for operators: from, to. */
static const struct operator_reason {
    const char *is, *becomes, *says;
} operator_reasons[] = {
    {"<=", "<", "goes one too far"},
    {"<", "<=", "ends one too early"},
    {">", ">=", "lets the first one outside pass"},
    {">=", ">", "turns the last one inside away"},
    {"&&", "||", "needs both, and either alone must do"},
    {"||", "&&", "needs either, and both must hold"},
    {"=", "+=", "keeps the last value alone, where all are to be added"},
    {"+=", "=", "adds to what is there already, where it is to be set"},
    {"==", "!=", "asks for the opposite"},
    {"!=", "==", "asks for the opposite"},
    {"min", "max", "takes the smaller one, where the larger is needed"},
    {"max", "min", "takes the larger one, where the smaller is needed"},
    {"return", "break", "ends the thread, where the loop alone is to end"},
    {"return", "continue", "ends the thread, where this pass of the loop alone is to end"},
    {"break", "continue", "ends the loop, where this pass of it alone is to end"},
    {"continue", "break", "goes on with the next pass, where the loop is to end"},
    {"__syncwarp", "__syncthreads", "waits for the warp alone, where the block must have come"},
};

static const char *reason(const struct code *c, const struct edit *e)
{
    const struct splice *s = &e->splices[0];
    int in = e->token < 0 ? -1 : code_statement(c, e->token);
    enum statement_kind k = in < 0 ? STATEMENT_OTHER : c->statements[in].kind;
    int repeats = e->kind == EDIT_COMPARE && (k == STATEMENT_FOR || k == STATEMENT_WHILE);
    if (repeats && c->text[s->at] == '>' && *s->text == '>')
        return s->len == 1 ? "ends one too early" : "goes one too far";
    for (size_t i = 0; i < sizeof operator_reasons / sizeof *operator_reasons; i++) {
        const struct operator_reason *r = &operator_reasons[i];
        if (s->len == strlen(r->is) && !memcmp(c->text + s->at, r->is, s->len) &&
            !strcmp(s->text, r->becomes))
            return r->says;
    }
    if (e->kind == EDIT_COMPARE) return "compares the wrong way round";
    if (e->kind == EDIT_ASSIGN) return "changes the value in the wrong way";
    return reasons[e->kind] ? reasons[e->kind] : "is wrong";
}

/* ---- what stands there ---- */

static int is_boundary(const struct code *c, int i)
{
    static const char *const marks[] = {",", ";", "(", ")", "[", "]", "{", "}", "&&", "||", "?",
        ":", "=", "+=", "-=", "*=", "return", NULL};
    for (int k = 0; marks[k]; k++)
        if (code_is(c, i, marks[k])) return 1;
    return c->tokens[i].kind == TOKEN_DIRECTIVE;
}

/* The next token to the left or right that belongs to the same expression, with whole brackets; -1:
 * none. */
static int left_of(const struct code *c, int i)
{
    int next = i - 1;
    if (next < 0 || c->tokens[next].define != c->tokens[i].define) return -1;
    if (!code_is(c, next, ")") && !code_is(c, next, "]")) return is_boundary(c, next) ? -1 : next;
    next = c->tokens[next].pair;
    return code_is(c, next - 1, "if") || code_is(c, next - 1, "for") ||
                   code_is(c, next - 1, "while")
               ? -1
               : next;
}

static int right_of(const struct code *c, int i)
{
    int next = i + 1;
    int apart = c->tokens[i].kind == TOKEN_DIRECTIVE; /* #pragma unroll 4 */
    if (next >= c->count || apart || c->tokens[next].define != c->tokens[i].define) return -1;
    if (code_is(c, next, "(") || code_is(c, next, "[")) return c->tokens[next].pair;
    return is_boundary(c, next) ? -1 : next;
}

/* How many of the first splices lie in one line. */
static int in_line(const struct code *c, const struct edit *e)
{
    int n = 1;
    while (n < e->count &&
           !memchr(c->text + e->splices[0].at, '\n', e->splices[n].at - e->splices[0].at))
        n++;
    return n;
}

/* Is the token a number that is all of a variable's first value? */
static int is_first_value(const struct code *c, int i)
{
    for (int k = 0; k < c->symbol_count && c->tokens[i].kind == TOKEN_NUMBER; k++) {
        const struct symbol *s = &c->symbols[k];
        if (s->init[0] == i && s->init[1] == i && s->name == i - 2) return 1;
    }
    return 0;
}

/* The tokens from the first splice to the last of its line, and on to the nearest operators that
 * bind less. Within the brackets of an array its name belongs to it. */
static void region(const struct code *c, const struct edit *e, int *first, int *last)
{
    const struct splice *from = &e->splices[0], *to = &e->splices[in_line(c, e) - 1];
    int a = 0, b, behind = !from->len && *from->text == ' '; /* it comes after a token */
    while (a + 1 < c->count && end_of(c, a) <= from->at && !(behind && end_of(c, a) == from->at) &&
           !(from->len == 0 && c->tokens[a + 1].at > from->at))
        a++;
    for (b = a; b + 1 < c->count && c->tokens[b + 1].at < to->at + to->len;) b++;
    for (int to = a; to >= 0; to = left_of(c, a)) a = to;
    for (int to = b; to >= 0; to = right_of(c, b)) b = to;
    for (int grew = 1; grew;) { /* whole brackets */
        grew = 0;
        for (int i = a; i <= b; i++) {
            int pair = c->tokens[i].pair;
            if (pair > b) b = pair, grew = 1;
            if (pair >= 0 && pair < a) a = pair, grew = 1;
        }
        if (a > 0 && code_is(c, a - 1, "[") && code_is(c, b + 1, "]")) a--, b++, grew = 1;
        if (a > 0 && code_is(c, a, "[") &&
            (c->tokens[a - 1].kind == TOKEN_NAME || code_is(c, a - 1, "]")))
            a = code_is(c, a - 1, "]") ? c->tokens[a - 1].pair : a - 1, grew = 1;
        if (code_is(c, b + 1, "[")) b = c->tokens[b + 1].pair, grew = 1;
        if (a == b && is_first_value(c, a)) a -= 2, grew = 1; /* i = 1 */
        if (a == b && code_named(c, ITEM_MACRO, a - 2) >= 0 && c->tokens[a - 1].pair == b + 1)
            a -= 2, b++; /* MAC(20) */
    }
    *first = a;
    *last = b;
}

/* One line, with one space for each run of white space; what is long is cut. */
static char *flat(const char *text, size_t len)
{
    enum { MOST = 120 };
    struct buf out = {0};
    for (size_t i = 0; i < len; i++)
        if (i + 1 < len && text[i] == '/' && text[i + 1] == '/')
            i += strcspn(text + i, "\n");
        else if (!strchr(" \n\t\r", text[i]))
            buf_add(&out, text + i, 1);
        else if (out.len && out.data[out.len - 1] != ' ')
            buf_add(&out, " ", 1);
    while (out.len && out.data[out.len - 1] == ' ') out.data[--out.len] = 0;
    char *end = out.len ? strchr(out.data, ';') : NULL; /* of several statements the first */
    if (end && end[1]) out.len = (size_t)(end - out.data), *end = 0, buf_add(&out, " ...", 4);
    if (out.len > MOST) out.len = MOST - 3, out.data[MOST - 3] = 0, buf_add(&out, "...", 3);
    return out.data ? out.data : xstrdup("");
}

/* ", and the same in lines 28 and 29,": where the edit's other lines are. */
static void say_lines(const struct code *c, const struct edit *e, struct buf *out)
{
    enum { MOST = 4 };
    int lines[MOST], count = 0;
    for (int i = in_line(c, e); i < e->count && count < MOST; i++) {
        int line = code_line(c, e->splices[i].at);
        if (!count || lines[count - 1] != line) lines[count++] = line;
    }
    const char *what = e->kind == EDIT_TERM_MOVED ? "that term" : "the same";
    if (count) buf_printf(out, ", and %s in line%s ", what, count > 1 ? "s" : "");
    for (int i = 0; i < count; i++)
        buf_printf(out, "%s%d", !i ? "" : i + 1 < count ? ", " : " and ", lines[i]);
    if (count) buf_printf(out, ",");
}

static void say_replaced(const struct code *c, const struct edit *e, struct buf *out)
{
    int first, last;
    struct buf after = {0};
    region(c, e, &first, &last);
    int open = first;
    while (e->kind == EDIT_LAUNCH && open > 0 && !code_is(c, open, "(")) open--;
    if (e->kind == EDIT_LAUNCH && open > 0 && c->tokens[open].pair >= last) /* COVERS(TILE, TILE) */
        first = open - 1, last = c->tokens[open].pair;
    size_t from = c->tokens[first].at, end = end_of(c, last);
    edit_apply(c->text, e, from, end, &after);
    char *was = flat(c->text + from, end - from),
         *now = flat(after.data ? after.data : "", after.len);
    buf_printf(out, "`%s` %s: with `%s`", was, reason(c, e), now);
    say_lines(c, e, out);
    free(was), free(now), buf_free(&after);
}

/* ---- statements ---- */

static const char *inserted(const struct edit *e)
{
    for (int i = 0; i < e->count; i++)
        if (*e->splices[i].text) return e->splices[i].text;
    return "";
}

/* "before line 13" or "after line 13": where the text of an edit is put in. */
static void say_where(const struct code *c, const struct edit *e, struct buf *out)
{
    const char *and = "";
    for (int i = 0; i < e->count; i++)
        if (*e->splices[i].text) {
            buf_printf(out, "%s%s line %d", and, *e->splices[i].text == ' ' ? "after" : "before",
                code_line(c, e->splices[i].at));
            and = " and ";
        }
}

/* The if that a barrier leaves; NULL: it stays where it is, or in it. */
static const struct statement *guard_of(const struct code *c, const struct edit *e)
{
    size_t to = 0;
    for (int i = 0; i < e->count; i++)
        if (*e->splices[i].text) to = e->splices[i].at;
    int one = e->kind == EDIT_BARRIER_MOVED && e->count == 2;
    for (int p = one ? code_statement(c, e->token) : -1; p >= 0; p = c->statements[p].parent) {
        const struct statement *s = &c->statements[p];
        int leaves = to <= c->tokens[s->first].at || to >= end_of(c, s->last);
        if (s->kind == STATEMENT_IF && leaves) return s;
    }
    return NULL;
}

/* Of a statement that belongs into the body of the one before it. */
static void say_into(const struct code *c, const struct edit *e, struct buf *out)
{
    int s = code_statement(c, e->token), before = -1;
    for (int i = 0; i < s; i++)
        if (c->statements[i].parent == c->statements[s].parent) before = i;
    const struct statement *x = &c->statements[before], *body = &c->statements[x->body];
    buf_printf(out, "`%.*s` is not a part of the `%.*s` of line %d: with it ",
        SPAN(c, c->statements[s].first, c->statements[s].last), WORD(c, x->first),
        c->tokens[x->first].line);
    if (body->kind == STATEMENT_BLOCK)
        buf_printf(out, "before the } of line %d", c->tokens[body->last].line);
    else
        buf_printf(out, "and line %d in { }", c->tokens[body->first].line);
}

static void say_barrier(const struct code *c, const struct edit *e, struct buf *out)
{
    const struct statement *guard = guard_of(c, e);
    if (e->kind == EDIT_BARRIER_EXTRA) {
        buf_printf(out, "this __syncthreads() is one too many: without it");
        return;
    }
    if (e->kind == EDIT_BARRIER_MISSING)
        buf_printf(out, "a __syncthreads() is missing: with one ");
    else if (!guard)
        buf_printf(out, "this __syncthreads() stands in the wrong place: ");
    else
        buf_printf(out,
            "only threads with `%.*s` come to the __syncthreads() of line %d, and all have "
            "to: with it ",
            SPAN(c, guard->cond[0], guard->cond[1]), c->tokens[e->token].line);
    say_where(c, e, out);
}

/* own: what is put in */
static void say_return(const struct code *c, const struct edit *e, const char *own, struct buf *out)
{
    if (e->kind == EDIT_RETURN)
        buf_printf(out,
            "threads that return here are missing later, where their block needs them: if none "
            "returns, and loads and stores ask for the opposite,");
    if (e->kind == EDIT_EACH)
        buf_printf(out,
            "a thread that returns here leaves out elements that are inside: if each store "
            "asks for its own index, as in `%s`,",
            own);
    if (e->kind != EDIT_LATER) return;
    buf_printf(
        out, "this is asked before it is known which element the thread takes: with `%s` ", own);
    say_where(c, e, out);
}

static void say_statement(const struct code *c, const struct edit *e, struct buf *out)
{
    const char *text = inserted(e);
    char *own = flat(text, strlen(text)),
         *was = flat(c->text + e->splices[0].at, e->splices[0].len);
    switch (e->kind) {
    case EDIT_BARRIER_MISSING:
    case EDIT_BARRIER_EXTRA:
    case EDIT_BARRIER_MOVED: say_barrier(c, e, out); break;
    case EDIT_RETURN:
    case EDIT_EACH:
    case EDIT_LATER: say_return(c, e, own, out); break;
    case EDIT_INTO: say_into(c, e, out); break;
    case EDIT_GUARD:
        buf_printf(out, "a test is missing: with `%s` before this statement", own);
        break;
    case EDIT_RESET:
        buf_printf(out, "a value of before is still there: with `%s` ", own);
        say_where(c, e, out);
        break;
    case EDIT_KEPT:
        buf_printf(
            out, "a new variable begins here in each pass: with one that is declared before");
        break;
    case EDIT_STAYS:
        buf_printf(out, "`%.*s` never changes in the loop: with `%s` ", WORD(c, e->token), own);
        say_where(c, e, out);
        break;
    case EDIT_MISSING:
        buf_printf(out, "a statement is missing: with `%s` ", own);
        say_where(c, e, out);
        break;
    case EDIT_EXCHANGED:
        buf_printf(out,
            "`%s` and `%s` of line %d stand in each other's place: with the two exchanged", was,
            own, code_line(c, e->splices[1].at));
        break;
    case EDIT_MOVED:
        buf_printf(out, "`%s` stands in the wrong place: ", own);
        say_where(c, e, out);
        break;
    default: buf_printf(out, "`%s` should not be there: without it", was);
    }
    free(own), free(was);
}

static int is_statement(enum edit_kind k)
{
    return k == EDIT_BARRIER_MISSING || k == EDIT_BARRIER_EXTRA || k == EDIT_BARRIER_MOVED ||
           k == EDIT_GUARD || k == EDIT_RETURN || k == EDIT_RESET || k == EDIT_KEPT ||
           k == EDIT_MOVED || k == EDIT_REMOVED || k == EDIT_MISSING || k == EDIT_INTO ||
           k == EDIT_EACH || k == EDIT_LATER || k == EDIT_EXCHANGED || k == EDIT_STAYS;
}

static void say_zero(const struct code *c, const struct edit *e, struct buf *out)
{
    for (int i = 0; i < e->count; i++) {
        char *own = flat(e->splices[i].text, strlen(e->splices[i].text));
        if (i)
            buf_printf(out, " and `%s` before line %d", own, code_line(c, e->splices[i].at));
        else
            buf_printf(out, "what nobody writes must be 0: with `%s` before this statement", own);
        free(own);
    }
}

/* Guesses are questions, such as ": is blockIdx missing in an index?"; but one about a barrier also
 * says which key of the stepper shows it. */
void repair_answer(struct trial *t, const char *cause)
{
    guesses_drop(&t->why);
    t->proven = 1;
    buf_printf(&t->cause, "; the cause: %s", cause);
}

/* A function that does something else than is needed. */
static void say_body(const struct code *c, const struct edit *e, struct buf *out)
{
    int f = code_function(c, e->token);
    buf_printf(out, "the mistake lies in `%.*s`: with the solution's in its place",
        WORD(c, c->items[f].name));
}

void repair_say(const struct repair_case *c, const struct code *code, const struct edit *e,
    const char *end, struct buf *out)
{
    const struct splice *s = &e->splices[0];
    int line =
        e->count && !is_statement(e->kind) ? code_line(code, s->at) : code->tokens[e->token].line;
    if (guard_of(code, e)) line = code->tokens[guard_of(code, e)->first].line;
    buf_printf(out, "%s:%d: ", c->compiled->file, line);
    if (c->named) named_add(c->named, line);
    if (is_statement(e->kind))
        say_statement(code, e, out);
    else if (e->kind == EDIT_BODY)
        say_body(code, e, out);
    else if (e->kind == EDIT_UNSET && strchr(s->text, ';'))
        buf_printf(out, "`%.*s` begins with whatever was there before: with `%.*s = 0`",
            WORD(code, e->token), WORD(code, e->token));
    else if (e->kind == EDIT_ZERO && !s->len && strchr(s->text, ';'))
        say_zero(code, e, out);
    else
        say_replaced(code, e, out);
    buf_printf(out, "%s", end);
}
