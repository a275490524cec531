/* result.c - begin a result, set it to no points, free it. Its contents are set by grade.c. */
#include "judge/grade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void run_outcome_free(struct run_outcome *t)
{
    buf_free(&t->why);
    buf_free(&t->see);
    cause_free(&t->cause);
}

void cause_free(struct cause *c)
{
    for (int i = 0; i < CAUSE_PLACES; i++) free(c->places[i].what), free(c->places[i].edit);
    *c = (struct cause){0};
}

void named_add(int named[NAMED_MOST], int line)
{
    int n = 0;
    while (n < NAMED_MOST && named[n]) n++;
    if (n < NAMED_MOST && (!n || named[n - 1] != line)) named[n] = line;
}

void guesses_drop(struct buf *why)
{
    for (char *end, *from; why->data && (from = strchr(why->data, 1)) && (end = strchr(from, 2));) {
        memmove(from, end + 1, strlen(end + 1) + 1);
        why->len = strlen(why->data);
    }
}

void guesses_unmark(struct buf *why)
{
    size_t kept = 0;
    for (size_t i = 0; i < why->len; i++)
        if (why->data[i] != 1 && why->data[i] != 2) why->data[kept++] = why->data[i];
    if (why->data) why->data[why->len = kept] = 0;
}

void grade_begin(
    struct result *r, const struct session *s, const struct lab *lab, const struct exercise *x)
{
    int alone = !kit_has_solution(&s->workbench.kit, lab, x);
    *r = (struct result){.lab = lab,
        .exercise = x,
        .alone = alone,
        .max_score = exercise_max_points(x) - (alone ? exercise_speed_points(x) : 0),
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
    cause_free(&r->cause);
    buf_free(&r->answer);
    *r = (struct result){0};
}
