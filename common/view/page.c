/* page.c - a profile as one HTML page that needs no other file, no network and no script.
 *
 *     title, launch, occupancy   what was launched, and on which GPU
 *     what costs most            the advice, each with a link to its line
 *     time                       a bar for each part of the modelled time
 *     source                     every line with its counters; lines with advice are highlighted
 *     which lane touches what    the first warp's addresses as SVG (profile_map.c)
 *     roofline, counters         the kernel's point, then every counter with its unit and meaning
 *
 * Source, for the roofline: Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009.
 */
#include "exercise/exercise.h"
#include "judge/judge.h"
#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Append text with HTML's special characters escaped. Every string from the kernel's file goes
 * through here. */
static void escaped(struct buf *out, const char *text, int length)
{
    for (int i = 0; i < length; i++) switch (text[i]) {
        case '<': buf_printf(out, "&lt;"); break;
        case '>': buf_printf(out, "&gt;"); break;
        case '&': buf_printf(out, "&amp;"); break;
        case '"': buf_printf(out, "&quot;"); break;
        default: buf_add(out, &text[i], 1);
        }
}

/* The whole string, escaped. */
static void words(struct buf *out, const char *text) { escaped(out, text, (int)strlen(text)); }

/* The page is light or dark as the reader's system is. The drawings keep a white background,
 * since their colours have a meaning. */
static const char style[] =
    ":root{color-scheme:light dark;--text:#222;--page:#fff;--rule:#999;--hot:#fdebd0;--link:#0645ad}\n"
    "@media(prefers-color-scheme:dark){"
    ":root{--text:#ddd;--page:#1b1d20;--rule:#666;--hot:#4a3413;--link:#8ab4f8}}\n"
    "body{font:15px/1.5 sans-serif;margin:2em auto;max-width:96em;padding:0 1em;"
    "color:var(--text);background:var(--page)}\n"
    "h1{font-size:1.4em}h2{font-size:1.15em;margin-top:2em}a{color:var(--link)}"
    "p,li{max-width:60em;overflow-wrap:anywhere}\n"
    "table{border-collapse:collapse;font-size:13px}td,th{padding:1px 6px;text-align:right}"
    "td.code{text-align:left;white-space:pre;font-family:monospace}\n"
    "th{border-bottom:1px solid var(--rule);vertical-align:bottom}"
    "tr.hot td{background:var(--hot)}td.name,th.name{text-align:left}\n"
    ".scroll{overflow-x:auto}svg{max-width:100%;height:auto;background:#fff;border-radius:4px}\n"
    ".time{width:100%;max-width:48em}.time td{white-space:nowrap}.time td.bars{width:100%}"
    ".bar{background:#7fb3e6;height:12px}.bar.most{background:#f2a35e}\n";

/* ---- the roofline: log axes, flop a byte across, GFLOPS up ---- */

/* The plot area in pixels. */
enum { LEFT = 70, TOP = 20, WIDTH = 620, HEIGHT = 300 };
struct roof {
    double peak, bandwidth;      /* GFLOPS; GB/s */
    double x0, x1, y0, y1;       /* log10 of the axes' ends */
};

/* Values to pixels, on logarithmic axes. SVG's y grows downwards. */
static double at_x(const struct roof *r, double v)
{
    return LEFT + WIDTH * (log10(v) - r->x0) / (r->x1 - r->x0);
}

static double at_y(const struct roof *r, double v)
{
    return TOP + HEIGHT * (1 - (log10(v) - r->y0) / (r->y1 - r->y0));
}

/* A grid line and a label for each power of ten. */
static void axes(struct buf *out, const struct roof *r)
{
    for (int k = (int)r->x0; k <= (int)r->x1; k++)
        buf_printf(out,
            "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" "
            "text-anchor=\"middle\">%g</text>\n",
            at_x(r, pow(10, k)), TOP, at_x(r, pow(10, k)), TOP + HEIGHT, at_x(r, pow(10, k)),
            TOP + HEIGHT + 16, pow(10, k));
    for (int k = (int)r->y0; k <= (int)r->y1; k++)
        buf_printf(out,
            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%g</text>\n",
            LEFT, at_y(r, pow(10, k)), LEFT + WIDTH, at_y(r, pow(10, k)), LEFT - 6, at_y(r, pow(10, k)) + 4,
            pow(10, k));
    buf_printf(out,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">floating-point operations a byte of device "
        "memory</text>\n"
        "<text x=\"14\" y=\"%d\" transform=\"rotate(-90 14 %d)\" text-anchor=\"middle\">GFLOPS</text>\n",
        LEFT + WIDTH / 2, TOP + HEIGHT + 36, TOP + HEIGHT / 2, TOP + HEIGHT / 2);
}

/* The roof rises with slope `bandwidth` up to the knee, where the intensity is peak / bandwidth,
 * and is flat at `peak` from there on. The peak counts a multiply-add as two operations. */
static void roofline(struct buf *out, const struct profile *p)
{
    double flops = model_flops(&p->m.metrics), x = p->m.metrics.v[METRIC_INTENSITY],
           y = flops / (p->m.ms * 1e6);
    struct roof r = {
        .peak = 2.0 * p->gpu->fp32_lanes * p->gpu->sms * p->gpu->clock_ghz, .bandwidth = p->gpu->dram_gbps};
    /* A logarithmic axis cannot show 0, and NAN compares false. */
    if (!(x > 0) || !(y > 0)) {
        buf_printf(out,
            "<p>This kernel has no floating-point operations or no device memory traffic, so the roofline "
            "has no point for it.</p>\n");
        return;
    }
    /* The axes cover at least 0.01 to 1000 flop a byte, and more if the kernel's point lies
     * outside. The y axis starts where the roof meets the left edge, or lower if the point is
     * below. */
    r.x0 = floor(fmin(-2, log10(x) - 0.5));
    r.x1 = ceil(fmax(3, log10(x) + 0.5));
    r.y0 = floor(fmin(log10(y), log10(r.bandwidth) + r.x0));
    r.y1 = ceil(log10(r.peak));
    double knee = r.peak / r.bandwidth, low = pow(10, r.x0), high = pow(10, r.x1);
    buf_printf(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
        "role=\"img\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#333\">\n<title>roofline</title>\n",
        LEFT + WIDTH + 20, TOP + HEIGHT + 46, LEFT + WIDTH + 20, TOP + HEIGHT + 46);
    axes(out, &r);
    buf_printf(out,
        "<polyline fill=\"none\" stroke=\"#333\" stroke-width=\"2\" points=\"%.1f,%.1f %.1f,%.1f "
        "%.1f,%.1f\"/>\n",
        at_x(&r, low), at_y(&r, low * r.bandwidth), at_x(&r, knee), at_y(&r, r.peak), at_x(&r, high),
        at_y(&r, r.peak));
    buf_printf(out,
        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f GFLOPS</text><text x=\"%.1f\" y=\"%.1f\">%.0f "
        "GB/s</text>\n",
        LEFT + WIDTH - 4, at_y(&r, r.peak) - 6, r.peak, at_x(&r, sqrt(low * knee)) + 10,
        at_y(&r, sqrt(low * knee) * r.bandwidth) + 12, r.bandwidth);
    char rate[16];
    int left = at_x(&r, x) > LEFT + WIDTH / 2; /* the label has room on the left of the point */
    buf_printf(out,
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"#f2a35e\"/><text x=\"%.1f\" y=\"%.1f\" "
        "text-anchor=\"%s\">",
        at_x(&r, x), at_y(&r, y), at_x(&r, x) + (left ? -10 : 10), at_y(&r, y) + 4, left ? "end" : "start");
    words(out, p->kernel);
    buf_printf(out, ": %.3g flop/byte, %s GFLOPS</text>\n</svg>\n", x, profile_number(y, rate));
}

/* ---- tables ---- */

/* An empty cell means "not counted" or "does not apply". */
static void cell(struct buf *out, double v)
{
    char text[16];
    buf_printf(out, "<td>%s</td>", isnan(v) ? "" : profile_number(v, text));
}

/* The sum of what was counted: NAN only if neither was. */
static double either(double a, double b) { return isnan(a) ? b : isnan(b) ? a : a + b; }

/* One source line. The cells are those of profile_text.c's columns_of, in the same order. A line
 * that nothing was executed on has no metrics, so its cells are empty. */
static void source_row(
    struct buf *out, const struct profile *p, int line, int hot, const char *text, int length)
{
    const struct metrics *m = profile_line(p, line);
    buf_printf(out, "<tr%s id=\"line%d\">", hot ? " class=\"hot\"" : "", line);
    if (m) {
        const double *v = m->v;
        /* Atomics count as global accesses, except in the two columns of bytes. */
        double requests =
            either(either(v[METRIC_GLD_REQUESTS], v[METRIC_GST_REQUESTS]), v[METRIC_GATOM_REQUESTS]);
        double shared = either(v[METRIC_SLD_INST], v[METRIC_SST_INST]);
        cell(out, 100 * v[METRIC_INST] / p->m.metrics.v[METRIC_INST]);
        cell(out, v[METRIC_WARP_EFFICIENCY]);
        cell(out, requests);
        cell(out,
            either(either(v[METRIC_GLD_SECTORS], v[METRIC_GST_SECTORS]), v[METRIC_GATOM_SECTORS]) / requests);
        cell(out, either(v[METRIC_GLD_BYTES], v[METRIC_GST_BYTES]));
        cell(out, either(v[METRIC_GLD_MOVED], v[METRIC_GST_MOVED]));
        cell(out, either(shared, v[METRIC_SATOM_INST]));
        cell(out, either(v[METRIC_SLD_WAVEFRONTS], v[METRIC_SST_WAVEFRONTS]) / shared);
        cell(out, either(v[METRIC_SLD_CONFLICTS], v[METRIC_SST_CONFLICTS]));
    } else {
        buf_printf(out, "<td></td><td></td><td></td><td></td><td></td><td></td><td></td><td></td><td></td>");
    }
    buf_printf(out, "<td>%d</td><td class=\"code\">", line);
    escaped(out, text, length);
    buf_printf(out, "</td></tr>\n");
}

/* All lines of the file. Unlike the terminal's report, the page leaves no line out. */
static void source(struct buf *out, const struct profile *p, const struct advice *a, int advices)
{
    const char *unit = p->gpu->cc_major >= 5 ? "sectors" : "transactions";
    buf_printf(out,
        "<h2>Source</h2>\n<div class=\"scroll\"><table>\n<tr><th>inst %%</th><th>lanes of 32</th><th>global "
        "requests</th><th>%s a request</th><th>bytes wanted</th><th>moved</th><th>shared "
        "inst</th><th>wavefronts each</th><th>conflicts</th><th></th><th class=\"name\">source</th></tr>\n",
        unit);
    int line = 1;
    for (const char *at = p->source; at && *at; line++) {
        int length = (int)strcspn(at, "\r\n"), hot = 0;
        for (int i = 0; i < advices; i++) hot |= a[i].line == line;
        source_row(out, p, line, hot, at, length);
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    buf_printf(out, "</table></div>\n");
}

/* A bar for each part of the time. The longest bar fills the row; the bottleneck has another
 * colour. */
static void parts(struct buf *out, const struct profile *p)
{
    double most = 0;
    for (int i = PART_NONE + 1; i < MODEL_PARTS; i++) most = fmax(most, p->m.part_ms[i]);
    buf_printf(out, "<h2>Time</h2>\n<p>Modelled: ");
    buf_rounded(out, p->m.ms);
    buf_printf(out,
        " ms. The parts overlap in time; the longest one limits the launch.</p>\n<table class=\"time\">\n");
    for (int i = PART_NONE + 1; i < MODEL_PARTS && most > 0; i++) {
        int is_most = (int)p->m.bottleneck == i;
        buf_printf(out, "<tr><td class=\"name\">%s</td><td>", part_name(i));
        buf_rounded(out, p->m.part_ms[i]);
        buf_printf(out,
            " ms</td><td class=\"bars\"><div class=\"bar%s\" style=\"width:%.1f%%\"></div></td></tr>\n",
            is_most ? " most" : "", 100 * p->m.part_ms[i] / most);
    }
    buf_printf(out, "</table>\n<p>");
    profile_bottleneck(p, out);
    buf_printf(out, "</p>\n");
}

/* Every counter that has a finite value, under both of its names. */
static void counters(struct buf *out, const struct profile *p)
{
    char text[16];
    buf_printf(out,
        "<h2>Counters</h2>\n<div class=\"scroll\"><table>\n<tr><th class=\"name\">ncu</th><th "
        "class=\"name\">nvprof</th><th>value</th><th class=\"name\">unit</th><th "
        "class=\"name\">meaning</th></tr>\n");
    for (int i = 0; i < METRIC_COUNT; i++)
        if (isfinite(p->m.metrics.v[i]))
            buf_printf(out,
                "<tr><td class=\"name\">%s</td><td class=\"name\">%s</td><td>%s</td><td "
                "class=\"name\">%s</td><td class=\"name\">%s</td></tr>\n",
                model_metrics[i].ncu, model_metrics[i].nvprof, profile_number(p->m.metrics.v[i], text),
                model_metrics[i].unit, model_metrics[i].meaning);
    buf_printf(out, "</table></div>\n");
}

/* The advice. Its links lead to the ids that source_row sets. */
static void costs(struct buf *out, const struct profile *p, const struct advice *a, int count)
{
    buf_printf(out, "<h2>What costs most</h2>\n<ol>\n");
    for (int i = 0; i < count; i++) {
        char *text = source_line(p->source, a[i].line);
        buf_printf(out, "<li><a href=\"#line%d\">line %d</a> (%.0f%%): <code>", a[i].line, a[i].line,
            100 * a[i].share);
        words(out, text);
        buf_printf(out, "</code><br>");
        words(out, a[i].text);
        buf_printf(out, "</li>\n");
        free(text);
    }
    buf_printf(out, "</ol>\n");
}

/* What the kernel wrote with printf, if it did. */
static void printed(struct buf *out, const struct profile *p)
{
    if (!p->m.printed) return;
    buf_printf(out, "<h2>Printed by the kernel</h2>\n<pre>");
    words(out, p->m.printed);
    buf_printf(out, "</pre>\n");
}

/* The page is written in one pass. p->kernel, p->file and the arguments come from the user, so
 * words() escapes them; device, title and front end are the kit's own strings. */
void profile_page(const struct profile *p, int launches, struct buf *out)
{
    (void)launches;
    struct advice a[ADVICES];
    struct buf maps = {0};
    int count = profile_advise(p, a);
    buf_printf(out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width\">\n<title>");
    words(out, p->kernel);
    buf_printf(out, " on %s</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", p->device, style);
    words(out, p->kernel);
    buf_printf(out, " on %s</h1>\n<p>", p->gpu->title);
    words(out, p->file);
    buf_printf(out, ", grid (%u,%u,%u), block (%u,%u,%u), ", p->grid[0], p->grid[1], p->grid[2], p->block[0],
        p->block[1], p->block[2]);
    words(out, p->what);
    buf_printf(out, "; by %s. Occupancy %.0f%%, limited by %s", p->front, 100 * p->m.occupancy.share,
        model_limiter_names[p->m.occupancy.limiter]);
    if (profile_blocks(p) < profile_room(p))
        buf_printf(out, "; the grid of %llu blocks reaches %.3g%%", profile_blocks(p),
            p->m.metrics.v[METRIC_OCCUPANCY]);
    buf_printf(out, ". Counters are exact, times are modelled.</p>\n");
    costs(out, p, a, count);
    parts(out, p);
    source(out, p, a, count);
    buf_printf(out,
        "<h2>Which lane touches what</h2>\n<p>The first warp's addresses, bytes from the start of each "
        "buffer.</p>\n");
    /* Without an access there is no map: the section then stays empty, and no error is wanted. */
    if (!profile_map_svg(p, 0, &maps, NULL)) buf_add(out, maps.data, maps.len);
    buf_printf(out, "<h2>Roofline</h2>\n");
    roofline(out, p);
    counters(out, p);
    printed(out, p);
    buf_printf(out, "</body>\n</html>\n");
    buf_free(&maps);
}
