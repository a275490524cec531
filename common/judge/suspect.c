/* suspect.c - examine a given kernel that is at fault, and answer the predictions about it.
 *
 *     the solution's kernel -- run on the simulator --+-- faults: line, block, thread, subscript
 *                                                     +-- wrong:  how many elements, the first row
 *                                                     +-- slow:   the line that adds most to a metric
 *
 * The kernel that is run is that of the solution, so that edits of the learner's file change
 * nothing; if the kit has no solution, that of the learner. */
#include "judge/grade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What was found: a fault, or counters and a difference from the right result. */
struct examined {
    struct finding fault;
    struct difference d;
    struct measurement m;
    int shift; /* as suspect_shift computes it */
};

/* The number of the line that declares a kernel; 0: none does. */
static int declared(const char *source, const char *kernel)
{
    int line = 1;
    size_t length = strlen(kernel);
    for (const char *at = source; at; at = strchr(at, '\n'), at += at != NULL, line++) {
        const char *end = at + strcspn(at, "\n"), *global = strstr(at, "__global__"), *name = NULL;
        if (global && global < end) name = strstr(global, kernel);
        if (name && name < end && name[-1] == ' ' && name[length] == '(') return line;
    }
    return 0;
}

int suspect_shift(const char *own, const char *kit, const char *kernel)
{
    int there = own ? declared(own, kernel) : 0, here = declared(kit, kernel);
    return there && here ? there - here : 0;
}

/* The line that adds most to a metric; NULL: none adds anything. */
static const struct line_counts *most(const struct measurement *m, enum metric metric)
{
    const struct line_counts *line = NULL;
    for (size_t i = 0; i < m->line_count; i++)
        if (m->lines[i].metrics.v[metric] > (line ? line->metrics.v[metric] : 0))
            line = &m->lines[i];
    return line;
}

/* v, a number that describes a fault; NAN if there was no fault. */
static double of_fault(const struct examined *x, double v) { return x->fault.kind ? v : NAN; }

static double line_number(const struct examined *x, int line)
{
    return line ? line + x->shift : NAN;
}

/* The right answer to a prediction; NAN: nothing was found that the prediction asks for. */
static double answer(const struct prediction *p, const struct examined *x)
{
    const struct finding *f = &x->fault;
    const struct line_counts *line = most(&x->m, p->metric);
    switch (p->what) {
    case PREDICTED_COUNT: return f->kind ? NAN : x->m.metrics.v[p->metric];
    case PREDICTED_BLOCKS: return x->m.occupancy.blocks;
    case PREDICTED_LINE: return line_number(x, f->kind ? f->line : line ? line->line : 0);
    case PREDICTED_OTHER_LINE: return line_number(x, f->other_line);
    case PREDICTED_BLOCK_Y: return of_fault(x, f->block[1]);
    case PREDICTED_THREAD_X: return of_fault(x, f->thread[0]);
    case PREDICTED_THREAD_Y: return of_fault(x, f->thread[1]);
    case PREDICTED_INDEX: return of_fault(x, (double)f->index);
    case PREDICTED_WRONG: return f->kind ? NAN : (double)x->d.wrong;
    case PREDICTED_ROW: return x->d.wrong ? (double)x->d.first_row : NAN;
    }
    return NAN;
}

/* Set the right answers to the predictions about the step. If a prediction asks for the line that
 * adds most to a metric, append to r->answer how much that line adds. */
static void answer_all(struct grading *g, int step, const struct examined *x)
{
    struct result *r = g->result;
    for (int i = 0; i < r->prediction_count; i++) {
        const struct prediction *p = r->predictions[i].prediction;
        if (p->step != step) continue;
        r->predictions[i].counted = answer(p, x);
        const struct line_counts *line = most(&x->m, p->metric);
        if (p->what != PREDICTED_LINE || !line) continue;
        buf_printf(&r->answer, "line %d costs most: %s ", line->line, metric_name(p->metric));
        print_value(&r->answer, line->metrics.v[p->metric]);
        buf_printf(&r->answer, " of ");
        print_value(&r->answer, x->m.metrics.v[p->metric]);
    }
}

/* A fault as text: "FILE:9: block ..." becomes "line 9: block ...". */
static void say_fault(struct buf *out, const struct build *b, const char *text)
{
    size_t length = strlen(b->compiled.file);
    int named = !strncmp(text, b->compiled.file, length) && text[length] == ':';
    buf_printf(out, "%s%s", named ? "line " : "", text + (named ? length + 1 : 0));
}

/* Compare the output of a kernel that did not fault with the right one. */
static void look_at_output(
    struct grading *g, struct build *b, int step, const struct instance *in, struct examined *x)
{
    struct run_outcome t = {0};
    struct expected want;
    expected_make(&want, in);
    compare_output(in, &want, in->data[in->problem->output], &x->d);
    if (x->d.wrong && grade_compare(g->session, b, step, in, &want, &t)) {
        guesses_drop(&t.why);
        buf_printf(&g->result->answer, "%s", t.why.data);
    }
    run_outcome_free(&t);
    expected_free(&want);
}

int suspect_examine(struct grading *g, int step, struct err *e)
{
    const struct step *s = &g->exercise->steps[step];
    struct examined x = {0};
    struct instance in;
    struct err fault = {0};
    struct build *b = g->result->alone        ? &g->student
                      : g->reference.exercise ? &g->reference
                                              : reference_build(g->session, g->lab, g->exercise, e);
    if (!b) return -1;
    x.shift = suspect_shift(g->student.compiled.source, b->compiled.source, s->kernel);
    instance_make(&in, problem_find(s->problem), s->dims, 1);
    int bad = build_count(b, step, &in, &x.m, &fault), ours = bad && fault.kind != ERR_LEARNER;
    if (bad && !ours) {
        x.fault = fault.found;
        say_fault(&g->result->answer, b, fault.text);
    } else if (!bad) {
        look_at_output(g, b, step, &in, &x);
    }
    if (ours) *e = fault;
    if (!ours) answer_all(g, step, &x);
    if (x.shift)
        buf_printf(&g->result->answer, " (lines as given: in your file %d further %s)",
            abs(x.shift), x.shift > 0 ? "down" : "up");
    measurement_free(&x.m);
    instance_free(&in);
    return ours ? -1 : 0;
}
