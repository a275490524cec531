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
    double width, height; /* of the plot, without margins */
    /* 10 to the power of x0 and of x1: what the x axis spans at least, in FLOP per byte */
    double x0, x1;
    int tensors; /* 1: also the roof of TF32 products by tensor cores */
    const struct figure_point *points;
    int count;
};
/* The highest rates in GFLOPS: of multiply-adds of floats, each two operations, and of TF32 products
 * by tensor cores (0: it has none). */
double roofline_peak(const struct model_profile *gpu);
double roofline_tensor_peak(const struct model_profile *gpu);
/* Append the drawing without <svg>. */
void roofline_draw(struct buf *out, const struct roofline *r);

#endif
