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

/* The counterpart of each colour on dark paper, as in the slides. */
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

void svg_finish(struct buf *out, struct buf *body, double bottom, const char *caption)
{
    svg_open(out, SVG_WIDTH, (int)bottom + 26, caption);
    buf_add(out, body->data, body->len);
    svg_text(out, 8, bottom + 19, 14, "start", caption);
    buf_printf(out, "</svg>\n");
    buf_free(body);
}

int figure_device(const char *name, const struct model_profile **device, struct err *e)
{
    const char *row = name && strncmp(name, "sim:", 4) == 0 ? name + 4 : name;
    const struct model_profile *nearest, *found = row ? model_profile_meant(row, &nearest) : NULL;
    if (!found) return err_set(e, ERR_USAGE, "--device: there is no device '%s'", name ? name : "");
    *device = found;
    return 0;
}

/* Read the value of one option. */
static int option_value(const struct figure_option *o, const char *value, struct err *e)
{
    if (o->device) return figure_device(value, o->device, e);
    if (o->number) return figure_number(o->name, value, o->least, o->most, o->number, e);
    if (!value) return err_set(e, ERR_USAGE, "%s needs a value", o->name);
    *o->word = value;
    return 0;
}

int figure_options(int argc, char **argv, const struct figure_option *rows, struct err *e)
{
    for (int i = 1; i < argc; i += 2) {
        const struct figure_option *o = rows;
        while (o->name && (strcmp(o->name, argv[i]) || !(o->number || o->word || o->device))) o++;
        if (!o->name) {
            struct buf all = {0};
            for (o = rows; o->name; o++) buf_printf(&all, "%s%s", o == rows ? "" : ", ", o->name);
            err_set(e, ERR_USAGE, "figure %s has no option '%s': %s", argv[0], argv[i], all.data);
            buf_free(&all);
            return -1;
        }
        if (option_value(o, i + 1 < argc ? argv[i + 1] : NULL, e) < 0) return -1;
    }
    return 0;
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
