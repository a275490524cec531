/* student.c - a student's page: what was right, why points are missing, and which line costs most.
 *
 *     05-padded transpose: 6.3 of 10
 *       Points that are missing      the reasons, as in the grading's message
 *       Line 24 costs most           the source around it, and that line's counters
 *       What was right               the parts that earned points
 *
 * A class graded with --final shows no counters: its pages have only reasons and what was right. */
#include "grading/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Was the exercise's file handed in? Exercises without a file are not mentioned. */
static int handed_in(const json_t *exercise)
{
    return !json_is_false(json_object_get(exercise, "handed_in"));
}

static const char *status_text(const json_t *exercise)
{
    const char *status = result_text(exercise, "status");
    int all = result_number(exercise, "score") >= result_number(exercise, "max_score");
    if (json_is_true(json_object_get(exercise, "excused"))) return "excused";
    if (!strcmp(status, "passed")) return all ? "all points" : "passed";
    if (!strcmp(status, "not_attempted"))
        return handed_in(exercise) ? "not attempted" : "not handed in";
    if (!strcmp(status, "error")) return "does not compile or fit";
    return result_number(exercise, "score") > 0 ? "some points" : "no points";
}

/* ---- missing points ---- */

/* Append an exercise's message as a list. A line that begins without a blank is a reason; lines
 * that a compiler quotes are not changed. */
static void reasons(struct buf *out, const char *message)
{
    int lines = 0, quoted = 0;
    for (const char *p = message; *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : p + strlen(p))
        lines++, quoted |= *p == ' ';
    if (quoted) {
        buf_printf(out, "<pre class=\"code\" tabindex=\"0\">");
        result_escape(out, message);
        buf_printf(out, "</pre>\n");
        return;
    }
    buf_printf(out, lines > 1 ? "<ul>\n" : "<p>");
    for (const char *p = message; *p;) {
        size_t length = strcspn(p, "\n");
        char *line = xstrndup(p, length);
        if (length && lines > 1) buf_printf(out, "<li>");
        result_escape(out, line);
        buf_printf(out, length && lines > 1 ? "</li>\n" : "");
        p += length + (p[length] == '\n');
        free(line);
    }
    buf_printf(out, lines > 1 ? "</ul>\n" : "</p>\n");
}

/* ---- the line that costs most ---- */

/* The table of a line's counters. Each column is the sum of two counters, or the quotient of two
 * such sums. */
static const struct {
    const char *head;
    enum metric of[2], under[2];
} columns[] = {
    {"instructions", {METRIC_INST, METRIC_INST}, {METRIC_INST, METRIC_INST}},
    {"lanes of 32", {METRIC_WARP_EFFICIENCY, METRIC_WARP_EFFICIENCY}, {METRIC_COUNT, METRIC_COUNT}},
    {"global requests", {METRIC_GLD_REQUESTS, METRIC_GST_REQUESTS}, {METRIC_COUNT, METRIC_COUNT}},
    {"transactions a request", {METRIC_GLD_SECTORS, METRIC_GST_SECTORS},
        {METRIC_GLD_REQUESTS, METRIC_GST_REQUESTS}},
    {"shared instructions", {METRIC_SLD_INST, METRIC_SST_INST}, {METRIC_COUNT, METRIC_COUNT}},
    {"wavefronts each", {METRIC_SLD_WAVEFRONTS, METRIC_SST_WAVEFRONTS},
        {METRIC_SLD_INST, METRIC_SST_INST}},
    {"bank conflicts", {METRIC_SLD_CONFLICTS, METRIC_SST_CONFLICTS}, {METRIC_COUNT, METRIC_COUNT}},
};

/* The sum of two counters, of which one may not have been counted; NAN: neither was. */
static double sum(const json_t *counters, const enum metric of[2])
{
    const json_t *a = json_object_get(counters, model_metrics[of[0]].ncu),
                 *b = of[1] == of[0] ? NULL : json_object_get(counters, model_metrics[of[1]].ncu);
    return a || b ? json_number_value(a) + json_number_value(b) : NAN;
}

static double column(const json_t *counters, size_t i)
{
    if (columns[i].under[0] == columns[i].of[0] || columns[i].under[0] == METRIC_COUNT)
        return sum(counters, columns[i].of);
    double under = sum(counters, columns[i].under);
    return under > 0 ? sum(counters, columns[i].of) / under : NAN;
}

static void counted(struct buf *out, const json_t *counters)
{
    char text[16];
    page_table(out, "what the line counted", "");
    buf_printf(out, "<tr>");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (!isnan(column(counters, i)))
            buf_printf(out, "<th scope=\"col\">%s</th>", columns[i].head);
    buf_printf(out, "</tr>\n<tr>");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (!isnan(column(counters, i)))
            buf_printf(out, "<td>%s</td>", profile_number(column(counters, i), text));
    buf_printf(out, "</tr>\n");
    page_table_end(out);
}

/* Was the line shown for an earlier budget? A line is shown only once. */
static int shown_before(const json_t *parts, size_t at, double line)
{
    for (size_t i = 0; i < at; i++)
        if (result_number(json_object_get(json_array_get(parts, i), "blame"), "line") == line)
            return 1;
    return 0;
}

static void blamed(struct buf *out, const json_t *exercise, const json_t *blame)
{
    int line = (int)result_number(blame, "line"), number = (int)result_number(blame, "first");
    const json_t *text;
    size_t i;
    buf_printf(out, "<h3>Line %d of ", line);
    result_escape(out, result_text(exercise, "file"));
    buf_printf(out, " costs most</h3>\n<pre class=\"code\" tabindex=\"0\">");
    json_array_foreach(json_object_get(blame, "source"), i, text)
    {
        buf_printf(out, "%s%s %4d  ", number == line ? "<b>" : "", number == line ? "&rarr;" : " ",
            number);
        result_escape(out, json_string_value(text));
        buf_printf(out, "%s\n", number == line ? "</b>" : "");
        number++;
    }
    buf_printf(out, "</pre>\n");
    counted(out, json_object_get(blame, "counters"));
}

/* ---- what was right ---- */

static void right_part(struct buf *out, const json_t *p, int final)
{
    const char *what = result_text(p, "part");
    double points = result_number(p, "points");
    struct buf value = {0};
    buf_printf(out, "<li>%g of %g: ", points, result_number(p, "of"));
    result_escape(out, result_text(p, strcmp(what, "prediction") ? "kernel" : "name"));
    if (!strcmp(what, "correct")) buf_printf(out, " is right on every shape");
    if (!strcmp(what, "budget")) {
        buf_printf(out, " keeps the budget of %s", result_text(p, "metric"));
        print_value(&value, result_number(p, "value"));
        if (!final) buf_printf(out, ": %s, %s ", value.data, result_text(p, "rule"));
        buf_free(&value);
        print_value(&value, result_number(p, "limit"));
        if (!final) buf_printf(out, "%s", value.data);
    }
    if (!strcmp(what, "speed"))
        buf_printf(out, " takes %.3g ms, the reference %.3g ms", result_number(p, "time_ms"),
            result_number(p, "reference_ms"));
    if (!strcmp(what, "prediction")) {
        buf_printf(out, " is %g, as predicted: ", result_number(p, "said"));
        result_escape(out, result_text(p, "asks"));
    }
    buf_printf(out, "</li>\n");
    buf_free(&value);
}

static void right(struct buf *out, const json_t *parts, int final)
{
    const json_t *p;
    size_t i, any = 0;
    json_array_foreach(parts, i, p)
    {
        if (!(result_number(p, "points") > 0)) continue;
        if (!any++) buf_printf(out, "<h3>What was right</h3>\n<ul>\n");
        right_part(out, p, final);
    }
    if (any) buf_printf(out, "</ul>\n");
}

/* ---- the page ---- */

static void exercise_section(struct buf *out, const json_t *x, int final)
{
    const json_t *parts = json_object_get(x, "parts"), *p;
    size_t i;
    buf_printf(out, "<h2 id=\"%s-%s\">%s %s: %g of %g</h2>\n", result_text(x, "lab"),
        result_text(x, "exercise"), result_text(x, "lab"), result_text(x, "exercise"),
        result_got(x), result_number(x, "max_score"));
    if (*result_text(x, "message")) {
        buf_printf(out, "<h3>%s</h3>\n",
            !strcmp(result_text(x, "status"), "not_attempted") ? "Not attempted"
                                                               : "Points that are missing");
        reasons(out, result_text(x, "message"));
    }
    json_array_foreach(parts, i, p)
    {
        const json_t *blame = json_object_get(p, "blame");
        if (!final && blame && !shown_before(parts, i, result_number(blame, "line")))
            blamed(out, x, blame);
    }
    right(out, parts, final);
}

/* Is the weight of every exercise 1? */
static int counts_once(const json_t *exercises)
{
    const json_t *x;
    size_t i;
    json_array_foreach(exercises, i, x)
    {
        const json_t *weight = json_object_get(x, "weight");
        if (weight && json_number_value(weight) != 1) return 0;
    }
    return 1;
}

static void contents(struct buf *out, const json_t *exercises)
{
    const json_t *x;
    size_t i;
    int once = counts_once(exercises);
    page_table(out, "points of each exercise", "text");
    buf_printf(out,
        "<tr><th scope=\"col\">exercise</th><th scope=\"col\">points</th>%s<th scope=\"col\">what "
        "came of it</th></tr>\n",
        once ? "" : "<th scope=\"col\">weight</th><th scope=\"col\">counts</th>");
    json_array_foreach(exercises, i, x)
    {
        const char *lab = result_text(x, "lab"), *name = result_text(x, "exercise");
        if (handed_in(x))
            buf_printf(out, "<tr><td><a href=\"#%s-%s\">%s %s</a></td>", lab, name, lab, name);
        else
            buf_printf(out, "<tr><td>%s %s</td>", lab, name);
        buf_printf(out, "<td>%g of %g</td>", result_got(x), result_number(x, "max_score"));
        if (!once)
            buf_printf(out, "<td>%g</td><td>%g of %g</td>", result_number(x, "weight"),
                result_number(x, "points"), result_number(x, "max_points"));
        buf_printf(out, "<td>%s", status_text(x));
        if (*result_text(x, "near")) buf_printf(out, "; did you mean ");
        result_escape(out, result_text(x, "near"));
        buf_printf(out, "%s</td></tr>\n", *result_text(x, "near") ? "?" : "");
    }
    page_table_end(out);
}

static void list(struct buf *out, const char *head, const json_t *lines)
{
    const json_t *line;
    size_t i;
    if (!json_array_size(lines)) return;
    buf_printf(out, "<h2>%s</h2>\n<ul>\n", head);
    json_array_foreach(lines, i, line)
    {
        buf_printf(out, "<li>");
        result_escape(out, json_string_value(line));
        buf_printf(out, "</li>\n");
    }
    buf_printf(out, "</ul>\n");
}

void student_page(struct buf *out, const json_t *result)
{
    const json_t *exercises = json_object_get(result, "exercises"), *x;
    double score = result_number(result, "score"), most = result_number(result, "max_score");
    size_t i;
    page_head(out, result_text(result, "student"));
    buf_printf(out, "<p><strong>%g of %g points</strong>, on %s, by %s%s.</p>\n", score, most,
        result_text(result, "device"), result_text(result, "front_end"),
        json_is_true(json_object_get(result, "late")) ? ", handed in late" : "");
    if (*result_text(result, "error")) {
        buf_printf(out, "<p><strong>");
        result_escape(out, result_text(result, "error"));
        buf_printf(out, "</strong></p>\n");
    }
    list(out, "How they count", json_object_get(result, "notes"));
    list(out, "Your files", json_object_get(result, "remarks"));
    contents(out, exercises);
    json_array_foreach(exercises, i, x)
    {
        if (handed_in(x)) exercise_section(out, x, json_is_true(json_object_get(result, "final")));
    }
    list(out, "Not read", json_object_get(result, "left_out"));
    page_end(out);
}
