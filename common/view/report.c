/* report.c - a grading as text: one line per exercise, then the reasons for missing points, then
 * the total. Exercises that were not attempted have no reasons: they have one line each, or one
 * line for a whole lab. */
#include "view/view.h"
#include "judge/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_LINES = 12, COLUMNS_MAX = 80 };

/* Breaks lines at the last blank that fits. A word that is wider than the line is not broken. */
void report_wrapped(struct buf *out, int indent, const char *text)
{
    int width = COLUMNS_MAX - indent;
    while (*text) {
        int n = (int)strcspn(text, "\n"), fits = n;
        if (n > width) {
            fits = width;
            while (fits && text[fits] != ' ') fits--;
            fits = fits ? fits : (int)strcspn(text, " \n");
        }
        buf_printf(out, "%*s%.*s\n", indent, "", fits, text);
        text += fits + (text[fits] != 0);
    }
}

/* Append at most MESSAGE_LINES lines of a message, indented, since a compiler may write
 * thousands. Sentences that say how many points are missing are wrapped; a compiler's lines keep
 * their columns. */
static void indent(struct buf *out, const char *text)
{
    for (int lines = 0; text && *text; lines++) {
        size_t n = strcspn(text, "\n");
        if (lines == MESSAGE_LINES) {
            buf_printf(out, "    ...\n");
            break;
        }
        char *line = xstrndup(text, n);
        if (*line == '-')
            report_wrapped(out, 4, line);
        else
            buf_printf(out, "    %s\n", line);
        free(line);
        text += n + (text[n] == '\n');
    }
}

/* For the teacher: append how a kernel that meets its budgets works differently from the
 * reference. */
static void show_unlike(struct buf *out, const struct step_result *s)
{
    const struct unlike *u = &s->unlike;
    struct buf text = {0};
    if (!(u->times > 0)) return;
    buf_printf(&text, "%s: another way than the reference? %s is ", s->step->kernel,
        u->metric == METRIC_COUNT ? "time_ms" : metric_name(u->metric));
    print_value(&text, u->own);
    buf_printf(&text, ", the reference's ");
    print_value(&text, u->reference);
    report_wrapped(out, 4, text.data);
    buf_free(&text);
}

/* Appends, for example, "02-coalesced matmul 10 of 10 0.42 ms measured, 1.02 x reference", where
 * 1.02 is the reference's time divided by the student's. */
void report_result(struct buf *out, const struct result *r)
{
    if (r->status == STATUS_NOT_ATTEMPTED && !r->max_score) {
        buf_printf(out, "%-12s %-16s not counted\n", r->lab->name, r->exercise->name);
        report_wrapped(out, 4, r->message.data);
        return;
    }
    buf_printf(
        out, "%-12s %-16s %4g of %-3d", r->lab->name, r->exercise->name, r->score, r->max_score);
    /* for passed and failed, the score says enough; other states are named */
    int judged = r->status == STATUS_PASSED || r->status == STATUS_FAILED;
    if (r->status == STATUS_NOT_ATTEMPTED) {
        buf_printf(
            out, " not attempted%s\n", r->source && *r->source ? "" : ": there is no such file");
        return;
    }
    if (!judged) buf_printf(out, " error");
    if (r->step_count && isfinite(r->ms)) {
        buf_printf(out, " %8.4g ms %s", r->ms, time_kind_names[r->time_is]);
        if (judged && isfinite(r->reference_ms))
            buf_printf(out, ", %.2f x reference", r->reference_ms / r->ms);
    }
    buf_printf(out, "\n");
    if (r->message.len) indent(out, r->message.data);
    for (int i = 0; i < r->step_count; i++) show_unlike(out, &r->steps[i]);
}

void report_not_started(struct buf *out, const struct lab *lab, int most, const char *why)
{
    if (!most) {
        char *text = xasprintf("%s: not counted: %s", lab->name, why);
        report_wrapped(out, 0, text);
        free(text);
        return;
    }
    buf_printf(out, "%s: not started, ", lab->name);
    points_text(out, (struct points){.most = most});
    buf_printf(out, "\n");
}

/* The seed is printed so that the grading can be repeated with the same inputs. */
void report_total(
    struct buf *out, const struct session *s, double score, int max_score, int left_out)
{
    if (left_out)
        buf_printf(
            out, "%d more for time need the solutions, which this kit does not have\n", left_out);
    buf_printf(out, "%-29s %4g of %d\n    on %s, by %s, seed %lld\n    sandbox: %s\n", "all", score,
        max_score, s->workbench.name, s->workbench.front.name, (long long)s->seed, s->sandbox);
}
