/* predictions.c - show what the learner predicted, what was counted, and the first guess, which
 * earns the points.
 *
 *     said before the run ──┬── right ──> counted
 *                           └── WRONG ──> the 32 lanes, drawn ──> counted
 *                first time ──> DIRECTORY/.progress */
#include "cli/cli.h"
#include "learn/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Append the learner's first guess if the value in the file differs from it, or if the file has
 * none any more. */
static void show_first(
    struct buf *out, const struct prediction_result *p, const struct dated_guess *first)
{
    if (!first || first->said == -1 || first->said == p->said) return;
    buf_printf(out, "    first guess of %s: %d%s%s; grade --final counts that one\n",
        p->prediction->name, first->said, *first->when ? ", " : "", first->when);
}

/* Did an earlier prediction of this result already print the text on how this GPU counts? */
static int told(const struct result *r, int i, const struct model_profile *gpu)
{
    const char *rule = model_rule(gpu, r->predictions[i].prediction->metric);
    for (int k = 0; k < i; k++) {
        const struct prediction_result *p = &r->predictions[k];
        if (p->said == p->key && rule && rule == model_rule(gpu, p->prediction->metric)) return 1;
    }
    return 0;
}

/* Is the prediction about a suspect? Its right answer is not shown. */
static int about_suspect(const struct result *r, const struct prediction_result *p)
{
    return r->exercise->steps[p->prediction->step].suspect;
}

static void show_prediction(struct buf *out, const struct session *s, const struct result *r, int i,
    const struct dated_guess *first)
{
    const struct prediction_result *p = &r->predictions[i];
    char *question = prediction_question(r->exercise, p->prediction);
    const struct device *d = s->workbench.device;
    const struct model_profile *gpu = d ? device_profile(d) : NULL;
    int counted = !isnan(p->counted), right = score_prediction(p),
        elsewhere = right && p->said == p->key;
    int found = about_suspect(r, p);
    buf_printf(out, "  prediction %s: ", p->prediction->name);
    if (p->said == -1)
        buf_printf(out, "UNKNOWN");
    else
        buf_printf(out, "%d, %s", p->said,
            elsewhere          ? "right from 5.0 on; "
            : right            ? "right"
            : counted || found ? "WRONG"
                               : "not counted on this run");
    if (right && (elsewhere || !found)) {
        buf_printf(out, "%s", elsewhere ? "" : ", ");
        prediction_counted(out, r, p);
    }
    buf_printf(out, "\n");
    if (elsewhere && gpu && !told(r, i, gpu)) {
        struct buf rule = {0};
        rule_text(&rule, gpu, p->prediction->metric);
        report_wrapped(out, 4, rule.data);
        buf_free(&rule);
    }
    report_wrapped(out, 4, question);
    free(question);
    if (p->said == -1) return;
    if (!right && counted && !found) {
        if (p->prediction->what == PREDICTED_COUNT)
            lanes_text(
                out, gpu, &r->steps[p->prediction->step].m, p->prediction->metric, r->source);
        buf_printf(out, "    ");
        prediction_counted(out, r, p);
        buf_printf(out, "\n");
    }
    show_first(out, p, first);
}

/* Append how many predictions are right, the open and the wrong ones by name, and the first wrong
 * one in full, since its drawing explains the number. */
static void show_brief(struct buf *out, const struct session *s, const struct result *r,
    const struct dated_guess *first)
{
    int right = 0, open = 0, wrong = -1;
    struct buf names = {0};
    for (int i = r->prediction_count; i-- > 0;) {
        const struct prediction_result *p = &r->predictions[i];
        if (p->said == -1)
            open++;
        else if (score_prediction(p))
            right++;
        else if (!isnan(p->counted))
            wrong = i;
    }
    for (int i = 0; i < r->prediction_count; i++)
        if (r->predictions[i].said == -1)
            buf_printf(&names, "%s%s", names.len ? ", " : "", r->predictions[i].prediction->name);
    if (right == r->prediction_count)
        buf_printf(out, "  predictions: %s right\n", right > 1 ? "all are" : "it is");
    else if (open)
        buf_printf(out,
            "  predictions: %d of %d right; UNKNOWN (make learn, key g, asks for them):\n", right,
            r->prediction_count);
    else
        buf_printf(out, "  predictions: %d of %d right\n", right, r->prediction_count);
    if (open) report_wrapped(out, 4, names.data);
    for (int i = 0; i < r->prediction_count; i++) {
        const struct prediction_result *p = &r->predictions[i];
        int found = about_suspect(r, p);
        if (i == wrong || p->said == -1 || score_prediction(p) || (isnan(p->counted) && !found))
            continue;
        buf_printf(out, "  prediction %s: %d, WRONG", p->prediction->name, p->said);
        if (!found) {
            buf_printf(out, ", ");
            prediction_counted(out, r, p);
        }
        buf_printf(out, "\n");
    }
    for (int i = 0; first && i < r->prediction_count; i++)
        if (i != wrong) show_first(out, &r->predictions[i], &first[i]);
    if (wrong >= 0) show_prediction(out, s, r, wrong, first ? &first[wrong] : NULL);
    buf_free(&names);
}

/* Append that a step is faster than in all earlier runs of the learner. */
static void show_record(struct buf *out, const struct record *record)
{
    if (!record->step) return;
    buf_printf(out, "  %s: your best so far, ", record->step->kernel);
    buf_rounded(out, record->ms);
    buf_printf(out, " ms; before ");
    buf_rounded(out, record->before);
    buf_printf(out, " ms\n");
}

void predictions_show(
    struct buf *out, struct buf *brief, const struct session *s, const struct result *r)
{
    struct progress p = {0};
    struct err e = {0};
    const struct workbench *w = &s->workbench;
    const struct dated_guess *first = NULL;
    struct record record = {0};
    int kept = progress_kept(&w->kit, w->directory),
        bad = kept && progress_read_kindly(&p, w->directory, &e);
    if (kept && !bad) {
        if (progress_note(&p, r, w->name, &record)) bad = progress_write(&p, &e);
        first = p.past[progress_find(&p, r->lab, r->exercise)].first;
    }
    for (int i = 0; r->step_count && i < r->prediction_count; i++)
        show_prediction(out, s, r, i, first ? &first[i] : NULL);
    if (r->step_count && r->prediction_count) show_brief(brief, s, r, first);
    show_record(out, &record), show_record(brief, &record);
    if (bad) buf_printf(out, "  progress is not kept: %s\n", e.text);
    if (bad) buf_printf(brief, "  progress is not kept: %s\n", e.text);
    if (p.complaint) report_wrapped(out, 2, p.complaint), report_wrapped(brief, 2, p.complaint);
    progress_free(&p);
}

static json_t *prediction_json(const struct session *s, const struct result *r, int i)
{
    const struct prediction_result *p = &r->predictions[i];
    const struct device *d = s->workbench.device;
    int right = score_prediction(p), found = about_suspect(r, p), counted = !isnan(p->counted);
    char *question = prediction_question(r->exercise, p->prediction);
    json_t *o =
        json_pack("{s:s,s:s,s:s}", "name", p->prediction->name, "question", question, "state",
            right                                   ? "right"
            : p->said == -1 || (!counted && !found) ? "open"
                                                    : "wrong");
    struct buf words = {0}, drawing = {0};
    free(question);
    if (p->said == -1) return o;
    json_object_set_new(o, "said", json_integer(p->said));
    if (found || !counted || !r->step_count) return o;
    prediction_counted(&words, r, p);
    if (!right && p->prediction->what == PREDICTED_COUNT)
        lanes_text(&drawing, d ? device_profile(d) : NULL, &r->steps[p->prediction->step].m,
            p->prediction->metric, r->source);
    if (words.len) json_object_set_new(o, "counted", json_text(words.data));
    if (drawing.len) json_object_set_new(o, "drawing", json_text(drawing.data));
    buf_free(&words), buf_free(&drawing);
    return o;
}

json_t *predictions_json(const struct session *s, const struct result *r)
{
    json_t *all = json_array();
    for (int i = 0; i < r->prediction_count; i++)
        json_array_append_new(all, prediction_json(s, r, i));
    return all;
}
