/* page.c - HTML pages: one for each student, and one for the instructor. Each is one file without
 * scripts.
 *
 *     results/NAME.json --> pages/NAME.html    score, each exercise, why points are missing (student.c)
 *                      └--> index.html         points, exercises, times, students (overview.c); mistakes.c
 *
 * Colours only repeat numbers beside them. Plots shrink, and wide tables scroll within the page:
 * a page 400 pixels wide is read by scrolling down. */
#include "grading/page.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char style[] =
    ":root{--bar:#3b78b5}@media screen and (prefers-color-scheme:dark){:root{--bar:#6ea8dc}}\n"
    "body{font:16px/1.5 var(--sans);max-width:62em;margin:1em auto;padding:0 1em;overflow-wrap:anywhere}\n"
    "h2{margin-top:2em}h3{font-size:1em}nav ul{display:flex;flex-wrap:wrap;gap:.2em 1.2em}\n"
    "nav ul{list-style:none;padding:0}\n"
    "th{vertical-align:bottom}.wide{overflow-x:auto}\n"
    "td,th{padding:.2em .5em;text-align:right}\n"
    "td,th{overflow-wrap:normal}.words td{overflow-wrap:anywhere}\n"
    "th:first-child,td:first-child,.text :is(td,th){text-align:left}\n"
    ".heat{background:color-mix(in srgb,var(--bar) calc(var(--heat)*.5),transparent)}\n"
    ".remark{text-align:left;min-width:16em;overflow-wrap:anywhere}\n"
    ".code{overflow-x:auto;font-size:14px}svg{max-width:100%;height:auto}\n"
    "rect,circle{fill:var(--bar)}circle{fill-opacity:.6}line{stroke:#8888}\n"
    "text{fill:currentColor;font-size:13px}.mid{text-anchor:middle}\n"
    ".two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,28em),1fr));gap:0 1em}\n"
    ".two>div{min-width:0}.two pre{white-space:pre-wrap;tab-size:2;font-size:12px;line-height:1.3}\n"
    "mark{background:#fc05;color:inherit}\n"
    "@media(forced-colors:active){rect,circle{fill:CanvasText}}\n"
    "@media(max-width:40em){.side :is(td,th):first-child{position:sticky;left:0;\n"
    "background:var(--paper);min-width:8em;max-width:10em;overflow-wrap:anywhere}\n"
    "text{font-size:16px}" /* a plot shrinks */
    ".side :is(td,th){padding:.2em .3em}}\n"
    "@media print{.wide{overflow:visible}.code{white-space:pre-wrap}nav{display:none}body{max-width:none}\n"
    "h2,h3{break-after:avoid}tr,svg,.code{break-inside:avoid}}\n";

void page_head(struct buf *out, const char *title)
{
    buf_printf(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width\"><title>");
    result_escape(out, title);
    buf_printf(out,
        "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>%s%s</style>\n</head><body>\n<main>\n<h1>",
        view_style, style);
    result_escape(out, title);
    buf_printf(out, "</h1>\n");
}

void page_end(struct buf *out) { buf_printf(out, "</main>\n</body></html>\n"); }

void page_table(struct buf *out, const char *label, const char *class)
{
    buf_printf(out,
        "<div class=\"wide\" role=\"region\" aria-label=\"%s\" tabindex=\"0\"><table class=\"%s\">\n",
        label, class);
}

void page_table_end(struct buf *out) { buf_printf(out, "</table></div>\n"); }

void page_address(struct buf *out, const char *name)
{
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        buf_printf(out, isalnum(*p) || strchr("-._", *p) ? "%c" : "%%%02X", *p);
}

void page_student_link(struct buf *out, const char *student)
{
    buf_printf(out, "<a href=\"pages/");
    page_address(out, student);
    buf_printf(out, ".html\">");
    result_escape(out, student);
    buf_printf(out, "</a>");
}

/* ---- the class ---- */

/* Append the submissions that could not be graded because of an error of the environment, and
 * files that could not be read. */
static void failures(struct buf *out, const struct roster *r)
{
    size_t any = 0;
    buf_printf(out, "<h2 id=\"failures\">Failures of the machine</h2>\n");
    for (size_t i = 0; i < r->count; i++) {
        if (!r->list[i].stopped) continue;
        if (!any++)
            buf_printf(out,
                "<p>These have no points or old ones; the same command grades them.</p>\n<ul>\n");
        buf_printf(out, "<li>");
        result_escape(out, r->list[i].name);
        buf_printf(out, ": ");
        result_escape(out, r->list[i].stopped);
        buf_printf(out, "</li>\n");
    }
    buf_printf(out, any ? "</ul>\n" : "<p>None: every submission was graded.</p>\n");
}

static void class_page(
    struct buf *out, const struct roster *r, const struct graded *g, long long seed)
{
    page_head(out, "The class");
    buf_printf(out,
        "<p>%zu submissions, %zu graded, with the seed %lld. <a "
        "href=\"gradebook.csv\">gradebook.csv</a>, <a href=\"parts.csv\">parts.csv</a>, "
        "<a href=\"similar.html\">who worked together</a></p>\n",
        r->count, g->count, seed);
    if (g->count) {
        buf_printf(out,
            "<nav aria-label=\"sections\"><ul><li><a href=\"#points\">Points</a></li><li><a "
            "href=\"#exercises\">Exercises</a></li><li><a "
            "href=\"#parts\">Parts</a></li><li><a href=\"#mistakes\">Mistakes</a></li><li><a "
            "href=\"#unlike\">Other ways</a></li><li><a "
            "href=\"#time\">Time</a></li><li><a href=\"#failures\">Failures</a></li><li><a "
            "href=\"#students\">Students</a></li></ul></nav>\n");
        overview_points(out, g);
        overview_exercises(out, g);
        overview_parts(out, g);
        mistakes(out, g);
        overview_unlike(out, g);
        overview_times(out, g);
    }
    failures(out, r);
    if (g->count) overview_students(out, g);
    page_end(out);
}

int pages_write(const struct class_options *o, const struct roster *r, struct err *e)
{
    char *folder = xasprintf("%s/pages", o->results),
         *index = xasprintf("%s/index.html", o->results);
    struct graded g = {xcalloc(r->count, sizeof *g.results), 0};
    struct buf out = {0};
    int bad = mkdir(folder, 0777) && errno != EEXIST
                  ? err_set(e, ERR_ENV, "%s: cannot be made: %s", folder, strerror(errno))
                  : 0;
    for (size_t i = 0; i < r->count && !bad; i++) {
        char *from = xasprintf("%s/%s.json", o->results, r->list[i].name),
             *to = xasprintf("%s/%s.html", folder, r->list[i].name);
        if ((g.results[g.count] = result_load(from))) {
            student_page(&out, g.results[g.count++]);
            /* not synced to disk: the page can be made again from the results */
            bad = file_write_scratch(to, out.data, out.len, e);
            buf_free(&out);
        }
        free(from), free(to);
    }
    class_page(&out, r, &g, (long long)o->seed);
    if (!bad) bad = file_write(index, out.data, out.len, e);
    for (size_t i = 0; i < g.count; i++) json_decref(g.results[i]);
    buf_free(&out);
    free(g.results), free(folder), free(index);
    return bad ? -1 : 0;
}
