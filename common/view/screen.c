/* screen.c - the size of the terminal, or of what text is written to instead, and whether it shows
 * colours.
 *
 *     COLUMNS, else the terminal's width, else 80 --> lines are broken between words
 *     LINES, else the terminal's height, else 24  --> an answer is brief enough
 *     a terminal or CLICOLOR_FORCE, and no NO_COLOR --> failures are red, good results green
 *
 * Source: https://no-color.org; https://bixense.com/clicolors; ECMA-48, select graphic rendition. */
#include "view/view.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROW = 40, WIDE = 160, USUAL = 80, LOW = 10, USUAL_LINES = 24 };

struct screen screen_of(int fd)
{
    const char *columns = getenv("COLUMNS"), *lines = getenv("LINES"), *none = getenv("NO_COLOR"),
               *force = getenv("CLICOLOR_FORCE"), *term = getenv("TERM");
    struct screen s = {USUAL, 0, USUAL_LINES};
    struct winsize w = {0};
    int terminal = isatty(fd);
    if (terminal && ioctl(fd, TIOCGWINSZ, &w)) memset(&w, 0, sizeof w);
    if (columns && atoi(columns) > 0)
        s.width = atoi(columns);
    else if (w.ws_col)
        s.width = w.ws_col;
    if (lines && atoi(lines) > 0)
        s.height = atoi(lines);
    else if (w.ws_row)
        s.height = w.ws_row;
    s.height = s.height < LOW ? LOW : s.height;
    s.width = s.width < NARROW ? NARROW : s.width > WIDE ? WIDE : s.width;
    s.colour = (terminal || (force && *force && *force != '0')) && !(none && *none) &&
               !(term && !strcmp(term, "dumb"));
    return s;
}

void screen_ink(const struct screen *s, struct buf *out, enum ink ink)
{
    static const char *const codes[] = {"\033[0m", "\033[1;31m", "\033[32m", "\033[2m", "\033[1m"};
    if (s->colour) buf_printf(out, "%s", codes[ink]);
}

/* A word that is wider than the line is not broken, so that a path or a formula can be copied. */
void screen_wrapped(
    const struct screen *s, struct buf *out, int indent, int first, const char *text)
{
    int column = first, start = 1;
    while (*text) {
        size_t n = strcspn(text, " \n");
        if (!start && column + 1 + (int)n > s->width)
            buf_printf(out, "\n%*s", column = indent, "");
        else if (!start)
            buf_printf(out, " "), column++;
        buf_printf(out, "%.*s", (int)n, text);
        column += (int)n;
        start = 0;
        text += n;
        if (*text == '\n') buf_printf(out, "\n%*s", column = indent, ""), start = 1;
        text += *text != 0;
    }
    buf_printf(out, "\n");
}
