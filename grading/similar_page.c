/* similar_page.c - similar/pairs.json, similar.html and a page per pair, side by side. No script.
 *
 *     similar.html ──> similar/A--B.html      what equals the solution, equal hand-ins, then pairs
 *
 *     margin of a line   "  12   40> "  line 12 matches what begins in line 40 of the other side, to which
 *                        "  13     > "  40 is a link; and so does line 13
 */
#include "grading/similar.h"
#include "os/os.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* PAIRS_MOST: pairs that get a page; NAMES_MOST: bytes of two names in the name of their page. */
enum { PAIRS_MOST = 50, NAMES_MOST = 200 };

/* ---- a pair ---- */

/* One of two texts shown side by side. to[line], from 1: the line of the other text where the
 * statements begin that this line matches; 0: it matches none. */
struct side {
    const char *who, *text;
    struct runs runs;
    int *to;
};

static void match_lines(const struct side *s, const struct run *from, const struct run *at)
{
    for (int line = from->first; line <= from->last; line++)
        if (!s->to[line]) s->to[line] = at->first;
}

/* Match the statements that both sides have. Returns their weight. */
static double match(struct side s[2], const struct works *w)
{
    double shared = 0;
    for (int i = 0; i < 2; i++) {
        runs_read(&s[i].runs, 0, s[i].text);
        s[i].to = xcalloc(strlen(s[i].text) + 2, sizeof *s[i].to);
    }
    if (s[1].runs.count) qsort(s[1].runs.list, s[1].runs.count, sizeof(struct run), compare_hashes);
    for (size_t i = 0; s[1].runs.count && i < s[0].runs.count; i++) {
        const struct run *a = &s[0].runs.list[i], *b = find_run(&s[1].runs, a->hash),
                         *known = find_run(&w->runs, a->hash);
        if (!b || !known || known->weight == 0) continue;
        shared += known->weight;
        match_lines(&s[0], a, b), match_lines(&s[1], b, a);
    }
    return shared;
}

/* Append a side of exercise x, with links to the other side, whose letter is other. links: gets the
 * two lines of each link; NULL: not wanted. */
static void show_side(struct buf *out, const struct side *s, size_t x, int other, json_t *links)
{
    const char *p = s->text;
    buf_printf(out, "<div><h3>");
    result_escape(out, s->who);
    buf_printf(out, "</h3>\n<pre>");
    for (int line = 1; *p; line++) {
        int to = s->to[line], is_link = to && to != s->to[line - 1];
        char *text = xstrndup(p, strcspn(p, "\n"));
        buf_printf(out, "%4d ", line);
        if (is_link) {
            buf_printf(out, "<a href=\"#%c%zu-%d\">%4d</a>", other, x, to, to);
            json_array_append_new(links, json_pack("[i,i]", line, to));
        }
        buf_printf(out, is_link ? "&gt; " : to ? "    &gt; " : "      ");
        if (to) buf_printf(out, "<mark id=\"%c%zu-%d\">", 'a' + 'b' - other, x, line);
        result_escape(out, text);
        buf_printf(out, to ? "</mark>\n" : "\n");
        p += strlen(text);
        p += *p == '\n';
        free(text);
    }
    buf_printf(out, "</pre></div>\n");
}

/* Append an exercise to a pair's page and to the JSON, if the two students share at least the
 * weight of a statement that nobody else has. Returns whether they do. */
static int show_exercise(
    struct buf *out, json_t *all, const struct works *w, const struct pair *p, size_t x)
{
    struct side s[2] = {{w->student[p->a].name, work_of(w, p->a, x)->text},
        {w->student[p->b].name, work_of(w, p->b, x)->text}};
    if (!s[0].text || !s[1].text) return 0;
    double shared = match(s, w);
    if (shared >= w->rare) {
        json_t *links = json_array();
        buf_printf(out, "<h2>%s</h2>\n<div class=\"two\">\n", w->name[x] + 1);
        show_side(out, &s[0], x, 'b', links);
        show_side(out, &s[1], x, 'a', NULL);
        buf_printf(out, "</div>\n");
        json_array_append_new(all, json_pack("{s:s,s:f,s:o}", "exercise", w->name[x] + 1, "shared",
                                       round(shared), "lines", links));
    }
    for (int i = 0; i < 2; i++) free(s[i].runs.list), free(s[i].to);
    return shared >= w->rare;
}

/* The name of a pair's page: "A--B"; a number where that is too long for a file, or another
 * pair could have this name. */
static char *page_name(const char *a, const char *b, size_t number)
{
    int own = !strstr(a, "--") && !strstr(b, "--") && strlen(a) + strlen(b) < NAMES_MOST;
    return own ? xasprintf("%s--%s", a, b) : xasprintf("%zu", number);
}

/* Write a pair's page, and list it. */
static int show_pair(
    struct buf *out, json_t *pairs, const struct works *w, const struct pair *p, struct err *e)
{
    const char *a = w->student[p->a].name, *b = w->student[p->b].name;
    char *name = page_name(a, b, json_array_size(pairs) + 1), *title = xasprintf("%s and %s", a, b),
         *path = xasprintf("%s/similar/%s.html", w->options->results, name);
    struct buf page = {0};
    json_t *exercises = json_array();
    page_head(&page, title);
    buf_printf(&page,
        "<p><a href=\"../similar.html\">All pairs</a>. A line with &gt; matches the other side but for "
        "names, numbers and comments; the number before &gt; leads to the line there. What was given "
        "and what many have does not count.</p>\n");
    buf_printf(out, "<li><a href=\"similar/");
    page_address(out, name);
    buf_printf(out, ".html\">");
    result_escape(out, title);
    buf_printf(out, "</a> share %.0f:", p->shared);
    for (size_t x = 0; x < w->exercises; x++)
        if (show_exercise(&page, exercises, w, p, x)) buf_printf(out, " %s", w->name[x] + 1);
    buf_printf(out, "</li>\n");
    page_end(&page);
    json_array_append_new(
        pairs, json_pack("{s:o,s:o,s:f,s:o}", "a", json_text(a), "b", json_text(b), "shared",
                   round(p->shared), "exercises", exercises));
    int bad = file_write_scratch(path, page.data, page.len, e);
    buf_free(&page);
    free(name), free(path), free(title);
    return bad;
}

/* ---- groups of students ---- */

/* List the students whose work for an exercise has this hash, after the name of the solution that
 * it equals. A group of fewer than two names is left out. */
static void show_group(struct buf *out, json_t *groups, const struct works *w, size_t exercise,
    uint64_t whole, const char *solution)
{
    json_t *group = solution ? json_pack("[s]", solution) : json_array();
    for (size_t s = 0; s < w->students; s++)
        if (work_of(w, s, exercise)->whole == whole)
            json_array_append_new(group, json_text(w->student[s].name));
    size_t count = json_array_size(group);
    for (size_t i = 0; count > 1 && i < count; i++) {
        buf_printf(out, i ? ", " : "\n<li>");
        result_escape(out, json_string_value(json_array_get(group, i)));
    }
    if (count > 1) json_array_append(groups, group);
    json_decref(group);
}

int similar_pages(const struct works *w, struct err *e)
{
    struct buf out = {0};
    char *folder = xasprintf("%s/similar", w->options->results),
         *json = xasprintf("%s/pairs.json", folder), *path = xasprintf("%s.html", folder),
         *class = xasprintf("%s/index.html", w->options->results);
    json_t *pairs = json_array(), *solved = json_array(), *clusters = json_array();
    int bad = 0;
    spawn_remove_directory(folder); /* pages of an earlier grading */
    mkdir(folder, 0777);
    page_head(&out, "Who worked together");
    buf_printf(&out,
        "<p>%sThis is a reason to read and to ask, never a score: no point depends on it. Names, "
        "numbers, comments, blanks and the order of statements make no difference. What the skeletons, "
        "the slides and the solutions have weighs nothing; else a run of statements weighs the more "
        "the fewer students have it.</p>\n"
        "<p>Of %zu pairs of different works the median shares a weight of %.0f. Pairs that share more "
        "than %.0f are unusual in this class: %zu.</p>\n<h2>Equals the solution</h2>\n<ul>\n",
        w->options->lock > 0 || file_exists(class) ? "<a href=\"index.html\">The class</a>. " : "",
        w->compared, w->median, w->limit, w->unusual);
    for (size_t x = 0; x < w->exercises; x++)
        if (w->solution[x]) show_group(&out, solved, w, x, w->solution[x], w->name[x] + 1);
    buf_printf(&out, "\n</ul>\n<h2>Equal works</h2>\n<ul>\n");
    for (const struct pair *p = w->pairs; p < w->pairs + w->unusual; p++)
        if (p->same)
            show_group(
                &out, clusters, w, w->exercises, work_of(w, p->a, w->exercises)->whole, NULL);
    buf_printf(&out, "\n</ul>\n<h2>Pairs that share most</h2>\n<ol>\n");
    for (size_t i = 0; i < w->unusual && i < PAIRS_MOST && !bad; i++)
        bad = show_pair(&out, pairs, w, &w->pairs[i], e);
    buf_printf(&out, "</ol>\n");
    page_end(&out);
    json_t *all = json_pack("{s:i,s:I,s:I,s:f,s:f,s:o,s:o,s:o}", "schema", 2, "pairs_compared",
        (json_int_t)w->compared, "pairs_found", (json_int_t)w->unusual, "median", round(w->median),
        "unusual_from", round(w->limit), "equals_the_solution", solved, "clusters", clusters,
        "pairs", pairs);
    char *text = json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    bad = bad || file_write(path, out.data, out.len, e) || file_write(json, text, strlen(text), e);
    buf_free(&out);
    json_decref(all);
    free(folder), free(json), free(path), free(class), free(text);
    return bad ? -1 : 0;
}
