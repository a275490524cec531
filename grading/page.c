/* page.c - what people look at: a page a student, and one for the instructor. No script, one file each.
 *
 *     results/NAME.json ──> pages/NAME.html    score, each exercise, what each lost point was for
 *                      └──> index.html         points, a heat table, the commonest mistakes, students
 *
 * Colours say nothing that a number beside them does not. Nothing has a width in pixels but the figure, which
 * shrinks: a page of 400 pixels is read by scrolling down.
 */
#include "grading/grading.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char style[] =
    "<style>:root{color-scheme:light dark}body{font:16px/1.5 sans-serif;max-width:60em;margin:1em auto;"
    "padding:0 1em;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{padding:.2em .5em;"
    "text-align:right;border-bottom:1px solid "
    "#8888}th{overflow-wrap:normal}th:first-child,td:first-child,.text *{text-align:left}"
    ".wide{overflow-x:auto}.wide th{vertical-align:bottom}pre{white-space:pre-wrap}"
    "svg{max-width:100%;height:auto}rect{fill:#4a86c5}text{fill:currentColor;font-size:13px}</style>\n";

static void head(struct buf *out, const char *title)
{
    buf_printf(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width\"><title>");
    result_escape(out, title);
    buf_printf(out, "</title>\n%s</head><body>\n<h1>", style);
    result_escape(out, title);
    buf_printf(out, "</h1>\n");
}

/* ---- a student ---- */

static void student_page(struct buf *out, const json_t *result)
{
    const json_t *exercises = json_object_get(result, "exercises"),
                 *left = json_object_get(result, "left_out");
    json_t *x;
    size_t i;
    head(out, result_text(result, "student"));
    buf_printf(out, "<p>%g of %g points, on %s, by %s%s.</p>\n", result_number(result, "score"),
        result_number(result, "max_score"), result_text(result, "device"), result_text(result, "front_end"),
        json_is_true(json_object_get(result, "late")) ? ", handed in late" : "");
    if (*result_text(result, "error")) {
        buf_printf(out, "<p><strong>");
        result_escape(out, result_text(result, "error"));
        buf_printf(out, "</strong></p>\n");
    }
    json_array_foreach(exercises, i, x)
    {
        buf_printf(out, "<h2>%s %s: %g of %g</h2>\n", result_text(x, "lab"), result_text(x, "exercise"),
            result_number(x, "score"), result_number(x, "max_score"));
        if (!*result_text(x, "message")) buf_printf(out, "<p>All points.</p>\n");
        else
            buf_printf(out, "<pre>"), result_escape(out, result_text(x, "message")),
                buf_printf(out, "</pre>\n");
    }
    if (json_array_size(left)) buf_printf(out, "<h2>Not read</h2>\n<ul>\n");
    json_array_foreach(left, i, x)
    {
        buf_printf(out, "<li>");
        result_escape(out, json_string_value(x));
        buf_printf(out, "</li>\n");
    }
    if (json_array_size(left)) buf_printf(out, "</ul>\n");
    buf_printf(out, "</body></html>\n");
}

/* ---- the class ---- */

/* Ten bars: how many students have 0 to 10%, 10 to 20%, ... of the points. */
static void distribution(struct buf *out, json_t *const *results, size_t count)
{
    enum { BARS = 10, WIDTH = 44, HEIGHT = 120 };
    size_t in[BARS] = {0}, most = 1;
    for (size_t i = 0; i < count; i++) {
        double share = result_number(results[i], "score") / result_number(results[i], "max_score");
        int bar = share >= 1 ? BARS - 1 : share > 0 ? (int)(share * BARS) : 0;
        if (++in[bar] > most) most = in[bar];
    }
    buf_printf(out,
        "<h2>Points</h2>\n<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"students by "
        "share "
        "of the points\">\n",
        BARS * WIDTH, HEIGHT + 40, BARS * WIDTH);
    for (int b = 0; b < BARS; b++) {
        int high = (int)(in[b] * HEIGHT / most);
        buf_printf(out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/><text x=\"%d\" y=\"%d\">%zu</text>"
            "<text x=\"%d\" y=\"%d\">%d%%</text>\n",
            b * WIDTH + 2, HEIGHT + 18 - high, WIDTH - 4, high, b * WIDTH + 6, HEIGHT + 14 - high, in[b],
            b * WIDTH + 6, HEIGHT + 36, b * 10);
    }
    buf_printf(out, "</svg>\n");
}

/* A row an exercise, a column a tenth of its points: how many students. */
static void exercises_table(struct buf *out, json_t *const *results, size_t count)
{
    json_t *x;
    size_t i;
    buf_printf(out,
        "<h2>Exercises</h2>\n<div class=\"wide\"><table>\n<tr><th>exercise</th><th>mean</th><th>full</th>"
        "<th>part</th><th>none</th><th>not attempted</th></tr>\n");
    json_array_foreach(json_object_get(results[0], "exercises"), i, x)
    {
        size_t full = 0, part = 0, none = 0, untried = 0;
        double sum = 0, most = result_number(x, "max_score");
        for (size_t s = 0; s < count; s++) {
            json_t *its = json_array_get(json_object_get(results[s], "exercises"), i);
            double score = result_number(its, "score");
            sum += score;
            if (!strcmp(result_text(its, "status"), "not_attempted")) untried++;
            else if (score >= most) full++;
            else if (score > 0) part++;
            else none++;
        }
        int percent = (int)(100 * sum / (most * (double)count) + 0.5);
        buf_printf(out,
            "<tr><td>%s %s</td><td style=\"background:hsl(%d 70%% 50%% / "
            ".35)\">%d%%</td><td>%zu</td><td>%zu</td>"
            "<td>%zu</td><td>%zu</td></tr>\n",
            result_text(x, "lab"), result_text(x, "exercise"), percent * 12 / 10, percent, full, part, none,
            untried);
    }
    buf_printf(out, "</table></div>\n");
}

/* A mistake is a line of a message without its numbers: two students' are the same kind. */
struct mistake {
    char *kind, *who;
    size_t count;
};

static char *kind_of(const char *exercise, const char *line, size_t length)
{
    struct buf b = {0};
    buf_printf(&b, "%s: ", exercise);
    if (*line == '-') { /* "-2 points: " */
        size_t skip = strcspn(line, ":") + 2;
        if (skip < length) line += skip, length -= skip;
    }
    for (size_t i = 0; i < length && line[i] != '('; i++) {
        int digit = isdigit((unsigned char)line[i]);
        if (digit && b.data[b.len - 1] == '#') continue;
        buf_printf(&b, "%c", digit ? '#' : line[i]);
    }
    return b.data;
}

static int by_count(const void *a, const void *b)
{
    const struct mistake *x = a, *y = b;
    return x->count == y->count ? strcmp(x->kind, y->kind) : x->count < y->count ? 1 : -1;
}

static void add_mistake(struct mistake **list, size_t *n, size_t *cap, char *kind, const char *who)
{
    for (size_t i = 0; i < *n; i++)
        if (!strcmp((*list)[i].kind, kind)) {
            char *more = (*list)[i].count < 8 ? xasprintf("%s, %s", (*list)[i].who, who) : NULL;
            if (more) free((*list)[i].who), (*list)[i].who = more;
            (*list)[i].count++;
            free(kind);
            return;
        }
    *VEC_PUSH(*list, *n, *cap) = (struct mistake){kind, xstrdup(who), 1};
}

static void mistakes(struct buf *out, json_t *const *results, size_t count)
{
    enum { SHOWN = 20 };
    struct mistake *list = NULL;
    size_t n = 0, cap = 0, i;
    json_t *x;
    for (size_t s = 0; s < count; s++)
        json_array_foreach(json_object_get(results[s], "exercises"), i, x)
        {
            if (!strcmp(result_text(x, "status"), "not_attempted")) continue;
            for (const char *p = result_text(x, "message"); *p;) {
                size_t length = strcspn(p, "\n");
                if (length && *p != ' ')
                    add_mistake(&list, &n, &cap, kind_of(result_text(x, "exercise"), p, length),
                        result_text(results[s], "student"));
                p += length + (p[length] == '\n');
            }
        }
    if (n) qsort(list, n, sizeof *list, by_count);
    buf_printf(out,
        "<h2>The commonest mistakes</h2>\n<p># stands for a "
        "number.</p>\n<table class=\"text\">\n<tr><th>mistake</th><th>students"
        "</th></tr>\n");
    for (size_t m = 0; m < n; m++) {
        if (m < SHOWN) {
            buf_printf(out, "<tr><td>");
            result_escape(out, list[m].kind);
            buf_printf(out, "</td><td>%zu: ", list[m].count);
            result_escape(out, list[m].who);
            buf_printf(out, "</td></tr>\n");
        }
        free(list[m].kind), free(list[m].who);
    }
    buf_printf(out, "</table>\n");
    free(list);
}

/* A link's address: every byte but letters, digits and -._ as %XX. */
static void address(struct buf *out, const char *name)
{
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        buf_printf(out, isalnum(*p) || strchr("-._", *p) ? "%c" : "%%%02X", *p);
}

static void class_page(struct buf *out, const struct roster *r, json_t *const *results, size_t count)
{
    head(out, "The class");
    buf_printf(out, "<p>%zu submissions, %zu graded. <a href=\"gradebook.csv\">gradebook.csv</a></p>\n",
        r->count, count);
    if (count)
        distribution(out, results, count), exercises_table(out, results, count),
            mistakes(out, results, count);
    buf_printf(out, "<h2>Students</h2>\n<table>\n<tr><th>student</th><th>points</th><th>late</th></tr>\n");
    for (size_t i = 0; i < count; i++) {
        buf_printf(out, "<tr><td><a href=\"pages/");
        address(out, result_text(results[i], "student"));
        buf_printf(out, ".html\">");
        result_escape(out, result_text(results[i], "student"));
        buf_printf(out, "</a></td><td>%g of %g</td><td>%s</td></tr>\n", result_number(results[i], "score"),
            result_number(results[i], "max_score"),
            json_is_true(json_object_get(results[i], "late")) ? "late" : "");
    }
    buf_printf(out, "</table>\n</body></html>\n");
}

int pages_write(const struct class_options *o, const struct roster *r, struct err *e)
{
    char *folder = xasprintf("%s/pages", o->results), *index = xasprintf("%s/index.html", o->results);
    json_t **results = xcalloc(r->count, sizeof *results);
    struct buf out = {0};
    size_t count = 0;
    int bad = mkdir(folder, 0777) && errno != EEXIST
        ? err_set(e, ERR_ENV, "%s: cannot be made: %s", folder, strerror(errno))
        : 0;
    for (size_t i = 0; i < r->count && !bad; i++) {
        char *from = xasprintf("%s/%s.json", o->results, r->list[i].name),
             *to = xasprintf("%s/%s.html", folder, r->list[i].name);
        if ((results[count] = json_load_file(from, 0, NULL))) {
            student_page(&out, results[count++]);
            bad = file_write(to, out.data, out.len, e);
            buf_free(&out);
        }
        free(from), free(to);
    }
    class_page(&out, r, results, count);
    if (!bad) bad = file_write(index, out.data, out.len, e);
    for (size_t i = 0; i < count; i++) json_decref(results[i]);
    buf_free(&out);
    free(results), free(folder), free(index);
    return bad ? -1 : 0;
}
