/* repair_say.c - the place of the edit that was found, and what is said of it.
 *
 *     13: `i <= k` lets one too many in: with `i < k`
 *     │   │        │                     │
 *     │   │        mutation.says         edit: the same text after the edit
 *     │   what: the text before the edit, from operator to operator
 *     line, column, width
 *
 * Edits that insert, remove or move statements have sentences of their own. */
#include "explain/repair.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- replaced text ---- */

static int is_boundary(const struct code *c, int i)
{
    static const char *const marks[] = {",", ";", "(", ")", "[", "]", "{", "}", "&&", "||", "?",
        ":", "=", "+=", "-=", "*=", "return", NULL};
    for (int k = 0; marks[k]; k++)
        if (code_is(c, i, marks[k])) return 1;
    return c->tokens[i].kind == TOKEN_DIRECTIVE;
}

/* The next token to the left in the same expression. A pair of brackets counts as one token, with
 * what is between them. -1: there is none. */
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
    /* a directive such as #pragma unroll 4 is one token */
    int apart = c->tokens[i].kind == TOKEN_DIRECTIVE;
    if (next >= c->count || apart || c->tokens[next].define != c->tokens[i].define) return -1;
    if (code_is(c, next, "(") || code_is(c, next, "[")) return c->tokens[next].pair;
    return is_boundary(c, next) ? -1 : next;
}

/* How many splices, counted from the first, lie in the line of the first splice. */
static int in_line(const struct code *c, const struct edit *e)
{
    int n = 1;
    while (n < e->count &&
           !memchr(c->text + e->splices[0].at, '\n', e->splices[n].at - e->splices[0].at))
        n++;
    return n;
}

/* Is token i a number that is the whole initializer of a variable? */
static int is_first_value(const struct code *c, int i)
{
    for (int k = 0; k < c->symbol_count && c->tokens[i].kind == TOKEN_NUMBER; k++) {
        const struct symbol *s = &c->symbols[k];
        if (s->init[0] == i && s->init[1] == i && s->name == i - 2) return 1;
    }
    return 0;
}

/* Tokens *first to *last around all splices in the line of the first splice, extended on both sides
 * up to the nearest operator that binds less. A subscript is extended by its array's name. */
static void region(const struct code *c, const struct edit *e, int *first, int *last)
{
    const struct splice *from = &e->splices[0], *to = &e->splices[in_line(c, e) - 1];
    /* 1: the first splice inserts text after a token */
    int a = 0, b, behind = !from->len && *from->text == ' ';
    while (a + 1 < c->count && end_of(c, a) <= from->at && !(behind && end_of(c, a) == from->at) &&
           !(from->len == 0 && c->tokens[a + 1].at > from->at))
        a++;
    for (b = a; b + 1 < c->count && c->tokens[b + 1].at < to->at + to->len;) b++;
    for (int to = a; to >= 0; to = left_of(c, a)) a = to;
    for (int to = b; to >= 0; to = right_of(c, b)) b = to;
    for (int grew = 1; grew;) { /* include both brackets of a pair */
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
        /* for a changed initializer such as 1, show i = 1 */
        if (a == b && is_first_value(c, a)) a -= 2, grew = 1;
        if (a == b && code_named(c, ITEM_MACRO, a - 2) >= 0 && c->tokens[a - 1].pair == b + 1)
            a -= 2, b++; /* for a changed argument such as 20, show MAC(20) */
    }
    *first = a;
    *last = b;
}

/* The text on one line without comments, with one blank for each run of white space; a long text is
 * cut. The caller frees it. */
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
    /* of several statements, show only the first */
    char *end = out.len ? strchr(out.data, ';') : NULL;
    if (end && end[1]) out.len = (size_t)(end - out.data), *end = 0, buf_add(&out, " ...", 4);
    if (out.len > MOST) out.len = MOST - 3, out.data[MOST - 3] = 0, buf_add(&out, "...", 3);
    return out.data ? out.data : xstrdup("");
}

/* Append ", and the same in lines 28 and 29,": the other lines that the edit changes. */
static void say_lines(const struct code *c, const struct edit *e, struct buf *out)
{
    enum { MOST = 4 };
    int lines[MOST], count = 0;
    for (int i = in_line(c, e); i < e->count && count < MOST; i++) {
        int line = code_line(c, e->splices[i].at);
        if (!count || lines[count - 1] != line) lines[count++] = line;
    }
    if (count) buf_printf(out, ", and the same in line%s ", count > 1 ? "s" : "");
    for (int i = 0; i < count; i++)
        buf_printf(out, "%s%d", !i ? "" : i + 1 < count ? ", " : " and ", lines[i]);
    if (count) buf_printf(out, ",");
}

/* Set line, column and width to the text from `at` to `end` - 1, as far as it lies in one line. */
static void set_place(const struct code *c, size_t at, size_t end, struct cause_place *p)
{
    size_t begin = at;
    while (begin > 0 && c->text[begin - 1] != '\n') begin--;
    size_t width = strcspn(c->text + at, "\n");
    p->line = code_line(c, at);
    p->column = (int)(at - begin) + 1;
    p->width = (int)(end - at < width ? end - at : width);
}

/* The kind of text that tokens first to last are; an edit replaces them. */
static enum cause_kind kind_of_text(const struct code *c, int first, int last)
{
    int statement = code_statement(c, first), item = code_item(c, first);
    const struct statement *s = statement < 0 ? NULL : &c->statements[statement];
    if (item >= 0 && c->items[item].kind == ITEM_LAUNCH) return CAUSE_LAUNCH;
    if (c->tokens[first].define >= 0) return CAUSE_CONSTANT;
    for (int i = 0; i < c->symbol_count; i++) {
        const struct symbol *x = &c->symbols[i];
        if (x->name == first && x->kind == SYMBOL_ARRAY) return CAUSE_SIZE;
        if (x->init[0] >= 0 && first >= x->name && last <= x->init[1])
            return x->statement < 0 ? CAUSE_CONSTANT : CAUSE_INITIAL;
    }
    if (!s) return CAUSE_EXPRESSION;
    if (s->cond[0] >= 0 && first >= s->cond[0] && last <= s->cond[1]) return CAUSE_CONDITION;
    if (s->step[0] >= 0 && first >= s->step[0] && last <= s->step[1]) return CAUSE_STEP;
    if (code_is(c, first + 1, "[") && code_is(c, last, "]")) return CAUSE_INDEX;
    return last == first && code_is(c, first, "__syncthreads") ? CAUSE_BARRIER : CAUSE_EXPRESSION;
}

/* The texts before and after an edit, as tokens without blanks. */
enum { WORDS = 80 };
struct words {
    const char *at[WORDS];
    size_t len[WORDS];
    int count; /* number of tokens; WORDS: there may be more */
};

static void words_of(const char *text, struct words *w)
{
    w->count = 0;
    for (const char *at = text; *at && w->count < WORDS; at += code_length(at)) {
        if (*at == ' ') continue;
        w->at[w->count] = at, w->len[w->count++] = code_length(at);
    }
}

static int same_word(const struct words *a, int i, const struct words *b, int k)
{
    return a->len[i] == b->len[k] && !memcmp(a->at[i], b->at[k], a->len[i]);
}

static int is_name(const struct words *w, int i)
{
    return isalnum((unsigned char)*w->at[i]) || *w->at[i] == '_';
}

/* Is the word an operator that joins two operands? */
static int joins(const struct words *w, int i)
{
    return (w->len[i] == 1 && strchr("+-*/%^&|", *w->at[i])) || !strncmp(w->at[i], "&&", 2) ||
           !strncmp(w->at[i], "||", 2);
}

/* Do the texts have the same words, in different orders? */
static int is_reordered(const struct words *was, const struct words *now)
{
    int taken[WORDS] = {0}, same = 0;
    for (int i = 0; i < was->count && was->count == now->count; i++)
        for (int k = 0; k < now->count; k++)
            if (!taken[k] && same_word(was, i, now, k)) {
                taken[k] = 1, same++;
                break;
            }
    return same > 1 && same == was->count;
}

/* Do the words end with a name, a number or a closing bracket, and do their brackets match? */
static int is_operand(const struct words *w, int first, int count)
{
    int last = first + count - 1, open = 0;
    for (int i = first; i <= last && open >= 0; i++)
        open += (*w->at[i] == '(' || *w->at[i] == '[') - (*w->at[i] == ')' || *w->at[i] == ']');
    return !open && (is_name(w, last) || *w->at[last] == ')' || *w->at[last] == ']');
}

/* Append words first to last in backquotes. */
static void put_words(const struct words *w, int first, int last, struct buf *out)
{
    buf_printf(out, "`%.*s`", (int)(w->at[last] + w->len[last] - w->at[first]), w->at[first]);
}

/* If the texts differ in a single run of a few words: append which words of it are left out, too
 * many, or stand in place of others. Returns whether that is so. */
static int put_run(const struct words *was, const struct words *now, struct buf *out)
{
    enum { FEW = 10 };
    int before = 0, after = 0, less = was->count < now->count ? was->count : now->count;
    while (before < less && same_word(was, before, now, before)) before++;
    while (after < less - before &&
           same_word(was, was->count - 1 - after, now, now->count - 1 - after))
        after++;
    int own = was->count - before - after, right = now->count - before - after;
    if (own + right > FEW || before + after < 1) return 0;
    if (!own || !right) {
        const struct words *w = own ? was : now;
        int first = before, last = before + own + right - 1;
        /* the words that "i < n && i >= n" adds to "i >= n" are "i < n &&" rather than "< n && i" */
        while (first > 0 && !joins(w, first) && !joins(w, last) && same_word(w, first - 1, w, last))
            first--, last--;
        if (!joins(w, first) && !joins(w, last)) return 0;
        buf_printf(out, own ? "has " : "leaves out ");
        put_words(w, first, last, out);
        buf_printf(out, own ? " too many" : "");
        return 1;
    }
    if (!is_operand(was, before, own) || !is_operand(now, before, right)) return 0;
    buf_printf(out, "has ");
    put_words(was, before, before + own - 1, out);
    buf_printf(out, " in place of ");
    put_words(now, before, before + right - 1, out);
    return 1;
}

/* Does the text before the edit divide rounding down, and the text after it rounding up, as (n +
 * 31) / 32 does? */
static int rounds_down(const struct words *was, const struct words *now)
{
    int divides = 0, up = 0;
    for (int i = 0; i < was->count; i++) divides += *was->at[i] == '/' && was->len[i] == 1;
    for (int i = 3; i < now->count; i++)
        up +=
            *now->at[i] == '/' && *now->at[i - 1] == ')' && isdigit((unsigned char)*now->at[i - 2]);
    return divides == 1 && up == 1 && now->count > was->count;
}

/* Append how a wrong text differs from the right one if the difference is a few words or their
 * order. Otherwise the text is only called wrong, since the learner has to restructure it. */
static void say_difference(const char *was, const char *now, int test, struct buf *out)
{
    const char *wrong = test ? "is not the test that is needed" : "is not what is needed here";
    struct words a, b;
    words_of(was, &a), words_of(now, &b);
    if (a.count == WORDS || b.count == WORDS)
        buf_printf(out, "%s", wrong);
    else if (a.count == 1 && b.count == 1 && is_name(&a, 0))
        buf_printf(out,
            isdigit((unsigned char)*was) ? "has the wrong number" : "names the wrong variable");
    else if (rounds_down(&a, &b))
        buf_printf(out, "rounds down, so what remains at the end is left out");
    else if (is_reordered(&a, &b))
        buf_printf(out, "has all that is needed, in the wrong order");
    else if (!put_run(&a, &b, out))
        buf_printf(out, "%s", wrong);
}

/* Set the place of an edit that replaces text, and append what is wrong with the text, and what
 * takes its place. */
static void say_replaced(const struct code *c, const struct edit *e, struct cause_place *p,
    struct buf *what, struct buf *edit)
{
    int first, last;
    struct buf after = {0};
    region(c, e, &first, &last);
    int open = first, item = code_item(c, first);
    int launch = item >= 0 && c->items[item].kind == ITEM_LAUNCH;
    while (launch && open > 0 && !code_is(c, open, "(")) open--;
    if (open < first && c->tokens[open].pair >= last) /* show all of COVERS(TILE, TILE) */
        first = open - 1, last = c->tokens[open].pair;
    size_t from = c->tokens[first].at, end = end_of(c, last);
    edit_apply(c->text, e, from, end, &after);
    char *was = flat(c->text + from, end - from),
         *now = flat(after.data ? after.data : "", after.len);
    /* the line of the first change, though the expression may begin above it */
    size_t line = e->splices[0].at;
    while (line > from && c->text[line - 1] != '\n') line--;
    set_place(c, line, end, p);
    p->kind = kind_of_text(c, first, last);
    buf_printf(what, "`%s` ", was);
    if (e->is->says)
        buf_printf(what, "%s", e->is->says);
    else
        say_difference(was, now, p->kind == CAUSE_CONDITION, what);
    buf_printf(edit, "with `%s`", now);
    say_lines(c, e, edit);
    free(was), free(now), buf_free(&after);
}

/* ---- inserted, removed and moved statements ---- */

static const char *inserted(const struct edit *e)
{
    for (int i = 0; i < e->count; i++)
        if (*e->splices[i].text) return e->splices[i].text;
    return "";
}

/* The token beside which a text is missing. If the edit inserts the text after a statement, that is
 * the last token of the statement; else the edit's own token. */
static int beside_gap(const struct code *c, const struct edit *e)
{
    int token = e->token;
    if (*inserted(e) != ' ') return token;
    while (token + 1 < c->count && start_of(c, token + 1) < e->splices[0].at) token++;
    return token;
}

/* The first token that the edit removes; if it removes none, the edit's own token. */
static int removed(const struct code *c, const struct edit *e)
{
    for (int i = 0; i < e->count; i++)
        for (int k = 0; k < c->count && e->splices[i].len && !*e->splices[i].text; k++)
            if (start_of(c, k) >= e->splices[i].at) return k;
    return e->token;
}

/* Append "before line 13" or "after line 13", where the edit inserts text. what: 1 to name the
 * inserted text first, as in "`TEXT` before line 13". */
static void say_where(const struct code *c, const struct edit *e, int what, struct buf *out)
{
    const char *and = "";
    for (int i = 0; i < e->count; i++) {
        const char *text = e->splices[i].text;
        if (!*text) continue;
        char *own = flat(text, strlen(text));
        buf_printf(out, "%s", and);
        if (what) buf_printf(out, "`%s` ", own + (*own == ' '));
        buf_printf(
            out, "%s line %d", *text == ' ' ? "after" : "before", code_line(c, e->splices[i].at));
        and = " and ";
        free(own);
    }
}

/* If the edit moves a barrier out of an if, returns that if; else NULL. */
static const struct statement *guard_of(const struct code *c, const struct edit *e)
{
    size_t to = 0;
    for (int i = 0; i < e->count; i++)
        if (*e->splices[i].text) to = e->splices[i].at;
    int moved = edit_is_barrier(e) && e->count == 2 && !edit_adds(e);
    int p = moved ? code_statement(c, removed(c, e)) : -1;
    for (; p >= 0; p = c->statements[p].parent) {
        const struct statement *s = &c->statements[p];
        int leaves = to <= c->tokens[s->first].at || to >= end_of(c, s->last);
        if (s->kind == STATEMENT_IF && leaves) return s;
    }
    return NULL;
}

/* Append a part of the sentence of the edit's row of mutations.def, with %i, %c, %o, %w, %n and
 * %b replaced. */
static void say_sentence(
    const struct code *c, const struct edit *e, const char *from, const char *end, struct buf *out)
{
    const char *text = inserted(e);
    char *own = flat(text, strlen(text)),
         *was = flat(c->text + e->splices[0].at, e->splices[0].len);
    int name = e->token; /* the edit's token or, as in float sum;, the last name before it */
    while (name > 0 && c->tokens[name].kind != TOKEN_NAME) name--;
    for (const char *at = from; at < end; at++) {
        if (*at != '%') {
            buf_add(out, at, 1);
            continue;
        }
        switch (*++at) {
        case 'i': buf_printf(out, "%s", own + (*own == ' ')); break;
        case 'c':
            buf_printf(out, "`%.*s`", (int)code_length(own + (*own == ' ')), own + (*own == ' '));
            break;
        case 'o': buf_printf(out, "%s", was); break;
        case 'w': say_where(c, e, 0, out); break;
        case 'b': say_where(c, e, 1, out); break;
        default: buf_printf(out, "%.*s", WORD(c, name));
        }
    }
    free(own), free(was);
}

void repair_say(const struct code *code, const struct edit *e, struct cause *out)
{
    const struct statement *guard = guard_of(code, e);
    struct buf what = {0}, edit = {0};
    if (out->count == CAUSE_PLACES) return;
    struct cause_place *p = &out->places[out->count++];
    if (guard) {
        set_place(code, start_of(code, guard->cond[0]), end_of(code, guard->cond[1]), p);
        p->kind = CAUSE_BARRIER;
        buf_printf(&what,
            "only threads with `%.*s` come to the __syncthreads() of line %d, and all have to",
            SPAN(code, guard->cond[0], guard->cond[1]), code->tokens[removed(code, e)].line);
        buf_printf(&edit, "with it ");
        say_where(code, e, 0, &edit);
    } else if (e->is->says && *e->is->says == '!') {
        const char *says = e->is->says + 1, *end = says + strlen(says), *colon = strstr(says, ": ");
        /* one caret where something is missing */
        int missing = edit_adds(e) || edit_is_guard(e);
        int first = missing ? beside_gap(code, e) : removed(code, e);
        int s = code_statement(code, first), last = s < 0 ? first : code->statements[s].last;
        if (missing || (s >= 0 && code->statements[s].body >= 0)) last = first;
        set_place(code, start_of(code, first), end_of(code, last), p);
        p->kind = edit_is_barrier(e)                 ? CAUSE_BARRIER
                  : edit_adds(e) || edit_is_guard(e) ? CAUSE_MISSING
                  : s < 0                            ? CAUSE_FUNCTION
                                                     : CAUSE_STATEMENT;
        say_sentence(code, e, says, colon ? colon : end, &what);
        if (colon) say_sentence(code, e, colon + 2, end, &edit);
    } else {
        say_replaced(code, e, p, &what, &edit);
    }
    p->what = what.data ? what.data : xstrdup("");
    p->edit = edit.data ? edit.data : xstrdup("");
}
