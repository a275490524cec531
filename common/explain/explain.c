/* explain.c - the table of functions that a grading calls to explain a wrong kernel. */
#include "explain/explain.h"
#include "explain/repair.h"
#include "explain/index_trace.h"
#include "explain/wrong_value.h"

static void fault(const struct build *b, int step, const int *dims, struct run_outcome *t)
{
    const struct step *s = &b->exercise->steps[step];
    const struct compiled *c = &b->compiled;
    if (b->exercise->kind == EXERCISE_HOST) host_fault_tell(b, step, dims, t);
    if (b->exercise->kind != EXERCISE_CUDA) return;
    index_trace_tell(problem_find(s->problem), dims, b->bound[step].block, s->kernel, c->source,
        &t->found, &t->why);
    narrow_tell(s->kernel, c->file, c->source, t);
}

static void output(const struct build *b, int step, const struct instance *in,
    const struct expected *want, struct run_outcome *t)
{
    const void *got = in->data[in->problem->output];
    if (explain_output(in, want, got, &t->found, &t->why) && b->exercise->kind == EXERCISE_CUDA)
        wrong_value_blocks(&b->bound[step], in, got, &t->found, &t->why);
}

static void refused(const struct build *b, struct buf *why)
{
    if (b->exercise->kind == EXERCISE_CUDA) misfit_tell(&b->compiled, why);
}

const struct explainer explainer = {
    .fault = fault,
    .output = output,
    .cause = repair_explain,
    .budget = repair_budget,
    .refused = refused,
};
