/* roofline.h - private to view/: the roofline model of a GPU, with points.
 *
 *     page_roofline  (a launch)  ──┐
 *     figure_roofline (a ladder) ──┴──> roofline_draw ──> axes, roof, points, as SVG */
#ifndef LOCKSTEP_VIEW_ROOFLINE_H
#define LOCKSTEP_VIEW_ROOFLINE_H

#include "view/view.h"

/* The margins of the plot, and its width, in pixels. */
enum { ROOFLINE_LEFT = 70, ROOFLINE_TOP = 20, ROOFLINE_RIGHT = 20, ROOFLINE_BOTTOM = 46 };
struct roofline {
    const struct model_profile *gpu;
    double width, height; /* of the plot in pixels, without margins */
    /* the x axis spans at least 10^x0 to 10^x1 FLOP per byte */
    double x0, x1;
    int tensors; /* 1: also draw the roof of TF32 products on tensor cores */
    const struct figure_point *points;
    int count;
};
/* Append the drawing without the <svg> element around it. */
void roofline_draw(struct buf *out, const struct roofline *r);

#endif
