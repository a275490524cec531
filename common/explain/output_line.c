/* output_line.c - which line of the file computes a wrong output.
 *
 *     source -- comments out, lines --> search for the line that fits the finding --> "; see x.cu:24"
 *
 * The text is searched, not compiled: a line that is not understood is skipped. */
#include "explain/output_line.h"
#include "explain/subscript.h"

#include <stdlib.h>
#include <string.h>

/* The file, with its comments replaced by blanks, cut into lines. */
struct source {
    const struct bound_kernel *bound;
    const struct problem *p;
    const char *source;
    const struct finding *found; /* what is known about the wrong output */
    char *text, **lines;
    int count;
    char *inside;    /* for each line: it lies, at least in part, within braces */
    int first, last; /* the kernel's lines, indices from 0; -1: the kernel was not found */
};
/* Replace comments by blanks; newlines stay, so that lines keep their numbers. Returns a copy,
 * which the caller frees. */
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

/* Cut the text into lines, and find the kernel's first and last. */
static void cut(struct source *s)
{
    int depth = 0;
    s->lines = xcalloc(strlen(s->text) + 1, sizeof *s->lines);
    s->inside = xcalloc(strlen(s->text) + 1, 1);
    s->first = s->last = -1;
    for (char *text = s->text, *end; text; text = end ? end + 1 : NULL) {
        if ((end = strchr(text, '\n'))) *end = 0;
        if (*text && !strchr(" \t#", *text) && !strchr(text, ';') && s->first < 0 &&
            text_find(text, text, s->bound->step->kernel) && !strstr(text, "LAUNCH"))
            s->first = s->count;
        if (s->first >= 0 && s->last < 0 && *text == '}') s->last = s->count;
        s->inside[s->count] = depth > 0 || strchr(text, '{');
        for (const char *c = text; *c; c++) depth += (*c == '{') - (*c == '}');
        s->lines[s->count++] = text;
    }
}

static void begin(
    struct source *s, const struct bound_kernel *b, const char *source, const struct finding *found)
{
    *s = (struct source){
        .bound = b, .p = problem_find(b->step->problem), .source = source, .found = found};
    s->text = without_comments(source);
    cut(s);
}

static void end(struct source *s)
{
    free(s->inside);
    free(s->lines);
    free(s->text);
}

/* ---- the line that computes the output ---- */

/* Does the line belong to a kernel other than the wrong one? */
static int elsewhere(const struct source *s, int line)
{
    int first = line, other = 0;
    if (line >= s->first && line <= s->last) return 0;
    while (first > 0 && *s->lines[first - 1] != '}') first--;
    for (; first <= line; first++) other |= strstr(s->lines[first], "__global__") != NULL;
    return other;
}

/* The last line that reads the input named by the finding, unless that line accumulates a sum. -1:
 * none. */
static int reader(struct source *s)
{
    const char *name = s->found->name;
    int best = -1;
    for (int i = 0; *name && i < s->count; i++) {
        const char *equals = strchr(s->lines[i], '='),
                   *at = equals ? text_find(equals, equals, name) : NULL;
        if (at && strchr("[,", at[strlen(name)]) && !strstr(s->lines[i], "+=") && !elsewhere(s, i))
            best = i;
    }
    return best;
}

/* How likely it is that the line computes the wrong output: higher if it stores, accumulates, or
 * matches the finding. 0: not at all. */
static int rank_of(struct source *s, const char *line)
{
    const struct finding *f = s->found;
    const char *equals = strchr(line, '='),
               *output = text_find(line, line, s->p->buffers[s->p->output].name);
    int sum = strstr(line, "+=") && strchr(line, '[');
    const char *begin = text_skip(line), *after = begin + text_name(begin);
    if (f->hints & HINT_FLOAT4 && *after == '[' && strstr(after, "] = ")) return 4;
    if (f->kind == FOUND_PLACE) /* a store of a result: c[..] = or store(c, ..) */
        return output && (equals > output || (output > line && output[-1] == '(')) ? 3 : 0;
    if (f->hints & HINT_GRID && strstr(line, "blockIdx.")) return 4;
    if (f->kind == FOUND_NOT_WRITTEN) return output && equals > output ? 2 : 0;
    if (f->hints & HINT_NOT_ADDED)
        return equals && !sum && strstr(equals, "* ") && strchr(equals, '[') ? 3 : sum;
    if (f->kind == FOUND_PRECISION && (text_find(line, line, "float") || strstr(line, "half")))
        return 3;
    if (f->hints & HINT_ZERO && strstr(line, " = 0;")) return 3;
    return sum ? 2 : output && equals > output;
}

/* Was nothing of the output written? Then a kernel without a store is unfinished, not wrong. */
static int untouched(const struct finding *f) { return f->kind == FOUND_NOT_WRITTEN && f->all; }

/* The line that computes the wrong output, or the loop around it if the loop is more likely
 * wrong. -1: none. */
static int line_of_output(struct source *s)
{
    int best = reader(s), rank = 0;
    if (best >= 0) return best;
    for (int whole = 0; whole < 2 - untouched(s->found) && rank < 2;
         whole++) /* first the kernel alone, then the kernel with the functions that it calls */
        for (int i = whole ? 0 : s->first; i >= 0 && i < s->count && (whole || i <= s->last); i++) {
            int is = elsewhere(s, i) || !s->inside[i] ? 0 : rank_of(s, s->lines[i]);
            if (is > rank || (is == rank && (is == 3 || (whole && is)))) best = i, rank = is;
        }
    for (int i = best; s->found->hints & HINT_LOOP && rank < 3 && i >= 0 && *s->lines[i] != '}';
         i--)
        if (text_find(s->lines[i], s->lines[i], "for")) return i;
    return best;
}

/* Would it be a guess to name a line? It would in a long file if the finding fits any of its sums
 * (FOUND_UNKNOWN) or any of its floats (FOUND_PRECISION). */
static int is_unknown(const struct source *s)
{
    enum { LONG = 60 };
    return s->count > LONG &&
           (s->found->kind == FOUND_UNKNOWN || s->found->kind == FOUND_PRECISION);
}

void output_line_tell(
    const struct bound_kernel *b, const char *file, const char *source, struct run_outcome *t)
{
    struct source s;
    int line;
    if (!source || !t->found.kind) return;
    begin(&s, b, source, &t->found);
    if (!t->found.line && !is_unknown(&s) && (line = line_of_output(&s)) >= 0) {
        buf_printf(&t->see, "; see %s:%d", file, line + 1);
        named_add(t->named, line + 1);
    }
    end(&s);
}
