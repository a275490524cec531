/* repair_reference.c - edits that change an expression to the solution's, in the learner's names.
 *
 *     own       s[ty][tx] = a[r * k + ty];            align.h pairs their expressions
 *     solution  a_tile[y][x] = a[row * k + t + x];    ──> `ty`: `t + tx`
 *
 * A learner's kernel that follows the skeleton differs from the solution in few places that
 * matter. All differences of one statement together are also one edit, and so is a statement or
 * a test that the learner's file lacks. */
#include "explain/align.h"
#include "explain/repair.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 12 };
static const double ONE_WORD = 0.85, RUN = 0.95, WHOLE = 1.0, MISSING = 1.1,
                    ALL_OF_IT = 2; /* replaces an expression that has no token in common */

static const struct mutation AS_SOLVED = {0, NULL, NULL, NULL},
                             STEP = {0, NULL, NULL, "is the wrong step"},
                             SHAPE = {0, NULL, NULL, "does not fit what the kernel does"},
                             ABSENT = {0, NULL, NULL,
                                 "!a statement is missing, which begins with %c: with `%i` %w"},
                             GUARD = {0, NULL, NULL,
                                 "!nothing guards this statement: with `%i` before it"};

/* The message for an edit of an expression, or of a run of its tokens. It is used if no row of
 * mutations.def makes the same change. */
static const struct mutation *kind_of(const struct piece *own)
{
    return own->kind == PIECE_STEP ? &STEP : own->kind == PIECE_LAUNCH ? &SHAPE : &AS_SOLVED;
}

/* Add splices that replace the learner's tokens of a run by the solution's. -1: the solution's
 * tokens cannot be written in the learner's names. */
static int put_run(struct edits *l, const struct align *a, const struct piece *own, struct edit *e,
    const struct run *r)
{
    const struct code *c = l->code;
    char *text = align_text(a, r->from, r->to);
    if (!text) return -1;
    const struct code *o = a->other.code;
    int inside = r->first > own->first; /* does a token of the expression precede the run? */
    size_t at = r->first <= own->last ? start_of(c, r->first) : end_of(c, own->last), len = 0;
    if (r->last >= r->first)
        len = end_of(c, r->last) - at;
    else if (inside)
        at = end_of(c, r->first - 1);
    int opens = *text && strchr("[(", text[strlen(text) - 1]);
    if (opens || (!*text && strchr("[(", c->text[at - 1]))) len += strspn(c->text + at + len, " ");
    int before = *text && isspace((unsigned char)o->text[start_of(o, r->from) - 1]) &&
                 !strchr(" ([\n", c->text[at - 1]);
    int behind = *text && isspace((unsigned char)o->text[end_of(o, r->to)]) &&
                 !strchr(" )];,\n", c->text[at + len]);
    edit_put(e, at, len, xasprintf("%s%s%s", before ? " " : "", text, behind ? " " : ""));
    free(text);
    return 0;
}

/* Do the brackets in tokens first to last match? */
static int is_whole(const struct code *c, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (c->tokens[i].pair >= 0 && (c->tokens[i].pair < first || c->tokens[i].pair > last))
            return 0;
    return 1;
}

/* If the learner's run is a single variable, add an edit of its initializer to `text` instead.
 * Returns 0 if the run is anything else. */
static int edit_definition(struct edits *l, const struct run *r, const char *text)
{
    const struct code *c = l->code;
    int symbol = r->first == r->last ? code_symbol(c, r->first) : -1;
    const struct symbol *s = symbol < 0 ? NULL : &c->symbols[symbol];
    if (!s || (s->kind != SYMBOL_INT && s->kind != SYMBOL_FLOAT) || s->parameter ||
        s->init[0] < 0 || s->statement < 0 || code_loop_variable(c, r->first))
        return 0;
    char *was = code_text(c, s->init[0], s->init[1]);
    if (strcmp(was, text))
        edits_replace(l, &AS_SOLVED, ONE_WORD, s->init[0], s->init[1], "%s", text);
    free(was);
    return 1;
}

/* Add an edit that puts the solution's tokens in the place of the learner's, for one run of
 * different tokens in an expression. If the learner's have an unmatched bracket, the solution's are
 * inserted before them. */
static void edit_run(
    struct edits *l, const struct align *a, const struct piece *own, const struct run *r)
{
    if (!is_whole(a->other.code, r->from, r->to)) return;
    struct run inserted = *r;
    if (!is_whole(l->code, r->first, r->last)) inserted.last = r->first - 1, r = &inserted;
    char *text = align_text(a, r->from, r->to), *was = code_text(l->code, r->first, r->last);
    double cost = r->first == r->last && r->from == r->to ? ONE_WORD : RUN;
    if (r->first == own->first && r->last == own->last) cost = ALL_OF_IT;
    /* an edit of both sizes in [TILE + 1][TILE] is likelier than an edit of one size */
    if (own->kind == PIECE_SIZE) cost = MISSING;
    if (text && strcmp(text, was)) {
        int token = r->first <= own->last ? r->first : own->last;
        int words = r->from < r->to && edit_definition(l, r, text);
        put_run(l, a, own, edits_begin(l, kind_of(own), cost + words, token), r);
    }
    free(text), free(was);
}

/* Add an edit for each run of an expression, and one edit for all its runs. */
static void edit_piece(struct edits *l, const struct align *a, const struct piece *own)
{
    struct run runs[RUNS];
    int count = align_runs(a, own, runs, RUNS);
    for (int i = 0; i < count; i++) edit_run(l, a, own, &runs[i]);
    /* the expression that contains this index already has the same edit */
    if (own->kind == PIECE_SUBSCRIPT) return;
    int all = count == 1 && runs[0].first == own->first && runs[0].last == own->last;
    struct edit *e = edits_begin(l, kind_of(own), all ? ALL_OF_IT : WHOLE, own->first);
    e->solves = 1;
    for (int i = 0; i < count; i++)
        if (put_run(l, a, own, e, &runs[i])) edit_drop(e);
    if (count == RUNS || !count) edit_drop(e);
}

/* For an expression without a pair, add one edit that changes all of its indices that have a
 * pair. */
static void edit_subscripts(struct edits *l, const struct align *a, const struct piece *own)
{
    struct run runs[RUNS];
    struct edit *e = NULL;
    for (size_t k = 0; k < a->own.piece_count; k++) {
        const struct piece *x = &a->own.pieces[k];
        int within = x->first >= own->first && x->last <= own->last;
        if (x->kind != PIECE_SUBSCRIPT || x->pair < 0 || !within) continue;
        int count = align_runs(a, x, runs, RUNS);
        if (!e && count) e = edits_begin(l, &AS_SOLVED, WHOLE, own->first), e->solves = 1;
        for (int i = 0; i < count; i++)
            if (put_run(l, a, x, e, &runs[i])) edit_drop(e);
    }
}

/* ---- statements and tests that are missing ---- */

/* The learner's statement whose expression is paired with one of the solution's; -1: none. */
static int own_statement(const struct align *a, int other)
{
    int pair = other < 0 ? -1 : a->other.pieces[other].pair;
    return pair < 0 ? -1 : a->own.pieces[pair].statement;
}

/* The index of the expression that is the condition of a solution's statement; -1: there is
 * none. */
static int condition_of(const struct align *a, int statement)
{
    for (size_t k = 0; k < a->other.piece_count; k++) {
        const struct piece *x = &a->other.pieces[k];
        if (x->kind == PIECE_CONDITION && x->statement == statement) return (int)k;
    }
    return -1;
}

/* The if directly around a statement of the solution, if its test is missing in the learner's
 * file; else -1. */
static int missing_test(const struct align *a, int statement)
{
    const struct code *o = a->other.code;
    int up = o->statements[statement].parent;
    if (up >= 0 && o->statements[up].kind == STATEMENT_BLOCK) up = o->statements[up].parent;
    if (up < 0 || o->statements[up].kind != STATEMENT_IF || o->statements[up].other >= 0) return -1;
    int test = condition_of(a, up);
    return test >= 0 && a->other.pieces[test].pair < 0 ? up : -1;
}

/* The statement that contains a statement, skipping the block directly around it. Statements with
 * the same result stand at the same nesting level. */
static int level_of(const struct code *c, int statement)
{
    int up = c->statements[statement].parent;
    return up >= 0 && c->statements[up].kind == STATEMENT_BLOCK ? c->statements[up].parent : up;
}

/* Add an edit that inserts a statement of the solution next to the learner's equivalent of its
 * neighbour in the solution, at the same nesting level. The list takes ownership of text. */
static void put_statement(struct edits *l, const struct align *a, int statement, char *text)
{
    const struct code *c = l->code, *o = a->other.code;
    for (int back = 1; back >= 0; back--) {
        int near = -1;
        for (int k = 0; k < (int)a->other.piece_count; k++) {
            int s = a->other.pieces[k].statement;
            if (s < 0 || own_statement(a, k) < 0 || level_of(o, s) != level_of(o, statement))
                continue;
            if (back ? s < statement : s > statement && near < 0) near = own_statement(a, k);
        }
        if (near < 0) continue;
        const struct statement *x = &c->statements[near];
        struct edit *e = edits_begin(l, &ABSENT, MISSING, x->first);
        if (back)
            edit_after(l, e, x->last, " %s", text);
        else
            edit_before(l, e, x->lead, "%s ", text);
        e->solves = back;
    }
    free(text);
}

/* Add an edit that inserts a statement missing in the learner's file, with the test that guards it
 * in the solution. */
static void missing_statement(struct edits *l, const struct align *a, const struct piece *piece)
{
    const struct code *o = a->other.code;
    const struct statement *s = &o->statements[piece->statement];
    int test = missing_test(a, piece->statement);
    int first = test < 0 ? s->first : o->statements[test].first;
    char *text = align_text(a, first, test < 0 ? s->last : o->statements[test].last);
    if (text) put_statement(l, a, test < 0 ? piece->statement : test, text);
}

/* Add an edit that inserts a test missing in the learner's file, before the statements that it
 * guards. */
static void missing_guard(struct edits *l, const struct align *a, const struct piece *piece)
{
    const struct code *c = l->code, *o = a->other.code;
    const struct statement *s = &o->statements[piece->statement];
    if (s->kind != STATEMENT_IF || s->other >= 0) return;
    char *text = align_text(a, piece->first, piece->last);
    const struct statement *body = &o->statements[s->body];
    if (text && body->kind == STATEMENT_RETURN) {
        char *whole = align_text(a, s->first, s->last);
        if (whole) put_statement(l, a, piece->statement, whole);
    } else if (text) {
        struct edit *e = NULL;
        for (int k = 0, last = -1; k < (int)a->other.piece_count; k++) {
            int at = a->other.pieces[k].statement, own = own_statement(a, k);
            if (at < s->body || level_of(o, at) != piece->statement || own < 0 || own == last)
                continue;
            last = own;
            if (!e) e = edits_begin(l, &GUARD, MISSING, c->statements[own].first);
            edit_before(l, e, c->statements[own].first, "if (%s) ", text);
            e->solves = 1;
        }
    }
    free(text);
}

/* ---- other edits ---- */

void repair_prefer(struct edits *l, const struct align *a)
{
    static const double EQUAL = 0.5, DIFFERS = -0.2;
    char *marks = xcalloc((size_t)l->code->count + 1, 1);
    for (size_t i = 0; i < a->own.piece_count; i++) {
        const struct piece *x = &a->own.pieces[i];
        int mark = x->kind == PIECE_SUBSCRIPT || x->pair < 0 ? 0 : align_equal(a, x) ? 1 : 2;
        if (mark) memset(marks + x->first, mark, (size_t)(x->last - x->first + 1));
    }
    for (size_t i = 0; i < l->count; i++) {
        struct edit *e = &l->list[i];
        int within = e->count == 1 && e->token >= 0 && e->splices[0].len && *e->splices[0].text;
        if (within && marks[e->token]) e->cost += marks[e->token] == 1 ? EQUAL : DIFFERS;
    }
    free(marks);
}

void repair_reference(struct edits *l, const struct align *a)
{
    for (size_t i = 0; i < a->own.piece_count; i++)
        (a->own.pieces[i].pair >= 0 ? edit_piece : edit_subscripts)(l, a, &a->own.pieces[i]);
    for (size_t k = 0; k < a->other.piece_count; k++) {
        const struct piece *y = &a->other.pieces[k];
        if (y->pair >= 0) continue;
        if (y->kind == PIECE_STATEMENT) missing_statement(l, a, y);
        if (y->kind == PIECE_CONDITION) missing_guard(l, a, y);
    }
}
