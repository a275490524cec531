/* profile_text.c - a profile for the terminal:
 *
 *     the launch       kernel<<<grid, block, shared memory>>>, arguments, device
 *     the difference   what changed, if there is a profile to compare with (profile_change_text.c)
 *     the source       the executed lines and their neighbours, each with its counters
 *     the summary      memory chart, modelled time by part, efficiencies (profile_summary.c)
 *     what costs most  the advice of profile_advice.c
 *
 * On a wide screen counters are beside their source line, on others below it. */
#include "view/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the source ---- */

/* A column: its width including the mark, and the two lines of its heading. */
static const struct {
    int width;
    const char *title, *unit;
} columns[COLUMNS] = {
    [COLUMN_INST] = {7, "inst", ""},
    [COLUMN_LANES] = {6, "lanes", "of 32"},
    [COLUMN_REQUESTS] = {9, "requests", ""},
    [COLUMN_SECTORS] = {6, "sec", "/req"},
    [COLUMN_WANTED] = {8, "wanted", "bytes"},
    [COLUMN_MOVED] = {8, "moved", "bytes"},
    [COLUMN_SHARED] = {9, "inst", ""},
    [COLUMN_WAVEFRONTS] = {11, "wavefronts", "/inst"},
    [COLUMN_CONFLICTS] = {10, "conflicts", ""},
    [COLUMN_BULK] = {12, "copied", "bytes"},
};
/* SOURCE_WIDTH: the least width of the source beside counters; NUMBER_WIDTH: the width of a line
 * number "| 15 ". */
enum { SOURCE_WIDTH = 60, NUMBER_WIDTH = 8 };

/* The table of source lines; columns without any number are left out. */
struct table {
    const struct screen *screen;
    const struct profile *p;
    int shown[COLUMNS], width, beside;
};

static struct table table_of(const struct screen *s, const struct profile *p)
{
    struct table t = {.screen = s, .p = p, .width = 1};
    for (int c = 0; c < COLUMNS; c++) {
        t.shown[c] = profile_has(p, (enum column)c);
        if (t.shown[c]) t.width += columns[c].width;
    }
    t.beside = s->width >= t.width + NUMBER_WIDTH + SOURCE_WIDTH;
    return t;
}

/* Append a heading such as "--- global memory ---" above those columns from first to last that are
 * shown. */
static void group(struct buf *out, const struct table *t, int first, int last, const char *name)
{
    int width = 0;
    for (int c = first; c <= last; c++) width += t->shown[c] ? columns[c].width : 0;
    int dashes = width - 4 - (int)strlen(name);
    if (!width || !name[0] || dashes < 2) {
        buf_printf(out, "%*s", width, "");
        return;
    }
    buf_printf(out, "  %.*s %s %.*s", dashes / 2, "----------------------------", name,
        dashes - dashes / 2, "----------------------------");
}

/* Append a newline, and remove spaces before it. */
static void end_line(struct buf *out)
{
    while (out->len && out->data[out->len - 1] == ' ') out->data[--out->len] = 0;
    buf_printf(out, "\n");
}

static void headings(struct buf *out, const struct table *t)
{
    group(out, t, COLUMN_INST, COLUMN_LANES, "");
    group(out, t, COLUMN_REQUESTS, COLUMN_MOVED, "global memory");
    group(out, t, COLUMN_SHARED, COLUMN_CONFLICTS, "shared memory");
    group(out, t, COLUMN_BULK, COLUMN_BULK, "copy engine");
    for (int row = 0; row < 2; row++) {
        end_line(out);
        for (int c = 0; c < COLUMNS; c++) {
            const char *title = row ? columns[c].unit : columns[c].title;
            if (!row && c == COLUMN_SECTORS && !model_has(t->p->gpu, FEATURE_SECTORS))
                title = "trans";
            if (t->shown[c]) buf_printf(out, "%*s ", columns[c].width - 1, title);
        }
    }
    end_line(out);
}

/* Append the numbers of a line, each with its mark; numbers marked * are also coloured. */
static void cells(struct buf *out, const struct table *t, const struct metrics *m)
{
    double v[COLUMNS];
    profile_columns(t->p, m, v);
    for (int c = 0; c < COLUMNS; c++) {
        char text[16], mark = profile_mark(profile_heat(t->p, m, (enum column)c));
        if (!t->shown[c]) continue;
        if (c == COLUMN_INST)
            snprintf(text, sizeof text, "%.1f%%", v[c]);
        else if (isnan(v[c]))
            text[0] = 0;
        else
            profile_number(v[c], text);
        if (mark != ' ') screen_ink(t->screen, out, mark == '*' ? INK_BAD : INK_STRONG);
        buf_printf(out, "%*s%c", columns[c].width - 1, text, text[0] ? mark : ' ');
        if (mark != ' ') screen_ink(t->screen, out, INK_PLAIN);
    }
}

/* Append a text, cut at the right edge of the screen. column: the screen's column at which the text
 * begins. */
static void clipped(
    struct buf *out, const struct screen *s, int column, const char *text, int length)
{
    int room = s->width - column;
    if (length > room)
        buf_printf(out, "%.*s...\n", room > 3 ? room - 3 : 0, text);
    else
        buf_printf(out, "%.*s\n", length, text);
}

/* Append the PTX instructions of a line, if the user wants them. */
static void ptx_rows(struct buf *out, const struct table *t, int line)
{
    struct buf ptx = {0};
    if (t->p->show_ptx) profile_ptx(t->p, line, &ptx);
    for (const char *at = ptx.data; at && *at;) {
        int length = (int)strcspn(at, "\n"), indent = t->beside ? t->width : 0;
        screen_ink(t->screen, out, INK_QUIET);
        buf_printf(out, "%*s    . ", indent, "");
        clipped(out, t->screen, indent + 6, at, length);
        screen_ink(t->screen, out, INK_PLAIN);
        at += length + (at[length] == '\n');
    }
    buf_free(&ptx);
}

/* Append one source line. On a narrow screen its counters are below it, and a bar on the left
 * marks source lines. */
static void source_row(
    struct buf *out, const struct table *t, int line, const char *text, int length)
{
    const struct metrics *m = profile_line(t->p, line);
    if (t->beside && m)
        cells(out, t, m);
    else if (t->beside)
        buf_printf(out, "%*s", t->width - 1, "");
    buf_printf(out, "%s%4d | ", t->beside ? "|" : "", line);
    clipped(out, t->screen, 7 + (t->beside ? t->width : 0), text, length);
    if (!t->beside && m) {
        cells(out, t, m);
        end_line(out);
    }
    if (m) ptx_rows(out, t, line);
}

/* Append the source with its counters. Lines that are left out are shown as one "...". */
static void annotated(struct buf *out, const struct screen *s, const struct profile *p)
{
    struct table t = table_of(s, p);
    int line = 1, skipped = 0;
    headings(out, &t);
    for (const char *at = p->source; at && *at; line++) {
        int length = (int)strcspn(at, "\r\n");
        if (profile_near(p, line)) {
            if (skipped) buf_printf(out, "%*s ...\n", t.beside ? t.width + 4 : 4, "");
            skipped = 0;
            source_row(out, &t, line, at, length);
        } else {
            skipped = 1;
        }
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (p->m.line_count > 1)
        buf_printf(out, "*: at least half of what the launch has, +: at least a fifth\n");
}

/* Append the lines that cost most, the worst first, with advice. */
static void advice(struct buf *out, const struct screen *s, const struct profile *p)
{
    struct advice a[ADVICES];
    int count = profile_advise(p, a);
    if (count) buf_printf(out, "\nwhat costs most:\n");
    for (int i = 0; i < count; i++) {
        char *text = source_line(p->source, a[i].line);
        buf_printf(out, "  %s:%d (%.0f%%):\n      ", p->file, a[i].line, 100 * a[i].share);
        clipped(out, s, 6, text, (int)strlen(text));
        buf_printf(out, "      ");
        screen_wrapped(s, out, 6, 6, a[i].text);
        if (profile_pictured(p, a[i].line))
            buf_printf(
                out, "      its picture: --map %d (with make: MAP=%d)\n", a[i].line, a[i].line);
        free(text);
    }
}

/* Append "256", "(32,8)" or "(8,8,8)": as in a dim3, extents of 1 at the end are left out. */
static void extents(struct buf *out, const unsigned v[3])
{
    if (v[2] > 1)
        buf_printf(out, "(%u,%u,%u)", v[0], v[1], v[2]);
    else if (v[1] > 1)
        buf_printf(out, "(%u,%u)", v[0], v[1]);
    else
        buf_printf(out, "%u", v[0]);
}

/* The <<<...>>> is written as in CUDA: a launch without dynamic shared memory has two arguments. */
void profile_launch(const struct profile *p, struct buf *out)
{
    buf_printf(out, "%s: kernel %s<<<", p->file, p->kernel);
    extents(out, p->grid);
    buf_printf(out, ", ");
    extents(out, p->block);
    if (p->shared) buf_printf(out, ", %zu", p->shared);
    buf_printf(out, ">>>");
}

void profile_text(const struct screen *s, const struct profile *p, struct buf *out)
{
    struct buf launch = {0};
    profile_launch(p, &launch);
    screen_ink(s, out, INK_STRONG);
    screen_wrapped(s, out, 4, 0, launch.data);
    screen_ink(s, out, INK_PLAIN);
    launch.len = 0;
    buf_printf(&launch, "%s, on %s, by %s", p->what, p->device, p->front);
    screen_wrapped(s, out, 4, 0, launch.data);
    buf_printf(out, "\n");
    if (p->before) profile_change_text(s, p, out);
    launch.len = 0;
    if (!p->before) profile_doubts(p, &launch);
    if (launch.len) {
        screen_ink(s, out, INK_BAD);
        screen_wrapped(s, out, 0, 0, launch.data);
        screen_ink(s, out, INK_PLAIN);
        buf_printf(out, "\n");
    }
    annotated(out, s, p);
    profile_summary(s, p, out);
    advice(out, s, p);
    buf_free(&launch);
    if (p->m.printed) buf_printf(out, "\nprinted by the kernel:\n%s", p->m.printed);
}
