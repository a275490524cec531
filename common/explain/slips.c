/* slips.c - usual slips in the text of a file, where no edit was proven to be the cause: in host C
 * always.
 *
 *     for (int row = top; row < TILE; row++)         it starts at top, so top + TILE       loop
 *     for (i ..; i < k; ..) ... m - i                what remains of another dimension     other_end
 *     c[..] += ..                                    and nothing sets c                    never_set
 *     b + i * k + col                                a row of b has n elements             pointer_length
 *     pairs = w / 2                                  and the last w % 2 are missing        rounds_down
 *     sum += a[15] * b[15];                          and a tile has 32                     written_out
 */
#include "explain/maker.h"
#include "explain/story.h"
#include "explain/subscript.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int rule(struct source *s, const char *line, struct buf *says);

static int is_dim(const struct source *s, const char *name)
{
    for (int d = 0; s->p->dim_names[d]; d++)
        if (!strcmp(s->p->dim_names[d], name)) return 1;
    return 0;
}

/* ---- loops ---- */

/* The parts of "for (int row = top; row + 1 < TILE; row++)": row, top, row + 1, "<", TILE,
 * "row++" */
struct loop {
    char name[32], start[48], left[48], op[4], end[48], step[48];
};

static int read_loop(const char *line, struct loop *l)
{
    const char *at = text_find(line, line, "for"), *open = at ? text_skip(at + 3) : NULL;
    const char *end = open && *open == '(' ? text_closing(open) : NULL;
    const char *first = end ? strchr(open, ';') : NULL,
               *second = first ? strchr(first + 1, ';') : NULL;
    const char *set = end ? strchr(open, '=') : NULL, *name = set;
    if (!second || second > end || !set || set > first) return 0;
    while (name > open && strchr(" \t", name[-1])) name--;
    while (name > open && text_is_word(name[-1])) name--;
    text_copy(l->name, sizeof l->name, name, set);
    text_copy(l->start, sizeof l->start, set + 1, first);
    const char *op = first + 1 + strcspn(first + 1, "<>=!");
    size_t n = strspn(op, "<>=!");
    if (op > second || n > 2) return 0;
    text_copy(l->left, sizeof l->left, first + 1, op);
    snprintf(l->op, sizeof l->op, "%.*s", (int)n, op);
    text_copy(l->end, sizeof l->end, op + n, op + n + strcspn(op + n, "&;"));
    text_copy(l->step, sizeof l->step, second + 1, end);
    return 1;
}

static int is_constant(const char *text)
{
    size_t n = strlen(text);
    return n && strspn(text, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == n;
}

int slips_starts_late(const char *line)
{
    struct loop l;
    return read_loop(line, &l) && is_constant(l.start) && strcmp(l.start, "0");
}

/* The line of the brace that ends the loop in this one; this line: it has none. */
static int body_end(struct source *s)
{
    int depth = 0;
    if (!strchr(s->lines[s->line], '{')) return s->line;
    for (int i = s->line; i < s->count; i++)
        for (const char *at = s->lines[i]; *at; at++) {
            depth += (*at == '{') - (*at == '}');
            if (!depth && *at == '}') return i;
        }
    return s->line;
}

/* "i < TILE; i += 3", where 3 does not divide TILE, and i + 2 is used */
static int remainder_of(struct source *s, const struct loop *l, long long *by)
{
    const char *step = strstr(l->step, "+=");
    long long end;
    char last[64];
    if (!step || *l->op != '<' || !story_constant(s->source, l->end, &end) ||
        !story_constant(s->source, text_skip(step + 2), by) || *by < 2 || end % *by == 0)
        return 0;
    snprintf(last, sizeof last, "%s + %lld", l->name, *by - 1);
    for (int i = s->line; i < s->count && i <= s->line + 2 * *by; i++)
        if (strstr(s->lines[i], last)) return 1;
    return 0;
}

/* Is it the length of a tile: one name or number, which is not 1? */
static int is_length(const char *text)
{
    text = text_skip(text);
    return is_constant(text) && strcmp(text, "1");
}

static int loop(struct source *s, const char *line, struct buf *says)
{
    struct loop l;
    char divided[48];
    if (!read_loop(line, &l)) return 0;
    const char *by = strchr(l.end, *l.op == '<' && l.op[1] ? '-' : '/'),
               *plus = strchr(l.left, '+');
    text_copy(divided, sizeof divided, l.end, by ? by : l.end);
    long long pass;
    if (remainder_of(s, &l, &pass))
        buf_printf(
            says, "%s is no multiple of %lld: the last pass of the loop goes past it", l.end, pass);
    else if ((by && is_dim(s, divided) && is_length(by + 1)) ||
             (plus && is_dim(s, l.end) && strchr(l.step, '=')))
        buf_printf(says,
            "the loop leaves out the last tile where it is only partly filled: %s is no "
            "multiple of %s",
            by ? divided : l.end, text_skip(by ? by + 1 : plus + 1));
    else if (*l.op == '<' && strstr(l.step, "++") && !is_constant(l.start) &&
             !strchr(l.start, ',') && is_constant(l.end))
        buf_printf(says, "the loop starts at %s and ends at %s: is %s + %s meant?", l.start, l.end,
            l.start, l.end);
    else
        return 0;
    return 1;
}

/* "for (i = 0; i < k; ..." and "m - i" in its body: what remains of another dimension */
static int other_end(struct source *s, const char *line, struct buf *says)
{
    struct loop l;
    int end = body_end(s);
    if (!read_loop(line, &l) || !is_dim(s, l.end)) return 0;
    if (end == s->line) end = s->line + 4 < s->count ? s->line + 4 : s->count;
    for (int i = s->line + 1; i < end; i++)
        for (int d = 0; s->p->dim_names[d]; d++) {
            char rest[64];
            snprintf(rest, sizeof rest, "%s - %s", s->p->dim_names[d], l.name);
            if (!strcmp(s->p->dim_names[d], l.end) || !text_find(s->lines[i], s->lines[i], rest))
                continue;
            buf_printf(says, "%s goes up to %s, so what remains is %s - %s, and not %s", l.name,
                l.end, l.end, l.name, rest);
            s->line = i;
            return 1;
        }
    return 0;
}

/* ---- what remains ---- */

/* "w / 2" or "n / 4" where the last w % 2 products or n % 4 elements are missing. */
static int rounds_down(struct source *s, const char *line, struct buf *says)
{
    const struct finding *f = s->found;
    int first = f->kind == FOUND_PART && !f->from && !f->tile;
    long all = first ? f->of : 0, missing = first ? f->of - f->to : f->left, by;
    if (maker_elsewhere(s, s->line)) return 0;
    for (int d = 0; missing && s->p->dim_names[d]; d++) {
        const char *name = s->p->dim_names[d], *at = text_find(line, line, name);
        char rest[48];
        if (!at || sscanf(at + strlen(name), " / %ld", &by) != 1 || by < 2) continue;
        snprintf(rest, sizeof rest, "%s %% %ld", name, by);
        if ((all ? all % by != missing : missing >= by) || strstr(s->source, rest)) continue;
        buf_printf(says, "%s / %ld rounds down, and no line does the last %s", name, by, rest);
        return 1;
    }
    return 0;
}

/* The last of the steps that are written out one by one, where a tile has more. */
static int written_out(struct source *s, const char *line, struct buf *says)
{
    const struct finding *f = s->found;
    int from = (int)f->from, to = (int)f->to - 1;
    char index[24], after[24];
    if (!f->tile) return 0;
    snprintf(index, sizeof index, "[%d]", from ? from : to);
    snprintf(after, sizeof after, "+ %d]", from ? from : to);
    if (maker_elsewhere(s, s->line) || !strstr(line, "+=")) return 0;
    if (!strstr(line, index) && !strstr(line, after)) return 0;
    buf_printf(says, "the steps of a tile that are written out %s with step %d, and a tile has %ld",
        from ? "begin" : "end", from ? from : to, f->tile);
    return 1;
}

/* ---- outputs ---- */

/* The function that a line is in: from the line after the end of the one before to its own end. */
static void function_of(struct source *s, int line, int *first, int *last)
{
    for (*first = line; *first > 0 && *s->lines[*first - 1] != '}';) --*first;
    for (*last = line; *last + 1 < s->count && *s->lines[*last] != '}';) ++*last;
}

/* Is the output set, and not added to, in the function that the line is in? */
static int is_set(struct source *s, int line)
{
    const char *name = s->p->buffers[s->p->output].name, *at, *end;
    int first, last;
    function_of(s, line, &first, &last);
    for (int i = first; i <= last; i++)
        for (at = s->lines[i]; (at = text_find(s->lines[i], at, name)); at++) {
            const char *open = text_skip(at + strlen(name));
            if (at - s->lines[i] > 7 && !strncmp(at - 7, "memset(", 7)) return 1;
            if (*open != '[' || !(end = text_closing(open))) continue;
            end = text_skip(end + 1);
            if (*end == '=' && end[1] != '=') return 1;
        }
    return 0;
}

/* The output is added to, and neither this function nor the kernel sets it. */
static int never_set(struct source *s, const char *line, struct buf *says)
{
    const char *name = s->p->buffers[s->p->output].name, *at = text_find(line, line, name);
    const char *open = at ? text_skip(at + strlen(name)) : "";
    const char *end = *open == '[' ? text_closing(open) : NULL;
    if (!end || strncmp(text_skip(end + 1), "+=", 2) || is_set(s, s->line)) return 0;
    if (s->first >= 0 && is_set(s, s->first + 1)) return 0;
    buf_printf(says, "it adds to %s, which no line sets to 0 before", name);
    return 1;
}

/* ---- indices ---- */

/* b + i * k + col, where a row of b has n elements */
static int pointer_length(struct source *s, const char *line, struct buf *says)
{
    for (int b = 0; s->p->buffers[b].name; b++) {
        const char *name = s->p->buffers[b].name, *at = text_find(line, line, name);
        const struct matrix *m = subscript_matrix(s->p, name, strlen(name));
        const char *plus = at && m ? text_skip(at + strlen(name)) : "";
        struct subscript i;
        char index[96];
        if (*plus != '+' || plus[1] == '=' || plus[1] == '+') continue;
        snprintf(index, sizeof index, "[%.*s]", (int)strcspn(plus + 1, ",;"), plus + 1);
        if (!subscript_read(index, &i) || !is_dim(s, i.length)) continue;
        if (!strcmp(i.length, m->length)) continue;
        buf_printf(says, "a row of %s has %s elements, and this multiplies by %s", name, m->length,
            i.length);
        return 1;
    }
    return 0;
}

int slips_tell(struct source *s, struct buf *says)
{
    static rule *const rules[] = {
        rounds_down, written_out, loop, never_set, other_end, pointer_length};
    for (int i = 0; i < s->count; i++)
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
            if (rules[k](s, s->lines[s->line = i], says)) return 1;
    return 0;
}
