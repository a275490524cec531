/* page_source.c - on the page of a profile, the source with counters and PTX of each line; and two
 * sources side by side.
 *
 *     inst %  lanes  requests ... | line  source                        PTX
 *     16.7    32     131.1k*      |   15  tile[y + j][x] = in[...];     > 12    opens: ld.global.f32 ...
 *
 * The larger a number's share of its column is, the darker is its cell, and the mark * or +
 * shows the same. */
#include "view/page.h"

#include <stdlib.h>
#include <string.h>

static const char *const titles[COLUMNS] = {
    [COLUMN_INST] = "inst %",
    [COLUMN_LANES] = "lanes of 32",
    [COLUMN_REQUESTS] = "global requests",
    [COLUMN_SECTORS] = "sectors a request",
    [COLUMN_WANTED] = "bytes wanted",
    [COLUMN_MOVED] = "bytes moved",
    [COLUMN_SHARED] = "shared inst",
    [COLUMN_WAVEFRONTS] = "wave&shy;fronts each",
    [COLUMN_CONFLICTS] = "conflicts",
    [COLUMN_BULK] = "bytes by the copy engine",
};

/* Append a table cell with a number; it is empty if the number was not counted or does not apply.
 * heat: the number's share of its column, 0 to 1. */
static void cell(struct buf *out, double v, double heat)
{
    static const double least[] = {0.1, HEAT_FIFTH / 100.0, HEAT_HALF / 100.0, 0.8};
    char text[16], mark = profile_mark(heat);
    int level = 0;
    while (level < 4 && heat >= least[level]) level++;
    if (isnan(v)) {
        buf_printf(out, "<td></td>");
        return;
    }
    if (level)
        buf_printf(out, "<td class=\"heat h%d\">%s", level, profile_number(v, text));
    else
        buf_printf(out, "<td>%s", profile_number(v, text));
    buf_printf(out, "<span class=\"mark\">%c</span></td>", mark);
}

/* Append the PTX instructions of a line, in a foldable cell. */
static void ptx_cell(struct buf *out, const struct profile *p, int line)
{
    struct buf ptx = {0};
    int count = 0;
    profile_ptx(p, line, &ptx);
    for (size_t i = 0; i < ptx.len; i++) count += ptx.data[i] == '\n';
    buf_printf(out, "<td class=\"ptx\">");
    if (count) {
        buf_printf(out, "<details><summary>%d</summary>", count);
        page_words(out, ptx.data);
        buf_printf(out, "</details>");
    }
    buf_printf(out, "</td>");
    buf_free(&ptx);
}

static void row(struct buf *out, const struct profile *p, int launch, int line, const char *text,
    int length, int hot)
{
    const struct metrics *m = profile_line(p, line);
    double v[COLUMNS];
    buf_printf(out, "<tr id=\"k%d-line%d\"%s>", launch, line, hot ? " class=\"hot\"" : "");
    if (m) profile_columns(p, m, v);
    for (int c = 0; c < COLUMNS; c++) {
        if (!profile_has(p, (enum column)c)) continue;
        if (m)
            cell(out, v[c], profile_heat(p, m, (enum column)c));
        else
            buf_printf(out, "<td></td>");
    }
    buf_printf(out, "<td>%s%d</td><td class=\"code\">", hot ? "<strong>&gt;</strong> " : "", line);
    page_escaped(out, text, length);
    buf_printf(out, "</td>");
    if (m)
        ptx_cell(out, p, line);
    else
        buf_printf(out, "<td></td>");
    buf_printf(out, "</tr>\n");
}

/* Append the source lines that the report on a terminal shows, too, with their counters. Lines with
 * advice are marked. */
void page_source(
    struct buf *out, const struct profile *p, int launch, const struct advice *a, int advices)
{
    int line = 1, skipped = 0, wide = 3;
    buf_printf(out, "<div class=\"scroll\"><table class=\"source\">\n<tr>");
    for (int c = 0; c < COLUMNS; c++) {
        if (!profile_has(p, (enum column)c)) continue;
        int old = c == COLUMN_SECTORS && !model_has(p->gpu, FEATURE_SECTORS);
        buf_printf(
            out, "<th scope=\"col\">%s</th>", old ? "trans&shy;actions a request" : titles[c]);
        wide++;
    }
    buf_printf(out, "<th scope=\"col\">line</th><th scope=\"col\" class=\"name\">source</th>"
                    "<th scope=\"col\" class=\"name\">PTX</th></tr>\n");
    for (const char *at = p->source; at && *at; line++) {
        int length = (int)strcspn(at, "\r\n"), hot = 0;
        for (int i = 0; i < advices; i++) hot |= a[i].line == line;
        if (!profile_near(p, line))
            skipped++;
        else {
            if (skipped)
                buf_printf(out, "<tr><td colspan=\"%d\" class=\"code\">...</td></tr>\n", wide);
            skipped = 0;
            row(out, p, launch, line, at, length, hot);
        }
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    buf_printf(out,
        "</table></div>\n<p>*: at least half of what the launch has, +: at least a fifth; the darker "
        "a cell, the larger its share. &gt;: a line that costs most. PTX: press its number.</p>\n");
}

/* ---- two sources ---- */

/* Append one side of a line of two sources: line number and text. sign: a mark for a line that only
 * this side has. */
static void half(struct buf *out, const struct profile *p, int line, int same, char sign)
{
    char *text = line ? source_line(p->source, line) : NULL;
    if (!line) {
        buf_printf(out, "<td></td><td></td><td></td>");
        return;
    }
    const char *kind = same ? "" : sign == '-' ? " gone" : " come";
    buf_printf(out, "<td>%d</td><td>%c</td><td class=\"code%s\">", line, same ? ' ' : sign, kind);
    page_words(out, text);
    buf_printf(out, "</td>");
    free(text);
}

static void folded(struct buf *out, int *alike)
{
    if (*alike)
        buf_printf(out, "<tr><td colspan=\"6\" class=\"code\">... %d line%s as before</td></tr>\n",
            *alike, plural_s(*alike));
    *alike = 0;
}

static void sides(
    struct buf *out, const struct profile *p, const struct line_pair *pairs, int count)
{
    int alike = 0;
    buf_printf(out,
        "<p>Line by line; below a line, its counters, before -&gt; now.</p>\n<div class=\"scroll\"><table "
        "class=\"source\">\n<tr><th scope=\"col\" colspan=\"3\" class=\"name\">before: ");
    page_words(out, p->before->file);
    buf_printf(out, "</th><th scope=\"col\" colspan=\"3\" class=\"name\">now: ");
    page_words(out, p->file);
    buf_printf(out, "</th></tr>\n");
    for (int i = 0; i < count; i++) {
        struct buf what = {0};
        profile_line_change(p, &pairs[i], PART_NONE, LINE_CHANGES, &what);
        if (pairs[i].same && !what.len)
            alike++;
        else {
            folded(out, &alike);
            buf_printf(out, "<tr>");
            half(out, p->before, pairs[i].before, pairs[i].same, '-');
            half(out, p, pairs[i].now, pairs[i].same, '+');
            buf_printf(out, "</tr>\n");
            if (what.len)
                buf_printf(out, "<tr><td></td><td></td><td colspan=\"4\" class=\"name what\">");
            page_words(out, what.data ? what.data : "");
            if (what.len) buf_printf(out, "</td></tr>\n");
        }
        buf_free(&what);
    }
    folded(out, &alike);
    buf_printf(out, "</table></div>\n");
}

void page_change(struct buf *out, const struct profile *p)
{
    struct line_pair *pairs;
    struct buf why = {0}, launch = {0};
    int count = profile_pairs(p->before, p, &pairs), first = 1;
    profile_launch(p->before, &launch);
    profile_why(p, pairs, count, &why);
    buf_printf(out, "<p>before: ");
    page_words(out, launch.data);
    for (char *rest = why.data, *one; (one = strsep(&rest, "\n")); first = 0) {
        if (!*one) continue;
        buf_printf(out, first ? "</p>\n<p><strong>" : "<li>");
        page_words(out, one);
        buf_printf(out, first ? "</strong></p>\n<ul>\n" : "</li>\n");
    }
    buf_printf(out, "</ul>\n");
    sides(out, p, pairs, count);
    buf_free(&why);
    buf_free(&launch);
    free(pairs);
}
