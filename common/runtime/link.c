/* link.c - link the PTX of several files to one text, as nvlink does for -rdc=true.
 *
 *     a.cu: .extern .func f    b.cu: .visible .func f {...}    private names that occur in
 *           .func helper             .func helper              several files: helper, helper$1
 *                     └------┬----------┘                     .file and .loc are renumbered
 *      variables, then declarations, then bodies
 *
 * Source: PTX ISA, linking directives (.extern, .visible, .weak). */
#include "runtime/link.h"
#include "runtime/runtime.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A top-level declaration of a file: its text, of `length` bytes, and the name that it declares. */
struct item {
    const char *text;
    size_t length;
    const char *name;
    size_t name_length;
    enum { HEADER, FILE_NAME, SECTION, VARIABLE, PROTOTYPE, BODY } kind;
    enum { OWN, EXTERN, VISIBLE, WEAK } linkage;
    int file; /* index of the file that contains the declaration */
    int dropped;
};
struct items {
    struct item *list;
    size_t count, cap;
};

static int is_word(char c) { return isalnum((unsigned char)c) || (c && strchr("_$%.", c)); }

/* The position after a comment, a string, a word, or one other character. */
static const char *next(const char *p)
{
    if (p[0] == '/' && p[1] == '/') return p + strcspn(p, "\n");
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p == '"') {
        for (p++; *p && *p != '"'; p++)
            if (*p == '\\' && p[1]) p++;
        return *p ? p + 1 : p;
    }
    if (!is_word(*p)) return p + 1;
    while (is_word(*p)) p++;
    return p;
}

static int at(const char *p, const char *word)
{
    size_t n = strlen(word);
    return !strncmp(p, word, n) && !is_word(p[n]);
}

/* Does a directive begin at p that ends at the end of its line? */
static int ends_with_line(const char *p)
{
    return at(p, ".version") || at(p, ".target") || at(p, ".address_size") || at(p, ".file");
}

/* Set kind, linkage and name of a declaration from the words before the first ( [ { = or ;. */
static void classify(struct item *i)
{
    const char *end = i->text + i->length;
    int function = 0, parameters = 0;
    i->kind = VARIABLE;
    if (at(i->text, ".section")) i->kind = SECTION;
    if (ends_with_line(i->text)) i->kind = at(i->text, ".file") ? FILE_NAME : HEADER;
    for (const char *p = i->text; i->kind == VARIABLE && p < end; p = next(p)) {
        if (at(p, ".extern"))
            i->linkage = EXTERN;
        else if (at(p, ".visible"))
            i->linkage = VISIBLE;
        else if (at(p, ".weak") || at(p, ".common"))
            i->linkage = WEAK;
        else if (at(p, ".func") || at(p, ".entry"))
            function = 1;
        else if (*p == '(' && function && !i->name)
            parameters = 1; /* these parentheses contain the parameters of the result */
        else if (*p == ')')
            parameters = 0;
        else if (is_word(*p) && *p != '.' && !isdigit((unsigned char)*p) && !parameters)
            i->name = p, i->name_length = (size_t)(next(p) - p);
        if (i->name || *p == '[' || *p == '=' || *p == ';') break;
    }
    if (function) i->kind = end[-1] == '}' ? BODY : PROTOTYPE;
}

/* The end of the declaration at p: a semicolon, the } of a body or a section, or for some
 * directives the end of the line. */
static const char *end_of(const char *p)
{
    int depth = 0, body = at(p, ".section"), line = ends_with_line(p);
    for (; *p; p = next(p)) {
        if (line && *p == '\n') return p;
        body |= !depth && (at(p, ".func") || at(p, ".entry"));
        depth += (*p == '{') - (*p == '}');
        if (!line && !depth && (*p == ';' || (*p == '}' && body))) return p + 1;
    }
    return p;
}

/* Append the top-level declarations of a file's text to out. */
static void cut(struct items *out, const char *p, int file)
{
    while (*p) {
        if (*p != '.') {
            p = next(p);
            continue;
        }
        struct item i = {.text = p, .file = file, .length = (size_t)(end_of(p) - p)};
        classify(&i);
        *VEC_PUSH(out->list, out->count, out->cap) = i;
        p += i.length;
    }
}

/* ---- which declarations with one name are the same symbol ---- */

static int same_name(const struct item *a, const struct item *b)
{
    return a->name_length == b->name_length && !memcmp(a->name, b->name, a->name_length);
}

/* Is the symbol private to its file? Yes if it has no linkage, if it is a C++ static, or if it is
 * extern shared memory, which each file may declare with another type. */
static int is_own(const struct item *i)
{
    return i->linkage == OWN || (i->linkage != EXTERN && !strncmp(i->name, "_ZL", 3)) ||
           (i->linkage == EXTERN && strstr(i->text, ".shared") &&
               strstr(i->text, ".shared") < i->name);
}

int link_renames(const struct linked *l, int file, const char *name, size_t length)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->names[i].file == file && strlen(l->names[i].name) == length &&
            !memcmp(l->names[i].name, name, length))
            return 1;
    return 0;
}

static void rename_own(struct linked *l, const struct items *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct item *a = &all->list[i];
        if (!a->name || !is_own(a) || link_renames(l, a->file, a->name, a->name_length)) continue;
        for (size_t k = 0; k < all->count; k++) {
            const struct item *b = &all->list[k];
            if (!b->name || b->file == a->file || !same_name(a, b)) continue;
            *VEC_PUSH(l->names, l->count, l->cap) =
                (struct renamed){a->file, xstrndup(a->name, a->name_length)};
            break;
        }
    }
}

static int twice(const struct item *i, const char *one, const char *other, struct err *e)
{
    char *symbol = xstrndup(i->name, i->name_length), *name = runtime_name(symbol);
    err_set(e, ERR_LEARNER, "%s is defined in %s and in %s", name, one, other);
    free(symbol), free(name);
    return -1;
}

/* If several files declare a symbol, keep the definition, or else the first declaration. -1:
 * there are two definitions. */
static int merge(
    const struct linked *l, struct items *all, const char *const *sources, struct err *e)
{
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = i + 1; k < all->count; k++) {
            struct item *a = &all->list[i], *b = &all->list[k];
            if (!a->name || !b->name || a->dropped || b->dropped || a->kind != b->kind ||
                !same_name(a, b) || link_renames(l, a->file, a->name, a->name_length) ||
                link_renames(l, b->file, b->name, b->name_length))
                continue;
            if (a->kind != PROTOTYPE && a->linkage == VISIBLE && b->linkage == VISIBLE)
                return twice(a, sources[a->file], sources[b->file], e);
            if (a->linkage == EXTERN || (a->linkage == WEAK && b->linkage == VISIBLE))
                a->dropped = 1;
            else
                b->dropped = 1;
            if (a->dropped) break;
        }
    return 0;
}

/* ---- writing the linked text ---- */

/* Append a number of the file's .file table, as it is numbered in the linked text. Returns the
 * position after the number in the file. */
static const char *add_file_number(struct buf *out, const char *p, int file)
{
    char *end;
    p += strspn(p, " \t");
    buf_printf(out, " %lu", strtoul(p, &end, 10) + (unsigned long)file * LINK_FILES);
    return end;
}

/* Does any file define the function that a prototype declares? */
static int is_defined(const struct items *all, const struct item *i)
{
    for (size_t k = 0; k < all->count; k++)
        if (all->list[k].kind == BODY && same_name(&all->list[k], i)) return 1;
    return 0;
}

static void add_item(
    struct buf *out, const struct linked *l, const struct items *all, const struct item *i)
{
    const char *end = i->text + i->length;
    for (const char *p = i->text, *after; p < end; p = after) {
        after = next(p);
        if (at(p, ".loc") || at(p, ".file") || at(p, "inlined_at")) {
            buf_add(out, p, (size_t)(after - p));
            after = add_file_number(out, after, i->file);
        } else if (i->kind == PROTOTYPE && at(p, ".extern") && is_defined(all, i)) {
            buf_printf(out, ".visible");
        } else {
            buf_add(out, p, (size_t)(after - p));
            if (is_word(*p) && link_renames(l, i->file, p, (size_t)(after - p)))
                buf_printf(out, "$%d", i->file);
        }
    }
    buf_printf(out, "\n");
}

int link_ptx(const char *const *texts, const char *const *sources, int count, struct linked *l,
    struct err *e)
{
    struct items all = {0};
    struct buf out = {0};
    *l = (struct linked){0};
    for (int i = 0; i < count; i++) cut(&all, texts[i], i);
    rename_own(l, &all);
    int bad = merge(l, &all, sources, e);
    for (int kind = HEADER; kind <= BODY && !bad; kind++)
        for (size_t i = 0; i < all.count; i++) {
            const struct item *one = &all.list[i];
            if ((int)one->kind != kind || one->dropped || kind == SECTION ||
                (kind == HEADER && one->file))
                continue;
            add_item(&out, l, &all, one);
        }
    l->text = out.data;
    free(all.list);
    if (bad) link_free(l);
    return bad;
}

char *link_name(const struct linked *l, int file, const char *symbol)
{
    return link_renames(l, file, symbol, strlen(symbol)) ? xasprintf("%s$%d", symbol, file)
                                                         : xstrdup(symbol);
}

void link_free(struct linked *l)
{
    for (size_t i = 0; i < l->count; i++) free(l->names[i].name);
    free(l->names), free(l->text);
    *l = (struct linked){0};
}
