/* svg.h - private to view/: what figures share: named colours, text, boxes, and options that are
 * numbers.
 *
 *      svg_open ─> svg_box, svg_text, ... ─> "</svg>"      x to the right, y downwards, in pixels */
#ifndef LOCKSTEP_VIEW_SVG_H
#define LOCKSTEP_VIEW_SVG_H

#include "view/view.h"

/* TYPE: size of the smallest text, shown with 18 pixels if a figure of width 768 is shown with
 * width 1152 */
enum { TYPE = 12 };

/* Colours, each with a class, which a page may give another colour, and the fill. */
#define INK "ink\" fill=\"#333333"
#define PAPER "paper\" fill=\"#ffffff"
#define LANE "lane\" fill=\"#e8f1fa"
#define PALE "pale\" fill=\"#eeeeee"
#define MARK "mark\" fill=\"#999999"
#define HOLLOW "hollow\" fill=\"none"
#define GOOD "good\" fill=\"#7fb3e6"
#define BAD "bad\" fill=\"#f2a35e"
#define POINT "point\" fill=\"#2f74b5"
#define OTHER "other\" fill=\"#d9771f"

/* Begin a figure. title: the text that screen readers read. */
void svg_open(struct buf *b, int width, int height, const char *title);
/* Write a text. anchor: SVG's text-anchor: start, middle or end. */
void svg_text(struct buf *b, double x, double y, int size, const char *anchor, const char *what);
void svg_box(
    struct buf *b, double x, double y, double w, double h, const char *fill, const char *stroke);

/* Read an integer in [least, most] into *value. If text is NULL, the option's value is missing. -1
 * with ERR_USAGE. */
int figure_number(
    const char *option, const char *text, long least, long most, long *value, struct err *e);

/* ---- figures of time (figure_time.c) ---- */
int figure_is_of_time(const char *kind);
int figure_time(int argc, char **argv, const struct model_work *of, struct buf *out, struct err *e);

#endif
