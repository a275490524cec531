/* verdict.c - decide points, status and the reasons for missing points from measurements. */
#include "judge/grade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By enum status: the names in JSON and in reports. */
const char *const status_names[] = {"passed", "failed", "not_attempted", "error"};

const char *metric_name(enum metric m)
{
    const struct metric_info *i = &model_metrics[m];
    return strcmp(i->nvprof, "-") ? i->nvprof : i->ncu;
}

/* Two parts get clearer names than in the model. */
const char *part_name(enum model_part p)
{
    return p == PART_DISPATCH ? "starting blocks (dispatch)"
           : p == PART_LAUNCH ? "starting the kernel (launch)"
                              : model_part_names[p];
}

/* Integers below 1e15 are printed in full, all others with four significant digits. */
void print_value(struct buf *out, double v)
{
    if (isnan(v))
        buf_printf(out, "-");
    else if (v == floor(v) && fabs(v) < 1e15)
        buf_printf(out, "%.0f", v);
    else
        buf_printf(out, "%.4g", v);
}

int step_earns(const struct step *s) { return s->correct_points || s->speed_points || s->budgets; }

/* Add a ledger entry and its points. If points are missing, append "-2 points: " to the message and
 * return 1: the caller then appends the reason. */
static int enter(struct result *r, struct ledger_entry x)
{
    double lost = x.of - x.points;
    r->ledger[r->ledger_count++] = x;
    r->score += x.points;
    if (lost < 1e-9) return 0;
    struct buf *out = &r->message;
    buf_printf(out, "%s-%g point%s: ", out->len ? "\n" : "", lost, plural_s(lost));
    return 1;
}

/* The same for a budget. If a budget without points of its own is missed, the message says why as
 * well, since half of the kernel's points are lost with it. */
static int enter_budget(struct result *r, int step, int item, const struct budget_result *b)
{
    int points = b->budget->points;
    if (enter(r, (struct ledger_entry){LEDGER_BUDGET, step, item, b->met ? points : 0, points}))
        return 1;
    if (b->met) return 0;
    buf_printf(&r->message, "%smissed: ", r->message.len ? "\n" : "");
    return 1;
}

const char *budget_held_against(const struct step_result *s, const struct budget_result *b)
{
    enum metric m = b->budget->metric;
    double own = s->m.metrics.v[m];
    if (isnan(b->value) ? isnan(own) : b->value == own) return NULL;
    if (b->unused) return unused_said(b->unused);
    if (b->elsewhere) return "at another size the kernel works in another way";
    if (b->no_tile)
        return b->no_tile == TILE_SCATTERED
                   ? "the tile does not serve to access global memory along rows"
                   : "few values are loaded from shared memory, so there is no tile";
    if (isnan(b->value))
        return "fewer multiply-adds than the result needs: it is computed otherwise";
    if (m == METRIC_SHARED_BLOCK) return "in all blocks that cover one of the reference's";
    if (m == METRIC_FFMA_SHARE || m == METRIC_WARP_EFFICIENCY)
        return "of the work that the reference does too";
    if (m == METRIC_CONST_REQUESTS) return "those in which all lanes read one word";
    if (m == METRIC_GLD_READONLY_SECTORS) return "without the sectors beyond the reference's";
    if (b->budget->rule == AT_LEAST) return "by whole warps";
    if (m == METRIC_GLD_SECTORS_PER_REQUEST &&
        b->value == score_scattered_sectors_per_request(&s->m.metrics))
        return "the scattered loads alone, which touch over 1.5 times the bytes that they load";
    const char *way = score_way_said(m, b->way);
    return way ? way : "all sectors over the reference's requests";
}

/* Add the entry for one budget. If the budget is missed, the message gives the metric, the limit
 * and the line that costs most. */
static void verdict_budget(struct result *r, struct step_result *s, const struct budget *b,
    const struct checked *f, int step)
{
    const struct metrics *reference = &f->reference[step];
    const struct budget here = score_here(s->step, b, reference);
    int item = s->budget_count++;
    struct budget_result *result = &s->budgets[item];
    enum without needs = unused_need(s->step, b, reference);
    *result = (struct budget_result){.budget = b,
        .unused = unused_reason(needs, s->unused),
        .limit = here.limit,
        .elsewhere = s->elsewhere >> item & 1,
        .value = score_held(s->step, b, &s->m.metrics, reference),
        .no_tile = score_no_tile(b->metric, &s->m.metrics, reference),
        .way = score_way(b->metric, &s->m.metrics, reference)};
    if (result->unused || result->elsewhere) result->value = NAN;
    result->met = score_budget(&here, result->value);
    if (!enter_budget(r, step, item, result)) return;
    int blame = score_blame(&here, &s->m, reference);
    if (blame >= 0)
        result->line = s->m.lines[blame].line, result->blamed = s->m.lines[blame].metrics;
    if (f->final) {
        buf_printf(&r->message, "%s: misses the budget of %s: %s", s->step->kernel,
            metric_name(b->metric), b->why);
        return;
    }
    if (isnan(result->value) && !isnan(s->m.metrics.v[b->metric])) {
        buf_printf(
            &r->message, "%s: %s: %s", s->step->kernel, budget_held_against(s, result), b->why);
        return;
    }
    buf_printf(&r->message, "%s: %s is ", s->step->kernel, metric_name(b->metric));
    print_value(&r->message, result->value);
    const char *how = budget_held_against(s, result);
    if (how) buf_printf(&r->message, " (%s)", how);
    buf_printf(&r->message, ", the budget is at %s ", b->rule == AT_MOST ? "most" : "least");
    print_value(&r->message, here.limit);
    buf_printf(&r->message, ": %s", b->why);
    if (result->line) {
        char *text = source_line(r->source, result->line);
        buf_printf(&r->message, " (%s:%d costs most: %s)", r->file, result->line, text);
        free(text);
    }
}

/* Points depend on ratio.low, the end of the interval that favours the student. A time that is
 * mostly launch overhead earns all points, an impossible one none. */
static void verdict_speed(struct result *r, const struct step_result *s, int step, double full)
{
    int points = r->alone ? 0 : s->step->speed_points;
    double earned = s->timing == TIMING_TOO_SHORT    ? points
                    : s->timing == TIMING_IMPOSSIBLE ? 0
                                                     : score_speed(points, s->ratio.low, full);
    if (!points || !enter(r, (struct ledger_entry){LEDGER_SPEED, step, 0, earned, points})) return;
    if (s->timing == TIMING_IMPOSSIBLE) {
        buf_printf(&r->message,
            "%s: takes %.3g ms, but this GPU needs at least %.3g ms: the kernel or the kit has a defect; "
            "please show this to your instructor",
            s->step->kernel, s->m.ms, s->least_ms);
        return;
    }
    buf_printf(&r->message, "%s: takes %.3g ms, %s%.3g times the reference's %.3g ms",
        s->step->kernel, s->m.ms, s->m.time_is == TIME_MEASURED ? "at least " : "", s->ratio.low,
        s->reference_ms);
    if (s->m.bottleneck) buf_printf(&r->message, "; limited by: %s", part_name(s->m.bottleneck));
}

int step_other_technique(const struct step_result *s)
{
    int other = 0;
    for (int i = 0; i < s->budget_count; i++) {
        struct budget here = *s->budgets[i].budget;
        here.limit = s->budgets[i].limit;
        other |= score_other_technique(&here, s->budgets[i].value);
    }
    return other;
}

/* If a step's kernel uses another technique, take away the points that it earned beyond half of the
 * step's points. before: the score without this step. */
static void verdict_technique(
    struct result *r, const struct step_result *s, int step, double before)
{
    int missed = step_other_technique(s);
    double earned = r->score - before, kept = score_kernel(earned, s->step, missed, s->ratio.low);
    if (earned - kept < 1e-9) return;
    enter(r, (struct ledger_entry){LEDGER_TECHNIQUE, step, 0, kept - earned, 0});
    buf_printf(&r->message, "%s: ", s->step->kernel);
    if (missed)
        buf_printf(&r->message, "misses a budget");
    else
        buf_printf(
            &r->message, "takes more than %g times the reference's time", score_slow(s->step));
    buf_printf(&r->message, ", so it earns no more than half of its %d point%s",
        step_max_points(s->step), plural_s(step_max_points(s->step)));
}

/* Beside the reference's count, the learner's own is appended if it differs and was not scaled from
 * a sample of the blocks. */
void prediction_counted(struct buf *out, const struct result *r, const struct prediction_result *p)
{
    int step = p->prediction->step;
    const struct step_result *s = step < r->step_count ? &r->steps[step] : NULL;
    double own = s && !s->early_seconds ? s->m.metrics.v[p->prediction->metric] : NAN;
    if (p->prediction->what == PREDICTED_BLOCKS) own = s ? s->m.occupancy.blocks : NAN;
    buf_printf(out, "%s counted ", r->alone ? "your kernel" : "the reference");
    print_value(out, p->counted);
    if (r->alone || isnan(own) || own == p->counted) return;
    buf_printf(out, ", your kernel ");
    print_value(out, own);
}

/* Add the entry for one prediction. If the prediction is not right, the message repeats the
 * question. final: do not reveal what was counted. */
static void verdict_prediction(struct result *r, int item, int final)
{
    const struct prediction_result *p = &r->predictions[item];
    int points = p->prediction->points;
    if (!enter(r, (struct ledger_entry){LEDGER_PREDICTION, p->prediction->step, item,
                      score_prediction(p) ? points : 0, points}))
        return;
    char *question = prediction_question(r->exercise, p->prediction);
    buf_printf(&r->message, "prediction %s is ", p->prediction->name);
    if (p->said == -1)
        buf_printf(&r->message, "UNKNOWN");
    else
        buf_printf(&r->message, "%d, ", p->said);
    if (p->said != -1 && (final || isnan(p->counted)))
        buf_printf(&r->message, "which is not right");
    else if (p->said != -1)
        prediction_counted(&r->message, r, p);
    buf_printf(&r->message, ": %s", question);
    free(question);
}

/* Set the result's time and counters: sums over the steps that have points for speed, or over
 * all steps if none has. Metrics before METRIC_GLD_SECTORS_PER_REQUEST are counts, which add up;
 * ratios are derived from the sums. Occupancy is kept only if there is a single step. */
static void sum_up(struct result *r)
{
    int graded = 0, single = 0;
    for (int i = 0; i < r->step_count; i++) graded |= r->steps[i].step->speed_points != 0;
    r->ms = r->reference_ms = 0;
    model_metrics_clear(&r->metrics);
    for (int i = 0; i < r->step_count; i++) {
        const struct step_result *s = &r->steps[i];
        if (graded && !s->step->speed_points) continue;
        r->ms += s->m.ms;
        r->reference_ms += s->reference_ms;
        r->time_is = s->m.time_is;
        for (int m = 0; m < METRIC_GLD_SECTORS_PER_REQUEST; m++)
            if (!isnan(s->m.metrics.v[m]))
                r->metrics.v[m] =
                    (isnan(r->metrics.v[m]) ? 0 : r->metrics.v[m]) + s->m.metrics.v[m];
        if (!single++) r->metrics.v[METRIC_OCCUPANCY] = s->m.metrics.v[METRIC_OCCUPANCY];
    }
    if (single != 1) r->metrics.v[METRIC_OCCUPANCY] = NAN;
    model_metrics_derive(&r->metrics);
    if (!r->step_count) r->ms = r->reference_ms = NAN;
}

int predicted_right(const struct result *r)
{
    for (int i = 0; i < r->prediction_count; i++)
        if (!score_prediction(&r->predictions[i])) return 0;
    return 1;
}

/* Has the learner replaced at least one UNKNOWN by a number? */
static int predicted(const struct result *r)
{
    int any = 0;
    for (int i = 0; i < r->prediction_count; i++) any |= r->predictions[i].said != -1;
    return any;
}

/* An exercise is passed if its kernels are right, within their budgets, and use the technique that
 * it asks for. Points for time and predictions do not matter, unless there are no other points. */
static int passes(const struct result *r)
{
    int asked = 0;
    for (int i = 0; i < r->ledger_count; i++) {
        const struct ledger_entry *x = &r->ledger[i];
        if (x->what == LEDGER_SPEED || x->what == LEDGER_PREDICTION) continue;
        if (x->points < x->of - 1e-9) return 0;
        asked = 1;
    }
    return asked || r->score >= r->max_score;
}

/* With 0 points the status is not_attempted if no prediction was made and either nothing was
 * written, or the exercise has predictions and nothing was wrong. */
void verdict(struct result *r, const struct checked *f)
{
    r->score = 0;
    for (int i = 0; i < r->step_count; i++) {
        struct step_result *s = &r->steps[i];
        double before = r->score;
        int right = s->step->correct_points;
        if (right) enter(r, (struct ledger_entry){LEDGER_CORRECT, i, 0, right, right});
        for (const struct budget *b = s->step->budgets;
             b && b->why && s->budget_count < BUDGETS_MAX; b++)
            verdict_budget(r, s, b, f, i);
        verdict_speed(r, s, i, f->speed);
        verdict_technique(r, s, i, before);
        s->unlike = score_unlike(s, &f->reference[i]);
    }
    if (!f->wrong)
        for (int i = 0; i < r->prediction_count; i++) verdict_prediction(r, i, f->final);
    sum_up(r);
    if (passes(r))
        r->status = STATUS_PASSED;
    else if (r->score == 0 && !predicted(r) && (!f->written || (r->prediction_count && !f->wrong)))
        r->status = STATUS_NOT_ATTEMPTED;
    else
        r->status = STATUS_FAILED;
}
