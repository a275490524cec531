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
/* SVG_WIDTH: width of most figures. ROW_LEFT, ROW_RIGHT: margins of figures made of rows; the rows'
 * names are in the left one. */
enum { SVG_WIDTH = 768, ROW_LEFT = 80, ROW_RIGHT = 16 };

/* Colours, each as a class, for which a page may define another colour, and a fill. */
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
/* the stroke around boxes */
#define EDGE "#888888"

/* Begin a figure. title: the text that screen readers read. */
void svg_open(struct buf *b, int width, int height, const char *title);
/* Write a text. anchor: SVG's text-anchor: start, middle or end. */
void svg_text(struct buf *b, double x, double y, int size, const char *anchor, const char *what);
void svg_box(
    struct buf *b, double x, double y, double w, double h, const char *fill, const char *stroke);

/* Write a whole figure of width SVG_WIDTH: frame, body, caption. bottom: the y of the lower end of
 * the body, which is freed. */
void svg_finish(struct buf *out, struct buf *body, double bottom, const char *caption);

/* ---- options ---- */

/* An option and where its value is stored: in `number`, if it is in [least, most], in `word` or in
 * `device`. A row with none of these is an option that the command has read; messages list it. */
struct figure_option {
    const char *name;
    long least, most, *number;
    const char **word;
    const struct model_profile **device;
};
/* Read the options that follow argv[0], the kind of the figure, each with a value. rows: terminated
 * by a row without a name. The values of options that are not given do not change. -1 with
 * ERR_USAGE. */
int figure_options(int argc, char **argv, const struct figure_option *rows, struct err *e);
/* Find a GPU, "h200" or "sim:h200". -1 with ERR_USAGE. */
int figure_device(const char *name, const struct model_profile **device, struct err *e);
/* Read an integer in [least, most] into *value. If text is NULL, the option's value is missing. -1
 * with ERR_USAGE. */
int figure_number(
    const char *option, const char *text, long least, long most, long *value, struct err *e);

/* ---- figures by kind, which is argv[0] ---- */

int figure_time(int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e);
int figure_stages(
    int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e);
int figure_roles(int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e);
int figure_fragment(
    int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e);
int figure_tile(int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e);
int figure_phases(
    int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e);
int figure_roofline(
    int argc, char **argv, const struct figure_of *of, struct buf *out, struct err *e);

#endif
