/* lab.c - lockstep lab: run one lab or exercise of the learner and explain the result.
 *
 *     02-coalesced matmul: TITLE
 *       KERNEL: correct. At SIZE:
 *         time, limited by, warps      show_time
 *         reference, previous rung     show_comparisons
 *         budget met or MISSED         show_budget, for each budget
 *         counted ...                  show_counters, once all predictions are made
 *       prediction NAME: ...           show_prediction, for each prediction
 *       N of M points
 */
#include "cli/cli.h"
#include "exercise/exercise.h"
#include "view/view.h"
#include "judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What belongs to a time measured on a GPU: how long the whole call took for the CPU and its
 * three phases, and a remark if the kernel's time cannot be judged. */
static void show_call(struct buf *out, const struct step_result *s)
{
    const struct measurement *m = &s->m;
    if (m->host_ms > 0) {
        buf_printf(out, "    call    ");
        buf_rounded(out, m->host_ms);
        buf_printf(out, " ms for the CPU:\n            ");
        buf_rounded(out, m->in_ms);
        buf_printf(out, " allocate and copy in, ");
        buf_rounded(out, m->host_ms - m->in_ms - m->out_ms);
        buf_printf(out, " launch and wait, ");
        buf_rounded(out, m->out_ms);
        buf_printf(out, " copy out\n");
    }
    if (s->timing == TIMING_TOO_SHORT)
        buf_printf(out, "            too short to time (an empty launch takes %.2g us): no points are lost\n",
            1e3 * m->launch_ms);
    if (s->timing == TIMING_IMPOSSIBLE)
        buf_printf(out,
            "            impossible: this GPU needs at least %.3g ms;\n"
            "            the kernel or the kit has a defect\n",
            s->least_ms);
}

/* The kernel's time and rate, what limits it, and its occupancy. Counters that are missing print
 * no line. */
static void show_time(struct buf *out, const struct step_result *s)
{
    buf_printf(out, "    time    ");
    buf_rounded(out, s->m.ms);
    buf_printf(out, " ms %s, ", time_kind_name(s->m.time_is));
    buf_rounded(out, problem_rate(s->problem, s->step->dims, s->m.ms));
    buf_printf(out, " %s%s", s->problem->unit, strcmp(s->problem->unit, "GB/s") ? "" : " effective");
    buf_printf(out, "\n");
    if (s->m.bottleneck) buf_printf(out, "    limited by: %s\n", part_name(s->m.bottleneck));
    show_call(out, s);
    if (s->m.occupancy.blocks)
        buf_printf(out, "    warps   %.0f%% occupancy (%d blocks a multiprocessor, limited by %s)\n",
            100 * s->m.occupancy.share, s->m.occupancy.blocks, model_limiter_names[s->m.occupancy.limiter]);
}

/* Compare another kernel with the learner's: "3.5 times faster (0.12 ms)" or, within 0.5%, "same
 * speed (0.42 ms)". */
static void show_other(struct buf *out, double other_ms, double ms)
{
    double ratio = ms / other_ms;
    if (fabs(ratio - 1) < 0.005) {
        buf_printf(out, "same speed (");
    } else {
        buf_rounded(out, ratio >= 1 ? ratio : 1 / ratio);
        buf_printf(out, " times %s (", ratio >= 1 ? "faster" : "slower");
    }
    buf_rounded(out, other_ms);
    buf_printf(out, " ms)\n");
}

/* Compare with the reference and with the rung before this one in the ladder. A comparison
 * without a time is left out. */
static void show_comparisons(struct buf *out, const struct step_result *s)
{
    if (isfinite(s->reference_ms)) {
        buf_printf(out, "    reference: ");
        show_other(out, s->reference_ms, s->m.ms);
        if (s->ratio.low < s->ratio.high)
            buf_printf(out, "            your time is %.3g to %.3g times the reference's (95%% interval)\n",
                s->ratio.low, s->ratio.high);
    }
    if (!isfinite(s->before_ms)) return;
    buf_printf(out, "    previous rung \"%s\" (%s): ", s->before.exercise->steps[s->before.step].rung,
        s->before.lab->name);
    show_other(out, s->before_ms, s->m.ms);
}

/* One budget: whether it is met, what was counted and the limit. If it is missed, also why the
 * budget matters and, if known, the source line to look at. */
static void show_budget(struct buf *out, const struct result *r, const struct budget_result *b)
{
    buf_printf(out, "    budget  %-6s  %s ", b->met ? "met" : "MISSED", metric_name(b->budget->metric));
    print_value(out, b->value);
    buf_printf(out, " (at %s ", b->budget->rule == AT_MOST ? "most" : "least");
    print_value(out, b->budget->limit);
    buf_printf(out, ")\n");
    if (b->met) return;
    report_wrapped(out, 12, b->budget->why);
    if (b->line) {
        char *text = source_line(r->source, b->line);
        buf_printf(out, "            %s:%d: %s\n", r->file, b->line, text);
        free(text);
    }
}

/* The counters that say most about a step. Counters that were not counted are left out. */
static void show_counters(struct buf *out, const struct metrics *m)
{
    static const enum metric shown[] = {METRIC_GLD_REQUESTS, METRIC_GLD_SECTORS_PER_REQUEST,
        METRIC_GST_REQUESTS, METRIC_GST_SECTORS_PER_REQUEST, METRIC_SLD_PER_REQUEST, METRIC_SST_PER_REQUEST,
        METRIC_SLD_CONFLICTS, METRIC_SST_CONFLICTS, METRIC_WARP_EFFICIENCY, METRIC_FFMA_SHARE};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (!isnan(m->v[shown[i]])) {
            buf_printf(out, "    counted %-37s ", metric_name(shown[i]));
            print_value(out, m->v[shown[i]]);
            buf_printf(out, " %s\n", model_metrics[shown[i]].unit);
        }
}

/* Whether the learner has filled in every prediction of the exercise; -1 means "not yet". */
static int all_predicted(const struct result *r)
{
    for (int i = 0; i < (int)r->prediction_count; i++)
        if (r->predictions[i].said == -1) return 0;
    return 1;
}

/* A step that ran correctly. Counters stay hidden until the predictions are made, since they
 * give the answers. */
static void show_step(struct buf *out, const struct result *r, int step)
{
    const struct step_result *s = &r->steps[step];
    char *size = problem_size(s->problem, s->step->dims);
    buf_printf(out, "  %s: correct. At %s:\n", s->step->kernel, size);
    free(size);
    show_time(out, s);
    show_comparisons(out, s);
    for (int i = 0; i < s->budget_count; i++) show_budget(out, r, &s->budgets[i]);
    if (all_predicted(r)) show_counters(out, &s->m.metrics);
}

/* A prediction is right if it equals the counted value rounded to a whole number. */
static void show_prediction(struct buf *out, const struct prediction_result *p)
{
    buf_printf(out, "  prediction %s: ", p->prediction->name);
    if (p->said == -1) {
        buf_printf(out, "UNKNOWN\n");
        report_wrapped(out, 4, p->prediction->asks);
        return;
    }
    buf_printf(out, "%d, %s, counted ", p->said,
        isfinite(p->counted) && p->said == lround(p->counted) ? "right" : "WRONG");
    print_value(out, p->counted);
    buf_printf(out, "\n");
    report_wrapped(out, 4, p->prediction->asks);
}

/* Append each line of text with an indent. text may be NULL. */
static void print_lines(struct buf *out, const char *indent, const char *text)
{
    while (text && *text) {
        size_t n = strcspn(text, "\n");
        buf_printf(out, "%s%.*s\n", indent, (int)n, text);
        text += n + (text[n] == '\n');
    }
}

/* Called by grade_labs after each exercise. It prints at once, so that the learner sees
 * progress. */
static void show(void *context, const struct result *r)
{
    (void)context;
    struct buf out = {0};
    buf_printf(&out, "%s %s: %s\n", r->lab->name, r->exercise->name, r->exercise->title);
    if (r->warnings.len) print_lines(&out, "", r->warnings.data);
    /* Without a step, the message says what went wrong. A compiler's message stays unindented. */
    if (!r->step_count) print_lines(&out, r->status == STATUS_ERROR ? "" : "  ", r->message.data);
    for (int i = 0; i < r->step_count; i++) show_step(&out, r, i);
    for (int i = 0; r->step_count && i < r->prediction_count; i++) show_prediction(&out, &r->predictions[i]);
    buf_printf(&out, "  %g of %d points\n\n", r->score, r->max_score);
    fwrite(out.data, 1, out.len, stdout);
    fflush(stdout);
    buf_free(&out);
}

int command_lab(int argc, char **argv, struct err *e)
{
    const char *student = NULL, *device = NULL, *front = NULL, *words[2] = {NULL, NULL};
    const struct option_spec specs[] = {
        {"--student", &student}, {"--device", &device}, {"--front", &front}, {0}};
    const struct lab *lab;
    const struct exercise *x = NULL;
    struct session session;
    int count = options_parse(argc, argv, specs, words, 2, e);
    if (count < 0) return -1;
    if (count == 0)
        return err_set(e, ERR_USAGE, "which lab? For example: lockstep lab 01, or make lab LAB=01");
    if (!(lab = options_lab(words[0], e)) || (words[1] && !(x = options_exercise(lab, words[1], e))) ||
        session_open(&session, device, front, student, NULL, e))
        return -1;
    const struct workbench *w = &session.workbench;
    /* Also measure the rung before each step, for show_comparisons. */
    session.rungs = 1;
    if (workbench_simulated(w)) printf("on %s, by %s\n\n", w->name, w->front.name);
    else
        printf("on %s (%s), counters by %s, kernels by %s\n\n", w->name, w->title, w->counter, w->front.name);
    int bad = grade_labs(&session, lab, x, show, NULL, e);
    session_close(&session);
    return bad;
}
