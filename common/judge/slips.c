/* slips.c - usual slips in the text of a file whose result is wrong: the line that holds one is named.
 *
 *     out[col * cols + row]                       a row of out has rows elements       row_length
 *     blockIdx.x * gridDim.x + threadIdx.x        a block has blockDim.x threads       thread_number
 *     for (int row = top; row < TILE; row++)      it starts at top, so top + TILE      loop
 *     if (row < rows || col < cols)               both must hold: &&                   guard
 *     a[.. i + 2 ..] * b[.. i + 3 ..]             factors of two different steps       pair
 *     for (t ..) tile[y][x] = a[row * k + x]      the same tile in every pass          same_tile
 *
 * The text is searched, not compiled: a rule passes over what it does not understand. Nothing is searched
 * unless a result is wrong. */
#include "judge/slips.h"
#include "judge/story.h"
#include "judge/subscript.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file with blanks for its comments, cut into lines; line is the one that a rule looks at, from 0. */
struct slips {
    const struct bound *bound;
    const struct problem *p;
    const char *source;
    char *text, **lines;
    int count, line;
    int first, last; /* lines of the kernel */
    int shared;      /* the file has shared memory */
};

/* The comments become blanks, so that lines keep their numbers. The caller frees the copy. */
static char *without_comments(const char *source)
{
    char *text = xstrdup(source), *end;
    for (char *at = text; *at; at++) {
        if (at[0] != '/' || (at[1] != '/' && at[1] != '*')) continue;
        end = at[1] == '/' ? strchr(at, '\n') : strstr(at + 2, "*/");
        end = end ? end + (at[1] == '*' ? 2 : 0) : at + strlen(at);
        for (; at < end; at++)
            if (*at != '\n') *at = ' ';
        at--;
    }
    return text;
}

/* ---- rules: each says what is odd about a line, and returns 1; s->line is that line ---- */

typedef int rule(struct slips *s, const char *line, struct buf *says);

/* The next matrix in the line with an index that is understood. Returns where its index opens; NULL: none. */
static const char *next_index(struct slips *s, const char *at, const struct matrix **m, struct subscript *i)
{
    for (; *at; at += text_name(at) ? text_name(at) : 1) {
        size_t n = text_name(at);
        const char *open = text_skip(at + n);
        if (n && *open == '[' && (*m = subscript_matrix(s->p, at, n)) && subscript_read(open, i)) return open;
    }
    return NULL;
}

static int is_dim(struct slips *s, const char *name)
{
    for (int d = 0; s->p->dim_names[d]; d++)
        if (!strcmp(s->p->dim_names[d], name)) return 1;
    return 0;
}

static int row_length(struct slips *s, const char *line, struct buf *says)
{
    const struct matrix *m;
    struct subscript i;
    for (const char *at = line; (at = next_index(s, at, &m, &i)); at++)
        if (is_dim(s, i.length) && strcmp(i.length, m->length)) {
            buf_printf(says, "a row of %s has %s elements, and this index multiplies by %s", m->buffer,
                m->length, i.length);
            return 1;
        }
    return 0;
}

/* blockIdx.x * W + threadIdx.x, where W is not blockDim.x, or a constant */
static int thread_number(struct slips *s, const char *line, struct buf *says)
{
    for (const char *at = line; (at = strstr(at, "blockIdx.")); at++) {
        char axis = at[9];
        const char *op = text_skip(at + 10), *by = text_skip(op + (*op != 0)), *then = text_skip(by + text_name(by));
        int grid = !strncmp(by, "gridDim.", 8), block = !strncmp(by, "blockDim.", 9),
            thread = !strncmp(by, "threadIdx.", 10);
        if (*op == '*' && (grid || thread || (block && by[9] != axis)))
            buf_printf(says, "blockIdx.%c is multiplied by %.*s; a block has blockDim.%c threads in %c", axis,
                (int)text_name(by), by, axis, axis);
        else if (*op == '+' && thread)
            buf_printf(says, "blockIdx.%c counts blocks: blockIdx.%c * blockDim.%c + threadIdx.%c is meant",
                axis, axis, axis, axis);
        else if (*op == '*' && block && *then == '+' && !s->shared &&
                 !strncmp(then = text_skip(then + 1), "threadIdx.", 10) && then[10] != axis)
            buf_printf(says, "threadIdx.%c stands beside blockIdx.%c", then[10], axis);
        else continue;
        return 1;
    }
    return 0;
}

/* ---- conditions ---- */

/* The first comparison of a text: '<', 'g' for >=; 0: another, or none. */
static char comparison(const char *at, const char *end)
{
    at += strcspn(at, "<>");
    if (at >= end) return 0;
    return at[1] == '=' ? (*at == '>' ? 'g' : 0) : *at == '<' ? '<' : 0;
}

/* Do both sides of && or || at at compare in the way of how? */
static int both(const char *line, const char *at, char how)
{
    const char *from = at;
    while (from > line && !strchr("&|?;", from[-1])) from--;
    return comparison(from, at) == how && comparison(at + 2, at + 2 + strcspn(at + 2, "&|?;{")) == how;
}

/* "row < rows || col < cols", or "row >= rows && col >= cols" before a return */
static int guard(struct slips *s, const char *line, struct buf *says)
{
    const char *next = s->line + 1 < s->count ? text_skip(s->lines[s->line + 1]) : "";
    const char *either = strstr(line, "||"), *and = strstr(line, "&&");
    int leaves = strstr(line, "return") || !strncmp(next, "return", 6);
    if (either && both(line, either, '<'))
        buf_printf(says, "|| is true if one side is, and both must be: && is meant");
    else if (and && leaves && both(line, and, 'g'))
        buf_printf(says, "only threads that are outside in both directions return: || is meant");
    else return 0;
    return 1;
}

/* The next "A < B" or "A >= B" of a text. Returns where to go on; NULL: there are no more. */
static const char *next_test(const char *text, const char *at, char a[64], char b[32])
{
    for (; *(at += strcspn(at, "<>")); at++) {
        const char *from = at, *to = at + 1 + (at[1] == '=');
        if ((*at == '<') == (at[1] == '=')) continue;
        while (from > text && !strchr("&|?=;", from[-1])) from--;
        if (strstr(from, "if (") && strstr(from, "if (") < at) from = strstr(from, "if (") + 4;
        text_copy(a, 64, from, at);
        to = text_skip(to);
        text_copy(b, 32, to, to + text_name(to));
        return to;
    }
    return NULL;
}

/* A row or a column is tested that is not the one of the index behind the test: "if (row + y < rows && ..." in
 * front of out[(col + y) * rows + row + x] */
static int test(struct slips *s, const char *line, struct buf *says)
{
    const char *before = s->line ? text_skip(s->lines[s->line - 1]) : "", *tests, *at;
    const struct matrix *m;
    struct subscript i;
    char a[64], b[32], both[160];
    tests = strncmp(before, "if (", 4) ? line : before;
    for (at = line; (at = next_index(s, at, &m, &i)); at++) {
        snprintf(both, sizeof both, "%s + %s", i.row, i.column);
        if (strcmp(i.length, m->length)) continue;
        for (const char *t = tests; (t = next_test(tests, t, a, b));) {
            int row = !strcmp(b, m->rows), column = !strcmp(b, m->length);
            if ((!row && !column) || !subscript_within(a, both)) continue;
            if ((row && subscript_same(a, i.row)) || (column && subscript_same(a, i.column))) continue;
            buf_printf(says, "%s is tested against %s, and this is %s %s of %s", a, b, row ? "row" : "column",
                row ? i.row : i.column, m->buffer);
            return 1;
        }
    }
    return 0;
}

/* The parts of "for (int row = top; row < TILE; row++)": row, top, "<", TILE, "row++" */
struct loop {
    char name[32], start[48], op[4], end[48], step[48];
};

static int read_loop(const char *line, struct loop *l)
{
    const char *at = text_find(line, line, "for"), *open = at ? text_skip(at + 3) : NULL;
    const char *end = open && *open == '(' ? text_closing(open) : NULL;
    const char *first = end ? strchr(open, ';') : NULL, *second = first ? strchr(first + 1, ';') : NULL;
    const char *set = end ? strchr(open, '=') : NULL, *name = set;
    if (!second || second > end || !set || set > first) return 0;
    while (name > open && strchr(" \t", name[-1])) name--;
    while (name > open && text_is_word(name[-1])) name--;
    text_copy(l->name, sizeof l->name, name, set);
    text_copy(l->start, sizeof l->start, set + 1, first);
    const char *op = first + 1 + strcspn(first + 1, "<>=!");
    size_t n = strspn(op, "<>=!");
    if (op > second || n > 2) return 0;
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

static int loop(struct slips *s, const char *line, struct buf *says)
{
    struct loop l;
    (void)s;
    if (!read_loop(line, &l)) return 0;
    if (!strcmp(l.op, "=="))
        buf_printf(says, "the loop goes on only while %s equals %s: < is meant", l.name, l.end);
    else if (*l.op == '>' && strchr(l.step, '+'))
        buf_printf(says, "%s counts up, so %s %s %s ends the loop at its start: < is meant", l.name, l.name,
            l.op, l.end);
    else if (*l.op == '<' && strstr(l.step, "++") && !is_constant(l.start) && is_constant(l.end))
        buf_printf(says, "the loop starts at %s and ends at %s: is %s + %s meant?", l.start, l.end, l.start,
            l.end);
    else return 0;
    return 1;
}

/* ---- subscripts ---- */

/* The number that is added to a name at the end of a subscript: 2 in "[y][i + 2]". Returns the length of the
 * name; 0: there is none. */
static size_t added(const char *open, const char **name, long *number)
{
    const char *end = text_closing(open), *at = open + 1;
    for (size_t n; end && at < end; at += n ? n : 1) {
        const char *plus = text_skip(at + (n = text_name(at)));
        if (!n || *plus != '+' || !isdigit((unsigned char)*text_skip(plus + 1))) continue;
        *name = at;
        *number = atol(plus + 1);
        return n;
    }
    return 0;
}

/* Two factors that stand at different steps: a[y][i + 2] * b[i + 3][x] */
static int pair(struct slips *s, const char *line, struct buf *says)
{
    const char *star = strstr(line, "] * "), *name[2];
    long number[2];
    size_t n[2] = {0, 0};
    int side = 0;
    (void)s;
    for (const char *at = line; star && (at = strchr(at, '[')); at++) {
        side = at > star;
        size_t found = added(at, &name[side], &number[side]);
        if (found && n[side]) return 0;
        n[side] = found ? found : n[side];
    }
    if (!n[0] || n[0] != n[1] || strncmp(name[0], name[1], n[0]) || number[0] == number[1]) return 0;
    buf_printf(says, "one factor is of step %.*s + %ld, the other of step %.*s + %ld", (int)n[0], name[0],
        number[0], (int)n[1], name[1], number[1]);
    return 1;
}

/* ---- outputs ---- */

/* The function that a line is in: from the line after the end of the one before to its own end. */
static void function_of(struct slips *s, int line, int *first, int *last)
{
    for (*first = line; *first > 0 && *s->lines[*first - 1] != '}';) --*first;
    for (*last = line; *last + 1 < s->count && *s->lines[*last] != '}';) ++*last;
}

/* Is the output set, and not added to, in the function that the line is in? */
static int is_set(struct slips *s, int line)
{
    const char *name = s->p->buffers[s->p->output].name, *at, *end;
    int first, last;
    function_of(s, line, &first, &last);
    for (int i = first; i <= last; i++)
        for (at = s->lines[i]; (at = text_find(s->lines[i], at, name)); at++) {
            const char *open = text_skip(at + strlen(name));
            if (*open != '[' || !(end = text_closing(open))) continue;
            end = text_skip(end + 1);
            if (*end == '=' && end[1] != '=') return 1;
        }
    return 0;
}

/* The output is added to, and neither this function nor the kernel sets it. */
static int never_set(struct slips *s, const char *line, struct buf *says)
{
    const char *name = s->p->buffers[s->p->output].name, *at = text_find(line, line, name);
    const char *open = at ? text_skip(at + strlen(name)) : "", *end = *open == '[' ? text_closing(open) : NULL;
    if (!end || strncmp(text_skip(end + 1), "+=", 2) || is_set(s, s->line)) return 0;
    if (s->first >= 0 && is_set(s, s->first + 1)) return 0;
    buf_printf(says, "it adds to %s, which no line sets to 0 before", name);
    return 1;
}

/* A shared array of one dimension whose rows have one length here and another elsewhere: tile[y * 33 + x] and
 * tile[x * 32 + y] */
static int two_lengths(struct slips *s, const char *line, struct buf *says)
{
    const char *mark = text_find(line, line, "__shared__"), *open = mark ? strchr(mark, '[') : NULL, *at, *name;
    char word[32], length[48], other[48] = "";
    if (!open || !text_closing(open) || *text_skip(text_closing(open) + 1) == '[') return 0;
    for (name = open; name > mark && text_is_word(name[-1]);) name--;
    text_copy(word, sizeof word, name, open);
    for (int i = s->line + 1; *word && i < s->count && *s->lines[i] != '}'; i++)
        for (at = s->lines[i]; (at = text_find(s->lines[i], at, word)); at++) {
            open = text_skip(at + strlen(word));
            if (*open != '[' || !subscript_factor(open, length, sizeof length)) continue;
            if (*other && !subscript_same(other, length)) {
                buf_printf(says, "this index of %s has rows of %s words, and the one above rows of %s", word,
                    length, other);
                s->line = i;
                return 1;
            }
            snprintf(other, sizeof other, "%s", length);
        }
    return 0;
}

/* ---- loops over tiles ---- */

/* The line of the brace that ends the loop in this one; this line: it has none. */
static int body_end(struct slips *s)
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

/* A loop with barriers in it, in which an input is read at an index that the loop does not change. */
static int same_tile(struct slips *s, const char *line, struct buf *says)
{
    struct loop l;
    int end = body_end(s), barrier = 0;
    if (!read_loop(line, &l)) return 0;
    for (int i = s->line; i < end; i++) barrier |= strstr(s->lines[i], "__syncthreads") != NULL;
    for (int i = s->line + 1; barrier && i < end; i++)
        for (int b = 0; s->p->buffers[b].name; b++) {
            const char *name = s->p->buffers[b].name, *at = text_find(s->lines[i], s->lines[i], name);
            const char *open = at ? text_skip(at + strlen(name)) : NULL, *use;
            if (!open || *open != '[' || b == s->p->output || !text_closing(open)) continue;
            if ((use = text_find(open, open, l.name)) && use < text_closing(open)) continue;
            buf_printf(says, "it reads the same element of %s in every pass of the loop: %s is not in its "
                "index", name, l.name);
            s->line = i;
            return 1;
        }
    return 0;
}

/* "for (i = 0; i < k; ..." and "m - i" in its body: what remains of another dimension */
static int other_end(struct slips *s, const char *line, struct buf *says)
{
    struct loop l;
    int end = body_end(s);
    if (!read_loop(line, &l) || !is_dim(s, l.end)) return 0;
    if (end == s->line) end = s->line + 4 < s->count ? s->line + 4 : s->count;
    for (int i = s->line + 1; i < end; i++)
        for (int d = 0; s->p->dim_names[d]; d++) {
            char rest[64];
            snprintf(rest, sizeof rest, "%s - %s", s->p->dim_names[d], l.name);
            if (!strcmp(s->p->dim_names[d], l.end) || !text_find(s->lines[i], s->lines[i], rest)) continue;
            buf_printf(says, "%s goes up to %s, so what remains is %s - %s, and not %s", l.name, l.end, l.end, l.name,
                rest);
            s->line = i;
            return 1;
        }
    return 0;
}

/* ---- where blocks start ---- */

/* "int col = blockIdx.x * 64 + x", where COVERS says that a block covers 32. */
struct moved {
    char axis;
    long long by;
    unsigned covers;
    const char *name; /* of what it moves, in the line */
};

/* The first use of blockIdx in the line that moves something by more or less than COVERS says. */
static int moves(struct slips *s, const char *line, struct moved *m)
{
    if (s->line < s->first || s->line > s->last || strstr(s->source, "gridDim")) return 0;
    for (const char *use = line; (use = strstr(use, "blockIdx.")); use++) {
        const char *value = use, *name;
        while (value > line && !strchr("=,;", value[-1])) value--;
        if (value == line || value[-1] != '=' || !strchr("xy", use[9])) continue;
        for (name = value - 1; name > line && strchr(" \t", name[-1]); name--) continue;
        while (name > line && text_is_word(name[-1])) name--;
        *m = (struct moved){use[9], story_moved(s->source, value, s->bound->block, use[9]),
            s->bound->covers[use[9] == 'y'], name};
        if (m->by > 0 && m->by != m->covers && text_name(name)) return 1;
    }
    return 0;
}

static int covers(struct slips *s, const char *line, struct buf *says)
{
    struct moved m;
    if (!moves(s, line, &m)) return 0;
    buf_printf(says, "blockIdx.%c moves %.*s by %lld, and COVERS(%u, %u) says that a block covers %u in %c",
        m.axis, (int)text_name(m.name), m.name, m.by, s->bound->covers[0], s->bound->covers[1], m.covers, m.axis);
    return 1;
}

/* ---- the file ---- */

/* Cut the text at its newlines, and find the kernel. */
static void cut(struct slips *s)
{
    s->lines = xcalloc(strlen(s->text) + 1, sizeof *s->lines);
    s->first = s->last = -1;
    for (char *text = s->text, *end; text; text = end ? end + 1 : NULL) {
        if ((end = strchr(text, '\n'))) *end = 0;
        if (*text && !strchr(" \t#", *text) && !strchr(text, ';') && s->first < 0 &&
            text_find(text, text, s->bound->step->kernel) && !strstr(text, "LAUNCH"))
            s->first = s->count;
        if (s->first >= 0 && s->last < 0 && *text == '}') s->last = s->count;
        s->lines[s->count++] = text;
    }
}

static void begin(struct slips *s, const struct bound *b, const char *source)
{
    *s = (struct slips){.bound = b, .p = problem_find(b->step->problem), .source = source};
    s->text = without_comments(source);
    s->shared = strstr(s->text, "__shared__") != NULL;
    cut(s);
}

static void end(struct slips *s)
{
    free(s->lines);
    free(s->text);
}

int slips_tell(const struct bound *b, const char *file, const char *source, struct buf *why)
{
    static rule *const rules[] = {row_length, thread_number, guard, test, loop, pair, never_set,
        two_lengths, other_end, same_tile, covers};
    struct slips s;
    struct buf says = {0};
    if (!source) return 0;
    begin(&s, b, source);
    for (int i = 0; i < s.count && !says.len; i++)
        for (size_t r = 0; r < sizeof rules / sizeof *rules && !says.len; r++) {
            s.line = i;
            rules[r](&s, s.lines[i], &says);
        }
    if (says.len) buf_printf(why, "; look at %s:%d: %s", file, s.line + 1, says.data);
    int found = says.len != 0;
    buf_free(&says);
    end(&s);
    return found;
}

void slips_idle(const struct bound *b, const char *file, const char *source, struct buf *warnings)
{
    struct slips s;
    struct moved m;
    int found = 0;
    if (!source) return;
    begin(&s, b, source);
    for (s.line = 0; s.line < s.count && !found; s.line++)
        if ((found = moves(&s, s.lines[s.line], &m) && m.by > m.covers))
            buf_printf(warnings, "%s:%d: warning: blockIdx.%c moves %.*s by %lld, but COVERS(%u, %u) makes a "
                "block for each %u: some blocks have nothing to do\n", file, s.line + 1, m.axis,
                (int)text_name(m.name), m.name, m.by, b->covers[0], b->covers[1], m.covers);
    end(&s);
}
