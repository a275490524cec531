/* similar_page.c - similar/pairs.json, similar.html and a page a pair, side by side. No script.
 *
 *     similar.html ──> similar/A--B.html      clusters first, then pairs, the most unusual first
 *
 *     margin of a line   "3> "  it is of range 3 of the matching lines; its number leads to the other side
 */
#include "grading/similar.h"
#include "os/os.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The number of pairs that get a page; the clusters name everyone. */
enum { PAIRS_MOST = 300, NAME_MOST = 200 };
/* An exercise is shown if fewer than one pair in ten is so alike. */
static const double RARE_LEAST = 2.3;

static const char style[] =
    "<style>:root{color-scheme:light dark}:focus-visible{outline:3px solid;outline-offset:2px}\n"
    "body{font:16px/1.5 sans-serif;max-width:80em;margin:1em auto;"
    "padding:0 1em;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{padding:.2em .5em;"
    "text-align:left;border-bottom:1px solid #8888}"
    ".two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,28em),1fr));gap:0 1em}"
    ".two>div{min-width:0}"
    "pre{white-space:pre-wrap;tab-size:2;font-size:13px;line-height:1.3}"
    "mark{background:#fc05;color:inherit}</style>\n";

static void head(struct buf *out, const char *title)
{
    buf_printf(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width\"><title>");
    result_escape(out, title);
    buf_printf(out, "</title>\n%s</head><body>\n<h1>", style);
    result_escape(out, title);
    buf_printf(out, "</h1>\n");
}

/* "one in 4000": of all pairs of the class. */
static unsigned long one_in(double rare) { return (unsigned long)(exp(rare) + 0.5); }

/* The text of a student for an exercise. */
static const char *text_of(const struct works *w, size_t student, size_t exercise)
{
    const char *text = w->text[student * w->exercises + exercise];
    return text ? text : "";
}

/* ---- side by side ---- */

/* One side: its lines with their margins. side: 0 for a, 1 for b; x: the exercise's number on the
 * page. */
static void side_of(struct buf *out, const char *who, const char *text, const struct range *r,
    size_t n, int side, size_t x)
{
    int number = 1;
    buf_printf(out, "<div><h3>");
    result_escape(out, who);
    buf_printf(out, "</h3>\n<pre>");
    for (const char *p = text; *p; number++) {
        size_t in = n, length = strcspn(p, "\n");
        for (size_t i = 0; i < n && in == n; i++)
            if (number >= (side ? r[i].b_first : r[i].a_first) &&
                number <= (side ? r[i].b_last : r[i].a_last))
                in = i;
        char *line = xstrndup(p, length);
        if (in == n)
            buf_printf(out, "     ");
        else if (number == (side ? r[in].b_first : r[in].a_first))
            buf_printf(out, "<a id=\"%c%zu-%zu\" href=\"#%c%zu-%zu\">%3zu</a>&gt; <mark>",
                "ab"[side], x, in + 1, "ba"[side], x, in + 1, in + 1);
        else
            buf_printf(out, "%3zu&gt; <mark>", in + 1);
        /* ranges may overlap: one that begins within another is a place, too, which the other side
         * names */
        for (size_t i = 0; i < n; i++)
            if (i != in && number == (side ? r[i].b_first : r[i].a_first))
                buf_printf(out, "<span id=\"%c%zu-%zu\"></span>", "ab"[side], x, i + 1);
        result_escape(out, line);
        buf_printf(out, in == n ? "\n" : "</mark>\n");
        free(line);
        p += length + (p[length] == '\n');
    }
    buf_printf(out, "</pre></div>\n");
}

static json_t *line_pair(int first, int last) { return json_pack("[i,i]", first, last); }

/* One exercise of a pair, on its page and in the JSON. */
static json_t *show_exercise(struct buf *out, const struct roster *r, const struct works *w,
    const struct pair *p, size_t x, double rare)
{
    struct range *ranges;
    const char *a = text_of(w, p->a, x), *b = text_of(w, p->b, x);
    size_t n = ranges_of(&ranges, a, b, &w->known);
    json_t *lines = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *one = json_object();
        json_object_set_new(one, "a", line_pair(ranges[i].a_first, ranges[i].a_last));
        json_object_set_new(one, "b", line_pair(ranges[i].b_first, ranges[i].b_last));
        json_array_append_new(lines, one);
    }
    buf_printf(out, "<h2>%s</h2>\n<p>%s Of all pairs, one in %lu is at least as alike here.</p>\n",
        w->name[x], strcmp(a, b) ? "" : "The same file.", one_in(rare));
    buf_printf(out, "<div class=\"two\">\n");
    side_of(out, r->list[p->a].name, a, ranges, n, 0, x);
    side_of(out, r->list[p->b].name, b, ranges, n, 1, x);
    buf_printf(out, "</div>\n");
    free(ranges);
    return json_pack(
        "{s:s,s:i,s:o}", "exercise", w->name[x], "one_pair_in", (int)one_in(rare), "lines", lines);
}

static json_t *pair_page(struct buf *out, const struct roster *r, const struct works *w,
    const struct scores *s, const struct pair *p)
{
    json_t *exercises = json_array();
    char *title = xasprintf("%s and %s", r->list[p->a].name, r->list[p->b].name);
    char done[EXERCISES_MOST] = "";
    head(out, title);
    buf_printf(out,
        "<p><a href=\"../similar.html\">All pairs</a>. Lines with a number in the margin match "
        "the lines with "
        "that number on the other side, but for names, numbers, comments and the form of loops; "
        "the number is a "
        "link to them. Skeletons, solutions and slides do not count as matching.</p>\n");
    for (size_t shown = 0; shown < w->exercises; shown++) {
        size_t best = w->exercises;
        double rare = RARE_LEAST;
        for (size_t x = 0; x < w->exercises; x++)
            if (!done[x] && scores_rare(s, w, p->a, p->b, x) > rare)
                rare = scores_rare(s, w, p->a, p->b, best = x);
        if (best == w->exercises) break;
        done[best] = 1;
        json_array_append_new(exercises, show_exercise(out, r, w, p, best, rare));
    }
    buf_printf(out, "</body></html>\n");
    free(title);
    return json_pack("{s:o,s:o,s:f,s:f,s:o}", "a", json_text(r->list[p->a].name), "b",
        json_text(r->list[p->b].name), "unusual", round(p->unusual * 100) / 100,
        "expected_by_chance", p->expected, "exercises", exercises);
}

/* ---- all pairs ---- */

/* The name of a pair's page: "A--B", or a number where that is too long or could be another pair's.
 * In an address every byte but letters, digits and -._ is %XX. */
static char *page_name(const struct roster *r, const struct pair *p, size_t number, int address)
{
    const char *a = r->list[p->a].name, *b = r->list[p->b].name;
    int own = !strstr(a, "--") && !strstr(b, "--") && strlen(a) + strlen(b) < NAME_MOST;
    char *plain = own ? xasprintf("%s--%s", a, b) : xasprintf("%zu", number + 1);
    struct buf out = {0};
    for (const unsigned char *c = (const unsigned char *)plain; *c; c++)
        buf_printf(&out, !address || isalnum(*c) || strchr("-._", *c) ? "%c" : "%%%02X", *c);
    free(plain);
    return out.data;
}

static size_t find(size_t *of, size_t i)
{
    while (of[i] != i) i = of[i];
    return i;
}

/* Clusters of connected pairs: of[student] is the first of its cluster. */
static size_t *clusters_of(const struct works *w, const struct scores *s)
{
    size_t *of = xcalloc(w->students, sizeof *of);
    for (size_t i = 0; i < w->students; i++) of[i] = i;
    for (size_t i = 0; i < s->count; i++) {
        size_t a = find(of, s->pairs[i].a), b = find(of, s->pairs[i].b);
        of[a > b ? a : b] = a > b ? b : a;
    }
    for (size_t i = 0; i < w->students; i++) of[i] = find(of, i);
    return of;
}

static json_t *clusters(
    struct buf *out, const struct roster *r, const struct works *w, const struct scores *s)
{
    json_t *all = json_array();
    size_t *of = clusters_of(w, s);
    buf_printf(out, "<h2>Who hangs together</h2>\n<ol>\n");
    for (size_t first = 0; first < w->students; first++) {
        json_t *one = json_array();
        for (size_t i = first; i < w->students; i++)
            if (of[i] == first) json_array_append_new(one, json_text(r->list[i].name));
        if (json_array_size(one) > 1) {
            buf_printf(out, "<li>%zu: ", json_array_size(one));
            for (size_t i = 0; i < json_array_size(one); i++) {
                if (i) buf_printf(out, ", ");
                result_escape(out, json_string_value(json_array_get(one, i)));
            }
            buf_printf(out, "</li>\n");
            json_array_append(all, one);
        }
        json_decref(one);
    }
    buf_printf(out, "</ol>\n");
    free(of);
    return all;
}

static void pair_row(struct buf *out, const struct roster *r, const struct pair *p, size_t number,
    const json_t *exercises)
{
    char *address = page_name(r, p, number, 1);
    json_t *x;
    size_t i;
    buf_printf(out, "<tr><td><a href=\"similar/%s.html\">", address);
    result_escape(out, r->list[p->a].name);
    buf_printf(out, " and ");
    result_escape(out, r->list[p->b].name);
    buf_printf(out, "</a></td><td>%.1f</td><td>", p->unusual);
    if (p->expected < 0.001)
        buf_printf(out, "below 0.001</td><td>");
    else
        buf_printf(out, "%.1g</td><td>", p->expected);
    json_array_foreach(exercises, i, x)
        buf_printf(out, "%s%s", i ? ", " : "", result_text(x, "exercise"));
    buf_printf(out, "</td></tr>\n");
    free(address);
}

static int pairs_table(struct buf *out, const struct class_options *o, const struct roster *r,
    const struct works *w, const struct scores *s, json_t *list, struct err *e)
{
    int bad = 0;
    buf_printf(out,
        "<h2>Pairs</h2>\n<table>\n<tr><th scope=\"col\">pair</th><th scope=\"col\">unusual</th>"
        "<th scope=\"col\">so many by chance</th>"
        "<th scope=\"col\">exercises, the most unusual first</th></tr>\n");
    for (size_t i = 0; i < s->count && i < PAIRS_MOST && !bad; i++) {
        struct buf page = {0};
        json_t *pair = pair_page(&page, r, w, s, &s->pairs[i]);
        char *name = page_name(r, &s->pairs[i], i, 0),
             *path = xasprintf("%s/similar/%s.html", o->results, name);
        bad = file_write_scratch(path, page.data, page.len, e);
        pair_row(out, r, &s->pairs[i], i, json_object_get(pair, "exercises"));
        json_array_append_new(list, pair);
        buf_free(&page);
        free(name), free(path);
    }
    buf_printf(out, "</table>\n");
    if (s->count > PAIRS_MOST)
        buf_printf(out, "<p>And %zu more pairs.</p>\n", s->count - PAIRS_MOST);
    return bad;
}

static int write_json(const struct class_options *o, const struct scores *s, json_t *found,
    json_t *list, struct err *e)
{
    json_t *all = json_pack("{s:i,s:I,s:I,s:f,s:o,s:o}", "schema", 1, "pairs_compared",
        (json_int_t)s->compared, "pairs_found", (json_int_t)s->count, "unusual_from",
        round(s->limit * 100) / 100, "clusters", found, "pairs", list);
    char *text = json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(6)),
         *line = xasprintf("%s\n", text), *path = xasprintf("%s/similar/pairs.json", o->results);
    int bad = file_write(path, line, strlen(line), e);
    free(text), free(line), free(path);
    json_decref(all);
    return bad;
}

int similar_pages(const struct class_options *o, const struct roster *r, const struct works *w,
    const struct scores *s, struct err *e)
{
    struct buf out = {0}, table = {0};
    char *folder = xasprintf("%s/similar", o->results),
         *path = xasprintf("%s/similar.html", o->results);
    json_t *list = json_array(), *found;
    spawn_remove_directory(folder); /* pages of an earlier grading */
    int bad = mkdir(folder, 0777) && errno != EEXIST
                  ? err_set(e, ERR_ENV, "%s: cannot be made: %s", folder, strerror(errno))
                  : 0;
    head(&out, "Who worked together");
    char *class = xasprintf("%s/index.html", o->results);
    /* the pairs may be looked for without grading */
    int graded = o->lock > 0 || file_exists(class);
    buf_printf(&out,
        "<p>%sThese pairs share more than the skeletons, the slides and "
        "the "
        "solutions explain. This is a reason to read and to ask, never a score: no point depends on it.</p>\n"
        "<p>%zu pairs were compared. Each exercise was ranked among all pairs of this class; "
        "<em>unusual</em> "
        "says how far a pair's ranks lie beyond what this class's habits explain, and pairs from %.1f on are "
        "listed. <em>So many by chance</em>: as many pairs of a class like this one would lie there without "
        "common work.</p>\n",
        graded ? "<a href=\"index.html\">The class</a>. " : "", s->compared, s->limit);
    free(class);
    found = clusters(&out, r, w, s);
    bad = bad || pairs_table(&table, o, r, w, s, list, e);
    if (!s->count)
        buf_printf(&out, "<p>No pair.</p>\n");
    else
        buf_add(&out, table.data, table.len);
    buf_printf(&out, "</body></html>\n");
    bad = bad || file_write(path, out.data, out.len, e);
    if (write_json(o, s, found, list, bad ? NULL : e)) bad = -1;
    buf_free(&out), buf_free(&table);
    free(folder), free(path);
    return bad ? -1 : 0;
}
