/* page_roofline.c - the roofline of a launch, drawn by roofline.c with one point. */
#include "view/page.h"
#include "view/roofline.h"

void page_roofline(struct buf *out, const struct profile *p)
{
    enum { WIDTH = 620, HEIGHT = 300 };
    double flops = model_flops(&p->m.metrics);
    struct figure_point point = {
        .x = p->m.metrics.v[METRIC_INTENSITY], .y = flops / (p->m.ms * 1e6)};
    /* a logarithmic axis cannot show 0; a comparison with NAN is false */
    if (!(point.x > 0) || !(point.y > 0)) {
        buf_printf(out,
            "<p>This kernel has no floating-point operations or no device memory traffic, so the roofline "
            "has no point for it.</p>\n");
        return;
    }
    struct buf name = {0};
    char rate[16];
    page_words(&name, p->kernel);
    buf_printf(&name, ": %.3g flop/byte, %s GFLOPS", point.x, profile_number(point.y, rate));
    point.name = name.data;
    struct roofline r = {.gpu = p->gpu,
        .width = WIDTH,
        .height = HEIGHT,
        .x0 = -2,
        .x1 = 3,
        .points = &point,
        .count = 1};
    int width = ROOFLINE_LEFT + WIDTH + ROOFLINE_RIGHT,
        height = ROOFLINE_TOP + HEIGHT + ROOFLINE_BOTTOM;
    buf_printf(out,
        "<div class=\"scroll\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
        "height=\"%d\" role=\"img\" font-family=\"sans-serif\">\n<title>roofline</title>\n",
        width, height, width, height);
    roofline_draw(out, &r);
    buf_printf(out, "</svg></div>\n");
    buf_free(&name);
}
