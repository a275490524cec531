/* svg.c - elements of SVG figures.
 *
 *      svg_open(width, height)     +--------------------+
 *                                  | svg_text  svg_box  |
 *                                  +--------------------+  the caller appends "</svg>"
 *
 * A colour is a class and a fill: a page may define another colour for the class, and a figure
 * on its own has the fill. */
#include "view/svg.h"

#include <errno.h>
#include <stdlib.h>

void svg_open(struct buf *b, int width, int height, const char *title)
{
    buf_printf(b,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
        "role=\"img\" font-family=\"sans-serif\">\n<title>%s</title>\n<rect width=\"%d\" height=\"%d\" "
        "class=\"" PAPER "\"/>\n",
        width, height, width, height, title, width, height);
}

void svg_text(struct buf *b, double x, double y, int size, const char *anchor, const char *what)
{
    buf_printf(b,
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\" class=\"" INK
        "\">%s</text>\n",
        x, y, size, anchor, what);
}

void svg_box(
    struct buf *b, double x, double y, double w, double h, const char *fill, const char *stroke)
{
    buf_printf(b,
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\" stroke=\"%s\"/>\n",
        x, y, w, h, fill, stroke);
}

int figure_number(
    const char *option, const char *text, long least, long most, long *value, struct err *e)
{
    char *end;
    errno = 0;
    long n = text ? strtol(text, &end, 10) : 0;
    if (!text || end == text || *end || errno || n < least || n > most)
        return err_set(e, ERR_USAGE, "%s takes a whole number from %ld to %ld, not '%s'", option,
            least, most, text ? text : "");
    *value = n;
    return 0;
}
