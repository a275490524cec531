/* result.c - the result of an exercise: begun, without points, freed. grade.c fills it in. */
#include "judge/grade.h"

#include <math.h>
#include <stdlib.h>

void grade_begin(struct result *r, const struct lab *lab, const struct exercise *x)
{
    *r = (struct result){.lab = lab,
        .exercise = x,
        .max_score = exercise_max_points(x),
        .ms = NAN,
        .reference_ms = NAN};
}

void grade_no_points(struct result *r, enum status status, const char *why)
{
    r->status = status;
    buf_printf(&r->message, "%s", why);
    r->ms = r->reference_ms = NAN;
    model_metrics_clear(&r->metrics);
}

struct points result_points(const struct result *r)
{
    struct points p = {r->score, r->max_score, 0};
    for (int i = 0; i < r->step_count; i++)
        p.about |= r->steps[i].early_seconds != 0 && r->steps[i].budget_count;
    return p;
}

void result_drop_steps(struct result *r)
{
    for (int i = 0; i < r->step_count; i++) measurement_free(&r->steps[i].m);
    r->step_count = 0;
}

void result_free(struct result *r)
{
    result_drop_steps(r);
    free(r->file);
    free(r->source);
    buf_free(&r->warnings);
    buf_free(&r->printed);
    buf_free(&r->message);
    buf_free(&r->cause);
    *r = (struct result){0};
}
