/* page.c - profiles as one HTML page that needs no other file, no network and no script.
 *
 *     title; contents: the launches with their times, and links to the parts of each
 *     for each launch:
 *         before and now             what changed and why, if there is a profile to compare with
 *         what costs most            the advice, with links to its line and its picture
 *         memory, time               bytes moved, how the time adds up, a bar for each part
 *         source                     lines with counters and PTX
 *         which lane touches what    the first warp's addresses as SVG (profile_map.c), line by line
 *         roofline, counters         the kernel's point, then every counter with its unit and meaning
 *
 * Launches after the first, the pictures of lines without advice, the roofline and the counters are
 * folded. A link opens the part that its id lies in. */
#include "view/page.h"

#include <stdlib.h>
#include <string.h>

void page_escaped(struct buf *out, const char *text, int length)
{
    for (int i = 0; i < length; i++) switch (text[i]) {
        case '<': buf_printf(out, "&lt;"); break;
        case '>': buf_printf(out, "&gt;"); break;
        case '&': buf_printf(out, "&amp;"); break;
        case '"': buf_printf(out, "&quot;"); break;
        default: buf_add(out, &text[i], 1);
        }
}

void page_words(struct buf *out, const char *text) { page_escaped(out, text, (int)strlen(text)); }

/* The styles of this page that style.css does not have. */
static const char style[] =
    ":root{--heat:242,150,70;--gone:#fbe3e0;--come:#e0f3e3}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--heat:220,110,20;--gone:#44211e;--come:#1c3a22}}\n"
    "body{font:16px/1.5 var(--sans);margin:2em auto;max-width:96em;padding:0 1em;overflow-wrap:anywhere}\n"
    "h1{font-size:1.4em}h2{font-size:1.25em}"
    "h3{font-size:1.1em;margin-top:1.6em}h4{font-size:1em;margin:1em 0 .3em}"
    "p,li{max-width:60em}\n"
    "table{font-size:14px;overflow-wrap:normal}"
    "td,th{padding:1px 6px;text-align:right;border-bottom:0}"
    "th{border-bottom:2px solid var(--line);vertical-align:bottom}td.name,th.name{text-align:left}"
    "td.code{text-align:left;white-space:pre;font-family:var(--mono)}summary{cursor:pointer}"
    "summary>*{display:inline}.part{margin:.8em 0}.part>div{scroll-margin-top:3em}"
    ".launch{margin-top:2em;border-top:1px solid var(--line);padding-top:1em}"
    ".source td{white-space:nowrap}.source td.code{white-space:pre-wrap;min-width:24em}"
    ".source td.ptx{text-align:left;font-family:var(--mono);white-space:pre}"
    ".source td.what{white-space:normal}"
    ".source tr:target td{border-top:2px solid;border-bottom:2px solid}tr.hot td{background:var(--panel)}\n"
    ".mark{display:inline-block;width:.7em;text-align:left}"
    "tr td.h1{background:rgba(var(--heat),.1)}tr td.h2{background:rgba(var(--heat),.2)}"
    "tr td.h3{background:rgba(var(--heat),.32);font-weight:bold}"
    "tr td.h4{background:rgba(var(--heat),.45);font-weight:bold}"
    "td.gone{background:var(--gone)}td.come{background:var(--come)}\n"
    ".scroll{overflow-x:auto}svg{font-family:var(--sans)}"
    ".time{width:100%;max-width:48em}.time td{white-space:nowrap}.time td.bars{width:100%;min-width:8em}"
    ".bar{background:var(--good);height:12px;margin-top:4px}.bar.most{background:var(--bad)}\n";

/* ---- the parts of a launch; the id of one is k<launch>-<its name here> ---- */

enum page_part {
    PAGE_CHANGE,
    PAGE_COSTS,
    PAGE_MEMORY,
    PAGE_TIME,
    PAGE_SOURCE,
    PAGE_LANES,
    PAGE_ROOFLINE,
    PAGE_COUNTERS,
    PAGE_PARTS
};
static const char *const parts[PAGE_PARTS][2] = {{"change", "Before and now"},
    {"costs", "What costs most"}, {"memory", "Memory"}, {"time", "Time"}, {"source", "Source"},
    {"lanes", "Which lane touches what"}, {"roofline", "Roofline"}, {"counters", "Counters"}};

static void heading(struct buf *out, int launch, enum page_part part)
{
    buf_printf(out, "<h3 id=\"k%d-%s\">%s</h3>\n", launch, parts[part][0], parts[part][1]);
}

static void folded(struct buf *out, int launch, enum page_part part)
{
    buf_printf(out, "<details class=\"part\"><summary><h3>%s</h3></summary>\n<div id=\"k%d-%s\">\n",
        parts[part][1], launch, parts[part][0]);
}

/* Append all counters that are not 0, with both names; then a list of those that are 0. */
static void counters(struct buf *out, const struct profile *p)
{
    char text[16];
    struct buf zeros = {0};
    buf_printf(out,
        "<div class=\"scroll\"><table>\n<tr><th scope=\"col\" class=\"name\">ncu</th>"
        "<th scope=\"col\" class=\"name\">nvprof</th><th scope=\"col\">value</th>"
        "<th scope=\"col\" class=\"name\">unit</th><th scope=\"col\" class=\"name\">meaning</th></tr>\n");
    for (int i = 0; i < METRIC_COUNT; i++) {
        const struct metric_info *m = &model_metrics[i];
        if (p->m.metrics.v[i] == 0)
            buf_printf(&zeros, "%s%s", zeros.len ? ", " : "", m->ncu);
        else if (isfinite(p->m.metrics.v[i]))
            buf_printf(out,
                "<tr><td class=\"name\">%s</td><td class=\"name\">%s</td><td>%s</td><td "
                "class=\"name\">%s</td><td class=\"name\">%s</td></tr>\n",
                m->ncu, m->nvprof, profile_number(p->m.metrics.v[i], text), m->unit, m->meaning);
    }
    buf_printf(out, "</table></div>\n");
    if (zeros.len) buf_printf(out, "<p>0: %s</p>\n", zeros.data);
    buf_free(&zeros);
}

/* Append the lines that cost most, with advice. Links lead to the ids that page_source and pictures
 * set. */
static void costs(
    struct buf *out, const struct profile *p, int launch, const struct advice *a, int count)
{
    heading(out, launch, PAGE_COSTS);
    buf_printf(out, "<ol>\n");
    for (int i = 0; i < count; i++) {
        char *text = source_line(p->source, a[i].line);
        buf_printf(out, "<li><a href=\"#k%d-line%d\">line %d</a> (%.0f%%): <code>", launch,
            a[i].line, a[i].line, 100 * a[i].share);
        page_words(out, text);
        buf_printf(out, "</code><br>");
        page_words(out, a[i].text);
        if (profile_pictured(p, a[i].line))
            buf_printf(out, " <a href=\"#k%d-map%d\">Its picture</a>", launch, a[i].line);
        buf_printf(out, "</li>\n");
        free(text);
    }
    buf_printf(out, "</ol>\n");
}

static int advised(int line, const struct advice *a, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i].line == line) return 1;
    return 0;
}

/* Append the drawn accesses of each line that has any. */
static void pictures(
    struct buf *out, const struct profile *p, int launch, const struct advice *a, int count)
{
    heading(out, launch, PAGE_LANES);
    if (!p->m.access_count)
        buf_printf(out, "<p>The kernel accesses neither global nor shared memory.</p>\n");
    else
        buf_printf(
            out, "<p>The first warp's addresses, in bytes from the start of each buffer.</p>\n");
    for (size_t i = 0; i < p->m.access_count; i++) {
        int line = p->m.accesses[i].line;
        struct buf svg = {0};
        if (i && line == p->m.accesses[i - 1].line) continue;
        char *text = source_line(p->source, line);
        buf_printf(out, "<details class=\"part\"%s><summary><h4>line %d: <code>",
            advised(line, a, count) ? " open" : "", line);
        page_words(out, text);
        buf_printf(out,
            "</code></h4></summary>\n<div class=\"scroll\" id=\"k%d-map%d\">"
            "<a href=\"#k%d-line%d\">In the source</a><br>\n",
            launch, line, launch, line);
        if (!profile_map_svg(p, line, &svg, NULL)) buf_add(out, svg.data, svg.len);
        buf_printf(out, "</div></details>\n");
        buf_free(&svg);
        free(text);
    }
}

/* Append a link to each picture: ": line 15, 22". */
static void picture_links(struct buf *out, const struct profile *p, int launch)
{
    for (size_t i = 0; i < p->m.access_count; i++) {
        int line = p->m.accesses[i].line;
        if (i && line == p->m.accesses[i - 1].line) continue;
        buf_printf(
            out, "%s<a href=\"#k%d-map%d\">%d</a>", i ? ", " : ": line ", launch, line, line);
    }
}

/* Append what the kernel wrote with printf, if anything. */
static void printed(struct buf *out, const struct profile *p)
{
    if (!p->m.printed) return;
    buf_printf(out, "<h3>Printed by the kernel</h3>\n<pre class=\"scroll\">");
    page_words(out, p->m.printed);
    buf_printf(out, "</pre>\n");
}

static void occupancy(struct buf *out, const struct profile *p)
{
    struct buf why = {0};
    buf_printf(out, "Occupancy %.3g%%: warps: ", p->m.metrics.v[METRIC_OCCUPANCY]);
    warps_text(out, p->gpu, &p->m.occupancy, profile_blocks(p));
    buf_printf(out, ".</p>\n");
    profile_doubts(p, &why);
    if (why.len) {
        buf_printf(out, "<p><strong>");
        page_words(out, why.data);
        buf_printf(out, "</strong></p>\n");
    }
    buf_free(&why);
}

static void section(struct buf *out, const struct profile *p, int launch)
{
    struct advice a[ADVICES];
    int count = profile_advise(p, a);
    buf_printf(out, "<details class=\"part launch\"%s><summary><h2>", launch ? "" : " open");
    page_words(out, p->kernel);
    buf_printf(out, "</h2> ");
    page_words(out, p->what);
    buf_printf(out, "</summary>\n<div id=\"k%d\">\n", launch);
    buf_printf(out, "<p>Grid (%u,%u,%u), block (%u,%u,%u), ", p->grid[0], p->grid[1], p->grid[2],
        p->block[0], p->block[1], p->block[2]);
    if (p->shared) buf_printf(out, "%zu bytes of dynamic shared memory, ", p->shared);
    page_words(out, p->what);
    buf_printf(out, ". ");
    occupancy(out, p);
    if (p->before) {
        heading(out, launch, PAGE_CHANGE);
        page_change(out, p);
    }
    costs(out, p, launch, a, count);
    heading(out, launch, PAGE_MEMORY);
    page_memory(out, p);
    heading(out, launch, PAGE_TIME);
    page_time(out, p);
    heading(out, launch, PAGE_SOURCE);
    page_source(out, p, launch, a, count);
    pictures(out, p, launch, a, count);
    folded(out, launch, PAGE_ROOFLINE);
    page_roofline(out, p);
    buf_printf(out, "</div></details>\n");
    folded(out, launch, PAGE_COUNTERS);
    counters(out, p);
    buf_printf(out, "</div></details>\n");
    printed(out, p);
    buf_printf(out, "</div></details>\n");
}

/* Append the contents: the launches with their times, links to the parts of each, and to the
 * picture of each line. */
static void contents(struct buf *out, const struct profile *p, int count)
{
    buf_printf(out, "<nav aria-label=\"contents\"><ul>\n");
    for (int i = 0; i < count; i++) {
        buf_printf(out, "<li><a href=\"#k%d\">", i);
        page_words(out, p[i].kernel);
        buf_printf(out, "</a>, ");
        page_words(out, p[i].what);
        buf_printf(out, ": ");
        buf_rounded(out, p[i].m.ms);
        if (p[i].before) {
            buf_printf(out, " ms, before ");
            buf_rounded(out, p[i].before->m.ms);
        }
        buf_printf(out, " ms<br>\n");
        for (int part = p[i].before ? PAGE_CHANGE : PAGE_COSTS; part < PAGE_PARTS; part++) {
            buf_printf(out, "<a href=\"#k%d-%s\">%s</a>", i, parts[part][0], parts[part][1]);
            if (part == PAGE_LANES) picture_links(out, &p[i], i);
            buf_printf(out, part + 1 < PAGE_PARTS ? " &middot; " : "");
        }
        buf_printf(out, "</li>\n");
    }
    buf_printf(out, "</ul></nav>\n");
}

/* What comes from the user (names, files and arguments) is escaped; device, title and front end are
 * the kit's own strings. */
void profile_page(const struct profile *p, int count, struct buf *out)
{
    buf_printf(out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>");
    page_words(out, p->file);
    buf_printf(out, " on %s</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>", p->device,
        view_style, style);
    page_words(out, p->file);
    buf_printf(out,
        " on %s</h1>\n<p>Launched on %s, compiled by %s. Counters are exact, times are modelled.</p>\n",
        p->gpu->title, p->device, p->front);
    contents(out, p, count);
    for (int i = 0; i < count; i++) section(out, &p[i], i);
    buf_printf(out, "</body>\n</html>\n");
}
