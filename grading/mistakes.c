/* mistakes.c - the commonest mistakes of a class, by kind, with who made them.
 *
 *     -2 points: transpose: shared_ld_bank_conflict is 4063232, the budget is at most 0: rows of 33 words ...
 *     05-padded transpose: shared_ld_bank_conflict is #, the budget is at most #: rows of # words ...
 *
 * A kind is a reason without its numbers and places: the same mistake of two students is one kind. Who made
 * it twice counts once.
 */
#include "grading/page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20, NAMED = 12 };

struct mistake {
    char *kind;
    const char *who[NAMED]; /* the first of them */
    size_t count, last; /* last: the student who made it last, so that none counts twice */
};

/* The bytes of "05-padded/aat.cu:17:9: " at p, if it is there. */
static size_t place(const char *p, const char *file)
{
    size_t n = strlen(file);
    return n && !strncmp(p, file, n) ? n + strspn(p + n, ":0123456789 ") : 0;
}

/* Append text with # for each number, without places in the file, and up to the line that is blamed. */
static void without_numbers(struct buf *b, const char *text, size_t length, const char *file)
{
    for (size_t i = 0; i < length;) {
        size_t skip = place(text + i, file), number = strspn(text + i, "0123456789.");
        int in_name = i && (isalnum((unsigned char)text[i - 1]) || text[i - 1] == '_'); /* pad_1, f32 */
        if (text[i] == '(' && place(text + i + 1, file)) break;
        if (skip) i += skip;
        else if (isdigit((unsigned char)text[i]) && !in_name) {
            int full_stop = text[i + number - 1] == '.';
            buf_printf(b, full_stop ? "#." : "#");
            i += number;
        } else buf_add(b, text + i++, 1);
    }
    while (b->len && b->data[b->len - 1] == ' ') b->data[--b->len] = 0;
}

static char *kind_of(const json_t *exercise, const char *line, size_t length)
{
    struct buf b = {0};
    buf_printf(&b, "%s %s: ", result_text(exercise, "lab"), result_text(exercise, "exercise"));
    if (*line == '-') { /* "-2 points: " */
        size_t skip = strcspn(line, ":") + 2;
        if (skip < length) line += skip, length -= skip;
    }
    without_numbers(&b, line, length, result_text(exercise, "file"));
    return b.data;
}

static int by_count(const void *a, const void *b)
{
    const struct mistake *x = a, *y = b;
    return x->count == y->count ? strcmp(x->kind, y->kind) : x->count < y->count ? 1 : -1;
}

struct list {
    struct mistake *all;
    size_t count, cap;
};

static void add(struct list *l, char *kind, const char *who, size_t student)
{
    size_t i = 0;
    while (i < l->count && strcmp(l->all[i].kind, kind)) i++;
    if (i == l->count)
        *VEC_PUSH(l->all, l->count, l->cap) = (struct mistake){.kind = kind, .last = student + 1};
    else free(kind);
    struct mistake *m = &l->all[i];
    if (m->count && m->last == student) return;
    if (m->count < NAMED) m->who[m->count] = who;
    m->count++, m->last = student;
}

/* "2 errors generated when compiling for sm_70." */
static int is_count(const char *line)
{
    size_t digits = strspn(line, "0123456789");
    return digits && !strncmp(line + digits, " error", 6);
}

/* A line that begins with a blank goes on with the one before: a compiler's quotation. */
static void collect(struct list *l, const json_t *result, size_t student)
{
    const json_t *x;
    size_t i;
    json_array_foreach(json_object_get(result, "exercises"), i, x)
    {
        if (!strcmp(result_text(x, "status"), "not_attempted")) continue;
        for (const char *p = result_text(x, "message"); *p;) {
            size_t length = strcspn(p, "\n");
            if (length && *p != ' ' && !is_count(p))
                add(l, kind_of(x, p, length), result_text(result, "student"), student);
            p += length + (p[length] == '\n');
        }
    }
}

static void row(struct buf *out, const struct mistake *m)
{
    buf_printf(out, "<tr><td>");
    result_escape(out, m->kind);
    buf_printf(out, "</td><td>%zu</td><td>", m->count);
    for (size_t i = 0; i < m->count && i < NAMED; i++) {
        if (i) buf_printf(out, ", ");
        page_student_link(out, m->who[i]);
    }
    if (m->count > NAMED) buf_printf(out, " and %zu more", m->count - NAMED);
    buf_printf(out, "</td></tr>\n");
}

void mistakes(struct buf *out, const struct graded *g)
{
    struct list l = {0};
    for (size_t s = 0; s < g->count; s++) collect(&l, g->results[s], s);
    if (l.count) qsort(l.all, l.count, sizeof *l.all, by_count);
    buf_printf(out, "<h2 id=\"mistakes\">The commonest mistakes</h2>\n");
    if (l.count) {
        buf_printf(out, "<p>%s%zu kinds; # stands for a number.</p>\n",
            l.count > SHOWN ? "The first 20 of " : "", l.count);
        page_table(out, "mistakes by kind", "text words");
        buf_printf(out,
            "<tr><th scope=\"col\">mistake</th><th scope=\"col\">students</th><th "
            "scope=\"col\">who</th></tr>\n");
        for (size_t i = 0; i < l.count && i < SHOWN; i++) row(out, &l.all[i]);
        page_table_end(out);
    } else buf_printf(out, "<p>None.</p>\n");
    for (size_t i = 0; i < l.count; i++) free(l.all[i].kind);
    free(l.all);
}
