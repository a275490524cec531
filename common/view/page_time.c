/* page_time.c - on the page of a profile, the memory with the bytes moved between its levels, and
 * how the time is spent.
 *
 *     +-------+   <== 16.8M    +----+   <== 16.8M   +----+   <== 16.8M   +------+
 *     | lanes |   16.8M ==>    | L1 |   16.8M ==>   | L2 |   16.8M ==>   | DRAM |
 *     +-------+   87% of peak  +----+   26%         +----+   38%         +------+
 *
 * The more bytes, the thicker is an arrow. */
#include "view/page.h"
#include "view/svg.h"

#include <string.h>

enum { BOX = 84, LINK = 116, TALL = 96, LEFT = 12 };

/* Draw one arrow for bytes that are moved. Loads point to the left. most: the bytes of the thickest
 * arrow. */
static void arrow(struct buf *out, double x, double y, double bytes, double most, int loads)
{
    char text[16];
    double thick = bytes > 0 && most > 0 ? 1 + 9 * bytes / most : 1, from = x + 8,
           to = x + LINK - 8;
    double tip = loads ? from : to, foot = loads ? from + 10 : to - 10;
    profile_number(bytes, text);
    svg_text(out, x + LINK / 2.0, y - 8, 13, "middle", text);
    if (bytes <= 0) return;
    buf_printf(out,
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#666\" stroke-width=\"%.1f\"/>\n",
        loads ? foot : from, y, loads ? to : foot, y, thick);
    buf_printf(out, "<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fz\" fill=\"#666\"/>\n", tip, y, foot,
        y - 3 - thick / 2, foot, y + 3 + thick / 2);
}

static void box(struct buf *out, double x, double y, const char *name)
{
    char first[16];
    size_t n = strcspn(name, " ");
    snprintf(first, sizeof first, "%.*s", (int)n, name);
    svg_box(out, x, y, BOX, TALL - 10, LANE, "#666");
    svg_text(out, x + BOX / 2.0, y + TALL / 2.0 - (name[n] ? 6 : 0), 14, "middle", first);
    if (name[n]) svg_text(out, x + BOX / 2.0, y + TALL / 2.0 + 12, 14, "middle", name + n + 1);
}

/* Draw a row of boxes for the levels of memory, beginning with the lanes, with arrows between
 * them. */
static void path(struct buf *out, const struct profile_flow *f, int count, double y, double most)
{
    double x = LEFT;
    box(out, x, y, f[0].from);
    for (int i = 0; i < count; i++) {
        char busy[32];
        x += BOX;
        arrow(out, x, y + 26, f[i].loaded, most, 1);
        arrow(out, x, y + 60, f[i].stored, most, 0);
        snprintf(busy, sizeof busy, "%.0f%% of peak", f[i].percent);
        svg_text(out, x + LINK / 2.0, y + 84, 12, "middle", busy);
        x += LINK;
        box(out, x, y, f[i].to);
    }
}

void page_memory(struct buf *out, const struct profile *p)
{
    struct profile_flow f[PROFILE_FLOWS];
    int count = profile_flows(p, f), shared = !strcmp(f[0].to, "shared memory"),
        links = count - shared;
    double most = 0;
    char a[16], b[16];
    struct buf notes = {0};
    for (int i = 0; i < count; i++) most = fmax(most, fmax(f[i].loaded, f[i].stored));
    buf_printf(out,
        "<p>Bytes that cross: loaded to the left, stored to the right.</p>\n<div class=\"scroll\">\n");
    svg_open(
        out, 2 * LEFT + links * (BOX + LINK) + BOX, 8 + TALL * (1 + shared), "memory, in bytes");
    path(out, &f[shared], links, 8, most);
    if (shared) path(out, f, 1, 8 + TALL, most);
    buf_printf(out,
        "</svg></div>\n<p>Of the bytes between lanes and L1, lanes wanted %s loaded and %s stored. ",
        profile_number(f[shared].wanted_loaded, a), profile_number(f[shared].wanted_stored, b));
    profile_flow_notes(p, &notes);
    buf_printf(out, "%s</p>\n", notes.data ? notes.data : "");
    buf_free(&notes);
}

/* ---- time ---- */

/* Append the three terms whose sum is the modelled time. */
static void sum(struct buf *out, const struct profile *p, const struct profile_time *t)
{
    buf_printf(out, "<p>Modelled: ");
    buf_rounded(out, p->m.ms);
    buf_printf(out, " ms, which are</p>\n<div class=\"scroll\"><table>\n");
    for (int i = 0; i < TIME_PARTS; i++) {
        buf_printf(out, "<tr><td>%c</td><td class=\"name\">%s</td><td>", i ? '+' : '=', t[i].name);
        buf_rounded(out, t[i].ms);
        buf_printf(out, " ms</td><td>%.0f%%</td><td class=\"name\">%s</td></tr>\n", t[i].percent,
            t[i].note);
    }
    buf_printf(out, "</table></div>\n");
}

/* Draw a bar for each part of the GPU. The longest bar has the full width; the bottleneck has
 * another colour and is named. */
static void parts(struct buf *out, const struct profile_time *t, int count)
{
    double most = t[TIME_LONGEST].ms;
    buf_printf(out, "<p>" PARTS_OVERLAP "</p>\n<div class=\"scroll\"><table class=\"time\">\n");
    for (int i = TIME_PARTS; i < count; i++) {
        /* a part whose bar would be empty on the terminal is left out here, too */
        if (t[i].ms * 48 < most) continue;
        buf_printf(
            out, "<tr><td class=\"name\">%s%s</td><td>", t[i].name, t[i].limit ? ", limits" : "");
        buf_rounded(out, t[i].ms);
        buf_printf(out, " ms</td><td>");
        if (t[i].unit) buf_printf(out, "%.0f%%", t[i].percent);
        buf_printf(out,
            "</td><td class=\"bars\"><div class=\"bar%s\" style=\"width:%.1f%%\"></div></td></tr>\n",
            t[i].limit ? " most" : "", 100 * t[i].ms / most);
    }
    buf_printf(out, "</table></div>\n");
}

void page_time(struct buf *out, const struct profile *p)
{
    struct profile_time t[PROFILE_TIMES];
    int count = profile_times(p, t);
    sum(out, p, t);
    parts(out, t, count);
    buf_printf(out, "<p>");
    if (profile_tail(p) >= LEAST_TAIL)
        buf_printf(out,
            "The last blocks: the busiest multiprocessor has %.0f%% more of them than the mean. ",
            100 * profile_tail(p));
    profile_bottleneck(p, out);
    buf_printf(out, "</p>\n");
}
