/* roofline.c - the roofline of a GPU, as SVG.
 *
 *     GFLOPS ^        ______________  peak
 *            |      /
 *            |    /      o--- a kernel: below the roof
 *            |  /  bandwidth
 *            +------------------------> floating-point operations per byte of device memory
 *
 * Both axes are logarithmic. Source: Williams, Waterman, Patterson, "Roofline", CACM 52(4), 2009. */
#include "view/roofline.h"
#include "view/svg.h"

#include <math.h>
#include <stdlib.h>

/* The peak rates in GFLOPS. roofline_peak: of multiply-adds of floats, each two operations;
 * roofline_tensor_peak: of TF32 products on tensor cores (0: the GPU has none). */
static double roofline_peak(const struct model_profile *gpu)
{
    return 2.0 * gpu->fp32_lanes * gpu->sms * gpu->clock_ghz;
}

static double roofline_tensor_peak(const struct model_profile *gpu)
{
    /* The rate of TF32 products is half of tensor_rate, and each multiply-add is two operations */
    return model_has(gpu, FEATURE_TENSORS) ? gpu->tensor_rate * gpu->sms * gpu->clock_ghz : 0;
}

/* What is drawn, and the logarithms to base 10 of the ends of the axes. */
struct plot {
    const struct roofline *r;
    double x0, x1, y0, y1, peak;
};

/* Convert values to pixels. SVG's y grows downwards. */
static double at_x(const struct plot *p, double v)
{
    return ROOFLINE_LEFT + p->r->width * (log10(v) - p->x0) / (p->x1 - p->x0);
}

static double at_y(const struct plot *p, double v)
{
    return ROOFLINE_TOP + p->r->height * (1 - (log10(v) - p->y0) / (p->y1 - p->y0));
}

static void line(struct buf *out, double x0, double y0, double x1, double y1)
{
    buf_printf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#777777\"/>\n",
        x0, y0, x1, y1);
}

/* The y axis begins where the roof meets the left edge, or lower if a point is below that. */
static struct plot plot_of(const struct roofline *r)
{
    double high = roofline_peak(r->gpu);
    struct plot p = {.r = r, .x0 = r->x0, .x1 = r->x1, .peak = high};
    p.y0 = INFINITY;
    for (int i = 0; i < r->count; i++) {
        p.x0 = fmin(p.x0, log10(r->points[i].x) - 0.5);
        p.x1 = fmax(p.x1, log10(r->points[i].x) + 0.5);
        p.y0 = fmin(p.y0, log10(r->points[i].y));
    }
    if (r->tensors) high = fmax(high, roofline_tensor_peak(r->gpu));
    p.x0 = floor(p.x0);
    p.x1 = ceil(p.x1);
    p.y0 = floor(fmin(p.y0, log10(r->gpu->dram_gbps) + p.x0));
    p.y1 = ceil(log10(high));
    return p;
}

/* Draw the axes, with a mark and a number at each power of ten. */
static void axes(struct buf *out, const struct plot *p)
{
    enum { MARK_LONG = 5 };
    double left = ROOFLINE_LEFT, bottom = ROOFLINE_TOP + p->r->height;
    char text[32];
    line(out, left, ROOFLINE_TOP, left, bottom);
    line(out, left, bottom, left + p->r->width, bottom);
    for (int k = (int)p->x0; k <= (int)p->x1; k++) {
        double x = at_x(p, pow(10, k));
        line(out, x, bottom, x, bottom + MARK_LONG);
        snprintf(text, sizeof text, "%g", pow(10, k));
        svg_text(out, x, bottom + 18, TYPE, "middle", text);
    }
    for (int k = (int)p->y0; k <= (int)p->y1; k++) {
        double y = at_y(p, pow(10, k));
        line(out, left - MARK_LONG, y, left, y);
        snprintf(text, sizeof text, k < 0 ? "%g" : "%.0f", pow(10, k));
        svg_text(out, left - 8, y + 4, TYPE, "end", text);
    }
    svg_text(out, left + p->r->width / 2, bottom + 36, TYPE, "middle",
        "floating-point operations a byte of device memory");
    svg_text(out, left + 8, ROOFLINE_TOP + 4, TYPE, "start", "GFLOPS");
}

/* Draw a roof. It rises with the slope of the bandwidth up to the knee, where the intensity is peak
 * / bandwidth, and is flat at `peak` from there on. */
static void roof(struct buf *out, const struct plot *p, double peak, const char *of)
{
    double bandwidth = p->r->gpu->dram_gbps, knee = peak / bandwidth, low = pow(10, p->x0),
           right = ROOFLINE_LEFT + p->r->width;
    char text[64];
    buf_printf(out,
        "<polyline fill=\"none\" stroke=\"#777777\" stroke-width=\"2\" points=\"%.1f,%.1f %.1f,%.1f "
        "%.1f,%.1f\"/>\n",
        at_x(p, low), at_y(p, low * bandwidth), at_x(p, knee), at_y(p, peak), right, at_y(p, peak));
    snprintf(text, sizeof text, "%.0f GFLOPS%s", peak, of);
    svg_text(out, right - 4, at_y(p, peak) - 5, TYPE, "end", text);
}

static void bandwidth(struct buf *out, const struct plot *p)
{
    double rate = p->r->gpu->dram_gbps, x = pow(10, (p->x0 + log10(p->peak / rate)) / 2);
    char text[32];
    snprintf(text, sizeof text, "%.0f GB/s", rate);
    svg_text(out, at_x(p, x) + 10, at_y(p, x * rate) + 12, TYPE, "start", text);
}

/* ---- points ---- */

static int higher(const void *a, const void *b)
{
    double x = ((const struct figure_point *)a)->y, y = ((const struct figure_point *)b)->y;
    return (x < y) - (x > y);
}

/* A column of names on one side of the points. x: the end of the names that is nearer to the
 * points; before: y of the name written last. */
struct column {
    double x, before;
};

/* Draw the points and their names. The name of a single point is on the side that has more room.
 * Names of several points alternate between the sides that have room, are kept apart and below the
 * roof, and have a line to their point. */
static void points(struct buf *out, const struct plot *p)
{
    enum { APART = 13, NAME_WIDE = 200 };
    int n = p->r->count;
    struct figure_point *all = xcalloc((size_t)n + 1, sizeof *all);
    double least = INFINITY, most = 0, bottom = ROOFLINE_TOP + p->r->height - 6,
           aside = n > 1 ? 34 : 10, first = n > 1 ? at_y(p, p->peak) : -INFINITY;
    for (int i = 0; i < n; i++) {
        all[i] = p->r->points[i];
        least = fmin(least, at_x(p, all[i].x));
        most = fmax(most, at_x(p, all[i].x));
    }
    qsort(all, (size_t)n, sizeof *all, higher);
    double room_left = least - ROOFLINE_LEFT, room_right = ROOFLINE_LEFT + p->r->width - most;
    int sides = n > 1 && fmin(room_left, room_right) > aside + NAME_WIDE ? 2 : 1;
    struct column columns[] = {{least - aside, first}, {most + aside, first}};
    for (int i = 0; i < n; i++) {
        int right = sides == 2 ? i % 2 : room_right > room_left, below = (n - 1 - i) / sides;
        struct column *c = &columns[right];
        double px = at_x(p, all[i].x), py = at_y(p, all[i].y), y = fmax(py, c->before + APART);
        y = fmin(y, bottom - below * APART); /* leave room for the names below */
        if (n > 1) line(out, px, py, c->x + (right ? -4 : 4), y);
        svg_text(out, c->x, y + 4, TYPE, right ? "start" : "end", all[i].name);
        c->before = y;
    }
    for (int i = 0; i < n; i++)
        buf_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" class=\"" BAD "\"/>\n",
            at_x(p, all[i].x), at_y(p, all[i].y), n > 1 ? 5 : 6);
    free(all);
}

void roofline_draw(struct buf *out, const struct roofline *r)
{
    struct plot p = plot_of(r);
    axes(out, &p);
    if (r->tensors) roof(out, &p, roofline_tensor_peak(r->gpu), ", TF32 by tensor cores");
    roof(out, &p, p.peak, "");
    bandwidth(out, &p);
    points(out, &p);
}

/* ---- the figure ---- */

int figure_roofline(
    int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e)
{
    const struct model_profile *device = model_profile_find("h200");
    const struct figure_option options[] = {
        {"--device", .device = &device},
        {"--lab"}, /* read by the command, which runs the kernels of all labs up to this one */
        {0},
    };
    struct buf body = {0};
    char caption[256];
    if (figure_options(argc, argv, options, e) < 0) return -1;
    struct roofline r = {.gpu = device,
        .width = SVG_WIDTH - ROOFLINE_LEFT - ROOFLINE_RIGHT,
        .height = 190,
        .x0 = 0,
        .x1 = 4,
        .tensors = of && of->tensors,
        .points = of ? of->points : NULL,
        .count = of ? of->count : 0};
    roofline_draw(&body, &r);
    snprintf(caption, sizeof caption, "%s%s%s: memory is the limit below %.1f operations a byte",
        device->title, r.count ? ", " : "", r.count ? of->size : "",
        roofline_peak(device) / device->dram_gbps);
    svg_finish(out, &body, ROOFLINE_TOP + r.height + ROOFLINE_BOTTOM - 8, caption);
    return 0;
}
