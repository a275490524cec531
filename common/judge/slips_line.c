/* slips_line.c - slips that one line shows by itself, or with the test in front of it.
 *
 *     out[col * cols + row]                    a row of out has rows elements           row_length
 *     blockIdx.x * gridDim.x + threadIdx.x     a block has blockDim.x threads           thread_number
 *     if (row < rows || col < cols)            both must hold: &&                       guard
 *     if (row + y < rows ..) out[(col + y) ..  another row is tested than is used       test
 *     a[.. i + 2 ..] * b[.. i + 3 ..]          factors of two different steps           pair
 */
#include "judge/slips.h"
#include "judge/subscript.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int rule(struct slips *s, const char *line, struct buf *says);

/* ---- indices ---- */

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

static int row_length(struct slips *s, const char *line, struct buf *says)
{
    const struct matrix *m;
    struct subscript i;
    for (const char *at = line; (at = next_index(s, at, &m, &i)); at++)
        if (slips_is_dim(s, i.length) && strcmp(i.length, m->length)) {
            buf_printf(says, "a row of %s has %s elements, and this index multiplies by %s", m->buffer,
                m->length, i.length);
            return 1;
        }
    return 0;
}

/* The same of a pointer: b + i * n + col */
static int pointer_length(struct slips *s, const char *line, struct buf *says)
{
    for (int b = 0; s->p->buffers[b].name; b++) {
        const char *name = s->p->buffers[b].name, *at = text_find(line, line, name);
        const struct matrix *m = subscript_matrix(s->p, name, strlen(name));
        const char *plus = at && m ? text_skip(at + strlen(name)) : "";
        struct subscript i;
        char index[96];
        if (*plus != '+' || plus[1] == '=' || plus[1] == '+') continue;
        snprintf(index, sizeof index, "[%.*s]", (int)strcspn(plus + 1, ",;"), plus + 1);
        if (!subscript_read(index, &i) || !slips_is_dim(s, i.length)) continue;
        if (!strcmp(i.length, m->length)) continue;
        buf_printf(says, "a row of %s has %s elements, and this multiplies by %s", name, m->length, i.length);
        return 1;
    }
    return 0;
}

/* blockIdx.x * W + threadIdx.x, where W is not blockDim.x, or a constant */
static int thread_number(struct slips *s, const char *line, struct buf *says)
{
    for (const char *at = line; (at = strstr(at, "blockIdx.")); at++) {
        char axis = at[9];
        const char *op = text_skip(at + 10), *by = text_skip(op + (*op != 0));
        const char *then = text_skip(by + text_name(by));
        int block = !strncmp(by, "blockDim.", 9), thread = !strncmp(by, "threadIdx.", 10);
        /* blockIdx.y * gridDim.x + blockIdx.x numbers the blocks */
        int grid = !strncmp(by, "gridDim.", 8) &&
            (*then != '+' || strncmp(text_skip(then + 1), "blockIdx.", 9) != 0);
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

/* "A < B" in front of an index: A is its row or its column, and B is not how many there are; or A is made of
 * the same terms and is neither: "if (row + y < rows && ..." in front of out[(col + y) * rows + row + x] */
static int wrong_test(struct slips *s, const struct matrix *m, const struct subscript *i, const char *a,
    const char *b, struct buf *says)
{
    char both[160];
    int row = subscript_same(a, i->row), column = subscript_same(a, i->column);
    snprintf(both, sizeof both, "%s + %s", i->row, i->column);
    if (!slips_is_dim(s, b) || strcmp(i->length, m->length)) return 0;
    if ((row && !strcmp(b, m->rows)) || (column && !strcmp(b, m->length))) return 0;
    if (row || column)
        buf_printf(says, "%s is tested against %s, and %s has %s %s", a, b, m->buffer,
            row ? m->rows : m->length, row ? "rows" : "columns");
    else if ((!strcmp(b, m->rows) || !strcmp(b, m->length)) && subscript_within(a, both))
        buf_printf(says, "%s is tested against %s, and the %s of %s is %s", a, b,
            strcmp(b, m->rows) ? "column" : "row", m->buffer, strcmp(b, m->rows) ? i->column : i->row);
    else return 0;
    return 1;
}

/* The tests of a line against the indices of another. */
static int wrong_tests(struct slips *s, const char *tests, const char *line, struct buf *says)
{
    const struct matrix *m;
    struct subscript i;
    char a[64], b[32];
    for (const char *at = line; (at = next_index(s, at, &m, &i)); at++)
        for (const char *t = tests; (t = next_test(tests, t, a, b));)
            if (wrong_test(s, m, &i, a, b, says)) return 1;
    return 0;
}

/* A test in the same line or in the one above; or in front of a return, against the index of the output. */
static int test(struct slips *s, const char *line, struct buf *says)
{
    const char *next = s->line + 1 < s->count ? s->lines[s->line + 1] : "", *output;
    int is_if = !strncmp(text_skip(line), "if (", 4);
    if (!is_if) return wrong_tests(s, line, line, says);
    if (!strstr(line, "return") && strncmp(text_skip(next), "return", 6)) {
        if (!wrong_tests(s, line, next, says)) return 0;
        buf_printf(says, " (line %d)", s->line + 2);
        return 1;
    }
    output = s->p->buffers[s->p->output].name;
    for (int i = s->line; i < s->count && *s->lines[i] != '}'; i++) {
        const char *at = text_find(s->lines[i], s->lines[i], output);
        if (at && wrong_tests(s, line, at, says)) {
            buf_printf(says, " (line %d)", i + 1);
            return 1;
        }
    }
    return 0;
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

int slips_line(struct slips *s, const char *line, struct buf *says)
{
    static rule *const rules[] = {row_length, pointer_length, thread_number, guard, test, pair};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i](s, line, says)) return 1;
    return 0;
}
