/* screen.c - show a stop as lines of a terminal, or as text for scripts.
 *
 *     file, kernel, block, warp                              stop 17 of 230
 *     source                                                  > the line
 *     lanes      ################################             which are active, wait, have returned
 *     variables  row = 32   col  32, 33, ... 63 (32 + lane)   those with one value share a line
 *     accesses   a_tile  reads shared ... banks or sectors, drawn
 *     counters so far; keys
 *
 * A race is shown as two such pages of half the width, side by side. Each part is a list of
 * lines, of which a small screen shows only the first. */
#include "step/step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines that fit the screen ---- */

enum style { PLAIN, CURRENT, STRONG, WARN, FAINT };

/* A screen: its size, and the buffer to which its lines are appended. */
struct page {
    struct buf *out;
    int rows, columns, colour, used;
};

/* Append a line of text, cut to the width. A UTF-8 character counts as one column. */
static void put_line(struct page *g, enum style style, const char *text)
{
    static const char *const begin[] = {"", "\033[7m", "\033[1m", "\033[31m", "\033[2m"};
    if (g->used >= g->rows) return;
    g->used++;
    int n = 0, column = 0;
    while (text[n] && text[n] != '\n' && column < g->columns) {
        n++;
        while (((unsigned char)text[n] & 0xc0) == 0x80) n++;
        column++;
    }
    char cut[512];
    if (text[n] && text[n] != '\n' && n > 3 && n < (int)sizeof cut) {
        snprintf(cut, sizeof cut, "%.*s...", n - 3, text);
        text = cut;
    }
    if (g->colour && style)
        buf_printf(g->out, "%s%.*s\033[0m\n", begin[style], n, text);
    else
        buf_printf(g->out, "%.*s\n", n, text);
}

__attribute__((format(printf, 3, 4))) static void put(
    struct page *g, enum style style, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    put_line(g, style, text);
}

/* Line number `line` of the source or the PTX, with tabs as two blanks. The caller frees it. */
static char *text_line(const char *text, int line)
{
    const char *at = text;
    struct buf out = {0};
    for (int i = 1; at && i < line; i++)
        if ((at = strchr(at, '\n'))) at++;
    for (; at && *at && *at != '\n' && *at != '\r'; at++) {
        if (*at == '\t')
            buf_printf(&out, "  ");
        else
            buf_add(&out, at, 1);
    }
    return out.data ? out.data : xstrdup("");
}

static int count_lines(const char *text)
{
    int n = 0;
    for (const char *at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) n++;
    return n;
}

/* ---- the parts ---- */

static void put_head(
    struct page *g, const struct step_session *s, const struct step_picture *p, int by_instruction)
{
    char left[160], right[64];
    const char *file = strrchr(s->file, '/') ? strrchr(s->file, '/') + 1 : s->file;
    snprintf(left, sizeof left, "%s  %s  block (%u,%u,%u)  warp %d", file, s->kernel, s->at[0],
        s->at[1], s->at[2], s->warp);
    snprintf(right, sizeof right, "%s %zu of %zu", by_instruction ? "instruction" : "step",
        p->stop + 1, p->stops);
    int gap = g->columns - (int)strlen(left) - (int)strlen(right);
    put(g, STRONG, "%s%*s%s", left, gap > 1 ? gap : 1, "", right);
}

/* The indentation that lines from .. to have in common, in characters. */
static size_t indentation(const char *text, int from, int to)
{
    size_t least = SIZE_MAX;
    for (int i = from; i <= to; i++) {
        char *t = text_line(text, i);
        size_t n = strspn(t, " ");
        if (t[n] && n < least) least = n;
        free(t);
    }
    return least == SIZE_MAX ? 0 : least;
}

/* Append lines of a text around line number `line`. narrow: leave out their common indentation. */
static void put_source(struct page *g, const char *text, int line, int rows, int narrow)
{
    int last = count_lines(text), from = line - rows / 2;
    if (from + rows > last + 1) from = last + 1 - rows;
    if (from < 1) from = 1;
    size_t drop =
        narrow ? indentation(text, from, from + rows - 1 < last ? from + rows - 1 : last) : 0;
    for (int i = from; i < from + rows; i++) {
        char *t = i <= last ? text_line(text, i) : xstrdup("");
        const char *shown = strlen(t) > drop ? t + drop : "";
        if (i <= last)
            put(g, i == line ? CURRENT : PLAIN, "%c%4d  %s", i == line ? '>' : ' ', i, shown);
        else
            put_line(g, PLAIN, "");
        free(t);
    }
}

static void put_lanes(struct page *g, const struct step_picture *p)
{
    int runs = 0, waits = 0, at = 0, left = 0;
    for (int l = 0; l < WARP_SIZE; l++) {
        runs += p->lanes[l] == '#';
        waits += p->lanes[l] == '.';
        at += p->lanes[l] == 'B';
        left += p->lanes[l] == 'x';
    }
    char what[128] = "";
    int n = 0;
    if (runs) n += snprintf(what + n, sizeof what - (size_t)n, "  %d run", runs);
    if (at) n += snprintf(what + n, sizeof what - (size_t)n, "  B: %d at a barrier", at);
    if (waits) n += snprintf(what + n, sizeof what - (size_t)n, "  .: %d wait", waits);
    if (left) snprintf(what + n, sizeof what - (size_t)n, "  x: %d returned", left);
    put(g, PLAIN, "lanes 0 %s 31%s", p->lanes, what);
}

/* Append the variables. Those with one value for the whole warp share lines, the others have one
 * line each. Returns how many lines were written. */
static void put_variables(struct page *g, const struct step_picture *p, int rows)
{
    char line[512] = "";
    int start = g->used;
    for (int i = 0; i < p->row_count; i++) {
        const struct step_row *r = &p->rows[i];
        char item[224];
        if (!r->same) continue;
        snprintf(item, sizeof item, "%s%s = %s", r->changed ? "*" : "", r->name, r->text);
        if (*line && (int)(strlen(line) + strlen(item)) + 3 > g->columns) {
            put_line(g, PLAIN, line);
            *line = 0;
        }
        size_t n = strlen(line);
        snprintf(line + n, sizeof line - n, "%s%s", n ? "   " : "", item);
    }
    if (*line) put_line(g, PLAIN, line);
    for (int i = 0; i < p->row_count && g->used - start < rows; i++) {
        const struct step_row *r = &p->rows[i];
        if (!r->same)
            put(g, r->changed ? STRONG : PLAIN, "%c%-9s %s", r->changed ? '*' : ' ', r->name,
                r->text);
    }
}

static void put_access(struct page *g, const struct step_session *s, const struct step_access *a)
{
    char words[256], drawing[512];
    step_access_words(s, a, words, sizeof words);
    put(g, a->extra ? WARN : PLAIN, "%s", words);
    step_access_drawing(a, (g->columns - 30) / 9, drawing, sizeof drawing);
    if (*drawing) put(g, FAINT, "  %s", drawing);
}

/* Append the counters. instructions: 1 shows the number of instructions, too, which only means
 * something for optimized code. */
static void put_counts(struct page *g, enum style style, const char *what,
    const struct step_counters *c, int instructions)
{
    char last[24] = "-";
    if (instructions) snprintf(last, sizeof last, "%llu", (unsigned long long)c->instructions);
    put(g, style, "%-15s%8llu%8llu%8llu%8llu%8llu%11llu%8s", what, (unsigned long long)c->global,
        (unsigned long long)c->sectors, (unsigned long long)c->needed,
        (unsigned long long)c->shared, (unsigned long long)c->wavefronts,
        (unsigned long long)c->conflicts, last);
}

static void put_counters(struct page *g, const struct step_session *s, const struct step_picture *p)
{
    put_line(
        g, FAINT, "this warp        global sectors  needed  shared   waves  conflicts    inst");
    put_counts(g, PLAIN, "so far", &p->so_far, !s->debug);
    if (s->has_optimised)
        put_counts(g, FAINT, "optimised, end", &s->optimised, 1);
    else
        put_line(g, PLAIN, "");
}

/* Append a message, wrapped. start: text that precedes the message's first line. */
static void put_message(struct page *g, const char *start, const char *text)
{
    while (*text) {
        int room = g->columns - (int)strlen(start), n = (int)strlen(text);
        if (n > room)
            for (n = room; n > room / 2 && text[n] != ' ';) n--;
        put(g, WARN, "%s%.*s", start, n, text);
        text += n;
        text += strspn(text, " ");
        start = "  ";
    }
}

/* ---- the content of an array in shared memory ---- */

/* The array to be shown: the one that the stop accesses or, if it accesses none, the first. */
static const struct step_variable *tile_of(
    const struct step_session *s, const struct step_picture *p)
{
    const struct step_variable *v = NULL;
    for (int i = 0; i < p->access_count && !v; i++)
        if (p->access[i].shared)
            v = step_shared_at(s, p->access[i].addr[__builtin_ctz(p->access[i].mask)]);
    for (int i = 0; i < s->names.variable_count && !v; i++)
        if (s->names.variables[i].shared) v = &s->names.variables[i];
    return v;
}

/* Does the stop access any of these bytes of shared memory? */
static int touched(const struct step_picture *p, uint64_t offset, unsigned bytes)
{
    for (int i = 0; i < p->access_count; i++)
        for (uint32_t m = p->access[i].shared ? p->access[i].mask : 0; m; m &= m - 1) {
            uint64_t at = p->access[i].addr[__builtin_ctz(m)];
            if (at < offset + bytes && offset < at + p->access[i].bytes) return 1;
        }
    return 0;
}

static void put_tile(struct page *g, struct step_session *s, const struct step_picture *p, int rows)
{
    const struct step_state *st = recording_state(s->recording, p->instant);
    const struct step_variable *v = tile_of(s, p);
    if (!v) {
        put_line(g, PLAIN,
            st->shared_bytes ? "shared memory has no names here"
                             : "the kernel has no shared memory");
        return;
    }
    const struct step_type *t = &s->names.types[v->type];
    unsigned per_row = t->kind == KIND_ARRAY ? t->count : 1;
    while (t->kind == KIND_ARRAY && t->of >= 0) per_row = t->count, t = &s->names.types[t->of];
    unsigned bytes = t->bytes ? t->bytes : 4, count = s->names.types[v->type].bytes / bytes;
    put(g, STRONG, "%s, %u elements, rows of %u; [ ]: this line's; -: not written", v->name, count,
        per_row);
    int per_line = (g->columns - 6) / 8;
    for (unsigned y = 0; y < count / per_row && (int)y < rows - 1; y++) {
        char line[512];
        int n = snprintf(line, sizeof line, "%4u ", y);
        for (unsigned x = 0; x < per_row && (int)x < per_line; x++) {
            uint64_t at = v->offset + (uint64_t)(y * per_row + x) * bytes, lane[WARP_SIZE] = {0};
            char text[24] = "-";
            if (at + bytes <= st->shared_bytes && bytes <= 8 && st->shared_known[at]) {
                memcpy(lane, st->shared + at, bytes);
                step_fold(t->kind, bytes, lane, 1, text, sizeof text);
            }
            int on = touched(p, at, bytes);
            n += snprintf(line + n, sizeof line - (size_t)n, "%c%6.6s%c", on ? '[' : ' ', text,
                on ? ']' : ' ');
        }
        put_line(g, PLAIN, line);
    }
}

/* ---- a race: two warps side by side ---- */

/* Append one side of a race: which lanes access the word, then source, lanes, variables and the
 * access. */
static void put_side(struct page *g, const struct step_session *s, int number, int rows)
{
    const struct step_side *side = &s->race.side[number];
    struct step_race_side r;
    step_race_side(s, number, &r);
    put(g, STRONG, "%s warp %d, line %d", number ? "2nd:" : "1st:", side->warp, side->line);
    put_source(g, s->source, side->line, rows < 18 ? 5 : 7, 1);
    put(g, PLAIN, "0 %s 31", r.picture.lanes);
    put(g, WARN, "  %s", r.marks);
    put(g, WARN, "%s", r.who);
    put(g, PLAIN, "%s", r.access);
    put_variables(g, &r.picture, rows - g->used);
    picture_free(&r.picture);
}

/* How many columns a line takes up to its newline. *bytes: the line's length in bytes. */
static int width_of(const char *line, int *bytes)
{
    int width = 0, n = 0;
    while (line[n] && line[n] != '\n') {
        if (line[n] == '\033') {
            while (line[n] && line[n] != 'm') n++;
            n += line[n] == 'm';
        } else {
            width += ((unsigned char)line[n++] & 0xc0) != 0x80;
        }
    }
    *bytes = n;
    return width;
}

/* Join the two sides line by line, padding the left one to its width. */
static void join(struct page *g, const struct buf sides[2], int half)
{
    const char *at[2] = {sides[0].data, sides[1].data};
    while ((at[0] && *at[0]) || (at[1] && *at[1])) {
        for (int i = 0; i < 2; i++) {
            int bytes = 0, width = at[i] ? width_of(at[i], &bytes) : 0;
            if (i) buf_printf(g->out, " | ");
            if (bytes) buf_add(g->out, at[i], (size_t)bytes);
            if (!i) buf_printf(g->out, "%*s", half - width, "");
            if (at[i]) at[i] += bytes + (at[i][bytes] == '\n');
        }
        buf_printf(g->out, "\n");
        g->used++;
    }
}

static void put_race(struct page *g, const struct step_session *s, int rows)
{
    char words[256];
    struct buf sides[2] = {{0}};
    int half = (g->columns - 3) / 2;
    step_race_words(&s->race, words, sizeof words);
    put_message(g, "RACE: ", words);
    for (int i = 0; i < 1 + (s->race.side[0].line != s->race.side[1].line); i++) {
        char *line = text_line(s->source, s->race.side[i].line);
        put(g, PLAIN, "%5d  %s", s->race.side[i].line, line + strspn(line, " "));
        free(line);
    }
    for (int i = 0; i < 2; i++) {
        struct page side = {&sides[i], rows - g->used, half, g->colour, 0};
        put_side(&side, s, i, side.rows);
    }
    join(g, sides, half);
    for (int i = 0; i < 2; i++) buf_free(&sides[i]);
}

static void race_screen(struct page *g, const struct step_session *s)
{
    const char *file = strrchr(s->file, '/') ? strrchr(s->file, '/') + 1 : s->file;
    put(g, STRONG, "%s  %s  block (%u,%u,%u)  warps %d and %d", file, s->kernel, s->at[0], s->at[1],
        s->at[2], s->race.side[0].warp, s->race.side[1].warp);
    put_race(g, s, g->rows - 1);
    while (g->used < g->rows - 1) put_line(g, PLAIN, "");
    put(g, STRONG, "1 or 2: step through that warp from here   r back   q quit");
}

/* ---- the whole screen ---- */

/* Append the second line of the screen: which code is stepped through, and whether there is a
 * race. */
static void put_kind(struct page *g, const struct step_session *s)
{
    char race[160] = "";
    if (s->race.side[0].recording)
        snprintf(race, sizeof race, "RACE on %s, warps %d and %d: press r", s->race.word,
            s->race.side[0].warp, s->race.side[1].warp);
    if (*race)
        put(g, WARN, "%s   (%s)", race, s->debug ? "not optimised" : "optimised");
    else
        put_line(g, FAINT,
            s->debug ? "compiled without optimisation, so that variables keep their names"
                     : "optimised code: values are those of its registers, after the step");
}

/* Rows are given first to the required parts; then to the source, at most a third; then to
 * variables and accesses. */
void step_screen(struct step_session *s, size_t stop, int flags, int rows, int columns, int colour,
    struct buf *out)
{
    struct page g = {out, rows, columns, colour, 0};
    struct step_picture p;
    int by_instruction = (flags & STEP_PTX) != 0;
    if (flags & STEP_RACE) {
        race_screen(&g, s);
        return;
    }
    picture_make(s, stop, by_instruction, &p);
    char *fault = p.fault ? step_fault(s) : NULL;
    int source = rows < 30 ? 7 : rows / 3;
    put_head(&g, s, &p, by_instruction);
    put_kind(&g, s);
    if (by_instruction) {
        put_source(&g, s->source, p.line, 3, 0);
        put_source(&g, s->ptx, recording_at(s->recording, p.instant)->ptx_line, source - 3, 0);
    } else {
        put_source(&g, s->source, p.line, source, 0);
    }
    put_lanes(&g, &p);
    int bottom = 5, accesses = (flags & STEP_TILE) ? 1 : p.access_count > 2 ? 2 : p.access_count;
    int left = rows - g.used - bottom - 2 * accesses -
               (fault ? (int)strlen(fault) / (columns - 10) + 1 : 0);
    if (flags & STEP_TILE)
        put_tile(&g, s, &p, left);
    else
        put_variables(&g, &p, left);
    if (fault) put_message(&g, "FAULT: ", fault);
    for (int i = 0; i < p.access_count && g.used + bottom + 1 < rows; i++)
        put_access(&g, s, &p.access[i]);
    while (g.used < rows - 4) put_line(&g, PLAIN, "");
    put_counters(&g, s, &p);
    put_line(&g, STRONG,
        s->note ? s->note
                : "n p line  i PTX  b barrier  c conflict  f fault  t tile  g go to  q quit");
    free(fault);
    picture_free(&p);
}

void step_text(struct step_session *s, size_t stop, struct buf *out)
{
    struct page g = {out, 1 << 20, 100, 0, 0};
    struct step_picture p;
    picture_make(s, stop, 0, &p);
    char *source = text_line(s->source, p.line);
    put(&g, PLAIN, "step %zu of %zu  line %d: %s", stop + 1, p.stops, p.line,
        source + strspn(source, " "));
    put_lanes(&g, &p);
    put_variables(&g, &p, 64);
    for (int i = 0; i < p.access_count; i++) put_access(&g, s, &p.access[i]);
    char *fault = p.fault ? step_fault(s) : NULL;
    if (fault) buf_printf(out, "FAULT: %s\n", fault);
    free(fault);
    put_line(&g, PLAIN, "");
    free(source);
    picture_free(&p);
}

void step_race_text(const struct step_session *s, struct buf *out)
{
    struct page g = {out, 1 << 20, 100, 0, 0};
    if (!s->race.side[0].recording) return;
    put_race(&g, s, 30);
    put_line(&g, PLAIN, "");
}
