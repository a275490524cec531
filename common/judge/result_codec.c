/* result_codec.c - convert results to bytes and back, for a pipe or the cache.
 *
 *     struct result -- members_write --> bytes -- members_read, set_pointers --> struct result
 *
 * Pointers into the kit's tables are not sent: the reader sets them from its own tables. */
#include "judge/grade.h"

#include <limits.h>
#include <math.h>

static const struct member budget_members[] = {
    {MEMBER_DOUBLE, MEMBER_AT(struct budget_result, limit)},
    {MEMBER_DOUBLE, MEMBER_AT(struct budget_result, value)},
    {MEMBER_INT, MEMBER_AT(struct budget_result, met), .most = 1},
    {MEMBER_INT, MEMBER_AT(struct budget_result, line), .most = INT_MAX},
    {MEMBER_INT, MEMBER_AT(struct budget_result, way), .most = METRIC_COUNT},
    {MEMBER_INT, MEMBER_AT(struct budget_result, unused), .most = WITHOUT_COUNT - 1},
    {MEMBER_INT, MEMBER_AT(struct budget_result, no_tile), .most = TILE_SCATTERED},
    {MEMBER_INT, MEMBER_AT(struct budget_result, elsewhere), .most = 1},
    {MEMBER_BYTES, MEMBER_AT(struct budget_result, blamed)},
    {MEMBER_END},
};
static const struct member excess_members[] = {
    {MEMBER_INT, MEMBER_AT(struct excess, metric), .most = METRIC_COUNT - 1},
    {MEMBER_DOUBLE, MEMBER_AT(struct excess, own)},
    {MEMBER_DOUBLE, MEMBER_AT(struct excess, reference)},
    {MEMBER_INT, MEMBER_AT(struct excess, line), .most = INT_MAX},
    {MEMBER_END},
};
static const struct member unlike_members[] = {
    {MEMBER_DOUBLE, MEMBER_AT(struct unlike, times)},
    {MEMBER_INT, MEMBER_AT(struct unlike, metric), .most = METRIC_COUNT},
    {MEMBER_DOUBLE, MEMBER_AT(struct unlike, own)},
    {MEMBER_DOUBLE, MEMBER_AT(struct unlike, reference)},
    {MEMBER_END},
};
static const struct member step_members[] = {
    {MEMBER_STRUCT, MEMBER_AT(struct step_result, m), .of = measurement_members},
    {MEMBER_BYTES, MEMBER_AT(struct step_result, ratio)},
    {MEMBER_DOUBLE, MEMBER_AT(struct step_result, reference_ms)},
    {MEMBER_DOUBLE, MEMBER_AT(struct step_result, least_ms)},
    {MEMBER_INT, MEMBER_AT(struct step_result, timing), .most = TIMING_IMPOSSIBLE},
    {MEMBER_INT, MEMBER_AT(struct step_result, budget_count), .most = BUDGETS_MAX},
    {MEMBER_ARRAY, MEMBER_EACH(struct step_result, budgets), .of = budget_members,
        .count = offsetof(struct step_result, budget_count)},
    {MEMBER_INT, MEMBER_AT(struct step_result, excess_count), .most = EXCESS_MAX},
    {MEMBER_ARRAY, MEMBER_EACH(struct step_result, excess), .of = excess_members,
        .count = offsetof(struct step_result, excess_count)},
    {MEMBER_STRUCT, MEMBER_AT(struct step_result, unlike), .of = unlike_members},
    {MEMBER_END},
};
static const struct member prediction_members[] = {
    {MEMBER_BYTES, MEMBER_AT(struct prediction_result, said)},
    {MEMBER_DOUBLE, MEMBER_AT(struct prediction_result, counted)},
    {MEMBER_BYTES, MEMBER_AT(struct prediction_result, key)},
    {MEMBER_END},
};
static const struct member ledger_members[] = {
    {MEMBER_INT, MEMBER_AT(struct ledger_entry, what), .most = LEDGER_PREDICTION},
    {MEMBER_INT, MEMBER_AT(struct ledger_entry, step), .most = STEPS_MAX - 1},
    {MEMBER_INT, MEMBER_AT(struct ledger_entry, item), .most = PREDICTIONS_MAX - 1},
    {MEMBER_DOUBLE, MEMBER_AT(struct ledger_entry, points)},
    {MEMBER_INT, MEMBER_AT(struct ledger_entry, of), .most = 1 << 20},
    {MEMBER_END},
};
/* Only the members of a finding that are reported; the other members serve the search for a cause,
 * which is over by then. */
static const struct member finding_members[] = {
    {MEMBER_INT, MEMBER_AT(struct finding, kind), .most = FOUND_KINDS - 1},
    {MEMBER_BYTES, MEMBER_AT(struct finding, hints)},
    {MEMBER_INT, MEMBER_AT(struct finding, line), .most = INT_MAX},
    {MEMBER_INT, MEMBER_AT(struct finding, other_line), .most = INT_MAX},
    {MEMBER_END},
};
static const struct member place_members[] = {
    {MEMBER_INT, MEMBER_AT(struct cause_place, kind), .most = CAUSE_KINDS - 1},
    {MEMBER_INT, MEMBER_AT(struct cause_place, line), .most = INT_MAX},
    {MEMBER_INT, MEMBER_AT(struct cause_place, column), .most = INT_MAX},
    {MEMBER_INT, MEMBER_AT(struct cause_place, width), .most = INT_MAX},
    {MEMBER_TEXT, MEMBER_AT(struct cause_place, what)},
    {MEMBER_TEXT, MEMBER_AT(struct cause_place, edit)},
    {MEMBER_END},
};
static const struct member cause_members[] = {
    {MEMBER_INT, MEMBER_AT(struct cause, count), .most = CAUSE_PLACES},
    {MEMBER_ARRAY, MEMBER_EACH(struct cause, places), .of = place_members,
        .count = offsetof(struct cause, count)},
    {MEMBER_END},
};
static const struct member result_members[] = {
    {MEMBER_TEXT, MEMBER_AT(struct result, file)},
    {MEMBER_TEXT, MEMBER_AT(struct result, source)},
    {MEMBER_INT, MEMBER_AT(struct result, status), .most = STATUS_ERROR},
    {MEMBER_DOUBLE, MEMBER_AT(struct result, score)},
    {MEMBER_INT, MEMBER_AT(struct result, max_score), .most = 1 << 20},
    {MEMBER_DOUBLE, MEMBER_AT(struct result, ms)},
    {MEMBER_DOUBLE, MEMBER_AT(struct result, reference_ms)},
    {MEMBER_INT, MEMBER_AT(struct result, time_is), .most = TIME_MEASURED},
    {MEMBER_BYTES, MEMBER_AT(struct result, metrics)},
    {MEMBER_INT, MEMBER_AT(struct result, alone), .most = 1},
    {MEMBER_INT, MEMBER_AT(struct result, step_count), .most = STEPS_MAX},
    {MEMBER_ARRAY, MEMBER_EACH(struct result, steps), .of = step_members,
        .count = offsetof(struct result, step_count)},
    {MEMBER_INT, MEMBER_AT(struct result, prediction_count), .most = PREDICTIONS_MAX},
    {MEMBER_ARRAY, MEMBER_EACH(struct result, predictions), .of = prediction_members,
        .count = offsetof(struct result, prediction_count)},
    {MEMBER_INT, MEMBER_AT(struct result, ledger_count), .most = LEDGER_MAX},
    {MEMBER_ARRAY, MEMBER_EACH(struct result, ledger), .of = ledger_members,
        .count = offsetof(struct result, ledger_count)},
    {MEMBER_BUF, MEMBER_AT(struct result, warnings)},
    {MEMBER_BUF, MEMBER_AT(struct result, message)},
    {MEMBER_STRUCT, MEMBER_AT(struct result, found), .of = finding_members},
    {MEMBER_BYTES, MEMBER_AT(struct result, named)},
    {MEMBER_STRUCT, MEMBER_AT(struct result, cause), .of = cause_members},
    {MEMBER_BUF, MEMBER_AT(struct result, answer)},
    {MEMBER_END},
};

/* Set the pointers to steps, budgets and predictions, which are in the order of the exercise's
 * tables. -1: the result has more of them than the tables. */
static int set_pointers(struct result *r)
{
    const struct exercise *x = r->exercise;
    for (int i = 0; i < r->step_count; i++) {
        struct step_result *s = &r->steps[i];
        s->step = &x->steps[i];
        if (!s->step->kernel || (s->budget_count && !s->step->budgets)) return -1;
        s->problem = problem_find(s->step->problem);
        /* not sent: the process that reads the result measures these times */
        s->before.ms = s->first.ms = NAN;
        for (int k = 0; k < s->budget_count; k++) {
            s->budgets[k].budget = &s->step->budgets[k];
            if (!s->budgets[k].budget->why) return -1;
        }
    }
    if (r->prediction_count && !x->predictions) return -1;
    for (int i = 0; i < r->prediction_count; i++) {
        r->predictions[i].prediction = &x->predictions[i];
        if (!x->predictions[i].name) return -1;
    }
    for (int i = 0; i < NAMED_MOST; i++)
        if (r->named[i] < 0) return -1;
    for (int i = 0; i < r->cause.count; i++)
        if (!r->cause.places[i].what || !r->cause.places[i].edit) return -1;
    for (int i = 0; i < r->ledger_count; i++) {
        const struct ledger_entry *l = &r->ledger[i];
        int known =
            l->what == LEDGER_PREDICTION ? l->item < r->prediction_count : l->step < r->step_count;
        if (!known || (l->what == LEDGER_BUDGET && l->item >= r->steps[l->step].budget_count))
            return -1;
    }
    return 0;
}

static int no_result(struct err *e)
{
    return err_set(e, ERR_ENV, "an exercise's process sent something that is no result");
}

void wire_put_result(struct buf *out, const struct result *r)
{
    members_write(out, result_members, r);
}

int wire_get_result(const struct buf *in, struct result *r, struct err *e)
{
    return members_read(in->data, in->len, result_members, r) || set_pointers(r) ? no_result(e) : 0;
}

void wire_put_measurement(struct buf *out, const struct measurement *m)
{
    members_write(out, measurement_members, m);
}

int wire_get_measurement(const struct buf *in, struct measurement *m, struct err *e)
{
    *m = (struct measurement){0};
    return members_read(in->data, in->len, measurement_members, m) ? no_result(e) : 0;
}
