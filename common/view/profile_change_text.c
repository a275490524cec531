/* profile_change_text.c - two profiles line by line, for the terminal.
 *
 *     before  now
 *         12      - __shared__ float tile[32][32];           only before; what replaced it is below
 *             14  + __shared__ float tile[32][33];
 *         21  23    out[i] = tile[x][y];                     the same text with other counters
 *                     bank conflicts 4063k -> 0, shared wavefronts 4194k -> 131k
 *             ...   5 lines as before
 *
 * If the screen has TWO_COLUMNS columns or more, both sources are side by side. */
#include "view/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In columns of the screen. CODE, DETAIL: where source and counters begin; TWO_COLUMNS: the least
 * width for two sources side by side. */
enum { CODE = 13, DETAIL = 15, TWO_COLUMNS = 120 };

/* Append one line of a source: its number and its text, cut at the end of the screen. */
static void side(struct buf *out, const struct screen *s, const struct profile *p, int before,
    int now, char sign)
{
    char *text = source_line(p->source, now && (sign != '-') ? now : before), left[12] = "",
         right[12] = "";
    if (before) snprintf(left, sizeof left, "%d", before);
    if (now) snprintf(right, sizeof right, "%d", now);
    int room = s->width - CODE, length = (int)strlen(text);
    screen_ink(s, out, sign == '-' ? INK_BAD : sign == '+' ? INK_GOOD : INK_PLAIN);
    if (length > room)
        buf_printf(out, "%5s %4s %c %.*s...", left, right, sign, room - 3, text);
    else
        buf_printf(out, "%5s %4s %c %s", left, right, sign, text);
    screen_ink(s, out, INK_PLAIN);
    buf_printf(out, "\n");
    free(text);
}

/* Append one half of a wide line: a source line, cut where the half ends. */
static void half(
    struct buf *out, const struct screen *s, const struct profile *p, int line, char sign)
{
    char *text = line ? source_line(p->source, line) : xstrdup(""), number[12] = "";
    int room = s->width / 2 - 10, length = (int)strlen(text);
    if (line) snprintf(number, sizeof number, "%d", line);
    screen_ink(s, out, sign == '-' ? INK_BAD : sign == '+' ? INK_GOOD : INK_PLAIN);
    buf_printf(out, "%5s %c %-*.*s%s", number, line ? sign : ' ', length > room ? room - 3 : room,
        length > room ? room - 3 : room, text, length > room ? "..." : "");
    screen_ink(s, out, INK_PLAIN);
    free(text);
}

/* Append a pair of lines: side by side if they fit; else one below the other, a removed line above
 * an added one. */
static void pair_text(const struct screen *s, const struct profile *now,
    const struct line_pair *pair, struct buf *out)
{
    struct buf what = {0};
    profile_line_change(now, pair, PART_NONE, LINE_CHANGES, &what);
    if (s->width >= TWO_COLUMNS) {
        half(out, s, now->before, pair->before, pair->same ? ' ' : '-');
        buf_printf(out, " |");
        half(out, s, now, pair->now, pair->same ? ' ' : '+');
        while (out->data[out->len - 1] == ' ') out->data[--out->len] = 0;
        buf_printf(out, "\n");
    } else if (pair->same) {
        side(out, s, now, pair->before, pair->now, ' ');
    } else {
        if (pair->before) side(out, s, now->before, pair->before, 0, '-');
        if (pair->now) side(out, s, now, 0, pair->now, '+');
    }
    if (what.len) {
        buf_printf(out, "%*s", DETAIL, "");
        screen_wrapped(s, out, DETAIL, DETAIL, what.data);
    }
    buf_free(&what);
}

/* Is a pair of lines shown? Yes if the texts differ, or the counters have changed. */
static int changed(const struct profile *now, const struct line_pair *pair)
{
    struct buf what = {0};
    profile_line_change(now, pair, PART_NONE, 1, &what);
    int differs = !pair->same || what.len;
    buf_free(&what);
    return differs;
}

static void lines(const struct screen *s, const struct profile *now, const struct line_pair *pairs,
    int count, struct buf *out)
{
    int alike = 0;
    for (int i = 0; i <= count; i++) {
        int shown = i < count && changed(now, &pairs[i]);
        if ((shown || i == count) && alike)
            buf_printf(out, "%*s %d line%s as before\n", CODE - 3, "...", alike, plural_s(alike));
        alike = shown ? 0 : alike + 1;
        if (shown) pair_text(s, now, &pairs[i], out);
    }
}

/* Append the reasons for the change, one per line, with a dash before all but the first. */
static void reasons(const struct screen *s, const char *why, struct buf *out)
{
    for (int first = 1; why && *why; first = 0) {
        size_t n = strcspn(why, "\n");
        char *one = xstrndup(why, n);
        if (first)
            screen_ink(s, out, INK_STRONG);
        else
            buf_printf(out, "  - ");
        screen_wrapped(s, out, first ? 0 : 4, first ? 0 : 4, one);
        if (first) screen_ink(s, out, INK_PLAIN);
        free(one);
        why += n + (why[n] == '\n');
    }
}

void profile_change_text(const struct screen *s, const struct profile *now, struct buf *out)
{
    struct line_pair *pairs;
    struct buf why = {0}, launch = {0};
    int count = profile_pairs(now->before, now, &pairs);
    buf_printf(&launch, "before: ");
    profile_launch(now->before, &launch);
    screen_wrapped(s, out, 4, 0, launch.data);
    buf_printf(out, "\n");
    profile_why(now, pairs, count, &why);
    reasons(s, why.data, out);
    buf_printf(out, "\nline by line: before, now\n");
    lines(s, now, pairs, count, out);
    buf_printf(out, "\n");
    buf_free(&why);
    buf_free(&launch);
    free(pairs);
}
