/* output_line.c - which line of the file computes a wrong output.
 *
 *     statements of the kernel, then of the functions that it calls
 *         └──> how well does each fit what is known of the output? ──> "; see x.cu:24" */
#include "explain/output_line.h"
#include "explain/code.h"

#include <string.h>

/* The file, and what is known about its wrong output. */
struct source {
    const struct code *c;
    const struct measurement *ran; /* the counts of the wrong run by line; NULL: not known */
    const char *kernel, *output;   /* the names of the kernel and of the array that it writes */
    const struct finding *found;
};

/* The first token in first .. last with this text; -1: none. */
static int find(const struct code *c, int first, int last, const char *text)
{
    for (int i = first; i <= last; i++)
        if (code_is(c, i, text)) return i;
    return -1;
}

/* The = or += of a statement; -1: none. */
static int equals_of(const struct code *c, const struct statement *x)
{
    int sum = find(c, x->first, x->last, "+=");
    return sum >= 0 ? sum : find(c, x->first, x->last, "=");
}

/* Is the statement one that a line may be blamed for: does it store, declare or return something? */
static int is_simple(const struct statement *x)
{
    return x->kind == STATEMENT_EXPRESSION || x->kind == STATEMENT_DECLARATION ||
           x->kind == STATEMENT_RETURN;
}

/* Does any line from `first` to `last` have an instruction that the wrong run executed? */
static int executed(const struct source *s, int first, int last)
{
    for (size_t i = 0; i < s->ran->line_count; i++) {
        const struct line_counts *l = &s->ran->lines[i];
        if (l->line >= first && l->line <= last && l->metrics.v[METRIC_INST] > 0) return 1;
    }
    return 0;
}

/* Did the wrong run come to the statement? A statement of which no instruction is left is taken to
 * run with the lines around it: those of the same block, if or loop. */
static int has_run(const struct source *s, const struct statement *x)
{
    const struct code *c = s->c;
    int first = c->tokens[x->first].line, last = c->tokens[x->last].line;
    if (!s->ran || executed(s, first, last)) return 1;
    if (x->parent < 0) return executed(s, first, c->tokens[c->items[x->function].last].line);
    const struct statement *around = &c->statements[x->parent];
    int end = c->tokens[around->last].line;
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *sibling = &c->statements[i];
        if (sibling->parent == x->parent && c->tokens[sibling->first].line < first)
            first = c->tokens[sibling->first].line;
    }
    return executed(s, first, end);
}

/* The last statement that reads the input named by the finding, unless it accumulates a sum. -1:
 * none. */
static int reader(const struct source *s)
{
    const struct code *c = s->c;
    int best = -1;
    for (int i = 0; *s->found->name && i < c->statement_count; i++) {
        const struct statement *x = &c->statements[i];
        int equals = equals_of(c, x);
        if (!is_simple(x) || equals < 0 || code_is(c, equals, "+=") || !has_run(s, x)) continue;
        int at = find(c, equals, x->last, s->found->name);
        if (at >= 0 && (code_is(c, at + 1, "[") || code_is(c, at + 1, ","))) best = i;
    }
    return best;
}

/* How likely it is that the statement computes the wrong output: higher if it stores, accumulates,
 * or matches the finding. 0: not at all. */
static int rank_of(const struct source *s, const struct statement *x)
{
    const struct code *c = s->c;
    const struct finding *f = s->found;
    int equals = equals_of(c, x), output = find(c, x->first, x->last, s->output),
        element = find(c, x->first, x->last, "["), stores = output >= 0 && equals > output,
        sum = element >= 0 && code_is(c, equals, "+=");
    if (f->hints & HINT_FLOAT4 && code_is(c, x->first + 1, "[") && code_is(c, equals, "="))
        return 4;
    if (f->kind == FOUND_PLACE) /* a store of a result: c[..] = or store(c, ..) */
        return output >= 0 && (stores || code_is(c, output - 1, "(")) ? 3 : 0;
    if (f->hints & HINT_GRID && find(c, x->first, x->last, "blockIdx") >= 0) return 4;
    if (f->kind == FOUND_NOT_WRITTEN) return stores ? 2 : 0;
    if (f->hints & HINT_NOT_ADDED) {
        int product = equals >= 0 && !sum && find(c, equals, x->last, "*") >= 0 &&
                      find(c, equals, x->last, "[") >= 0;
        return product ? 3 : sum;
    }
    if (f->kind == FOUND_PRECISION &&
        (find(c, x->first, x->last, "float") >= 0 || find(c, x->first, x->last, "half") >= 0))
        return 3;
    if (f->hints & HINT_ZERO && code_is(c, equals + 1, "0") && code_is(c, equals + 2, ";"))
        return 3;
    return sum ? 2 : stores;
}

/* Was nothing of the output written? Then a kernel without a store is unfinished, not wrong. */
static int untouched(const struct finding *f) { return f->kind == FOUND_NOT_WRITTEN && f->all; }

/* The statement that computes the wrong output, or the loop around it if the loop is more likely
 * wrong. -1: none. */
static int statement_of_output(const struct source *s)
{
    const struct code *c = s->c;
    int best = reader(s), rank = 0;
    if (best >= 0) return best;
    /* first the kernel alone, then the kernel with the functions that it calls */
    for (int whole = 0; whole < 2 - untouched(s->found) && rank < 2; whole++)
        for (int i = 0; i < c->statement_count; i++) {
            const struct statement *x = &c->statements[i];
            int own = code_is(c, c->items[x->function].name, s->kernel);
            int is = is_simple(x) && (own || whole) && has_run(s, x) ? rank_of(s, x) : 0;
            if (is > rank || (is == rank && (is == 3 || (whole && is)))) best = i, rank = is;
        }
    for (int p = best; s->found->hints & HINT_LOOP && rank < 3 && p >= 0;
         p = c->statements[p].parent)
        if (c->statements[p].kind == STATEMENT_FOR) return p;
    return best;
}

/* Would it be a guess to name a line? It would in a long file if the finding fits any of its sums
 * (FOUND_UNKNOWN) or any of its floats (FOUND_PRECISION). */
static int is_unknown(const struct source *s)
{
    enum { LONG = 60 };
    return s->c->tokens[s->c->count - 1].line > LONG &&
           (s->found->kind == FOUND_UNKNOWN || s->found->kind == FOUND_PRECISION);
}

/* Run the kernel once more on the input on which it was wrong, with counters. -1: that would take
 * long, or it is no kernel. The caller frees *out in either case. */
static int run_again(const struct bound_kernel *b, const struct run_outcome *t,
    const struct problem *p, struct measurement *out)
{
    static const double MANY = 1 << 26; /* useful operations */
    struct bound_kernel again = *b;
    struct instance in;
    struct err e;
    *out = (struct measurement){0};
    if (!b->kernel || !device_simulated(device_name(b->device)) || !t->dims[0] ||
        p->useful(t->dims) > MANY)
        return -1;
    instance_make(&in, p, t->dims, t->seed);
    int bad = run_kernel(&again, &in, out, &e);
    instance_free(&in);
    return bad;
}

void output_line_tell(
    const struct bound_kernel *b, const char *file, const char *source, struct run_outcome *t)
{
    struct code c = {0};
    const struct problem *p = problem_find(b->step->problem);
    struct measurement ran = {0};
    struct source s = {&c, NULL, b->step->kernel, p->buffers[p->output].name, &t->found};
    if (!source || !t->found.kind) return;
    int known = !t->found.line && !code_read(&c, source, s.kernel) && !is_unknown(&s);
    if (known && !run_again(b, t, p, &ran)) s.ran = &ran;
    int at = known ? statement_of_output(&s) : -1;
    if (at >= 0) {
        int line = c.tokens[c.statements[at].first].line;
        buf_printf(&t->see, "; see %s:%d", file, line);
        named_add(t->named, line);
    }
    measurement_free(&ran);
    code_free(&c);
}
