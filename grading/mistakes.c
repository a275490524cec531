/* mistakes.c - the most frequent mistakes of a class, by kind, and who made them.
 *
 *     the finding of a wrong kernel      04-shared matmul: a race: two threads touch one element ...
 *     a part that lacks points           05-padded transpose: transpose misses the budget of ...
 *
 * A student who made a mistake several times counts once. */
#include "grading/page.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20, NAMED = 12 };

struct mistake {
    char *kind;
    const char *who[NAMED]; /* the first few students who made the mistake */
    /* count: number of students who made the mistake; last: index of the student counted last, so
     * that nobody counts twice */
    size_t count, last;
};

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
    else
        free(kind);
    struct mistake *m = &l->all[i];
    if (m->count && m->last == student) return;
    if (m->count < NAMED) m->who[m->count] = who;
    m->count++, m->last = student;
}

static const char *title_of(const char *finding)
{
    for (int i = 0; i < FOUND_KINDS; i++)
        if (!strcmp(finding, finding_names[i])) return finding_titles[i];
    return finding; /* the kind is unknown: a later version has written the result */
}

/* Append the reason why a part lacks points. Returns 0 if the part lacks no points, or only because
 * of another part. */
static int lacks(struct buf *b, const json_t *part)
{
    const char *what = result_text(part, "part"), *kernel = result_text(part, "kernel");
    if (result_number(part, "points") >= result_number(part, "of") || !strcmp(what, "technique"))
        return 0;
    if (!strcmp(what, "budget"))
        buf_printf(b, "%s misses the budget of %s: %s", kernel, result_text(part, "metric"),
            result_text(part, "why"));
    else if (!strcmp(what, "speed"))
        buf_printf(b, "%s is slow beside the reference", kernel);
    else
        buf_printf(b, "prediction %s: %s", result_text(part, "name"), result_text(part, "asks"));
    return 1;
}

static void collect(struct list *l, const json_t *result, size_t student)
{
    const json_t *x, *part;
    size_t i, k;
    const char *who = result_text(result, "student");
    json_array_foreach(json_object_get(result, "exercises"), i, x)
    {
        struct buf b = {0};
        const char *status = result_text(x, "status");
        const json_t *finding = json_object_get(x, "finding");
        buf_printf(&b, "%s %s: ", result_text(x, "lab"), result_text(x, "exercise"));
        size_t head = b.len;
        if (!strcmp(status, "error"))
            buf_printf(&b, "does not compile, or lacks what is asked for");
        else if (finding && strcmp(status, "not_attempted"))
            buf_printf(&b, "%s", title_of(result_text(finding, "kind")));
        if (b.len > head) add(l, xstrdup(b.data), who, student);
        json_array_foreach(json_object_get(x, "parts"), k, part)
        {
            b.data[b.len = head] = 0;
            if (strcmp(status, "not_attempted") && lacks(&b, part))
                add(l, xstrdup(b.data), who, student);
        }
        buf_free(&b);
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
        buf_printf(out, "<p>%s%zu kind%s.</p>\n", l.count > SHOWN ? "The first 20 of " : "",
            l.count, plural_s((double)l.count));
        page_table(out, "mistakes by kind", "text words");
        buf_printf(out, "<tr><th scope=\"col\">mistake</th><th scope=\"col\">students</th><th "
                        "scope=\"col\">who</th></tr>\n");
        for (size_t i = 0; i < l.count && i < SHOWN; i++) row(out, &l.all[i]);
        page_table_end(out);
    } else
        buf_printf(out, "<p>None.</p>\n");
    for (size_t i = 0; i < l.count; i++) free(l.all[i].kind);
    free(l.all);
}
