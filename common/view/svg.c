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
#include <string.h>

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

/* What each colour is on dark paper: those of the slides. */
static const struct {
    const char *light, *dark;
} on_dark[] = {{INK, "ink\" fill=\"#e4e2dc"}, {PAPER, "paper\" fill=\"#0d1117"},
    {LANE, "lane\" fill=\"#26374a"}, {PALE, "pale\" fill=\"#31353b"},
    {MARK, "mark\" fill=\"#82888f"}, {GOOD, "good\" fill=\"#2f6296"}, {BAD, "bad\" fill=\"#96531b"},
    {POINT, "point\" fill=\"#7fb3e6"}, {OTHER, "other\" fill=\"#f2a35e"},
    {"stroke=\"#ffffff", "stroke=\"#0d1117"}, {"stroke=\"#888888", "stroke=\"#565c64"},
    {"stroke=\"#777777", "stroke=\"#8d949c"}, {"stroke=\"#dddddd", "stroke=\"#31353b"},
    {"stroke=\"#f2a35e", "stroke=\"#c9772e"}};

void figure_dark(struct buf *b)
{
    struct buf out = {0};
    for (const char *at = b->data ? b->data : ""; *at;) {
        size_t i = 0, count = sizeof on_dark / sizeof *on_dark;
        while (i < count && strncmp(at, on_dark[i].light, strlen(on_dark[i].light))) i++;
        if (i < count)
            buf_printf(&out, "%s", on_dark[i].dark);
        else
            buf_add(&out, at, 1);
        at += i < count ? strlen(on_dark[i].light) : 1;
    }
    buf_free(b);
    *b = out;
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
