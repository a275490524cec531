/* predictions.c - show what the learner predicted, what was counted, and the first guess, which
 * earns the points.
 *
 *     said before the run ──┬── right ──> counted
 *                           └── WRONG ──> the 32 lanes, drawn ──> counted
 *                first time ──> DIRECTORY/.progress */
#include "cli/cli.h"
#include "learn/learn.h"

#include <stdio.h>
#include <stdlib.h>

/* Append a first guess that differs from the value in the file, or is only in the progress file. */
static void show_first(
    struct buf *out, const struct prediction_result *p, const struct dated_guess *first)
{
    if (!first || first->said == -1 || first->said == p->said) return;
    buf_printf(out, "    first guess %d%s%s: it is what counts with grade --final\n", first->said,
        *first->when ? ", " : "", first->when);
}

/* Did an earlier prediction already get the text on how this GPU counts? */
static int told(const struct result *r, int i, const struct model_profile *gpu)
{
    const char *rule = model_rule(gpu, r->predictions[i].prediction->metric);
    for (int k = 0; k < i; k++) {
        const struct prediction_result *p = &r->predictions[k];
        if (p->said == p->key && rule && rule == model_rule(gpu, p->prediction->metric)) return 1;
    }
    return 0;
}

static void show_prediction(struct buf *out, const struct session *s, const struct result *r, int i,
    const struct dated_guess *first)
{
    const struct prediction_result *p = &r->predictions[i];
    char *question = prediction_question(r->exercise, p->prediction);
    const struct device *d = s->workbench.device;
    const struct model_profile *gpu = d ? device_profile(d) : NULL;
    int right = score_prediction(p), elsewhere = right && p->said == p->key;
    buf_printf(out, "  prediction %s: ", p->prediction->name);
    if (p->said == -1)
        buf_printf(out, "UNKNOWN");
    else
        buf_printf(out, "%d, %s", p->said,
            elsewhere ? "right from 5.0 on; "
            : right   ? "right, "
                      : "WRONG");
    if (right) prediction_counted(out, r, p);
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
    if (!right) {
        lanes_text(out, gpu, &r->steps[p->prediction->step].m, p->prediction->metric, r->source);
        buf_printf(out, "    ");
        prediction_counted(out, r, p);
        buf_printf(out, "\n");
    }
    show_first(out, p, first);
}

void predictions_show(struct buf *out, const struct session *s, const struct result *r)
{
    struct progress p = {0};
    struct err e = {0};
    const struct workbench *w = &s->workbench;
    const struct dated_guess *first = NULL;
    int kept = progress_kept(&w->kit, w->directory),
        bad = kept && progress_read(&p, w->directory, &e);
    if (kept && !bad) {
        if (progress_note(&p, r, w->name)) bad = progress_write(&p, &e);
        first = p.past[progress_find(&p, r->lab, r->exercise)].first;
    }
    for (int i = 0; r->step_count && i < r->prediction_count; i++)
        show_prediction(out, s, r, i, first ? &first[i] : NULL);
    if (bad) buf_printf(out, "  progress is not kept: %s\n", e.text);
    progress_free(&p);
}
