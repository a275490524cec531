/* repair_edit.c - edits, which are lists of splices of the source, and lists of edits.
 *
 *     for (int i = 0; i <= k; i++)     splice: 2 bytes at <=, "<"
 *     for (int i = 0; i < k; i++)      what edit_apply writes
 *
 * Splices of an edit are in the order of the text and do not overlap. An edit with more than
 * SPLICES of them, or with two that overlap, has count -1 and is never tried. */
#include "explain/repair.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct edit *edits_begin(struct edits *l, const struct mutation *is, double cost, int token)
{
    struct edit *e = VEC_PUSH(l->list, l->count, l->cap);
    e->is = is;
    e->cost = cost;
    e->token = token;
    e->made = l->count;
    return e;
}

void edit_free(struct edit *e)
{
    for (int k = 0; k < e->count; k++) free(e->splices[k].text);
    e->count = 0;
}

void edit_drop(struct edit *e)
{
    edit_free(e);
    e->count = -1;
}

void edit_put(struct edit *e, size_t at, size_t len, char *text)
{
    int i = e->count;
    if (i >= SPLICES) edit_drop(e);
    if (e->count < 0) {
        free(text);
        return;
    }
    for (int k = 0; k < e->count; k++)
        if (len && e->splices[k].at == at && e->splices[k].len == len &&
            !strcmp(e->splices[k].text, text)) {
            free(text); /* the edit has the same splice already */
            return;
        }
    for (; i > 0 && e->splices[i - 1].at > at; i--) e->splices[i] = e->splices[i - 1];
    e->splices[i] = (struct splice){at, len, text};
    e->count++;
    if ((i > 0 && e->splices[i - 1].at + e->splices[i - 1].len > at) ||
        (i + 1 < e->count && at + len > e->splices[i + 1].at))
        edit_drop(e);
}

int edit_adds(const struct edit *e)
{
    for (int i = 0; i < e->count; i++) {
        size_t n = strlen(e->splices[i].text);
        while (n && e->splices[i].text[n - 1] == ' ') n--;
        if (e->splices[i].len || !n || !strchr(";}", e->splices[i].text[n - 1])) return 0;
    }
    return e->count > 0;
}

int edit_is_guard(const struct edit *e)
{
    return e->count > 0 && !e->splices[0].len && !strncmp(e->splices[0].text, "if (", 4) &&
           !edit_adds(e);
}

int edit_is_barrier(const struct edit *e)
{
    for (int i = 0; i < e->count; i++)
        if (strstr(e->splices[i].text, "__syncthreads();")) return 1;
    return 0;
}

static int by_cost(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return x->token != y->token ? x->token - y->token : x->made < y->made ? -1 : 1;
}

static int same(const struct edit *a, const struct edit *b)
{
    if (a->count != b->count) return 0;
    for (int i = 0; i < a->count; i++)
        if (a->splices[i].at != b->splices[i].at || a->splices[i].len != b->splices[i].len ||
            strcmp(a->splices[i].text, b->splices[i].text))
            return 0;
    return 1;
}

static uint64_t hash_of(const struct edit *e)
{
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < e->count; i++) {
        hash = (hash ^ e->splices[i].at) * 1099511628211u;
        hash = (hash ^ e->splices[i].len) * 1099511628211u;
        for (const char *at = e->splices[i].text; *at; at++)
            hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    }
    return hash;
}

/* ---- edits that no compiler takes ---- */

/* Does the text contain this token of the source as a word? */
static int has_word(const struct code *c, const char *text, int token)
{
    for (size_t n; *text; text += n) {
        n = *text == ' ' ? 1 : code_length(text);
        if (c->tokens[token].len == n && !memcmp(text, c->text + start_of(c, token), n)) return 1;
    }
    return 0;
}

static int is_replaced(const struct code *c, const struct edit *e, int token)
{
    size_t at = start_of(c, token);
    for (int i = 0; i < e->count; i++)
        if (at >= e->splices[i].at && at < e->splices[i].at + e->splices[i].len) return 1;
    return 0;
}

/* Does the edit remove the declaration of a name that is still used afterwards, without another
 * declaration before the use? */
static int removes_declaration(const struct code *c, const struct edit *e)
{
    for (int k = 0; k < c->symbol_count; k++) {
        const struct symbol *s = &c->symbols[k];
        if (s->statement < 0 || !is_replaced(c, e, s->name)) continue;
        size_t again = SIZE_MAX;
        for (int i = e->count - 1; i >= 0; i--)
            if (has_word(c, e->splices[i].text, s->name)) again = e->splices[i].at;
        for (int i = s->name + 1; i <= s->to; i++)
            if (code_same(c, i, s->name) && code_symbol(c, i) == k && !is_replaced(c, e, i) &&
                start_of(c, i) < again)
                return 1;
    }
    return 0;
}

/* Would the compiler refuse the edit because of an unmatched bracket or an undeclared name? Each
 * refused edit costs another run of the compiler. */
static int is_refused(const struct code *c, const struct edit *e)
{
    long open = 0;
    int removes = 0;
    for (int i = 0; i < e->count; i++) {
        const struct splice *s = &e->splices[i];
        open += code_open(s->text, strlen(s->text)) - code_open(c->text + s->at, s->len);
        removes |= s->len > 0;
    }
    return open || (removes && removes_declaration(c, e));
}

void edits_sort(struct edits *l, size_t most)
{
    size_t kept = 0, size = 1;
    if (l->count) qsort(l->list, l->count, sizeof *l->list, by_cost);
    while (size < 2 * l->count + 1) size *= 2;
    /* a hash table with open addressing; 0: empty, else index + 1 of a kept edit */
    size_t *table = xcalloc(size, sizeof *table);
    for (size_t i = 0; i < l->count; i++) {
        struct edit *e = &l->list[i];
        int known = e->count <= 0 || kept == most || is_refused(l->code, e);
        size_t at = known ? 0 : hash_of(e) & (size - 1);
        for (; !known && table[at]; at = (at + 1) & (size - 1))
            if ((known = same(&l->list[table[at] - 1], e)))
                l->list[table[at] - 1].solves |= e->solves;
        if (known) {
            edit_free(e);
        } else {
            table[at] = kept + 1;
            l->list[kept++] = l->list[i];
        }
    }
    free(table);
    l->count = kept;
}

/* Do two edits of a text have the same result? */
static int same_result(const char *text, const struct edit *a, const struct edit *b)
{
    if (a->count <= 0 || b->count <= 0) return 0;
    const struct splice *x = &a->splices[a->count - 1], *y = &b->splices[b->count - 1];
    size_t end = x->at + x->len > y->at + y->len ? x->at + x->len : y->at + y->len,
           first = a->splices[0].at < b->splices[0].at ? a->splices[0].at : b->splices[0].at;
    enum { NEAR = 200 };
    int apart = x->at + x->len < b->splices[0].at || y->at + y->len < a->splices[0].at;
    if (apart || end - first > NEAR) return !apart && same(a, b);
    struct buf one = {0}, other = {0};
    edit_apply(text, a, first, end, &one);
    edit_apply(text, b, first, end, &other);
    int is = one.len == other.len && !memcmp(one.data, other.data, one.len);
    buf_free(&one), buf_free(&other);
    return is;
}

void edits_name(struct edits *solved, const struct edits *all)
{
    const char *text = solved->code->text;
    for (size_t i = 0; i < solved->count; i++) {
        const struct edit *likeliest = NULL, *e = &solved->list[i];
        for (size_t k = 0; k < all->count; k++)
            if ((!likeliest || all->list[k].cost < likeliest->cost) &&
                same_result(text, e, &all->list[k]))
                likeliest = &all->list[k];
        if (likeliest) solved->list[i].is = likeliest->is;
    }
}

/* Character i of a text of len bytes, except that a y counts as x if the whole text is y, or if y
 * is a member as in threadIdx.y. */
static char without_axis(const char *text, size_t i, size_t len)
{
    return text[i] == 'y' && (len == 1 || (i > 0 && text[i - 1] == '.')) ? 'x' : text[i];
}

static int same_but_axis(const char *a, const char *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (without_axis(a, i, len) != without_axis(b, i, len)) return 0;
    return 1;
}

/* is_number: does the splice replace a number? is_axis: does it replace the x or y of
 * threadIdx.x? */
static int is_number(const struct code *c, const struct splice *s)
{
    return s->len && strchr("0123456789", c->text[s->at]) != NULL;
}
static int is_axis(const struct code *c, const struct splice *s)
{
    return s->len == 1 && strchr("xy", c->text[s->at]) && s->at && c->text[s->at - 1] == '.';
}

/* How many characters before a splice must be equal in similar edits: the operator before a number,
 * the builtin's name before an axis, a few characters before an insertion. */
static size_t before(const struct code *c, const struct splice *s)
{
    enum { INSERTION = 8, NUMBER = 2, BUILTIN = sizeof "blockIdx." - 1 };
    return !s->len ? INSERTION : is_number(c, s) ? NUMBER : is_axis(c, s) ? BUILTIN : 0;
}

/* Do two edits make the same kind of change to the same tokens at different places, such as "<"
 * to "<="? They may differ in the axis, x or y. If a number is replaced, the operator before it
 * must be the same; for an insertion, the characters before it. */
static int is_alike(const struct code *c, const struct edit *a, const struct edit *b)
{
    int same = a->count == b->count && a->is == b->is && a->splices[0].at != b->splices[0].at;
    for (int i = 0; i < a->count && same; i++) {
        const struct splice *x = &a->splices[i], *y = &b->splices[i];
        size_t back = before(c, x), len = x->len + back;
        same = x->len == y->len && strlen(x->text) == strlen(y->text) && x->at >= back &&
               y->at >= back && same_but_axis(x->text, y->text, strlen(x->text)) &&
               same_but_axis(c->text + x->at - back, c->text + y->at - back, len);
    }
    return same;
}

/* An edit is repeated within a part of the file. Returns the index of that part: for wide 0 the
 * statement of the edit, 1 its function, 2 the if around it, 3 its declaration or assignment with
 * the one that follows. other: 1 for the edit that may be a repetition. -1: there is no such part.
 * Edits can be combined if their parts are equal. */
static int home_of(const struct code *c, int token, int wide, int other)
{
    int s = code_statement(c, token);
    /* with wide 3, a repetition belongs to the part of the statement before its own */
    if (wide == 3 && s >= 0) {
        enum statement_kind kind = c->statements[s].kind;
        int before = other && s > 0 && c->statements[s - 1].kind == kind &&
                     c->statements[s - 1].parent == c->statements[s].parent;
        if (kind != STATEMENT_DECLARATION && kind != STATEMENT_EXPRESSION) return -1;
        return !other ? s : before ? s - 1 : -1;
    }
    if (wide == 1) return code_function(c, token);
    while (wide && s >= 0 && c->statements[s].kind != STATEMENT_IF) s = c->statements[s].parent;
    return s;
}

/* May an edit be repeated? Not if it inserts statements, or has more than MOST splices. */
static int is_repeatable(const struct edit *e)
{
    enum { MOST = 2 };
    int may = e->is->likely <= 2 && e->count > 0 && e->count <= MOST;
    for (int i = 0; i < e->count && may; i++)
        may = e->splices[i].len || !strpbrk(e->splices[i].text, ";{");
    return may;
}

static void put_all(struct edit *e, const struct edit *from)
{
    for (int i = 0; i < from->count && e->count >= 0; i++)
        edit_put(e, from->splices[i].at, from->splices[i].len, xstrdup(from->splices[i].text));
}

/* Add an edit that combines edit i with all similar ones, from `next` up to `count`, in the same
 * part of the file (home_of). kinds: for each edit, its kind, or NULL if it is not repeated. */
static void repeat(
    struct edits *l, const struct mutation **kinds, size_t i, size_t next, size_t count, int wide)
{
    struct edit first = l->list[i], *e = NULL;
    int home = home_of(l->code, first.token, wide, 0);
    for (size_t k = next; k < count && home >= 0; k++) {
        if (kinds[k] != kinds[i] || !is_alike(l->code, &first, &l->list[k]) ||
            home_of(l->code, l->list[k].token, wide, 1) != home)
            continue;
        if (!e) {
            e = edits_begin(l, first.is, first.cost + (wide == 1 ? 0.6 : 0.4), first.token);
            put_all(e, &first);
        }
        put_all(e, &l->list[k]);
    }
}

void edits_repeat(struct edits *l, int numbers)
{
    size_t count = l->count;
    const struct mutation **kinds = xcalloc(count + 1, sizeof *kinds);
    for (size_t i = 0; i < count; i++)
        if (is_repeatable(&l->list[i])) kinds[i] = l->list[i].is;
    for (size_t i = 0; i < count; i++) {
        size_t next = i + 1; /* the next edit that is alike */
        while (kinds[i] && next < count &&
               (kinds[next] != kinds[i] || !is_alike(l->code, &l->list[i], &l->list[next])))
            next++;
        for (int wide = 0; kinds[i] && next < count && wide < 4; wide++)
            if (!wide || numbers || !is_number(l->code, &l->list[i].splices[0]))
                repeat(l, kinds, i, next, count, wide);
    }
    free(kinds);
}

void edits_free(struct edits *l)
{
    for (size_t i = 0; i < l->count; i++) edit_free(&l->list[i]);
    free(l->list);
    l->list = NULL;
    l->count = l->cap = 0;
}

void edit_apply(const char *text, const struct edit *e, size_t first, size_t end, struct buf *out)
{
    for (int i = 0; e && i < e->count; i++) {
        const struct splice *s = &e->splices[i];
        if (s->at < first || s->at + s->len > end) continue;
        buf_add(out, text + first, s->at - first);
        int closes = strchr(" ;,)]", text[s->at + s->len]) != NULL;
        if (!*s->text && closes && out->len && out->data[out->len - 1] == ' ')
            out->data[--out->len] = 0;
        buf_add(out, s->text, strlen(s->text));
        first = s->at + s->len;
    }
    buf_add(out, text + first, end - first);
}
