/* page_roofline.c - the roofline of a launch, as SVG.
 *
 *     GFLOPS ^        ______________  peak
 *            |      /
 *            |    /      o  the kernel: below the roof
 *            |  /  bandwidth
 *            +------------------------> floating-point operations per byte of device memory
 *
 * Source: Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009. */
#include "view/page.h"

#include <math.h>

/* ---- the roofline: logarithmic axes, x is FLOP per byte, y is GFLOPS ---- */

/* The plot area in pixels. */
enum { LEFT = 70, TOP = 20, WIDTH = 620, HEIGHT = 300 };
struct roof {
    double peak, bandwidth; /* peak: in GFLOPS; bandwidth: in GB/s */
    double x0, x1, y0, y1;  /* logarithms to base 10 of the ends of the axes */
};

/* Convert values to pixels, on logarithmic axes. SVG's y grows downwards. */
static double at_x(const struct roof *r, double v)
{
    return LEFT + WIDTH * (log10(v) - r->x0) / (r->x1 - r->x0);
}

static double at_y(const struct roof *r, double v)
{
    return TOP + HEIGHT * (1 - (log10(v) - r->y0) / (r->y1 - r->y0));
}

/* Draw a grid line and a label for each power of ten. */
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
            LEFT, at_y(r, pow(10, k)), LEFT + WIDTH, at_y(r, pow(10, k)), LEFT - 6,
            at_y(r, pow(10, k)) + 4, pow(10, k));
    buf_printf(out,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">floating-point operations a byte of device "
        "memory</text>\n"
        "<text x=\"14\" y=\"%d\" transform=\"rotate(-90 14 %d)\" text-anchor=\"middle\">GFLOPS</text>\n",
        LEFT + WIDTH / 2, TOP + HEIGHT + 36, TOP + HEIGHT / 2, TOP + HEIGHT / 2);
}

/* The ranges of the axes. x covers at least 0.01 to 1000 FLOP per byte, and the kernel's point (x,
 * y). y begins where the roof meets the left edge, or lower if the kernel's point is below that.
 * The peak counts a multiply-add as two operations. */
static struct roof roof_of(const struct profile *p, double x, double y)
{
    struct roof r = {.peak = 2.0 * p->gpu->fp32_lanes * p->gpu->sms * p->gpu->clock_ghz,
        .bandwidth = p->gpu->dram_gbps};
    r.x0 = floor(fmin(-2, log10(x) - 0.5));
    r.x1 = ceil(fmax(3, log10(x) + 0.5));
    r.y0 = floor(fmin(log10(y), log10(r.bandwidth) + r.x0));
    r.y1 = ceil(log10(r.peak));
    return r;
}

/* Draw the roof. It rises with slope `bandwidth` up to the knee, where the intensity is peak /
 * bandwidth, and is flat at `peak` from there on. */
static void roof(struct buf *out, const struct roof *r)
{
    double knee = r->peak / r->bandwidth, low = pow(10, r->x0), high = pow(10, r->x1);
    buf_printf(out,
        "<polyline fill=\"none\" stroke=\"#333\" stroke-width=\"2\" points=\"%.1f,%.1f %.1f,%.1f "
        "%.1f,%.1f\"/>\n",
        at_x(r, low), at_y(r, low * r->bandwidth), at_x(r, knee), at_y(r, r->peak), at_x(r, high),
        at_y(r, r->peak));
    buf_printf(out,
        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f GFLOPS</text><text x=\"%.1f\" y=\"%.1f\">%.0f "
        "GB/s</text>\n",
        LEFT + WIDTH - 4, at_y(r, r->peak) - 6, r->peak, at_x(r, sqrt(low * knee)) + 10,
        at_y(r, sqrt(low * knee) * r->bandwidth) + 12, r->bandwidth);
}

void page_roofline(struct buf *out, const struct profile *p)
{
    double flops = model_flops(&p->m.metrics), x = p->m.metrics.v[METRIC_INTENSITY],
           y = flops / (p->m.ms * 1e6);
    /* a logarithmic axis cannot show 0; a comparison with NAN is false */
    if (!(x > 0) || !(y > 0)) {
        buf_printf(out,
            "<p>This kernel has no floating-point operations or no device memory traffic, so the roofline "
            "has no point for it.</p>\n");
        return;
    }
    struct roof r = roof_of(p, x, y);
    char rate[16];
    /* is there room for the label on the left of the point? */
    int left = at_x(&r, x) > LEFT + WIDTH / 2;
    buf_printf(out,
        "<div class=\"scroll\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
        "height=\"%d\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n"
        "<title>roofline</title>\n",
        LEFT + WIDTH + 20, TOP + HEIGHT + 46, LEFT + WIDTH + 20, TOP + HEIGHT + 46);
    axes(out, &r);
    roof(out, &r);
    buf_printf(out,
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"#f2a35e\"/><text x=\"%.1f\" y=\"%.1f\" "
        "text-anchor=\"%s\">",
        at_x(&r, x), at_y(&r, y), at_x(&r, x) + (left ? -10 : 10), at_y(&r, y) + 4,
        left ? "end" : "start");
    page_words(out, p->kernel);
    buf_printf(
        out, ": %.3g flop/byte, %s GFLOPS</text>\n</svg></div>\n", x, profile_number(y, rate));
}
