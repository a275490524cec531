/* lab_text.c - the result of one exercise for the person who wrote it: what failed comes first.
 *
 * lab_text appends everything:
 *
 *     02-coalesced matmul: TITLE
 *       what failed, with its source line          show_failure
 *       N of M points, and why others are missing  show_points
 *       KERNEL: correct. At SIZE:
 *         time, limited by, warps      show_time
 *         reference, previous rung     show_comparisons
 *         budget met or MISSED         show_budget, for each budget
 *         counted ...                  show_counters, once all predictions are made
 *         the line that costs most     show_advice, if the time costs points
 *
 * lab_brief fits a screen: the failure, the points in two lines, missed budgets, the learner's own
 * kernels in a few lines each, given kernels in a line each. */
#include "explain/explain.h"
#include "view/lab_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For a time measured on a GPU: append the duration of the whole call on the CPU, and of its three
 * phases; and a remark if the kernel's time cannot be judged. */
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
        buf_printf(out,
            "            too short to time (an empty launch takes %.2g us): no points are lost\n",
            1e3 * m->launch_ms);
    if (s->timing == TIMING_IMPOSSIBLE)
        buf_printf(out,
            "            impossible: this GPU needs at least %.3g ms;\n"
            "            the kernel or the kit has a defect\n",
            s->least_ms);
}

/* Append a wrapped remark, in grey if the screen has colour. */
static void show_quiet(const struct screen *screen, struct buf *out, int indent, const char *text)
{
    screen_ink(screen, out, INK_QUIET);
    buf_printf(out, "%*s", indent, "");
    screen_wrapped(screen, out, indent, indent, text);
    screen_ink(screen, out, INK_PLAIN);
}

void lab_time(struct buf *out, const struct step_result *s)
{
    buf_rounded(out, s->m.ms);
    buf_printf(out, " ms %s, ", time_kind_names[s->m.time_is]);
    buf_rounded(out, problem_rate(s->problem, s->step->dims, s->m.ms));
    buf_printf(
        out, " %s%s", s->problem->unit, strcmp(s->problem->unit, "GB/s") ? "" : " effective");
}

/* Append the kernel's time and rate, what limits it, and its resident warps. A counter that is
 * missing has no line. explain: also explain the limit. told: the number of blocks that fit may be
 * shown. */
static void show_time(const struct screen *screen, struct buf *out, const struct step_result *s,
    const struct model_profile *gpu, int explain, int told)
{
    buf_printf(out, "    time    ");
    lab_time(out, s);
    buf_printf(out, "\n");
    if (s->m.bottleneck) buf_printf(out, "    limited by: %s\n", part_name(s->m.bottleneck));
    const struct term *t = s->m.bottleneck ? terms_find(model_part_names[s->m.bottleneck]) : NULL;
    if (t && explain) show_quiet(screen, out, 12, t->says);
    show_call(out, s);
    struct buf warps = {0};
    if (!s->m.occupancy.blocks || !told) return;
    warps_text(&warps, gpu, &s->m.occupancy, s->m.work.blocks);
    buf_printf(out, "    warps   ");
    screen_wrapped(screen, out, 12, 12, warps.data);
    buf_free(&warps);
}

/* Append how long another kernel takes beside the learner's: "3.5 times as long (0.42 ms)", "3.5
 * times faster (0.03 ms)", or "same speed (0.12 ms)" if within 0.5%. */
static void show_other(struct buf *out, double other_ms, double ms)
{
    double ratio = ms / other_ms;
    if (fabs(ratio - 1) < 0.005) {
        buf_printf(out, "same speed (");
    } else {
        buf_rounded(out, ratio >= 1 ? ratio : 1 / ratio);
        buf_printf(out, " times %s (", ratio >= 1 ? "faster" : "as long");
    }
    buf_rounded(out, other_ms);
    buf_printf(out, " ms)\n");
}

const char *lab_earlier(const struct earlier *x)
{
    return x->rung.exercise->steps[x->rung.step].rung;
}

/* Compare with the reference of an earlier technique, if it was timed. */
static void show_earlier(const struct screen *screen, struct buf *out, const char *which,
    const struct step_result *s, const struct earlier *x)
{
    struct buf text = {0};
    if (!isfinite(x->ms)) return;
    buf_printf(&text, "%s rung \"%s\" (%s): ", which, lab_earlier(x), x->rung.lab->name);
    show_other(&text, x->ms, s->m.ms);
    text.data[--text.len] = 0; /* its newline */
    buf_printf(out, "    ");
    screen_wrapped(screen, out, 12, 4, text.data);
    buf_free(&text);
}

/* Compare with the reference, and with those of earlier techniques for this problem, if these
 * were timed. */
static void show_comparisons(
    const struct screen *screen, struct buf *out, const struct step_result *s)
{
    if (isfinite(s->reference_ms)) {
        buf_printf(out, "    reference: ");
        show_other(out, s->reference_ms, s->m.ms);
        if (s->ratio.low < s->ratio.high)
            buf_printf(out,
                "            your time is %.3g to %.3g times the reference's (95%% interval)\n",
                s->ratio.low, s->ratio.high);
    }
    show_earlier(screen, out, "previous", s, &s->before);
    show_earlier(screen, out, "first", s, &s->first);
}

/* For a line with uncoalesced accesses or bank conflicts: append the lines that compute the
 * index. */
static void show_origin(const struct screen *screen, struct buf *out, const struct result *r,
    const struct step_result *s, const struct budget_result *b)
{
    static const enum metric where[] = {METRIC_GLD_SECTORS_PER_REQUEST,
        METRIC_GST_SECTORS_PER_REQUEST, METRIC_SLD_CONFLICTS, METRIC_SST_CONFLICTS};
    int lines[ORIGIN_LINES], count = 0;
    for (size_t i = 0; i < sizeof where / sizeof *where; i++)
        if (b->budget->metric == where[i])
            count = explain_index_lines(r->source, s->step->kernel, b->line, i > 1, lines);
    if (count) buf_printf(out, "            its index is made in\n");
    for (int i = 0; i < count; i++) {
        char *text = source_line(r->source, lines[i]);
        char *told = xasprintf("%d | %s", lines[i], text);
        buf_printf(out, "%12s", "");
        screen_wrapped(screen, out, 17, 12, told);
        free(text), free(told);
    }
}

/* Append the learner's counter and the limit of a budget; if the value that is compared with the
 * limit differs from the counter, append that value between them. */
static void show_value(const struct screen *screen, struct buf *out, const struct step_result *s,
    const struct budget_result *b)
{
    const char *how = budget_held_against(s, b);
    struct buf limit = {0};
    print_value(out, s->m.metrics.v[b->budget->metric]);
    buf_printf(out, how ? "\n            " : " ");
    if (how) buf_printf(&limit, "%s", how);
    if (how && !isnan(b->value)) {
        buf_printf(&limit, ": ");
        print_value(&limit, b->value);
    }
    buf_printf(&limit, "%s(at %s ", how ? " " : "", b->budget->rule == AT_MOST ? "most" : "least");
    print_value(&limit, b->limit);
    buf_printf(&limit, ")");
    if (how)
        screen_wrapped(screen, out, 12, 12, limit.data);
    else
        buf_printf(out, "%s\n", limit.data);
    buf_free(&limit);
}

void rule_text(struct buf *out, const struct model_profile *gpu, enum metric m)
{
    const char *rule = model_rule(gpu, m);
    buf_printf(out, "%s (compute capability %d.%d)%s%s", gpu->title, gpu->cc_major, gpu->cc_minor,
        rule ? ": " : " counts otherwise", rule ? rule : "");
}

/* Append the limit of a budget that holds from compute capability 5.0 on, if this GPU has another
 * limit. */
static void show_rule(const struct screen *screen, struct buf *out, const struct budget_result *b,
    const struct model_profile *gpu)
{
    struct buf text = {0};
    if (!gpu || b->limit == b->budget->limit) return;
    buf_printf(&text, "from compute capability 5.0 on: ");
    print_value(&text, b->budget->limit);
    buf_printf(&text, ". ");
    rule_text(&text, gpu, b->budget->metric);
    show_quiet(screen, out, 12, text.data);
    buf_free(&text);
}

/* Append one budget: whether it is met, what was counted, and the limit. If it is missed, also
 * why it matters and, if known, the source line to look at. */
static void show_budget(const struct screen *screen, struct buf *out, const struct result *r,
    const struct step_result *s, const struct budget_result *b, const struct model_profile *gpu)
{
    buf_printf(out, "    budget  ");
    screen_ink(screen, out, b->met ? INK_GOOD : INK_BAD);
    buf_printf(out, "%-6s", b->met ? "met" : "MISSED");
    screen_ink(screen, out, INK_PLAIN);
    buf_printf(out, "  %s ", metric_name(b->budget->metric));
    show_value(screen, out, s, b);
    show_rule(screen, out, b, gpu);
    if (b->met) return;
    buf_printf(out, "%12s", "");
    screen_wrapped(screen, out, 12, 12, b->budget->why);
    if (b->line) {
        char *text = source_line(r->source, b->line);
        buf_printf(out, "            %s:%d:\n            %s\n", r->file, b->line, text);
        free(text);
        show_origin(screen, out, r, s, b);
    }
}

static int has_budget(const struct step_result *s, enum metric m)
{
    int has = 0;
    for (int i = 0; i < s->budget_count; i++) has |= s->budgets[i].budget->metric == m;
    return has;
}

/* Append the most informative counters of a step, except those that are 0, were not counted, or are
 * shown with a budget. */
static void show_counters(struct buf *out, const struct step_result *s)
{
    static const enum metric shown[] = {METRIC_GLD_REQUESTS, METRIC_GLD_SECTORS_PER_REQUEST,
        METRIC_GST_REQUESTS, METRIC_GST_SECTORS_PER_REQUEST, METRIC_SLD_PER_REQUEST,
        METRIC_SST_PER_REQUEST, METRIC_SLD_CONFLICTS, METRIC_SST_CONFLICTS, METRIC_WARP_EFFICIENCY,
        METRIC_FFMA_SHARE};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        double v = s->m.metrics.v[shown[i]];
        if (isnan(v) || v == 0 || has_budget(s, shown[i])) continue;
        /* a value of WARP_SIZE means that all lanes are active, which is not worth a line */
        if (shown[i] == METRIC_WARP_EFFICIENCY && v > WARP_SIZE - 0.05) continue;
        buf_printf(out, "    counted %s ", metric_name(shown[i]));
        print_value(out, v);
        buf_printf(out, " ");
        buf_noun(out, v, model_metrics[shown[i]].unit);
        buf_printf(out, "\n");
    }
}

/* Are all predictions of the exercise filled in? A prediction of -1 (UNKNOWN) is not. */
static int lab_predicted(const struct result *r)
{
    for (int i = 0; i < (int)r->prediction_count; i++)
        if (r->predictions[i].said == -1) return 0;
    return 1;
}

/* Does a prediction ask how many blocks fit on a multiprocessor? */
static int asks_blocks(const struct result *r)
{
    for (int i = 0; i < r->prediction_count; i++)
        if (r->predictions[i].prediction->what == PREDICTED_BLOCKS) return 1;
    return 0;
}

/* For a step whose time costs points: append the profile's advice on the line that costs most. */
static void show_advice(const struct screen *screen, struct buf *out, const struct result *r,
    const struct step_result *s, const struct model_profile *gpu)
{
    struct profile p = {.gpu = gpu, .file = r->file, .source = r->source, .m = s->m};
    struct advice a[ADVICES];
    if (!gpu || !r->source || s->m.time_is != TIME_MODELLED || !(s->ratio.low > SCORE_SPEED))
        return;
    if (!profile_advise(&p, a)) return;
    char *text = source_line(r->source, a[0].line);
    buf_printf(out, "    costs most: line %d, %.0f%%\n            %s\n            ", a[0].line,
        100 * a[0].share, text);
    screen_wrapped(screen, out, 12, 12, a[0].text);
    free(text);
}

/* Had an earlier step the same bottleneck? Then the bottleneck was explained there. */
static int explained(const struct result *r, int step)
{
    for (int i = 0; i < step; i++)
        if (r->steps[i].m.bottleneck == r->steps[step].m.bottleneck) return 1;
    return 0;
}

static void show_early(const struct screen *screen, struct buf *out, const struct step_result *s)
{
    char text[320];
    if (s->early_seconds == 0) return;
    snprintf(text, sizeof text,
        "ended early: %s, and all of it would take some %.0f s of your processor's time. Counters and time "
        "are those of a part of the blocks, scaled; the result was right on the small shapes.",
        s->budget_count ? "a budget is missed by far" : "it earns no points", s->early_seconds);
    buf_printf(out, "    ");
    screen_wrapped(screen, out, 4, 4, text);
}

/* Append that a kernel is right, and at which size. */
static void show_right(const struct screen *screen, struct buf *out, const struct step_result *s)
{
    char *size = problem_size(s->problem, s->step->dims);
    buf_printf(out, "  %s: ", s->step->kernel);
    screen_ink(screen, out, INK_GOOD);
    buf_printf(out, "correct");
    screen_ink(screen, out, INK_PLAIN);
    buf_printf(out, ". At %s:\n", size);
    free(size);
    show_early(screen, out, s);
}

/* Append the budgets that are met, or those that are missed. */
static void show_budgets(const struct screen *screen, struct buf *out, const struct result *r,
    const struct step_result *s, const struct model_profile *gpu, int met)
{
    for (int i = 0; i < s->budget_count; i++)
        if (s->budgets[i].met == met) show_budget(screen, out, r, s, &s->budgets[i], gpu);
}

/* Append a line of the source, and carets under `width` bytes of it from `column` on; column 0: no
 * carets. If the line is wider than the screen, the part around the carets is shown. */
static void show_line(const struct screen *screen, struct buf *out, const char *source, int line,
    int column, int width)
{
    enum { GUTTER = 11, BEFORE = 16 };
    const char *at = source;
    for (int i = 1; at && i < line; i++) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    if (!at) return;
    int indent = (int)strspn(at, " \t"), room = screen->width - GUTTER, cut = 0;
    int length = (int)strcspn(at, "\r\n") - indent, from = column ? column - 1 - indent : 0;
    if (length <= 0 || from < 0) return;
    if (length > room && from + width > room) cut = from > BEFORE ? from - BEFORE : 0;
    if (length - cut > room) length = cut + room;
    screen_ink(screen, out, INK_STRONG);
    if (cut) cut += 3; /* "..." replaces three characters */
    buf_printf(out, "%8d | %s%.*s\n", line, cut ? "..." : "", length - cut, at + indent + cut);
    screen_ink(screen, out, INK_BAD);
    if (column) buf_printf(out, "%8s | %*s", "", from - cut + (cut ? 3 : 0), "");
    for (int i = from; i < from + width && i < length && column; i++) buf_printf(out, "^");
    if (column) buf_printf(out, "\n");
    screen_ink(screen, out, INK_PLAIN);
}

/* Append which work the kernel does far more of than the reference, and the line that does most of
 * it. */
static void show_excess(const struct screen *screen, struct buf *out, const struct result *r,
    const struct step_result *s)
{
    for (int i = 0; i < s->excess_count; i++) {
        const struct excess *x = &s->excess[i];
        struct buf text = {0};
        buf_count(&text, x->own, x->metric == METRIC_BARRIER ? "barrier" : "instruction");
        buf_printf(&text, "%s; the reference has %.0f; most of them in line %d%s",
            x->metric == METRIC_BARRIER ? ", once a warp" : " on doubles", x->reference, x->line,
            x->metric == METRIC_BARRIER ? "" : " (0.5 is a double, 0.5f a float)");
        buf_printf(out, "    extra   ");
        screen_wrapped(screen, out, 12, 12, text.data);
        show_line(screen, out, r->source, x->line, 0, 0);
        buf_free(&text);
    }
}

/* Append what is wrong with a suspect, once it may be shown. */
static void show_suspect(const struct screen *screen, struct buf *out, const struct result *r,
    const struct step_result *s)
{
    struct buf text = {0};
    buf_printf(&text, "%s (given): %s", s->step->kernel,
        r->answer.len ? r->answer.data : "at fault; how is told once every prediction is right");
    buf_printf(out, "  ");
    screen_wrapped(screen, out, 4, 2, text.data);
    buf_free(&text);
}

/* Append a step that ran correctly. Counters are hidden until all predictions are made, since
 * they are the answers. */
static void show_step(const struct screen *screen, struct buf *out, const struct result *r,
    int step, const struct model_profile *gpu)
{
    const struct step_result *s = &r->steps[step];
    if (s->step->suspect) {
        show_suspect(screen, out, r, s);
        return;
    }
    show_right(screen, out, s);
    show_budgets(screen, out, r, s, gpu, 0);
    show_excess(screen, out, r, s);
    show_budgets(screen, out, r, s, gpu, 1);
    show_time(screen, out, s, gpu, !explained(r, step), lab_predicted(r) || !asks_blocks(r));
    show_comparisons(screen, out, s);
    if (!lab_predicted(r)) return;
    show_counters(out, s);
    show_advice(screen, out, r, s, gpu);
}

/* ---- missing points ---- */

/* Append a line about missing points, such as "-1.6 transpose: ...". */
static void lost(const struct screen *screen, struct buf *out, double points, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static void lost(const struct screen *screen, struct buf *out, double points, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    screen_ink(screen, out, INK_BAD);
    buf_printf(out, "    -%-4g", points);
    screen_ink(screen, out, INK_PLAIN);
    buf_printf(out, " ");
    screen_wrapped(screen, out, 10, 10, text);
}

/* Append which points are missing in an entry of the ledger, and why. */
static void show_lost(const struct screen *screen, struct buf *out, const struct result *r,
    const struct ledger_entry *x)
{
    const struct step_result *s = &r->steps[x->step];
    const struct prediction_result *p = &r->predictions[x->item];
    const char *kernel = x->what == LEDGER_PREDICTION ? NULL : s->step->kernel;
    double points = x->of - x->points;
    if (points < 1e-9) return;
    switch (x->what) {
    case LEDGER_CORRECT: break;
    case LEDGER_BUDGET:
        lost(screen, out, points, "%s: misses the budget of %s", kernel,
            metric_name(s->budgets[x->item].budget->metric));
        break;
    case LEDGER_SPEED:
        lost(screen, out, points,
            "%s: %.3g times the reference's time; up to %g times is full marks, and 10 "
            "times is none",
            kernel, s->ratio.low, SCORE_SPEED);
        break;
    case LEDGER_TECHNIQUE:
        if (step_other_technique(s))
            lost(screen, out, points,
                "%s: misses a budget, and with it the technique, so at most half of its %d points",
                kernel, step_max_points(s->step));
        else
            lost(screen, out, points,
                "%s: takes more than %g times the reference's time, so at most half of its %d points",
                kernel, score_slow(s->step), step_max_points(s->step));
        break;
    case LEDGER_PREDICTION:
        lost(screen, out, points, "prediction %s is %s", p->prediction->name,
            p->said == -1 ? "UNKNOWN" : "not right");
        break;
    }
}

void points_text(struct buf *out, struct points p)
{
    buf_printf(out, "%s%g of %d points", p.about ? "about " : "", p.score, p.most);
}

/* Say which points are left out because the kit has no solution to compare with. */
static void put_alone(struct buf *out, const struct result *r)
{
    int points = exercise_speed_points(r->exercise);
    if (r->alone && points && r->max_score)
        buf_printf(out, "; %d for time need the solution, which this kit does not have", points);
}

static void show_points(const struct screen *screen, struct buf *out, const struct result *r)
{
    struct buf text = {0};
    screen_ink(screen, out, r->max_score && r->score >= r->max_score ? INK_GOOD : INK_STRONG);
    if (r->max_score)
        points_text(&text, result_points(r));
    else
        buf_printf(&text, "not counted");
    put_alone(&text, r);
    buf_printf(out, "  ");
    screen_wrapped(screen, out, 4, 2, text.data);
    screen_ink(screen, out, INK_PLAIN);
    buf_free(&text);
    for (int i = 0; i < r->ledger_count && r->step_count; i++)
        show_lost(screen, out, r, &r->ledger[i]);
}

/* ---- what failed ---- */

/* Append the source lines whose numbers the message mentions. */
static void show_named_lines(const struct screen *screen, struct buf *out, const struct result *r)
{
    for (int i = 0; i < NAMED_MOST && r->named[i]; i++) {
        int again = 0; /* 1: the cause shows the line, so it is not shown here */
        for (int k = 0; k < r->cause.count; k++) again |= r->cause.places[k].line == r->named[i];
        if (!again) show_line(screen, out, r->source, r->named[i], 0, 0);
    }
}

/* If a barrier may be missing: append the command that shows in the stepper which two warps
 * access the same word of shared memory. */
static void show_stepper(const struct screen *screen, struct buf *out, const struct result *r)
{
    char text[256];
    /* the lab's folder: the last match, since a student's folder may contain the same name */
    const char *folder = NULL;
    for (const char *at = r->file; at && (at = strstr(at, r->lab->name)); at++) folder = at;
    if (!folder || !r->source || !strstr(r->source, "__shared__") ||
        !(r->found.hints & HINT_BARRIER))
        return;
    /* the student's folder, to be given as STUDENT=; for labs/ none is given */
    int length = (int)(folder - r->file) - 1;
    if (length < 0 || (length == 4 && !strncmp(r->file, "labs", 4))) length = 0;
    snprintf(text, sizeof text, "make step LAB=%.2s EX=%s%s%.*s, key r: both warps where they meet",
        r->lab->name, r->exercise->name, length ? " STUDENT=" : "", length, r->file);
    show_quiet(screen, out, 4, text);
}

/* A message that is a sentence is wrapped. Lines of a compiler are kept as they are, since a caret
 * points to a column. */
static void show_failure(const struct screen *screen, struct buf *out, const struct result *r)
{
    if (!r->message.len) return;
    if (strchr(r->message.data, '\n')) {
        buf_printf(
            out, "%s%s", r->message.data, r->message.data[r->message.len - 1] == '\n' ? "" : "\n");
        return;
    }
    if (r->status != STATUS_NOT_ATTEMPTED) screen_ink(screen, out, INK_BAD);
    buf_printf(out, "  ");
    screen_wrapped(screen, out, 4, 2, r->message.data);
    screen_ink(screen, out, INK_PLAIN);
    show_named_lines(screen, out, r);
    show_stepper(screen, out, r);
}

/* Append at most MOST lines of what kernels printed. */
static void show_printed(const struct screen *screen, struct buf *out, const struct result *r)
{
    enum { MOST = 20 };
    int lines = 0;
    const char *at = r->printed.data;
    for (; at && *at && lines <= MOST; lines++) {
        size_t n = strcspn(at, "\n");
        buf_printf(out, "%s%.*s\n", lines ? "  | " : "  ", (int)n, at);
        at += n + (at[n] == '\n');
    }
    if (at && *at)
        show_quiet(
            screen, out, 2, "... and more: print from one thread, if (row == 0 && col == 0)");
}

static void show_title(const struct screen *s, struct buf *out, const struct result *r)
{
    screen_ink(s, out, INK_STRONG);
    char *title = xasprintf("%s %s: %s", r->lab->name, r->exercise->name, r->exercise->title);
    screen_wrapped(s, out, 4, 0, title);
    free(title);
    screen_ink(s, out, INK_PLAIN);
}

static void show_warnings(struct buf *out, const struct result *r)
{
    if (r->warnings.len)
        buf_printf(out, "%s%s", r->warnings.data,
            r->warnings.data[r->warnings.len - 1] == '\n' ? "" : "\n");
}

/* ---- the cause ---- */

/* The first part of the text about a place of a cause, by the kind of cause. */
static const char *const look_at[CAUSE_KINDS] = {
    [CAUSE_EXPRESSION] = "look at this expression",
    [CAUSE_CONDITION] = "look at this condition",
    [CAUSE_INDEX] = "look at this index",
    [CAUSE_STEP] = "look at the step of this loop",
    [CAUSE_INITIAL] = "look at the first value of this variable",
    [CAUSE_CONSTANT] = "look at this constant",
    [CAUSE_SIZE] = "look at the size of this array",
    [CAUSE_LAUNCH] = "look at the shape of the launch",
    [CAUSE_BARRIER] = "look at the barriers here",
    [CAUSE_MISSING] = "something is missing here",
    [CAUSE_STATEMENT] = "look at this statement, and where it stands",
    [CAUSE_FUNCTION] = "look at this function",
};

void lab_place(struct buf *out, const struct result *r, const struct cause_place *p, enum told told)
{
    const char *budget =
        r->step_count ? "it is right and within the budgets" : "every result is right";
    int one = r->cause.count == 1;
    buf_printf(out, "%s", told == TOLD_WHERE ? look_at[p->kind] : p->what);
    if (told < TOLD_EDIT) return;
    int comma = *p->edit && p->edit[strlen(p->edit) - 1] == ',';
    buf_printf(out, ": %.*s", (int)strlen(p->edit) - (comma && !one), p->edit);
    if (one) buf_printf(out, " %s", budget);
}

/* Append the text about one place of the cause. told: how much of the cause to show. */
static void show_place(const struct screen *screen, struct buf *out, const struct result *r,
    const struct cause_place *p, enum told told)
{
    struct buf text = {0};
    if (r->cause.count == 1) buf_printf(&text, "the %s: ", r->step_count ? "budget" : "cause");
    buf_printf(&text, "%s:%d: ", r->file, p->line);
    lab_place(&text, r, p, told);
    buf_printf(out, "  ");
    screen_wrapped(screen, out, 4, 2, text.data);
    show_line(screen, out, r->source, p->line, p->column, p->width);
    buf_free(&text);
}

void lab_places(struct buf *out, const struct result *r, enum told told)
{
    const struct cause *c = &r->cause;
    const char *number = c->count == 2 ? "two" : "three";
    if (c->count > 1 && told < TOLD_EDIT)
        buf_printf(out, "the cause is in %s places", number);
    else if (c->count > 1)
        buf_printf(out, "%s edits together make %s", number,
            r->step_count ? "it right and within the budgets" : "every result right");
}

static void show_cause(
    const struct screen *screen, struct buf *out, const struct result *r, enum told told)
{
    struct buf head = {0};
    lab_places(&head, r, told);
    if (head.len) buf_printf(out, "  %s:\n", head.data);
    for (int i = 0; i < r->cause.count; i++) show_place(screen, out, r, &r->cause.places[i], told);
    buf_free(&head);
}

void lab_text(const struct screen *s, const struct result *r, const struct model_profile *gpu,
    const char *predictions, struct buf *out)
{
    show_title(s, out, r);
    show_warnings(out, r);
    show_printed(s, out, r);
    /* if no step was measured, the message says what failed; otherwise each line of the message is
     * shown at its step */
    if (!r->step_count) show_failure(s, out, r);
    show_cause(s, out, r, TOLD_EDIT);
    show_points(s, out, r);
    /* predictions precede the steps: for a wrong one a drawing is shown before the counters
     * reveal the number */
    buf_printf(out, "%s", predictions);
    for (int i = 0; i < r->step_count; i++) show_step(s, out, r, i, gpu);
    buf_printf(out, "\n");
}

/* ---- in brief ---- */

void lab_points(struct buf *out, const struct result *r)
{
    int missed = 0;
    for (int i = 0; i < r->step_count; i++) missed |= step_other_technique(&r->steps[i]);
    const char *const kinds[] = {[LEDGER_CORRECT] = "results",
        [LEDGER_BUDGET] = "budgets",
        [LEDGER_SPEED] = "time",
        [LEDGER_TECHNIQUE] = missed ? "the technique, as a budget is missed"
                                    : "the technique, as the time is far too long",
        [LEDGER_PREDICTION] = "predictions"};
    double lacks[sizeof kinds / sizeof *kinds] = {0};
    if (r->max_score)
        points_text(out, result_points(r));
    else
        buf_printf(out, "not counted");
    if (r->status == STATUS_PASSED && r->score < r->max_score) buf_printf(out, ", passed");
    for (int i = 0; i < r->ledger_count && r->step_count; i++)
        lacks[r->ledger[i].what] += r->ledger[i].of - r->ledger[i].points;
    for (size_t i = 0, any = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (lacks[i] > 1e-9)
            buf_printf(out, "%s%.3g for %s", any++ ? ", " : "; missing: ", lacks[i], kinds[i]);
    put_alone(out, r);
}

/* Append the points, and on a second line how many are missing for each reason. */
static void show_points_brief(const struct screen *screen, struct buf *out, const struct result *r)
{
    struct buf text = {0};
    screen_ink(screen, out, r->max_score && r->score >= r->max_score ? INK_GOOD : INK_STRONG);
    lab_points(&text, r);
    buf_printf(out, "  ");
    screen_wrapped(screen, out, 4, 2, text.data);
    screen_ink(screen, out, INK_PLAIN);
    buf_free(&text);
}

int lab_own(const struct step_result *s) { return step_max_points(s->step) > 0; }

static int misses_budget(const struct step_result *s)
{
    int any = 0;
    for (int i = 0; i < s->budget_count; i++) any |= !s->budgets[i].met;
    return any;
}

/* Append a bar whose length is proportional to a time; most is the time of the longest bar. */
static void show_bar(const struct screen *screen, struct buf *out, const char *rung, double ms,
    double most, enum ink ink)
{
    enum { LONGEST = 34, NAME = RUNG_LONGEST };
    static const char bar[] = "##################################";
    int length = (int)(LONGEST * ms / most + 0.5);
    buf_printf(out, "      %-*.*s ", NAME, NAME, rung);
    screen_ink(screen, out, ink);
    buf_printf(out, "%.*s ", length < 1 ? 1 : length, bar);
    screen_ink(screen, out, INK_PLAIN);
    buf_rounded(out, ms);
    buf_printf(out, " ms\n");
}

/* Append by how much the learner is faster than an earlier technique: "3.5 times as fast as
 * "naive"". If out already has such a text: ", 3.5 times "naive"". */
static void put_factor(struct buf *out, const struct step_result *s, const struct earlier *x)
{
    const char *as = out->len ? "" : "as fast as ";
    if (!isfinite(x->ms) || x->ms < 1.05 * s->m.ms) return;
    if (out->len) buf_printf(out, ", ");
    buf_rounded(out, x->ms / s->m.ms);
    buf_printf(out, " times %s\"%s\"", as, lab_earlier(x));
}

void lab_gain(struct buf *out, const struct step_result *s)
{
    put_factor(out, s, &s->before);
    put_factor(out, s, &s->first);
}

/* Append the times of the first technique, the previous one and the learner's as bars, and by how
 * much the learner's is faster. */
static void show_rungs(const struct screen *screen, struct buf *out, const struct step_result *s)
{
    double most = fmax(fmax(isfinite(s->first.ms) ? s->first.ms : 0, s->before.ms), s->m.ms);
    struct buf text = {0};
    if (!isfinite(s->before.ms) || !(most > 0)) return;
    if (isfinite(s->first.ms))
        show_bar(screen, out, lab_earlier(&s->first), s->first.ms, most, INK_QUIET);
    show_bar(screen, out, lab_earlier(&s->before), s->before.ms, most, INK_QUIET);
    show_bar(screen, out, s->step->rung ? s->step->rung : s->step->kernel, s->m.ms, most, INK_GOOD);
    lab_gain(&text, s);
    if (text.len) {
        buf_printf(out, "      ");
        screen_ink(screen, out, INK_GOOD);
        screen_wrapped(screen, out, 6, 6, text.data);
        screen_ink(screen, out, INK_PLAIN);
    }
    buf_free(&text);
    if (s->step->no_gain && s->before.ms < RUNG_GAIN * s->m.ms)
        show_quiet(screen, out, 6, s->step->no_gain);
}

/* Is no later step of the exercise in the same sequence of techniques? */
static int is_last_rung(const struct result *r, const struct step_result *s)
{
    for (const struct step_result *x = s + 1; x < r->steps + r->step_count; x++)
        if (x->step->rung && problem_kind(x->problem) == problem_kind(s->problem)) return 0;
    return 1;
}

/* Append a kernel of the learner: its missed budgets, how many are met, its time beside others,
 * and, if no budget was missed, the advice on the line that costs most. */
static void show_own(const struct screen *screen, struct buf *out, const struct result *r,
    const struct step_result *s, const struct model_profile *gpu)
{
    int met = 0;
    show_right(screen, out, s);
    show_budgets(screen, out, r, s, gpu, 0);
    show_excess(screen, out, r, s);
    for (int i = 0; i < s->budget_count; i++) met += s->budgets[i].met;
    if (met) buf_printf(out, "    budgets %d of %d met\n", met, s->budget_count);
    struct buf time = {0};
    lab_time(&time, s);
    if (s->m.bottleneck) buf_printf(&time, "; limited by: %s", part_name(s->m.bottleneck));
    buf_printf(out, "    time    ");
    screen_wrapped(screen, out, 12, 12, time.data);
    buf_free(&time);
    show_call(out, s);
    if (r->status == STATUS_PASSED && isfinite(s->before.ms) && is_last_rung(r, s))
        show_rungs(screen, out, s);
    else
        show_comparisons(screen, out, s);
    if (!misses_budget(s) && lab_predicted(r)) show_advice(screen, out, r, s, gpu);
}

static void show_given(const struct screen *screen, struct buf *out, const struct step_result *s)
{
    struct buf text = {0};
    buf_printf(&text, "%s (given): correct, ", s->step->kernel);
    buf_rounded(&text, s->m.ms);
    buf_printf(&text, " ms");
    if (s->m.bottleneck) buf_printf(&text, "; limited by: %s", part_name(s->m.bottleneck));
    buf_printf(out, "  ");
    screen_wrapped(screen, out, 4, 2, text.data);
    buf_free(&text);
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; text && *text; text++) lines += *text == '\n';
    return lines;
}

/* Cut text after a number of lines. */
static void keep_lines(struct buf *text, int lines)
{
    size_t at = 0;
    for (; at < text->len && lines > 0; at++) lines -= text->data[at] == '\n';
    text->len = at;
    if (text->data) text->data[at] = 0;
}

void lab_brief(const struct screen *s, const struct brief *b, const struct result *r,
    const struct model_profile *gpu, const char *predictions, struct buf *out)
{
    int lines = b->lines;
    struct buf text = {0}, all = {0};
    show_title(s, &text, r);
    if (!r->step_count) show_failure(s, &text, r);
    show_cause(s, &text, r, b->told);
    if (r->cause.count && b->told < TOLD_EDIT) {
        char next[160];
        snprintf(next, sizeof next,
            b->told == TOLD_WHERE ? "%s says what is wrong there"
                                  : "%s shows an edit that corrects it",
            b->next[b->told]);
        show_quiet(s, &text, 2, next);
    }
    int missed = 0;
    for (int i = 0; i < r->step_count; i++)
        missed |= lab_own(&r->steps[i]) && misses_budget(&r->steps[i]);
    if (b->told > TOLD_WHERE && !r->cause.count && r->status == STATUS_FAILED &&
        (missed || (!r->step_count && !(r->found.hints & HINT_TOLD))))
        show_quiet(s, &text, 2,
            missed ? "no edit is known that meets the budgets; the lab's hints.md goes on"
                   : "no edit is known that makes it right; the lab's hints.md goes on");
    show_points_brief(s, &text, r);
    show_warnings(&text, r);
    show_printed(s, &text, r);
    /* first missed budgets, then predictions, then what is right */
    for (int right = 0; right < 2; right++) {
        for (int i = 0; i < r->step_count; i++)
            if (lab_own(&r->steps[i]) && misses_budget(&r->steps[i]) == !right)
                show_own(s, &text, r, &r->steps[i], gpu);
        if (!right) buf_printf(&text, "%s", predictions);
    }
    for (int i = 0; i < r->step_count; i++)
        if (r->steps[i].step->suspect)
            show_suspect(s, &text, r, &r->steps[i]);
        else if (!lab_own(&r->steps[i]))
            show_given(s, &text, &r->steps[i]);
    lab_text(s, r, gpu, predictions, &all);
    int shown = count_lines(text.data),
        most = count_lines(all.data) - 1; /* ends with a blank line */
    if (shown > lines - 1 || most > shown) {
        char rest[160];
        if (shown > lines - 1) keep_lines(&text, lines - 1);
        snprintf(rest, sizeof rest, "%s shows everything, %d lines", b->more, most);
        screen_ink(s, &text, INK_QUIET);
        buf_printf(&text, "  %s\n", rest);
        screen_ink(s, &text, INK_PLAIN);
    }
    buf_add(out, text.data, text.len);
    buf_printf(out, "\n");
    buf_free(&text), buf_free(&all);
}
